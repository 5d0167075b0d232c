"""What a bank has said, as the judge looks it up while a turn is worked off.

A plan is the newest set of a bank together with its lasting lines, so that passing changes none of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from judge.core.orders import Order, carried_over
from judge.core.ruleset import Seat
from rulesets.money_maker.plays import Keep, Trigger
from rulesets.money_maker.standing import OWN, Pay, PayDebts, Place, as_placed
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import SECTORS, Sector

O = TypeVar("O", bound=Order)  # noqa: E741 - as in the contract of rulesets
T = TypeVar("T", bound=Trigger)


def take_plans(state: TableState, orders: Mapping[Seat, Sequence[Order]]) -> None:
    """The sets of a turn; lasting lines of earlier turns go on where nothing new is said about the same thing."""
    for seat in state.seats:
        kept = [line for line in state.plans.get(seat, ()) if line.standing]
        state.plans[seat] = carried_over(kept, orders.get(seat, ()))  # type: ignore[assignment]  # lines are orders


def take_lasting(state: TableState, orders: Mapping[Seat, Sequence[Order]]) -> None:
    """In the rescue window only lasting lines join a plan: what the frozen turn still has to do stays in it."""
    for seat, said in orders.items():
        new = [line for line in said if line.standing]
        kept = [line for line in state.plans.get(seat, ()) if not any(later.replaces(line) for later in new)]
        state.plans[seat] = [*kept, *new]  # type: ignore[list-item]  # lines are orders


def lines(state: TableState, seat: Seat, kind: type[O]) -> list[O]:
    return [line for line in state.plans.get(seat, ()) if isinstance(line, kind)]


def last(state: TableState, seat: Seat, kind: type[O]) -> O | None:
    """The newest line of a kind; None if there is none."""
    found = lines(state, seat, kind)
    return found[-1] if found else None


def trigger(state: TableState, seat: Seat, kind: type[T]) -> T | None:
    """The line by which a card waits for its moment, if the bank has the card and does not keep it."""
    found: T | None = None
    for line in state.plans.get(seat, ()):
        if isinstance(line, kind):
            found = line
        elif isinstance(line, Keep) and line.action == kind.action.name:
            found = None
    return found if kind.action.name in state.banks[seat].actions else None


def pays_first_with(state: TableState, seat: Seat) -> str:
    line = last(state, seat, Pay)
    return "others" if line is None else line.means


def pays_debts_with(state: TableState, seat: Seat) -> str:
    line = last(state, seat, PayDebts)
    return "others" if line is None else line.means


def chosen_sector(state: TableState, payer: Seat, issuer: Seat, purchase: bool = False) -> Sector | None:
    """Where a payer wants credit placed; None if he leaves it to the default (B14)."""
    if purchase and payer == issuer:
        means = last(state, payer, Pay)
        if means is not None and means.sector is not None:
            return means.sector
    about = OWN if issuer == payer else as_placed(issuer)
    wanted = [line.sector for line in lines(state, payer, Place) if line.bank == about]
    return next((sector for sector in SECTORS if wanted and sector == wanted[-1]), None)
