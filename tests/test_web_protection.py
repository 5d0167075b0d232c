"""What keeps people from harm: foreign forms, frames, caches, floods, and faults of our own."""

from __future__ import annotations

import logging
import sqlite3

import pytest
from fastapi import FastAPI

from judge.bootstrap import Judge
from judge.settings import Settings, Web
from judge.web.app import create_app
from tests.at_the_table import TestTable
from tests.visitors import ADDRESS, Visitor, words

ANNA = "1"


@pytest.fixture
def anna(app: FastAPI, table: TestTable) -> Visitor:
    table.open()
    visitor = Visitor(app)
    visitor.claim(table.tokens[ANNA])
    return visitor


@pytest.mark.parametrize("token", ["", "x", "0" * 64])
def test_a_form_without_this_browsers_token_changes_nothing(anna: Visitor, table: TestTable, token: str) -> None:
    path = f"/games/{table.game_id}/orders"
    form = {**anna.form(path, path, door="pass"), "door": "pass", "form_token": token}
    answer = anna.send(path, form)
    assert answer.status_code == 403
    assert "was not made for this browser" in words(answer.text)
    assert "awaited" in words(str(anna.get(f"/games/{table.game_id}")))


def test_another_browsers_token_is_no_good(app: FastAPI, anna: Visitor, table: TestTable) -> None:
    stranger = Visitor(app)
    stolen = stranger.form("/games/new", "/games/new")["form_token"]
    path = f"/games/{table.game_id}/orders"
    assert anna.send(path, {"form_token": stolen, "door": "pass"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": ADDRESS + ".evil.example"},
        {"sec-fetch-site": "cross-site", "origin": "null"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_from_another_site_changes_nothing(anna: Visitor, table: TestTable, headers: dict[str, str]) -> None:
    path = f"/games/{table.game_id}/orders"
    form = {**anna.form(path, path, door="pass"), "door": "pass"}
    assert anna.send(path, form, **headers).status_code == 403
    assert anna.client.post("/preferences", data={"language": "de"}, headers=headers).status_code == 403
    assert anna.send(path, form, origin=ADDRESS).status_code == 303


def test_every_answer_carries_the_headers_that_keep_browsers_careful(app: FastAPI, table: TestTable) -> None:
    table.open()
    client = Visitor(app).client
    for path in ("/", f"/games/{table.game_id}", "/nothing", "/api/v1/games", "/static/style.css", "/healthz"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'"), path
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_personal_pages_are_kept_by_no_cache(anna: Visitor, table: TestTable) -> None:
    """T031"""
    for path in (f"/games/{table.game_id}", f"/games/{table.game_id}/orders", "/", f"/api/v1/games/{table.game_id}"):
        headers = anna.client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert "etag" not in headers
        assert "last-modified" not in headers
    assert (
        "immutable"
        in anna.client.get(anna.get("/").select_one("link[rel=stylesheet]")["href"]).headers["cache-control"]
    )


def test_pages_hold_no_scripts_or_styles_of_their_own(anna: Visitor, table: TestTable) -> None:
    for path in ("/", f"/games/{table.game_id}", f"/games/{table.game_id}/orders", "/games/new"):
        page = anna.get(path)
        assert not page.select("style, [style], script:not([src]):not([type='application/json'])")
        assert not [tag for tag in page.find_all(True) if any(name.startswith("on") for name in tag.attrs)]


def test_the_sessions_cookie_is_hidden_from_scripts_and_secure_on_https(table: TestTable) -> None:
    plain = Visitor(create_app(table.judge)).client.get("/games/new").headers["set-cookie"].lower()
    assert "httponly" in plain
    assert "samesite=lax" in plain
    assert "secure" not in plain
    web = Web(address="https://judge.example.org")
    secure = create_app(
        Judge(
            Settings(data=table.judge.settings.data, web=web), table.judge.store, table.judge.places, table.judge.clock
        )
    )
    visitor = Visitor(secure)
    answer = visitor.client.get("/games/new", headers={"host": "judge.example.org"})
    assert answer.headers["set-cookie"].startswith("__Host-session=")
    assert "secure" in answer.headers["set-cookie"].lower()
    assert answer.headers["strict-transport-security"]
    assert visitor.client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_a_visitor_who_only_looks_gets_no_session(app: FastAPI) -> None:
    assert "set-cookie" not in Visitor(app).client.get("/").headers


@pytest.mark.parametrize("announced", [True, False])
def test_too_much_at_once_is_refused_with_a_page(anna: Visitor, table: TestTable, announced: bool) -> None:
    path = f"/games/{table.game_id}/orders"
    body = b"text=" + b"x" * 300_000
    content = body if announced else iter([body[:1000], body[1000:]])
    answer = anna.client.post(path, content=content, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 413
    assert "larger than the judge takes" in words(answer.text)


def test_a_fault_of_ours_gives_a_number_and_the_log_says_where_but_not_what(
    app: FastAPI, anna: Visitor, table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble() -> None:
        raise RuntimeError("X:3 at 7341")

    app.add_api_route("/stumble", stumble)
    with caplog.at_level(logging.DEBUG):
        answer = anna.client.get("/stumble")
    assert answer.status_code == 500
    assert answer.headers["content-security-policy"]
    logged = "\n".join(caplog.messages)
    number = next(word for word in words(answer.text).replace(".", "").split() if len(word) == 8 and word in logged)
    assert f"{number}: builtins.RuntimeError" in logged
    assert "stumble" in logged
    assert "7341" not in logged + answer.text
    assert "gamejudge_failures_total 1" in anna.client.get("/metrics").text


def test_the_log_names_routes_not_links(app: FastAPI, table: TestTable, caplog: pytest.LogCaptureFixture) -> None:
    table.open()
    with caplog.at_level(logging.DEBUG, "judge"):
        Visitor(app).claim(table.tokens[ANNA])
    # The client of these tests logs its own requests, addresses and all.
    logged = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("httpx"))
    assert "POST /seat/{token} 303" in logged
    assert table.tokens[ANNA] not in logged


def test_a_database_that_cannot_be_written_is_a_503_that_says_what_to_do(anna: Visitor, table: TestTable) -> None:
    path = f"/games/{table.game_id}/orders"
    form = {**anna.form(path, path, door="pass"), "door": "pass"}
    file = table.judge.settings.data / "gamejudge.db"
    with sqlite3.connect(file) as other:
        other.execute("ALTER TABLE submission RENAME TO elsewhere")
    other.close()
    answer = anna.send(path, form)
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "not set up for this version" in words(answer.text)
    assert anna.client.get("/healthz").status_code == 200


def test_head_is_answered_as_get_without_a_body(app: FastAPI, table: TestTable) -> None:
    table.open()
    client = Visitor(app).client
    for path in ("/", f"/games/{table.game_id}", "/healthz", "/api/v1/games", "/nothing"):
        got, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        assert head.headers["content-type"] == got.headers["content-type"]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST"])
def test_a_wrong_method_is_answered_with_a_page(app: FastAPI, method: str) -> None:
    answer = Visitor(app).client.request(method, "/rules/commodity-market")
    assert answer.status_code == 405
    assert "does not take such a request" in words(answer.text)
