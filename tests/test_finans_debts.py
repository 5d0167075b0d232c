"""Finans and its debts: loans, raising cash, and bankruptcy."""

from __future__ import annotations

from judge.render import plain
from rulesets.finans.chapters import chapters
from rulesets.finans.payments import LeftToBank, PaidInPart
from tests.finans_table import VOICE, A, B, C, group, owned, play, position

REST = {B: {"missing": 3}, C: {"missing": 3}}


def test_a_loan_is_50_000_three_a_player_six_in_all() -> None:
    """A14; rulebook, "Bank Loans": first come in turn order."""
    mine = play(position({A: {"square": 2}, **REST}), {A: "loan 3"}, dice=[2])
    assert mine.gain(A) == 150_000
    fourth = play(mine.state, {A: "loan"}, dice=[1])
    assert "Anna: “take 1 loan” is skipped: Nobody has more than 3 loans." in fourth.told
    state = position({A: {"square": 2, "loans": 2}, B: {"square": 2, "loans": 2}, C: {"missing": 3, "loans": 1}})
    both = play(state, {A: "loan", B: "loan"}, dice=[2, 2])
    assert both.state.players[A].loans == 3
    assert "Ben: “take 1 loan” is skipped: All 6 loans of the Bank are given." in both.told


def test_voluntary_repayment_costs_no_interest() -> None:
    """A13."""
    state = position({A: {"square": 2, "loans": 1}, **REST})
    assert play(state, {A: "repay"}, dice=[2]).gain(A) == -50_000
    assert play(state, {A: "after: repay if cash over 70000"}, dice=[2]).gain(A) == -50_000
    assert play(state, {A: "after: repay if cash over 80000"}, dice=[2]).gain(A) == 0


def test_square_43_takes_one_loan_and_its_interest_and_gives_none() -> None:
    """Rulebook, "Bank Loans": 55,000; no new loan on 43, before the throw or after it."""
    state = position({A: {"square": 42, "loans": 2}, **REST})
    round_ = play(state, {A: "after: loan"}, dice=[1])
    assert round_.gain(A) == -55_000
    assert round_.state.players[A].loans == 1
    assert "Anna: “take 1 loan” is skipped: There is no loan on square 43." in round_.told
    there = position({A: {"square": 43}, **REST})
    assert play(there, {A: "loan"}, dice=[1]).gain(A) == 0
    free = position({A: {"square": 42}, **REST})
    assert play(free, dice=[1]).gain(A) == 0


def test_on_43_a_debt_is_raised_without_loans() -> None:
    """A11: on 43 mortgages and shares come first, since no loan is given there."""
    state = position({A: {"square": 42, "loans": 1, "cash": 30_000}, **REST}, lots=owned(A, "shipyard"))
    round_ = play(state, dice=[1])
    assert round_.state.properties["shipyard"].mortgaged
    assert round_.cash(A) == 30_000 + 30_000 - 55_000


def owing(lots: dict[str, object], shares: dict[str, str] | None = None, post: str = "", **sheet: object) -> list[str]:
    """What is told when Anna owes 72,000 rent on the shipyard; petrol is short, so that a car gives no second die."""
    state = position(
        {A: {"square": 32, "cash": 0, **sheet}, **REST},
        lots={**owned(B, "shipyard", built=True), **lots},
        shares=shares,
        face_up="N07",
    )
    (_, (_, *after_the_throw)), *_ = chapters(play(state, {A: post} if post else {}, dice=[1]).events)
    return [plain(VOICE.say(event.tell())) for event in after_the_throw]


def test_a_debt_takes_loans_first_then_the_cheapest_mortgage() -> None:
    """A11: loans out of turn or in it, then mortgages outside complete groups from the cheapest on."""
    assert owing(owned(A, "steel", "bookshop", "paint")) == [
        "Anna takes a loan of 50,000 Cr.",
        "Anna takes a loan of 50,000 Cr.",
        "Anna pays Ben 72,000 Cr rent for Shipyard.",
    ]
    assert owing(owned(A, "steel", "bookshop", "paint"), loans=2, cash=10_000) == [
        "Anna takes a loan of 50,000 Cr.",
        "Anna mortgages Bookshop for 10,000 Cr.",
        "Anna mortgages Paint Factory for 20,000 Cr.",
        "Anna pays Ben 72,000 Cr rent for Shipyard.",
    ]


def test_then_the_cheapest_share_and_the_car() -> None:
    """A11."""
    shares = {"technics_1": A, "crafts_1": A}
    assert owing({}, shares, loans=3, car=True)[:2] == [
        "Anna lets the Bank repurchase Crafts 50 for 40,000 Cr.",
        "Anna lets the Bank repurchase Technics 100 for 80,000 Cr.",
    ]
    assert owing({}, {"crafts_1": A}, loans=3, car=True, cash=10_000)[:2] == [
        "Anna lets the Bank repurchase Crafts 50 for 40,000 Cr.",
        "Anna lets the Bank repurchase the car for 25,000 Cr.",
    ]


