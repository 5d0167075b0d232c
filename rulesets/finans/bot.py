"""Two honest opponents, by their place at the table: every second one is careful, the others are bold.

The careful one prefers shares, keeps cash, and pays for a board meeting that can hardly fail.  The bold one prefers
properties, borrows, drives a car, and takes a chance.  Both go for the groups in which they hold most, and build; with
enough groups they save for the million, and take it when they can.  They see what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat
from rulesets.finans.box import BOX, BUILDERS, CAR, GROUPS, HEAD_OFFICE, PAPERS, PROPERTIES, SHARES
from rulesets.finans.building import PERMIT
from rulesets.finans.buying import may_buy_here, price
from rulesets.finans.mortgage import cost_value
from rulesets.finans.orders import Build, Buy, Loan, Meeting, Redeem, Repay
from rulesets.finans.policies import Bonds, Offer, Raid, WinWhenPossible
from rulesets.finans.state import FinansView

Owners = Mapping[str, Seat | None]
"""Who owns each property and share; None is the Bank."""

BEST_BONDS = (6, 5, 4, 3, 2, 1, 7, 8, 9, 10, 11, 12)
"""What two dice and the prizes make of the numbers: those up to 6 win by a single die, too."""

PRICES: Mapping[str, int] = {paper: price(paper) for papers in PAPERS.values() for paper in papers}


@dataclass(frozen=True)
class Temper:
    """What a bot keeps in hand, which papers come first, the fees that it pays, and how many loans it takes."""

    keep: int
    shares_first: bool
    fees: tuple[int, ...]
    loans: int
    car_from: int


CAREFUL = Temper(keep=20_000, shares_first=True, fees=(100_000, 110_000, 120_000), loans=0, car_from=400_000)
BOLD = Temper(keep=5_000, shares_first=False, fees=(70_000, 80_000, 90_000), loans=2, car_from=120_000)


def bot(view: FinansView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    """What it does on its square, and the few lines that stand; always legal."""
    temper = (CAREFUL, BOLD)[list(view.players).index(seat) % 2]
    owners = {key: lot.owner for key, lot in view.properties.items()} | view.shares
    groups = favourites(view, owners, seat)
    wanted = [] if saves(view, owners, seat) else wishes(owners, groups, temper)
    lines = [*policies(owners, groups, seat, wanted, temper)]
    if ask.silent:
        return lines
    return [*lines, *deeds(view, owners, groups, seat, wanted, temper, dice)]


def policies(
    owners: Owners, groups: Sequence[str], seat: Seat, wanted: Sequence[str], temper: Temper
) -> Iterator[Order]:
    """What stands for any square."""
    yield WinWhenPossible()
    yield Bonds(numbers=BEST_BONDS, keep=1_000)
    if wanted:
        yield Offer(things=tuple(wanted[:6]), keep=temper.keep)
    theirs = [paper for group in groups for paper in PAPERS[group] if owners[paper] not in (None, seat)]
    if theirs:
        yield Raid(things=tuple(dict.fromkeys(map(_name, theirs)))[:6], keep=temper.keep)


def deeds(
    view: FinansView,
    owners: Owners,
    groups: Sequence[str],
    seat: Seat,
    wanted: Sequence[str],
    temper: Temper,
    dice: Dice,
) -> Iterator[Order]:
    """What it does before this throw."""
    sheet = view.players[seat]
    cash, here = sheet.cash, sheet.square
    if view.round <= 20 and sheet.loans < temper.loans and may_buy_here(here) and cash < 60_000:
        yield Loan()
    if sheet.loans and cash > 250_000:
        yield Repay()
    if here in HEAD_OFFICE:
        yield from meetings(view, owners, groups, seat, temper, dice)
    if here in BUILDERS or PERMIT in sheet.tips:
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
    if may_buy_here(here) and wanted:
        yield Buy(things=tuple(wanted), keep=temper.keep)
    if not sheet.car and cash > temper.car_from:
        yield Buy(things=(CAR,), keep=temper.keep)


def favourites(view: FinansView, owners: Owners, seat: Seat) -> list[str]:
    """The groups not yet its own, those first of which the seat holds most and opponents least, then the cheapest."""

    def rank(group: str) -> tuple[int, int]:
        held = [owners[paper] for paper in PAPERS[group]]
        mine = held.count(seat)
        theirs = len(held) - mine - held.count(None)
        return theirs - 2 * mine, sum(PRICES[paper] for paper in PAPERS[group])

    return sorted((group for group in GROUPS if view.groups.get(group) != seat), key=rank)


def wishes(owners: Owners, groups: Sequence[str], temper: Temper) -> list[str]:
    """What the Bank still has of these groups, in the bot's order; each sort of shares once."""
    free = [paper for group in groups for paper in PAPERS[group] if owners[paper] is None]
    free.sort(key=lambda paper: (paper in SHARES) != temper.shares_first)
    return list(dict.fromkeys(map(_name, free)))


def saves(view: FinansView, owners: Owners, seat: Seat) -> bool:
    """Whether it has enough groups, and so much cash that buying and selling again would only cost it."""
    enough = list(view.groups.values()).count(seat) >= view.options.win_groups
    return enough and view.players[seat].cash > view.options.win_cash // 2


def meetings(
    view: FinansView, owners: Owners, groups: Sequence[str], seat: Seat, temper: Temper, dice: Dice
) -> Iterator[Meeting]:
    """The first favourite in which it has something, the Bank nothing, and which it can pay for."""
    cash = view.players[seat].cash
    for group in groups:
        papers = PAPERS[group]
        held = {owners[paper] for paper in papers}
        if seat not in held or None in held:
            continue
        value = sum(cost_value(view, paper) for paper in papers if owners[paper] != seat)
        fee = temper.fees[dice.roll(len(temper.fees)) - 1]
        if cash - value > 3 * BOX.board_meeting.fee_max:
            fee = BOX.board_meeting.fee_max
        if cash >= value + fee:
            yield Meeting(group=group, fee=fee, most=value)
            return


def _name(paper: str) -> str:
    """What orders call a paper."""
    return SHARES[paper].sort if paper in SHARES else paper
