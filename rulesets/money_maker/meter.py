"""The bankrun-o-meter: one chip at a time moves towards the bank run circle (rulebook, "Casting Dice")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.events import ChipMoved, Why
from rulesets.money_maker.state import Step, TableState
from rulesets.money_maker.tables import Sector


def steps_to_run(state: TableState) -> int:
    return state.meter_length - state.meter


def move_chip(state: TableState, steps: int, why: Why, seat: Seat, faces: Sequence[Sector] = ()) -> Iterator[Event]:
    """On or back, not past its start; a run follows at once when it reaches the circle, and steps left over lapse.

    `faces` are sector dice that a chained run keeps (B10).
    """
    before = state.meter
    state.meter = max(0, min(state.meter_length, before + steps))
    if state.meter != before:
        yield ChipMoved(why=why, before=before, after=state.meter, length=state.meter_length)
    if steps > 0 and state.meter == state.meter_length:
        state.agenda.insert(0, Step(do="run", seat=seat, cause="meter", faces=list(faces)))
