"""The order form of a bank: what it is most likely to decide comes first, with prices; and what all of it would cost.

Action cards in the vault have a section of their own; those that may still be drawn wait in a folded one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.orders import Fact, Order, Part, Section
from judge.core.ruleset import Seat
from judge.core.sums import Count, Ladder, Limit, Total
from judge.core.text import Text
from rulesets.money_maker.auction import opening_price
from rulesets.money_maker.markets import prices_of, sale_prices
from rulesets.money_maker.names import amount_of
from rulesets.money_maker.orders import Bid, Buy, BuyAction, Open, PayOff, Produce, Sell, StartBid, Trade
from rulesets.money_maker.paying import means
from rulesets.money_maker.plans import last, pays_first_with, trigger
from rulesets.money_maker.plays import Keep, Play, PlayRaise
from rulesets.money_maker.standing import Lend, Standing
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import ACTION, COLOURS, COMPANIES, SECTORS, SETUP, Card, Colour, ring_of

AUCTION = Section(Text.of("Auctions"))
STEPS = Section(Text.of("Production, markets and an action card"))
HELD = Section(Text.of("Action cards in your vault"))
DEALS = Section(Text.of("Exchanges with other banks"))
MAY_DRAW = Section(Text.of("Action cards that you may draw"), folded=True)
BETWEEN_RUNS = Section(Text.of("Exchanges with other banks"), folded=True)
TARIFFS = Section(Text.of("Rescue tariffs"), folded=True)
LASTING = Section(Text.of("Lasting orders: paying, placing credit, promotion, rescue"), folded=True)


def parts(state: TableState, seat: Seat, kinds: Sequence[type[Order]]) -> tuple[Part, ...]:
    """The form's parts in the order in which lines are carried out; what cannot be done now is left to the text."""
    held = state.banks[seat].actions
    owed = _owed(state, seat)
    found: list[Part] = []
    for kind in kinds:
        if kind is Open:
            given = {} if state.options.opener_buyout else {"buyout": None}
            found.append(Part(Open, AUCTION, given=given, in_order=True, lines=2))
        elif kind is PayOff:
            if owed:
                facts: dict[str, tuple[Fact, ...]] = {
                    sector: ((Text.of("your credit"), n),) for sector, n in owed.items()
                }
                found.append(Part(PayOff, AUCTION, offered={"sector": tuple(owed)}, facts=facts))
        elif issubclass(kind, Play):
            found.append(Part(kind, HELD if kind.action.name in held else MAY_DRAW))
        elif issubclass(kind, Standing):
            lasting = TARIFFS if state.phase == "rescue" else LASTING
            found.append(Part(kind, lasting))
        else:
            found.append(Part(kind, _SECTIONS.get(kind, _deal_section(state)), lines=_LINES.get(kind, 1)))
    return tuple(found)


_SECTIONS: Mapping[type[Order], Section | None] = {
    StartBid: None,
    Bid: AUCTION,
    Produce: STEPS,
    Buy: STEPS,
    Trade: STEPS,
    Sell: STEPS,
    BuyAction: STEPS,
    Keep: MAY_DRAW,
}

_LINES: Mapping[type[Order], int] = {Buy: 2, Sell: 2}


def _deal_section(state: TableState) -> Section:
    return DEALS if state.phase == "rescue" else BETWEEN_RUNS


def _owed(state: TableState, seat: Seat) -> dict[str, int]:
    """A bank's own credit on the block of each sector, where there is any."""
    bank = state.banks[seat]
    ring = ring_of(bank.rating)
    return {sector: bank.board[ring.block_of(sector)] for sector in SECTORS if bank.board[ring.block_of(sector)]}


def facts(state: TableState, seat: Seat, cards: Sequence[Card]) -> dict[str, tuple[Fact, ...]]:
    """What is told beside a card and beside a colour of goods."""
    told: dict[str, tuple[Fact, ...]] = {card: tuple(_about_card(state, card)) for card in cards}
    for colour in COLOURS:
        market, stock = state.markets[colour], state.banks[seat].goods[colour]
        told[colour] = (
            (Text.of("to buy"), _row(prices_of(market, SETUP.buy_limit_per_market))),
            (Text.of("to sell"), _row(sale_prices(market, SETUP.buy_limit_per_market, state.options.sell_to))),
            (Text.of("in your vault"), stock),
        )
    return told


def _about_card(state: TableState, card: Card) -> Iterator[Fact]:
    company = COMPANIES[card]
    if card in state.row:
        yield Text.of("opens at"), opening_price(state, card)
    if company.mode == "trade":
        yield Text.of("trades"), company.out_n
    else:
        colour: Colour = "production" if company.out == "production" else "consumer"
        yield Text.of("gives"), amount_of(colour, company.out_n)


