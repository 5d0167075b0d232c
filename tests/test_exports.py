"""Games that were exported once hold for ever, by the rules that they were begun with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.registry import ruleset, rulesets
from judge.verification import verify
from tests.at_the_table import sit_down
from tests.forging import exported, told

FOLDER = Path(__file__).parent / "exports"
FILES = sorted(FOLDER.glob("*/*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_an_export_verifies_for_ever(file: Path) -> None:
    """T143, T328, T329: old games replay identically, or keep their old rules."""
    verdict = verify(file.read_bytes(), ruleset)
    assert verdict.ok, told(verdict)
    assert verdict.unreplayed is None
    assert verdict.closed == ()
    assert verdict.ruleset == file.parent.name
    assert verdict.counts.turns > 0


def test_there_are_games_to_verify() -> None:
    assert FILES


@pytest.mark.parametrize("name", rulesets())
def test_a_finished_game_of_every_ruleset_holds(name: str, tmp_path: Path) -> None:
    """Bots play it to the end, and all of it is checked and played again."""
    rules = ruleset(name)
    table = sit_down(tmp_path)
    try:
        table.open(names=("bot",) * rules.seats.start, ruleset=name)
        table.look()
        data = exported(table)
    finally:
        table.judge.close()
    verdict = verify(data, ruleset)
    assert verdict.ok, told(verdict)
    assert json.loads(data)["status"] == "over"
    assert verdict.unreplayed is None
    assert verdict.counts.turns == sum(entry["record"]["record"] == "resolved" for entry in json.loads(data)["records"])
