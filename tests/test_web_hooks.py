"""A Discourse's webhook shortens the wait, and nothing else; tried on a server in its documented shape."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from judge.service.accounts import look_soon
from judge.web.app import create_app
from tests.at_the_forum import FORUM, ForumTable, at_the_forum

SECRET = "a-secret-of-the-club"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[ForumTable]:
    with at_the_forum("documented.discourse", tmp_path, secret=SECRET) as forum:
        yield forum


def hook(club: ForumTable, event: object, secret: str = SECRET, name: str = FORUM) -> int:
    """What the judge answers to an event that was signed with this secret."""
    body = json.dumps(event).encode()
    signature = f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"
    client = TestClient(create_app(club.table.judge), base_url="http://127.0.0.1:8000")
    headers = {"X-Discourse-Event-Signature": signature, "X-Discourse-Event-Type": "post"}
    return client.post(f"/api/v1/forums/{name}/hook", content=body, headers=headers).status_code


def test_a_signed_event_has_the_judge_look_at_once(club: ForumTable) -> None:
    club.open()
    club.post("Anna", "X:3 zu 40")
    club.clock.forward(seconds=5)
    club.work()
    assert club.receipts("1") == []
    assert hook(club, {"post": {"topic_id": int(club.topic), "raw": "X:9 zu 90"}}) == 202
    club.work()
    assert club.lines("1") == ["X:3 at 40"]


def test_an_event_that_the_forum_did_not_sign_changes_nothing(club: ForumTable) -> None:
    club.open()
    club.clock.forward(seconds=5)
    before = club.watch().next_look
    assert hook(club, {"post": {"topic_id": int(club.topic)}}, secret="guessed") == 403
    assert hook(club, {"post": {"topic_id": int(club.topic)}}, secret="") == 403
    assert hook(club, {"post": {"topic_id": int(club.topic)}}, name="nowhere") == 404
    assert hook(club, {"post": {"topic_id": 999_999}}) == 202
    assert hook(club, {"ping": "OK"}) == 202
    assert club.watch().next_look == before


def test_many_events_are_no_more_than_a_look_every_two_seconds(club: ForumTable) -> None:
    club.open()
    looked = club.watch().looked
    assert looked is not None
    for part in (0.1, 0.5, 1.9):
        now = looked + timedelta(seconds=part)
        club.table.judge.store.write(lambda session, now=now: look_soon(session, now, FORUM, club.topic))
        assert club.watch().next_look == looked + timedelta(seconds=2)
