"""Finans and its groups: dividends between players, board meetings, bonds; the rulebook's worked examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rulesets.finans.bonds import winning_numbers
from rulesets.finans.groups import complete_groups
from rulesets.finans.payments import FeePaid
from rulesets.finans.state import FinansState
from tests.finans_table import A, B, C, group, owned, play, position, refusals

REST = {B: {"missing": 3}, C: {"missing": 3}}


def test_square_41_as_in_the_rulebooks_example() -> None:
    """Rulebook, "Share Dividends": B receives 20 % of 200,000, C 20 % of 225,000; other groups do not count."""
    state = position(
        {A: {"square": 40, "cash": 100_000}, **REST},
        lots=owned(A, "cobbler", "insurance", "radio", "computers"),
        shares={
            "crafts_1": B,
            "crafts_2": B,
            "technics_1": B,
            "chemistry_1": B,
            "trust_1": C,
            "trust_2": C,
            "technics_2": C,
        },
    )
    round_ = play(state, dice=[1])
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (-85_000, 40_000, 45_000)
    assert "Anna pays Ben 40,000 Cr in dividends: 20 % of 200,000 Cr." in round_.told
    assert "Anna pays Cem 45,000 Cr in dividends: 20 % of 225,000 Cr." in round_.told


@pytest.mark.parametrize("square", [6, 28, 38, 44])
def test_the_bank_pays_dividends_on_every_share_on_its_squares(square: int) -> None:
    """Rulebook, "Share Dividends": the sum is shown on each share."""
    state = position({A: {"square": square - 1}, **REST}, shares={"technics_1": A, "crafts_1": A, "trust_1": B})
    round_ = play(state, dice=[1])
    assert (round_.gain(A), round_.gain(B)) == (24_000, 0)


def meeting(cash: int = 300_000, options: Mapping[str, Any] | None = None) -> FinansState:
    """The rulebook's example: the Business Centre between A, B and C, and A in the Bank."""
    papers: dict[str, object] = {**owned(A, "furniture", "grocery"), **owned(B, "bookshop", built=True)}
    return position(
        {A: {"square": 35, "cash": cash}, **REST},
        lots=papers,
        shares={"business_1": A, "business_2": B, "business_3": C},
        options=options,
    )


def test_a_take_over_as_in_the_rulebooks_example() -> None:
    """Rulebook, "Board Meetings": 140,000 and a fee of 80,000; 8 or less takes over, 25,000 each for B and C."""
    round_ = play(meeting(), {A: "meeting Business Centre fee 80000 at most 140000"}, dice=[4, 4, 4])
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (-220_000, 90_000 + 25_000, 50_000 + 25_000)
    assert complete_groups(round_.state) == {"business": A}
    assert round_.state.properties["bookshop"].built
    assert [(fee.payee, fee.amount) for fee in round_.of(FeePaid)] == [(None, 30_000), (B, 25_000), (C, 25_000)]
    assert "Anna owns the whole of Business Centre: the rents there are doubled." in round_.told


def test_a_throw_over_the_fee_is_a_failure() -> None:
    """Rulebook: with 9 or higher A keeps his 140,000, and the fee goes to the Bank."""
    round_ = play(meeting(), {A: "Versammlung Geschäftszentrum Gebühr 80000"}, dice=[4, 5, 4])
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (-80_000, 0, 0)
    assert round_.state.shares["business_2"] == B


def test_a_fee_of_120_000_needs_no_dice() -> None:
    """Rulebook: always a success."""
    round_ = play(meeting(), {A: "meeting Business fee 120000"}, dice=[4])
    assert (round_.gain(A), round_.gain(B)) == (-260_000, 90_000 + 45_000)


def test_of_a_fee_under_30_000_the_bank_takes_all() -> None:
    """A4: the Bank takes min(fee, 30,000)."""
    round_ = play(meeting(), {A: "meeting Business fee 20000"}, dice=[1, 1, 4])
    assert [(fee.payee, fee.amount) for fee in round_.of(FeePaid)] == [(None, 20_000)]


def test_parts_of_a_fee_are_rounded_down_to_1_000() -> None:
    """A4: 70,000 in three parts are 23,000 each, and the Bank has 31,000."""
    state = position(
        {A: {"square": 35, "cash": 500_000}, B: {"missing": 1}, C: {"missing": 1}, "Dora": {"missing": 1}},
        lots=owned(A, "furniture"),
        shares={"business_1": B, "business_2": C, "business_3": "Dora"},
        seats=(A, B, C, "Dora"),
    )
    round_ = play(state, {A: "meeting Business fee 100000"}, dice=[5, 5, 4])
    assert [fee.amount for fee in round_.of(FeePaid)] == [31_000, 23_000, 23_000, 23_000]


def test_a_meeting_may_be_called_while_the_bank_holds_a_part() -> None:
    """A2: opponents' papers alone are taken over; refused with the stricter option, and with nobody to buy out."""
    shared = position({A: {"square": 35, "cash": 500_000}, **REST}, lots=owned(A, "furniture") | owned(B, "grocery"))
    called = play(shared, {A: "meeting Business fee 120000"}, dice=[4])
    assert called.state.properties["grocery"].owner == A
    assert (called.gain(A), called.gain(B)) == (-140_000, 20_000 + 90_000)
    assert (called.state.properties["bookshop"].owner, called.state.shares["business_1"]) == (None, None)
    assert complete_groups(called.state) == {}
    strict = position(
        {A: {"square": 35, "cash": 500_000}, **REST},
        lots=owned(A, "furniture") | owned(B, "grocery"),
        options={"all_assets_with_players": True},
    )
    told = play(strict, {A: "meeting Business fee 120000"}, dice=[4]).told
    assert any("The Bank still holds a part of Business Centre." in line for line in told)
    alone = position({A: {"square": 35, "cash": 500_000}, **REST}, lots=owned(A, "furniture"))
    told = play(alone, {A: "meeting Business fee 120000"}, dice=[4]).told
    assert any("There is nobody to buy out of Business Centre." in line for line in told)


