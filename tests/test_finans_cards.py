"""Finans and its cards: every news card and every market tip has a test here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rulesets.finans.box import NEWS, TIPS, tip_pile
from rulesets.finans.events import SweepstakesDrawn
from tests.finans_table import A, B, C, Round, group, owned, play, position

JAILED = {B: {"missing": 3}, C: {"missing": 3}}


def news(card: str, dice: tuple[int, ...] = (), post: dict[str, str] | None = None, **fields: Any) -> Round:
    """Anna steps from 8 to 9 and draws this news; Ben and Cem sit in jail."""
    players = fields.pop("players", {})
    sheets = {A: {"square": 8}, B: {"missing": 3}, C: {"missing": 3}}
    merged = {seat: {**sheets[seat], **players.get(seat, {})} for seat in sheets}
    return play(position(merged, news=[card], **fields), post, dice=[1, *dice])


def tip(card: str, dice: tuple[int, ...] = (), post: str = "", square: int = 2, **fields: Any) -> Round:
    """Anna steps one square on to a Market Tip and draws this one."""
    players = fields.pop("players", {})
    sheets = {A: {"square": square}, B: {"missing": 3}, C: {"missing": 3}}
    merged = {seat: {**sheets[seat], **players.get(seat, {})} for seat in sheets}
    return play(position(merged, tips=[card], **fields), {A: post} if post else {}, dice=[1, *dice])


def test_there_are_21_news_and_42_tips_and_each_has_its_test_here() -> None:
    assert (len(NEWS), len(tip_pile())) == (21, 42)
    source = Path(__file__).read_text(encoding="utf-8")
    for card in (*NEWS, *TIPS):
        assert f'"{card}"' in source, card


@pytest.mark.parametrize("card", ["N01", "N02", "N05", "N06", "N07", "N08", "N09", "N10"])
def test_news_until_further_notice_lies_open_until_the_next_card_is_drawn(card: str) -> None:
    """A23; rulebook, "Financial News Cards"."""
    round_ = news(card, face_up="N07" if card != "N07" else "N06")
    assert round_.state.face_up == card
    assert round_.state.news[-1] == ("N07" if card != "N07" else "N06")
    other = news("N18", face_up=card)
    assert other.state.face_up is None
    assert other.state.news[-2:] == [card, "N18"]


def test_good_times_open_square_46_to_everybody() -> None:
    """N01; rulebook, "Square 46": in turn order, starting with who landed there."""
    posts = {A: "bonds 7", B: "bonds 7, 8"}
    for face_up, held in (("N01", [[7], [8]]), (None, [[7], []])):
        state = position({A: {"square": 45}, B: {"square": 46}, C: {"missing": 3}}, face_up=face_up, tips=["gift10"])
        after = play(state, posts, dice=[1, 1]).state
        assert [after.players[seat].bonds for seat in (A, B)] == held


@pytest.mark.parametrize("card", ["N03", "N04"])
def test_the_big_bond_sweepstakes(card: str) -> None:
    """A21; rulebook, "Bond Sweepstakes": the drawer buys first, then the others; prizes 100,000, 50,000, 25,000."""
    posts = {A: "bonds 8, 4"}
    round_ = news(card, (5, 3), posts, players={B: {"bonds": [5]}, C: {"bonds": [3]}})
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (99_500, 50_000, 25_000)
    assert round_.of(SweepstakesDrawn)[0].numbers == (8, 5, 3)
    assert all(not round_.state.players[seat].bonds for seat in (A, B, C))


def test_builders_cut_their_prices() -> None:
    """N05."""
    state = position({A: {"square": 17}, **JAILED}, lots=owned(A, "bookshop"), face_up="N05")
    assert play(state, {A: "build Bookshop"}, dice=[1]).gain(A) == -10_000


def test_a_building_stop_binds_permits_too() -> None:
    """N06."""
    state = position({A: {"square": 17, "tips": ["permit"]}, **JAILED}, lots=owned(A, "bookshop"), face_up="N06")
    round_ = play(state, {A: "build Bookshop"}, dice=[1])
    assert "Anna: “build on Bookshop” is skipped: There is a building stop." in round_.told


def test_a_petrol_shortage_leaves_one_die() -> None:
    """N07."""
    state = position({A: {"square": 4, "car": True}, **JAILED}, face_up="N07")
    assert play(state, dice=[1]).state.players[A].square == 5


def test_tight_credit_stops_loans_and_doubles_interest() -> None:
    """N08."""
    state = position({A: {"square": 46, "loans": 2}, **JAILED}, face_up="N08", tips=["gift10"])
    round_ = play(state, {A: "loan"}, dice=[1])
    assert round_.gain(A) == -20_000 + 10_000
    assert "Anna: “take 1 loan” is skipped: Credit is tight: there are no new loans." in round_.told


def test_a_dividend_ceiling_halves_what_players_pay() -> None:
    """N09."""
    state = position({A: {"square": 40}, **JAILED}, lots=owned(A, "bookshop"), shares={"business_1": B}, face_up="N09")
    assert play(state, dice=[1]).gain(B) == 7_500


def test_a_strike_in_heavy_industry_stops_rent_on_industries() -> None:
    """N10."""
    lots = owned(B, "paint", "shipyard", "bookshop")
    for square, due in ((25, 0), (32, 0), (11, 5_000)):
        state = position({A: {"square": square}, **JAILED}, lots=lots, face_up="N10")
        assert play(state, dice=[1]).gain(B) == due


@pytest.mark.parametrize(
    ("card", "anna", "ben"),
    [("N11", 36_000, 24_000), ("N12", 8_000, 12_000), ("N13", 12_000, 12_000), ("N14", 16_000, 0)],
)
def test_dividends_by_the_news_are_paid_to_everybody(card: str, anna: int, ben: int) -> None:
    """N11 to N14."""
    shares = {"crafts_1": A, "trust_1": A, "chemistry_1": A, "business_1": B, "technics_2": B}
    round_ = news(card, shares=shares)
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (anna, ben, 0)


def test_property_tax() -> None:
    """N15: 2,000 for each bare property, 5,000 for each built-on one."""
    round_ = news("N15", lots=owned(A, "bookshop", "paint") | owned(B, "grocery", built=True))
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (-4_000, -5_000, 0)


def test_wealth_tax() -> None:
    """N16: a tenth of cash above 200,000, rounded down to 1,000."""
    round_ = news("N16", players={A: {"cash": 345_500}, B: {"cash": 209_000}, C: {"cash": 200_000}})
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (-14_000, 0, 0)


def test_road_tax() -> None:
    """N17."""
    assert news("N17", players={B: {"car": True}}).gain(B) == -10_000


def test_thrift_premium() -> None:
    """N18: each player without a loan."""
    round_ = news("N18", players={B: {"loans": 1}})
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (10_000, 0, 10_000)


def test_a_fall_in_share_prices_spares_complete_groups() -> None:
    """N19: a tenth of the nominal value."""
    shares = {"technics_1": A, **group(B, "crafts"), "trust_1": B}
    round_ = news("N19", lots=owned(B, "cobbler", "joiner", "tailor"), shares=shares)
    assert (round_.gain(A), round_.gain(B)) == (-10_000, -7_500)


def test_a_break_up_order_takes_the_cheapest_share_of_whoever_has_most() -> None:
    """N20: at cost, outside complete groups; of equal holders all."""
    shares = {"technics_1": A, "business_1": A, "business_2": A, "crafts_1": B, "trust_1": C}
    one = news("N20", shares=shares)
    assert one.gain(A) == 50_000
    assert one.state.shares["business_2"] is None
    ties = news("N20", shares={"technics_1": A, "crafts_1": B, "trust_1": C})
    assert [ties.gain(seat) for seat in (A, B, C)] == [100_000, 50_000, 75_000]
    immune = news("N20", lots=owned(A, "cobbler", "joiner", "tailor"), shares=group(A, "crafts"))
    assert immune.gain(A) == 0


def test_an_amnesty_frees_everybody() -> None:
    """N21: all missed turns still to come, those of who comes later in this round too."""
    state = position({A: {"square": 8}, B: {"missing": 3}, C: {"missing": 1}}, news=["N21"])
    round_ = play(state, dice=[1, 1, 1])
    assert "No more turns to miss: Ben and Cem." in round_.told
    assert round_.state.players[B].square == 2


def test_kept_cards_are_kept_and_the_others_go_under_the_pile() -> None:
    """Rulebook, "Market Tip Cards"."""
    for card in ("permit", "jail_pass", "waiver"):
        assert tip(card).state.players[A].tips == [card]
        assert TIPS[card].keep
    assert tip("gift10").state.tips[-1] == "gift10"
    assert Counter(tip("gift10").state.tips) == Counter(tip_pile())


def test_a_waiver_pays_the_interest_once() -> None:
    """“waiver” serves on square 1, and only if there is interest to pay."""
    state = position({A: {"square": 46, "loans": 2, "tips": ["waiver"]}, **JAILED}, tips=["gift10"])
    round_ = play(state, dice=[1])
    assert round_.gain(A) == 10_000
    assert round_.state.players[A].tips == []
    unused = position({A: {"square": 46, "tips": ["waiver"]}, **JAILED}, tips=["gift10"])
    assert play(unused, dice=[1]).state.players[A].tips == ["waiver"]


def test_a_tip_draws_news() -> None:
    """ "news"."""
    state = position({A: {"square": 2}, **JAILED}, tips=["news"], news=["N18"])
    round_ = play(state, dice=[1])
    assert round_.gain(A) == 10_000


@pytest.mark.parametrize(
    ("card", "gain"),
    [("dividends", 28_000), ("best_group", 16_000), ("gift10", 10_000), ("gift20", 20_000), ("gift40", 40_000)],
)
def test_tips_that_pay(card: str, gain: int) -> None:
    assert tip(card, shares={"technics_1": A, "trust_1": A}).gain(A) == gain


@pytest.mark.parametrize(
    ("card", "gain"), [("fine10", -10_000), ("repairs", -10_000), ("garage", -10_000), ("banquet", -10_000)]
)
def test_tips_that_cost(card: str, gain: int) -> None:
    """Repairs are for two built-on properties, the banquet is for two opponents."""
    lots = owned(A, "bookshop", "grocery", built=True)
    state = position({A: {"square": 2, "car": True}, **JAILED}, tips=[card], lots=lots, face_up="N07")
    assert play(state, dice=[1]).gain(A) == gain
    if card in ("repairs", "garage"):
        assert tip(card).gain(A) == 0


def test_birthday() -> None:
    round_ = tip("birthday")
    assert (round_.gain(A), round_.gain(B), round_.gain(C)) == (10_000, -5_000, -5_000)


def test_a_tip_acts_as_square_41() -> None:
    """ "pay_dividends"."""
    round_ = tip("pay_dividends", lots=owned(A, "bookshop"), shares={"business_1": C})
    assert (round_.gain(A), round_.gain(C)) == (-15_000, 15_000)


@pytest.mark.parametrize(
    ("card", "square", "target", "dice", "gain"),
    [
        ("to_branch", 2, 11, (), 0),
        ("to_branch", 13, 14, (), 0),
        ("to_builders", 2, 17, (), 0),
        ("to_builders", 24, 25, (), 0),
        ("to_builders", 35, 40, (), 0),
        ("to_builders", 41, 42, (), 0),
        ("to_bank", 2, 34, (3, 4), 35_000),
        ("to_bank", 35, 36, (), 15_000),
    ],
)
def test_tips_that_move_never_pass_34_or_1_and_the_new_square_counts(
    card: str, square: int, target: int, dice: tuple[int, ...], gain: int
) -> None:
    """A22."""
    round_ = tip(card, dice, square=square)
    assert (round_.state.players[A].square, round_.gain(A)) == (target, gain)


def test_arrest_goes_straight_to_jail() -> None:
    """A22; "arrest"."""
    sheet = tip("arrest", (6,)).state.players[A]
    assert (sheet.square, sheet.missing, sheet.from_jail) == (24, 3, True)


def test_offers_of_the_bank_work_on_any_square() -> None:
    """A19: "offer_share" and "offer_lot", by the standing order, at the printed price."""
    share = tip("offer_share", post="offered buy Bookshop, Crafts 50")
    assert share.state.shares["crafts_1"] == A
    assert share.gain(A) == -50_000
    lot = tip("offer_lot", post="angeboten kaufe Handwerk 50, Buchladen")
    assert lot.state.properties["bookshop"].owner == A
    assert tip("offer_lot", post="offered buy Bookshop keep 60000").gain(A) == 0
    assert tip("offer_lot").gain(A) == 0


def test_raids_make_an_opponent_sell() -> None:
    """A19: "raid_share" at cost, "raid_lot" at 120 per cent of cost with its building; not from complete groups."""
    share = tip("raid_share", post="raid Business 75", shares={"business_1": B})
    assert (share.gain(A), share.gain(B)) == (-75_000, 75_000)
    lot = tip("raid_lot", post="raid Bookshop", lots=owned(B, "bookshop", built=True))
    assert (lot.gain(A), lot.gain(B)) == (-48_000, 48_000)
    assert lot.state.properties["bookshop"].built
    assert tip("raid_lot", post="raid Bookshop", lots=owned(B, "bookshop", mortgaged=True)).gain(A) == 0
    whole = owned(B, "cobbler", "joiner", "tailor")
    assert tip("raid_lot", post="raid Cobbler", lots=whole, shares=group(B, "crafts")).gain(A) == 0


def test_shares_of_the_same_value_are_swapped() -> None:
    """A19: "swap_share", neither from a complete group."""
    shares = {"crafts_1": A, "business_2": C}
    round_ = tip("swap_share", post="swap Crafts 50 for Business 50", shares=shares)
    assert (round_.state.shares["crafts_1"], round_.state.shares["business_2"]) == (C, A)
    whole = owned(A, "cobbler", "joiner", "tailor")
    kept = tip(
        "swap_share",
        post="swap Crafts 50 for Business 50",
        lots=whole,
        shares={**group(A, "crafts"), "business_2": C},
    )
    assert kept.state.shares["business_2"] == C