def test_complete_groups_come_last() -> None:
    """A11: what is inside a complete group is mortgaged and sold after everything else."""
    told = owing(
        owned(A, "cobbler", "joiner", "tailor", "steel"),
        {**group(A, "crafts"), "technics_1": A},
        loans=3,
        cash=40_000,
    )
    assert told == [
        "Anna mortgages Steel Works for 25,000 Cr.",
        "Anna lets the Bank repurchase Technics 100 for 80,000 Cr.",
        "Anna pays Ben 72,000 Cr rent for Shipyard.",
    ]
    inside = owing(owned(A, "cobbler", "joiner", "tailor"), group(A, "crafts"), loans=3, cash=50_000)
    assert inside == [
        "Anna mortgages Cobbler's Workshop for 5,000 Cr.",
        "Anna mortgages Joiner's Workshop for 5,000 Cr.",
        "Anna mortgages Tailor's Workshop for 5,000 Cr.",
        "Anna lets the Bank repurchase Crafts 50 for 40,000 Cr.",
        "Anna pays Ben 72,000 Cr rent for Shipyard.",
    ]


def test_the_owners_standing_order_says_what_goes_first() -> None:
    """A11: `raise cash by …`, then the usual order for the rest."""
    lots, shares = owned(A, "steel"), {"technics_1": A}
    assert (
        owing(lots, shares, post="raise cash by shares")[0]
        == "Anna lets the Bank repurchase Technics 100 for 80,000 Cr."
    )
    assert owing(lots, shares, post="raise cash by properties, loans")[:2] == [
        "Anna lets the Bank repurchase Steel Works for 44,000 Cr.",
        "Anna takes a loan of 50,000 Cr.",
    ]
    assert owing(lots, shares, post="beschaffe Geld durch Hypotheken, Auto", car=True)[:3] == [
        "Anna mortgages Steel Works for 25,000 Cr.",
        "Anna lets the Bank repurchase the car for 25,000 Cr.",
        "Anna takes a loan of 50,000 Cr.",
    ]


def test_properties_are_sold_instead_of_mortgaged_before_anybody_is_bankrupt() -> None:
    """A11: mortgages bring 40,000 and the debt is 72,000: the cheapest is sold, then the next, as far as needed."""
    told = owing(owned(A, "paint", "soap"), loans=3, cash=20_000)
    assert told == [
        "Anna lets the Bank repurchase Paint Factory for 32,000 Cr.",
        "Anna mortgages Soap Factory for 20,000 Cr.",
        "Anna pays Ben 72,000 Cr rent for Shipyard.",
    ]


def test_a_debt_out_of_turn_is_raised_too() -> None:
    """A11: Cem pays for Anna's birthday."""
    state = position({A: {"square": 2}, B: {"missing": 3}, C: {"missing": 3, "cash": 1_000}}, tips=["birthday"])
    round_ = play(state, dice=[1])
    assert round_.gain(A) == 10_000
    assert round_.state.players[C].loans == 1


def test_a_bankrupt_pays_in_proportion_and_the_bank_takes_the_rest() -> None:
    """A24: parts rounded down to 500; everything else goes back to the Bank, buildings, bonds, cards and loans too."""
    state = position(
        {A: {"square": 40, "cash": 10_000, "loans": 3, "car": False, "bonds": [4], "tips": ["permit"]}, **REST},
        lots=owned(A, "bookshop", mortgaged=True),
        shares={"business_1": B, "business_2": C, "business_3": C},
    )
    round_ = play(state, {A: "always buy Technics 100"}, dice=[1])
    parts = [(part.payee, part.amount, part.due) for part in round_.of(PaidInPart)]
    assert parts == [(B, 4_000, 15_000), (C, 5_500, 20_000)]
    assert [rest.amount for rest in round_.of(LeftToBank)] == [500]
    out = round_.state.players[A]
    assert out.bankrupt
    assert (out.cash, out.loans, out.bonds, out.tips, out.programme) == (0, 0, [], [], False)
    assert round_.state.properties["bookshop"].model_dump() == {"owner": None, "built": False, "mortgaged": False}
    assert round_.state.loans_left() == 6
    assert round_.state.tips[-1] == "permit"
    assert 4 in round_.state.free_bonds()


def test_whoever_is_bankrupt_is_not_asked_any_more() -> None:
    """Rulebook, "Bankruptcy": out of the game."""
    state = position({A: {"square": 36}, B: {"bankrupt": True, "cash": 0}})
    round_ = play(state, dice=[3, 2])
    assert not any("Ben" in line for line in round_.told)


def test_several_pay_for_one_card_drawer_first_and_the_last_one_standing_owes_nothing() -> None:
    """A24: with the fall in share prices Anna and Ben go bankrupt in turn; Cem, left alone, pays nothing."""
    poor = {"cash": 0, "loans": 3}
    state = position(
        {A: {"square": 8, **poor}, B: {"missing": 2, **poor}, C: {"missing": 2, "cash": 40_000}},
        lots=owned(A, "bookshop", mortgaged=True) | owned(B, "grocery", mortgaged=True) | owned(C, "radio"),
        news=["N15"],
    )
    round_ = play(state, dice=[1])
    assert [round_.state.players[seat].bankrupt for seat in (A, B, C)] == [True, True, False]
    assert round_.gain(C) == 0
    assert round_.state.ending is not None
    assert (round_.state.ending.reason, round_.state.ending.winners) == ("last player", [C])
