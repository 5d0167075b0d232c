"""Hostile input at every door: whatever is sent, the judge answers in its one shape and never stumbles."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from judge.web.app import create_app
from tests.at_the_table import sit_down
from tests.visitors import Program, Visitor

QUIET = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.sampled_from(["bid", "X", "grade", "pass", "\0", "A" * 5000, "{counted}", "%s", "'; DROP TABLE game; --"])
)
json_values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
orders = st.lists(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["bid", "offer"])}, optional={"grade": leaves, "units": leaves, "price": leaves}
    )
    | json_values,
    max_size=6,
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A running game of two, Anna's program and Anna's browser; the judge's own stumbles are counted, not raised."""
    folder: Path = tmp_path_factory.mktemp("hostile")
    table = sit_down(folder)
    app = create_app(table.judge)
    table.open(("Anna", "Ben", "Cem"))
    program = Program(app)
    program.claim(table.tokens["1"])
    browser = Visitor(app)
    browser.claim(table.tokens["2"])
    yield table, app, program.client, browser
    assert app.state.failures == 0
    table.judge.close()


def answered(client: TestClient, method: str, path: str, **sent: Any) -> None:
    answer = client.request(method, path, **sent)
    assert answer.status_code < 500, f"{method} {path} {sent}: {answer.status_code}"
    if path.startswith("/api/") and answer.status_code >= 400:
        assert all({"line", "field", "text"} <= set(problem) for problem in answer.json()["problems"])


@QUIET
@given(sent=orders)
def test_orders_of_any_shape_are_answered(hostile: Any, sent: list[Any]) -> None:
    table, _, client, _ = hostile
    answered(client, "POST", f"/api/v1/games/{table.game_id}/orders", json={"orders": sent})


@QUIET
@given(
    body=json_values,
    call=st.sampled_from(["orders", "thread", "seats", "moderate/paste", "moderate/extend", "moderate/force"]),
)
def test_bodies_of_any_shape_are_answered(hostile: Any, body: Any, call: str) -> None:
    table, _, client, _ = hostile
    answered(client, "POST", f"/api/v1/games/{table.game_id}/{call}", json=body)


@QUIET
@given(text=st.text(max_size=200))
def test_texts_of_any_kind_are_answered(hostile: Any, text: str) -> None:
    table, _, client, _ = hostile
    answered(client, "POST", f"/api/v1/games/{table.game_id}/orders", json={"text": text})
    answered(client, "POST", f"/api/v1/games/{table.game_id}/thread", json={"text": text or "x"})
    answered(client, "GET", f"/api/v1/games/{table.game_id}/thread")


@QUIET
@given(plan=st.fixed_dictionaries({"ruleset": st.just("commodity-market"), "seats": json_values}, optional={
    "options": json_values, "zone": leaves, "language": leaves, "deadline": json_values, "title": leaves,
    "forum": leaves, "numbers": leaves, "cool_off_minutes": leaves, "thread": leaves,
}))  # fmt: skip
def test_plans_of_any_shape_are_answered(hostile: Any, plan: dict[str, Any]) -> None:
    _, _, client, _ = hostile
    answered(client, "POST", "/api/v1/games", json=plan)
    answered(client, "GET", "/api/v1/games")
    answered(client, "GET", "/")


@QUIET
@given(content=st.binary(max_size=300))
def test_bytes_of_any_kind_are_answered(hostile: Any, content: bytes) -> None:
    table, _, client, browser = hostile
    path = f"/api/v1/games/{table.game_id}/orders"
    answered(client, "POST", path, content=content, headers={"content-type": "application/json"})
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
        answered(
            browser.client, "POST", f"/games/{table.game_id}/orders", content=content, headers={"content-type": kind}
        )


@QUIET
@given(values=st.dictionaries(
    st.sampled_from(
        ["bid.X.units", "bid.X.price", "bid.F.units", "bid.Q.units", "number", "version", "door", "text", "request"]
    ) | st.text(max_size=20),
    st.text(max_size=60) | st.sampled_from(["9" * 400, "-1", "1e9", "٣", "½"]), max_size=8,
))  # fmt: skip
def test_forms_of_any_kind_are_answered(hostile: Any, values: dict[str, str]) -> None:
    table, _, _, browser = hostile
    path = f"/games/{table.game_id}/orders"
    form = {**browser.form(path, path, door="form"), **{k: v for k, v in values.items() if k != "form_token"}}
    sent = {k.encode("utf-8", "replace").decode(): v.encode("utf-8", "replace").decode() for k, v in form.items()}
    answered(browser.client, "POST", path, data=sent)


@QUIET
@given(
    part=st.text(alphabet=st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=30),
    query=st.sampled_from(
        ["", "?version=x", "?version=99999999999999999999", "?page=-1", "?page=99999999999999999999"]
    ),
)
def test_addresses_of_any_kind_are_answered(hostile: Any, part: str, query: str) -> None:
    table, _, _, browser = hostile
    word = quote(part, safe="")
    for path in (
        f"/games/{word}",
        f"/seat/{word}",
        f"/rules/{word}",
        f"/games/{table.game_id}/turns/{word}",
        f"/{word}",
    ):
        answered(browser.client, "GET", path + query)
    for path in ("thread", "turns/1", "moderate", "orders"):
        answered(browser.client, "GET", f"/games/{table.game_id}/{path}{query}")
    answered(browser.client, "GET", f"/games/{word}/feed.atom")


@QUIET
@given(
    value=st.text(
        alphabet=st.characters(min_codepoint=32, max_codepoint=255, blacklist_characters="\x7f"), max_size=60
    ),
    name=st.sampled_from(
        ["cookie", "authorization", "accept-language", "origin", "sec-fetch-site", "host", "content-type"]
    ),
)
def test_headers_of_any_kind_are_answered(hostile: Any, name: str, value: str) -> None:
    table, app, _, _ = hostile
    client = TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False)
    for prefix in ("", "session=", "language=", "zone=", "Bearer "):
        header = {name: (prefix + value).encode("latin-1").strip()}
        assert client.get(f"/games/{table.game_id}", headers=header).status_code < 500
        assert client.post(f"/games/{table.game_id}/orders", headers=header).status_code < 500
