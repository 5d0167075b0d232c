"""`judge export` and `judge verify`: a game leaves the judge as a file, and the file is checked anywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.verification.reading import MOST_BYTES
from tests import forging
from tests.at_the_command_line import CommandLine
from tests.forging import Forgery, last_hash, market

NEW = ("new-game", "--ruleset", "commodity-market", "--seats", "bot,bot", "--json")


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A finished market."""
    path = tmp_path / "game.json"
    path.write_bytes(market(months=2))
    return path


def test_a_game_goes_to_a_file_and_holds(judge: CommandLine, tmp_path: Path) -> None:
    """T329: one command writes what can be kept as a regression fixture."""
    game = json.loads(judge(*NEW, "--option", "months=1", "--start").out)["game"]
    judge("tick")
    ran = judge("export", game, "--output", "game.json")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    told = judge("verify", "game.json")
    assert told.code == 0, told
    assert "HOLDS.\n" in told.out
    assert "2 turns played again" in told.out
    assert judge.process("export", game).out.encode() == (tmp_path / "game.json").read_bytes()


def test_an_unknown_game_or_a_place_that_cannot_be_written_is_said(judge: CommandLine) -> None:
    ran = judge("export", "nogame")
    assert ran.code == 1
    assert "nogame" in ran.err
    game = json.loads(judge(*NEW).out)["game"]
    ran = judge("export", game, "--output", "no/such/folder")
    assert (ran.code, "cannot be written" in ran.err) == (1, True)


def test_a_dash_reads_from_stdin(judge: CommandLine, file: Path) -> None:
    assert judge("verify", "-", stdin=file.read_text(encoding="utf-8")).code == 0


def test_the_expected_hash_is_looked_for(judge: CommandLine, file: Path) -> None:
    ran = judge("verify", "game.json", "--expect", last_hash(file.read_bytes()))
    assert (ran.code, "The expected hash is that of record" in ran.out) == (0, True)
    assert judge("verify", "game.json", "--expect", "00" * 32).code == 1


def test_what_does_not_hold_is_named_with_its_place(judge: CommandLine, file: Path) -> None:
    forged = Forgery(file.read_bytes())
    forged.order(1, "2")["price"] += 1
    file.write_bytes(forged.written())
    ran = judge("verify", "game.json")
    assert ran.code == 1
    assert "DOES NOT HOLD: This order is not the one that was sealed" in ran.out
    assert "Record 4 · turn 1, version 1 · Ben · line 1" in ran.out


def test_it_speaks_german_where_the_terminal_does(judge: CommandLine, file: Path) -> None:
    ran = judge.process("verify", "game.json", language="de_DE.UTF-8")
    assert ran.code == 0
    assert "HÄLT STAND." in ran.out
    assert "4 noch einmal gespielte Runden" in ran.out


def test_json_is_one_object_and_nothing_else(judge: CommandLine, file: Path) -> None:
    told = json.loads(judge("verify", "game.json", "--json").out)
    assert (told["holds"], told["export"], told["replayed"], told["failure"]) == (True, True, True, None)
    assert told["checked"]["turns"] == 4
    forged = Forgery(file.read_bytes())
    forged.find("resolved", 1)["state"]["month"] = 7
    file.write_bytes(forged.written())
    ran = judge("verify", "game.json", "--json")
    assert ran.code == 1
    failure = json.loads(ran.out)["failure"]
    assert (failure["record"], failure["turn"], failure["version"], failure["seat"]) == (4, 1, 1, None)


def test_what_is_no_export_has_a_code_of_its_own(judge: CommandLine, tmp_path: Path) -> None:
    assert judge("verify", "nothing.json").code == 2
    (tmp_path / "other.json").write_text("{}")
    ran = judge("verify", "other.json")
    assert (ran.code, ran.out) == (2, "This is no export of a game: it is JSON of another kind.\n")
    (tmp_path / "large.json").write_bytes(b" " * (MOST_BYTES + 10))
    assert judge("verify", "large.json").code == 2


def test_a_game_whose_rules_are_not_installed_is_not_called_verified(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "lots.json").write_bytes(forging.finished_auction())
    ran = judge("verify", "lots.json")
    assert ran.code == 3
    assert "the game was not played again. There is no game “lots”" in ran.out
    assert "HOLDS" not in ran.out


def test_a_receipt_is_held_against_what_counted(judge: CommandLine, tmp_path: Path) -> None:
    with forging.at_a_table() as table:
        table.open()
        slip = table.order("1", "X:3 at 42")
        (tmp_path / "receipt.txt").write_text(slip.signed + "\n")
        (tmp_path / "game.json").write_bytes(forging.exported(table))
    ran = judge("verify", "game.json", "--receipt", "receipt.txt")
    assert (ran.code, "The receipt of Anna for turn 1, version 1 is genuine" in ran.out) == (0, True)
    assert judge("verify", "game.json", "--receipt", "game.json").code == 1


def test_neither_config_nor_database_nor_key_is_touched(judge: CommandLine, file: Path, tmp_path: Path) -> None:
    judge.config("this is = no config")
    assert judge.process("verify", "game.json").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.toml", "game.json"]


def test_names_in_a_file_cannot_steer_the_terminal(judge: CommandLine, file: Path) -> None:
    forged = Forgery(file.read_bytes())
    forged.content["title"] = "\x1b[2JHOLDS.\n"
    file.write_bytes(forged.written())
    ran = judge("verify", "game.json")
    assert "\x1b" not in ran.out
    assert ran.out.splitlines()[1] == "HOLDS."
