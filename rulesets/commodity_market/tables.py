"""The printed board: opening prices, Market Calculator, Production Chart, cash and order caps.

The numbers are in market.toml; here they get their names and their shape.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent

Grade = Literal["X", "F", "S"]
"""A grade of Raw Materials; one certificate stands for one unit."""

Good = Literal["A", "B", "C"]
"""A kind of Finished Goods."""

Letter = Literal["X", "F", "S", "A", "B", "C"]

GRADES: tuple[Grade, ...] = ("X", "F", "S")
GOODS: tuple[Good, ...] = ("A", "B", "C")
LETTERS: tuple[Letter, ...] = (*GRADES, *GOODS)

MOST_UNITS = 999
"""The most units that one line can name.  What is allowed is less, and told with what it depends on."""

HIGHEST_PRICE = 999_999
"""The most that a bid or an offer may name: the rulebook has no bound, and this is far above all that anybody owns."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Calculator(_Table):
    """One section of the Market Calculator: how a price moves by what everybody orders or offers."""

    none: int
    each: int

    def change(self, units: int) -> int:
        return self.none + self.each * units


class Seating(_Table):
    """What depends on the number of players: cash at the start, and how many units one order may hold."""

    cash: int
    order: int
    grade: int


class Loan(_Table):
    step: int
    repaid: int


class Calculators(_Table):
    grades: Calculator
    goods: Calculator


class Floor(_Table):
    price: int


class Tables(_Table):
    opening: dict[Letter, int]
    calculator: Calculators
    floor: Floor
    production: dict[Good, dict[Grade, int]]
    loan: Loan
    seating: dict[int, Seating]


TABLES = Tables.model_validate(tomllib.loads((FOLDER / "market.toml").read_text(encoding="utf-8")))
