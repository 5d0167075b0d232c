"""What a bell of Get Rich Quick tells a player about hands that are not his: numbers, and nothing else."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import resolve_turn, visible
from rulesets.get_rich_quick import ruleset
from rulesets.get_rich_quick.cards import VALUES, Card
from rulesets.get_rich_quick.events import LotSwapped, RoundWon
from rulesets.get_rich_quick.orders import Offer
from rulesets.get_rich_quick.state import TableOptions, TableState

SEATS = ["Anna", "Ben", "Cem", "Dora"]


@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=60, deadline=None)
def test_other_cards_in_the_lots_of_others_change_nothing_that_anna_is_told(seed: int) -> None:
    """Ben offers other cards than before, which Cem had: as long as Anna does not get them, she cannot know."""
    chooser = random.Random(seed)
    state = ruleset.setup(SEATS, TableOptions(), Dice(str(seed).encode()))
    if state.phase != "trade":
        return
    orders: dict[str | None, list[Order]] = {seat: [a_lot(state.hands[seat], chooser)] for seat in SEATS}
    lot = orders["Ben"][0]
    assert isinstance(lot, Offer)
    kept = Counter(state.hands["Cem"]) - Counter(cards_of(orders["Cem"]))
    spare = [card for card in VALUES if card != lot.commodity and kept[card] >= lot.count]
    if not spare:
        return
    other = exchanged(state, lot.commodity, spare[0], lot.count)
    changed = {**orders, "Ben": [Offer(count=lot.count, commodity=spare[0])]}
    if Counter(other.hands["Ben"])[spare[0]] < lot.count:
        return
    dice = str(seed).encode()
    after, events = resolve_turn(ruleset, state, orders, Dice(dice))
    after_other, events_other = resolve_turn(ruleset, other, changed, Dice(dice))
    called = any(isinstance(event, RoundWon) for event in (*events, *events_other))
    if called or any(
        isinstance(event, LotSwapped) and event.only == "Anna" and event.partner == "Ben" for event in events
    ):
        return
    for reader in (None, "Anna", "Dora"):
        if reader == "Dora" and any(
            isinstance(e, LotSwapped) and e.only == "Dora" and e.partner == "Ben" for e in events
        ):
            continue
        told, told_other = visible(events, reader), visible(events_other, reader)
        view, view_other = ruleset.view(after, reader), ruleset.view(after_other, reader)
        assert told == told_other
        assert view == view_other
        assert ruleset.report(view, told) == ruleset.report(view_other, told_other)
        assert ruleset.show(view) == ruleset.show(view_other)


def a_lot(hand: list[Card], chooser: random.Random) -> Offer:
    counts = Counter(card for card in hand if card in VALUES)
    commodity = chooser.choice(sorted(counts))
    return Offer(count=chooser.randint(1, counts[commodity]), commodity=commodity)


def cards_of(orders: list[Order]) -> list[Card]:
    return [card for order in orders if isinstance(order, Offer) for card in order.cards]


def exchanged(state: TableState, of_ben: Card, of_cem: Card, count: int) -> TableState:
    """The same table after Ben and Cem have secretly exchanged so many cards."""
    ben = Counter(state.hands["Ben"]) - Counter({of_ben: count}) + Counter({of_cem: count})
    cem = Counter(state.hands["Cem"]) - Counter({of_cem: count}) + Counter({of_ben: count})
    hands = {**state.hands, "Ben": list(ben.elements()), "Cem": list(cem.elements())}
    return TableState.model_validate({**state.model_dump(), "hands": hands})


def test_no_public_word_of_a_bell_names_a_card() -> None:
    """In a whole game of bots: until a call, events and view for everybody hold numbers and names only."""
    state = ruleset.setup(SEATS, TableOptions(goal=1), Dice(b"words"))
    turn = 0
    while ruleset.asks(state):
        turn += 1
        orders = {
            seat: ruleset.bot(ruleset.view(state, seat), seat, ask, Dice(f"{turn}{seat}".encode()))
            for seat, ask in ruleset.asks(state).items()
        }
        state, events = resolve_turn(ruleset, state, orders, Dice(str(turn).encode()))
        if state.over:
            break
        public = " ".join(event.model_dump_json() for event in visible(events, None))
        public += ruleset.view(state, None).model_dump_json()
        assert not [card for card in (*VALUES, "Taxman", "Get Rich") if card in public]
    assert state.over
    assert turn > 1
