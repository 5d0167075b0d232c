"""The JSON twins: a whole game by programs, and one shape for everything that goes wrong."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from tests.at_the_table import TestTable
from tests.visitors import Program, Visitor

ANNA, BEN = "1", "2"
BID = {"kind": "bid", "grade": "X", "units": 3, "price": 42}
PLAN = {"ruleset": "commodity-market", "seats": [{"name": "Anna"}, {"name": "Ben"}], "options": {"months": 1}}

TWINS = {
    "/": "/games",
    "/games/new": "/rulesets",
    "/games/{game_id}": "/games/{game_id}",
    "/games/{game_id}/orders": "/games/{game_id}/orders",
    "/games/{game_id}/turns/{number}": "/games/{game_id}/turns/{number}",
    "/games/{game_id}/thread": "/games/{game_id}/thread",
    "/games/{game_id}/thread/{post_id}/edit": "/games/{game_id}/thread",
    "/games/{game_id}/feed.atom": "/games/{game_id}/letters",
    "/games/{game_id}/moderate": "/games/{game_id}/moderate",
    "/games/{game_id}/moderate/forum": "/games/{game_id}/moderate/forum",
    "/games/{game_id}/verify": "/games/{game_id}/verify",
    "/games/{game_id}/export.json": "/games/{game_id}/export.json",
    "/fairness": "/fairness",
    "/fairness/bytes": "/fairness/bytes",
    "/rules/{ruleset}": "/rules/{ruleset}",
    "/seat/{token}": "/seat/{token}",
}
WITHOUT = {
    "/preferences",
    "/api",
    "/healthz",
    "/metrics",
    "/.well-known/jwks.json",
    "/rules/{ruleset}/pictures/{picture}",
}
"""The visitor's own cookies, the API's own page, what is for programs already, and pictures."""


@pytest.fixture
def anna(app: FastAPI, table: TestTable) -> Program:
    table.open(("Anna", "Ben"))
    program = Program(app)
    program.claim(table.tokens[ANNA])
    return program


def test_every_page_has_a_json_twin(app: FastAPI) -> None:
    schema = app.openapi()
    paths = {route.path or "" for route in iter_route_contexts(app.routes) if "GET" in (route.methods or ())}
    pages = {path for path in paths if not path.startswith("/api/v1")}
    assert pages - WITHOUT == set(TWINS)
    for page, twin in TWINS.items():
        assert "get" in schema["paths"][f"/api/v1{twin}"], page


def test_the_openapi_document_says_what_each_call_is_for_and_answers(app: FastAPI) -> None:
    schema = Program(app).call("GET", "/openapi.json")
    for path, methods in schema["paths"].items():
        assert path.startswith("/api/v1/")
        for method, described in methods.items():
            assert described["summary"], (method, path)
            assert described["responses"]["422"]["content"]["application/json"]["schema"]["$ref"].endswith("/Problems")
            good = next(answer for status, answer in described["responses"].items() if status.startswith("2"))
            assert good["content"]["application/json"]["schema"], (method, path)
    assert schema["components"]["securitySchemes"]


def test_programs_play_a_whole_game(app: FastAPI, table: TestTable) -> None:
    host = Program(app)
    opened = host.call("POST", "/games", PLAN, 201)
    game = f"/games/{opened['id']}"
    host.claim(opened["host_token"])
    host.call("POST", f"{game}/moderate/start", {})
    players = {seat: Program(app) for seat in (ANNA, BEN)}
    for seat, player in players.items():
        assert player.call("GET", f"/seat/{opened['seat_tokens'][seat]}")["seat"] == seat
        player.claim(opened["seat_tokens"][seat])
    asked = players[ANNA].call("GET", f"{game}/orders")
    assert asked["ask"]["kinds"]["bid"]["properties"]["units"]["minimum"] == 1
    assert [choice["value"] for choice in asked["ask"]["choices"]["grade"]] == ["X", "F", "S"]
    receipt = players[ANNA].call("POST", f"{game}/orders", {"orders": [BID], "turn": 1})
    assert receipt["outcome"] == "counting"
    assert receipt["understood"][0]["line"] == "X:3 at 42"
    assert host.call("GET", game)["waits_for"] == ["Ben"]
    players[BEN].call("POST", f"{game}/orders", {"text": "pass"})
    table.judge.clock.work(opened["id"])
    report = host.call("GET", f"{game}/turns/1")
    assert report["orders"] == {"Anna": ["X:3 at 42"], "Ben": []}
    assert report["events"]
    state = host.call("GET", game)["state"]
    assert state["players"]["1"]["stock"]["X"] == 3
    players[ANNA].call("POST", f"{game}/orders", {"orders": []})
    table.judge.clock.work(opened["id"])
    over = host.call("GET", game)
    assert over["status"] == "over"
    assert [name for name, _ in over["standings"]]
    assert players[ANNA].call("POST", f"{game}/orders", {"orders": []}, 410)["problems"][0]["text"]


def test_all_problems_of_a_set_are_named_with_line_and_field(anna: Program, table: TestTable) -> None:
    """T144"""
    orders = [{**BID, "units": 0}, {**BID, "grade": "Q"}, {"kind": "steal"}, {**BID, "colour": "red"}, 7]
    answer = anna.call("POST", f"/games/{table.game_id}/orders", {"orders": orders}, 422)
    named = {(problem["line"], problem["field"]) for problem in answer["problems"]}
    assert {(1, "units"), (2, "grade"), (4, "colour")} <= named
    assert {problem["line"] for problem in answer["problems"]} == {1, 2, 3, 4, 5}
    assert all(problem["text"] for problem in answer["problems"])


def test_problems_come_in_the_callers_language(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"))
    program = Program(app, language="de")
    program.claim(table.tokens[ANNA])
    answer = program.call("POST", f"/games/{table.game_id}/orders", {"orders": [{**BID, "units": 0}]}, 422)
    assert "mindestens 1" in answer["problems"][0]["text"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422),
        (b"", 422),
        (b"[]", 422),
        (b'{"orders": 3}', 422),
        (b'{"orders": [], "text": "pass"}', 422),
        (b"{}", 422),
        (b'{"orders": [], "surprise": 1}', 422),
        (b'{"text": "hello"}', 422),
        (b'{"orders": [{"kind": "bid", "grade": "\\ud800", "units": 1, "price": 1}]}', 422),
        (b"\xff\xfe", 422),
        (b'{"orders": ' + b"[" * 50_000, 400),
        (b'{"orders": [' + b"9" * 5000 + b"]}", 400),
    ],
)
def test_a_body_that_does_not_fit_is_answered_in_the_one_shape(
    anna: Program, table: TestTable, body: bytes, status: int
) -> None:
    answer = anna.client.post(
        f"/api/v1/games/{table.game_id}/orders", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code == status, answer.text
    assert all({"line", "field", "text"} <= set(problem) for problem in answer.json()["problems"])


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/games/nothing", 404),
        ("GET", "/nothing", 404),
        ("GET", "/games/%00", 404),
        ("GET", "/games/GAME/turns/9", 404),
        ("GET", "/games/GAME/turns/x", 404),
        ("GET", "/games/GAME/turns/99999999999999999999", 404),
        ("GET", "/rules/nothing", 404),
        ("GET", "/seat/nothing", 404),
        ("DELETE", "/games", 405),
        ("DELETE", "/games/GAME/thread/99", 404),
        ("POST", "/games/GAME/moderate/pause", 403),
    ],
)
def test_failures_have_one_shape_and_the_right_status(
    anna: Program, table: TestTable, method: str, path: str, status: int
) -> None:
    answer = anna.call(method, path.replace("GAME", table.game_id), status=status)
    assert [set(problem) >= {"line", "field", "text"} for problem in answer["problems"]] == [True]


def test_without_a_bearer_token_nothing_changes_but_a_browsers_session_may_read(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"))
    browser = Visitor(app)
    browser.claim(table.tokens[ANNA])
    path = f"/api/v1/games/{table.game_id}/orders"
    assert browser.client.get(path).json()["ask"]["prompt"]
    answer = browser.client.post(path, json={"orders": []})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "Show a bearer token" in answer.json()["problems"][0]["text"]
    assert Program(app).call("GET", f"/games/{table.game_id}/orders", status=403)


def test_bearer_tokens_are_stored_hashed(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"))
    bearer = Program(app).call("POST", "/claim", {"token": table.tokens[ANNA]})["token"]
    stored = b"".join(file.read_bytes() for file in table.judge.settings.data.glob("gamejudge.db*"))
    for secret in (bearer, table.tokens[ANNA], table.tokens[BEN]):
        assert secret.encode() not in stored


def test_nobody_chooses_his_own_token(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"))
    program = Program(app, "hello")
    given = program.call("POST", "/claim", {"token": table.tokens[ANNA]})["token"]
    assert given != "hello"
    again = Program(app, given)
    assert again.call("POST", "/claim", {"token": table.opened.host_token if table.opened else ""})["token"] == given


def test_a_call_repeated_with_its_key_is_done_once(anna: Program, table: TestTable) -> None:
    path = f"/games/{table.game_id}/orders"
    first = anna.call("POST", path, {"orders": [BID], "request": "key"})
    table.clock.forward(minutes=5)
    assert anna.call("POST", path, {"orders": [BID], "request": "key"}) == first
    assert len(anna.call("GET", path)["receipts"]) == 1


def test_orders_for_another_turn_are_refused(anna: Program, table: TestTable) -> None:
    """T015"""
    path = f"/games/{table.game_id}/orders"
    answer = anna.call("POST", path, {"orders": [BID], "turn": 2}, 409)
    assert "turn 2" in answer["problems"][0]["text"]
    assert anna.call("GET", path)["receipts"] == []


def test_orders_can_be_withdrawn_and_posts_written_edited_and_deleted(anna: Program, table: TestTable) -> None:
    game = f"/games/{table.game_id}"
    anna.call("POST", f"{game}/orders", {"orders": [BID]})
    assert anna.call("DELETE", f"{game}/orders")["outcome"] == "withdrawn"
    posted = anna.call("POST", f"{game}/thread", {"text": "Hello\nX:2 at 41"}, 201)
    assert posted["receipt"]["outcome"] == "counting"
    post = f"{game}/thread/{posted['post']}"
    assert anna.call("PUT", post, {"text": "Hello"})["receipt"]["outcome"] == "withdrawn"
    assert anna.call("GET", f"{game}/thread")[-1]["text"] == "Hello"
    anna.call("DELETE", post)
    assert all(entry["id"] != posted["post"] for entry in anna.call("GET", f"{game}/thread"))


def test_a_host_does_by_program_what_he_does_on_his_desk(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"), deadline={"rule": "hours", "hours": 24})
    host = Program(app)
    host.claim(table.opened.host_token if table.opened else "")
    desk = f"/games/{table.game_id}/moderate"
    host.call("POST", f"{desk}/paste", {"seat": BEN, "text": "F:3 zu 33"})
    assert host.call("POST", f"{desk}/paste", {"seat": BEN, "text": "F:99 zu 33"}, 422)["problems"]
    host.call("POST", f"{desk}/extend", {"hours": 2, "request": "once"})
    host.call("POST", f"{desk}/pause")
    host.call("POST", f"{desk}/pause", status=409)
    host.call("POST", f"{desk}/resume")
    token = host.call("POST", f"{desk}/replace", {"seat": BEN, "name": "Dora"})["token"]
    assert host.call("GET", f"/seat/{token}")["name"] == "Dora"
    assert host.call("POST", f"{desk}/link", {"seat": ANNA})["token"]
    host.call("POST", f"{desk}/bot", {"seat": ANNA})
    assert host.call("POST", f"{desk}/force", {"turn": 1}) == {"done": True}
    table.look()
    assert host.call("POST", f"{desk}/force", {"turn": 1}) == {"done": False}
    done = " ".join(line["text"] for line in host.call("GET", desk)["audit"])
    for deed in ("handed in a post of", "moved the deadline", "paused", "goes on", "takes the seat", "closed turn 1"):
        assert deed in done


def test_a_free_seat_can_be_taken_by_a_program(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", ""), start=False)
    program = Program(app)
    taken = program.call("POST", f"/games/{table.game_id}/seats", {"name": "Cem"}, 201)
    program.client.headers["authorization"] = f"Bearer {taken['token']}"
    assert program.call("GET", f"/games/{table.game_id}")["you"] == taken["seat"]
    answer = Program(app).call("POST", f"/games/{table.game_id}/seats", {"name": "Dora"}, 409)
    assert answer["problems"]
