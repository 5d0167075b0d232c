"""Money Maker: step 4 and every action card."""

from __future__ import annotations

import pytest

from judge.core.ruleset import visible
from rulesets.money_maker.card_events import (
    ActionBought,
    ActionDrawn,
    ActionPlayed,
    Audited,
    CreditCounted,
    NoActionBought,
    PlayLapsed,
    SectorTurned,
    ThrownAgain,
)
from rulesets.money_maker.events import Auctioned, Bought, ChipMoved, Produced, Traded
from rulesets.money_maker.run_events import DebtsCalled, Freed, RunStarted, Shielded
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import ACTIONS, actions_in_play
from tests.money_maker_table import BLUE_10, GREEN_20, QUIET, RED_10, SHIP, WINDMILL, only, play, table, those


def holding(*cards: str, seat: str = "Anna", **given: object) -> TableState:
    banks = given.pop("banks", {})
    assert isinstance(banks, dict)
    return table(banks={**banks, seat: {**banks.get(seat, {}), "actions": list(cards)}}, **given)


def test_the_blank_cheques_are_taken_out() -> None:
    assert len(actions_in_play()) == 22
    assert "Blank Cheque" not in ACTIONS


def test_an_action_card_costs_ten_and_only_its_owner_sees_it() -> None:
    state = table(action_pile=["Kermis Fair"])
    after, events = play(state, QUIET, Anna="buy action card\nproduce nothing")
    assert only(events, ActionBought).payment.gold == 10
    assert only(events, ActionDrawn).only == "Anna"
    assert those(visible(events, "Ben"), ActionDrawn) == []
    assert after.banks["Anna"].actions == ["Kermis Fair"]
    assert after.banks["Anna"].gold == 5


def test_used_cards_are_shuffled_anew_when_the_pile_is_empty() -> None:
    names = actions_in_play()
    state = table(
        action_pile=[], action_discard=["Kermis Fair", "Spilled Dice"], banks={"Ben": {"actions": _without(names)}}
    )
    after, events = play(state, QUIET, {"actions": ["Spilled Dice"]}, Anna="buy action card")
    assert only(events, ActionDrawn).action == "Spilled Dice"
    assert (after.action_pile, after.action_discard) == (["Kermis Fair"], [])
    empty = table(action_pile=[], banks={"Ben": {"actions": names}})
    _, events = play(empty, QUIET, Anna="buy action card")
    assert not only(events, NoActionBought).pile


def _without(names: list[str]) -> list[str]:
    rest = list(names)
    rest.remove("Kermis Fair")
    rest.remove("Spilled Dice")
    return rest


def test_a_card_may_be_played_directly_after_it_was_bought() -> None:
    """A standing play for a card that he might draw."""
    state = table(action_pile=["Warehouse Fire"])
    after, events = play(state, QUIET, Anna="buy action card\nproduce nothing\nplay Warehouse Fire on production")
    assert only(events, ActionPlayed).action == "Warehouse Fire"
    assert after.markets["production"].slots[0] == 0
    assert after.action_discard == ["Warehouse Fire"]


def test_a_card_that_is_not_held_lapses_and_only_its_player_is_told() -> None:
    _, events = play(table(), QUIET, Anna="play Kermis Fair")
    event = only(events, PlayLapsed)
    assert (event.only, event.reason) == ("Anna", "not held")


def test_warehouse_fire_takes_the_three_cheapest_goods() -> None:
    state = holding("Warehouse Fire", markets={"consumer": {"slots": [1, 1, 3, 3, 3, 3, 3, 3]}})
    after, _ = play(state, QUIET, Anna="play Warehouse Fire on consumer\nproduce nothing")
    assert after.markets["consumer"].slots == [0, 0, 2, 3, 3, 3, 3, 3]
    assert after.markets["consumer"].reserve == state.markets["consumer"].reserve + 3


def test_fleet_home_fills_a_market_and_nobody_is_paid() -> None:
    state = holding("Fleet Home", markets={"consumer": {"slots": [1, 2, 3, 3, 3, 3, 3, 0]}})
    after, _ = play(state, QUIET, Anna="play Fleet Home on consumer\nproduce nothing")
    assert after.markets["consumer"].slots == [3, 3, 3, 3, 3, 3, 3, 0]
    assert after.reserve == state.reserve


