"""Bankruptcy: creditors get their parts of the cash, everything else goes back to the Bank (rulebook; A24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.ruleset import Event, Seat
from rulesets.finans.box import MONEY
from rulesets.finans.events import BondReturned, TipReturned, WentBankrupt
from rulesets.finans.payments import LeftToBank, PaidInPart, Payment
from rulesets.finans.state import Lot
from rulesets.finans.table import Table
from rulesets.finans.winning import end_with_last_player


def go_bankrupt(table: Table, seat: Seat, due: Sequence[Payment]) -> Iterator[Event]:
    """All cash to the creditors in proportion, each part rounded down to the smallest bill, the rest to the Bank."""
    sheet = table.sheet(seat)
    cash, total = sheet.cash, sum(payment.amount for payment in due)
    smallest = MONEY.denominations[0]
    for payment in due:
        part = cash * payment.amount // total // smallest * smallest
        yield table.paid(PaidInPart(payer=seat, payee=payment.payee, amount=part, due=payment.amount))
    if sheet.cash:
        yield table.paid(LeftToBank(payer=seat, payee=None, amount=sheet.cash))
    yield from return_papers(table, seat)
    yield WentBankrupt(seat=seat)
    if len(table.state.alive) == 1:
        yield from end_with_last_player(table)


def return_papers(table: Table, seat: Seat) -> Iterator[Event]:
    """Properties with their buildings, shares, bonds, car, loans and cards; loans are free for others again (A14)."""
    state, sheet = table.state, table.sheet(seat)
    for key in state.lots_of(seat):
        state.properties[key] = Lot()
    for key in state.shares_of(seat):
        state.shares[key] = None
    for number in sheet.bonds:
        yield BondReturned(seat=seat, number=number)
    for card in sheet.tips:
        state.tips.append(card)
        yield TipReturned(seat=seat, card=card, why="bankrupt")
    sheet.bonds, sheet.tips, sheet.car, sheet.loans, sheet.missing = [], [], False, 0, 0
    sheet.permit_turns, sheet.programme, sheet.bankrupt = 0, False, True
