"""Liabilities: what is due is paid, and cash that does not cover it is raised first (rulebook, "Bankruptcy"; A11).

The owner's standing order says what goes first.  Without one: loans, mortgages and shares outside complete groups from
the cheapest on, the car, then mortgages and shares inside complete groups.  If all of that falls short, properties are
sold instead of mortgaged, before anybody is bankrupt.  It works in a player's turn and out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.core.ruleset import Event, Seat
from rulesets.finans.bankruptcy import go_bankrupt
from rulesets.finans.box import CAR, MONEY, SHARES
from rulesets.finans.groups import is_immune
from rulesets.finans.loans import available_loans, take_loan
from rulesets.finans.mortgage import cost_value, mortgage, mortgage_value, repurchase_value, sell_back
from rulesets.finans.payments import Payment
from rulesets.finans.policies import Raise
from rulesets.finans.table import Table


def settle(table: Table, seat: Seat, payments: Sequence[Payment]) -> Iterator[Event]:
    """Pays all that is due at once, or all that there is, and bankruptcy."""
    due = [payment for payment in payments if payment.amount > 0]
    total = sum(payment.amount for payment in due)
    yield from raise_cash(table, seat, total)
    if table.sheet(seat).cash >= total:
        for payment in due:
            yield table.paid(payment)
    else:
        yield from go_bankrupt(table, seat, due)


@dataclass(frozen=True)
class Step:
    """One way to more cash, and what it brings."""

    means: str
    thing: str
    brings: int


def raise_cash(table: Table, seat: Seat, due: int) -> Iterator[Event]:
    """Step after step until the cash covers what is due or nothing is left to raise."""
    sheet = table.sheet(seat)
    if sheet.cash >= due:
        return
    for step in enough(table, seat, steps(table, seat), due - sheet.cash):
        if sheet.cash >= due:
            return
        match step.means:
            case "loans":
                yield take_loan(table, seat)
            case "mortgages":
                yield mortgage(table, seat, step.thing)
            case _:
                yield sell_back(table, seat, step.thing)


def steps(table: Table, seat: Seat) -> list[Step]:
    """Everything that can be raised, in the order of the owner's standing order and then in the usual one."""
    state, sheet = table.state, table.sheet(seat)
    lots = sorted(state.unmortgaged(seat), key=lambda key: cost_value(state, key))
    shares = sorted(state.shares_of(seat), key=lambda key: SHARES[key].nominal)
    immune = {thing for thing in (*lots, *shares) if is_immune(state, thing)}
    mortgages = [Step("mortgages", key, mortgage_value(state, key)) for key in lots]
    sales = [Step("shares", key, SHARES[key].repurchase) for key in shares]
    ways = {
        "loans": [Step("loans", "", MONEY.loan)] * available_loans(table, seat),
        "mortgages": [step for step in mortgages if step.thing not in immune],
        "shares": [step for step in sales if step.thing not in immune],
        "car": [Step("car", CAR, MONEY.car_resale)] if sheet.car else [],
        "properties": [Step("properties", key, repurchase_value(state, key)) for key in lots if key not in immune],
        "mortgages in groups": [step for step in mortgages if step.thing in immune],
        "shares in groups": [step for step in sales if step.thing in immune],
    }
    wish = table.lines(seat, Raise)
    wanted = list(dict.fromkeys(wish[-1].means)) if wish else []
    usual = [way for way in ways if way not in (*wanted, "properties")]
    done: set[str] = set()
    found: list[Step] = []
    for way in (*wanted, *usual):
        found += [step for step in ways[way] if step.thing not in done]
        done |= {step.thing for step in ways[way] if step.thing}
    return found


def enough(table: Table, seat: Seat, ways: Sequence[Step], missing: int) -> list[Step]:
    """The steps, with as many properties sold instead of mortgaged, cheapest first, as it takes to reach the sum."""
    found = list(ways)
    mortgages = [step for step in found if step.means == "mortgages"]
    for step in sorted(mortgages, key=lambda step: cost_value(table.state, step.thing)):
        if sum(other.brings for other in found) >= missing:
            break
        sale = replace(step, means="properties", brings=repurchase_value(table.state, step.thing))
        found[found.index(step)] = sale
    return found
