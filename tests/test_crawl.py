"""Nothing sealed shows before its turn resolves, except to its owner: every address, every reader, every trace.

Four players hand in bids by the four doors, each with a price of its own that stands nowhere else.  Then everything is
fetched by everybody.  The addresses are listed by the application itself: a new one needs a sample value below, or the
test fails.
"""

from __future__ import annotations

import json
import logging
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from sqlmodel import Session
from starlette.testclient import TestClient

from judge.language import LANGUAGES
from judge.service.access import grant, new_token
from judge.web.app import create_app
from tests.at_the_table import TestTable, sit_down
from tests.visitors import Program, Visitor

CANARIES = {"1": 7341, "2": 7352, "3": 7363, "4": 7374}
"""By seat: the price of its bid."""
ALSO = {"1": 8315, "2": 8326, "3": 8337}
"""By seat: prices in sets that did not count, were replaced, or could not be read."""

SEALED = re.compile(r"[\w-]{40,}={0,2}", re.ASCII)
"""What is sealed or hashed on the disk: long runs in which any four digits may stand by chance."""

RANDOM = re.compile(r'(name="(?:form_token|request)" value=|\?v=)"?[\w-]*|\d{9,}|[\w-]{40,}|[0-9a-f]{8}(?=…)', re.ASCII)
"""Tokens, keys, hashes, seals and the long numbers of posts, in which any four digits may stand by chance."""

SIGNED = re.compile(r"\beyJ[\w-]+\.([\w-]+)\.[\w-]+")
"""A signed receipt: what it says is only coded, and is looked into."""


@dataclass
class Scene:
    """A game in its third turn, with all canaries in it, and everybody who may look."""

    table: TestTable
    app: FastAPI
    readers: dict[str, TestClient]
    """By name: "anonymous", "spectator", "host", the seats in a browser and as a program ("1", "2 by program"), and a
    host who plays ("1 as host too")."""
    post_id: int
    logged: list[str]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    collector = Collector()
    root = logging.getLogger()
    level = root.level
    root.addHandler(collector)
    root.setLevel(logging.DEBUG)
    table = sit_down(tmp_path_factory.mktemp("crawl"))
    app = create_app(table.judge)
    table.open(deadline={"rule": "hours", "hours": 24})
    for orders in (("X:3 at 42", "F:3 at 33", "F:3 at 33", "pass"), ("pass", "pass", "pass", None)):
        for seat, text in zip(CANARIES, orders, strict=True):
            if text:
                table.order(seat, text)
        table.look()
    assert table.turn().number == 3
    readers = seated(app, table)
    post_id = hand_in_everywhere(app, table, readers)
    yield Scene(table, app, readers, post_id, collector.lines)
    root.removeHandler(collector)
    root.setLevel(level)
    table.judge.close()