def test_whispers_move_the_chip_on_and_may_start_a_run() -> None:
    state = holding("Whispers at the Exchange", seat="Ben", meter=3)
    after, events = play(state, (SHIP, WINDMILL, GREEN_20), Ben="play Whispers at the Exchange at 1 steps")
    assert only(events, ChipMoved).why == "rumour"
    assert only(events, RunStarted).number == 1
    state = holding("Whispers at the Exchange", seat="Ben", meter=2)
    after, events = play(state, QUIET, Ben="play Whispers at the Exchange at 1 steps")
    assert (after.meter, after.banks["Ben"].actions) == (2, ["Whispers at the Exchange"])


def test_a_word_from_the_burgomaster_moves_it_back_but_not_past_its_start() -> None:
    name = "A Word from the Burgomaster"
    after, _ = play(holding(name, seat="Ben", meter=2), QUIET, Ben="play A Word from the Burgomaster at 2 steps")
    assert (after.meter, after.action_discard) == (1, [name])
    after, _ = play(holding(name, seat="Ben"), QUIET, Ben="play A Word from the Burgomaster")
    assert (after.meter, after.banks["Ben"].actions) == (0, [name])


def test_spilled_dice_throw_the_credit_die_again() -> None:
    state = holding("Spilled Dice", seat="Ben", banks={"Ben": {"board": [12]}})
    after, events = play(state, (SHIP, BLUE_10, RED_10), Ben="play Spilled Dice if blue")
    assert only(events, ThrownAgain).tint == "red"
    assert after.meter == 0
    after, events = play(state, (SHIP, RED_10), Ben="play Spilled Dice if blue")
    assert those(events, ThrownAgain) == []


def test_turning_wind_turns_a_sector_die_after_the_dice() -> None:
    banks = {"Ben": {"rating": 2, "board": [12, 0]}}
    state = holding("Turning Wind", seat="Ben", banks=banks)
    after, events = play(state, (SHIP, BLUE_10), Ben="play Turning Wind to fish from ship")
    assert only(events, SectorTurned).after == "fish"
    assert only(events, CreditCounted).over == ()
    after, events = play(state, (WINDMILL, BLUE_10), Ben="play Turning Wind to fish from ship")
    assert only(events, CreditCounted).over == ("Ben",)
    assert after.banks["Ben"].actions == ["Turning Wind"]


def test_turning_wind_may_wait_for_a_bank_run() -> None:
    banks = {"Anna": {"board": [11], "gold": 40}, "Ben": {"rating": 2, "board": [12, 0]}}
    state = holding("Turning Wind", seat="Ben", meter=3, banks=banks)
    after, events = play(state, (SHIP, BLUE_10), Ben="play Turning Wind to fish in a run")
    assert only(events, CreditCounted).credit["Ben"] == 12
    assert only(events, DebtsCalled).due["Ben"] == 0
    assert after.banks["Ben"].board == [12, 0]


def test_night_shift_lets_a_company_work_twice() -> None:
    state = holding("Night Shift", banks={"Anna": {"cards": ["Dye House"]}})
    after, events = play(state, QUIET, Anna="produce all\nplay Night Shift with Dye House")
    assert len(those(events, Produced)) == 2
    assert after.banks["Anna"].goods["consumer"] == 4
    state = holding("Night Shift", banks={"Anna": {"cards": ["Cloth Hall"], "goods": {"production": 4}}})
    after, events = play(
        state, QUIET, Anna="trade Cloth Hall into consumer\nplay Night Shift with Cloth Hall into consumer"
    )
    assert len(those(events, Traded)) == 2
    assert after.banks["Anna"].goods == {"production": 0, "consumer": 4}


def test_quiet_ledger_moves_up_to_twenty_credit_between_own_blocks() -> None:
    state = holding("Quiet Ledger", banks={"Anna": {"rating": 2, "board": [25, 1]}})
    after, _ = play(state, (SHIP, RED_10), Anna="play Quiet Ledger 20 from ship to fish\nproduce nothing")
    assert after.banks["Anna"].board == [5, 21]


