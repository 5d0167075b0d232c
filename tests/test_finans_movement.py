"""Finans on the board: throws, cars, forced stops, the Bank's entrance and exit, and jail."""

from __future__ import annotations

import pytest

from judge.core.dice import ScriptedDice
from rulesets.finans.events import Threw
from rulesets.finans.state import FinansOptions, setup
from tests.finans_table import A, B, C, play, position

REST = {B: {"missing": 3}, C: {"missing": 3}}
"""Ben and Cem sit in jail, so that a round is Anna's turn alone."""


def test_the_highest_total_starts_and_those_tied_throw_again() -> None:
    """A26; rulebook, "Setting Up the Game" c."""
    dice = ScriptedDice(b"", throws=[6, 5, 1, 1, 6, 5, 2, 2, 3, 3])
    state = setup([A, B, C], FinansOptions(), dice)
    assert state.first == C
    assert dice.unused() is None
    assert state.order == [C, A, B]
    assert [sheet.cash for sheet in state.players.values()] == [75_000] * 3
    assert {sheet.square for sheet in state.players.values()} == {1}


@pytest.mark.parametrize(
    ("square", "car", "dice", "target"),
    [
        (1, False, [3, 2], 4),
        (1, True, [5, 5], 11),
        (10, True, [2, 3], 15),
        (31, False, [6], 34),
        (30, True, [6, 6], 34),
        (35, True, [4], 39),
        (46, False, [6], 1),
        (44, True, [5], 1),
    ],
)
def test_a_car_throws_two_dice_outside_the_bank_and_everybody_stops_on_34_and_1(
    square: int, car: bool, dice: list[int], target: int
) -> None:
    """A7, A8; rulebook, "Movement"."""
    after = {34: [1, 1], 1: [], 4: []}.get(target, [])
    moves = dice[: 2 if car and not 34 <= square <= 46 else 1]
    state = position({A: {"square": square, "car": car}, **REST}, tips=["gift10"])
    round_ = play(state, dice=[*moves, *after])
    (threw,) = round_.of(Threw)
    assert (threw.origin, threw.square) == (square, target)
    assert round_.state.players[A].square == target


@pytest.mark.parametrize("square", [3, 14, 16, 25, 31, 36, 42])
def test_a_tip_is_drawn_on_its_squares(square: int) -> None:
    """Rulebook, "Market Tip Cards"."""
    state = position({A: {"square": square - 1}, **REST}, tips=["gift40"])
    assert play(state, dice=[1]).gain(A) == 40_000


@pytest.mark.parametrize("square", [9, 19])
def test_news_are_drawn_on_their_squares(square: int) -> None:
    """Rulebook, "Financial News Cards"."""
    state = position({A: {"square": square - 1}, **REST}, news=["N05"])
    assert play(state, dice=[1]).state.face_up == "N05"


@pytest.mark.parametrize("square", [11, 17, 35, 39, 40])
def test_nothing_happens_on_squares_where_something_can_be_done_in_the_next_turn(square: int) -> None:
    """Rulebook, "Buying Properties and Shares", "Building on Property": before the die is thrown, not after it."""
    origin = {35: 34}.get(square, square - 1)
    round_ = play(position({A: {"square": origin}, **REST}), {A: "buy Bookshop\nbuild Cobbler"}, dice=[1])
    assert round_.state.players[A].square == square
    assert round_.gain(A) == (-20_000 if origin >= 35 else 0)


def test_a_car_can_be_bought_and_sold_before_the_throw_and_sold_after_it() -> None:
    """Rulebook, "Buying a Car": 50,000 before the throw, 25,000 back at any time; one car at most."""
    bought = play(position(REST), {A: "buy car"}, dice=[5, 6])
    assert bought.gain(A) == -50_000
    assert bought.state.players[A].car
    sold = play(position({A: {"car": True, "square": 5}, **REST}), {A: "after: sell car"}, dice=[3, 3])
    assert sold.gain(A) == 25_000
    slow = play(position({A: {"car": True, "square": 5}, **REST}), {A: "sell car"}, dice=[6])
    assert slow.state.players[A].square == 11
    second = play(position({A: {"car": True, "square": 5}, **REST}), {A: "buy car"}, dice=[3, 3])
    assert "Anna: “buy a car” is skipped: Nobody has more than one car." in second.told


