"""A turn is a bell: who is asked, what is checked, what happens.  After the last bell of a round the next is dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from judge.core.dice import Dice
from judge.core.orders import Ask, Choice, Order, Problem
from judge.core.ruleset import JUDGE, Event, Seat
from judge.core.sums import Limit
from judge.core.text import Text, Value
from rulesets.get_rich_quick.cards import (
    BOTH_WILDS,
    PACK,
    TITLES,
    WILDS,
    Card,
    commodities,
    commodity_choices,
    told,
    wild_choices,
)
from rulesets.get_rich_quick.events import (
    BellRung,
    HandChanged,
    LastRoundCalled,
    LotReturned,
    LotSwapped,
    SetHeld,
    Shout,
    Swapped,
    Unmatched,
)
from rulesets.get_rich_quick.orders import KINDS, Call, Collect, Hold, Offer, OfferWilds
from rulesets.get_rich_quick.scoring import dealt_complete, end_round
from rulesets.get_rich_quick.sets import best_set
from rulesets.get_rich_quick.state import Swap, TableState
from rulesets.get_rich_quick.trading import Floor, Lot, lots_of, most_held

LAST_ROUND = "last round"
"""What the host or the clock may decide: the running round is the last."""

_LOTS = ("offer", "wilds")


def asks(state: TableState) -> Mapping[Seat, Ask]:
    """Everybody, in every bell; nothing is to be decided where a set was dealt complete.

    What a seat is told here comes from its own hand.
    """
    match state.phase:
        case "over":
            return {}
        case "dealt complete":
            prompt = Text.of("Round {round}: a set was dealt complete, and is called.", round=state.round)
            return {seat: Ask(KINDS, prompt, choices=_choices(state), forced=()) for seat in state.seats}
        case "trade":
            prompt = Text.of(
                "Round {round}, bell {bell}: offer up to {most} lots, or say what you collect.",
                round=state.round,
                bell=state.bell,
                most=PACK.lots,
            )
            return {seat: _ask_for_lots(state, seat, prompt) for seat in state.seats}


def _choices(state: TableState) -> dict[str, tuple[Choice, ...]]:
    return {"commodity": commodity_choices(len(state.seats)), "wilds": wild_choices()}


def _ask_for_lots(state: TableState, seat: Seat, prompt: Text) -> Ask:
    held = _held_cards(state, seat)
    return Ask(
        kinds=KINDS,
        prompt=prompt,
        choices=_choices(state),
        known={"commodity": commodity_choices(len(PACK.commodity))},
        standing=True,
        at_hand=Text.of("In your hand: {cards}.", cards=told(state.hands[seat])),
        facts={card: _in_hand(number) for card, number in held.items()},
        limits=_limits(held),
    )


def _held_cards(state: TableState, seat: Seat) -> dict[Card, int]:
    """How many of each card in play a seat has."""
    held = Counter(state.hands[seat])
    return {card: held[card] for card in (*commodities(len(state.seats)), *WILDS)}


def _limits(held: Mapping[Card, int]) -> tuple[Limit, ...]:
    return (_three_lots(), *(_held(card, number) for card, number in held.items()))


@cache
def _in_hand(number: int) -> tuple[tuple[Text, Value], ...]:
    return ((Text.of("in hand"), number),)


@cache
def _three_lots() -> Limit:
    return Limit(
        of=(),
        kinds=_LOTS,
        at_most=PACK.lots,
        says=Text.of("These are {counted} lots; at most {most} are allowed in one bell.", most=PACK.lots),
    )


@cache
def _held(card: Card, held: int) -> Limit:
    """No card can be in two lots, and none that is not in hand."""
    title = TITLES[card]
    if card not in WILDS:
        says = Text.of("Your lots hold {counted} {commodity}; you have {held}.", commodity=title, held=held)
        return Limit(of=("count",), by="commodity", weights={card: 1}, at_most=held, says=says)
    if held:
        says = Text.of("{wild} is in {counted} of your lots; you have it once.", wild=title)
    else:
        says = Text.of("You offer {wild} and do not have it.", wild=title)
    return Limit(of=(), by="wilds", weights={card: 1, BOTH_WILDS: 1}, at_most=held, says=says)


def check(state: TableState, seat: Seat, orders: Sequence[Order]) -> Iterable[Problem]:
    """The limits that the form shows; one thing to collect; and what is allowed but hardly meant."""
    if state.phase == "over":
        yield Problem(Text.of("The game is over; nothing can be offered any more."))
        return
    for limit in _limits(_held_cards(state, seat)):
        yield from limit.problems(orders)
    kinds = Counter(type(order) for order in orders)
    if kinds[Collect] > 1:
        text = Text.of("You can collect one commodity at a time; {count} are named.", count=kinds[Collect])
        yield Problem(text, field="commodity")
    if kinds[Hold] and kinds[Call]:
        yield Problem(Text.of("“hold” and “call” contradict each other."))
    lots = kinds[Offer] + kinds[OfferWilds]
    if orders and not lots and not kinds[Collect]:
        yield Problem(Text.of("You offer nothing in this bell."), warning=True)
    if lots and kinds[Collect]:
        text = Text.of(
            "In this bell the lots that you list are offered; what you collect counts from the next bell on."
        )
        yield Problem(text, warning=True)
    if kinds[Hold] and len(state.hands[seat]) == PACK.cards_of_each:
        text = Text.of("With nine cards no set can be doubled: while you hold, yours is not called.")
        yield Problem(text, warning=True)


def default_orders(state: TableState, seat: Seat) -> Sequence[Order]:
    """Whoever misses the deadline, and has said nothing before, collects what he holds most of."""
    return (Collect(commodity=most_held(state.hands[seat])),)


def resolve(state: TableState, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice) -> Iterator[Event]:
    """A bell, or the call of a set that was dealt complete.

    The order of lots is a public throw (the pile `bell`), a deal a hidden shuffle (the pile `deal`).
    """
    if any(order.kind == LAST_ROUND for order in orders.get(JUDGE, ())) and not state.last_round:
        state.last_round = True
        yield LastRoundCalled(round=state.round)
    state.offers, state.swaps = [], []
    dealt = dealt_complete(state) if state.phase == "dealt complete" else None
    if dealt is not None:
        yield from end_round(state, dealt, 0, dice)
        return
    for seat in state.seats:
        for order in orders.get(seat, ()):
            if isinstance(order, Hold | Call):
                state.holding[seat] = isinstance(order, Hold)
    lots = [lot for seat in state.seats for lot in lots_of(seat, state.hands[seat], orders.get(seat, ()))]
    floor = Floor(dict(state.hands), state.holding)
    yield from ring_bell(state, floor, dice.lots(lots, "bell"))
    state.hands = floor.hands
    caller = floor.caller()
    if caller is not None:
        yield from end_round(state, caller, state.bell, dice)
    else:
        state.bell += 1


def ring_bell(state: TableState, floor: Floor, lots: Sequence[Lot]) -> Iterator[Event]:
    """The lots in their published order, and all swaps; numbers for everybody, cards for their owners."""
    before = dict(floor.hands)
    floor.ring(lots)
    state.offers = [_shout(lot) for lot in lots]
    yield BellRung(round=state.round, bell=state.bell, offers=tuple(state.offers))
    for one, other in floor.swaps:
        swap = Swap(seats=(one.seat, other.seat), cards=len(one.cards))
        state.swaps.append(swap)
        yield Swapped(seats=swap.seats, cards=swap.cards)
        for lot, came in ((one, other), (other, one)):
            yield LotSwapped(only=lot.seat, partner=came.seat, gave=lot.cards, got=came.cards)
    if floor.returned:
        yield Unmatched(offers=tuple(map(_shout, floor.returned)))
    for lot in floor.returned:
        yield LotReturned(only=lot.seat, cards=lot.cards)
    for seat, hand in floor.hands.items():
        yield HandChanged(only=seat, before=tuple(before[seat]), after=tuple(hand))
        complete = best_set(hand)
        if complete is not None and seat not in floor.calls:
            yield SetHeld(only=seat, commodity=complete.commodity)


def _shout(lot: Lot) -> Shout:
    return Shout(seat=lot.seat, cards=len(lot.cards))
