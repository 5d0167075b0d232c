"""A turn as a post: the story first, then board, chart and tally sheets, then what became of each player's lines."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from judge.core.report import Block, Heading, Line
from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text
from rulesets.commodity_market.board import show
from rulesets.commodity_market.ending import profits
from rulesets.commodity_market.events import (
    BidFailed,
    BidVoided,
    Bought,
    GameEnded,
    LoanTaken,
    OfferBarred,
    OfferFailed,
    PartlyBought,
    PartlySold,
    PlayerEvent,
    PriceMoved,
    PurchaseVoided,
    Sold,
)
from rulesets.commodity_market.state import MarketView
from rulesets.commodity_market.tables import GRADES


def report(view: MarketView, events: Sequence[Event]) -> Sequence[Block]:
    """The blocks of the post; `view` is the position after the turn, `events` all that happened in it."""
    blocks: list[Block] = [Heading(text=_phase(view, events)), Line(text=story(view, events))]
    blocks.append(Heading(text=Text.of("Market")))
    blocks += [Line(text=event.tell(), item=True) for event in events if isinstance(event, PriceMoved)]
    blocks += show(view)
    for seat in view.players:
        blocks.append(Heading(text=Player(seat)))
        blocks += [Line(text=line, item=True) for line in reckoning(view, seat, events)]
    return blocks


def _phase(view: MarketView, events: Sequence[Event]) -> Text:
    """Which month's buying or selling it was; `view` is already one phase further."""
    if _was_buying(events):
        return Text.of("Month {month} of {months}: buying", month=view.month, months=view.options.months)
    month = view.month if view.phase == "over" else view.month - 1
    return Text.of("Month {month} of {months}: selling", month=month, months=view.options.months)


def _was_buying(events: Sequence[Event]) -> bool:
    return any(isinstance(event, PriceMoved) and event.good in GRADES for event in events)


def story(view: MarketView, events: Sequence[Event]) -> Text:
    """What a friend would write: who won, what the prices did, who did well, who got nothing."""
    sentences = [ended.tell() for ended in events if isinstance(ended, GameEnded)]
    sentences.append(_prices_story([event for event in events if isinstance(event, PriceMoved)]))
    sentences += _buying_story(events) if _was_buying(events) else _selling_story(view, events)
    return Text.joined(sentences)


def _prices_story(moves: Sequence[PriceMoved]) -> Text:
    raw = moves[0].good in GRADES
    prices = Listing([Text.of("{good} to {price}", good=move.name, price=move.price) for move in moves])
    if all(move.price > move.before for move in moves):
        if raw:
            return Text.of("Everybody wanted raw materials, and all of them rose: {prices}.", prices=prices)
        return Text.of("Finished goods were scarce, and all of them rose: {prices}.", prices=prices)
    if all(move.price < move.before for move in moves):
        if raw:
            return Text.of("Few raw materials were wanted, and all of them fell: {prices}.", prices=prices)
        return Text.of("There were plenty of finished goods, and all of them fell: {prices}.", prices=prices)
    return Text.of("{clauses}.", clauses=Listing([_clause(move) for move in moves]))


def _clause(move: PriceMoved) -> Text:
    if move.price > move.before:
        return Text.of("{good} rose to {price}", good=move.name, price=move.price)
    if move.price < move.before:
        return Text.of("{good} fell to {price}", good=move.name, price=move.price)
    return Text.of("{good} stayed at {price}", good=move.name, price=move.price)


def _buying_story(events: Sequence[Event]) -> Iterator[Text]:
    bought = _amounts(events, Bought, PartlyBought)
    empty_handed = _failed(events, BidFailed, BidVoided, but=bought)
    if not bought:
        yield Text.of("Nobody bought anything.")
    else:
        most = max(bought.values())
        yield Text.n(
            "{players} bought most, for {amount}.",
            "{players} bought most, for {amount} each.",
            sum(amount == most for amount in bought.values()),
            players=_players(seat for seat, amount in bought.items() if amount == most),
            amount=Money(most),
        )
    if bought and empty_handed:
        yield Text.n(
            "{players} went away empty-handed.",
            "{players} went away empty-handed.",
            len(empty_handed),
            players=_players(empty_handed),
        )
    for event in events:
        if isinstance(event, PurchaseVoided | LoanTaken):
            yield event.tell()


def _selling_story(view: MarketView, events: Sequence[Event]) -> Iterator[Text]:
    sold = _amounts(events, Sold, PartlySold)
    left_over = _failed(events, OfferFailed, OfferBarred, but=sold)
    if not sold:
        yield Text.of("Nobody sold anything.")
    else:
        most = max(sold.values())
        yield Text.n(
            "{players} sold most, for {amount}.",
            "{players} sold most, for {amount} each.",
            sum(amount == most for amount in sold.values()),
            players=_players(seat for seat, amount in sold.items() if amount == most),
            amount=Money(most),
        )
    if sold and left_over:
        yield Text.n(
            "{players} found no buyer.", "{players} found no buyer.", len(left_over), players=_players(left_over)
        )
    if view.phase != "over":
        richest = max(sheet.cash for sheet in view.players.values())
        yield Text.n(
            "Most money is now in the hands of {players}: {cash}.",
            "Most money is now in the hands of {players}: {cash} each.",
            sum(sheet.cash == richest for sheet in view.players.values()),
            players=_players(seat for seat, sheet in view.players.items() if sheet.cash == richest),
            cash=Money(richest),
        )


def _amounts(events: Sequence[Event], *kinds: type[Bought | PartlyBought | Sold | PartlySold]) -> dict[Seat, int]:
    """What each player paid, or took, in all; players for whom there was nothing are not in it."""
    amounts: dict[Seat, int] = {}
    for event in events:
        if isinstance(event, kinds):
            amounts[event.seat] = amounts.get(event.seat, 0) + event.amount
    return amounts


def _failed(events: Sequence[Event], *kinds: type[PlayerEvent], but: Container[Seat]) -> list[Seat]:
    """Whoever had such an event, in seat order and once, except those who had success besides."""
    return list(dict.fromkeys(event.seat for event in events if isinstance(event, kinds) and event.seat not in but))


def _players(seats: Iterable[Seat]) -> Listing:
    return Listing([Player(seat) for seat in seats])


def reckoning(view: MarketView, seat: Seat, events: Sequence[Event]) -> Iterator[Text]:
    """A line for each thing that happened to the player, then what it came to."""
    own = [event for event in events if isinstance(event, PlayerEvent) and event.seat == seat]
    for event in own:
        yield event.reckoning()
    cash = Money(view.players[seat].cash)
    paid = _amounts(own, Bought, PartlyBought).get(seat)
    taken = _amounts(own, Sold, PartlySold).get(seat)
    if paid is not None:
        yield Text.of("Paid {amount} in all; cash now {cash}.", amount=Money(paid), cash=cash)
    elif taken is not None and view.phase != "over":
        yield Text.of("Took in {amount} in all; cash now {cash}.", amount=Money(taken), cash=cash)
    if view.phase == "over":
        yield Text.of("Cash at the end {cash}, profit {profit}.", cash=cash, profit=Money(profits(view)[seat]))
