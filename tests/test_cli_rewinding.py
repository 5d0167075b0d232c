"""Taking turns back at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.at_the_command_line import CommandLine


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def game_of_bots(judge: CommandLine) -> str:
    """A finished game of bots."""
    opened = judge(
        "new-game",
        "--ruleset",
        "commodity-market",
        "--json",
        "--seats",
        "bot,bot,bot",
        "--option",
        "months=1",
        "--start",
    )
    judge("tick")
    game = str(json.loads(opened.out)["game"])
    assert json.loads(judge("games", "--json").out)[0]["status"] == "over"
    return game


def test_a_turn_is_taken_back_and_played_anew(judge: CommandLine) -> None:
    game = game_of_bots(judge)
    ran = judge("rewind", game, "1", "--why", "The rules were wrong.")
    assert ran.code == 0, ran.err
    assert ran.out == "Turn 1 is open again, in version 2. The thread says what was taken back, and why.\n"
    assert json.loads(judge("games", "--json").out)[0]["status"] == "over"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("1", "--why", " "), 1, "Say in 1 to 500 characters why"),
        (("9", "--why", "A mistake."), 1, "This game has no turn 9"),
        (("1", "--why", "A mistake.", "--reopen", "Zoe"), 1, "no seat “Zoe”"),
        (("one", "--why", "A mistake."), 2, "whole number"),
        (("1",), 2, "--why"),
    ],
)
def test_what_cannot_be_taken_back_is_told(
    judge: CommandLine, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ran = judge("rewind", game_of_bots(judge), *arguments)
    assert ran.code == code
    assert said in ran.err
