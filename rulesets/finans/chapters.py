"""A round cut into its turns: whose turn it was, and all that happened in it.

Events tell what happened, not whose turn it is.  A turn shows by its throw, or by being missed; what its player did
before the throw stands in front of it.  A game that is won before a throw ends with deeds alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.ruleset import Event, Seat
from rulesets.finans.events import (
    GameEnded,
    GroupCompleted,
    MeetingCalled,
    MeetingDecided,
    RoundBegan,
    Skipped,
    Threw,
    TipReturned,
    TurnMissed,
)
from rulesets.finans.payments import (
    Bought,
    Built,
    FeePaid,
    LoanRepaid,
    LoanTaken,
    Mortgaged,
    Redeemed,
    SoldBack,
    TakenOver,
)

Chapter = tuple[Seat, Sequence[Event]]


def chapters(events: Sequence[Event]) -> list[Chapter]:
    """Each turn of a round with its player, in the order in which they were played."""
    told = [event for event in events if not isinstance(event, RoundBegan | GameEnded)]
    found: list[Chapter] = []
    while told:
        begins, seat = _last_turn(told)
        found.insert(0, (seat, told[begins:]))
        told = told[:begins]
    return found


def _last_turn(told: Sequence[Event]) -> tuple[int, Seat]:
    """Where the last turn of these begins, and whose it is."""
    throws = [at for at, event in enumerate(told) if isinstance(event, Threw | TurnMissed)]
    throw = throws[-1] if throws else -1
    thrower = _doer(told[throw]) if throws else None
    last = _doer(told[-1])
    begins = _first_deed(told, len(told), last)
    if last is not None and last != thrower and throw < begins < len(told):
        return begins, last
    assert thrower is not None, "a turn without a throw and without a deed"
    return _first_deed(told, throw, thrower), thrower


def _first_deed(told: Sequence[Event], end: int, seat: Seat | None) -> int:
    """Where the deeds begin that a player did in a row up to `end`.

    None of them begins with a completed group: whatever completed it stands before, and is part of the same turn.
    """
    begins = end
    while begins and _doer(told[begins - 1]) == seat:
        begins -= 1
    while begins < end and isinstance(told[begins], GroupCompleted):
        begins += 1
    return begins


def _doer(event: Event) -> Seat | None:
    """Who throws, or does what can be done before a throw; None for all that squares and cards bring."""
    match event:
        case Bought() | Built() | Redeemed() | LoanRepaid() | TakenOver() | FeePaid():
            return event.payer
        case SoldBack() | Mortgaged() | LoanTaken():
            return event.payee
        case MeetingCalled() | MeetingDecided() | GroupCompleted() | Skipped() | TipReturned(card="permit"):
            return event.seat
        case Threw() | TurnMissed():
            return event.seat
    return None
