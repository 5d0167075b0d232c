"""Money Maker: the ways to end, and the score sheet."""

from __future__ import annotations

import pytest

from rulesets.money_maker import ruleset
from rulesets.money_maker.run_events import GameEnded, ScoreSheet
from rulesets.money_maker.scoring import score_sheet, standings, winners
from rulesets.money_maker.tables import COMPANIES
from tests.money_maker_table import BLUE_10, FISH, QUIET, SHIP, only, play, table, those

RICH = {"gold": 60, "board": [11]}


@pytest.mark.parametrize(("length", "runs"), [("short", 2), ("average", 3), ("long", 4)])
def test_the_game_ends_with_the_third_fourth_or_fifth_run(length: str, runs: int) -> None:
    state = table(options={"length": length}, runs=runs, meter=3, banks={"Anna": RICH})
    throws = (SHIP, BLUE_10, FISH) if runs == 2 else (SHIP, FISH, BLUE_10)
    after, events = play(state, throws)
    event = only(events, GameEnded)
    assert (event.reason, event.runs) == ("runs", runs + 1)
    assert ruleset.asks(after) == {}
    state = table(options={"length": length}, runs=runs - 1, meter=3, banks={"Anna": RICH})
    after, events = play(state, throws[: 1 + (runs > 3)] + (BLUE_10,) + ((FISH,) if runs == 3 else ()))
    assert those(events, GameEnded) == []


PRISONER = {"rating": 0, "gold": 0, "board": [12]}


def test_the_game_ends_when_everybody_is_bankrupt() -> None:
    state = table(meter=3, banks={"Anna": PRISONER, "Ben": PRISONER, "Cem": PRISONER})
    after, events = play(state, (SHIP, BLUE_10))
    event = only(events, GameEnded)
    assert (event.reason, event.winners) == ("all bankrupt", ())
    assert standings(after) == [("Anna", 0), ("Ben", 0), ("Cem", 0)]


def test_the_game_ends_when_a_single_bank_is_left() -> None:
    state = table(meter=3, banks={"Anna": PRISONER, "Ben": PRISONER})
    window, _ = play(state, (SHIP, BLUE_10))
    after, events = play(window, Anna="done", Ben="done")
    event = only(events, GameEnded)
    assert (event.reason, event.winners) == ("one left", ("Cem",))
    assert after.winners == ["Cem"]


def test_b23_ten_cards_end_the_game_at_the_end_of_the_turn() -> None:
    nine = [card for card in COMPANIES if card != "Sheep Farm"][:9]
    state = table(row=["Sheep Farm"], banks={"Anna": {"cards": nine, "goods": {"consumer": 5}}})
    _, events = play(state, QUIET, Anna="open Sheep Farm max 9\nsell consumer keep 4\nproduce nothing")
    kinds = [type(event).__name__ for event in events]
    assert only(events, GameEnded).reason == "ten cards"
    assert kinds.index("Sold") < kinds.index("DiceThrown") < kinds.index("GameEnded")


def test_the_score_sheet_line_by_line() -> None:
    """B22: production goods are bought at 2, the consumer market is empty and counts 9."""
    state = table(
        markets={"production": {"slots": [0, 3, 3, 3, 3, 3, 3, 3]}, "consumer": {"slots": [0] * 8}},
        banks={
            "Anna": {
                "gold": 12,
                "goods": {"consumer": 2, "production": 1},
                "cards": ["Textile Producer", "Malt House"],
                "claims": {"Ben": 7},
                "rating": 3,
                "board": [4, 5, 0],
            },
            "Ben": {"claims": {"Anna": 6}},
        },
    )
    sheet = score_sheet(state, "Anna")
    assert (sheet.gold, sheet.goods, sheet.cards, sheet.claims, sheet.rating) == (12, 3, 2 * 2 + 5 * 9, 7, 20)
    assert (sheet.assets, sheet.on_board, sheet.to_others, sheet.total) == (91, 9, 6, 76)


def test_b24_credit_of_a_bankrupt_bank_is_worth_nothing_and_pays_nothing() -> None:
    state = table(banks={"Anna": {"claims": {"Ben": 7}, "gold": 0, "board": [5]}, "Ben": {"bankrupt": True, "gold": 0}})
    assert score_sheet(state, "Anna").claims == 0
    assert list(ruleset.asks(state)) == ["Anna", "Cem"]
    after, _ = play(state, QUIET, Anna="buy 1 consumer")
    assert (after.banks["Anna"].claims["Ben"], after.banks["Anna"].board) == (7, [6])


def test_b28_ties_go_by_gold_then_by_rating_and_are_else_shared() -> None:
    more_gold = table(banks={"Ben": {"gold": 20, "board": [5]}})
    assert winners(more_gold) == ["Ben"]
    higher = table(banks={"Cem": {"rating": 2, "board": [5, 5]}})
    assert standings(higher)[0] == ("Cem", 15)
    assert winners(higher) == ["Cem"]
    assert winners(table()) == ["Anna", "Ben", "Cem"]


def test_a_bankrupt_bank_ranks_behind_every_other() -> None:
    state = table(banks={"Anna": {"board": [40]}, "Ben": {"bankrupt": True, "gold": 0}})
    assert standings(state) == [("Cem", 15), ("Anna", -25), ("Ben", -26)]


def test_the_end_opens_the_vaults_and_shows_the_sheets() -> None:
    state = table(options={"length": "short"}, runs=2, meter=3, banks={"Anna": RICH})
    assert ruleset.view(state, None).vaults is None
    after, events = play(state, (SHIP, BLUE_10, FISH))
    assert [sheet.seat for sheet in those(events, ScoreSheet)] == ["Anna", "Ben", "Cem"]
    public = ruleset.view(after, None)
    assert public.vaults is not None
    assert public.vaults["Anna"].gold == after.banks["Anna"].gold
    assert public.scores == dict(standings(after))
