"""Orders from JSON: strict about every value, and all problems are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import pytest
from pydantic import Field

from judge.core.order_json import parse_orders
from judge.core.orders import Ask, Choice, Notation, Order
from judge.core.text import Text


class Draw(Order):
    """Bonds by their numbers, from one of two banks."""

    notation: ClassVar[Notation] = Notation(write={"en": "bonds {numbers} from {bank}"})
    title: ClassVar[Text] = Text.of("Bonds")
    labels: ClassVar[Mapping[str, Text]] = {"numbers": Text.of("Numbers"), "bank": Text.of("Bank")}

    kind: Literal["draw"] = "draw"
    numbers: tuple[int, ...] = Field(max_length=3)
    bank: str


ASK = Ask((Draw,), Text.of("Which bonds?"), choices={"bank": (Choice("north", "North"), Choice("south", "South"))})


def test_a_json_list_fills_a_field_of_several_values() -> None:
    orders, problems = parse_orders([{"kind": "draw", "numbers": [3, 7], "bank": "north"}], ASK)
    assert problems == []
    assert orders == [Draw(numbers=(3, 7), bank="north")]


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"kind": "draw", "numbers": ["3"], "bank": "north"}, "numbers"),
        ({"kind": "draw", "numbers": [3.5], "bank": "north"}, "numbers"),
        ({"kind": "draw", "numbers": [True], "bank": "north"}, "numbers"),
        ({"kind": "draw", "numbers": 3, "bank": "north"}, "numbers"),
        ({"kind": "draw", "numbers": [1, 2, 3, 4], "bank": "north"}, "numbers"),
        ({"kind": "draw", "numbers": [1], "bank": "east"}, "bank"),
        ({"kind": "draw", "numbers": [1], "bank": None}, "bank"),
        ({"kind": "draw", "numbers": [10**400], "bank": "north", "more": 1}, "more"),
        ({"kind": "draw", "numbers": [1], "bank": "\ud800"}, None),
        ({"kind": "draw", "numbers": [float("nan")], "bank": "north"}, "numbers"),
        ({"kind": 3}, None),
        ({}, None),
        ("draw", None),
    ],
)
def test_what_does_not_fit_names_its_line_and_field(item: object, field: str | None) -> None:
    orders, problems = parse_orders([{"kind": "draw", "numbers": [], "bank": "south"}, item], ASK)
    assert len(orders) == 1
    assert {problem.line for problem in problems} == {2}
    assert field in [problem.field for problem in problems]
    assert all(problem.text.text for problem in problems)
