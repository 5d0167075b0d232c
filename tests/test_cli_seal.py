"""`judge seal`: a block for a public thread, made without config, database or key file."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from judge.envelope import Content, find, open_block
from judge.service import keys
from tests.at_the_command_line import CommandLine, Ran, free_port
from tests.at_the_table import NAMES, TestTable
from tests.site import game, serving


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    with serving(tmp_path_factory.mktemp("site")) as running:
        running.open(NAMES)
        yield running


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[CommandLine]:
    yield CommandLine(tmp_path)
    assert {file.suffix for file in tmp_path.iterdir()} <= {".json"}, "nothing of a judge was made here"


def opened(table: TestTable, ran: Ran) -> Content:
    assert (ran.code, ran.err) == (0, "")
    [block] = find(ran.out)
    with table.judge.store.read() as session:
        return open_block(block, keys.private_keys(session, "enc"))


def test_a_games_address_is_all_that_is_needed(judge: CommandLine, table: TestTable) -> None:
    """Key, turn and version are asked from the judge; the block that comes out counts when it is posted."""
    ran = judge("seal", game(table), "--seat", "1", "X:3 zu 57", "F:2 zu 31")
    assert opened(table, ran) == Content(game=table.game_id, turn=1, version=1, seat="1", text="X:3 zu 57\nF:2 zu 31")
    slip = table.post("1", ran.out).receipt
    assert slip is not None
    assert [one.line for one in slip.understood] == ["X:3 at 57", "F:2 at 31"]


def test_a_player_may_give_his_name_and_any_page_of_the_game(judge: CommandLine, table: TestTable) -> None:
    content = opened(table, judge("seal", f"{game(table)}/orders?x=1", "--seat", "anna", stdin="X:3 zu 57\n"))
    assert (content.seat, content.text) == ("1", "X:3 zu 57\n")
    assert opened(table, judge("seal", game(table), "pass", "--seat=DORA")).seat == "4"


@pytest.mark.parametrize("where", ["address", "file", "one key"])
def test_without_a_games_address_everything_is_named(
    judge: CommandLine, table: TestTable, tmp_path: Path, where: str
) -> None:
    address = f"{table.judge.settings.address}/.well-known/jwks.json"
    offer = httpx.get(address, trust_env=False).json()
    content = offer["keys"][0] if where == "one key" else offer
    (tmp_path / "keys.json").write_text(json.dumps(content), encoding="utf-8")
    key = address if where == "address" else "keys.json"
    ran = judge("seal", "--key", key, "--game", "abc", "--turn", "7", "--version", "2", "--seat", "3", "pass")
    assert opened(table, ran) == Content(game="abc", turn=7, version=2, seat="3", text="pass")
    assert (
        opened(table, judge("seal", "--key", key, "--game", "abc", "--turn", "7", "--seat", "3", "pass")).version == 1
    )


def test_what_is_missing_is_named(judge: CommandLine, table: TestTable, tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")
    (tmp_path / "no.json").write_text("no", encoding="utf-8")
    named = ("--game", "abc", "--turn", "7", "--seat", "3")
    for arguments, code, answer in (
        ((game(table), "pass"), 2, "--seat is missing"),
        (("--seat", "1", "pass"), 2, "Give the game's address, or else --key, --game and --turn"),
        ((game(table), "--seat", "1", "--turn", "3", "pass"), 2, "are asked from the judge"),
        ((game(table), "--seat", "1"), 2, "nothing to seal"),
        ((game(table), "--seat", "Zoe", "pass"), 1, "no seat “Zoe”; its seats: 1 Anna, 2 Ben"),
        ((f"{game(table)}x", "--seat", "1", "pass"), 1, "is the game's id right?"),
        ((table.judge.settings.address, "--seat", "1", "pass"), 2, "is no game's address"),
        ((f"http://127.0.0.1:{free_port()}/games/abc", "--seat", "1", "pass"), 1, "cannot be reached"),
        (("http:///games/abc", "--seat", "1", "pass"), 2, "is no game's address"),
        (("http://[/games/abc", "--seat", "1", "pass"), 1, "is no judge"),
        (("--key", "gone.json", *named, "pass"), 2, "gone.json cannot be read"),
        (("--key", "no.json", *named, "pass"), 2, "holds no keys"),
        (("--key", "empty.json", *named, "pass"), 1, "holds no key for envelopes"),
        ((game(table), "--seat", "1", "x" * 9000), 1, "too long to be sealed"),
        (("--turn", "0", "--seat", "1", "pass"), 2, "A whole number from 1"),
    ):
        ran = judge("seal", *arguments)
        assert (ran.code, ran.out) == (code, ""), arguments
        assert answer in ran.err


def test_a_game_without_an_open_turn_takes_nothing(judge: CommandLine, table: TestTable) -> None:
    before = table.game_id
    table.open(("Anna", ""), start=False)
    ran = judge("seal", game(table), "--seat", "1", "pass")
    assert (ran.code, ran.err) == (1, "No turn of this game is open now.\n")
    table.game_id = before


@contextmanager
def answering(content: bytes, status: int) -> Iterator[str]:
    """Some other server."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/games/abc"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("content", "status", "answer"),
    [
        (b"<html>", 200, "is no judge"),
        (b"{}", 200, "is no judge"),
        (b"[]", 200, "is no judge"),
        (b'{"seats": [1]}', 200, "is no judge"),
        (b"", 500, "answers with status 500"),
    ],
)
def test_another_server_is_told_from_a_judge(judge: CommandLine, content: bytes, status: int, answer: str) -> None:
    with answering(content, status) as address:
        ran = judge("seal", address, "--seat", "1", "pass")
    assert (ran.code, ran.out) == (1, "")
    assert answer in ran.err


def test_an_address_without_tls_is_warned_of(judge: CommandLine) -> None:
    """Somebody on the way could put in a key of his own."""
    ran = judge("seal", "http://judge.invalid/games/abc", "--seat", "1", "pass")
    assert ran.code == 1
    assert ran.err.startswith("Warning: this address is not https")


def test_the_command_runs_as_a_program_of_its_own(table: TestTable, tmp_path: Path) -> None:
    ran = CommandLine(tmp_path).process("seal", game(table), "--seat", "1", "X:3 zu 57")
    assert ran.code == 0
    assert opened(table, ran).text == "X:3 zu 57"
