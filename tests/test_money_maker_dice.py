"""Money Maker: step 1, the dice of step 5, and the bankrun-o-meter."""

from __future__ import annotations

import pytest

from rulesets.money_maker.card_events import CreditCounted, DiceThrown
from rulesets.money_maker.events import ChipMoved, TurnBegun
from rulesets.money_maker.run_events import DebtsCalled, GameEnded, RunStarted
from rulesets.money_maker.tables import COMPANIES
from tests.money_maker_table import (
    BLUE_10,
    BLUE_20,
    BRIDGE,
    CHEESE,
    FISH,
    GREEN_20,
    QUIET,
    RED_10,
    SHIP,
    WINDMILL,
    only,
    play,
    table,
    those,
)

FIVE = ["Textile Producer", "Sail Loft", "Sheep Farm", "Hop Yard", "Malt House"]


def test_figure_9_all_blocks_with_the_symbol_are_hit() -> None:
    """The windmill: ring I as a whole, the left block of ring II, the first of ring V."""
    banks = {
        "Anna": {"board": [12]},
        "Ben": {"rating": 2, "board": [11, 30]},
        "Cem": {"rating": 5, "board": [11, 30, 30, 30, 30]},
    }
    _, events = play(table(banks=banks), (WINDMILL, GREEN_20))
    assert only(events, CreditCounted).credit == {"Anna": 12, "Ben": 11, "Cem": 11}


def test_figure_9_two_equal_dice_do_not_count_twice() -> None:
    _, events = play(table(runs=3, banks={"Anna": {"board": [12]}}), (WINDMILL, WINDMILL, GREEN_20))
    assert only(events, CreditCounted).credit["Anna"] == 12
    assert only(events, DiceThrown).sectors == ("windmill", "windmill")


def test_figure_10_four_players_over_10_discard_four_goods_from_the_production_market() -> None:
    """Purple and yellow have no more than 10 and are not counted."""
    banks = {
        "Orange": {"board": [12]},
        "Pink": {"board": [11]},
        "Black": {"board": [30]},
        "White": {"board": [15]},
        "Purple": {"board": [10]},
        "Yellow": {"board": [4]},
    }
    state = table("Orange, Pink, Black, White, Purple, Yellow", banks=banks)
    after, events = play(state, (WINDMILL, RED_10))
    event = only(events, CreditCounted)
    assert event.over == ("Orange", "Pink", "Black", "White")
    assert event.goods == 4
    assert after.markets["production"].slots == [0, 2, 3, 3, 3, 3, 3, 3]
    assert after.markets["consumer"].slots == [3] * 8


@pytest.mark.parametrize(("face", "steps"), [(BLUE_10, 3), (BLUE_20, 1)])
def test_figure_10_blue_moves_the_chip_once_for_each_bank_over_the_number(face: int, steps: int) -> None:
    banks = {"Anna": {"board": [11]}, "Ben": {"board": [20]}, "Cem": {"board": [21]}}
    after, events = play(table(banks=banks), (WINDMILL, face))
    assert (only(events, ChipMoved).after, after.meter) == (steps, steps)


def test_b6_credit_on_several_affected_blocks_is_added_up() -> None:
    state = table(runs=3, banks={"Anna": {"rating": 2, "board": [6, 5]}})
    _, events = play(state, (WINDMILL, BRIDGE, RED_10))
    event = only(events, CreditCounted)
    assert (event.credit["Anna"], event.over) == (11, ("Anna",))


def test_figure_11_and_b7_with_five_cards_open_none_is_drawn_and_the_chip_moves() -> None:
    after, events = play(table(row=FIVE), QUIET)
    assert only(events, TurnBegun).card is None
    assert only(events, ChipMoved).why == "five open"
    assert (len(after.row), after.meter, after.active) == (5, 1, "Ben")


def test_b7_the_step_may_start_a_run_at_once_and_the_turn_goes_on() -> None:
    after, events = play(table(row=FIVE, meter=3), (*QUIET, FISH))
    assert only(events, RunStarted).slot == "B1"
    assert only(events, DebtsCalled).sectors == ("fish",)
    assert (after.meter, after.runs, after.active, after.phase) == (0, 1, "Ben", "turn")


def _nearly_empty(*row: str) -> dict[str, object]:
    """All cards but those in the row are in vaults, so that the pile is empty."""
    rest = [card for card in COMPANIES if card not in row]
    return {
        "row": list(row),
        "pile": [],
        "banks": {name: {"cards": rest[at::5]} for at, name in enumerate(("Anna", "Ben", "Cem", "Dora", "Eva"))},
    }


def test_b8_with_an_empty_pile_the_chip_moves_at_the_end_of_a_turn_without_a_sale() -> None:
    state = table("Anna, Ben, Cem, Dora, Eva", **_nearly_empty("Sail Loft", "Hop Yard"))
    after, events = play(state, QUIET)
    assert only(events, ChipMoved).why == "empty pile"
    assert after.meter == 1
    after, events = play(state, QUIET, Anna="open Hop Yard 9\nproduce nothing")
    assert those(events, ChipMoved) == []
    assert after.ending is None


def test_b8_the_game_ends_when_pile_and_row_are_empty() -> None:
    state = table("Anna, Ben, Cem, Dora, Eva", **_nearly_empty("Hop Yard"))
    _, events = play(state, QUIET, Anna="open Hop Yard 9")
    assert only(events, GameEnded).reason == "no cards"


def test_b10_a_run_at_step_5_uses_its_faces() -> None:
    banks = {"Anna": {"board": [12], "gold": 40}}
    _, events = play(table(meter=3, banks=banks), (SHIP, BLUE_10))
    assert only(events, DebtsCalled).sectors == ("ship",)


def test_b10_the_second_die_counts_from_the_third_run_itself() -> None:
    """The turn throws one sector die, the run adds the second; in the next turn both are thrown."""
    banks = {"Anna": {"board": [12], "gold": 40}}
    after, events = play(table(options={"length": "long"}, runs=2, meter=3, banks=banks), (SHIP, BLUE_10, CHEESE))
    assert only(events, RunStarted).number == 3
    assert only(events, DebtsCalled).sectors == ("ship", "cheese")
    _, events = play(after, (FISH, CHEESE, GREEN_20))
    assert only(events, DiceThrown).sectors == ("fish", "cheese")


def test_b10_a_run_before_step_5_throws_anew_and_step_5_still_throws() -> None:
    """The Reserve is emptied by a sale in step 3."""
    state = table(
        banks={
            "Anna": {"goods": {"consumer": 3}, "gold": 3},
            "Ben": {"gold": 406},
            "Cem": {"gold": 0},
        }
    )
    assert state.reserve == 1
    _, events = play(state, (FISH, SHIP, GREEN_20), Anna="sell 1 consumer")
    assert only(events, DebtsCalled).sectors == ("fish",)
    assert only(events, DiceThrown).sectors == ("ship",)
