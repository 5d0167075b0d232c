"""Purchasing Raw Material Certificates, with the variations that belong here: loans and partial purchases.

A bid that reaches the market price buys all its units and pays what it says, not the market price.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.orders import Ask, Choice, Order, latest
from judge.core.ruleset import Event, Seat
from judge.core.sums import Limit, Total
from judge.core.text import Money, Text
from rulesets.commodity_market.events import (
    BidFailed,
    BidVoided,
    Bought,
    LoanTaken,
    OrderedNothing,
    PartlyBought,
    PlayerEvent,
    PurchaseVoided,
)
from rulesets.commodity_market.market import minimum_bid, move_price
from rulesets.commodity_market.orders import Bid
from rulesets.commodity_market.state import MarketState
from rulesets.commodity_market.tables import GRADES, TABLES

_WITH_PLAYERS = {
    2: Text.of("with 2 players"),
    3: Text.of("with 3 players"),
    4: Text.of("with 4 players"),
    5: Text.of("with 5 players"),
    6: Text.of("with 6 players"),
}


def ask_for_bids(state: MarketState, seat: Seat) -> Ask:
    """Everybody is asked, even without money: orders move the prices."""
    sheet = state.players[seat]
    cap = TABLES.seating[len(state.players)].order
    return Ask(
        kinds=(Bid,),
        prompt=Text.of(
            "Month {month} of {months}, buying: bid for raw materials, {cap} units in all at most.",
            month=state.month,
            months=state.options.months,
            cap=cap,
        ),
        choices={"grade": tuple(Choice(grade, state.names[grade]) for grade in GRADES)},
        facts={
            grade: (
                (Text.of("Last price"), Money(state.prices[grade])),
                (Text.of("In stock"), sheet.stock[grade]),
            )
            for grade in GRADES
        },
        limits=(*_order_caps(state), _dearer_than_cash(state, seat)),
        minimums=tuple(minimum_bid(state, grade) for grade in GRADES),
        totals=(
            Total(Text.of("Units still free"), of=("units",), start=cap, sign=-1),
            Total(Text.of("Cost if everything succeeds"), of=("units", "price"), money=True),
            Total(Text.of("Cash left"), of=("units", "price"), start=sheet.cash, sign=-1, money=True),
        ),
    )


def _order_caps(state: MarketState) -> Iterator[Limit]:
    """The cap is on the entire order, all grades together; between two players each grade has one besides."""
    players = len(state.players)
    seating = TABLES.seating[players]
    yield Limit(
        of=("units",),
        at_most=seating.order,
        says=Text.of(
            "Your order is {counted} units in all; {with_players} at most {most} in all are allowed.",
            with_players=_WITH_PLAYERS[players],
            most=seating.order,
        ),
    )
    if seating.grade < seating.order:
        for grade in GRADES:
            yield Limit(
                of=("units",),
                weights={grade: 1},
                at_most=seating.grade,
                says=Text.of(
                    "Your order is {counted} units of {good}; {with_players} at most {most} of one grade are allowed.",
                    good=state.names[grade],
                    with_players=_WITH_PLAYERS[players],
                    most=seating.grade,
                ),
            )


def _dearer_than_cash(state: MarketState, seat: Seat) -> Limit:
    """Always legal, since some bids may be expected to fail; but its player should know what happens if none does."""
    cash = state.players[seat].cash
    if state.options.loans:
        says = Text.of(
            "If all bids succeed, they cost {counted}, {over} more than your cash of {cash}. "
            "You then borrow what is missing in steps of {step} and repay {repaid} for each at the end.",
            cash=cash,
            step=TABLES.loan.step,
            repaid=TABLES.loan.repaid,
        )
    else:
        says = Text.of(
            "If all bids succeed, they cost {counted}, {over} more than your cash of {cash}. "
            "Then you buy nothing at all this month.",
            cash=cash,
        )
    return Limit(of=("units", "price"), at_most=cash, says=says, warning=True)


def resolve_buying(state: MarketState, orders: Mapping[Seat | None, Sequence[Order]]) -> Iterator[Event]:
    """Everybody's units move the prices; then each player buys, pays and takes certificates."""
    bids = {seat: _by_grade(orders.get(seat, ())) for seat in state.players}
    for grade in GRADES:
        yield move_price(state, grade, units=sum(bid.units for bid in _all(bids) if bid.grade == grade))
    for seat in state.players:
        yield from settle_purchase(state, seat, bids[seat])
    state.phase = "sell"


def _by_grade(orders: Sequence[Order]) -> list[Bid]:
    bids = [order for order in latest(orders) if isinstance(order, Bid)]
    return sorted(bids, key=lambda bid: GRADES.index(bid.grade))


def _all(bids: Mapping[Seat, Sequence[Bid]]) -> Iterator[Bid]:
    for some in bids.values():
        yield from some


def units_bought(bid: Bid, market: int, partial: bool) -> int:
    """All units at or over the market price, none under it; in Variation 2 one unit less for each dollar under it."""
    under = max(0, market - bid.price)
    if under == 0:
        return bid.units
    return max(0, bid.units - under) if partial else 0


def settle_purchase(state: MarketState, seat: Seat, bids: Sequence[Bid]) -> Iterator[PlayerEvent]:
    """One player's bids, in the order of the board.  Only bids that succeed, or the part that does, have to be paid."""
    sheet = state.players[seat]
    if not bids:
        yield OrderedNothing(seat=seat)
        return
    bought = {bid.grade: units_bought(bid, state.prices[bid.grade], state.options.partial_purchase) for bid in bids}
    cost = sum(bought[bid.grade] * bid.price for bid in bids)
    missing = cost - sheet.cash if cost else 0
    voided = missing > 0 and not state.options.loans
    for bid in bids:
        units = bought[bid.grade]
        if units == 0:
            outcome: type[BidFailed | BidVoided | Bought | PartlyBought] = BidFailed
        elif voided:
            outcome = BidVoided
        else:
            outcome = Bought if units == bid.units else PartlyBought
            sheet.stock[bid.grade] += units
        yield outcome(
            seat=seat,
            good=bid.grade,
            name=state.names[bid.grade],
            ordered=bid.units,
            units=units,
            price=bid.price,
            market=state.prices[bid.grade],
        )
    if voided:
        yield PurchaseVoided(seat=seat, cost=cost, cash=sheet.cash)
        return
    if missing > 0:
        yield take_loan(state, seat, missing)
    sheet.cash -= cost


def take_loan(state: MarketState, seat: Seat, missing: int) -> LoanTaken:
    """As many steps of $100 as cover what is missing, and no more (rulebook, "Variation 1")."""
    step = TABLES.loan.step
    amount = -(-missing // step) * step
    sheet = state.players[seat]
    sheet.cash += amount
    sheet.debt += amount
    return LoanTaken(seat=seat, amount=amount, debt=sheet.debt)
