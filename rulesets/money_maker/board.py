"""What people look at: the meter, the rings with credit on their blocks, both markets, companies, one's own vault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Cell, Chart, Line, Series, Table
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.names import TITLES, amount_of, goods, named, rating_name, sectors_named
from rulesets.money_maker.payments import block_name
from rulesets.money_maker.run_events import side_told
from rulesets.money_maker.tables import COMPANIES, TABLES
from rulesets.money_maker.view import TableView


def show(view: TableView) -> Sequence[Block]:
    """The position: where the game stands, open cards, markets, the city, offers, and the reader's own vault."""
    return [
        Line(text=place(view)),
        Line(text=meter(view)),
        *open_cards(view),
        markets(view),
        city(view),
        *companies(view),
        *offers(view),
        *own_vault(view),
        *wealth(view),
    ]


def place(view: TableView) -> Text:
    values: dict[str, Value] = {"turn": view.turn, "round": view.round, "who": Player(view.active)}
    match view.phase:
        case "start bid":
            return Text.of("Before the first turn: who starts?")
        case "turn":
            return Text.of("Turn {turn} is {who}'s.", **values)
        case "round":
            return Text.of("Round {round} begins with {who}.", **values)
        case "rescue":
            return Text.of("Turn {turn} of {who} stands still: short banks look for help.", **values)
        case "over":
            return Text.of("The game is over after turn {turn}.", **values)


def meter(view: TableView) -> Text:
    limit = {"short": 3, "average": 4, "long": 5}[view.options.length]
    told = Text.of(
        "Bankrun-o-meter: {steps} of {length}; bank runs: {runs} of {limit}. Gold Reserve: {reserve}.",
        steps=view.meter,
        length=view.meter_length,
        runs=view.runs,
        limit=limit,
        reserve=view.reserve,
    )
    if not view.sectors:
        return told
    return Text.of("{told} Sector dice: {sectors}.", told=told, sectors=sectors_named(view.sectors))


def open_cards(view: TableView) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = []
    for card in (*view.row, *view.forecast):
        company = COMPANIES[card]
        rows.append(
            (
                TITLES[card],
                TITLES[next(guild.name for guild in TABLES.guild if guild.key == company.guild)],
                amount_of(company.ask, company.ask_n),
                view.opening_prices.get(card),
                makes(card),
            )
        )
    if rows:
        yield Table(
            title=Text.of("Open cards"),
            head=(Text.of("Card"), Text.of("Guild"), Text.of("Asks for"), Text.of("Opens at"), Text.of("Gives")),
            rows=tuple(rows),
        )


def makes(card: str) -> Text:
    company = COMPANIES[card]
    if company.mode == "trade":
        return Text.of("trades {count} for {count}", count=company.out_n)
    return amount_of("production" if company.out == "production" else "consumer", company.out_n)


def markets(view: TableView) -> Table:
    """Goods at each price, what the next buyer pays, what the next seller gets."""
    rows: list[tuple[Cell, ...]] = [
        (goods(colour), *market.slots, market.reserve, market.buying_price, market.selling_price)
        for colour, market in view.markets.items()
    ]
    return Table(
        title=Text.of("Markets"),
        head=(
            Text.of("Goods"),
            *(slot.price for slot in TABLES.market.slots),
            Text.of("Reserve"),
            Text.of("Buy at"),
            Text.of("Sell at"),
        ),
        rows=tuple(rows),
        board=True,
    )


def city(view: TableView) -> Table:
    """A row a bank: rating, credit on each block of its ring, credit in other vaults, and what it holds of others."""
    rows: list[tuple[Cell, ...]] = []
    for seat, bank in view.banks.items():
        blocks = [
            Text.of("{count} on {block}", count=count, block=block_name(tuple(sectors)))
            for sectors, count in zip(bank.blocks, bank.board, strict=True)
            if count
        ]
        held = [
            Text.of("{count} of {who}", count=count, who=Player(other)) for other, count in bank.claims.items() if count
        ]
        rows.append(
            (
                Player(seat),
                Text.of("bankrupt") if bank.bankrupt else rating_name(bank.rating),
                Text.of("{blocks}", blocks=Listing(blocks)) if blocks else None,
                bank.credit_to_others,
                Text.of("{held}", held=Listing(held)) if held else None,
                len(bank.cards),
            )
        )
    return Table(
        title=Text.of("The city"),
        head=(
            Text.of("Bank"),
            Text.of("Rating"),
            Text.of("Credit on the board"),
            Text.of("Held by others"),
            Text.of("Holds credit"),
            Text.of("Companies"),
        ),
        rows=tuple(rows),
    )


def companies(view: TableView) -> Iterator[Block]:
    for seat, bank in view.banks.items():
        if bank.cards:
            yield Line(text=Text.of("{who} owns {cards}.", who=Player(seat), cards=named(bank.cards)), item=True)


def offers(view: TableView) -> Iterator[Block]:
    for offer in view.offers:
        give = side_told(tuple((item.what, item.count) for item in offer.give), offer.maker)
        get = side_told(tuple((item.what, item.count) for item in offer.get), offer.taker)
        yield Line(
            text=Text.of(
                "Offer {number}: {maker} gives {taker} {give} for {get}.",
                number=offer.number,
                maker=Player(offer.maker),
                taker=Player(offer.taker),
                give=give,
                get=get,
            ),
            item=True,
        )
    if view.run is not None:
        short = [Text.of("{who} {due}", who=Player(seat), due=view.run.due[seat]) for seat in view.run.short]
        yield Line(text=Text.of("Short in this run: {short}.", short=Listing(short)))


def own_vault(view: TableView) -> Iterator[Block]:
    if view.vault is None:
        return
    yield Line(
        text=Text.of(
            "In your vault: {gold} gold, {production}, {consumer}; action cards: {actions}.",
            gold=view.vault.gold,
            production=amount_of("production", view.vault.goods["production"]),
            consumer=amount_of("consumer", view.vault.goods["consumer"]),
            actions=named(view.vault.actions) if view.vault.actions else Text.of("none"),
        )
    )


def wealth(view: TableView) -> Iterator[Block]:
    """What each bank was worth at the end of each turn: open once the game is over."""
    if len(view.worth) < 2:
        return
    lines = {seat: tuple(entry[seat] for entry in view.worth) for seat in view.banks}
    yield Chart(
        title=Text.of("Richness by turn"),
        across=tuple(range(1, len(view.worth) + 1)),
        series=tuple(Series(name=Text.of("{who}", who=Player(seat)), values=line) for seat, line in lines.items()),
        alt=Text.of(
            "{courses}.",
            courses=Listing(
                [
                    Text.of("{who} from {first} to {last}", who=Player(seat), first=line[0], last=line[-1])
                    for seat, line in lines.items()
                ]
            ),
        ),
    )
