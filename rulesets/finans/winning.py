"""Who wins: a million in cash and two complete groups, the last who is not bankrupt, or the richest when time is up.

The million is looked at for every player after each list of deeds (A16).  Open loans do not count against it unless the
table has chosen so (A15).  Points are 1 for the winner; in a timed game they are wealth (A27).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import CAR, MONEY, PROPERTIES, SHARES
from rulesets.finans.events import GameEnded
from rulesets.finans.groups import group_of, groups_of, papers_of
from rulesets.finans.loans import available_loans, take_loan
from rulesets.finans.mortgage import cost_value, mortgage, mortgage_value, redemption, repurchase_value, sell_back
from rulesets.finans.policies import WinWhenPossible
from rulesets.finans.state import Ending, FinansState
from rulesets.finans.table import Table


def winning_cash(state: FinansState, seat: Seat) -> int:
    """The cash that a player can show."""
    sheet = state.players[seat]
    return sheet.cash - MONEY.loan * sheet.loans * state.options.loans_count_against_win


def wealth(state: FinansState, seat: Seat) -> int:
    """Cash, what the Bank would pay for everything less what redemption would cost, less loans; bonds count nothing."""
    sheet = state.players[seat]
    total = sheet.cash + MONEY.car_resale * sheet.car - MONEY.loan * sheet.loans
    for key in state.lots_of(seat):
        owed = redemption(state, key) if state.properties[key].mortgaged else 0
        total += max(0, repurchase_value(state, key) - owed)
    return total + sum(SHARES[key].repurchase for key in state.shares_of(seat))


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


def figures(state: FinansState) -> list[tuple[Text, list[int]]]:
    """What simulations count: how long it lasts, what it asks of people, and how it ends."""
    tally, ending = state.tally, state.ending
    if ending is None:
        return []
    riches = sorted(wealth(state, seat) for seat in state.players)
    endings = {
        "million": Text.of("Games won by cash and groups"),
        "last player": Text.of("Games won by the last player"),
        "time": Text.of("Games ended by time"),
    }
    return [
        (Text.of("Rounds in a game"), [len(state.wealth)]),
        (Text.of("Rounds that wait for somebody"), [tally.waits]),
        (Text.of("Posts of a player, one for each visit where something can be done"), list(tally.posts.values())),
        (Text.of("Bankruptcies in a game"), [sum(sheet.bankrupt for sheet in state.players.values())]),
        (Text.of("Meetings called in a game"), [tally.meetings]),
        (Text.of("Meetings won in a game"), [tally.take_overs]),
        (Text.of("The winner's cash, in thousands"), [state.players[seat].cash // 1000 for seat in ending.winners]),
        (Text.of("From the richest to the poorest, in thousands"), [(riches[-1] - riches[0]) // 1000]),
        *((words, [int(ending.reason == reason)]) for reason, words in endings.items()),
    ]


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
    kept = {paper for group in _dearest_to_break(state, owned)[: options.win_groups] for paper in papers_of(group)}
    loans = 0 if options.loans_count_against_win else available_loans(table, seat)
    sales = [
        *(thing for thing in _salable(state, seat) if thing not in kept),
        *([CAR] if table.sheet(seat).car else []),
    ]
    mortgages = [key for key in state.lots_of(seat) if key in kept and not state.properties[key].mortgaged]
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


def _salable(state: FinansState, seat: Seat) -> list[str]:
    lots = [key for key in state.lots_of(seat) if not state.properties[key].mortgaged]
    return [*lots, *state.shares_of(seat)]


def _dearest_to_break(state: FinansState, groups: Sequence[str]) -> list[str]:
    """The groups whose papers would bring least beyond their mortgages, first: these are kept."""

    def gain(group: str) -> int:
        lots = [key for key in papers_of(group) if key in PROPERTIES and not state.properties[key].mortgaged]
        shares = sum(share.repurchase for share in SHARES.values() if group_of(share.key) == group)
        return shares + sum(repurchase_value(state, key) - mortgage_value(state, key) for key in lots)

    return sorted(groups, key=gain)
