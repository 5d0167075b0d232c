"""The order form: what can be done from the player's square, with prices; everything else as a programme for later.

Lines are handed in as they are carried out, cash being raised first.  What must hold for other squares stands in parts
of its own, where every paper can be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

from judge.core.orders import Count, Fact, Part, Section, Total
from judge.core.ruleset import Seat
from judge.core.text import Money, Text
from rulesets.finans.box import BUILDERS, CAR, GROUPS, HEAD_OFFICE, MONEY, PROPERTIES, REPAY_LOAN, SHARE_SORTS
from rulesets.finans.building import PERMIT, building_cost
from rulesets.finans.buying import for_sale, may_buy_here, price
from rulesets.finans.groups import papers_of
from rulesets.finans.meetings import value_of
from rulesets.finans.mortgage import mortgage_value, redemption, repurchase_value
from rulesets.finans.orders import Build, Buy, Deed, Loan, Meeting, Mortgage, Redeem, Repay, Sell
from rulesets.finans.policies import POLICIES, ClaimRent, Forget
from rulesets.finans.state import FinansState

Prices = Mapping[str, int]
"""What things cost or bring, by the word that orders have for them."""

BEFORE = Section(Text.of("Before the throw"))
RAISING = Section(Text.of("Before everything else: raise cash"), folded=True)
AFTER = Section(Text.of("After the throw"), folded=True)
PROGRAMME = Section(Text.of("In every turn: a programme for other squares"), folded=True)
POLICY = Section(Text.of("Lasting orders: bonds, tips, debts, rent"), folded=True)

_NOW = {"always": False}
_FIRST = {"always": False, "after": False}
_LATER = {"always": False, "after": True}
_EVER = {"always": True}

_IN_ORDER: Sequence[type[Deed]] = (Loan, Mortgage, Sell, Buy, Build, Meeting, Redeem, Repay)
"""The deeds as a form hands them in: what brings cash, then what costs it, debts last."""


def parts(state: FinansState, seat: Seat) -> tuple[Part, ...]:
    """What makes sense from here, then what stands for other turns."""
    now = () if state.players[seat].missing else (*_before(state, seat), *_after(state, seat))
    claims = (Part(ClaimRent, POLICY, facts={}),) if state.options.rent == "claimed" else ()
    return (*now, *_STANDING, *claims)


_STANDING: tuple[Part, ...] = (
    *(Part(kind, PROGRAMME, given=_EVER, facts={}) for kind in _IN_ORDER),
    *(Part(kind, POLICY, facts={}) for kind in POLICIES),
    Part(Forget, POLICY, facts={}),
)


def _before(state: FinansState, seat: Seat) -> Iterator[Part]:
    """The list before the throw."""
    if may_borrow(state, seat):
        yield Part(Loan, RAISING, given=_FIRST)
    yield from _priced(Mortgage, "properties", RAISING, mortgageable(state, seat), "brings", _FIRST)
    yield from _priced(Sell, "things", RAISING, salable(state, seat), "brings", _FIRST)
    yield from _priced(Buy, "things", BEFORE, on_offer(state, seat), "costs", _NOW)
    yield from _priced(Build, "properties", BEFORE, buildable(state, seat), "costs", _NOW)
    yield from _priced(Meeting, "group", BEFORE, papers_to_buy_out(state, seat), "the papers cost", _NOW)
    yield from _priced(Redeem, "properties", BEFORE, redeemable(state, seat), "costs", _NOW)
    if state.players[seat].loans:
        yield Part(Repay, BEFORE, given=_FIRST)


def _after(state: FinansState, seat: Seat) -> Iterator[Part]:
    """The list after the throw, when all that is bought before can be sold as well."""
    bought = on_offer(state, seat)
    lots = {key: PROPERTIES[key].mortgage for key in bought if key in PROPERTIES}
    again = {thing: _repurchase(state, thing) for thing in bought}
    yield from _priced(Mortgage, "properties", AFTER, mortgageable(state, seat) | lots, "brings", _LATER)
    yield from _priced(Sell, "things", AFTER, salable(state, seat) | again, "brings", _LATER)
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
    lots = [key for key in state.lots_of(seat) if not state.properties[key].built]
    return {key: building_cost(state, key) for key in lots if not state.properties[key].mortgaged}


def redeemable(state: FinansState, seat: Seat) -> Prices:
    return {key: redemption(state, key) for key in state.lots_of(seat) if state.properties[key].mortgaged}


def mortgageable(state: FinansState, seat: Seat) -> dict[str, int]:
    return {key: mortgage_value(state, key) for key in state.lots_of(seat) if not state.properties[key].mortgaged}


def salable(state: FinansState, seat: Seat) -> dict[str, int]:
    """What the Bank would take back now: properties free of mortgage, shares by their sort, the car."""
    held = state.shares_of(seat)
    sorts = [sort for sort, shares in SHARE_SORTS.items() if any(share.key in held for share in shares)]
    car = (CAR,) if state.players[seat].car else ()
    return {thing: _repurchase(state, thing) for thing in (*mortgageable(state, seat), *sorts, *car)}


def _repurchase(state: FinansState, thing: str) -> int:
    return repurchase_value(state, SHARE_SORTS[thing][0].key if thing in SHARE_SORTS else thing)


def papers_to_buy_out(state: FinansState, seat: Seat) -> Prices:
    """The groups whose meeting can be called from here, and what the opponents' papers cost."""
    if state.players[seat].square not in HEAD_OFFICE:
        return {}
    mine = [group for group in GROUPS if seat in map(state.owner, papers_of(group))]
    values = {group: value_of(state, seat, group) for group in mine}
    return {group: value for group, value in values.items() if value}


def totals(state: FinansState, seat: Seat) -> tuple[Total, ...]:
    """The cash before the throw.  Of a wish list the dearest property and the dearest share that are offered count."""
    if state.players[seat].missing:
        return ()
    raised = (
        Count(of=("count",), kinds=("loan",), where={"after": False}, times=MONEY.loan),
        Count(kinds=("mortgage",), by="properties", where={"after": False}, weights=mortgageable(state, seat)),
        Count(kinds=("sell",), by="things", where={"after": False}, weights=salable(state, seat)),
    )
    offered, papers = on_offer(state, seat), papers_to_buy_out(state, seat)
    spent = (
        *(
            Count(kinds=("buy",), by="things", weights={thing: offered[thing] for thing in sort}, dearest=True)
            for sort in _sorts(offered)
        ),
        Count(kinds=("build",), by="properties", weights=buildable(state, seat)),
        Count(kinds=("redeem",), by="properties", weights=redeemable(state, seat)),
        Count(of=("count",), kinds=("repay",), where={"after": False}, times=MONEY.loan),
        Count(kinds=("meeting",), by="group", weights=papers),
        Count(of=("fee",), kinds=("meeting",), by="group", weights=dict.fromkeys(papers, 1)),
    )
    cash = state.players[seat].cash
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
