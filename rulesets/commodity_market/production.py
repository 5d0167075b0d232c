"""Manufacturing: what can be made from which certificates (Production Chart).

X-Fine may stand in for Fine and Fine for Standard, also both in one unit (a C of X + F + F).  All questions about
substitution come down to four straight sums: nothing replaces X-Fine; only X-Fine and Fine replace Fine; only Fine
replaces Standard; and every unit takes three certificates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulesets.commodity_market.tables import GOODS, GRADES, TABLES, Good, Grade

CHART = TABLES.production

CERTIFICATES_PER_UNIT = {good: sum(CHART[good].values()) for good in GOODS}


@dataclass(frozen=True)
class Need:
    """Units of each good × `weights` may be at most the certificates of the `grades` together."""

    grades: tuple[Grade, ...]
    weights: Mapping[Good, int]

    def counted(self, units: Mapping[Good, int]) -> int:
        return sum(self.weights[good] * units.get(good, 0) for good in GOODS)

    def available(self, stock: Mapping[Grade, int]) -> int:
        return sum(stock[grade] for grade in self.grades)


NEEDS = (
    Need(("X",), {good: CHART[good]["X"] for good in GOODS}),
    Need(("X", "F"), {good: CHART[good]["X"] + CHART[good]["F"] for good in GOODS}),
    Need(("F", "S"), {good: CHART[good]["S"] for good in GOODS}),
    Need(GRADES, CERTIFICATES_PER_UNIT),
)
"""Together these say exactly what can be made: an offer that keeps to all four has a way to be manufactured."""


def can_make(units: Mapping[Good, int], stock: Mapping[Grade, int]) -> bool:
    return all(need.counted(units) <= need.available(stock) for need in NEEDS)


def most_of(good: Good, stock: Mapping[Grade, int]) -> int:
    """How many units of this good alone can be made."""
    return min(need.available(stock) // need.weights[good] for need in NEEDS if need.weights[good])


def can_make_any(stock: Mapping[Grade, int]) -> bool:
    return any(most_of(good, stock) for good in GOODS)


@dataclass(frozen=True)
class Manufacture:
    """The certificates that go into some goods, and how many of them stand in for the next lower grade."""

    certificates: Mapping[Grade, int]
    x_for_f: int
    f_for_s: int


def manufacture(units: Mapping[Good, int], stock: Mapping[Grade, int]) -> Manufacture:
    """Exact materials first, then X for F, then F for S: the way with the fewest substitutions, of which there is one.

    Fine stands in only for Standard that is missing, and X-Fine only for the Fine that is then missing; both numbers
    are the least possible at the same time, so no choice is left.
    """
    need = {grade: sum(CHART[good][grade] * units.get(good, 0) for good in GOODS) for grade in GRADES}
    f_for_s = max(0, need["S"] - stock["S"])
    x_for_f = max(0, need["F"] + f_for_s - stock["F"])
    certificates: dict[Grade, int] = {
        "X": need["X"] + x_for_f,
        "F": need["F"] - x_for_f + f_for_s,
        "S": need["S"] - f_for_s,
    }
    return Manufacture(certificates, x_for_f, f_for_s)


def possible_offers(stock: Mapping[Grade, int]) -> Iterator[dict[Good, int]]:
    """Every set of goods that can be made, from nothing up."""
    for a in range(most_of("A", stock) + 1):
        for b in range(most_of("B", stock) + 1):
            for c in range(most_of("C", stock) + 1):
                units: dict[Good, int] = {"A": a, "B": b, "C": c}
                if can_make(units, stock):
                    yield units