@pytest.mark.parametrize(("by", "winner", "price"), [(1, "Anna", 6), (2, "Ben", 7)])
def test_late_envelope_wins_if_it_is_over_the_settled_price(by: int, winner: str, price: int) -> None:
    state = holding("Late Envelope", seat="Ben", row=["Sheep Farm"])
    after, events = play(
        state, QUIET, Anna="open Sheep Farm max 20", Ben=f"bid Sheep Farm 5\nplay Late Envelope by {by}"
    )
    event = only(events, Auctioned)
    assert (event.winner, event.price) == (winner, price)
    assert len(event.raised) == (winner == "Ben")
    assert len(after.banks["Ben"].actions) == (winner == "Anna")


def test_late_envelope_need_only_reach_the_opening_price_where_nobody_else_bid() -> None:
    state = holding("Late Envelope", seat="Ben", row=["Sheep Farm"])
    _, events = play(state, QUIET, Anna="open Sheep Farm max 20", Ben="bid Sheep Farm 1\nplay Late Envelope by 1")
    event = only(events, Auctioned)
    assert (event.opening, event.winner, event.price) == (2, "Ben", 2)


def test_clearing_day_exchanges_credit_for_gold_as_far_as_there_is_any() -> None:
    banks = {"Anna": {"claims": {"Ben": 14}}, "Ben": {"gold": 6}}
    after, _ = play(holding("Clearing Day", banks=banks), QUIET, Anna="play Clearing Day on Ben\nproduce nothing")
    assert (after.banks["Anna"].gold, after.banks["Anna"].claims["Ben"], after.banks["Ben"].gold) == (21, 8, 0)


def test_clearing_day_pays_a_prisoners_debts_at_once() -> None:
    banks = {"Anna": {"rating": 0, "gold": 0, "board": [5], "claims": {"Ben": 14}}}
    after, events = play(holding("Clearing Day", banks=banks), QUIET, Anna="play Clearing Day on Ben\nproduce nothing")
    assert only(events, Freed).seat == "Anna"
    assert after.banks["Anna"].board == [0]


def test_a_letter_of_grace_keeps_ten_credit_on_its_block() -> None:
    banks = {"Anna": {"board": [11], "gold": 40}, "Ben": {"board": [14], "gold": 15}}
    state = holding("Letter of Grace", seat="Ben", meter=3, banks=banks)
    after, events = play(state, (SHIP, BLUE_10), Ben="play Letter of Grace")
    assert only(events, Shielded).amount == 10
    assert only(events, DebtsCalled).due["Ben"] == 4
    assert (after.banks["Ben"].board, after.banks["Ben"].gold) == ([10], 11)


def test_kermis_fair_doubles_what_may_be_bought() -> None:
    state = holding("Kermis Fair", banks={"Anna": {"gold": 40}})
    after, events = play(state, QUIET, Anna="play Kermis Fair\nbuy 8 consumer")
    assert len(only(events, Bought).prices) == 8
    assert after.banks["Anna"].gold == 40 - 3 - 6 - 6


def test_an_auditor_shows_a_vault_to_one_bank_alone() -> None:
    state = holding("Auditor's Visit", banks={"Ben": {"gold": 7, "actions": ["Kermis Fair"]}})
    _, events = play(state, QUIET, Anna="play Auditor's Visit on Ben\nproduce nothing")
    event = only(events, Audited)
    assert (event.only, event.gold, event.actions) == ("Anna", 7, ("Kermis Fair",))


def test_a_kept_card_is_not_played_until_a_line_says_so_again() -> None:
    state = holding("Spilled Dice", seat="Ben")
    after, events = play(state, QUIET, Ben="play Spilled Dice\nkeep Spilled Dice")
    assert those(events, ThrownAgain) == []
    after, events = play(after, (*QUIET, RED_10), Ben="play Spilled Dice")
    assert len(those(events, ThrownAgain)) == 1
