"""The Price Level Board and the Market Calculator (rulebook, "Month 1": minimum bids and market prices).

Units *ordered* and *offered* move a price, whether they change hands or not.
"""

from __future__ import annotations

from judge.core.sums import Minimum
from judge.core.text import Text
from rulesets.commodity_market.events import PriceMoved
from rulesets.commodity_market.state import MarketState
from rulesets.commodity_market.tables import GRADES, TABLES, Grade, Letter


def changed(letter: Letter, price: int, units: int) -> int:
    """The price after everybody together ordered or offered so many units; never under $1."""
    section = TABLES.calculator.grades if letter in GRADES else TABLES.calculator.goods
    return max(TABLES.floor.price, price + section.change(units))


def move_price(state: MarketState, letter: Letter, units: int) -> PriceMoved:
    """Posts the new market price on the board, in the column of the month."""
    before = state.prices[letter]
    price = state.prices[letter] = changed(letter, before, units)
    state.history.setdefault(state.month, {})[letter] = price
    return PriceMoved(good=letter, name=state.names[letter], units=units, before=before, price=price)


def minimum_bid(state: MarketState, grade: Grade) -> Minimum:
    """The price a grade would change to if only this player ordered it: the least that may be bid for it."""
    calculator = TABLES.calculator.grades
    return Minimum(
        subject=grade,
        field="price",
        base=state.prices[grade] + calculator.none,
        per={"units": calculator.each},
        floor=TABLES.floor.price,
        says=Text.of(
            "{units} {name} at {price}: the minimum bid for {units} of them is {least}, "
            "the price if nobody else ordered any (last price {last}).",
            name=state.names[grade],
            last=state.prices[grade],
        ),
    )
