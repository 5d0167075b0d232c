"""`judge check`, and what every command says about a database or key file that cannot be used."""

from __future__ import annotations

import http.server
import json
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest

from judge.bootstrap import create_judge
from judge.service import turns
from judge.settings import load_settings
from tests.at_the_command_line import OBEYING_MODES, CommandLine, free_port

DATABASE, KEY = "var/gamejudge.db", "var/gamejudge.key"


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    """A judge with one open game, on a port that nobody has."""
    line = CommandLine(tmp_path)
    line.config(f"[web]\nport = {free_port()}\n")
    assert line("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben", "--start").code == 0
    return line


def marked(judge: CommandLine, mark: str) -> str:
    """The lines of `judge check` with this mark, and their advice."""
    lines = judge("check").out.splitlines()
    chosen = [at for at, line in enumerate(lines) if line.startswith(mark)]
    return "\n".join(
        line for at in chosen for line in lines[at : at + 2] if line.startswith(mark) or line.strip().startswith("→")
    )


def test_a_judge_in_order_is_told_so(judge: CommandLine, tmp_path: Path) -> None:
    ran = judge("check")
    assert (ran.code, ran.err) == (0, "")
    assert {line.split()[0] for line in ran.out.splitlines()[:-1]} == {"ok"}
    assert ran.out.endswith("Everything is in order.\n")
    for told in (
        f"Config: {tmp_path}/config.toml",
        f"Key file: {tmp_path}/{KEY}",
        "Database: can be written, fits the key file; 1 game",
        "Games installed: commodity-market",
        "Forums installed: board",
        "free; no judge is running here",
        "MB free",
    ):
        assert told in ran.out


def test_a_fresh_folder_is_in_order_and_stays_empty(tmp_path: Path) -> None:
    ran = CommandLine(tmp_path)("check")
    assert ran.code == 0
    assert "Database and key file: none yet (`judge run` makes both)" in ran.out
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_config_is_bad(judge: CommandLine) -> None:
    judge.config("[web]\nprot = 1\n")
    ran = judge("check")
    assert ran.code == 1
    assert "BAD      config.toml: “web.prot” is not a setting" in ran.out
    assert "Something needs attention" in ran.err


def test_a_missing_key_file_is_refused_everywhere_and_not_replaced(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / KEY).unlink()
    for ran in (judge("games"), judge("tick"), judge.process("run")):
        assert (ran.code, ran.out) == (1, "")
        assert ran.err == (
            "The key file var/gamejudge.key is missing; without it nothing sealed in the database can be opened: "
            "put it back from where you keep it\n"
        )
    assert "The key file var/gamejudge.key is missing" in marked(judge, "BAD")
    assert not (tmp_path / KEY).exists()


def test_another_judges_key_file_is_refused_before_anything_is_touched(judge: CommandLine, tmp_path: Path) -> None:
    other = CommandLine(tmp_path / "other")
    other.folder.mkdir()
    other("games")
    shutil.copy(other.folder / KEY, tmp_path / KEY)
    for command in ("games", "tick"):
        ran = judge(command)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("The key file does not fit this database: it cannot open what is sealed in it. ")
    assert "The key file does not fit this database" in marked(judge, "BAD")


def test_a_key_file_that_others_can_read_is_refused(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / KEY).chmod(0o640)
    ran = judge("games")
    assert ran.code == 1
    assert ran.err == (
        "The key file var/gamejudge.key can be read by others (mode 0640): chmod 600 var/gamejudge.key\n"
    )
    assert "chmod 600" in marked(judge, "BAD")


def test_a_key_file_without_a_key_is_refused(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / KEY).write_text("lost\n", encoding="utf-8")
    assert judge("games").err.startswith("The key file var/gamejudge.key holds no key")


def test_a_new_key_file_can_be_read_by_its_owner_only(judge: CommandLine, tmp_path: Path) -> None:
    assert (tmp_path / KEY).stat().st_mode & 0o777 == 0o600


def test_a_locked_database_is_told_and_nothing_is_stored(judge: CommandLine, tmp_path: Path) -> None:
    other_program = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
    other_program.execute("BEGIN IMMEDIATE")
    ran = judge.process("new-game", "--ruleset", "commodity-market", "--seats", "Cem,Dora")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == ("The database is locked by another program: try again in a moment\n")
    other_program.close()
    assert len(json.loads(judge("games", "--json").out)) == 1


def test_a_database_that_may_only_be_read_is_told(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / DATABASE).chmod(0o400)
    (tmp_path / "var").chmod(0o500)
    ran = judge.process("new-game", "--ruleset", "commodity-market", "--seats", "Cem,Dora", within=OBEYING_MODES)
    checked = judge.process("check", within=OBEYING_MODES)
    (tmp_path / "var").chmod(0o700)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == ("The database is read-only: give the judge's user the right to write the file and its folder\n")
    assert checked.code == 1
    assert f"{tmp_path}/var cannot be written: Permission denied" in checked.out
    assert "BAD      The database is read-only" in checked.out


def test_a_file_that_is_no_database_is_told(judge: CommandLine, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"something else entirely " * 100)
    ran = judge("games")
    assert ran.code == 1
    assert ran.err == "The database file is damaged or no database: restore a backup\n"
    assert "restore a backup" in marked(judge, "BAD")


@pytest.mark.parametrize(
    ("database", "told"),
    [
        ("nonsense", "The setting “database” is no database URL; example: postgresql+psycopg:///gamejudge"),
        ("oracle://judge", "pip install gamejudge[postgres]"),
        ("sqlite://", "A database in memory would lose every order; name a file: sqlite:///var/gamejudge.db"),
    ],
)
def test_a_database_setting_that_names_none_is_told(judge: CommandLine, database: str, told: str) -> None:
    judge.config(f'database = "{database}"')
    ran = judge("games")
    assert (ran.code, ran.out) == (1, "")
    assert told in ran.err
    assert told in marked(judge, "BAD")


def test_a_database_of_a_newer_version_is_left_alone(judge: CommandLine, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    ran = judge("games")
    assert ran.code == 1
    assert "The database was written by a newer version of the judge" in ran.err
    assert "its schema is 9999" in marked(judge, "warning")


def test_a_game_that_was_set_aside_is_told_with_its_alarm(
    judge: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = json.loads(judge("games", "--json").out)[0]["game"]
    at_work = create_judge(load_settings(environment={}))
    at_work.store.write(
        lambda session: turns.set_aside(session, at_work.clock.now(), game, "ZeroDivisionError at market.py:12")
    )
    at_work.close()
    assert judge("check").code == 1
    told = marked(judge, "BAD")
    assert f"Commodity market ({game}) is set aside: ZeroDivisionError at market.py:12" in told
    assert "let it go on from the host's page" in told


def test_another_program_on_the_port_is_told(judge: CommandLine) -> None:
    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *arguments: object) -> None:
            """Says nothing."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    judge.config(f"[web]\nport = {server.server_port}\n")
    told = marked(judge, "BAD")
    server.shutdown()
    server.server_close()
    assert f"Port {server.server_port}: " in told


def test_the_check_speaks_german(judge: CommandLine) -> None:
    ran = judge.process("check", language="de_DE.UTF-8")
    assert ran.code == 0
    assert "Alles ist in Ordnung." in ran.out
    assert "Schlüsseldatei: " in ran.out
