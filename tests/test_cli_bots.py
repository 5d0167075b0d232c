"""`judge bots`: whole games of bots, on one processor or several."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.at_the_command_line import COMMAND, SECONDS, CommandLine, environment


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def test_bots_play_games_of_every_size_to_their_end(judge: CommandLine) -> None:
    ran = judge("bots", "commodity-market", "--games", "2", "--option", "months=2", "--json")
    assert ran.code == 0, ran.err
    told = json.loads(ran.out)
    assert [run["seats"] for run in told] == [2, 3, 4, 5, 6]
    for run in told:
        assert (run["games"], run["turns"]) == (2, {"least": 4, "median": 4, "most": 4, "mean": 4})
        assert run["points"]["least"] <= run["points"]["median"] <= run["points"]["most"] == run["winning"]["most"]


def test_bots_show_what_a_game_itself_counts(judge: CommandLine) -> None:
    few = ("bots", "get-rich-quick", "--seats", "3", "--games", "2", "--option", "rounds=1")
    figures = json.loads(judge(*few, "--json").out)[0]["figures"]
    assert figures["Rounds in a game"] == {"least": 1, "median": 1, "most": 1, "mean": 1}
    assert "Bells in a round" in judge(*few).out


def test_the_same_seed_plays_the_same_games(judge: CommandLine) -> None:
    few = ("bots", "commodity-market", "--seats", "3", "--games", "2", "--option", "months=2", "--json", "--seed")
    assert judge(*few, "one").out == judge(*few, "one").out != judge(*few, "two").out


def test_bots_show_a_table_and_no_progress_where_nobody_watches(judge: CommandLine) -> None:
    ran = judge("bots", "commodity-market", "--seats", "2", "--games", "1", "--option", "months=1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[1].split() == ["Game", "Seats", "Games", "Turns", "Least", "Median", "Most", "Winners"]
    assert "Commodity market" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["chess"], 2, "There is no game “chess”"),
        (["commodity-market", "--seats", "7"], 2, "Commodity market is for 2 to 6 players, not for 7."),
        (["--option", "months=99"], 2, "at most 24 is allowed"),
        (["--games", "0"], 2, "--games: A whole number from 1 to"),
    ],
)
def test_bots_that_cannot_play_say_why(judge: CommandLine, arguments: list[str], code: int, told: str) -> None:
    ran = judge("bots", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert told in ran.err


def test_the_same_figures_come_out_with_one_worker_and_with_two(judge: CommandLine) -> None:
    for name, option in (("get-rich-quick", "rounds=2"), ("commodity-market", "months=1")):
        few = ("bots", name, "--games", "3", "--option", option, "--json", "--jobs")
        alone, together = judge(*few, "1"), judge(*few, "2")
        assert (alone.code, together.code) == (0, 0), together.err
        assert alone.out == together.out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_in_a_game_is_told_and_shown_where_it_lies(
    judge: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    (tmp_path / "rash_game.py").write_text(
        "from dataclasses import replace\n"
        "from tests.toy_ruleset import ruleset as careful\n"
        "class Stumbled(Exception):\n"
        "    def __init__(self, seat, why):\n"
        "        super().__init__(f'seat {seat} stumbled: {why}')\n"
        "def bot(view, seat, ask, dice):\n"
        "    raise Stumbled(seat, 'no plan')\n"
        "ruleset = replace(careful, name='rash', bot=bot)\n"
    )
    info = tmp_path / "rash_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rash-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[judge.rulesets]\nrash = rash_game:ruleset\n")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[1]}")
    few = ("bots", "rash", "--games", "5", "--jobs", jobs)
    told = judge.process(*few)
    assert (told.code, told.out) == (1, "")
    assert "bots: the rules or the bots have a fault (Stumbled). The same command as “judge --debug" in told.err
    assert "Traceback" not in told.err
    assert "rash_game.Stumbled: seat 1 stumbled: no plan" in judge.process("--debug", *few).err


def test_the_bar_moves_while_games_are_played_and_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    with playing(tmp_path) as command:
        os.killpg(command.pid, signal.SIGINT)
        assert what_it_said_when_all_had_ended(command) == ""
        assert command.returncode == 130


def test_no_worker_outlives_a_command_that_is_killed(tmp_path: Path) -> None:
    with playing(tmp_path) as command:
        command.kill()
        assert what_it_said_when_all_had_ended(command) == ""


@contextmanager
def playing(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command at a terminal, two workers at work, whose bar shows that the first games have been played."""
    seen, shown = pty.openpty()
    command = subprocess.Popen(
        [*COMMAND, "bots", "get-rich-quick", "--games", "500", "--jobs", "2"],
        cwd=folder,
        env={**environment("C.UTF-8"), "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=shown,
        text=True,
        start_new_session=True,
    )
    os.close(shown)
    try:
        bar = ""
        while not re.search("Get Rich Quick, 3 seats.*[1-9]%", bar):
            bar += os.read(seen, 4096).decode(errors="replace")
        yield command
    finally:
        with suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)
        command.communicate()
        os.close(seen)


def what_it_said_when_all_had_ended(command: subprocess.Popen[str]) -> str:
    """Workers hold the command's output open, so it ends when the last of them has."""
    return command.communicate(timeout=SECONDS)[0]
