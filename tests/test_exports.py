"""Games that were exported once hold for ever, by the rules that they were begun with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.registry import ruleset, rulesets
from judge.verification import verify
from tests.forging import told

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


def test_every_game_that_is_installed_has_a_finished_one() -> None:
    finished = {file.parent.name for file in FILES if json.loads(file.read_bytes())["status"] == "over"}
    assert finished == set(rulesets())
