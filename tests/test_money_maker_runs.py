"""Money Maker: bank runs, what pays in them, promotion and degradation."""

from __future__ import annotations

import pytest

from rulesets.money_maker.events import Bought, PaidOff
from rulesets.money_maker.rating import reachable
from rulesets.money_maker.run_events import (
    DebtsCalled,
    Degraded,
    Extinguished,
    Freed,
    GameEnded,
    OwedPaid,
    PaidInPart,
    Promoted,
    RunSettled,
    RunStarted,
    SetAgainst,
    WentBankrupt,
)
from rulesets.money_maker.state import TableState
from tests.money_maker_table import (
    BLUE_10,
    FISH,
    GREEN_20,
    QUIET,
    SHIP,
    WINDMILL,
    only,
    play,
    problems_of,
    table,
    those,
)

RICH = {"gold": 60, "board": [11]}
"""Enough credit to move the chip with blue 10, and gold to pay it."""


def test_figure_12_the_ship_calls_the_blocks_that_bear_it() -> None:
    banks = {"Anna": RICH, "Ben": {"rating": 2, "board": [3, 9]}, "Cem": {"rating": 4, "board": [5, 6, 7, 8]}}
    after, events = play(table(meter=3, banks=banks), (SHIP, BLUE_10))
    assert only(events, DebtsCalled).due == {"Anna": 11, "Ben": 3, "Cem": 5}
    assert after.banks["Ben"].board == [0, 9]
    assert after.banks["Cem"].board == [0, 6, 7, 8]
    assert only(events, RunSettled).degraded == ()


@pytest.mark.parametrize(
    ("rating", "paid", "after"), [(1, 9, 1), (1, 10, 2), (2, 20, 3), (1, 29, 2), (1, 30, 3), (2, 19, 2), (6, 99, 6)]
)
def test_figure_14_thresholds_add_up_for_several_steps(rating: int, paid: int, after: int) -> None:
    assert reachable(rating, paid) == after


def test_b11_solvency_is_found_round_after_round_before_anybody_pays() -> None:
    """Anna can pay alone.  With her solvent Cem can add her credit, and with Cem solvent Ben can add his."""
    banks = {
        "Anna": RICH,
        "Ben": {"gold": 1, "board": [5], "claims": {"Cem": 4}},
        "Cem": {"gold": 2, "board": [5], "claims": {"Anna": 3}},
    }
    after, events = play(table(meter=3, banks=banks), (SHIP, BLUE_10))
    paid = {event.seat: event.payment for event in those(events, Extinguished)}
    assert (paid["Cem"].gold, paid["Cem"].claims) == (2, {"Anna": 3})
    assert (paid["Ben"].gold, paid["Ben"].claims) == (1, {"Cem": 4})
    assert after.banks["Cem"].board == [4]


def test_b11_a_solvent_bank_pays_in_its_order_and_others_credit_first_by_default() -> None:
    banks = {"Anna": RICH, "Ben": {"gold": 20, "board": [8], "claims": {"Anna": 5}}}
    start = table(meter=3, banks=banks)
    _, events = play(start, (SHIP, BLUE_10))
    assert next(e for e in those(events, Extinguished) if e.seat == "Ben").payment.claims == {"Anna": 5}
    _, events = play(start, (SHIP, BLUE_10), Ben="pay debts with gold")
    assert next(e for e in those(events, Extinguished) if e.seat == "Ben").payment.gold == 8


def test_b11_a_short_bank_pays_all_its_gold_and_usable_credit() -> None:
    banks = {"Anna": RICH, "Ben": {"gold": 4, "board": [20], "claims": {"Anna": 5}}}
    start = table(meter=3, banks=banks)
    _, events = play(start, (SHIP, BLUE_10))
    event = only(events, PaidInPart)
    assert (event.payment.gold, event.payment.claims, event.left) == (4, {"Anna": 5}, 11)
    _, events = play(start, (SHIP, BLUE_10), Ben="pay debts with gold only")
    event = only(events, PaidInPart)
    assert (event.payment.gold, event.payment.claims, event.left) == (4, {}, 16)


def test_b12_credit_laid_during_a_run_is_not_due_in_it() -> None:
    banks = {"Anna": RICH, "Ben": {"gold": 3, "board": [6], "claims": {"Anna": 3}}}
    after, events = play(table(meter=3, banks=banks), (SHIP, BLUE_10), Anna="do not promote")
    assert only(events, DebtsCalled).due["Anna"] == 11
    assert after.banks["Anna"].board == [3]


