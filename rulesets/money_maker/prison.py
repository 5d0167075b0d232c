"""The Debtors' Prison and bankruptcy.

In prison a bank may do everything but bid, and all that it earns pays its debts at once, until they are gone (B17).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.paying import claims_in_use, give_up, pay_up_to
from rulesets.money_maker.run_events import DebtWorkedOff, Freed, WentBankrupt
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import COLOURS, PRISON, SETUP


@dataclass(frozen=True)
class Earned:
    """What became of a sum that the Gold Reserve had to pay: gold, debts of a prisoner, and what it cannot pay yet."""

    gold: int
    against_debt: int
    owed: int
    empties_the_reserve: bool
    events: tuple[Event, ...]


def is_imprisoned(state: TableState, seat: Seat) -> bool:
    return state.banks[seat].rating == PRISON and not state.banks[seat].bankrupt


def earn(state: TableState, seat: Seat, amount: int) -> Earned:
    """Gold from the Reserve; a prisoner does not receive it but deducts it from his pile of credit."""
    bank = state.banks[seat]
    against = min(amount, bank.debt) if is_imprisoned(state, seat) else 0
    bank.board[0] -= against
    events = tuple(leave(state, seat)) if against else ()
    due = amount - against
    gold = min(due, state.reserve)
    state.reserve -= gold
    bank.gold += gold
    return Earned(gold, against, due - gold, due > 0 and state.reserve == 0, events)


def work_off(state: TableState, seat: Seat) -> Iterator[Event]:
    """Whatever gold and other banks' credit has reached a prisoner pays his debts at once."""
    if not is_imprisoned(state, seat):
        return
    bank = state.banks[seat]
    usable = {
        issuer: count
        for issuer, count in claims_in_use(state, seat).items()
        if state.run is None or issuer in state.run.solvent
    }
    paid = pay_up_to(state, seat, bank.debt, usable)
    if paid.total:
        bank.board[0] -= paid.total
        yield DebtWorkedOff(seat=seat, gold=paid.gold, claims=paid.claims, placed=paid.placed, left=bank.debt)
    yield from leave(state, seat)


def leave(state: TableState, seat: Seat) -> Iterator[Event]:
    """Out of prison and back to ring I as soon as the debt is gone; that is no promotion."""
    called = state.run.due.get(seat, 0) if state.run is not None else 0
    if is_imprisoned(state, seat) and state.banks[seat].debt + called == 0:
        state.banks[seat].rating = SETUP.ring
        yield Freed(seat=seat)


def go_bankrupt(state: TableState, seat: Seat) -> Iterator[Event]:
    """The game is over for a bank: goods, credit and cards are removed (rulebook, "Bankruptcy").

    Other banks' credit that it could have used lies on their rings already.  Its own credit in other vaults stays there
    and is worth nothing.
    """
    bank = state.banks[seat]
    used = claims_in_use(state, seat)
    placed = give_up(state, seat, 0, used)
    state.removed["cards"] += bank.cards
    state.removed["actions"] += bank.actions
    for colour in COLOURS:
        state.removed_goods[colour] += bank.goods[colour]
    yield WentBankrupt(seat=seat, cards=tuple(bank.cards), goods=dict(bank.goods), placed=tuple(placed))
    state.reserve += bank.gold
    bank.gold = 0
    bank.cards, bank.actions = [], []
    bank.goods = dict.fromkeys(COLOURS, 0)
    bank.board = [0] * len(bank.board)
    bank.bankrupt = True