@pytest.mark.parametrize(
    ("face_up", "dice", "bonus"), [(None, [2, 5], 35_000), ("N01", [2, 5], 70_000), ("N02", [2, 5], 10_000)]
)
def test_the_bonus_at_the_entrance(face_up: str | None, dice: list[int], bonus: int) -> None:
    """Rulebook, "Bank Entrance Square": 5,000 a pip; doubled in good times, the lower die alone in bad ones."""
    state = position({A: {"square": 33}, **REST}, face_up=face_up)
    assert play(state, dice=[1, *dice]).gain(A) == bonus


def test_on_square_1_interest_comes_before_the_tip() -> None:
    """A12: the loan's interest is paid before the gift arrives."""
    round_ = play(position({A: {"square": 46, "loans": 2}, **REST}, tips=["gift20"]), dice=[3])
    assert round_.gain(A) == -10_000 + 20_000
    assert [line for line in round_.told if "interest" in line or "tip" in line] == [
        "Anna pays 10,000 Cr interest.",
        "Anna draws a market tip: Bank pays you 20,000.",
    ]


@pytest.mark.parametrize(("die", "turns"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_jail_by_the_dice(die: int, turns: int) -> None:
    """A17; rulebook, "Jail": 24 is jail, and a die says for how long."""
    state = play(position({A: {"square": 23}, **REST}), dice=[1, die]).state
    assert (state.players[A].square, state.players[A].missing) == (24, turns)


def test_missed_turns_are_skipped_wholly_and_run_out() -> None:
    """A18: whoever misses a turn is not asked anything, and is free afterwards."""
    state = position({A: {"square": 24, "missing": 1}, **REST})
    one = play(state)
    assert one.state.players[A].square == 24
    assert "Anna misses this turn, and is free then." in one.told
    assert one.state.players[A].missing == 0


@pytest.mark.parametrize(("die", "goes"), [(1, True), (2, True), (3, False), (6, False)])
def test_square_37_sends_to_jail_on_one_or_two(die: int, goes: bool) -> None:
    """Rulebook, "Jail": then square 24, and another die for the turns missed."""
    state = position({A: {"square": 36}, **REST})
    after = play(state, dice=[1, die, *([4] if goes else [])]).state.players[A]
    assert (after.square, after.missing) == ((24, 2) if goes else (37, 0))


def test_square_37_is_not_valid_for_who_comes_from_jail_until_square_1_is_passed() -> None:
    """Rulebook, "Jail", exception; A17: the next stop at 34 pays again, though 24 was a move back."""
    state = position({A: {"square": 36, "from_jail": True}, **REST})
    assert play(state, dice=[1]).state.players[A].square == 37
    back = position({A: {"square": 36}, **REST})
    jailed = play(back, dice=[1, 1, 1]).state
    assert jailed.players[A].from_jail
    out = position({A: {"square": 46, "from_jail": True}, **REST}, tips=["gift10"])
    assert not play(out, dice=[1]).state.players[A].from_jail
    again = position({A: {"square": 33, "from_jail": True}, **REST})
    assert play(again, dice=[1, 1, 1]).gain(A) == 10_000


def test_a_jail_pass_is_used_at_once_unless_the_standing_order_keeps_it() -> None:
    """A17: the piece goes to 24, no die, no missed turn, and the card goes under the pile."""
    state = position({A: {"square": 23, "tips": ["jail_pass"]}, **REST})
    used = play(state, dice=[1]).state
    assert (used.players[A].square, used.players[A].missing, used.players[A].tips) == (24, 0, [])
    assert used.tips[-1] == "jail_pass"
    kept = play(state, {A: "jail pass: keep"}, dice=[1, 5]).state
    assert (kept.players[A].missing, kept.players[A].tips) == (3, ["jail_pass"])


def test_rent_and_draws_go_on_in_jail() -> None:
    """A18; rulebook, "Jail": rents, dividends and sweepstakes as usual."""
    state = position(
        {A: {"square": 1}, B: {"missing": 2, "square": 24, "bonds": [7]}, C: {"missing": 3}},
        lots={"joiner": B},
    )
    assert play(state, dice=[3]).gain(B) == 2_000
    draw = position({A: {"square": 8}, B: {"missing": 2, "bonds": [7]}, C: {"missing": 3}}, news=["N03"])
    assert play(draw, dice=[1, 3, 4]).gain(B) == 100_000
    buys = play(draw, {B: "bonds 4"}, dice=[1, 3, 1])
    assert buys.gain(B) == -500 + 100_000
