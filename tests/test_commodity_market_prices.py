"""Prices of the commodity market: the calculator, its floor, minimum bids, and the worked examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.playthrough import replay_json
from judge.registry import rulesets
from rulesets.commodity_market.market import changed
from rulesets.commodity_market.tables import GOODS, GRADES
from tests.commodity_market import position, prices, problems, said, stock, told, turn

PLAYTHROUGHS = Path(__file__).parent / "playthroughs" / "commodity-market"


@pytest.mark.parametrize(("units", "change"), [(0, -10), (1, -9), (9, -1), (10, 0), (11, 1), (24, 14), (36, 26)])
def test_materials_move_by_units_ordered_less_ten(units: int, change: int) -> None:
    assert {changed(grade, 40, units) for grade in GRADES} == {40 + change}


@pytest.mark.parametrize(("units", "change"), [(0, 11), (1, 9), (5, 1), (6, -1), (10, -9), (16, -21), (20, -29)])
def test_goods_move_by_eleven_less_twice_the_units_offered(units: int, change: int) -> None:
    assert {changed(good, 140, units) for good in GOODS} == {140 + change}


def test_no_price_falls_under_one_dollar() -> None:
    assert changed("S", 8, 0) == 1
    assert changed("S", 1, 0) == 1
    assert changed("C", 5, 9) == 1


def test_a_price_on_the_floor_rises_from_there() -> None:
    """ "Stabilized at $1 until demand forces the price up again" (rulebook)."""
    assert changed("S", 1, 13) == 4


def test_demand_at_the_threshold_changes_nothing() -> None:
    """T134."""
    after, events = turn(position(), Anna="X 5 40", Ben="X 5 40")
    assert after.prices["X"] == 40
    assert told(events)[0] == "X-Fine: 10 ordered, still 40."


def test_worked_example_of_january() -> None:
    after, _ = turn(position(), Anna="X 5 43", Ben="X 4 42, F 2 25", Cem="X 3 41, F 3 30")
    assert prices(after, "XFS") == [42, 25, 10]


def test_worked_example_of_a_bid_that_fails() -> None:
    after, _ = turn(position(3), Anna="X 2 40, F 4 35, S 6 23", Ben="X 5 45, F 4 35, S 1 17", Cem="X 4 41, F 7 34")
    assert prices(after, "XFS") == [41, 35, 17]
    assert after.players["Anna"].cash == 600 - 278
    assert after.players["Anna"].stock == {"X": 0, "F": 4, "S": 6}


def test_worked_example_of_goods() -> None:
    sellers = {"Anna": stock(8, 4), "Ben": stock(6, 3), "Cem": stock(0, 3, 6), "Dora": stock(0, 2, 4)}
    after, _ = turn(
        position(given={"phase": "sell", "players": sellers}), Anna="A 4 1", Ben="A 3 1", Cem="C 3 1", Dora="C 2 1"
    )
    assert prices(after, "ABC") == [137, 126, 91]


def test_worked_example_of_a_good_that_stays() -> None:
    sellers = {"Anna": stock(5, 4, 3), "Ben": stock(4, 4, 4), "Cem": stock(0, 3, 6)}
    after, _ = turn(
        position(3, {"phase": "sell", "players": sellers}),
        Anna="A 2 143, B 1 120, C 1 93",
        Ben="A 2 140, C 2 89",
        Cem="C 3 88",
    )
    assert prices(after, "ABC") == [143, 124, 89]
    assert after.players["Anna"].cash == 600 + 406
    assert after.players["Anna"].stock == {"X": 0, "F": 1, "S": 2}


def test_the_new_price_is_where_the_next_month_starts() -> None:
    state, _ = turn(position(2), Anna="X 2 40")
    state, _ = turn(state)
    state, _ = turn(state, Anna="X 2 40")
    assert state.prices["X"] == 40 - 8 - 8


def test_minimum_bid_is_the_price_if_nobody_else_ordered() -> None:
    state = position()
    assert said(problems(state, "Anna", "X 4 33")) == [
        "4 X-Fine at 33: the minimum bid for 4 of them is 34, the price if nobody else ordered any (last price 40)."
    ]
    assert problems(state, "Anna", "X 4 34") == []


def test_minimum_bid_names_line_and_field() -> None:
    (problem,) = problems(position(), "Anna", "X 1 40, F 5 24")
    assert (problem.line, problem.field, problem.warning) == (2, "price", False)


def test_minimum_bid_is_at_least_a_dollar() -> None:
    assert problems(position(given={"prices": {"S": 3}}), "Anna", "S 2 1") == []


@pytest.mark.parametrize(
    ("file", "turns_cash"),
    [
        ("january-prices", [235, 232, 360, 450]),
        ("bids-that-fail", [322, 218, 436]),
        ("goods-that-stay", [1006, 1058, 864]),
        ("loans", [250, 272, 450, 441]),
        ("all-options", [376, 402, 601]),
        ("negative-end", [900, -946]),
    ],
)
def test_playthroughs_end_with_the_cash_worked_out_by_hand(file: str, turns_cash: list[int]) -> None:
    game = replay_json((PLAYTHROUGHS / f"{file}.txt").read_text(encoding="utf-8"), rulesets())
    assert [sheet["cash"] for sheet in game["turns"][-1]["state"]["players"].values()] == turns_cash


def test_public_state_has_exactly_the_documented_keys() -> None:
    game = replay_json((PLAYTHROUGHS / "one-month.txt").read_text(encoding="utf-8"), rulesets())
    state = json.loads(json.dumps(game["turns"][-1]["state"]))
    assert state == {
        "month": 1,
        "phase": "over",
        "prices": {"X": 36, "F": 27, "S": 18, "A": 147, "B": 122, "C": 97},
        "players": {
            "Anna": {"cash": 504, "stock": {"X": 0, "F": 0, "S": 0}, "debt": 0},
            "Ben": {"cash": 501, "stock": {"X": 0, "F": 0, "S": 0}, "debt": 0},
            "Cem": {"cash": 448, "stock": {"X": 0, "F": 0, "S": 0}, "debt": 0},
            "Dora": {"cash": 450, "stock": {"X": 0, "F": 0, "S": 0}, "debt": 0},
        },
    }
    assert game["standings"] == [["Anna", 54], ["Ben", 51], ["Dora", 0], ["Cem", -2]]
