"""`judge export --private` and `judge import`: from one folder to another, and what is said when it cannot be done."""

from __future__ import annotations

import json
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from judge.bootstrap import create_judge
from judge.service import table
from judge.settings import load_settings
from tests.at_the_command_line import SECONDS, CommandLine, environment, free_port
from tests.at_the_table import SetClock

KEY = "var/gamejudge.key"


@pytest.fixture
def old(tmp_path: Path) -> CommandLine:
    return judge_in(tmp_path / "old")


@pytest.fixture
def new(tmp_path: Path) -> CommandLine:
    return judge_in(tmp_path / "new")


def judge_in(folder: Path) -> CommandLine:
    folder.mkdir()
    line = CommandLine(folder)
    line.config(f"[web]\nport = {free_port()}\n")
    return line


def opened(line: CommandLine) -> str:
    ran = line("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben", "--start", "--json")
    assert ran.code == 0
    game_id: str = json.loads(ran.out)["game"]
    return game_id


def statuses(line: CommandLine) -> dict[str, str]:
    return {facts["game"]: facts["status"] for facts in json.loads(line("games", "--json").out)}


def dies(line: CommandLine, where: str, *arguments: str) -> None:
    """Runs a command in a process that is killed, as by kill -9, when it comes to the function `where`."""
    module, name = where.split(":")
    program = (
        f"import os, signal, sys; from importlib import import_module; from judge.cli import main; "
        f"setattr(import_module({module!r}), {name!r}, lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)); "
        f"main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=line.folder,
        env=environment("C.UTF-8"),
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def test_a_game_moves_from_one_folder_to_another(old: CommandLine, new: CommandLine) -> None:
    game = opened(old)
    public = old.process("export", game).out
    packed = old.process("export", game, "--private")
    file = old.folder / f"gamejudge-{game}.private.json"
    assert (packed.code, packed.err) == (0, "")
    assert f"judge import {file.name} --key KEYFILE" in packed.out
    assert "must never go on in two places" in packed.out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert statuses(old) == {game: "moved"}
    assert "at another judge" in old("games").out
    assert "was handed to another judge" in old("check").out
    assert old("check").code == 0
    assert "another judge" in old("link", game, "Anna").err

    arrived = new.process("import", str(file), "--key", str(old.folder / KEY))
    assert (arrived.code, arrived.err) == (0, "")
    assert f"/games/{game}" in arrived.out
    assert statuses(new) == {game: "running"}
    assert new("check").code == 0
    for line, export in ((old, public), (new, new.process("export", game).out)):
        (line.folder / "public.json").write_text(export, encoding="utf-8")
        assert line.process("verify", "public.json").code == 0
    assert json.loads(new("export", game).out)["records"] == json.loads(public)["records"]
    again = new("import", str(file), "--key", str(old.folder / KEY))
    assert (again.code, again.out) == (1, "")
    assert "is here already" in again.err


def test_what_cannot_be_imported_is_told_with_the_remedy(old: CommandLine, new: CommandLine, tmp_path: Path) -> None:
    game = opened(old)
    assert old("export", game, "--output", "public.json").code == 0
    assert old("export", game, "--private", "--output", "game.json").code == 0
    file, public, key = old.folder / "game.json", old.folder / "public.json", old.folder / KEY
    broken, others = tmp_path / "broken.json", tmp_path / "others.key"
    broken.write_bytes(file.read_bytes()[:-100])
    shutil.copy(key, others)
    others.chmod(0o644)
    answers = {
        (str(file),): "--key",
        (str(file), "--key", str(new.folder / KEY)): "--key",
        (str(file), "--key", str(tmp_path / "none.key")): "is missing",
        (str(file), "--key", str(others)): "chmod 600",
        (str(public), "--key", str(key)): "judge verify",
        (str(broken), "--key", str(key)): "damaged",
        (str(tmp_path / "nothing"),): "cannot be read",
        (str(tmp_path),): "cannot be read",
    }
    for arguments, answer in answers.items():
        ran = new("import", *arguments)
        assert (ran.code, ran.out) in ((1, ""), (2, "")), arguments
        assert answer in ran.err, arguments
    assert statuses(new) == {}


def test_after_a_rotation_the_key_file_still_opens_what_was_packed_before(old: CommandLine, new: CommandLine) -> None:
    """Its older lines do; a key file from which they were taken is told to be the wrong one."""
    game = opened(old)
    assert old("export", game, "--private", "--output", "game.json").code == 0
    assert old("keys", "rotate").code == 0
    key, file = old.folder / KEY, str(old.folder / "game.json")
    [newest, oldest] = key.read_bytes().split()
    bare = old.folder / "bare.key"
    bare.touch(0o600)
    bare.write_bytes(newest + b"\n")
    refused = new("import", file, "--key", str(bare))
    assert (refused.code, "Without it nobody can read it" in refused.err) == (1, True)
    bare.write_bytes(oldest + b"\n")
    assert new("import", file, "--key", str(bare)).code == 0
    assert new("keys", "rotate").code == 0, "all that came along is under this judge's own key"
    assert statuses(new) == {game: "running"}


def test_a_judge_that_lost_its_key_file_takes_nothing_in_and_gives_nothing_out(old: CommandLine) -> None:
    game = opened(old)
    (old.folder / KEY).unlink()
    (old.folder / "some.json").write_text("{}", encoding="utf-8")
    for arguments in (("export", game, "--private"), ("import", "some.json")):
        ran = old(*arguments)
        assert (ran.code, ran.out) == (1, "")
        assert "is missing; without it nothing sealed in the database can be opened" in ran.err
    assert list(old.folder.glob("*.private.json*")) == []


def test_a_file_is_never_overwritten_and_a_failed_export_moves_nothing(old: CommandLine) -> None:
    game = opened(old)
    (old.folder / "there.json").write_text("dear", encoding="utf-8")
    for output, said in (("there.json", "is there already"), ("no/folder/game.json", "cannot be written")):
        ran = old("export", game, "--private", "--output", output)
        assert (ran.code, ran.out) == (1, "")
        assert said in ran.err
    assert old("export", "nogame", "--private").code == 1
    assert (old.folder / "there.json").read_text(encoding="utf-8") == "dear"
    assert statuses(old) == {game: "running"}
    assert [path.name for path in old.folder.glob("*.json*")] == ["there.json"]


def test_a_killed_export_leaves_the_game_running_and_no_finished_file(old: CommandLine) -> None:
    game = opened(old)
    dies(old, "judge.service.moving:_set_aside", "export", game, "--private")
    dies(old, "os:fsync", "export", game, "--private")
    assert statuses(old) == {game: "running"}
    assert list(old.folder.glob("*.private.json")) == []
    assert old("export", game, "--private").code == 0


def test_a_killed_import_leaves_nothing_half(old: CommandLine, new: CommandLine) -> None:
    game = opened(old)
    assert old("export", game, "--private", "--output", "game.json").code == 0
    arguments = ("import", str(old.folder / "game.json"), "--key", str(old.folder / KEY))
    for where in ("judge.service.moving:_demand_installed", "judge.service.moving:_tell_thread"):
        dies(new, where, *arguments)
        assert statuses(new) == {}
    assert new(*arguments).code == 0
    assert statuses(new) == {game: "running"}


def test_a_game_moves_to_postgresql_too(old: CommandLine, tmp_path: Path, postgres_url: str) -> None:
    game = opened(old)
    assert old("export", game, "--private", "--output", "game.json").code == 0
    other = tmp_path / "other"
    other.mkdir()
    line = CommandLine(other)
    line.config(f'data = "var"\ndatabase = "{postgres_url}"\n[web]\nport = {free_port()}\n')
    judge = create_judge(load_settings(other / "config.toml"), SetClock())
    seats = (table.SeatPlan(name="Cem"), table.SeatPlan(name="Dora"))
    plan = table.NewGame(ruleset="commodity-market", seats=seats)
    own = judge.store.write(lambda session: table.new_game(session, judge.clock.now(), plan)).game_id
    judge.close()
    assert line("import", str(old.folder / "game.json"), "--key", str(old.folder / KEY)).code == 0
    assert statuses(line) == {game: "running", own: "open"}
    assert line("export", game, "--private", "--output", "back.json").code == 0
    back = old("import", str(other / "back.json"), "--key", str(other / KEY))
    assert "is back" in back.out
    assert statuses(old) == {game: "running"}
