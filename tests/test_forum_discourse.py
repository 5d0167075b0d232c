"""Discourse's connector and answers in the shape that Discourse documents: what every forum's tests do not ask.

The forum here is not Discourse but a small server that answers as documented (`tests/forums/documented/`).
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.responses import JSONResponse, Response

from judge.forum import AuthExpired, Changed, Held, Published, Refused, Retry, Unknown
from judge.forum.discourse_hook import signed, topic_of
from tests.forums import PLAYERS
from tests.forums.contract import Home, at_home, key_of, letter
from tests.forums.documented.discourse import too_many

FORBIDDEN = JSONResponse({"errors": ["You are not permitted."], "error_type": "invalid_access"}, 403)


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("documented.discourse") as home:
        yield home


def test_two_hidden_posts_of_sixty_one_are_known_as_hidden(home: Home) -> None:
    """T246: twenty posts are told at a time; all ids of the topic are there."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(60)]
    for number in (7, 41):
        home.live.acts.hide(topic.id, ids[number])
    del home.live.keeper.asked[:]
    posts = list(forum.fetch_posts())
    assert [post.id for post in posts] == [topic.first, *ids]
    assert [post.id for post in posts if post.state != "visible"] == [ids[7], ids[41]]
    assert len([post for post in posts if post.state == "visible"]) == 59
    assert len(home.live.keeper.asked) == 4


