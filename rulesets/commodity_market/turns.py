"""A month: buying, then selling, each an opening of its own for everybody at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.core.dice import Dice
from judge.core.orders import Ask, Order, Problem
from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.commodity_market.buying import ask_for_bids, resolve_buying
from rulesets.commodity_market.ending import end_month
from rulesets.commodity_market.selling import ask_for_offers, resolve_selling
from rulesets.commodity_market.state import MarketState


def asks(state: MarketState) -> Mapping[Seat, Ask]:
    """Everybody is asked for bids, then for offers; nobody once the game is over."""
    match state.phase:
        case "buy":
            return {seat: ask_for_bids(state, seat) for seat in state.players}
        case "sell":
            return {seat: ask_for_offers(state, seat) for seat in state.players}
        case "over":
            return {}


def check(state: MarketState, seat: Seat, orders: Sequence[Order]) -> Iterable[Problem]:
    """The limits and minimums that the form shows, and nothing else: one sentence for both."""
    ask = asks(state).get(seat)
    if ask is None:
        yield Problem(Text.of("The game is over; nothing can be ordered any more."))
        return
    for number, order in enumerate(orders, 1):
        if not isinstance(order, ask.kinds):
            yield Problem(Text.of("This cannot be ordered in this phase of the month."), line=number, field="kind")
    fitting = [order for order in orders if isinstance(order, ask.kinds)]
    yield from ask.problems(fitting)


def resolve(state: MarketState, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice) -> Iterator[Event]:
    """One phase.  There is no chance in this game."""
    if state.phase == "buy":
        yield from resolve_buying(state, orders)
    else:
        yield from resolve_selling(state, orders)
        yield from end_month(state)


def default_orders(state: MarketState, seat: Seat) -> Sequence[Order]:
    """Whoever misses the deadline orders nothing and offers nothing."""
    return ()
