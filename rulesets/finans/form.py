"""The order form: what can be done from the player's square, with prices; everything else as a programme for later.

Lines are handed in as they are carried out, cash being raised first.  What must hold for other squares stands in parts
of its own, where every paper can be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from judge.core.orders import Fact, Part, Section
from judge.core.ruleset import Seat
from judge.core.sums import Count, Total
from judge.core.text import Money, Text
from rulesets.finans.box import (
    BUILDERS,
    CAR,
    GROUPS,
    HEAD_OFFICE,
    MONEY,
    PAPERS,
    PROPERTIES,
    REPAY_LOAN,
    SHARE_SORTS,
    SHARES,
)
from rulesets.finans.building import PERMIT, building_cost
from rulesets.finans.buying import for_sale, may_buy_here, price
from rulesets.finans.meetings import value_of
from rulesets.finans.mortgage import mortgage_value, redemption, repurchase_value
from rulesets.finans.orders import Build, Buy, Deed, Loan, Meeting, Mortgage, Redeem, Repay, Sell
from rulesets.finans.policies import POLICIES, ClaimRent, Forget
from rulesets.finans.state import FinansState

Prices = Mapping[str, int]
"""What things cost or bring, by the word that orders have for them."""


@dataclass(frozen=True)
class Chances:
    """What can be done from a player's square now, with what it brings or costs; nothing has an empty table."""

    loan: bool
    repay: bool
    mortgages: Prices
    sales: Prices
    purchases: Prices
    buildings: Prices
    meetings: Prices
    redemptions: Prices


def chances(state: FinansState, seat: Seat) -> Chances:
    return Chances(
        loan=may_borrow(state, seat),
        repay=state.players[seat].loans > 0,
        mortgages=mortgageable(state, seat),
        sales=salable(state, seat),
        purchases=on_offer(state, seat),
        buildings=buildable(state, seat),
        meetings=papers_to_buy_out(state, seat),
        redemptions=redeemable(state, seat),
    )


BEFORE = Section(Text.of("Before the throw"))
RAISING = Section(Text.of("Before everything else: raise cash"), folded=True)
RENT = Section(Text.of("Rent in this round"))
AFTER = Section(Text.of("After the throw"), folded=True)
PROGRAMME = Section(Text.of("In every turn: a programme for other squares"), folded=True, later=True)
POLICY = Section(Text.of("Lasting orders: bonds, tips, debts, rent"), folded=True, later=True)

_NOW = {"always": False}
_FIRST = {"always": False, "after": False}
_LATER = {"always": False, "after": True}
_EVER = {"always": True}

_IN_ORDER: Sequence[type[Deed]] = (Loan, Mortgage, Sell, Buy, Build, Meeting, Redeem, Repay)
"""The deeds as a form hands them in: what brings cash, then what costs it, debts last."""


def parts(state: FinansState, can: Chances | None) -> tuple[Part, ...]:
    """What makes sense from here, unless the turn is missed (None), then what stands for other turns."""
    now = () if can is None else (*_before(can), *_after(can))
    claims = (Part(ClaimRent, RENT, facts={}),) if state.options.rent == "claimed" else ()
    return (*now, *claims, *_STANDING)


_STANDING: tuple[Part, ...] = (
    *(Part(kind, PROGRAMME, given=_EVER, facts={}) for kind in _IN_ORDER),
    *(Part(kind, POLICY, facts={}) for kind in POLICIES),
    Part(Forget, POLICY, facts={}),
)


def _before(can: Chances) -> Iterator[Part]:
    """The list before the throw."""
    if can.loan:
        yield Part(Loan, RAISING, given=_FIRST)
    yield from _priced(Mortgage, "properties", RAISING, can.mortgages, "brings", _FIRST)
    yield from _priced(Sell, "things", RAISING, can.sales, "brings", _FIRST)
    yield from _priced(Buy, "things", BEFORE, can.purchases, "costs", _NOW)
    yield from _priced(Build, "properties", BEFORE, can.buildings, "costs", _NOW)
    yield from _priced(Meeting, "group", BEFORE, can.meetings, "the papers cost", _NOW)
    yield from _priced(Redeem, "properties", BEFORE, can.redemptions, "costs", _NOW)
    if can.repay:
        yield Part(Repay, BEFORE, given=_FIRST)


def _after(can: Chances) -> Iterator[Part]:
    """The list after the throw, when all that is bought before can be sold as well."""
    lots = {key: PROPERTIES[key].mortgage for key in can.purchases if key in PROPERTIES}
    again = {thing: _BARE[thing] for thing in can.purchases}
    yield from _priced(Mortgage, "properties", AFTER, {**can.mortgages, **lots}, "brings", _LATER)
    yield from _priced(Sell, "things", AFTER, {**can.sales, **again}, "brings", _LATER)
    yield Part(Loan, AFTER, given=_LATER)
    yield Part(Repay, AFTER, given=_LATER)