def test_b13_promotion_is_optional_and_counts_what_was_paid_at_once() -> None:
    banks = {"Anna": {"gold": 60, "board": [30]}}
    start = table(meter=3, banks=banks)
    _, events = play(start, (SHIP, BLUE_10))
    event = only(events, Promoted)
    assert (event.before, event.after, event.paid) == (1, 3, 30)
    _, events = play(start, (SHIP, BLUE_10), Anna="promote up to II")
    assert only(events, Promoted).after == 2
    _, events = play(start, (SHIP, BLUE_10), Anna="do not promote")
    assert those(events, Promoted) == []


def test_b14_credit_goes_unit_by_unit_to_the_block_with_least_unless_the_payer_chooses() -> None:
    banks = {"Anna": {"rating": 3, "board": [4, 0, 1]}, "Ben": {"claims": {"Anna": 4}}}
    after, _ = play(table(banks=banks), QUIET, Anna="buy 3 consumer\npay with credit")
    assert after.banks["Anna"].board == [4, 2, 2]
    after, events = play(table(active="Ben", banks=banks), QUIET, Ben="buy 3 consumer\nplace Anna credit on cheese")
    assert after.banks["Anna"].board == [4, 0, 4]
    assert only(events, Bought).payment.claims == {"Anna": 3}


def test_b14_on_a_new_ring_credit_lies_by_the_owners_placement() -> None:
    banks = {"Anna": {"gold": 60, "rating": 2, "board": [20, 9]}}
    after, events = play(table(meter=3, banks=banks), (SHIP, BLUE_10))
    assert (only(events, Promoted).board, after.banks["Anna"].rating) == ((3, 3, 3), 3)
    after, _ = play(table(meter=3, banks=banks), (SHIP, BLUE_10), Anna="place own credit on cheese")
    assert after.banks["Anna"].board == [0, 0, 9]


def test_b15_the_alternative_step_pays_off_one_block_and_may_promote() -> None:
    banks = {"Anna": {"gold": 24, "rating": 2, "board": [20, 9], "cards": ["Dye House"], "claims": {"Ben": 2}}}
    after, events = play(table(banks=banks), (FISH, GREEN_20), Anna="pay off windmill\nbuy action card")
    event = only(events, PaidOff)
    assert (event.amount, event.payment.claims, event.payment.gold) == (20, {"Ben": 2}, 18)
    assert only(events, Promoted).after == 3
    anna = after.banks["Anna"]
    assert (anna.goods["consumer"], after.banks["Ben"].board, len(anna.actions)) == (0, [2], 1)
    assert (anna.gold, sum(anna.board)) == (0, 9 + 4)


def test_b15_a_block_that_cannot_be_paid_in_full_is_refused_with_the_numbers() -> None:
    state = table(banks={"Anna": {"gold": 10, "board": [12], "claims": {"Ben": 1}}})
    assert problems_of(state, "Anna", "pay off windmill") == ["On that block lie 12 of your credit; you can pay 11."]
    assert problems_of(table(), "Anna", "pay off windmill") == ["You have no credit on that block."]


def short_bank(**more: object) -> TableState:
    """The next step of the chip brings a run, in which Ben is 11 short and nobody has an idea."""
    return table(meter=3, banks={"Anna": RICH, "Ben": {"gold": 4, "board": [15], **more}})


def test_b16_a_degraded_bank_moves_the_chip_two_steps_after_the_run() -> None:
    state = table(meter=3, banks={"Anna": RICH, "Ben": {"rating": 2, "gold": 4, "board": [15, 6]}})
    window, _ = play(state, (SHIP, BLUE_10))
    assert (window.phase, window.run is not None) == ("rescue", True)
    after, events = play(window, Ben="done")
    event = only(events, Degraded)
    assert (event.before, event.after, event.unpaid) == (2, 1, 11)
    assert after.banks["Ben"].board == [17]
    assert (after.meter, after.active, after.run) == (2, "Ben", None)
    order = [type(event) for event in events]
    assert order.index(Degraded) < order.index(RunSettled)


def test_b16_the_steps_may_chain_a_run_which_keeps_the_faces() -> None:
    """Three degraded banks make six steps: the chip reaches the circle after five, and the sixth lapses."""
    banks = {
        "Anna": RICH,
        "Ben": {"rating": 2, "gold": 0, "board": [15, 0]},
        "Cem": {"rating": 2, "gold": 0, "board": [15, 0]},
        "Dora": {"rating": 2, "gold": 0, "board": [15, 0]},
    }
    window, _ = play(table("Anna, Ben, Cem, Dora", meter=4, banks=banks), (SHIP, BLUE_10))
    after, events = play(window, Ben="done", Cem="done", Dora="done")
    assert only(events, RunStarted).number == 2
    assert only(events, DebtsCalled).sectors == ("ship",)
    assert (after.runs, after.meter, after.phase) == (2, 0, "rescue")