class Collector(logging.Handler):
    """Keeps every log line, with its arguments and its traceback."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record) + repr(record.args))


def seated(app: FastAPI, table: TestTable) -> dict[str, TestClient]:
    readers = {"anonymous": Visitor(app).client}
    spectator = Visitor(app)
    thread = f"/games/{table.game_id}/thread"
    spectator.submit(thread, {"name": "Onlooker", "text": "Good luck!"}, page=thread)
    readers["spectator"] = spectator.client
    host = Visitor(app)
    host.claim(table.opened.host_token if table.opened else "")
    readers["host"] = host.client
    for seat, token in table.tokens.items():
        player = Visitor(app)
        player.claim(token)
        readers[seat] = player.client
    return readers


def hand_in_everywhere(app: FastAPI, table: TestTable, readers: dict[str, TestClient]) -> int:
    """Anna by form, Ben by program, Cem in the thread, Dora by the host's hand; the id of Cem's post."""
    game = f"/games/{table.game_id}"

    def as_(reader: str) -> Visitor:
        visitor = Visitor(app)
        visitor.client = readers[reader]
        return visitor

    orders = f"{game}/orders"
    anna = as_("1")
    anna.submit(orders, {"text": f"X:2 at {ALSO['1']}", "door": "text"}, page=orders, door="text")
    anna.submit(orders, {"bid.X.units": "1", "bid.X.price": str(CANARIES["1"])}, page=orders, door="form")
    anna.submit(orders, {"bid.X.units": "99", "bid.X.price": str(ALSO["1"])}, page=orders, status=422, door="form")
    both = table.judge.store.write(lambda session: _bearer(session, table, "1", None))
    readers["1 as host too"] = Program(app, both).client
    token = table.judge.store.write(lambda session: _bearer(session, table, "2"))
    ben = Program(app, token)
    readers["2 by program"] = ben.client
    bid = {"kind": "bid", "grade": "X", "units": 1, "price": CANARIES["2"]}
    ben.call("POST", orders, {"orders": [{**bid, "price": ALSO["2"], "units": 77}]}, 422)
    ben.call("POST", orders, {"orders": [bid]})
    cem = as_("3")
    thread = f"{game}/thread"
    text = f"Here goes.\n\nX:1 at {CANARIES['3']}\n\n> X:1 at {CANARIES['3']}\n\nMay it do."
    cem.submit(thread, {"text": text}, page=thread)
    cem.submit(thread, {"text": f"[orders]\nX: {ALSO['3']} zu\n[/orders]"}, page=thread)
    edit = cem.get(thread).select(".post footer a")[0]["href"]
    cem.submit(edit, {"text": text + "\n\nReally."}, page=edit)
    desk = f"{game}/moderate"
    as_("host").submit(f"{desk}/paste", {"seat": "4", "text": f"X:1 zu {CANARIES['4']}"}, page=desk, status=200)
    assert table.turn().complete is not None, "everybody's bid counts; only the clock has not looked yet"
    return int(edit.split("/")[-2])


def _bearer(session: Session, table: TestTable, *places: str | None) -> str:
    """A program's token for these seats; None is the host's place."""
    token = new_token()
    for place in places:
        grant(session, table.clock(), table.game_id, place, token, bearer=True)
    return token


def addresses(scene: Scene) -> dict[str, set[str]]:
    """Every address of the application, with its methods; several for those with a choice of samples."""
    samples = {
        "game_id": [scene.table.game_id],
        "number": ["1", "2", "3", "4"],
        "post_id": [str(scene.post_id)],
        "token": [scene.table.tokens["1"]],
        "ruleset": ["commodity-market"],
        "path": ["style.css"],
        "picture": ["board.svg"],
        "forum": ["club"],
    }
    found: dict[str, set[str]] = {}
    for route in iter_route_contexts(scene.app.routes):
        paths = [route.path or ""]
        if not route.methods:
            paths = [f"{route.path}/{{path}}"]
        for name in re.findall(r"{(\w+)", paths[0]):
            assert name in samples, f"{route.path}: say in tests/test_crawl.py what a sample of “{name}” is"
            paths = [path.replace(f"{{{name}}}", value) for path in paths for value in samples[name]]
        for path in paths:
            found.setdefault(path, set()).update(route.methods or {"GET"})
    assert len(found) > 50
    return found


def leaks(scene: Scene, reader: str, said: str) -> list[str]:
    """Whose sealed numbers stand in what a reader was shown, other than his own."""
    signed = [urlsafe_b64decode(f"{body}==").decode() for body in SIGNED.findall(said)]
    text = RANDOM.sub("", "\n".join([said, *signed]))  # salts and seals stand in what is signed, too
    found = []
    for secrets in (CANARIES, ALSO):
        for seat, number in secrets.items():
            if seat != reader.split()[0] and re.search(rf"{number // 1000}[.,'\s\u202f]?{number % 1000:03}", text):
                found.append(f"{number} of seat {seat}")
    return found


def everything(response: object) -> str:
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())  # type: ignore[attr-defined]
    return f"{headers}\n{response.text}"  # type: ignore[attr-defined]


def test_owners_see_their_own_bids(scene: Scene) -> None:
    """T030: else the crawl would find nothing because there is nothing."""
    desk = scene.readers["1 as host too"].get(f"/games/{scene.table.game_id}/moderate")
    assert "Hand in a player's post" in desk.text
    for seat, canary in CANARIES.items():
        assert str(canary) in scene.readers[seat].get(f"/games/{scene.table.game_id}/orders").text
    answer = scene.readers["2 by program"].get(f"/api/v1/games/{scene.table.game_id}/orders").text
    assert str(CANARIES["2"]) in answer


def test_nobody_else_sees_a_sealed_bid_at_any_address(scene: Scene) -> None:
    """T030: every page, API route, feed and error page, as everybody, with GET and HEAD, in one language or another."""
    for number, (reader, client) in enumerate(scene.readers.items()):
        client.headers["accept-language"] = LANGUAGES[number % len(LANGUAGES)]
        for path in addresses(scene):
            for method in ("GET", "HEAD"):
                answer = client.request(method, path)
                assert answer.status_code != 500
                assert leaks(scene, reader, everything(answer)) == [], f"{method} {path} as {reader}"


def test_the_export_of_an_open_turn_is_the_same_for_everybody(scene: Scene) -> None:
    """T030: as anybody, spectator, player and host who plays; it says who has posted, and nothing of what."""
    path = f"/games/{scene.table.game_id}/export.json"
    assert path in addresses(scene)
    assert f"/api/v1{path}" in addresses(scene)
    files = {client.get(path).content for client in scene.readers.values()}
    assert len(files) == 1
    content = json.loads(files.pop())
    assert (content["open"]["turn"], content["open"]["posted"]) == (3, list(CANARIES))
    assert "sealed" not in json.dumps(content["open"])
    assert [entry["record"]["record"] for entry in content["records"]].count("closed") == 2


def test_versions_history_and_caches_hold_nothing_sealed(scene: Scene) -> None:
    """T031: older versions, pages of the thread, conditional requests, what caches may keep."""
    game = f"/games/{scene.table.game_id}"
    paths = [f"{game}/turns/{number}?version={version}" for number in (2, 3) for version in (1, 2)]
    paths += [f"{game}/thread?page=1", f"{game}/thread?receipt=1", f"{game}/thread/{scene.post_id}/edit"]
    paths += [f"{game}/orders?turn=3", f"/api/v1{game}/turns/3?version=1"]
    cached = {"if-none-match": "*", "if-modified-since": "Mon, 02 Mar 2026 12:00:00 GMT"}
    for reader, client in scene.readers.items():
        for path in paths:
            answer = client.get(path, headers=cached)
            assert answer.status_code != 304
            assert leaks(scene, reader, everything(answer)) == [], f"{path} as {reader}"
            assert "etag" not in answer.headers
            assert answer.headers["cache-control"] == "no-store"


def test_wrong_methods_and_broken_requests_tell_nothing(scene: Scene) -> None:
    """T030: what every address answers to requests that it cannot carry out."""
    for reader in ("anonymous", "spectator", "4", "2 by program"):
        client = scene.readers[reader]
        for path, methods in addresses(scene).items():
            for method in {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"}:
                if method in methods and (method == "DELETE" or path.endswith(("/pause", "/resume"))):
                    continue
                answer = client.request(method, path, content=b"[]", headers={"content-type": "application/json"})
                assert answer.status_code != 500, f"{method} {path}"
                assert leaks(scene, reader, everything(answer)) == [], f"{method} {path} as {reader}"


def test_neither_log_nor_database_holds_a_sealed_number(scene: Scene) -> None:
    """T030: log lines at debug level, and every byte of the database and its journal."""
    assert [line for line in scene.logged if leaks(scene, "log", line)] == []
    assert any("/orders" in line for line in scene.logged)
    for file in Path(scene.table.judge.settings.data).iterdir():
        if file.suffix != ".key":
            assert leaks(scene, "disk", SEALED.sub("", file.read_bytes().decode("latin-1"))) == [], file.name


def test_once_the_turn_has_resolved_everybody_sees_the_bids_that_counted(scene: Scene) -> None:
    """The last test here: it ends the scene."""
    scene.table.look()
    report = scene.readers["anonymous"].get(f"/games/{scene.table.game_id}/turns/3").text
    for canary in CANARIES.values():
        assert f"X:1 at {canary}" in report
    thread = scene.readers["anonymous"].get(f"/games/{scene.table.game_id}/thread").text
    assert f"X:1 at {CANARIES['3']}" in thread
    for number in ALSO.values():
        assert str(number) not in RANDOM.sub("", report + thread)
