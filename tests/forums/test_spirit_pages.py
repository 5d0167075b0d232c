"""What only Spirit does: equal posts that it swallows, addresses that forget the page, events, times to the minute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from judge.forum import Changed, Place, Published, Refused, Unknown
from judge.forum.forms import FormForum
from judge.forum.spirit import PROFILE, moment, unquoted
from tests.forums import PLAYERS
from tests.forums.contract import GAME, Home, at_home, key_of, letter, typed


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("spirit") as home:
        yield home


def moderate(home: Home, path: str, **fields: str) -> None:
    home.live.acts.visitors["Moderator"].send(path, fields)


def test_a_letter_that_the_forum_swallows_is_never_taken_for_posted(home: Home) -> None:
    """T304: it swallows what has the same key within half an hour, and answers as if it had taken it."""
    forum, topic = home.opened()
    elsewhere = home.live.acts.start_topic("Moderator", "Where posts are moved", "Off topic.")
    key = key_of("moved")
    published = forum.publish(letter("The result.", key), key)
    assert isinstance(published, Published)
    moderate(home, f"/comment/{topic.id}/move/", topic=elsewhere, comments=published.ids[0])
    assert forum.find(key) is None
    assert isinstance(forum.publish(letter("The result.", key), key), Unknown)
    assert len(home.live.acts.read(topic.id)) == 1


def test_two_topics_of_one_title_are_both_opened(home: Home) -> None:
    first, second = (
        home.connect().open_topic("The same title", letter("The market is open.", key), key)
        for key in (key_of("same-1"), key_of("same-2"))
    )
    assert not isinstance(first, Unknown)
    assert first.id != second.id


def test_pages_are_found_though_the_address_of_a_topic_forgets_them(home: Home) -> None:
    """T246."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(25)]
    assert [post.id for post in forum.fetch_posts(ids[22])] == ids[22:]
    fields = {"title": "Another title", "category": home.live.category}
    moderate(home, f"/topic/update/{topic.id}/", **fields)
    ids.append(home.live.acts.post("Anna", topic.id, "After the new title"))
    assert [post.id for post in forum.fetch_posts()] == [topic.first, *ids]
    assert forum.topic().title == "Another title"


def test_events_are_no_posts_and_a_closed_topic_refuses(home: Home) -> None:
    """T305."""
    forum, topic = home.opened()
    moderate(home, f"/topic/moderate/pin/{topic.id}/")
    moderate(home, f"/topic/moderate/lock/{topic.id}/")
    assert [post.id for post in forum.fetch_posts()] == [topic.first]
    key = key_of("closed")
    with pytest.raises(Refused):
        forum.publish(letter("The result.", key), key)
    moderate(home, f"/topic/moderate/unlock/{topic.id}/")
    assert isinstance(forum.publish(letter("The result.", key), key), Published)


def test_an_account_that_is_no_moderator_reads_what_was_typed(home: Home) -> None:
    _, topic = home.opened()
    lines = "> Ben sagt:\n\nX:3 zu 40\n\n    F:1 zu 50\n>> A:2\n*B:1* zu 10"
    post = home.live.acts.post("Anna", topic.id, lines)
    player = home.connect(topic.id, who="Ben")
    assert player.fetch_raw(post).text == lines
    assert typed(player, list(player.fetch_posts())[-1]) == typed(
        home.connect(topic.id), list(player.fetch_posts())[-1]
    )
    assert unquoted("> @Anna said:\n> X:3 zu 40\n> \n> > Ben\n\n") == "X:3 zu 40\n\n> Ben"


def test_every_earlier_text_is_told_with_its_minute(home: Home) -> None:
    """T240."""
    forum, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    for number in range(4, 7):
        home.live.acts.edit("Anna", topic.id, post, f"X:{number} zu 40")
    revisions = forum.history(post) or []
    assert [revision.text.strip() for revision in revisions] == [f"<p>X:{number} zu 40</p>" for number in range(3, 6)]
    assert all(abs(revision.until - datetime.now(UTC)) < timedelta(minutes=2) for revision in revisions)
    assert list(forum.fetch_posts())[-1].revision == "3"


@pytest.mark.parametrize(
    ("shown", "meant"),
    [
        ("Nov. 29, 2026, 8:01 p.m.", datetime(2026, 11, 29, 19, 1, tzinfo=UTC)),
        ("July 1, 2026, noon", datetime(2026, 7, 1, 10, 0, tzinfo=UTC)),
        ("Sept. 5, 2026, midnight", datetime(2026, 9, 4, 22, 0, tzinfo=UTC)),
        ("May 7, 2026, 12:30 a.m.", datetime(2026, 5, 6, 22, 30, tzinfo=UTC)),
        ("March 3, 2026, 4 p.m.", datetime(2026, 3, 3, 15, 0, tzinfo=UTC)),
        ("29. November 2026 20:01", None),
        ("yesterday", None),
    ],
)
def test_times_are_read_in_english_and_in_the_accounts_zone(shown: str, meant: datetime | None) -> None:
    assert moment(shown, ZoneInfo("Europe/Berlin")) == meant


def test_pages_with_other_names_are_an_alarm_and_nothing_is_posted(home: Home) -> None:
    """T248."""
    _, topic = home.opened()
    renamed = (
        replace(PROFILE, cards=".renamed"),
        replace(PROFILE, reply=replace(PROFILE.reply, form="form.renamed")),
        replace(PROFILE, login=replace(PROFILE.login, account=".renamed")),
    )
    account = home.live.accounts["Judge"]
    settings = {"url": home.live.url, "user": account.name, "password": account.password, "retry": 1, "timeout": 60}
    for profile in renamed:
        forum = FormForum(profile, Place(GAME, topic.id, None, lambda: datetime.now(UTC), settings))
        key = key_of("renamed")
        with pytest.raises(Changed):
            forum.publish(letter("The result.", key), key)
        forum.close()
    assert len(home.live.acts.read(topic.id)) == 1
