"""Finans and its endings: the million, the last player, time; standings and wealth."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.finans import ruleset
from rulesets.finans.balance import wealth
from rulesets.finans.groups import complete_groups
from rulesets.finans.state import FinansState
from tests.finans_table import A, B, C, group, owned, play, position

REST = {B: {"missing": 3}, C: {"missing": 3}}
TWO_GROUPS = {
    "lots": owned(A, "cobbler", "joiner", "tailor", "insurance", "brokerage"),
    "shares": group(A, "crafts") | group(A, "trust", 2),
}


def rich(cash: int, options: dict[str, Any] | None = None, **sheet: Any) -> FinansState:
    """Anna with two complete groups."""
    return position({A: {"square": 35, "cash": cash, **sheet}, **REST}, options=options, **TWO_GROUPS)


def test_a_million_in_cash_and_two_complete_groups_win() -> None:
    """Rulebook, "Who Wins?"; A16: looked at after the list before the throw, so that nothing is thrown any more."""
    round_ = play(rich(1_000_000))
    assert round_.state.ending is not None
    assert (round_.state.ending.reason, round_.state.ending.winners) == ("million", [A])
    assert ruleset.asks(round_.state) == {}
    assert ruleset.standings(round_.state) == [(A, 1), (B, 0), (C, 0)]
    assert "Anna shows 1,000,000 Cr in cash and enough complete groups: the game is won." in round_.told


def test_one_crown_or_one_group_less_does_not_win() -> None:
    assert play(rich(999_999), dice=[4]).state.ending is None
    one = position(
        {A: {"square": 35, "cash": 2_000_000}, **REST},
        lots=owned(A, "insurance", "brokerage"),
        shares=group(A, "trust", 2),
    )
    assert play(one, dice=[4]).state.ending is None


def test_the_million_counts_for_everybody_and_for_who_is_not_at_his_turn() -> None:
    """A16: Ben qualifies by what Anna's landing pays him; if both do, it is she whose turn it is."""
    state = position(
        {A: {"square": 10}, B: {"cash": 996_000, "missing": 1}, C: {"missing": 1}},
        lots=owned(B, "cobbler", "joiner", "tailor", "insurance", "brokerage", "bookshop"),
        shares=group(B, "crafts") | group(B, "trust", 2),
    )
    assert play(state, dice=[2]).winners == [B]


@pytest.mark.parametrize(("other", "winner"), [(B, B), (C, C)])
def test_if_several_qualify_it_is_who_is_at_his_turn_then_the_next(other: str, winner: str) -> None:
    """A16: Ben's news bring Anna and another a million at once; from Ben on, Cem is next, though Anna is first."""
    millions = {seat: {"cash": 995_000, "square": 2, "missing": 1} for seat in (A, C)}
    state = position(
        millions | {B: {"cash": 995_000, "square": 8}},
        lots=TWO_GROUPS["lots"] | owned(other, "bookshop", "grocery", "furniture", "laundry", "barber", "travel"),
        shares=TWO_GROUPS["shares"] | group(other, "business") | group(other, "service"),
        news=["N18"],
    )
    assert play(state, dice=[1]).winners == [winner]


def test_open_loans_do_not_count_against_the_million_unless_the_table_says_so() -> None:
    """A15."""
    assert play(rich(1_000_000, loans=3)).state.ending is not None
    strict = {"loans_count_against_win": True}
    assert play(rich(1_000_000, strict, loans=1), dice=[4]).state.ending is None
    assert play(rich(1_050_000, strict, loans=1)).state.ending is not None


def test_win_when_possible_sells_and_mortgages_up_to_the_million_and_keeps_two_groups() -> None:
    """A16; rulebook: it is permitted to sell or mortgage to scrape the million together."""
    round_ = play(rich(790_000, loans=3), {A: "win when possible"}, dice=[4])
    assert round_.state.ending is None
    assert round_.gain(A) == 0
    near = play(rich(960_000, loans=3), {A: "gewinne sobald möglich"})
    assert near.state.ending is not None
    assert len([key for key, lot in near.state.properties.items() if lot.mortgaged]) == 5
    with_loans = play(rich(900_000), {A: "win when possible"})
    assert with_loans.state.players[A].loans == 2
    assert with_loans.state.ending is not None


def test_selling_what_is_outside_the_kept_groups_wins() -> None:
    """A16: a third group may go."""
    state = position(
        {A: {"square": 35, "cash": 900_000, "loans": 3}, **REST},
        lots=TWO_GROUPS["lots"] | owned(A, "bookshop", "grocery", "furniture"),
        shares=TWO_GROUPS["shares"] | group(A, "business"),
    )
    round_ = play(state, {A: "win when possible"})
    assert round_.state.ending is not None
    assert round_.cash(A) == 900_000 + 16_000 + 16_000 + 20_000 + 40_000 + 40_000
    assert set(complete_groups(round_.state)) == {"crafts", "trust"}
    assert not any(lot.mortgaged for lot in round_.state.properties.values())


def test_the_last_player_who_is_not_bankrupt_wins() -> None:
    """Rulebook, "Who Wins?"."""
    state = position({A: {"square": 42, "cash": 0, "loans": 1}, B: {"missing": 2}}, seats=(A, B))
    round_ = play(state, dice=[1])
    assert round_.state.ending is not None
    assert (round_.state.ending.reason, round_.state.ending.winners) == ("last player", [B])


def test_a_short_game() -> None:
    """300,000 and one group."""
    state = position(
        {A: {"square": 35, "cash": 300_000}, **REST},
        lots=owned(A, "insurance", "brokerage"),
        shares=group(A, "trust", 2),
        options={"win_cash": 300_000, "win_groups": 1},
    )
    assert play(state).state.ending is not None


def test_a_timed_game_ends_after_the_last_round_and_the_richest_wins() -> None:
    """A27: missed turns count as turns; points are wealth; of equal ones the one with more cash."""
    state = position(
        {
            A: {"square": 2, "cash": 60_000},
            B: {"missing": 3, "cash": 20_000},
            C: {"missing": 3, "cash": 100_000, "loans": 1},
        },
        shares={"crafts_1": B},
        options={"turns_each": 5},
        round=5,
    )
    round_ = play(state, dice=[2])
    assert round_.state.ending is not None
    assert (round_.state.ending.reason, round_.state.ending.winners) == ("time", [A])
    assert ruleset.standings(round_.state) == [(A, 60_000), (B, 60_000), (C, 50_000)]
    early = position({A: {"square": 2}, **REST}, options={"turns_each": 6}, round=5)
    assert play(early, dice=[2]).state.ending is None


def test_equal_wealth_and_equal_cash_share_the_victory() -> None:
    """A27."""
    state = position({A: {"square": 2}, **REST}, options={"turns_each": 1})
    round_ = play(state, dice=[2])
    assert set(round_.winners) == {A, B, C}


def test_wealth_counts_what_the_bank_would_pay_less_what_is_owed() -> None:
    """A27: repurchase values, mortgaged ones less 110 per cent of the mortgage, car 25,000, bonds 0, less loans."""
    state = position(
        {A: {"cash": 10_000, "car": True, "bonds": [7], "loans": 1}, **REST},
        lots=owned(A, "bookshop", built=True) | owned(A, "grocery", mortgaged=True),
        shares={"technics_1": A},
    )
    assert wealth(state, A) == 10_000 + 25_000 - 50_000 + 32_000 + (16_000 - 11_000) + 80_000
