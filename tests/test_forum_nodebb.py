"""NodeBB's connector and answers in the shape that NodeBB documents: what every forum's tests do not ask.

The forum here is not NodeBB but a small server that answers as documented (`tests/forums/documented/`).
"""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from starlette.responses import JSONResponse, Response

from judge.forum import AuthExpired, Changed, DirectMessage, Held, Published, Refused, Retry, Unknown
from tests.forums import PLAYERS
from tests.forums.contract import GAME, Home, at_home, key_of, letter

NOT_NOW = Response(status_code=429, headers={"Retry-After": "39"})
BROKEN = Response(status_code=502)


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("documented.nodebb") as home:
        yield home


def denied(status: int, words: str) -> Response:
    return JSONResponse({"status": {"code": "bad-request", "message": words}, "response": {}}, status)


def test_a_reading_that_must_wait_on_page_two_is_done_again_and_finds_every_post_once(home: Home) -> None:
    """T247."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(45)]
    home.live.keeper.instead(r"GET /api/topic/\d+\?page=2&", NOT_NOW)
    with pytest.raises(Retry) as told:
        forum.fetch_posts()
    assert told.value.after == 39
    assert [post.id for post in forum.fetch_posts()] == [topic.first, *ids]


@pytest.mark.parametrize("answer", [JSONResponse("/category/3"), JSONResponse({"posts": []}), Response("<html>")])
def test_a_page_of_another_shape_is_an_alarm(home: Home, answer: Response) -> None:
    """T248."""
    forum, _ = home.opened()
    home.live.keeper.instead("GET /api/topic/", answer)
    with pytest.raises(Changed):
        forum.fetch_posts()


def test_a_topic_without_posts_is_an_alarm(home: Home) -> None:
    """T248."""
    forum, topic = home.opened()
    page = httpx.get(f"{home.live.url}/api/topic/{topic.id}", headers=_token(home)).json()
    home.live.keeper.instead("GET /api/topic/", JSONResponse({**page, "posts": []}))
    with pytest.raises(Changed):
        forum.fetch_posts()


def test_an_unchanged_topic_is_asked_for_by_its_mark_and_in_our_name(home: Home) -> None:
    forum, _ = home.opened()
    mark = forum.probe()
    assert forum.probe() == mark
    headers = home.live.keeper.asked[-1].headers
    assert headers["if-none-match"].startswith('W/"')
    assert headers["user-agent"].startswith("gamejudge/")


def test_a_judge_who_is_taken_for_a_guest_reads_nothing(home: Home) -> None:
    forum, topic = home.opened()
    forum.topic()
    as_guest = httpx.get(f"{home.live.url}/api/topic/{topic.id}?page=1").json()
    home.live.keeper.instead("GET /api/topic/", JSONResponse(as_guest), times=2)
    with pytest.raises(AuthExpired):
        forum.fetch_posts()


def test_a_token_that_is_taken_back_is_told(home: Home) -> None:
    forum, _ = home.opened()
    home.live.keeper.instead("POST /api/v3/topics", denied(401, "A valid login session was not found."), times=2)
    with pytest.raises(AuthExpired):
        forum.publish(letter("Sold.", key_of("revoked")), key_of("revoked"))


def test_what_is_not_allowed_is_refused_in_the_forums_words(home: Home) -> None:
    """T305."""
    forum, _ = home.opened()
    home.live.keeper.instead("POST /api/v3/topics", denied(403, "Du hast nicht genug Rechte."))
    with pytest.raises(Refused, match="nicht genug Rechte"):
        forum.publish(letter("Sold.", key_of("closed")), key_of("closed"))


def test_a_broken_answer_to_a_letter_is_unknown_and_the_letter_is_looked_for(home: Home) -> None:
    """T304."""
    forum, _ = home.opened()
    key = key_of("lost")
    home.live.keeper.instead("POST /api/v3/topics", BROKEN)
    assert isinstance(forum.publish(letter("Sold.", key), key), Unknown)
    published = forum.publish(letter("Sold.", key), key)
    assert isinstance(published, Published)
    assert forum.publish(letter("Sold.", key), key) == published


def test_a_letter_is_looked_for_no_further_back_than_it_was_written(home: Home) -> None:
    forum, topic = home.opened()
    for number in range(45):
        home.live.acts.post("Anna", topic.id, f"Post {number}")
    newest = list(forum.fetch_posts())[-1]
    del home.live.keeper.asked[:]
    assert forum.find(key_of("absent"), since=newest.created) is None
    assert len([line for line in home.live.keeper.lines() if line.startswith("GET /api/topic")]) == 1


def test_a_deleted_post_stays_listed_without_its_orders(home: Home) -> None:
    """T244."""
    _, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    home.live.acts.delete(topic.id, post)
    ordinary = home.connect(topic.id, who="Ben")
    _, seen = ordinary.fetch_posts()
    assert (seen.id, seen.state) == (post, "deleted")
    assert "X:3" not in seen.text
    with pytest.raises(Refused):
        ordinary.fetch_raw(post)


def test_a_topic_that_was_held_is_found_when_it_is_let_through(home: Home) -> None:
    """T305."""
    key = key_of("held-topic")
    forum = home.connect(who="Stranger", category=home.live.held_category)
    assert forum.open_topic("A held game", letter("Who plays?", key), key) == Held()
    assert forum.find_topic("A held game", key) is None
    headers = _token(home)
    [waiting] = httpx.get(f"{home.live.url}/api/post-queue", headers=headers).json()["posts"]
    assert waiting["type"] == "topic"
    httpx.post(f"{home.live.url}/api/v3/posts/queue/{waiting['id']}", headers=headers).raise_for_status()
    topic = forum.find_topic("A held game", key)
    assert topic is not None
    assert forum.open_topic("A held game", letter("Who plays?", key), key) == topic


def test_editors_of_whom_only_the_name_is_told_are_looked_up(home: Home) -> None:
    """T242: as NodeBB 3 tells its history."""
    forum, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    home.live.acts.edit("Moderator", topic.id, post, "X:9 zu 99")
    told = httpx.get(f"{home.live.url}/api/v3/posts/{post}/diffs", headers=_token(home)).json()["response"]
    older = [{name: one[name] for name in ("timestamp", "username")} for one in told["revisions"]]
    home.live.keeper.instead("/diffs$", JSONResponse({"response": {**told, "revisions": older}}))
    assert [one.editor_id for one in forum.history(post) or []] == [home.live.accounts["Moderator"].id]


def test_whoever_may_not_see_histories_is_told_none(home: Home) -> None:
    forum, topic = home.opened()
    home.live.keeper.instead("/diffs$", denied(403, "You do not have enough privileges for this action."))
    assert forum.history(topic.first) is None


def test_a_long_letter_reaches_a_member_in_parts_and_once(home: Home) -> None:
    """T303, T304: also when the answer to its second part is lost."""
    forum, ben = home.connect(), home.live.accounts["Ben"].id
    key = f"{GAME}/1.1/receipt-9/2"
    words = " ".join(f"Order {number} understood." for number in range(150))
    home.live.keeper.instead(r"POST /api/v3/chats/\d+$", BROKEN, after=1)
    assert isinstance(forum.send(ben, letter(words, key), key), Unknown)
    sent = home.connect().send(ben, letter(words, key), key)
    assert forum.send(ben, letter(words, key), key) == sent
    parts = home.live.acts.messages("Ben")
    assert len(parts) > 3
    assert [part.rsplit(" ", 1)[1] for part in parts] == [f"{n}/{len(parts)}" for n in range(1, len(parts) + 1)]
    assert all(len(part) <= 1000 for part in parts)
    assert all(f"Order {number} understood." in "".join(parts) for number in (0, 149))


def test_messages_are_read_over_many_chats_and_pages_from_one_on(home: Home) -> None:
    """T268."""
    forum, acts = home.connect(), home.live.acts
    before = list(forum.inbox())
    room = acts.message("Cem", "Judge", "", "Message 0")
    for number in range(1, 60):
        acts.visitors["Cem"].http.post(f"/api/v3/chats/{room}", json={"message": f"Message {number}"})
    for number in range(21):
        acts.message("Dora", "Judge", "", f"Chat {number}")
    received = list(forum.inbox())[len(before) :]
    assert [one.text for one in received] == [f"Message {n}" for n in range(60)] + [f"Chat {n}" for n in range(21)]
    assert list(forum.inbox(received[50].id)) == received[50:]
    assert all(isinstance(one, DirectMessage) and one.created is not None for one in received)


def _token(home: Home) -> dict[str, str]:
    return {"Authorization": f"Bearer {home.live.accounts['Judge'].password}"}
