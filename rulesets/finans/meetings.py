"""Board meetings: taking a whole group over from its other owners (rulebook, "Board Meetings"; A2 to A5).

Put up are the cost values of all that opponents own in the group, mortgaged or not, and a fee; two dice that do not
exceed the fee in ten thousands decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.core.ruleset import Event, Seat
from judge.core.text import Money, Text
from rulesets.finans.box import BOX, HEAD_OFFICE, PAPERS
from rulesets.finans.completing import completed
from rulesets.finans.events import MeetingCalled, MeetingDecided
from rulesets.finans.mortgage import cost_value
from rulesets.finans.names import title
from rulesets.finans.orders import Meeting
from rulesets.finans.payments import FeePaid, TakenOver
from rulesets.finans.state import FinansState
from rulesets.finans.table import Table

_RULE = BOX.board_meeting


def bought_out(state: FinansState, seat: Seat, group: str) -> Mapping[str, Seat]:
    """The opponents' papers in a group, and whose they are."""
    owners = {paper: state.owner(paper) for paper in PAPERS[group]}
    return {paper: owner for paper, owner in owners.items() if owner is not None and owner != seat}


def value_of(state: FinansState, seat: Seat, group: str) -> int:
    """What has to be put up for the opponents' papers, buildings included."""
    return sum(cost_value(state, paper) for paper in bought_out(state, seat, group))


def why_not(table: Table, seat: Seat, line: Meeting) -> tuple[Text | None, bool]:
    """What keeps a player from calling this meeting now, and whether it is something else than the place."""
    state, sheet, group = table.state, table.sheet(seat), line.group
    limit, value = state.options.meetings_per_turn, value_of(state, seat, group)
    if sheet.square not in HEAD_OFFICE:
        return Text.of("Square {number} is not in the head office of the Bank.", number=sheet.square), False
    if limit and table.used.get("meeting", 0) >= limit:
        return Text.n("{count} meeting a turn.", "{count} meetings a turn.", limit), True
    if seat not in map(state.owner, PAPERS[group]):
        return Text.of("Without a paper of {group} nobody calls its meeting.", group=title(group)), True
    if not value:
        return Text.of("There is nobody to buy out of {group}.", group=title(group)), False
    if state.options.all_assets_with_players and None in map(state.owner, PAPERS[group]):
        return Text.of("The Bank still holds a part of {group}.", group=title(group)), True
    if line.most is not None and value > line.most:
        return Text.of("The papers cost {value}.", value=Money(value)), True
    if sheet.cash < value + line.fee:
        short = Text.of(
            "{value} and the fee of {fee} have to be put up, and there are {cash}.",
            value=Money(value),
            fee=Money(line.fee),
            cash=Money(sheet.cash),
        )
        return short, True
    return None, True


def call_meeting(table: Table, seat: Seat, line: Meeting) -> Iterator[Event]:
    why, here = why_not(table, seat, line)
    if why is not None:
        yield from table.skip(seat, line, why, here=here)
        return
    table.use("meeting")
    state, group = table.state, line.group
    state.tally.meetings += 1
    yield MeetingCalled(seat=seat, group=group, value=value_of(state, seat, group), fee=line.fee)
    limit = line.fee // _RULE.fee_step
    dice = None if line.fee == _RULE.fee_max else table.roll_two()
    won = dice is None or sum(dice) <= limit
    yield MeetingDecided(seat=seat, group=group, dice=dice, limit=limit, won=won)
    if won:
        state.tally.take_overs += 1
        yield from take_over(table, seat, group, line.fee)
    else:
        yield table.paid(FeePaid(payer=seat, payee=None, amount=line.fee, group=group))


def take_over(table: Table, seat: Seat, group: str, fee: int) -> Iterator[Event]:
    """Every paper at its cost value; of the fee 30,000 to the Bank, the rest in equal parts to those bought out."""
    papers = bought_out(table.state, seat, group)
    for paper, owner in papers.items():
        price = cost_value(table.state, paper)
        table.state.hand(paper, seat)
        yield table.paid(TakenOver(payer=seat, payee=owner, amount=price, thing=paper))
    owners = [other for other in table.opponents(seat) if other in papers.values()]
    part = max(0, fee - _RULE.fee_to_bank) // len(owners) // _RULE.rounding * _RULE.rounding
    yield table.paid(FeePaid(payer=seat, payee=None, amount=fee - part * len(owners), group=group))
    for owner in owners if part else ():
        yield table.paid(FeePaid(payer=seat, payee=owner, amount=part, group=group))
    yield from completed(table)
