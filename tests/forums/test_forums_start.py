"""Real forums start, and do what the judge's connectors are told that they do.

Each test is about the forum, not about the judge: what fails here has changed there.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.forums import PLAYERS, LiveForum, start

ORDERS = "X:3 zu 40\n- F:1 at 50\n**A:2** at 100"


@pytest.fixture(scope="module")
def forum(forum_name: str) -> Iterator[LiveForum]:
    with start(forum_name) as running:
        yield running


@pytest.fixture
def topic(forum: LiveForum, request: pytest.FixtureRequest) -> str:
    """Titles differ: Spirit takes a second topic of one title for the first one sent twice, and says nothing."""
    return forum.acts.start_topic("Judge", request.node.originalname.replace("_", " "), "The market is open.")


def test_four_players_post_and_are_read_back_as_they_typed(forum: LiveForum, topic: str) -> None:
    posted = [forum.acts.post(who, topic, f"{ORDERS}\n{who}") for who in PLAYERS]
    opening, *seen = forum.acts.read(topic)
    assert opening.text == "The market is open."
    assert [post.id for post in seen] == posted
    assert [post.author_id for post in seen] == [forum.accounts[who].id for who in PLAYERS]
    assert [post.text for post in seen] == [f"{ORDERS}\n{who}" for who in PLAYERS]
    assert {post.state for post in seen} == {"visible"}


def test_an_edit_changes_the_text_and_not_the_id(forum: LiveForum, topic: str) -> None:
    post = forum.acts.post("Anna", topic, "X:3 zu 40")
    forum.acts.edit("Anna", topic, post, "X:4 zu 40")
    assert [(seen.id, seen.text) for seen in forum.acts.read(topic)[1:]] == [(post, "X:4 zu 40")]
    forum.acts.edit("Moderator", topic, post, "X:5 zu 40")
    changed = forum.acts.read(topic)[1]
    assert (changed.text, changed.author_id) == ("X:5 zu 40", forum.accounts["Anna"].id)


def test_a_quote_holds_the_quoted_text_within_a_blockquote(forum: LiveForum, topic: str) -> None:
    quoted = forum.acts.post("Anna", topic, "X:3 zu 40")
    forum.acts.quote("Ben", topic, quoted, "A:1 zu 99")
    answer = forum.acts.read(topic)[2]
    within, after = answer.html.rsplit("</blockquote>", 1)
    assert "X:3 zu 40" in within
    assert "Anna" in within
    assert "A:1 zu 99" in after
    assert answer.text is not None
    assert answer.text.startswith((">", "[quote="))


def test_a_hidden_post_stays_listed(forum: LiveForum, topic: str) -> None:
    post = forum.acts.post("Anna", topic, "X:3 zu 40")
    if "hide" in forum.acts.lacks:
        with pytest.raises(NotImplementedError):
            forum.acts.hide(topic, post)
        return
    forum.acts.hide(topic, post)
    hidden = forum.acts.read(topic)[1]
    assert (hidden.id, hidden.state) == (post, "hidden")
    assert "X:3 zu 40" not in anonymous(forum, topic)


def test_a_deleted_post_is_gone(forum: LiveForum, topic: str) -> None:
    post = forum.acts.post("Anna", topic, "X:3 zu 40")
    if "delete" in forum.acts.lacks:
        with pytest.raises(NotImplementedError):
            forum.acts.delete(topic, post)
        return
    forum.acts.delete(topic, post)
    assert len(forum.acts.read(topic)) == 1
    assert "X:3 zu 40" not in anonymous(forum, topic)


def test_a_held_post_is_seen_by_all_once_a_moderator_lets_it_through(forum: LiveForum) -> None:
    assert (forum.held_category is None) == ("hold" in forum.acts.lacks)
    if forum.held_category is None:
        with pytest.raises(NotImplementedError):
            forum.acts.approve("1", "1")
        return
    topic = forum.acts.start_topic("Moderator", "In the queue", "Posts wait here.", forum.held_category)
    post = forum.acts.post("Stranger", topic, "The result.")
    assert forum.acts.read(topic)[1].state == "held"
    assert "The result." not in anonymous(forum, topic)
    forum.acts.approve(topic, post)
    assert forum.acts.read(topic)[1].state == "visible"
    assert "The result." in anonymous(forum, topic)


def test_a_private_message_reaches_the_judge_and_no_stranger(forum: LiveForum) -> None:
    if "message" in forum.acts.lacks:
        with pytest.raises(NotImplementedError):
            forum.acts.message("Anna", "Judge", "Orders", "X:3 zu 40")
        return
    topic = forum.acts.message("Anna", "Judge", "Orders", "X:3 zu 40\nF:1 zu 50")
    assert forum.acts.messages("Judge")[-1] == "X:3 zu 40\nF:1 zu 50"
    assert forum.acts.messages("Stranger") == []
    with pytest.raises(AssertionError, match="404"):
        private_page(forum, topic)


def test_forty_posts_are_read_once_each_over_all_pages(forum: LiveForum, topic: str) -> None:
    posted = [forum.acts.post(PLAYERS[number % 4], topic, f"Post {number}") for number in range(40)]
    began = time.monotonic()
    seen = forum.acts.read(topic)[1:]
    assert [post.id for post in seen] == posted
    assert [post.text for post in seen] == [f"Post {number}" for number in range(40)]
    assert time.monotonic() - began < 60


def test_a_renamed_player_keeps_the_id(forum: LiveForum, topic: str) -> None:
    forum.acts.rename("Dora", "Theodora")
    forum.acts.post("Dora", topic, "X:3 zu 40")
    assert forum.acts.read(topic)[1].author_id == forum.accounts["Dora"].id
    assert "Theodora" in anonymous(forum, topic)
    forum.acts.rename("Dora", "Dora")


def test_ended_sessions_ask_for_a_new_login(forum: LiveForum, topic: str) -> None:
    forum.acts.post("Anna", topic, "X:3 zu 40")
    forum.acts.end_sessions()
    forum.acts.post("Anna", topic, "X:4 zu 40")
    assert [post.text for post in forum.acts.read(topic)[1:]] == ["X:3 zu 40", "X:4 zu 40"]


def test_a_forum_that_goes_away_comes_back_with_its_posts(forum: LiveForum, topic: str) -> None:
    forum.acts.post("Anna", topic, "X:3 zu 40")
    forum.go_away()
    with pytest.raises(httpx.ConnectError):
        httpx.get(forum.url)
    forum.come_back()
    assert forum.acts.read(topic)[1].text == "X:3 zu 40"
    assert forum.memory() < 400 << 20


def test_limits_on_posting_hold_where_they_are_on(forum_name: str) -> None:
    with start(forum_name, throttle=True) as forum:
        topic = forum.acts.start_topic("Judge", "Month 1", "The market is open.")

        def post_eight() -> None:
            for number in range(8):
                forum.acts.post("Anna", topic, f"Post {number}")

        if forum_name == "punkweb":
            # It has no limits.
            post_eight()
        else:
            with pytest.raises(AssertionError, match=r"so quickly|Too many submissions, wait 10s"):
                post_eight()


@pytest.mark.parametrize("killed", ["its owner", "its keeper"])
def test_a_forum_ends_with_whoever_holds_it_however_he_dies(forum_name: str, killed: str) -> None:
    program = (
        f"import sys; from tests.forums import start; forum = start({forum_name!r});"
        "print(forum.url, forum.keeper.process.pid, *forum.keeper.pids, flush=True); sys.stdin.read(); forum.stop()"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        url, *pids = owner.stdout.readline().split()
        assert httpx.get(url, follow_redirects=True).is_success
        ends = [os.pidfd_open(int(pid)) for pid in pids]
        os.kill(owner.pid if killed == "its owner" else int(pids[0]), signal.SIGKILL)
        try:
            for pid, end in zip(pids, ends, strict=True):
                assert select.select([end], [], [], 20)[0], f"process {pid} still runs"
        finally:
            for end in ends:
                os.close(end)


def anonymous(forum: LiveForum, topic: str) -> str:
    """What somebody who is not logged in gets of the topic."""
    path = {"misago": f"/api/threads/{topic}/posts/", "spirit": f"/topic/{topic}/", "punkweb": f"/thread/{topic}/"}
    return httpx.get(f"{forum.url}{path[forum.name]}", follow_redirects=True).raise_for_status().text


def private_page(forum: LiveForum, topic: str) -> None:
    """The stranger asks for a private topic by its address."""
    path = {"misago": f"/api/private-threads/{topic}/posts/", "spirit": f"/topic/private/{topic}/"}
    forum.acts.visitors["Stranger"].page(path[forum.name])
