"""Money Maker's ledgers notice: without one event about gold or credit, or with other numbers, the law is broken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from rulesets.money_maker import card_events, events, run_events
from rulesets.money_maker.payments import Payment
from rulesets.money_maker.state import TableState
from tests.games import Turn
from tests.laws import LAWS
from tests.money_maker_table import BLUE_10, GREEN_20, QUIET, SHIP, WINDMILL, play, table

RUN = (SHIP, BLUE_10)


def broken(turn: Turn) -> bool:
    try:
        LAWS["money-maker"](turn)
    except (AssertionError, ValueError, KeyError):
        return True
    return False


def turn(before: TableState, throws: Sequence[int] = (), **posts: str) -> Turn:
    after, told = play(before, throws, **posts)
    return Turn(before, {}, after, told)


def auction() -> Turn:
    before = table(row=["Textile Producer"])
    return turn(before, QUIET, Anna="open Textile Producer max 9 gold 1\nproduce all\nsell 1 consumer")


def alternative() -> Turn:
    before = table(banks={"Anna": {"rating": 2, "gold": 25, "board": [21, 8], "claims": {"Ben": 4, "Cem": 0}}})
    return turn(before, (WINDMILL, GREEN_20), Anna="pay off windmill\nplace Ben credit on ship")


def run_with_a_tariff() -> Turn:
    banks = {
        "Will": {"rating": 2, "gold": 17, "board": [20, 3]},
        "Ann": {"rating": 2, "gold": 30, "board": [20, 1]},
        "Cem": {"rating": 0, "gold": 0, "board": [12]},
    }
    before = table("Will, Ann, Cem", meter=3, banks=banks)
    return turn(before, RUN, Ann="rescue up to 3 at 3 for 10", Will="borrow at 4 a gold")


def window() -> Turn:
    banks = {
        "Will": {"rating": 2, "gold": 17, "board": [20, 0]},
        "Ann": {"rating": 2, "gold": 30, "board": [20, 0]},
    }
    state, _ = play(table("Will, Ann, Cem", meter=3, banks=banks), RUN)
    before, _ = play(state, Will="offer Ann: 10 credit for 3 credit")
    return turn(before, Ann="accept offer 1")


def degradation() -> Turn:
    banks = {
        "Anna": {"rating": 3, "gold": 2, "board": [30, 4, 5]},
        "Ben": {"rating": 1, "gold": 3, "board": [12]},
    }
    before, _ = play(table(meter=3, banks=banks), RUN)
    return turn(before, Anna="done", Ben="done")


STORIES = [auction, alternative, run_with_a_tariff, window, degradation]
MOVES = (
    events.Auctioned,
    events.PaidOff,
    run_events.DebtsCalled,
    run_events.Extinguished,
    run_events.PaidInPart,
    run_events.Rescued,
    run_events.Exchanged,
    run_events.HelpUsed,
    run_events.Promoted,
    run_events.Degraded,
    run_events.WentBankrupt,
    card_events.ActionBought,
)


@pytest.mark.parametrize("story", STORIES)
def test_no_event_that_moves_gold_or_credit_can_be_left_out(
    story: Callable[[], Turn],
) -> None:
    """T140: the ledgers follow the events, and every one of them is needed."""
    whole = story()
    assert not broken(whole)
    moves = [event for event in whole.events if isinstance(event, MOVES)]
    assert moves
    for event in moves:
        left = [other for other in whole.events if other is not event]
        assert broken(replace(whole, events=left)), type(event).__name__


@pytest.mark.parametrize("story", STORIES[:3])
def test_no_payment_can_be_told_otherwise(story: Callable[[], Turn]) -> None:
    """One unit more of credit, or credit on another block, in any payment."""
    whole = story()
    told = whole.events
    for number, event in enumerate(told):
        payment = getattr(event, "payment", None)
        if not isinstance(payment, Payment):
            continue
        for wrong in (
            payment.model_copy(update={"own": payment.own + 1}),
            payment.model_copy(update={"gold": payment.gold + 1}),
            payment.model_copy(update={"placed": ()}) if payment.placed else None,
        ):
            if wrong is not None:
                changed = [*told[:number], event.model_copy(update={"payment": wrong}), *told[number + 1 :]]
                assert broken(replace(whole, events=changed)), (type(event).__name__, wrong)