def _priced(
    kind: type[Deed],
    field: str,
    section: Section,
    prices: Prices,
    says: Literal["brings", "costs", "the papers cost"],
    given: Mapping[str, bool],
) -> Iterator[Part]:
    """A part that names what can be had, with its prices; none if there is nothing."""
    if prices:
        facts = {thing: _told(says, amount) for thing, amount in prices.items()}
        yield Part(kind, section, given=given, offered={field: tuple(prices)}, facts=facts)


@cache
def _told(says: str, amount: int) -> tuple[Fact, ...]:
    return ((_SAYS[says], Money(amount)),)


_SAYS = {
    "brings": Text.of("brings"),
    "costs": Text.of("costs"),
    "the papers cost": Text.of("the papers cost"),
}


def may_borrow(state: FinansState, seat: Seat) -> bool:
    """Whether a loan may be had before the throw, if the news allow it by then."""
    sheet = state.players[seat]
    return sheet.square != REPAY_LOAN and sheet.loans < MONEY.loans_per_player and state.loans_left() > 0


def on_offer(state: FinansState, seat: Seat) -> Prices:
    """What the Bank sells to whoever stands there: a car anywhere, papers where they can be bought."""
    sheet = state.players[seat]
    papers = (*PROPERTIES, *SHARE_SORTS) if may_buy_here(sheet.square) else ()
    things = [thing for thing in papers if for_sale(state, thing) is not None]
    return {thing: price(thing) for thing in (*things, *(() if sheet.car else (CAR,)))}


def buildable(state: FinansState, seat: Seat) -> Prices:
    sheet = state.players[seat]
    if sheet.square not in BUILDERS and PERMIT not in sheet.tips:
        return {}
    return {key: building_cost(state, key) for key in state.unmortgaged(seat) if not state.properties[key].built}


def redeemable(state: FinansState, seat: Seat) -> Prices:
    return {key: redemption(state, key) for key in state.lots_of(seat) if state.properties[key].mortgaged}


def mortgageable(state: FinansState, seat: Seat) -> dict[str, int]:
    return {key: mortgage_value(state, key) for key in state.unmortgaged(seat)}


def salable(state: FinansState, seat: Seat) -> dict[str, int]:
    """What the Bank would take back now: properties free of mortgage, shares by their sort, the car."""
    shares = [SHARES[key] for key in state.shares_of(seat)]
    car = {CAR: MONEY.car_resale} if state.players[seat].car else {}
    return {
        **{key: repurchase_value(state, key) for key in state.unmortgaged(seat)},
        **{share.sort: share.repurchase for share in shares},
        **car,
    }


_BARE: Prices = {
    **{key: lot.repurchase for key, lot in PROPERTIES.items()},
    **{sort: shares[0].repurchase for sort, shares in SHARE_SORTS.items()},
    CAR: MONEY.car_resale,
}
"""What the Bank would take back of what it has just sold."""


def papers_to_buy_out(state: FinansState, seat: Seat) -> Prices:
    """The groups whose meeting can be called from here, and what the opponents' papers cost."""
    if state.players[seat].square not in HEAD_OFFICE:
        return {}
    mine = [group for group in GROUPS if seat in map(state.owner, PAPERS[group])]
    values = {group: value_of(state, seat, group) for group in mine}
    return {group: value for group, value in values.items() if value}


def totals(cash: int, can: Chances | None) -> tuple[Total, ...]:
    """The cash before the throw.  Of a wish list the dearest property and the dearest share that are offered count."""
    if can is None:
        return ()
    raised = (
        Count(of=("count",), kinds=("loan",), where={"after": False}, times=MONEY.loan),
        Count(kinds=("mortgage",), by="properties", where={"after": False}, weights=can.mortgages),
        Count(kinds=("sell",), by="things", where={"after": False}, weights=can.sales),
    )
    offered, papers = can.purchases, can.meetings
    spent = (
        *(
            Count(kinds=("buy",), by="things", weights={thing: offered[thing] for thing in sort}, dearest=True)
            for sort in _sorts(offered)
        ),
        Count(kinds=("build",), by="properties", weights=can.buildings),
        Count(kinds=("redeem",), by="properties", weights=can.redemptions),
        Count(of=("count",), kinds=("repay",), where={"after": False}, times=MONEY.loan),
        Count(kinds=("meeting",), by="group", weights=papers),
        Count(of=("fee",), kinds=("meeting",), by="group", weights=dict.fromkeys(papers, 1)),
    )
    gained = Count(kinds=(), times=-1, also=raised)
    return (
        Total(_RAISED, kinds=(), also=raised, money=True),
        Total(_SPENT, kinds=(), also=spent, money=True),
        Total(_LEFT, kinds=(), also=(*spent, gained), start=cash, sign=-1, money=True),
    )


_RAISED = Text.of("Raised before the throw, at most")
_SPENT = Text.of("Spent before the throw, at most")
_LEFT = Text.of("Cash left then, if all of it is done")


def _sorts(offered: Prices) -> list[list[str]]:
    """Properties, shares and the car: one of each may be bought in a turn."""
    return [
        [thing for thing in offered if thing in PROPERTIES],
        [thing for thing in offered if thing in SHARE_SORTS],
        [thing for thing in offered if thing == CAR],
    ]
