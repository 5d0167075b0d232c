"""Selling finished goods: who sells, over-offers, partial sales, the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.commodity_market import ruleset
from rulesets.commodity_market.state import MarketState
from tests.commodity_market import cash, orders, position, prices, problems, said, stock, told, turn


def selling(
    players: int = 2, month: int = 1, options: dict[str, Any] | None = None, **stocks: dict[str, Any]
) -> MarketState:
    """A position before selling, with these certificates."""
    given = {"phase": "sell", "month": month, "players": stocks}
    return position(players, given, **(options or {}))


def test_an_offer_at_the_market_price_sells_at_its_own_price() -> None:
    after, events = turn(selling(Anna=stock(4, 2), Ben=stock(2, 1)), Anna="A 2 100", Ben="A 1 145")
    assert after.prices["A"] == 145
    assert cash(after) == [1100, 1045]
    assert told(events)[3:5] == ["Anna sold 2 A at 100 (market 145).", "Anna handed in 4 X-Fine and 2 Fine."]


def test_an_offer_over_the_market_price_sells_nothing_and_counts_nevertheless() -> None:
    after, events = turn(selling(Anna=stock(4, 2)), Anna="A 2 148")
    assert after.prices["A"] == 147
    assert after.players["Anna"].stock == {"X": 4, "F": 2, "S": 0}
    assert after.players["Anna"].cash == 900
    assert "Anna asked 148 for 2 A and sold none (market 147)." in told(events)


def test_one_side_is_enough_since_the_broker_is_the_other() -> None:
    """T138: nobody needs a partner here; who buys or sells alone deals with the Broker, whatever the others say."""
    bought, events = turn(position(), Anna="X 2 40, F 1 30")
    assert "Anna bought 2 X-Fine at 40 (market 32)." in told(events)
    assert "Ben ordered nothing." in told(events)
    sold, events = turn(bought, Anna="A 1 149")
    assert "Anna sold 1 A at 149 (market 149)." in told(events)
    assert sum(cash(sold)) == sum(cash(bought)) + 149
    assert cash(sold)[1:] == cash(bought)[1:]


def test_equal_bids_all_buy() -> None:
    after, _ = turn(position(), Anna="X 4 40", Ben="X 4 40", Cem="X 2 40")
    assert [sheet.stock["X"] for sheet in after.players.values()] == [4, 4, 2, 0]


def test_a_price_may_be_as_high_as_anybody_likes() -> None:
    """The rulebook knows the lowest bid and no highest: a loan pays for it, and goods may be priced not to sell."""
    bought, _ = turn(position(loans=True), Anna="X 2 12345")
    assert (bought.players["Anna"].cash, bought.players["Anna"].debt) == (60, 24300)
    offered, _ = turn(selling(Anna=stock(2, 1)), Anna="A 1 100000")
    assert offered.players["Anna"].stock == {"X": 2, "F": 1, "S": 0}


def test_unsold_certificates_carry_over() -> None:
    state, _ = turn(selling(Anna=stock(4, 2)), Anna="A 2 999")
    state, _ = turn(state)
    assert state.phase == "sell"
    after, _ = turn(state, Anna="A 2 150")
    assert after.players["Anna"].cash == 1200


def test_an_over_offer_is_refused_with_the_numbers() -> None:
    state = selling(Anna=stock(5, 4, 3))
    assert said(problems(state, "Anna", "A 3 140")) == [
        "Your offer needs 6 X-Fine, which nothing replaces; you have 5. So not all of it can be made."
    ]
    (german,) = said(problems(state, "Anna", "C 4 90"), "de")
    assert german.startswith("Dein Angebot braucht 8 Standard oder ersatzweise Fine; Du hast von beiden zusammen 7.")
    assert problems(state, "Anna", "A 2 140, B 1 115, C 1 90") == []


def test_all_that_is_missing_for_an_offer_is_told() -> None:
    found = said(problems(selling(Anna=stock(1, 1, 1)), "Anna", "A 1 140, C 1 90"))
    assert len(found) == 3
    assert found[-1].startswith("Your offer needs 6 certificates, three for each unit; you have 3.")


def test_under_strict_rules_an_over_offer_is_warned_of_accepted_and_punished() -> None:
    state = selling(options={"strict": True}, Anna=stock(5, 4, 3), Ben=stock(2, 2, 2))
    found = problems(state, "Anna", "A 3 100")
    assert [problem.warning for problem in found] == [True]
    assert said(found)[0].endswith("If it stays like this, you sell nothing this month.")
    after, events = turn(state, Anna="A 3 100, C 1 80", Ben="C 1 99")
    assert prices(after, "ABC") == [151, 126, 99]
    assert after.players["Anna"] == state.players["Anna"]
    assert after.players["Ben"].cash == 999
    assert (
        "Anna offered 3 A and 1 C, which cannot be made from 5 X-Fine, 4 Fine and 3 Standard, and sold nothing."
        in told(events)
    )


def test_strict_rules_still_refuse_caps_and_minimum_bids() -> None:
    assert not problems(position(strict=True), "Anna", "X 10 50")[0].warning
    assert not problems(position(strict=True), "Anna", "X 4 1")[0].warning


def test_whoever_can_make_nothing_passes_by_force() -> None:
    """T008, as the commodity market has it: the empty offer is the only one."""
    asks = ruleset.asks(selling(3, Anna=stock(3), Ben=stock(2), Cem=stock(0, 0, 9)))
    assert [ask.forced for ask in asks.values()] == [None, (), ()]
    _, events = turn(selling(3, Anna=stock(3), Ben=stock(2), Cem=stock(0, 0, 9)), Anna="A 1 140")
    assert "Ben could not make a single unit: a forced pass." in told(events)


def test_offering_nothing_is_not_a_forced_pass() -> None:
    """T309."""
    _, events = turn(selling(Anna=stock(3)))
    assert "Anna offered nothing." in told(events)


@pytest.mark.parametrize(
    ("price", "sold"), [(133, 4), (134, 3), (135, 3), (136, 2), (137, 2), (138, 1), (139, 1), (140, 0), (200, 0)]
)
def test_partial_sales_lose_a_unit_for_two_dollars_begun(price: int, sold: int) -> None:
    state = selling(options={"partial_sale": True}, Anna=stock(8, 4), Ben=stock(10, 5))
    after, _ = turn(state, Anna=f"A 4 {price}", Ben="A 5 1")
    assert after.prices["A"] == 133
    assert after.players["Anna"].cash == 900 + sold * price
    assert after.players["Anna"].stock == {"X": 8 - 2 * sold, "F": 4 - sold, "S": 0}


def test_partial_sales_take_exact_materials_first() -> None:
    """The set offered needs X-Fine for Fine and Fine for Standard; the part that sells needs neither."""
    state = selling(options={"partial_sale": True}, Anna=stock(4, 5, 3))
    after, _ = turn(state, Anna="A 1 160, B 1 150, C 2 98")
    assert after.prices["C"] == 97
    assert after.players["Anna"].stock == {"X": 4, "F": 4, "S": 1}


def test_a_month_ends_with_its_selling() -> None:
    state, _ = turn(position(2))
    assert (state.month, state.phase) == (1, "sell")
    state, _ = turn(state)
    assert (state.month, state.phase) == (2, "buy")


def test_the_last_month_sells_certificates_and_repays_loans() -> None:
    sheets = {"Anna": {**stock(2, 1), "debt": 300}, "Ben": stock(0, 0, 2)}
    state = position(2, {"phase": "sell", "month": 12, "players": sheets}, loans=True)
    after, events = turn(state)
    assert (after.month, after.phase) == (12, "over")
    assert ruleset.asks(after) == {}
    assert cash(after) == [900 + 2 * 40 + 30 - 375, 900 + 2 * 20]
    assert all(sheet.debt == 0 and not any(sheet.stock.values()) for sheet in after.players.values())
    assert ruleset.standings(after) == [("Ben", 40), ("Anna", -265)]
    assert told(events)[-1] == "The game is over: Ben wins with a profit of $40."


def test_cash_may_end_below_zero() -> None:
    state = position(2, {"phase": "sell", "month": 12, "players": {"Anna": {"cash": 0, "debt": 400}}}, loans=True)
    after, _ = turn(state)
    assert after.players["Anna"].cash == -500


def test_equal_profits_share_the_victory_in_seat_order() -> None:
    after, events = turn(selling(3, month=12, Ben=stock(1), Cem=stock(1)))
    assert ruleset.standings(after) == [("Ben", 40), ("Cem", 40), ("Anna", 0)]
    assert told(events)[-1] == "The game is over: Ben and Cem share the victory with a profit of $40 each."
    assert (
        told(events, "de")[-1] == "Die Partie ist aus: Ben und Cem teilen sich den Sieg mit einem Gewinn von je 40 $."
    )


def test_a_finished_game_takes_no_orders() -> None:
    after, _ = turn(selling(month=12))
    assert said(list(ruleset.check(after, "Anna", orders("X 1 40")))) == [
        "The game is over; nothing can be ordered any more."
    ]