def test_b17_below_ring_one_lies_the_prison() -> None:
    window, _ = play(short_bank(), (SHIP, BLUE_10))
    after, events = play(window, Ben="done")
    assert only(events, Degraded).after == 0
    ben = after.banks["Ben"]
    assert (ben.rating, ben.board, ben.gold) == (0, [11], 0)


def test_b17_in_prison_sales_pay_debts_and_the_last_of_them_opens_the_door() -> None:
    prisoner = {"rating": 0, "board": [4], "gold": 0, "goods": {"consumer": 3}}
    state = table(banks={"Anna": prisoner}, markets={"consumer": {"slots": [3, 3, 3, 0, 3, 3, 3, 3]}})
    after, _ = play(state, QUIET, Anna="sell 1 consumer at 4")
    assert (after.banks["Anna"].board, after.banks["Anna"].gold, after.banks["Anna"].rating) == ([0], 0, 1)
    after, events = play(state, QUIET, Anna="sell 2 consumer")
    assert only(events, Freed).seat == "Anna"
    assert (after.banks["Anna"].gold, after.reserve) == (4, state.reserve - 4)


def test_b17_a_prisoner_may_issue_credit() -> None:
    state = table(banks={"Anna": {"rating": 0, "board": [4], "gold": 0}})
    after, _ = play(state, QUIET, Anna="buy 2 consumer")
    assert after.banks["Anna"].board == [6]


def test_a_prisoner_who_is_short_again_is_bankrupt() -> None:
    prisoner = {"rating": 0, "board": [4], "gold": 0, "cards": ["Dye House"], "goods": {"consumer": 3}}
    window, _ = play(table(meter=3, banks={"Anna": RICH, "Ben": prisoner}), (SHIP, BLUE_10))
    after, events = play(window, Ben="done")
    assert only(events, WentBankrupt).cards == ("Dye House",)
    ben = after.banks["Ben"]
    assert (ben.bankrupt, ben.cards, ben.goods["consumer"], ben.board) == (True, [], 0, [0])
    assert after.removed["cards"] == ["Dye House"]
    assert after.active == "Cem"


def emptied(**anna: object) -> TableState:
    """One gold is in the Reserve, and Anna sells for three."""
    return table(
        banks={
            "Anna": {"goods": {"consumer": 2}, "gold": 9, **anna},
            "Ben": {"gold": 400},
            "Cem": {"gold": 0},
        },
        markets={"consumer": {"slots": [2, 2, 3, 3, 3, 3, 3, 3]}},
    )


def test_b9_an_empty_reserve_starts_a_run_and_what_it_owes_is_set_against_debts() -> None:
    after, events = play(emptied(board=[8]), (SHIP, WINDMILL, GREEN_20), Anna="sell consumer")
    assert only(events, RunStarted).cause == "reserve"
    assert only(events, SetAgainst).amount == 2
    assert only(events, Extinguished).due == 6
    assert (after.runs, after.meter) == (1, 0)
    assert after.banks["Anna"].gold == 9 + 1 - 6


def test_b9_what_is_set_against_debts_counts_for_a_promotion() -> None:
    """Anna owes 10: 2 are set against it, 8 she pays, and 10 promote her."""
    _, events = play(emptied(board=[10]), (SHIP, WINDMILL, GREEN_20), Anna="sell consumer")
    assert only(events, Promoted).paid == 10


def test_b9_the_rest_is_paid_as_far_as_the_run_refills_the_reserve() -> None:
    """Anna has no debts; Ben pays one gold in, and the other gold lapses, which empties the Reserve once more."""
    state = emptied()
    data = state.model_dump()
    data["banks"]["Ben"]["board"] = [1]
    after, events = play(TableState.model_validate(data), (SHIP, SHIP, WINDMILL, GREEN_20), Anna="sell consumer")
    event = only(events, OwedPaid)
    assert (event.gold, event.lapsed) == (1, 1)
    assert after.runs == 2


def test_b9_a_run_comes_even_if_nothing_more_is_due() -> None:
    state = table(
        banks={"Anna": {"goods": {"consumer": 1}, "gold": 9}, "Ben": {"gold": 400}, "Cem": {"gold": 0}},
    )
    _, events = play(state, (SHIP, WINDMILL, GREEN_20), Anna="sell consumer")
    assert only(events, RunStarted).cause == "reserve"
    assert those(events, OwedPaid) == []


def test_the_last_run_of_the_game_ends_it_at_once() -> None:
    state = table(options={"length": "short"}, runs=2, meter=3, banks={"Anna": RICH})
    after, events = play(state, (SHIP, BLUE_10, FISH))
    assert only(events, GameEnded).reason == "runs"
    assert after.phase == "over"
