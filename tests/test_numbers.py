"""Whole numbers in posts: what is one, and what is asked back about instead of guessed."""

from __future__ import annotations

import pytest

from judge.core.notation import read
from judge.core.numerals import Style
from judge.core.orders import Problem
from tests.market import bid, buying, plain

THOUSAND = bid("X", 3, 1000)


def problem_of(text: str, style: Style = "neutral") -> Problem:
    """The one problem of a post that holds no readable order."""
    reading = read(text, buying(), numbers=style)
    assert reading.orders == ()
    assert reading.intent == "orders"
    (problem,) = reading.problems
    assert not problem.warning
    return problem


@pytest.mark.parametrize("style", ["neutral", "de", "en"])
@pytest.mark.parametrize(
    "number", ["1000", "1 000", "1'000", "1’000", "1_000", "1\u00a0000", "1\u202f000", "１０００", "1000,-"]
)
def test_thousands_that_cannot_be_anything_else(style: Style, number: str) -> None:
    """T226"""
    assert read(f"X:3 zu {number}", buying(), numbers=style).orders == (THOUSAND,)


@pytest.mark.parametrize(("style", "number"), [("de", "1.000"), ("en", "1,000")])
def test_the_style_of_the_game_decides_about_point_and_comma(style: Style, number: str) -> None:
    """T226"""
    assert read(f"X:3 zu {number}", buying(), numbers=style).orders == (THOUSAND,)


@pytest.mark.parametrize(("style", "number"), [("en", "1.000"), ("de", "1,000")])
def test_the_other_style_is_no_whole_number(style: Style, number: str) -> None:
    """T226"""
    problem = problem_of(f"X:3 zu {number}", style)
    assert plain(problem.text) == f"“{number}” is not a whole number here."


@pytest.mark.parametrize(("number", "other"), [("1.000", "1"), ("1,000", "1"), ("1.500", "1.5"), ("12,345", "12,345")])
def test_a_neutral_game_asks_back_and_names_both_readings(number: str, other: str) -> None:
    """T226"""
    whole = number.replace(".", "").replace(",", "")
    problem = problem_of(f"X:3 zu {number}")
    assert plain(problem.text) == f"“{number}” can mean {whole} or {other}: write it without point or comma."


@pytest.mark.parametrize(
    ("style", "number"),
    [("neutral", "1.000.000"), ("de", "1.000.000"), ("neutral", "1,000,000"), ("en", "1,000,000"), ("de", "1 000 000")],
)
def test_a_million_in_groups_is_clear(style: Style, number: str) -> None:
    """T226"""
    assert read(f"X:3 zu {number}", buying(), numbers=style).orders == (bid("X", 3, 1_000_000),)


@pytest.mark.parametrize(
    "number",
    [
        "40.5",
        "40,5",
        "40.00",
        "40,00",
        "1.00",
        "0.500",
        "1.0000",
        "1.000,00",
        "1,000.00",
        "1.000'000",
        "1'00",
        "12.10.2026",
        "1e3",
        "4k",
        "4K",
        "40%",
        "½",
        "40½",
        "4³",
        "³",
        "①",
        "Ⅳ",
        "+40",
        "-40",
        "−40",
        "±40",
        "40-42",
        "40–42",
        "40 bis 42",
        "40 to 42",
        "40 oder 42",
        "ca. 40",
        "ca 40",
        "~40",
        "≈ 40",
        "<40",
        "max. 40",
        "etwa 40",
        "about 40",
        "vierzig",
        "zweiundvierzig",
        "forty",
        "四十",
        "40?",
        "?",
        "0x28",
        "40/2",
        "1⁄2",
        "9" * 5000,
        "1." * 3000,
    ],
)
@pytest.mark.parametrize("style", ["neutral", "de", "en"])
def test_what_is_no_plain_number_is_told_with_the_right_form(style: Style, number: str) -> None:
    """T226"""
    problem = problem_of(f"X:3 zu {number}", style)
    assert (problem.line, problem.right) == (1, "X:3 at 40")
    assert len(plain(problem.text)) < 300


@pytest.mark.parametrize(
    "text", ["X:1 2 zu 40", "X:3 000 zu 40 00", "X:0 500 zu 40", "X:1234 567 zu 40", "X:1  000 zu 40"]
)
def test_digits_with_blanks_between_them_are_joined_only_in_groups_of_three(text: str) -> None:
    """T226"""
    assert not problem_of(text).warning


def test_the_comma_between_two_digits_separates_no_orders() -> None:
    """T226"""
    reading = read("X:3 zu 40,5 F zu 30", buying())
    assert any(not problem.warning for problem in reading.problems)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("X:0 zu 40", "Units: 0 was read, at least 1 is needed."),
        ("X:19 zu 40", "Units: 19 was read, at most 18 is allowed."),
        ("X:3 zu 0", "Price per unit: 0 was read, at least 1 is needed."),
    ],
)
def test_a_number_out_of_bounds_is_told_with_the_bound(text: str, said: str) -> None:
    problem = problem_of(text)
    assert plain(problem.text) == said
    assert (problem.line, problem.quote) == (1, text)
    assert problem.right == "X:3 at 40"