def test_a_meeting_needs_an_own_paper_and_the_head_office_and_the_money() -> None:
    """Rulebook, "Company Groups" a) and "Board Meetings"."""
    for seat, square, cash, reason in (
        (C, 35, 500_000, "Without a paper of Crafts House nobody calls its meeting."),
        (A, 34, 500_000, "Square 34 is not in the head office of the Bank."),
        (A, 35, 69_000, "50,000 Cr and the fee of 20,000 Cr have to be put up, and there are 69,000 Cr."),
    ):
        state = position(
            {A: {"square": square, "cash": cash}, **REST},
            lots=owned(seat, "cobbler"),
            shares={"crafts_1": B},
        )
        told = play(state, {A: "meeting Crafts fee 20000"}, dice=[5] if square == 34 else [4]).told
        assert any(reason in line for line in told), reason


def test_the_most_that_papers_may_cost_is_without_the_fee() -> None:
    """A4, and the second choice if the first is not called."""
    state = meeting(600_000)
    post = "meeting Business fee 120000 at most 139999\nelse meeting Business fee 110000"
    round_ = play(state, {A: post}, dice=[5, 6, 4])
    assert any("The papers cost 140,000 Cr." in line for line in round_.told)
    assert round_.gain(A) == -250_000
    alone = play(state, {A: "else meeting Business fee 120000"}, dice=[4])
    assert alone.gain(A) == -260_000
    once = play(state, {A: "meeting Business fee 20000\nelse meeting Business fee 120000"}, dice=[5, 4, 4])
    assert once.gain(A) == -20_000, "called and lost is called"


def test_meetings_have_no_limit_unless_the_table_sets_one() -> None:
    """A3."""
    post = "meeting Business fee 20000\nmeeting Business fee 30000"
    both = play(meeting(500_000), {A: post}, dice=[6, 6, 6, 6, 4])
    assert both.gain(A) == -50_000
    one = play(meeting(500_000, options={"meetings_per_turn": 1}), {A: post}, dice=[6, 6, 4])
    assert one.gain(A) == -20_000
    assert any("1 meeting a turn." in line for line in one.told)


def test_mortgaged_property_is_paid_at_its_cost_and_moves_mortgaged() -> None:
    """A5: it counts for the complete group, pays no rent, and its new owner redeems it at 110 per cent."""
    state = position(
        {A: {"square": 35, "cash": 500_000}, B: {"square": 10}, C: {"missing": 3}},
        lots=owned(A, "furniture", "grocery") | owned(B, "bookshop", mortgaged=True),
        shares=group(A, "business"),
    )
    round_ = play(state, {A: "meeting Business fee 120000\nredeem Grocery"}, dice=[4, 2])
    assert round_.gain(B) == 20_000 + 90_000
    assert round_.state.properties["bookshop"].model_dump() == {"owner": A, "built": False, "mortgaged": True}
    assert complete_groups(round_.state) == {"business": A}
    later = position({A: {"square": 38}, **REST}, lots=owned(A, "bookshop", mortgaged=True), shares={"crafts_1": A})
    assert play(later, {A: "redeem Bookshop"}, dice=[1]).gain(A) == -11_000


@pytest.mark.parametrize("fee", ["10000", "130000", "85000"])
def test_fees_outside_their_steps_are_refused_at_once(fee: str) -> None:
    """Rulebook: divisible by 10,000, 20,000 to 120,000."""
    assert refusals(meeting(), A, f"meeting Business fee {fee}") != []


@pytest.mark.parametrize(
    ("dice", "numbers"), [((4, 4), (8, 4, 3)), ((1, 1), (2, 1, 12)), ((6, 2), (8, 6, 2)), ((3, 5), (8, 5, 3))]
)
def test_winning_bonds_as_in_the_rulebooks_examples(dice: tuple[int, int], numbers: tuple[int, int, int]) -> None:
    """Rulebook, "Bond Sweepstakes": double 4's make 8, 4, 3; of two 1's bond 12 wins the third prize."""
    assert winning_numbers(*dice) == numbers


def test_the_small_sweepstakes_on_square_45() -> None:
    """A21: only who landed there buys; prizes 50,000, 25,000 and 15,000; a winning bond goes back."""
    state = position({A: {"square": 44}, B: {"missing": 3, "bonds": [4]}, C: {"missing": 3, "bonds": [3, 9]}})
    round_ = play(state, {A: "bonds 8", B: "bonds 12"}, dice=[1, 4, 4])
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (49_500, 25_000, 15_000)
    assert round_.state.players[C].bonds == [9]
    assert set(round_.state.free_bonds()) == set(range(1, 13)) - {9}


def test_bonds_cost_500_and_only_one_is_bought_at_a_time() -> None:
    """Rulebook, "Buying Bonds": any number of those remaining; 13 does not exist."""
    state = position({A: {"square": 45}, B: {"missing": 3, "bonds": [7]}, C: {"missing": 3}})
    round_ = play(state, {A: "bonds 7, 2, 11"}, dice=[1])
    assert round_.state.players[A].bonds == [2]
    assert round_.gain(A) == -500
    assert refusals(state, A, "bonds 13") == ["Bonds have the numbers 1 to 12."]
