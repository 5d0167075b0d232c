"""Purchasing raw materials: caps, who buys and who does not, money, loans, partial purchases."""

from __future__ import annotations

import pytest

from rulesets.commodity_market import ruleset
from rulesets.commodity_market.events import LoanTaken
from tests.commodity_market import cash, orders, position, prices, problems, said, told, turn


@pytest.mark.parametrize(("players", "cap"), [(2, 18), (3, 12), (4, 9), (5, 7), (6, 6)])
def test_the_cap_is_on_the_entire_order(players: int, cap: int) -> None:
    state = position(players)
    half = cap // 2
    assert problems(state, "Ben", f"X {half} 60, F {cap - half} 60, S 1 60")
    assert [problem.warning for problem in problems(state, "Ben", f"X {half} 60, F {cap - half} 60")] in ([], [True])


def test_an_order_of_27_units_is_told_what_was_counted_and_what_is_allowed() -> None:
    found = problems(position(), "Ben", "X 9 49, F 9 39, S 9 29")
    assert said(found)[0] == "Your order is 27 units in all; with 4 players at most 9 in all are allowed."
    assert said(found, "de")[0] == (
        "Deine Bestellung umfasst 27 Einheiten; bei vier Spielern sind insgesamt höchstens 9 erlaubt."
    )
    assert [problem.warning for problem in found] == [False, True]


def test_one_line_of_27_units_is_told_the_same() -> None:
    assert said(problems(position(), "Ben", "X 27 57"))[0].startswith("Your order is 27 units in all; with 4 players")


def test_all_problems_of_an_order_are_told() -> None:
    """T014."""
    found = [problem for problem in problems(position(), "Ben", "X 9 1, F 9 2") if not problem.warning]
    assert [problem.field for problem in found] == ["price", "price", "units"]


def test_two_players_may_order_twelve_of_a_grade() -> None:
    state = position(2)
    assert said(problems(state, "Ben", "S 13 30")) == [
        "Your order is 13 units of Standard; with 2 players at most 12 of one grade are allowed."
    ]
    assert problems(state, "Ben", "S 12 30, F 6 30") == []


def test_a_bid_at_the_market_price_buys_all_its_units_at_its_own_price() -> None:
    """T132: whoever bids more pays more."""
    after, events = turn(position(), Anna="X 3 37", Ben="X 4 45")
    assert after.prices["X"] == 37
    assert cash(after)[:2] == [450 - 3 * 37, 450 - 4 * 45]
    assert "Ben bought 4 X-Fine at 45 (market 37)." in told(events)


def test_a_bid_under_the_market_price_buys_nothing_and_counts_nevertheless() -> None:
    """T133."""
    after, events = turn(position(), Anna="X 5 38", Ben="X 5 40, F 1 30")
    assert after.prices["X"] == 40
    assert after.players["Anna"] == position().players["Anna"]
    assert "Anna bid 38 for 5 X-Fine and got none (market 40)." in told(events)


def test_whoever_cannot_pay_for_all_that_succeeded_buys_nothing() -> None:
    """T131: each purchase is affordable, the sum is not; all are void, and the prices have moved."""
    after, events = turn(position(), Anna="X 4 60, F 3 50, S 2 40", Ben="X 2 45")
    assert prices(after, "XFS") == [36, 23, 12]
    assert after.players["Anna"] == position().players["Anna"]
    assert "Anna could not pay $470 with $450 and bought nothing." in told(events)
    assert after.players["Ben"].stock["X"] == 2


def test_bids_that_fail_need_no_money() -> None:
    after, _ = turn(position(), Anna="X 8 39, F 1 200", Ben="X 3 60")
    assert after.prices["X"] == 41
    assert after.players["Anna"].cash == 250


def test_the_last_dollar_may_be_spent() -> None:
    after, _ = turn(position(), Anna="X 9 50")
    assert after.players["Anna"].cash == 0
    assert after.players["Anna"].stock["X"] == 9


def test_a_player_without_money_is_asked_and_moves_prices() -> None:
    """T136."""
    state = position(given={"players": {"Cem": {"cash": 0}}})
    assert ruleset.asks(state)["Cem"].forced is None
    after, _ = turn(state, Cem="X 9 60")
    assert after.prices["X"] == 39
    assert after.players["Cem"] == state.players["Cem"]


