"""What can be made from which certificates, against the Production Chart tried out in every way."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

from hypothesis import given
from hypothesis import strategies as st

from rulesets.commodity_market.production import (
    CHART,
    can_make,
    can_make_any,
    manufacture,
    most_of,
    possible_offers,
)
from rulesets.commodity_market.tables import GOODS, GRADES, Good, Grade

STANDS_IN: dict[Grade, tuple[Grade, ...]] = {"X": ("X",), "F": ("F", "X"), "S": ("S", "F")}
"""What may be handed in for a certificate of a grade (rulebook, "Manufacturing")."""


def ways(good: Good) -> set[tuple[Grade, ...]]:
    """Every triple of certificates that one unit can be made of, from the chart and the two substitutions."""
    slots = [grade for grade in GRADES for _ in range(CHART[good][grade])]
    return {tuple(sorted(triple)) for triple in product(*(STANDS_IN[slot] for slot in slots))}


def mixes(units: tuple[int, int, int]) -> set[tuple[int, int, int]]:
    """Every number of X, F and S that the goods together can be made of."""
    choices = [
        combinations_with_replacement(sorted(ways(good)), count) for good, count in zip(GOODS, units, strict=True)
    ]
    found = set()
    for parts in product(*choices):
        count = Counter(certificate for part in parts for triple in part for certificate in triple)
        found.add((count["X"], count["F"], count["S"]))
    return found


def named(units: tuple[int, int, int]) -> dict[Good, int]:
    return dict(zip(GOODS, units, strict=True))


def holding(stock: tuple[int, int, int]) -> dict[Grade, int]:
    return dict(zip(GRADES, stock, strict=True))


def test_ways_to_make_one_unit() -> None:
    assert ways("A") == {("F", "X", "X"), ("X", "X", "X")}
    assert ways("C") == {
        ("F", "S", "S"),
        ("S", "S", "X"),
        ("F", "F", "S"),
        ("F", "S", "X"),
        ("F", "F", "F"),
        ("F", "F", "X"),
    }


def test_the_sums_say_exactly_what_the_chart_allows() -> None:
    """Brute force: every offer of up to three units a good, from every stock of up to seven certificates a grade."""
    for units in product(range(4), repeat=3):
        possible = mixes(units)
        for stock in product(range(8), repeat=3):
            made = any(all(need <= have for need, have in zip(mix, stock, strict=True)) for mix in possible)
            assert can_make(named(units), holding(stock)) == made, (units, stock)


def test_certificates_leave_with_the_fewest_substitutions() -> None:
    """Brute force: of all ways that the stock allows, the one that substitutes least, and it is the only one."""
    for units in product(range(3), repeat=3):
        exact = {grade: sum(CHART[good][grade] * count for good, count in named(units).items()) for grade in GRADES}
        for stock in product(range(7), repeat=3):
            fitting = [mix for mix in mixes(units) if all(need <= have for need, have in zip(mix, stock, strict=True))]
            if not fitting:
                continue
            # X stands in for F, and F for S, as often as there are more X, or fewer S, than the chart asks.
            costs = {mix: (mix[0] - exact["X"]) + (exact["S"] - mix[2]) for mix in fitting}
            best = [mix for mix, cost in costs.items() if cost == min(costs.values())]
            used = manufacture(named(units), holding(stock))
            assert [tuple(used.certificates.values())] == best
            assert used.x_for_f + used.f_for_s == costs[best[0]]


STOCKS = st.fixed_dictionaries({grade: st.integers(0, 40) for grade in GRADES})


@given(STOCKS, st.data())
def test_whatever_is_sold_of_a_possible_offer_can_be_made(stock: dict[Grade, int], data: st.DataObject) -> None:
    offer = {good: data.draw(st.integers(0, most_of(good, stock))) for good in GOODS}
    if not can_make(offer, stock):
        return
    sold = {good: data.draw(st.integers(0, count)) for good, count in offer.items()}
    used = manufacture(sold, stock).certificates
    assert sum(used.values()) == 3 * sum(sold.values())
    assert all(0 <= used[grade] <= stock[grade] for grade in GRADES)


@given(STOCKS)
def test_most_of_a_good_can_be_made_and_one_more_cannot(stock: dict[Grade, int]) -> None:
    for good in GOODS:
        most = most_of(good, stock)
        assert can_make({good: most}, stock)
        assert not can_make({good: most + 1}, stock)


@given(st.fixed_dictionaries({grade: st.integers(0, 6) for grade in GRADES}))
def test_whoever_can_make_any_has_an_offer_to_give(stock: dict[Grade, int]) -> None:
    offers = [offer for offer in possible_offers(stock) if any(offer.values())]
    assert can_make_any(stock) == bool(offers)


def test_substitutes_may_meet_in_one_unit() -> None:
    assert manufacture({"C": 1}, {"X": 1, "F": 2, "S": 0}).certificates == {"X": 1, "F": 2, "S": 0}
    assert manufacture({"A": 1}, {"X": 3, "F": 0, "S": 0}).certificates == {"X": 3, "F": 0, "S": 0}
    assert not can_make({"B": 1}, {"X": 3, "F": 0, "S": 0})
