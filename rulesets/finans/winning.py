"""Who wins: a million in cash and two complete groups, the last who is not bankrupt, or the richest when time is up.

The million is looked at for every player after each list of deeds (A16).  Open loans do not count against it unless the
table has chosen so (A15).  Points are 1 for the winner; in a timed game they are wealth (A27).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.ruleset import Event, Seat
from rulesets.finans.balance import wealth
from rulesets.finans.box import CAR, MONEY, PAPERS, PROPERTIES, SHARES
from rulesets.finans.events import GameEnded
from rulesets.finans.groups import group_of, groups_of
from rulesets.finans.loans import available_loans, take_loan
from rulesets.finans.mortgage import cost_value, mortgage, mortgage_value, repurchase_value, sell_back
from rulesets.finans.policies import WinWhenPossible
from rulesets.finans.state import Ending, FinansState
from rulesets.finans.table import Table


def winning_cash(state: FinansState, seat: Seat) -> int:
    """The cash that a player can show."""
    sheet = state.players[seat]
    return sheet.cash - MONEY.loan * sheet.loans * state.options.loans_count_against_win


def check_victory(table: Table) -> Iterator[Event]:
    """Whoever qualifies has won; of several the one whose turn it is, then the next in turn order."""
    state, options = table.state, table.state.options
    if state.over:
        return
    for seat in state.next_from(table.active):
        if winning_cash(state, seat) >= options.win_cash and len(groups_of(state, seat)) >= options.win_groups:
            yield from _end(state, "million", [seat])
            return


def end_with_last_player(table: Table) -> Iterator[Event]:
    """All others are bankrupt."""
    yield from _end(table.state, "last player", table.state.alive)


def end_by_time(state: FinansState) -> Iterator[Event]:
    """The richest; of equal ones the one with more cash, else they share."""

    def riches(seat: Seat) -> tuple[int, int]:
        return wealth(state, seat), state.players[seat].cash

    best = max(map(riches, state.alive))
    yield from _end(state, "time", [seat for seat in state.alive if riches(seat) == best])


def _end(state: FinansState, reason: str, winners: Sequence[Seat]) -> Iterator[Event]:
    riches = {seat: wealth(state, seat) for seat in state.players}
    timed = state.options.turns_each > 0
    points = riches if timed else {seat: int(seat in winners) for seat in state.players}
    state.ending = Ending.model_validate({"reason": reason, "winners": list(winners), "points": points})
    yield GameEnded.model_validate(
        {
            "reason": reason,
            "winners": tuple(winners),
            "wealth": riches,
            "cash": state.players[winners[0]].cash,
        }
    )


def standings(state: FinansState) -> list[tuple[Seat, int]]:
    """The points, highest first; of equal ones winners before others, then seat order."""
    if state.ending is None:
        return [(seat, 0) for seat in state.players]
    winners, points = state.ending.winners, state.ending.points
    return sorted(points.items(), key=lambda entry: (-entry[1], entry[0] not in winners))


def reach_for_victory(table: Table, seat: Seat) -> Iterator[Event]:
    """With “win when possible”: sell and mortgage up to the million, if enough complete groups are left (A16).

    What is outside the groups that are kept is sold, the cheapest first; then those are mortgaged; loans come last.
    """
    state, options = table.state, table.state.options
    missing = options.win_cash - winning_cash(state, seat)
    if state.over or missing <= 0 or not table.lines(seat, WinWhenPossible):
        return
    owned = groups_of(state, seat)
    if len(owned) < options.win_groups:
        return
    kept = {paper for group in _least_to_gain(state, owned)[: options.win_groups] for paper in PAPERS[group]}
    loans = 0 if options.loans_count_against_win else available_loans(table, seat)
    sales = [
        *(thing for thing in (*state.unmortgaged(seat), *state.shares_of(seat)) if thing not in kept),
        *([CAR] if table.sheet(seat).car else []),
    ]
    mortgages = [key for key in state.unmortgaged(seat) if key in kept]
    reach = MONEY.loan * loans + sum(repurchase_value(state, thing) for thing in sales)
    if reach + sum(mortgage_value(state, key) for key in mortgages) < missing:
        return
    for thing in sorted(sales, key=lambda thing: repurchase_value(state, thing)):
        if winning_cash(state, seat) < options.win_cash:
            yield sell_back(table, seat, thing)
    for key in sorted(mortgages, key=lambda key: cost_value(state, key)):
        if winning_cash(state, seat) < options.win_cash:
            yield mortgage(table, seat, key)
    for _ in range(loans):
        if winning_cash(state, seat) < options.win_cash:
            yield take_loan(table, seat)


def _least_to_gain(state: FinansState, groups: Sequence[str]) -> list[str]:
    """Those groups first whose sale would bring least beyond what their mortgages bring: they are kept."""

    def gain(group: str) -> int:
        lots = [key for key in PAPERS[group] if key in PROPERTIES and not state.properties[key].mortgaged]
        shares = sum(share.repurchase for share in SHARES.values() if group_of(share.key) == group)
        return shares + sum(repurchase_value(state, key) - mortgage_value(state, key) for key in lots)

    return sorted(groups, key=gain)
