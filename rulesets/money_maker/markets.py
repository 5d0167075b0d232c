"""Buying and selling goods (rulebook, "Step 3").

A market is filled and emptied at its cheapest end: buyers, auctions, dice and fire take the cheapest goods, and a good
that is sold goes to the cheapest empty slot, or with `sell_to = high` to the dearest one (B1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.events import Bought, NothingBought, NothingSold, Sold
from rulesets.money_maker.orders import Buy, Sell
from rulesets.money_maker.paying import means, pay
from rulesets.money_maker.prison import earn
from rulesets.money_maker.state import Market, Step, TableState
from rulesets.money_maker.tables import SETUP, TABLES

_PRICES = [slot.price for slot in TABLES.market.slots]
_ROOM = [slot.n for slot in TABLES.market.slots]


def buying_price(market: Market) -> int:
    """What the next buyer pays: the lowest occupied price, 9 from the Natural Reserve; scoring uses it (B22)."""
    return next((price for price, n in zip(_PRICES, market.slots, strict=True) if n), SETUP.reserve_price)


def selling_price(market: Market, sell_to: str) -> int:
    """What the next seller gets: the price of the slot that his good goes to, 1 in a saturated market."""
    return sale_prices(market, 1, sell_to)[0]


def prices_of(market: Market, count: int) -> list[int]:
    """The prices of the next so many goods, the cheapest first; what the market lacks costs 9 each."""
    prices = [price for price, n in zip(_PRICES, market.slots, strict=True) for _ in range(n)][:count]
    return prices + [SETUP.reserve_price] * (count - len(prices))


def sale_prices(market: Market, count: int, sell_to: str) -> list[int]:
    """What so many goods bring, one after the other (rulebook, Fig. 7)."""
    empty = [price for price, n, room in zip(_PRICES, market.slots, _ROOM, strict=True) for _ in range(room - n)]
    if sell_to == "high":
        empty.reverse()
    return empty[:count] + [SETUP.saturated_price] * (count - len(empty[:count]))


def discard(market: Market, count: int) -> int:
    """Up to so many goods, the cheapest first, to the Natural Reserve; returns how many there were."""
    taken = _take(market, count)
    market.reserve += taken
    return taken


def fill(market: Market, count: int, sell_to: str) -> int:
    """Goods into the market's empty slots; returns how many found one.  The others are for the Natural Reserve."""
    filled = 0
    places = range(len(_PRICES)) if sell_to == "low" else range(len(_PRICES) - 1, -1, -1)
    for place in places:
        some = min(count - filled, _ROOM[place] - market.slots[place])
        market.slots[place] += some
        filled += some
    return filled


def _take(market: Market, count: int) -> int:
    taken = 0
    for place, n in enumerate(market.slots):
        some = min(n, count - taken)
        market.slots[place] -= some
        taken += some
    return taken


def buy(state: TableState, seat: Seat, line: Buy) -> Iterator[Event]:
    """Up to four goods of a colour in a turn, those from the Reserve too (B27), each at the line's price or less."""
    market = state.markets[line.colour]
    bought = state.facts.bought
    most = min(line.count, state.facts.limit - bought[line.colour], sum(market.slots) + market.reserve)
    affordable = means(state, seat)
    prices: list[int] = []
    for price in prices_of(market, max(0, most)):
        if price > line.price or sum(prices) + price > affordable:
            break
        prices.append(price)
    if not prices:
        yield NothingBought(
            only=seat, colour=line.colour, price=line.price, market=buying_price(market), left=max(0, most)
        )
        return
    payment = pay(state, seat, sum(prices))
    market.reserve -= len(prices) - _take(market, len(prices))
    bought[line.colour] += len(prices)
    state.banks[seat].goods[line.colour] += len(prices)
    yield Bought(seat=seat, colour=line.colour, prices=tuple(prices), payment=payment)


def most_to_sell(line: Sell, held: int, prices: Sequence[int]) -> int:
    """The largest number up to the line's whose receipts are at least its price each; 0 if there is none (B1)."""
    most = max(0, held - (line.keep or 0))
    if line.count is not None:
        most = min(most, line.count)
    least = line.price or 0
    return next((n for n in range(most, 0, -1) if sum(prices[:n]) >= least * n), 0)


def sell(state: TableState, seat: Seat, line: Sell) -> Iterator[Event]:
    """Goods to the market, gold from the Reserve; a payment that leaves it at 0 brings a bank run at once (B9)."""
    market, goods = state.markets[line.colour], state.banks[seat].goods
    prices = sale_prices(market, goods[line.colour], state.options.sell_to)
    count = most_to_sell(line, goods[line.colour], prices)
    if not count:
        if line.keep is None or goods[line.colour] > line.keep:  # else nothing is over, as the line foresees
            yield NothingSold(only=seat, colour=line.colour, held=goods[line.colour])
        return
    goods[line.colour] -= count
    market.reserve += count - fill(market, count, state.options.sell_to)
    earned = earn(state, seat, sum(prices[:count]))
    yield Sold(
        seat=seat,
        colour=line.colour,
        prices=tuple(prices[:count]),
        gold=earned.gold,
        against_debt=earned.against_debt,
        owed=earned.owed,
    )
    yield from earned.events
    if earned.empties_the_reserve:
        state.agenda.insert(0, Step(do="run", seat=seat, cause="reserve", owed=earned.owed))
