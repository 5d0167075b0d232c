"""Misago's connector and answers in the shape that a Misago 0.39 gives, or no longer gives.

The forum here is not Misago but a few of its answers: what a real one does is shown in `tests/forums/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from judge.forum import AuthExpired, Changed, Forum, Place, Published, Refused, Rendered, Retry, Topic, Unknown
from judge.forum.misago import forum as misago
from tests.odd_forum import Answer, OddForum, odd_forum

KEY = "g7kq2abc/1.1/result/thread"
WORDS = f"Four units were sold.\n\ngamejudge {KEY}"
LETTER = Rendered("Month 1", WORDS, WORDS, WORDS, WORDS)
JSON = {"Content-Type": "application/json"}
POSTS = "/api/threads/7/posts/"


def entry(number: int, poster: int = 1, content: str | None = "<p>Hello.</p>", **more: Any) -> dict[str, Any]:
    moment = "2026-09-07T11:59:00Z"
    usual = {"is_hidden": False, "is_unapproved": False, "is_event": False, "edits": 0, "last_editor": None}
    return {
        "id": number,
        "poster": {"id": poster},
        "poster_name": "Judge",
        "content": content,
        "posted_on": moment,
        "updated_on": moment,
        "url": {"index": f"/t/month-1/7/post/{number}/"},
        **usual,
        **more,
    }


def page(*entries: dict[str, Any], **more: Any) -> Answer:
    thread = {"id": 7, "title": "Month 1", "url": {"index": "/t/month-1/7/"}, "replies": 1, "last_post": 2}
    dates = {"last_post_on": "2026-09-07T11:59:00Z", "acl": {"can_reply": True}}
    return said({**thread, **dates, "post_set": {"page": 1, "pages": 1, "before": 0, "results": entries}, **more})


def said(what: object, status: int = 200, **headers: str) -> Answer:
    return Answer(status, {**JSON, **headers}, json.dumps(what).encode())


def connected(odd: OddForum, thread: str | None = "7", **settings: Any) -> Forum:
    usual = {"url": odd.url, "user": "Judge", "password": "secret", "category": 3, "timeout": 0.5, "retry": 7}
    return misago(Place("g7kq2abc", thread, None, lambda: datetime.now(UTC), {**usual, **settings}))


@pytest.fixture
def odd() -> Iterator[OddForum]:
    with odd_forum() as odd:
        odd.answers["/"] = Answer(headers={"Set-Cookie": "csrftoken=t0ken"})
        odd.answers["/api/auth/"] = said({"id": 1, "username": "Judge", "acl": {}}, **{"Set-Cookie": "sessionid=s"})
        odd.answers[f"{POSTS}?page=1"] = page(entry(1))
        yield odd


@pytest.fixture
def forum(odd: OddForum) -> Iterator[Forum]:
    forum = connected(odd)
    yield forum
    forum.close()


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=b"<html>Welcome to our new forum!</html>"),
        said({"results": []}),
        page(),
        page(entry(1, is_event=True)),
        page({"pk": 1, "text": "Hello."}),
        page(entry(1, posted_on="yesterday")),
    ],
)
def test_a_changed_layout_raises_an_alarm_and_is_never_an_empty_topic(
    odd: OddForum, forum: Forum, answer: Answer
) -> None:
    """T248."""
    odd.answers[f"{POSTS}?page=1"] = answer
    for ask in (lambda: list(forum.fetch_posts()), forum.topic, lambda: forum.publish(LETTER, KEY)):
        with pytest.raises(Changed):
            ask()
    assert not [path for path in odd.paths() if path == f"POST {POSTS}"]


@pytest.mark.parametrize(
    "lost", [Answer(0), Answer(500), Answer(502), Answer(headers={"Content-Length": "9"}, body=b"")]
)
def test_a_lost_answer_is_looked_for_before_anything_is_sent_again(odd: OddForum, forum: Forum, lost: Answer) -> None:
    """T304: the forum stored the post, and its answer never came."""

    def store(_: BaseHTTPRequestHandler) -> Answer:
        odd.answers[f"{POSTS}?page=1"] = page(entry(1), entry(2, content=f"<p>{WORDS}</p>"))
        return lost

    odd.answers[POSTS] = store
    assert isinstance(forum.publish(LETTER, KEY), Unknown)
    assert forum.publish(LETTER, KEY) == Published(("2",), f"{odd.url}/t/month-1/7/post/2/")
    assert odd.paths().count(f"POST {POSTS}") == 1


def test_what_was_posted_is_published_even_if_it_cannot_be_read_back(odd: OddForum, forum: Forum) -> None:
    """T304."""

    def store(_: BaseHTTPRequestHandler) -> Answer:
        odd.answers[f"{POSTS}?page=1"] = Answer(503)
        return said(entry(2, content=f"<p>{WORDS}</p>"))

    odd.answers[POSTS] = store
    assert forum.publish(LETTER, KEY) == Published(("2",), f"{odd.url}/t/month-1/7/post/2/")


def test_a_topic_whose_answer_was_lost_is_found_again(odd: OddForum) -> None:
    """T304: among the judge's own topics, by the key in the opening post."""
    alike = {"title": "Month 1", "starter": {"id": 1}, "started_on": "2026-09-07T11:59:00Z"}
    listed: list[dict[str, Any]] = [{"id": 5, "last_post": 9, **alike}]
    odd.answers["/api/threads/?category=3&list=my"] = lambda _: said({"results": listed, "next": None})
    odd.answers["/api/threads/5/posts/?page=1"] = page(entry(9), id=5)

    def store(_: BaseHTTPRequestHandler) -> Answer:
        listed.insert(0, {"id": 7, "last_post": 1, **alike})
        odd.answers[f"{POSTS}?page=1"] = page(entry(1, content=f"<p>{WORDS}</p>"))
        return Answer(0)

    odd.answers["/api/threads/"] = store
    forum = connected(odd, None)
    assert isinstance(forum.open_topic("Month 1", LETTER, KEY), Unknown)
    assert forum.open_topic("Month 1", LETTER, KEY) == Topic("7", "Month 1", "1", f"{odd.url}/t/month-1/7/")
    assert odd.paths().count("POST /api/threads/") == 1
    forum.close()


