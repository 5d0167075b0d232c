"""The alternative step: pay off all own credit on one housing block instead of steps 2 and 3 (rulebook; B15)."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.events import NotPaidOff, PaidOff
from rulesets.money_maker.orders import PayOff
from rulesets.money_maker.paying import claims_in_use, pay_debt
from rulesets.money_maker.plans import pays_debts_with
from rulesets.money_maker.rating import rise
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import ring_of


def able_to_pay_off(state: TableState, seat: Seat) -> int:
    """Gold and other banks' credit: own credit pays no debts."""
    claims = 0 if pays_debts_with(state, seat) == "gold only" else sum(claims_in_use(state, seat).values())
    return state.banks[seat].gold + claims


def pay_off(state: TableState, seat: Seat, line: PayOff) -> Iterator[Event]:
    """All or nothing; a promotion may follow, with what was paid on this block."""
    bank = state.banks[seat]
    block = ring_of(bank.rating).block_of(line.sector)
    debt = bank.board[block]
    if not 0 < debt <= able_to_pay_off(state, seat):
        yield NotPaidOff(seat=seat, sector=line.sector, debt=debt)
        return
    bank.board[block] = 0
    payment = pay_debt(state, seat, debt, claims_in_use(state, seat))
    yield PaidOff(seat=seat, sectors=ring_of(bank.rating).blocks[block], amount=debt, payment=payment)
    yield from rise(state, seat, debt)
