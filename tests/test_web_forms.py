"""Forms are made from order models and Options, and say no less and no more than they do."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest
from pydantic import Field as Bounded

from judge.core.order_json import parse_orders
from judge.core.orders import Ask, Choice, Notation, Order, Problem
from judge.core.ruleset import Options
from judge.core.text import Text
from judge.registry import rulesets
from judge.web.fields import fields, whole_number
from judge.web.forms import order_form, read_form, typed_orders


class Bid(Order):
    """So many units of a good."""

    kind: Literal["bid"] = "bid"
    notation: ClassVar = Notation(write={"en": "{good}:{units} at {price}", "de": "{good}:{units} zu {price}"})
    title: ClassVar = Text.of("Bids")
    subject: ClassVar = ("good",)
    good: str
    units: int = Bounded(ge=1, le=18)
    price: int = Bounded(ge=1)


class Move(Order):
    """From somewhere to somewhere else."""

    kind: Literal["move"] = "move"
    notation: ClassVar = Notation(write={"en": "{origin} to {target}", "de": "{origin} nach {target}"})
    title: ClassVar = Text.of("Moves")
    origin: str
    target: str
    quietly: bool = False


class Rest(Order):
    """Nothing to fill in: given or not."""

    kind: Literal["rest"] = "rest"
    notation: ClassVar = Notation(write={"en": "rest", "de": "rasten"})
    title: ClassVar = Text.of("Rest")


TOWNS = (Choice("oslo", "Oslo"), Choice("bonn", "Bonn"))
ASK = Ask(
    kinds=(Bid, Move, Rest),
    prompt=Text.of("Bid and move."),
    choices={"good": (Choice("X", "X-Fine"), Choice("F", "Fine")), "origin": TOWNS, "target": TOWNS},
    facts={"X": ((Text.of("Last price"), 40),)},
)


def test_a_kind_about_one_of_several_things_is_a_tally_with_a_row_for_each() -> None:
    bids = order_form(ASK, {}).sheets[0]
    assert bids.shape == "tally"
    assert [row.subject.value for row in bids.rows if row.subject] == ["X", "F"]
    assert [(field.name, field.control, field.least, field.most) for field in bids.columns] == [
        ("units", "number", 1, 18),
        ("price", "number", 1, None),
    ]
    assert bids.rows[0].facts == ((Text.of("Last price"), 40),)


def test_any_other_kind_is_a_list_with_one_free_line() -> None:
    moves = order_form(ASK, {"move.0.origin": ["oslo"]}).sheets[1]
    assert moves.shape == "lines"
    assert [row.key for row in moves.rows] == ["move.0", "move.1"]
    assert [cell.field.control for cell in moves.rows[0].cells] == ["choice", "choice", "switch"]


def test_orders_stand_in_the_form_and_come_back_as_they_were() -> None:
    orders = [
        Bid(good="F", units=3, price=30),
        Move(origin="oslo", target="bonn"),
        Move(origin="bonn", target="oslo", quietly=True),
        Rest(),
    ]
    read, problems = parse_orders(read_form(ASK, typed_orders(ASK, orders)), ASK)
    assert (read, problems) == (orders, [])


def test_an_empty_form_is_an_empty_set() -> None:
    assert read_form(ASK, {"bid.X.units": [" "], "move.0.origin": [""]}) == []


def test_what_is_no_whole_number_is_left_for_the_judge_to_name() -> None:
    assert read_form(ASK, {"bid.X.units": ["1.000"], "bid.X.price": ["3½"]}) == [
        {"kind": "bid", "good": "X", "units": "1.000", "price": "3½"}
    ]


@pytest.mark.parametrize(
    ("typed", "read"),
    [("3", 3), ("+3", 3), ("-3", -3), ("−3", -3), ("３", 3), ("1,000", "1,000"), ("--3", "--3"), ("9" * 30, "9" * 30)],
)
def test_numbers_are_never_guessed(typed: str, read: int | str) -> None:
    assert whole_number(typed) == read


def test_a_problem_stands_beside_its_field_and_what_was_typed_stays() -> None:
    typed = {"bid.F.units": ["40"], "bid.F.price": ["30"], "move.0.origin": ["oslo"]}
    problems = [
        Problem(Text.of("too many"), line=1, field="units"),
        Problem(Text.of("whither?"), line=2, field="target"),
        Problem(Text.of("all wrong"), line=2),
        Problem(Text.of("in sum too much"), field="units"),
    ]
    form = order_form(ASK, typed, problems)
    units = form.sheets[0].rows[1].cells[0]
    assert (units.value, [problem.text.text for problem in units.problems]) == ("40", ["too many"])
    move = form.sheets[1].rows[0]
    assert [problem.text.text for problem in move.cells[1].problems] == ["whither?"]
    assert [problem.text.text for problem in move.problems] == ["all wrong"]
    assert [problem.text.text for problem in form.problems] == ["in sum too much"]


def test_options_become_inputs_with_bounds_choices_and_defaults() -> None:
    class Rules(Options):
        labels: ClassVar = {"pace.slow": Text.of("Slowly")}
        months: int = Bounded(default=12, ge=1, le=24)
        strict: bool = True
        pace: Literal["slow", "fast"] = "slow"
        name: str | None = Bounded(default=None, max_length=9)

    months, strict, pace, name = fields(Rules)
    assert (months.control, months.least, months.most, months.default) == ("number", 1, 24, 12)
    assert (strict.control, strict.typed(strict.default)) == ("switch", ["on"])
    assert [choice.title for choice in pace.choices] == [Text.of("Slowly"), "fast"]
    assert (name.control, name.longest, name.read([" "]), name.required) == ("text", 9, None, False)


@pytest.mark.parametrize("ruleset", rulesets().values(), ids=lambda ruleset: ruleset.name)
def test_every_game_gets_a_form_for_its_options_and_orders(ruleset) -> None:  # type: ignore[no-untyped-def]
    assert all(field.control for field in fields(ruleset.Options))
    for kind in ruleset.orders:
        assert [field.name for field in fields(kind)] == [name for name in kind.model_fields if name != "kind"]
