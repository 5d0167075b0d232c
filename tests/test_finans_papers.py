"""Finans and its papers: buying, building, rent, mortgages and the Bank's repurchase."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.finans.state import FinansState
from tests.finans_table import A, B, C, group, owned, play, position, refusals

REST = {B: {"missing": 3}, C: {"missing": 3}}


def alone(square: int, **more: Any) -> FinansState:
    """Anna on a square, Ben and Cem in jail."""
    cash = {"cash": more.pop("cash")} if "cash" in more else {}
    return position({A: {"square": square, **cash}, **REST}, **more)


@pytest.mark.parametrize("square", [11, 35, 40, 46])
def test_a_property_and_a_share_are_bought_at_the_branch_and_in_the_bank(square: int) -> None:
    """A6; rulebook, "Buying Properties and Shares"."""
    round_ = play(
        alone(square, tips=["gift10"], cash=200_000), {A: "buy Bookshop\nshare Technics 100"}, dice=_dice(square)
    )
    assert round_.state.properties["bookshop"].owner == A
    assert round_.state.shares["technics_1"] == A


def _dice(square: int) -> list[int]:
    return {11: [4], 35: [4], 40: [5, 1, 1], 46: [1]}[square]


@pytest.mark.parametrize("square", [1, 34, 12])
def test_nothing_is_for_sale_elsewhere_not_even_on_34_and_1(square: int) -> None:
    """A6."""
    round_ = play(alone(square), {A: "buy Bookshop"}, dice=[1])
    assert f"Anna: “buy Bookshop” is skipped: Square {square} is no place to buy papers." in round_.told
    assert round_.state.properties["bookshop"].owner is None


def test_one_property_and_one_share_a_turn_and_the_first_wish_that_can_be_had() -> None:
    """A6; a wish list takes the first of each, keeps what it shall keep, and says why it took nothing."""
    state = alone(35, lots={"bookshop": B})
    round_ = play(state, {A: "buy Bookshop, Grocery, Furniture keep 20000\nbuy Laundry"}, dice=[4])
    assert [key for key, lot in round_.state.properties.items() if lot.owner == A] == ["grocery"]
    assert "Anna: “buy Laundry” is skipped: One property a turn." in round_.told
    shares = play(alone(35, cash=300_000), {A: "buy Crafts 50\nbuy Service 50"}, dice=[4])
    assert shares.gain(A) == -50_000
    assert "Anna: “buy Service 50” is skipped: One share a turn." in shares.told
    poor = play(alone(35, cash=30_000), {A: "buy Grocery keep 20000"}, dice=[4])
    assert any("Of 30,000 Cr less than 20,000 Cr would be left: Grocery Shop" in line for line in poor.told)
    dear = play(alone(35, cash=30_000), {A: "buy Technics 100"}, dice=[4])
    assert any("There are only 30,000 Cr, and Technics 100 costs 100,000 Cr." in line for line in dear.told)


def test_buying_again_in_the_next_turn_from_the_same_bank() -> None:
    """Rulebook: you can buy every time it is your turn, even if you did so on your previous turn."""
    once = play(alone(35), {A: "buy Cobbler"}, dice=[4])
    twice = play(once.state, {A: "buy Joiner"}, dice=[1])
    assert [key for key, lot in twice.state.properties.items() if lot.owner == A] == ["cobbler", "joiner"]


def test_building_any_number_on_17_and_40_in_the_order_written() -> None:
    """A9, A10; rulebook, "Building on Property": no whole group is needed; buying and building on 40 in any order."""
    state = alone(17, cash=100_000, lots=owned(A, "bookshop", "paint"))
    built = play(state, {A: "build Bookshop, Paint Factory"}, dice=[1])
    assert built.gain(A) == -70_000
    assert "Anna builds on Bookshop for 20,000 Cr." in built.told
    assert "Anna builds an industry on Paint Factory for 50,000 Cr." in built.told
    first = play(alone(40), {A: "buy Bookshop\nbuild Bookshop"}, dice=[6])
    assert first.state.properties["bookshop"].built
    late = play(alone(40), {A: "build Bookshop\nbuy Bookshop"}, dice=[6])
    assert not late.state.properties["bookshop"].built


def test_there_is_one_building_a_property_and_none_on_a_mortgaged_one() -> None:
    """A10."""
    lots = owned(A, "bookshop", built=True) | owned(A, "grocery", mortgaged=True)
    round_ = play(alone(17, lots=lots), {A: "build Bookshop, Grocery"}, dice=[1])
    assert round_.gain(A) == 0
    assert "Anna: “build on Bookshop and Grocery Shop” is skipped: Bookshop is built on already." in round_.told
    assert "Anna: “build on Bookshop and Grocery Shop” is skipped: Grocery Shop is mortgaged." in round_.told


def test_a_built_property_is_sold_with_its_building_and_is_bare_then() -> None:
    """A10; rulebook, "Repurchasing Properties"."""
    round_ = play(alone(2, lots=owned(A, "bookshop", built=True)), {A: "sell Bookshop"}, dice=[2])
    assert round_.gain(A) == 32_000
    assert round_.state.properties["bookshop"].model_dump() == {"owner": None, "built": False, "mortgaged": False}


def test_half_price_buildings_are_rounded_up_and_count_at_the_card_price() -> None:
    """A23: N05 halves 35,000 to 18,000; at a meeting the building counts 35,000."""
    state = alone(17, face_up="N05", lots=owned(A, "radio"))
    assert play(state, {A: "build Radio Works"}, dice=[1]).gain(A) == -18_000
    sold = position(
        {A: {"square": 35, "cash": 600_000}, **REST},
        lots=owned(B, "radio", built=True),
        shares={"technics_2": A},
    )
    round_ = play(sold, {A: "meeting Technics fee 120000"}, dice=[4])
    assert "Anna takes Radio Works over from Ben for 65,000 Cr." in round_.told


def test_a_permit_builds_on_any_square_before_the_throw_and_stays() -> None:
    """A25: kept, unless the option says in how many turns it serves."""
    state = position({A: {"square": 2, "tips": ["permit"]}, **REST}, lots=owned(A, "cobbler", "joiner"))
    round_ = play(state, {A: "build Cobbler"}, dice=[3])
    assert round_.state.properties["cobbler"].built
    assert round_.state.players[A].tips == ["permit"]
    once = position(
        {A: {"square": 2, "tips": ["permit"]}, **REST},
        lots=owned(A, "cobbler", "joiner"),
        options={"permit_uses": 1},
    )
    used = play(once, {A: "build Cobbler, Joiner"}, dice=[3])
    assert used.state.properties["joiner"].built
    assert used.state.players[A].tips == []
    assert "Anna returns the building permit." in used.told
    none = play(position({A: {"square": 2}, **REST}, lots=owned(A, "cobbler")), {A: "build Cobbler"}, dice=[3])
    assert not none.state.properties["cobbler"].built


@pytest.mark.parametrize(
    ("built", "whole", "rent"), [(False, False, 5_000), (True, False, 24_000), (True, True, 48_000)]
)
def test_rent_of_a_bare_and_a_built_property_and_double_in_a_complete_group(
    built: bool, whole: bool, rent: int
) -> None:
    """Rulebook, "Rent" and "Company Groups": a complete group doubles, built on or not."""
    lots = owned(B, "bookshop", built=built) | (owned(B, "grocery", "furniture") if whole else {})
    state = alone(10, lots=lots, shares=group(B, "business") if whole else {})
    round_ = play(state, dice=[2])
    assert (round_.gain(A), round_.gain(B)) == (-rent, rent)


def test_no_rent_for_own_unsold_and_mortgaged_property() -> None:
    """Rulebook, "Rent" and "Mortgaging Property"."""
    for lots in ({}, owned(A, "bookshop"), owned(B, "bookshop", mortgaged=True)):
        assert play(alone(10, lots=lots), dice=[2]).gain(A) == 0


def test_rent_is_claimed_for_the_owner_unless_he_waives_it() -> None:
    """A20."""
    state = position({A: {"square": 10}, C: {"missing": 3}}, lots=owned(B, "bookshop"))
    assert play(state, {B: "waive rent"}, dice=[2, 2]).told.count("Ben waives the rent of Anna for Bookshop.") == 1
    assert play(state, {B: "waive rent on Bookshop"}, dice=[2, 2]).gain(A) == 0
    assert play(state, {B: "waive rent on Grocery"}, dice=[2, 2]).gain(A) == -5_000


def test_with_the_option_rent_must_be_claimed_by_the_orders_of_the_round() -> None:
    """A20: `rent = claimed`, for all or by property."""
    state = position({A: {"square": 10}, C: {"missing": 3}}, lots=owned(B, "bookshop"), options={"rent": "claimed"})
    silent = play(state, dice=[2, 2])
    assert silent.gain(A) == 0
    assert "Ben does not claim the rent of Anna for Bookshop." in silent.told
    for post in ("claim rent", "claim rent for Bookshop", "fordere Miete für Buchladen"):
        assert play(state, {B: post}, dice=[2, 2]).gain(A) == -5_000
    assert play(state, {B: "claim rent for Grocery"}, dice=[2, 2]).gain(A) == 0


def test_mortgage_before_or_after_the_throw_and_redemption_at_110_per_cent_before_it() -> None:
    """Rulebook, "Mortgaging Property"."""
    state = alone(2, lots=owned(A, "bookshop", built=True) | owned(A, "grocery"))
    assert play(state, {A: "mortgage Bookshop"}, dice=[2]).gain(A) == 20_000
    late = play(state, {A: "after mortgage Grocery if cash under 80000"}, dice=[2])
    assert late.gain(A) == 10_000
    assert play(state, {A: "after mortgage Grocery if cash under 70000"}, dice=[2]).gain(A) == 0
    redeemed = play(late.state, {A: "redeem Grocery"}, dice=[1])
    assert redeemed.gain(A) == -11_000
    assert not redeemed.state.properties["grocery"].mortgaged


def test_a_mortgaged_property_is_redeemed_before_it_is_repurchased() -> None:
    """Rulebook, "Repurchasing Properties"."""
    state = alone(2, lots=owned(A, "grocery", mortgaged=True), shares={"crafts_1": A})
    round_ = play(state, {A: "sell Grocery\nafter: sell Crafts 50"}, dice=[2])
    assert round_.gain(A) == 40_000
    assert any("is mortgaged, and has to be redeemed first" in line for line in round_.told)
    both = play(state, {A: "redeem Grocery\nsell Grocery"}, dice=[2])
    assert both.gain(A) == -11_000 + 16_000


def test_players_sell_nothing_to_each_other() -> None:
    """A19: there is no such order."""
    assert refusals(alone(11), A, "sell Bookshop to Ben") != []