def test_a_reading_that_must_wait_on_page_two_is_done_again_and_finds_every_post_once(home: Home) -> None:
    """T247."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(45)]
    home.live.keeper.instead(r"GET /t/\d+/posts.json", too_many(39))
    with pytest.raises(Retry, match="too many times") as told:
        forum.fetch_posts()
    assert told.value.after == 39
    assert [post.id for post in forum.fetch_posts()] == [topic.first, *ids]


def test_the_wait_is_also_found_where_no_header_tells_it(home: Home) -> None:
    forum, _ = home.opened()
    limit = {"errors": ["Slow down."], "error_type": "rate_limit", "extras": {"wait_seconds": 7}}
    home.live.keeper.instead("POST /posts.json", JSONResponse(limit, 429))
    with pytest.raises(Retry, match="Slow down") as told:
        forum.publish(letter("Sold.", key_of("slow")), key_of("slow"))
    assert told.value.after == 7


def test_an_edit_at_once_leaves_no_version_and_shows_in_the_text_alone(home: Home) -> None:
    """T240."""
    forum, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    before = list(forum.fetch_posts())[-1]
    home.live.acts.edit("Anna", topic.id, post, "X:4 zu 40")
    after = list(forum.fetch_posts())[-1]
    assert (after.revision, after.edited) == (before.revision, before.edited) == ("1", None)
    assert (before.text, after.text) == ("X:3 zu 40", "X:4 zu 40")
    assert forum.history(post) == []


def test_every_version_is_told_as_it_was_typed(home: Home) -> None:
    """T240, T242."""
    forum, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    texts = ["X:3 zu 40", "X:3 zu 40 -- " + "wirklich " * 20, "X:9 zu 99"]
    home.live.acts.edit("Anna", topic.id, post, texts[1])
    home.live.acts.edit("Moderator", topic.id, post, texts[2])
    history = forum.history(post) or []
    assert [(one.text.strip(), one.markup) for one in history] == [(text.strip(), "markdown") for text in texts[:2]]
    assert [one.editor_id for one in history] == [home.live.accounts[who].id for who in ("Anna", "Moderator")]
    assert history[0].until < history[1].until


def test_events_are_no_posts_and_a_closed_topic_refuses(home: Home) -> None:
    """T305."""
    topic = home.live.acts.start_topic("Anna", "A game for four", "Who plays?")
    home.live.acts.close(topic)
    forum = home.connect(topic, who="Stranger")
    assert len(list(forum.fetch_posts())) == 1
    with pytest.raises(Refused, match="closed"):
        forum.publish(letter("Sold.", key_of("closed")), key_of("closed"))


def test_a_topic_that_was_held_is_found_when_it_is_let_through(home: Home) -> None:
    """T305."""
    key = key_of("held-topic")
    forum = home.connect(who="Stranger", category=home.live.held_category)
    assert forum.open_topic("A held game", letter("Who plays?", key), key) == Held()
    assert forum.find_topic("A held game", key) is None
    mine = home.live.acts.visitors["Stranger"].http.get("/posts/Stranger/pending.json").json()["pending_posts"]
    home.live.acts.approve("", str(mine[0]["id"]))
    topic = forum.find_topic("A held game", key)
    assert topic is not None
    assert forum.open_topic("A held game", letter("Who plays?", key), key) == topic


def test_whoever_may_not_see_a_hidden_post_reads_no_orders_in_it(home: Home) -> None:
    """T244."""
    _, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    home.live.acts.hide(topic.id, post)
    seen = list(home.connect(topic.id, who="Ben").fetch_posts())[-1]
    assert (seen.id, seen.state, seen.markup) == (post, "hidden", "html")
    assert "X:3" not in seen.text


def test_whoever_changed_the_judges_post_first_wins(home: Home) -> None:
    forum, topic = home.opened()
    stands = forum.fetch_raw(topic.first).text
    conflict = {"errors": ["That post was edited by another user."], "error_type": "invalid_parameters"}
    home.live.keeper.instead("PUT /posts/", JSONResponse(conflict, 409))
    with pytest.raises(Refused, match="no longer"):
        forum.edit_own(topic.first, letter("Another.", key_of("edit")), stands)
    assert forum.fetch_raw(topic.first).text == stands


def test_a_broken_answer_to_a_letter_is_unknown_and_the_letter_is_looked_for(home: Home) -> None:
    """T304."""
    forum, _ = home.opened()
    key = key_of("lost")
    home.live.keeper.instead("POST /posts.json", Response(status_code=502))
    assert isinstance(forum.publish(letter("Sold.", key), key), Unknown)
    published = forum.publish(letter("Sold.", key), key)
    assert isinstance(published, Published)
    assert forum.publish(letter("Sold.", key), key) == published


def test_a_letter_is_looked_for_among_the_judges_posts_alone(home: Home) -> None:
    forum, topic = home.opened()
    for number in range(45):
        home.live.acts.post("Anna", topic.id, f"Post {number}")
    del home.live.keeper.asked[:]
    assert forum.find(key_of("absent")) is None
    assert len(home.live.keeper.asked) == 1


def test_a_key_that_is_taken_back_is_not_taken_for_a_refusal(home: Home) -> None:
    forum, _ = home.opened()
    home.live.keeper.instead("GET /t/", FORBIDDEN)
    with pytest.raises(Refused, match="not permitted"):
        forum.fetch_posts()
    home.live.keeper.instead("GET /t/", FORBIDDEN)
    home.live.keeper.instead("GET /session/", FORBIDDEN)
    with pytest.raises(AuthExpired):
        forum.fetch_posts()


@pytest.mark.parametrize("answer", [JSONResponse({"post_stream": {}}), JSONResponse([]), Response("<html>")])
def test_a_topic_of_another_shape_is_an_alarm(home: Home, answer: Response) -> None:
    """T248."""
    forum, _ = home.opened()
    home.live.keeper.instead("GET /t/", answer)
    with pytest.raises(Changed):
        forum.fetch_posts()


@pytest.mark.parametrize("path", ["t/a-game/{}", "t/a-game/{}/7", "t/{}/7", "t/{}", "t/4-players/{}?u=anna", "t/-/{}"])
def test_a_topic_is_known_by_any_of_its_addresses(home: Home, path: str) -> None:
    _, topic = home.opened()
    assert home.connect(f"{home.live.url}/{path.format(topic.id)}").topic() == topic


def test_the_judge_asks_in_its_own_name(home: Home) -> None:
    home.opened()[0].probe()
    assert home.live.keeper.asked[-1].headers["user-agent"].startswith("gamejudge/")


def test_a_webhook_is_believed_only_with_the_forums_signature_on_these_bytes() -> None:
    """The signature is one that Discourse's own tests expect."""
    secret, body = "my_lovely_secret_for_web_hook", b'{"ping":"OK"}'
    signature = "sha256=162f107f6b5022353274eb1a7197885cfd35744d8d08e5bcea025d309386b7d6"
    assert signed(secret, body, signature)
    assert not signed(secret, b'{"ping": "OK"}', signature)
    assert not signed("another", body, signature)
    assert not signed(secret, body, signature.removeprefix("sha256="))
    assert not signed(secret, body, "")
    assert not signed(secret, body, "sha256=é")
    assert not signed("", body, "sha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")


@pytest.mark.parametrize(
    ("event", "topic"),
    [
        (b'{"post": {"id": 5, "topic_id": 7}}', "7"),
        (b'{"topic": {"id": 7, "title": "A game"}}', "7"),
        (b'{"ping": "OK"}', None),
        (b'{"user": {"id": 7}}', None),
        (b'{"post": {"id": 5, "topic_id": "7; drop"}}', None),
        (b'{"post": {"topic_id": true}}', None),
        (b'{"post": null}', None),
        (b"[7]", None),
        (b"post", None),
        (b"\xff", None),
        (b"[" * 100_000, None),
    ],
)
def test_a_webhook_tells_which_topic_to_look_at(event: bytes, topic: str | None) -> None:
    assert topic_of(event) == topic
