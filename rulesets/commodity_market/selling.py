"""Selling the Finished Goods, with the variation that belongs here: partial sales.

Goods are made only to be sold: what finds no buyer stays in the form of certificates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.orders import Ask, Choice, Order, latest
from judge.core.ruleset import Event, Seat
from judge.core.sums import Limit, Total
from judge.core.text import Money, Text, Value
from rulesets.commodity_market.events import (
    CertificatesUsed,
    OfferBarred,
    OfferedNothing,
    OfferFailed,
    PartlySold,
    PassedByForce,
    PlayerEvent,
    Sold,
    lots,
)
from rulesets.commodity_market.market import move_price
from rulesets.commodity_market.orders import Offer
from rulesets.commodity_market.production import NEEDS, can_make, can_make_any, manufacture, most_of
from rulesets.commodity_market.state import MarketState
from rulesets.commodity_market.tables import GOODS, GRADES, Good, Grade

_NEEDED: Mapping[tuple[Grade, ...], Text] = {
    ("X",): Text.of("Your offer needs {counted} {X}, which nothing replaces; you have {have}. {therefore}"),
    ("X", "F"): Text.of("Your offer needs {counted} {X} or {F}; you have {have} of both together. {therefore}"),
    ("F", "S"): Text.of(
        "Your offer needs {counted} {S}, or {F} in its place; you have {have} of both together. {therefore}"
    ),
    GRADES: Text.of("Your offer needs {counted} certificates, three for each unit; you have {have}. {therefore}"),
}
"""How each of the sums of production is said to be exceeded."""


def ask_for_offers(state: MarketState, seat: Seat) -> Ask:
    """Whoever can make at least one unit is asked; all others pass by force."""
    sheet = state.players[seat]
    return Ask(
        kinds=(Offer,),
        prompt=Text.of(
            "Month {month} of {months}, selling: offer finished goods.", month=state.month, months=state.options.months
        ),
        choices={"good": tuple(Choice(good, state.names[good]) for good in GOODS)},
        forced=None if can_make_any(sheet.stock) else (),
        facts={
            good: (
                (Text.of("Last price"), Money(state.prices[good])),
                (Text.of("Can be made at most"), most_of(good, sheet.stock)),
            )
            for good in GOODS
        },
        limits=tuple(_production_limits(state, seat)),
        totals=(
            Total(Text.of("Income if everything sells"), of=("units", "price"), money=True),
            Total(Text.of("Cash then"), of=("units", "price"), start=sheet.cash, money=True),
        ),
    )


def _production_limits(state: MarketState, seat: Seat) -> Iterator[Limit]:
    """No more than can be made.  With `strict` that is a warning only: the offer is taken and punished."""
    stock, names = state.players[seat].stock, state.names
    therefore = (
        Text.of("If it stays like this, you sell nothing this month.")
        if state.options.strict
        else Text.of("So not all of it can be made.")
    )
    for need in NEEDS:
        have = need.available(stock)
        says = _NEEDED[need.grades]
        gaps: dict[str, Value] = {
            **{grade: names[grade] for grade in need.grades},
            "have": have,
            "therefore": therefore,
        }
        yield Limit(
            of=("units",),
            weights={good: need.weights[good] for good in GOODS},
            at_most=have,
            says=says.model_copy(update={"values": gaps}),
            warning=state.options.strict,
        )


def resolve_selling(state: MarketState, orders: Mapping[Seat | None, Sequence[Order]]) -> Iterator[Event]:
    """Everybody's offers move the prices, but for those of players who offered too much; then each player sells."""
    offers = {seat: _by_good(orders.get(seat, ())) for seat in state.players}
    barred = {seat for seat, some in offers.items() if not can_make(_units(some), state.players[seat].stock)}
    for good in GOODS:
        counted = [offer for seat, some in offers.items() if seat not in barred for offer in some if offer.good == good]
        yield move_price(state, good, units=sum(offer.units for offer in counted))
    for seat, some in offers.items():
        if seat in barred:
            stock = lots(state.players[seat].stock, state.names)
            yield OfferBarred(seat=seat, offered=lots(_units(some), state.names), stock=stock)
        else:
            yield from settle_sale(state, seat, some)


def _by_good(orders: Sequence[Order]) -> list[Offer]:
    offers = [order for order in latest(orders) if isinstance(order, Offer)]
    return sorted(offers, key=lambda offer: GOODS.index(offer.good))


def _units(offers: Sequence[Offer]) -> dict[Good, int]:
    return {offer.good: offer.units for offer in offers}


def units_sold(offer: Offer, market: int, partial: bool) -> int:
    """All units at or under the market price, none over it; with partial sales one less for each two dollars begun."""
    over = max(0, offer.price - market)
    if over == 0:
        return offer.units
    return max(0, offer.units - (over + 1) // 2) if partial else 0


def settle_sale(state: MarketState, seat: Seat, offers: Sequence[Offer]) -> Iterator[PlayerEvent]:
    """One player's offers, in the order of the board; the certificates leave for what is sold, and for nothing else."""
    sheet = state.players[seat]
    if not offers:
        yield OfferedNothing(seat=seat) if can_make_any(sheet.stock) else PassedByForce(seat=seat)
        return
    sold: dict[Good, int] = {}
    for offer in offers:
        units = sold[offer.good] = units_sold(offer, state.prices[offer.good], state.options.partial_sale)
        outcome = OfferFailed if units == 0 else Sold if units == offer.units else PartlySold
        yield outcome(
            seat=seat,
            good=offer.good,
            name=state.names[offer.good],
            ordered=offer.units,
            units=units,
            price=offer.price,
            market=state.prices[offer.good],
        )
        sheet.cash += units * offer.price
    if any(sold.values()):
        used = manufacture(sold, sheet.stock)
        for grade, units in used.certificates.items():
            sheet.stock[grade] -= units
        yield CertificatesUsed(
            seat=seat, certificates=lots(used.certificates, state.names), x_for_f=used.x_for_f, f_for_s=used.f_for_s
        )
