"""What people look at: the board as pictures, and beside it tables that say the same; one's own vault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Cell, Chart, Line, Series, Table
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.city import city_picture, rating_told
from rulesets.money_maker.names import TITLES, amount_of, amounts, goods, named
from rulesets.money_maker.run_events import OfferMade
from rulesets.money_maker.stalls import markets_picture
from rulesets.money_maker.tables import COMPANIES, TABLES, Card, Colour
from rulesets.money_maker.view import TableView

GUILDS = {guild.key: guild.name for guild in TABLES.guild}


def show(view: TableView) -> Sequence[Block]:
    """The position: where the game stands, the board as pictures, open cards, markets, banks, and one's own vault."""
    return [
        Line(text=place(view)),
        *own_vault(view),
        *offers(view),
        *shortfall(view),
        markets_picture(view),
        *open_cards(view),
        markets(view),
        city_picture(view),
        banks(view),
        *companies(view),
        *wealth(view),
    ]


def stand_still(view: TableView) -> Sequence[Block]:
    """What banks look at while a bank run waits for them: no exchange with the markets is allowed, so none is shown."""
    return [Line(text=place(view)), *shortfall(view), city_picture(view), banks(view), *companies(view)]


def place(view: TableView) -> Text:
    values: dict[str, Value] = {"round": view.round, "who": Player(view.active)}
    match view.phase:
        case "start bid":
            return Text.of("Before the first turn: who starts?")
        case "turn":
            return Text.of("Round {round}, {who}'s turn.", **values)
        case "round":
            return Text.of("Round {round} begins with {who}.", **values)
        case "rescue":
            return Text.of("Round {round}, {who}'s turn stands still: short banks look for help.", **values)
        case "over":
            return Text.of("The game is over after {turns} turns.", turns=view.turn)


def open_cards(view: TableView) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = []
    for card in (*view.row, *view.forecast):
        company = COMPANIES[card]
        rows.append(
            (
                Text.of("{card} ({guild})", card=TITLES[card], guild=TITLES[GUILDS[company.guild]]),
                briefly(company.ask, company.ask_n),
                view.opening_prices.get(card),
                makes(card),
            )
        )
    if rows:
        yield Table(
            title=Text.of("Open cards"),
            head=(Text.of("Card"), Text.of("Asks for"), Text.of("Opens at"), Text.of("Gives")),
            rows=tuple(rows),
        )


def makes(card: Card) -> Text:
    company = COMPANIES[card]
    if company.out == "either":
        return Text.of("trades {count} for {count}", count=company.out_n)
    return briefly(company.out, company.out_n)


def briefly(colour: Colour, count: int) -> Text:
    """ "2 production", for narrow columns."""
    if colour == "production":
        return Text.of("{count} production", count=count)
    return Text.of("{count} consumer", count=count)


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


def banks(view: TableView) -> Table:
    """A row a bank, as everybody sees it.  On which blocks its credit lies stands in the picture and its text."""
    rows: list[tuple[Cell, ...]] = []
    for seat, bank in view.banks.items():
        rows.append(
            (
                Player(seat),
                rating_told(bank),
                bank.credit_on_board,
                bank.credit_to_others,
                len(bank.cards),
                view.in_sight[-1][seat] if view.in_sight else None,
            )
        )
    return Table(
        title=Text.of("The banks"),
        head=(
            Text.of("Bank"),
            Text.of("Rating"),
            Text.of("On the board"),
            Text.of("With others"),
            Text.of("Companies"),
            Text.of("In sight"),
        ),
        rows=tuple(rows),
    )


def companies(view: TableView) -> Iterator[Block]:
    """A line for each bank that owns companies or has other banks' credit in its vault."""
    for seat, bank in view.banks.items():
        owned = [Text.of("{card} ({goods})", card=TITLES[card], goods=makes(card)) for card in bank.cards]
        held = [
            Text.of("{count} of {who}", count=count, who=Player(other)) for other, count in bank.claims.items() if count
        ]
        lines = [Text.of("{who} owns {cards}.", who=Player(seat), cards=Listing(owned))] if owned else []
        if held:
            lines.append(Text.of("{who} holds credit: {held}.", who=Player(seat), held=Listing(held)))
        yield from (Line(text=line, item=True) for line in lines)


def offers(view: TableView) -> Iterator[Block]:
    for offer in view.offers:
        give, get = (tuple((item.what, item.count) for item in side) for side in (offer.give, offer.get))
        made = OfferMade(number=offer.number, maker=offer.maker, taker=offer.taker, give=give, get=get)
        yield Line(text=made.tell(), item=True)


def shortfall(view: TableView) -> Iterator[Block]:
    if view.run is not None:
        short = {seat: view.run.due[seat] for seat in view.run.short}
        yield Line(text=Text.of("Short in this run: {short}.", short=amounts(short)))


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
    """What each bank was worth at the end of each turn; until the game is over, as far as everybody could see."""
    over = view.phase == "over"
    course = view.worth if over else view.in_sight[:-1]
    if len(course) < len(view.banks):
        return
    lines = {seat: tuple(entry[seat] for entry in course) for seat in view.banks}
    told = Listing(
        [
            Text.of("{who} from {first} to {last}", who=Player(seat), first=line[0], last=line[-1])
            for seat, line in lines.items()
        ]
    )
    sight = Text.of("Without gold and goods, which are hidden: {courses}.", courses=told)
    yield Chart(
        title=Text.of("Richness by turn") if over else Text.of("Wealth in sight by turn"),
        across=tuple(range(1, len(course) + 1)),
        series=tuple(Series(name=Text.of("{who}", who=Player(seat)), values=line) for seat, line in lines.items()),
        alt=Text.of("{courses}.", courses=told) if over else sight,
    )