def test_a_limit_on_posting_and_a_closed_topic_are_told_apart(odd: OddForum, forum: Forum) -> None:
    """T305: both are refused with 403, in the forum's own language."""
    odd.answers[POSTS] = said({"detail": "Du hast die Grenze für diese Stunde erreicht."}, 403)
    odd.answers["/api/threads/7/"] = page(entry(1))
    with pytest.raises(Retry, match="Grenze") as limit:
        forum.publish(LETTER, KEY)
    assert limit.value.after == 7
    odd.answers["/api/threads/7/"] = page(entry(1), acl={"can_reply": False})
    with pytest.raises(Refused, match="Grenze"):
        forum.publish(LETTER, KEY)


def test_whoever_is_taken_for_a_guest_logs_in_again_once(odd: OddForum, forum: Forum) -> None:
    """The cookie may still be there, and the session behind it not."""
    member = odd.answers["/api/auth/"]
    assert forum.me().id == "1"

    def log_in(request: BaseHTTPRequestHandler) -> Answer:
        if request.command == "POST" and member_again:
            odd.answers[POSTS] = said(entry(2, content=f"<p>{WORDS}</p>"))
        return member if request.command == "POST" else said({"id": None})

    odd.answers["/api/auth/"] = log_in
    odd.answers["/api/threads/7/"] = page(entry(1), acl={"can_reply": False})
    for member_again in (False, True):
        odd.answers[POSTS] = said({"detail": "This action is not available to guests."}, 403)
        odd.asked.clear()
        if member_again:
            assert isinstance(forum.publish(LETTER, KEY), Published)
        else:
            with pytest.raises(AuthExpired, match="guests"):
                forum.publish(LETTER, KEY)
        assert odd.paths().count("POST /api/auth/") == 1


def test_an_address_without_a_misago_is_no_wrong_password(odd: OddForum, forum: Forum) -> None:
    odd.answers["/api/auth/"] = Answer(404)
    with pytest.raises(Refused):
        forum.me()
    odd.answers["/api/auth/"] = said({"code": "invalid_login", "detail": "Login or password is incorrect."}, 400)
    with pytest.raises(AuthExpired, match="incorrect"):
        forum.me()


def test_what_the_forum_complains_of_is_passed_on(odd: OddForum, forum: Forum) -> None:
    odd.answers[POSTS] = said({"post": ["Posted message should be at most 60000 characters long."]}, 400)
    with pytest.raises(Refused, match="at most 60000 characters"):
        forum.publish(LETTER, KEY)


def test_a_host_learns_which_setting_is_missing(odd: OddForum) -> None:
    for name in ("url", "user", "password"):
        with pytest.raises(Refused, match=name):
            connected(odd, **{name: ""})
    with pytest.raises(Refused, match="category"):
        connected(odd, None, category=None).open_topic("Month 1", LETTER, KEY)
    for thread in ("the third one", "https://forum.example.org/u/anna/3/"):
        with pytest.raises(Refused, match="neither the number nor the address of a topic"):
            connected(odd, thread)
