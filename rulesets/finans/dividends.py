"""Share dividends: from the Bank on one's own shares, and between players on square 41 (rulebook, "Share Dividends").

Whoever must pay gives each opponent 20 per cent of that opponent's share capital in those groups in which he himself
has a property.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import GROUPS, MONEY, SHARES
from rulesets.finans.debts import settle
from rulesets.finans.events import NothingHappens
from rulesets.finans.groups import group_of
from rulesets.finans.payments import BankDividends, PlayerDividends
from rulesets.finans.state import FinansState
from rulesets.finans.table import Table


def bank_dividend(state: FinansState, seat: Seat, groups: Iterable[str]) -> int:
    """What the Bank owes a player on his shares of these groups."""
    wanted = set(groups)
    return sum(SHARES[key].dividend for key in state.shares_of(seat) if SHARES[key].group in wanted)


def best_group(state: FinansState, seat: Seat) -> str:
    """The group whose shares pay this player most; of equal ones the first."""
    return max(GROUPS, key=lambda group: bank_dividend(state, seat, [group]))


def receive_dividends(table: Table, seat: Seat, groups: Iterable[str]) -> Iterator[Event]:
    wanted = tuple(groups)
    amount = bank_dividend(table.state, seat, wanted)
    if amount:
        yield table.paid(BankDividends(payer=None, payee=seat, amount=amount, groups=wanted))
    elif seat == table.active:
        yield NothingHappens(seat=seat, why=Text.of("no shares, no dividends."))


def capital(state: FinansState, holder: Seat, groups: Iterable[str]) -> int:
    """The nominal value of a player's shares in these groups."""
    wanted = set(groups)
    return sum(SHARES[key].nominal for key in state.shares_of(holder) if SHARES[key].group in wanted)


def pay_dividends(table: Table, seat: Seat) -> Iterator[Event]:
    """Square 41, or the tip that says so."""
    state = table.state
    percent: int = table.rule("player_dividend_percent", MONEY.player_dividend_percent)
    groups = {group_of(key) for key in state.lots_of(seat)}
    due = [
        PlayerDividends(payer=seat, payee=other, amount=owed * percent // 100, capital=owed, percent=percent)
        for other in table.opponents(seat)
        if (owed := capital(state, other, groups))
    ]
    if due:
        yield from settle(table, seat, due)
    else:
        yield NothingHappens(seat=seat, why=Text.of("there is nobody to pay."))
