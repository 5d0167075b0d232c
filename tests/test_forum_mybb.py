"""MyBB's profile and answers in the shape noted of a running one: what every forum's tests do not ask.

The forum here is not MyBB but a small server that answers as documented (`tests/forums/documented/`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup
from starlette.responses import HTMLResponse, Response

from judge.forum import Changed, Published, Refused, Unknown
from judge.forum.markup import typed_text
from judge.forum.mybb import moment, unquoted
from tests.forums import PLAYERS
from tests.forums.contract import Home, at_home, key_of, letter


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("documented.mybb") as home:
        yield home


def test_two_posts_in_a_row_become_one_and_both_are_read(home: Home) -> None:
    """T243."""
    forum, topic = home.opened()
    assert forum.caps.merges_posts
    first = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    mark = forum.probe()
    second = home.live.acts.post("Anna", topic.id, "F:1 zu 50")
    assert first == second
    assert forum.probe() != mark
    _, post = forum.fetch_posts()
    assert post.id == first
    raw = forum.fetch_raw(first)
    assert [line for line in typed_text(raw.text, raw.markup).split("\n") if line] == ["X:3 zu 40", "F:1 zu 50"]


def test_two_letters_in_one_post_are_both_found_and_neither_is_overwritten(home: Home) -> None:
    """T304: the account is one whose posts the forum merges."""
    topic = home.live.acts.start_topic("Moderator", "Letters in one post", "The market is open.")
    forum = home.connect(topic, who="Stranger")
    one, other = key_of("closed"), key_of("resolved")
    first = forum.publish(letter("The month is closed.", one), one)
    stood = forum.fetch_raw(list(forum.fetch_posts())[-1].id).text
    second = forum.publish(letter("Four units were sold.", other), other)
    assert first == second == forum.find(one) == forum.find(other)
    assert isinstance(first, Published)
    assert forum.publish(letter("The month is closed.", one), one) == first
    assert len(home.live.acts.read(topic)) == 2
    with pytest.raises(Refused):
        forum.edit_own(first.ids[0], letter("The month is open.", one), stood)


def test_signs_that_the_forum_draws_are_read_as_typed(home: Home) -> None:
    forum, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40 (c) [b]F:1[/b] zu 50 :)")
    assert "©" in list(forum.fetch_posts())[-1].text
    assert forum.fetch_raw(post).text == "X:3 zu 40 (c) [b]F:1[/b] zu 50 :)"
    assert home.connect(topic.id, who="Stranger").fetch_raw(post).text == "X:3 zu 40 (c) [b]F:1[/b] zu 50 :)"


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        (
            '<span class="post_date">11-29-2026, 08:01 PM <span></span></span>',
            datetime(2026, 11, 29, 19, 1, tzinfo=UTC),
        ),
        ('<span><span title="11-29-2026">Yesterday</span>, 12:05 AM</span>', datetime(2026, 11, 28, 23, 5, tzinfo=UTC)),
        ('<span><span title="07-01-2026, 12:00 PM">5 hours ago</span></span>', datetime(2026, 7, 1, 10, 0, tzinfo=UTC)),
        ("<span>29.11.2026, 20:01</span>", None),
        ("<span>Yesterday</span>", None),
    ],
)
def test_times_are_read_where_they_have_the_usual_form(shown: str, meant: datetime | None) -> None:
    tag = BeautifulSoup(shown, "html.parser").span
    assert tag is not None
    assert moment(tag, ZoneInfo("Europe/Berlin")) == meant


def test_a_posts_time_is_the_forums_to_the_minute(home: Home) -> None:
    forum, topic = home.opened()
    home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    created = list(forum.fetch_posts())[-1].created
    assert created is not None
    assert timedelta(0) <= datetime.now(UTC) - created < timedelta(minutes=2)


def test_an_address_of_the_forums_other_kind_is_taken(home: Home) -> None:
    _, topic = home.opened()
    assert home.connect(f"{home.live.url}/thread-{topic.id}-page-2.html").topic().id == topic.id
    with pytest.raises(Refused):
        home.connect(f"{home.live.url}/forum-3.html")


def test_a_thread_that_became_shorter_is_read_to_its_end(home: Home) -> None:
    """T246: the page that was the last one is then the first."""
    topic = home.live.acts.start_topic("Moderator", "A thread that shrinks", "The market is open.")
    ids = [home.live.acts.post(PLAYERS[number % 4], topic, f"Post {number}") for number in range(41)]
    player = home.connect(topic, who="Stranger")
    everything = [post.id for post in player.fetch_posts()]
    assert everything[1:] == ids
    home.live.acts.delete(topic, ids[0])
    home.live.acts.delete(topic, ids[-1])
    assert [post.id for post in player.fetch_posts(ids[30])] == ids[30:-1]
    assert [post.id for post in player.fetch_posts()][1:] == ids[1:-1]


def test_a_quote_loses_only_what_the_forum_put_around_it() -> None:
    assert unquoted("[quote=\"An]na\" pid='2' dateline='1795982094']\nX:3 zu 40\n[/quote]\n\n") == "X:3 zu 40"
    assert unquoted("[quote=\"Anna\"]\n[quote='Ben' pid='1']\na\n[/quote]\nb\n[/quote]\n") == (
        "[quote='Ben' pid='1']\na\n[/quote]\nb"
    )


def test_a_lost_answer_is_told_and_looked_for_before_the_letter_is_sent_again(home: Home) -> None:
    """T304."""
    forum, topic = home.opened()
    key = key_of("lost")
    home.live.keeper.instead("POST /newreply.php", Response(status_code=502))
    assert isinstance(forum.publish(letter("The result.", key), key), Unknown)
    assert isinstance(forum.publish(letter("The result.", key), key), Published)
    assert len(home.live.acts.read(topic.id)) == 2


def test_a_refused_token_is_told_in_the_forums_words(home: Home) -> None:
    """T305."""
    forum, topic = home.opened()
    key = key_of("token")
    home.live.keeper.instead("GET /newreply.php", HTMLResponse(_without_key(home, topic.id)))
    with pytest.raises(Refused, match="Authorization code mismatch"):
        forum.publish(letter("The result.", key), key)
    assert len(home.live.acts.read(topic.id)) == 1


def _without_key(home: Home, topic: str) -> str:
    page = home.live.acts.visitors["Judge"].page(f"/newreply.php?tid={topic}")
    for field in page.select('input[name="my_post_key"]'):
        field["value"] = "another"
    return str(page)


@pytest.mark.parametrize("page", ["<html></html>", "<html><body><div id='posts'>Renewed!</div></body></html>"])
def test_a_page_of_another_shape_is_an_alarm(home: Home, page: str) -> None:
    """T248."""
    forum, _ = home.opened()
    for ask in (forum.fetch_posts, forum.probe, forum.topic, lambda: forum.find("a-key")):
        home.live.keeper.instead("GET /showthread", HTMLResponse(page))
        with pytest.raises(Changed):
            ask()
