"""Two honest opponents, by their place at the table: every second one is careful, the others are bold.

The careful one prefers shares, keeps cash, and calls a board meeting with a high fee.  The bold one prefers properties,
builds, drives a car, borrows, and takes a chance.  Both go for groups in which they have most, and take a million when
they can.  They see what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat
from rulesets.finans.box import BOX, BUILDERS, CAR, GROUPS, HEAD_OFFICE, PROPERTIES, SHARES
from rulesets.finans.buying import may_buy_here, price
from rulesets.finans.groups import papers_of
from rulesets.finans.orders import Build, Buy, Loan, Meeting, Redeem, Repay
from rulesets.finans.policies import Bonds, Offer, Raid, WinWhenPossible
from rulesets.finans.state import FinansView


@dataclass(frozen=True)
class Temper:
    """What a bot keeps in hand, which papers come first, what it pays for a meeting, and how many loans it takes."""

    keep: int
    shares_first: bool
    fee: int
    loans: int
    car: bool


CAREFUL = Temper(keep=30_000, shares_first=True, fee=110_000, loans=0, car=False)
BOLD = Temper(keep=10_000, shares_first=False, fee=80_000, loans=2, car=True)


def bot(view: FinansView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    """What it does on its square, and the few lines that stand; always legal."""
    if ask.forced is not None:
        return ask.forced
    temper = (CAREFUL, BOLD)[list(view.players).index(seat) % 2]
    return [*policies(view, seat, temper, dice), *deeds(view, seat, temper)]


def policies(view: FinansView, seat: Seat, temper: Temper, dice: Dice) -> Iterator[Order]:
    wanted = wishes(view, seat, temper)
    yield WinWhenPossible()
    yield Bonds(numbers=(dice.roll(BOX.sweepstakes.bonds),), keep=temper.keep)
    if wanted:
        yield Offer(things=tuple(wanted[:6]), keep=temper.keep)
    theirs = [paper for group in favourites(view, seat) for paper in papers_of(group) if _is_theirs(view, seat, paper)]
    if theirs:
        yield Raid(things=tuple(dict.fromkeys(map(_name, theirs)))[:6], keep=temper.keep)


def deeds(view: FinansView, seat: Seat, temper: Temper) -> Iterator[Order]:
    sheet, round_is_early = view.players[seat], view.round <= 20
    cash = sheet.cash
    if round_is_early and sheet.loans < temper.loans and may_buy_here(sheet.square) and cash < 60_000:
        yield Loan()
    if sheet.loans and cash > 250_000:
        yield Repay()
    if sheet.square in HEAD_OFFICE:
        yield from meetings(view, seat, temper)
    if sheet.square in BUILDERS:
        bare = [
            key
            for key, lot in view.properties.items()
            if lot.owner == seat and not lot.built and not lot.mortgaged and PROPERTIES[key].building < cash
        ]
        if bare:
            yield Build(properties=tuple(bare[::-1]), keep=temper.keep)
    mortgaged = [key for key, lot in view.properties.items() if lot.owner == seat and lot.mortgaged]
    if mortgaged and cash > 100_000:
        yield Redeem(properties=tuple(mortgaged), keep=50_000)
    wanted = wishes(view, seat, temper)
    if may_buy_here(sheet.square) and wanted:
        yield Buy(things=tuple(wanted), keep=temper.keep)
    if temper.car and not sheet.car and cash > 120_000:
        yield Buy(things=(CAR,), keep=temper.keep)


def favourites(view: FinansView, seat: Seat) -> list[str]:
    """The groups not yet complete, those first of which the seat holds most and opponents least."""

    def rank(group: str) -> tuple[int, int]:
        owners = [_owner(view, paper) for paper in papers_of(group)]
        mine, theirs = owners.count(seat), sum(owner not in (None, seat) for owner in owners)
        return theirs - 2 * mine, sum(price(paper) for paper in papers_of(group))

    return sorted((group for group in GROUPS if view.groups.get(group) != seat), key=rank)


def wishes(view: FinansView, seat: Seat, temper: Temper) -> list[str]:
    """What the Bank still has of them, in the bot's order; each sort of shares once."""
    papers = [paper for group in favourites(view, seat) for paper in papers_of(group)]
    free = [paper for paper in papers if _owner(view, paper) is None]
    free.sort(key=lambda paper: (paper in SHARES) != temper.shares_first)
    return list(dict.fromkeys(map(_name, free)))


def meetings(view: FinansView, seat: Seat, temper: Temper) -> Iterator[Meeting]:
    """The first favourite in which it has something, the Bank nothing, and which it can pay for."""
    cash = view.players[seat].cash
    for group in favourites(view, seat):
        owners = {paper: _owner(view, paper) for paper in papers_of(group)}
        if seat not in owners.values() or None in owners.values():
            continue
        value = sum(_cost(view, paper) for paper, owner in owners.items() if owner != seat)
        fee = BOX.board_meeting.fee_max if cash - value > 3 * BOX.board_meeting.fee_max else temper.fee
        if cash >= value + fee:
            yield Meeting(group=group, fee=fee, most=value)
            return


def _owner(view: FinansView, paper: str) -> Seat | None:
    return view.shares[paper] if paper in SHARES else view.properties[paper].owner


def _is_theirs(view: FinansView, seat: Seat, paper: str) -> bool:
    return _owner(view, paper) not in (None, seat)


def _cost(view: FinansView, paper: str) -> int:
    return price(paper) + (PROPERTIES[paper].building * view.properties[paper].built if paper in PROPERTIES else 0)


def _name(paper: str) -> str:
    """What orders call a paper."""
    return SHARES[paper].sort if paper in SHARES else paper
