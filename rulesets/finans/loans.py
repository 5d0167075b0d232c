"""Bank loans: 50,000 each, three a player, six in all; interest on 1, one back on 43 (rulebook, "Bank Loans")."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Money, Text
from rulesets.finans.box import MONEY, REPAY_LOAN
from rulesets.finans.orders import Loan, Repay
from rulesets.finans.payments import InterestPaid, LoanRepaid, LoanTaken
from rulesets.finans.table import Table


def available_loans(table: Table, seat: Seat) -> int:
    """How many loans a player could take now, wherever the piece stands but on 43; in his turn or to pay a debt."""
    return 0 if why_no_loan(table, seat) else min(loans_allowed(table, seat), table.state.loans_left())


def loans_allowed(table: Table, seat: Seat) -> int:
    """How many more a player may have."""
    return MONEY.loans_per_player - table.sheet(seat).loans


def why_no_loan(table: Table, seat: Seat) -> Text | None:
    """What keeps a player from taking a loan; None if nothing does."""
    if table.sheet(seat).square == REPAY_LOAN:
        return Text.of("There is no loan on square {number}.", number=REPAY_LOAN)
    if table.rule("no_new_loans", False):
        return Text.of("Credit is tight: there are no new loans.")
    if not loans_allowed(table, seat):
        return Text.of("Nobody has more than {count} loans.", count=MONEY.loans_per_player)
    if not table.state.loans_left():
        return Text.of("All {count} loans of the Bank are given.", count=MONEY.loans_total)
    return None


def take_loan(table: Table, seat: Seat) -> LoanTaken:
    table.sheet(seat).loans += 1
    return table.paid(LoanTaken(payer=None, payee=seat, amount=MONEY.loan))


def repay_loan(table: Table, seat: Seat) -> LoanRepaid:
    """Without interest, unless it is square 43 (A13)."""
    table.sheet(seat).loans -= 1
    return table.paid(LoanRepaid(payer=seat, payee=None, amount=MONEY.loan))


def take_loans(table: Table, seat: Seat, line: Loan) -> Iterator[Event]:
    for _ in range(line.count):
        why = why_no_loan(table, seat)
        if why is not None:
            yield from table.skip(seat, line, why)
            return
        yield take_loan(table, seat)


def repay_loans(table: Table, seat: Seat, line: Repay) -> Iterator[Event]:
    sheet = table.sheet(seat)
    for _ in range(line.count):
        if not sheet.loans:
            yield from table.skip(seat, line, Text.of("There is no loan to repay."), here=False)
            return
        if sheet.cash < MONEY.loan:
            yield from table.skip(seat, line, Text.of("There are only {cash} in cash.", cash=Money(sheet.cash)))
            return
        yield repay_loan(table, seat)


def interest(table: Table, seat: Seat) -> int:
    """What is due on square 1 (A12)."""
    each: int = table.rule("interest_per_loan", MONEY.loan_interest)
    return each * table.sheet(seat).loans


def interest_for(seat: Seat, amount: int) -> InterestPaid:
    return InterestPaid(payer=seat, payee=None, amount=amount)