def _row(prices: Sequence[int]) -> str:
    return ", ".join(map(str, prices))


def gold_parts(state: TableState, seat: Seat, cards: Sequence[Card]) -> Iterator[Limit]:
    """No bid has a larger part in gold than there is gold in the vault (B4)."""
    gold = state.banks[seat].gold
    says = Text.of("A gold part of {counted} was read; you have {held} gold.", held=gold)
    yield Limit(of=("gold",), kinds=("start",), at_most=gold, says=says)
    for card in cards:
        yield Limit(of=("gold",), by="card", weights={card: 1}, kinds=("bid", "open"), at_most=gold, says=says)


def totals(state: TableState, seat: Seat, kinds: Sequence[type[Order]]) -> tuple[Total, ...]:
    """What the lines cost if every bid wins at its maximum, and what is left then.

    The opener wins one card at most, so only his dearest line counts.  Goods cost what the markets ask now.  Lasting
    lines count as they stand: an envelope that raises a bid, paying with credit, and the tariff of a bank run.
    """
    bank = state.banks[seat]
    if not {StartBid, Bid, Open, Buy} & set(kinds):
        return ()
    bids = (
        Count(of=("most",), kinds=("start", "bid")),
        Count(of=("buyout|most",), kinds=("open",), dearest=True),
        *_envelope(state, seat),
    )
    goods, debts = _goods_and_card(state, seat), Count(kinds=("payoff",), by="sector", weights=_owed(state, seat))
    found = [Total(Text.of("Your bids cost at most, if all win"), kinds=(), also=bids)]
    if Buy in kinds:
        found.append(Total(Text.of("Your own steps cost, at today's prices"), kinds=(), also=(*goods, debts)))
    label = Text.of("Gold left then, at least")
    in_gold: tuple[Count | Ladder, ...] = (*_bids_in_gold(state, seat), *goods)
    if pays_first_with(state, seat) == "credit":
        label, in_gold = Text.of("Gold left then, while you pay with credit"), _GOLD_PARTS
    means_left = Text.of("Gold and credit left then, own and others'")
    found += [
        Total(label, kinds=(), also=(*in_gold, debts), start=bank.gold, sign=-1, least=0),
        Total(means_left, kinds=(), also=(*bids, *goods, debts), start=means(state, seat), sign=-1),
        *_tariff(state, seat),
    ]
    return tuple(found)


def _envelope(state: TableState, seat: Seat) -> tuple[Count, ...]:
    """What a Late Envelope in the vault may add to one bid, by the line that stands or else by the typed one."""
    if ACTION["raise"].name not in state.banks[seat].actions:
        return ()
    line = trigger(state, seat, PlayRaise)
    if line is None:
        return (Count(of=("by",), kinds=("raise",)),)
    raised = {card: line.by for card in COMPANIES if line.card in (None, card)}
    return (Count(kinds=("bid", "open"), by="card", weights=raised, dearest=True),)


def _bids_in_gold(state: TableState, seat: Seat) -> tuple[Count, ...]:
    """The gold that bids may take; a card that is bought out takes gold besides its gold part."""
    return (
        Count(of=("gold|most",), kinds=("start", "bid")),
        Count(of=("buyout|gold|most",), kinds=("open",), dearest=True),
        *_envelope(state, seat),
    )


_GOLD_PARTS = (
    Count(of=("gold",), kinds=("start", "bid")),
    Count(of=("buyout|gold",), kinds=("open",), dearest=True),
)
"""What bids take in gold where own credit pays all else."""


def _tariff(state: TableState, seat: Seat) -> Iterator[Total]:
    """What the tariff that stands may take if there is a bank run, or the one that is typed instead of it."""
    line = last(state, seat, Lend)
    if line is not None and line.most:
        instead = Count(kinds=("rescue",), times=-line.most)
        yield Total(
            Text.of("Your tariff may take of it in a bank run, at most"),
            of=("most",),
            kinds=("rescue",),
            also=(instead,),
            start=line.most,
            most=state.banks[seat].gold,
        )


def _goods_and_card(state: TableState, seat: Seat) -> tuple[Count | Ladder, ...]:
    """Goods at today's prices, and an action card."""
    most = ACTION["shopping"].amount if ACTION["shopping"].name in state.banks[seat].actions else 0
    steps: dict[str, tuple[int, ...]] = {
        colour: tuple(prices_of(state.markets[colour], max(most, SETUP.buy_limit_per_market))) for colour in COLOURS
    }
    return (
        Ladder(kinds=("buy",), by="colour", of="count", steps=steps, up_to="price"),
        Count(kinds=("action",), times=SETUP.action_price),
    )
