"""The throw, the way, and what the square brings (rulebook, "Movement", "Bank Entrance Square", "Bank Exit Square").

One die, two with a car, one inside the Bank (34 to 46).  Everybody stops on 34 and on 1; pips left over are lost (A7,
A8).
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from rulesets.finans.bonds import land_on_bonds, land_on_small_draw
from rulesets.finans.box import BANK_ENTRANCE, BANK_EXIT, GROUPS, LAST_SQUARE, MONEY, SQUARES
from rulesets.finans.debts import settle
from rulesets.finans.dividends import pay_dividends, receive_dividends
from rulesets.finans.events import InterestWaived, Threw
from rulesets.finans.jail import enter_jail, land_on_go_to_jail
from rulesets.finans.loans import interest, interest_for
from rulesets.finans.news import draw_news
from rulesets.finans.payments import BonusPaid, LoanRepaid
from rulesets.finans.rent import pay_rent
from rulesets.finans.table import Table
from rulesets.finans.tips import draw_tip

WAIVER = "waiver"


def throw_and_move(table: Table, seat: Seat) -> Iterator[Event]:
    """The throw, the move, and all that the landing brings."""
    sheet = table.sheet(seat)
    with_car = sheet.car and not inside_bank(sheet.square) and table.rule("car_dice", 2) == 2
    dice = table.roll_two() if with_car else (table.roll(),)
    origin, sheet.square = sheet.square, target(sheet.square, sum(dice))
    yield Threw(seat=seat, dice=dice, origin=origin, square=sheet.square)
    yield from land(table, seat)


def inside_bank(square: int) -> bool:
    return BANK_ENTRANCE <= square <= LAST_SQUARE


def target(square: int, pips: int) -> int:
    """Where a move ends: at the latest on 34, or inside the Bank on 1."""
    if inside_bank(square):
        return square + pips if square + pips <= LAST_SQUARE else BANK_EXIT
    return min(square + pips, BANK_ENTRANCE)


def land(table: Table, seat: Seat) -> Iterator[Event]:
    """What the square says."""
    square = SQUARES[table.sheet(seat).square]
    match square.kind:
        case "property":
            assert square.property is not None
            yield from pay_rent(table, seat, square.property)
        case "bank_exit":
            yield from leave_bank(table, seat)
        case "bank_entrance":
            yield bonus(table, seat)
        case "market_tip":
            yield from draw_tip(table, seat, land)
        case "financial_news":
            yield from draw_news(table, seat)
        case "share_dividends":
            yield from receive_dividends(table, seat, GROUPS)
        case "pay_dividends":
            yield from pay_dividends(table, seat)
        case "repay_loan":
            yield from pay_loan_back(table, seat)
        case "bonds_small_draw":
            yield from land_on_small_draw(table, seat)
        case "bonds":
            yield from land_on_bonds(table, seat)
        case "jail":
            yield from enter_jail(table, seat)
        case "go_to_jail":
            yield from land_on_go_to_jail(table, seat)
        case "branch" | "construction" | "banking_hall":
            pass


def bonus(table: Table, seat: Seat) -> BonusPaid:
    """5,000 a pip of both dice; doubled in good times, the lower die alone in bad ones."""
    dice = table.roll_two()
    economy = table.rule("state", None)
    pips = min(dice) if economy == "bad" else sum(dice) * (2 if economy == "good" else 1)
    amount = MONEY.bonus_per_pip * pips
    return table.paid(BonusPaid(payer=None, payee=seat, amount=amount, dice=dice, economy=economy))


def leave_bank(table: Table, seat: Seat) -> Iterator[Event]:
    """Square 1: interest on all loans first, then a tip (A12).  Jail is behind."""
    sheet = table.sheet(seat)
    sheet.from_jail = False
    amount = interest(table, seat)
    if amount and WAIVER in sheet.tips:
        yield InterestWaived(seat=seat, amount=amount)
        yield table.return_tip(seat, WAIVER)
    elif amount:
        yield from settle(table, seat, [interest_for(seat, amount)])
    if not sheet.bankrupt:
        yield from draw_tip(table, seat, land)


def pay_loan_back(table: Table, seat: Seat) -> Iterator[Event]:
    """Square 43: one loan, if there is any, with its interest; no new loan can help here."""
    sheet = table.sheet(seat)
    if not sheet.loans:
        return
    due = [LoanRepaid(payer=seat, payee=None, amount=MONEY.loan), interest_for(seat, MONEY.loan_interest)]
    yield from settle(table, seat, due)
    if not sheet.bankrupt:
        sheet.loans -= 1