def test_a_set_dearer_than_cash_is_legal_and_warned_of() -> None:
    found = problems(position(), "Anna", "X 9 51")
    assert [problem.warning for problem in found] == [True]
    assert said(found) == [
        "If all bids succeed, they cost 459, 9 more than your cash of 450. Then you buy nothing at all this month."
    ]


def test_with_loans_the_warning_says_what_it_costs() -> None:
    (warning,) = said(problems(position(loans=True), "Anna", "X 9 51"))
    assert "borrow what is missing in steps of 100 and repay 125 for each at the end" in warning


@pytest.mark.parametrize(("price", "debt", "left"), [(50, 0, 0), (51, 100, 91), (61, 100, 1), (62, 200, 92)])
def test_loans_come_in_hundreds_and_only_as_many_as_are_missing(price: int, debt: int, left: int) -> None:
    after, events = turn(position(loans=True), Anna=f"X 9 {price}")
    sheet = after.players["Anna"]
    assert (sheet.stock["X"], sheet.debt, sheet.cash) == (9, debt, left)
    assert [event.amount for event in events if isinstance(event, LoanTaken)] == ([debt] if debt else [])


def test_exactly_a_hundred_missing_is_one_loan() -> None:
    after, _ = turn(position(given={"players": {"Anna": {"cash": 350}}}, loans=True), Anna="X 9 50")
    assert (after.players["Anna"].debt, after.players["Anna"].cash) == (100, 0)


def test_loans_add_up() -> None:
    state = position(2, {"players": {"Anna": {"cash": 0}}}, loans=True)
    state, _ = turn(state, Anna="X 4 40")
    state, _ = turn(state)
    state, events = turn(state, Anna="X 4 34")
    assert state.players["Anna"].debt == 300
    assert state.players["Anna"].cash == 200 - 160 + 100 - 136
    assert "Anna borrowed $100 from the Broker." in told(events)


@pytest.mark.parametrize(("price", "bought"), [(42, 4), (41, 3), (40, 2), (39, 1), (38, 0), (36, 0)])
def test_partial_purchases_lose_a_unit_for_each_dollar(price: int, bought: int) -> None:
    after, _ = turn(position(partial_purchase=True), Anna=f"X 4 {price}", Ben="X 8 50")
    assert after.prices["X"] == 42
    assert after.players["Anna"].stock["X"] == bought
    assert after.players["Anna"].cash == 450 - bought * price


def test_with_partial_purchases_only_what_is_bought_is_paid() -> None:
    state = position(given={"prices": {"X": 100}, "players": {"Anna": {"cash": 300}}}, partial_purchase=True)
    after, _ = turn(state, Anna="X 5 98", Ben="X 4 100", Cem="X 1 100")
    assert after.players["Anna"].stock["X"] == 3
    assert after.players["Anna"].cash == 300 - 3 * 98


def test_partial_purchases_and_loans_together() -> None:
    state = position(given={"players": {"Anna": {"cash": 10}}}, partial_purchase=True, loans=True)
    after, _ = turn(state, Anna="X 4 41", Ben="X 8 50")
    sheet = after.players["Anna"]
    assert (sheet.stock["X"], sheet.debt, sheet.cash) == (3, 200, 10 + 200 - 123)


def test_arrival_does_not_matter() -> None:
    """T141: the same orders in any order, of seats and of lines, make the same month."""
    one, _ = turn(position(), Anna="X 4 40, F 2 30", Ben="F 3 33", Cem="X 6 41")
    other, _ = turn(position(), Cem="X 6 41", Ben="F 3 33", Anna="F 2 30, X 4 40")
    assert one == other


def test_of_two_lines_for_a_grade_the_later_counts() -> None:
    after, _ = turn(position(), Anna="X 4 60, X 2 50")
    assert after.players["Anna"].stock["X"] == 2
    assert after.prices["X"] == 32


def test_goods_cannot_be_offered_while_materials_are_bought() -> None:
    found = list(ruleset.check(position(), "Anna", orders("A 1 140")))
    assert [(problem.line, problem.field, problem.warning) for problem in found] == [(1, "kind", False)]
