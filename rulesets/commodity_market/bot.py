"""An honest opponent: bids for the plan that should earn most, and asks a little under the price it expects.

It sees what everybody sees: the board with its past, and the tally sheets.  What the others will do it can only guess:
about as much of each grade as last month, and offers spread evenly over what their certificates allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat
from rulesets.commodity_market.market import changed
from rulesets.commodity_market.orders import Bid, Offer
from rulesets.commodity_market.production import CERTIFICATES_PER_UNIT, CHART, manufacture, possible_offers
from rulesets.commodity_market.state import MarketView
from rulesets.commodity_market.tables import GOODS, GRADES, TABLES, Good, Grade

HASTE = 6
"""How many dollars a unit it gives away at most so that a bid or an offer succeeds."""


def bot(view: MarketView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    """Bids or offers, never against a rule: while its ask objects to anything, the last line is left out."""
    if ask.forced is not None:
        return ask.forced
    orders: list[Order] = list(bids(view, seat, dice) if view.phase == "buy" else offers(view, seat, dice))
    while any(not problem.warning for problem in ask.problems(orders)):
        orders.pop()
    return orders


def bids(view: MarketView, seat: Seat, dice: Dice) -> Iterator[Bid]:
    """For the certificates that a promising plan still lacks, as far as the cash goes.

    The plan is one of those that should earn at least half as much as the best: if everybody took the best one, all
    would want the same grade and nobody would get it.  The more the plan should earn, the more a bid adds for safety.
    """
    sheet = view.players[seat]
    seating = TABLES.seating[len(view.players)]
    promising: list[tuple[int, dict[Grade, tuple[int, int]]]] = []
    for units in _plans(seating.order):
        missing = {grade: max(0, count - sheet.stock[grade]) for grade, count in _needed(units).items()}
        ordered = sum(missing.values())
        if not 0 < ordered <= seating.order or max(missing.values()) > seating.grade:
            continue
        lines = {grade: (count, _expected_price(view, grade, count)) for grade, count in missing.items() if count}
        cost = sum(count * price for count, price in lines.values())
        income = sum(units[good] * _expected_value(view, good, units[good]) for good in GOODS)
        if income > cost and cost + HASTE * ordered <= sheet.cash:
            safety = min(HASTE, (income - cost) // (2 * ordered))
            promising.append(
                (income - cost, {grade: (count, price + safety) for grade, (count, price) in lines.items()})
            )
    if promising:
        best = max(gain for gain, _ in promising)
        for grade, (count, price) in dice.pick([lines for gain, lines in promising if 2 * gain >= best]).items():
            yield Bid(grade=grade, units=count, price=price - 1 + dice.roll(2))


def _plans(most: int) -> Iterator[dict[Good, int]]:
    """Every set of goods that takes no more certificates than that."""
    for counts in product(*(range(most // CERTIFICATES_PER_UNIT[good] + 1) for good in GOODS)):
        units = dict(zip(GOODS, counts, strict=True))
        if sum(units[good] * CERTIFICATES_PER_UNIT[good] for good in GOODS) <= most:
            yield units


def _needed(units: Mapping[Good, int]) -> dict[Grade, int]:
    return {grade: sum(CHART[good][grade] * units[good] for good in GOODS) for grade in GRADES}


def _expected_price(view: MarketView, grade: Grade, own: int) -> int:
    """The market price if I order so much and the others what they ordered last month, or two thirds of their caps."""
    players = len(view.players)
    before = view.history.get(view.month - 2, {}).get(grade)
    if before is None:
        everybody = 2 * players * TABLES.seating[players].order // 9
    else:
        everybody = view.prices[grade] - before - TABLES.calculator.grades.none
    return changed(grade, view.prices[grade], everybody * (players - 1) // players + own)


def _expected_value(view: MarketView, good: Good, own: int) -> int:
    """What a unit will bring if everybody else makes a usual number of it."""
    players = len(view.players)
    usual = 2 * (players - 1) * TABLES.seating[players].order // 27
    return changed(good, view.prices[good], usual + own)


def offers(view: MarketView, seat: Seat, dice: Dice) -> Iterator[Offer]:
    """The set of goods that should bring most above what its certificates are worth."""
    stock = view.players[seat].stock
    others = sum(sum(sheet.stock.values()) for other, sheet in view.players.items() if other != seat)
    others_each = round(others / sum(CERTIFICATES_PER_UNIT.values()))
    haste = {good: dice.roll(HASTE) for good in GOODS}
    best: tuple[int, dict[Good, tuple[int, int]]] = (0, {})
    for units in possible_offers(stock):
        lines = {
            good: (count, max(1, changed(good, view.prices[good], others_each + count) - haste[good]))
            for good, count in units.items()
            if count
        }
        worth = sum(count * view.prices[grade] for grade, count in manufacture(units, stock).certificates.items())
        gain = sum(count * price for count, price in lines.values()) - worth
        if gain > best[0]:
            best = (gain, lines)
    for good, (count, price) in best[1].items():
        yield Offer(good=good, units=count, price=price)
