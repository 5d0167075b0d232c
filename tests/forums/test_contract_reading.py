"""What every connector reads of a real forum: topics, posts, edits, pages, private messages."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from judge.forum import Refused
from judge.forum.markup import typed_text
from tests.forums import PLAYERS
from tests.forums.contract import GAME, Home, at_home, key_of, letter, nobodys, typed

ORDERS = "X:3 zu 40\nF:1 at 50\nA:2 zu 100"


@pytest.fixture(scope="module")
def home(forum_name: str) -> Iterator[Home]:
    with at_home(forum_name) as home:
        yield home


def test_a_topic_is_opened_once(home: Home) -> None:
    key = key_of("opening")
    first = home.connect().open_topic("Commodity market at noon", letter("The market is open.", key), key)
    again = home.connect().open_topic("Commodity market at noon", letter("The market is open.", key), key)
    assert first == again == home.connect().find_topic("Commodity market at noon", key)
    assert home.connect().find_topic("Commodity market at noon", key_of("another")) is None
    assert [seen.author_id for seen in home.live.acts.read(first.id)] == [home.live.accounts["Judge"].id]


def test_a_topic_is_adopted_by_its_id_or_its_address(home: Home) -> None:
    topic_id = home.live.acts.start_topic("Anna", "A game for four", "Who plays?")
    topic = home.connect(topic_id).topic()
    assert (topic.id, topic.title) == (topic_id, "A game for four")
    assert topic.url.startswith(home.live.url)
    assert home.connect(topic.url).topic() == topic
    opening, *others = home.connect(topic_id).fetch_posts()
    assert (opening.id, opening.author_id, others) == (topic.first, home.live.accounts["Anna"].id, [])


def test_a_topic_that_is_not_there_is_refused(home: Home) -> None:
    forum = home.connect(nobodys(home.live.name))
    for ask in (forum.topic, forum.probe, lambda: list(forum.fetch_posts())):
        with pytest.raises(Refused):
            ask()


def test_four_players_posts_are_read_as_they_typed_them(home: Home) -> None:
    """T200 and the rest of its section start from what was typed, whatever the forum draws."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(who, topic.id, f"{ORDERS}\n{who}") for who in PLAYERS]
    opening, *posts = forum.fetch_posts()
    assert opening.author_id == forum.me().id == home.live.accounts["Judge"].id
    assert [post.id for post in posts] == ids
    assert [(post.author_id, post.author_name) for post in posts] == [
        (home.live.accounts[who].id, who) for who in PLAYERS
    ]
    assert [forum.fetch_raw(post.id).text.strip() for post in posts] == [f"{ORDERS}\n{who}" for who in PLAYERS]
    assert {post.state for post in posts} == {"visible"}
    assert all(before.position < after.position for before, after in pairwise([opening, *posts]))
    assert all(post.url.startswith(home.live.url) for post in posts)


def test_times_are_the_forums(home: Home) -> None:
    forum, topic = home.opened()
    home.live.acts.post("Anna", topic.id, ORDERS)
    post = list(forum.fetch_posts())[-1]
    assert forum.served is not None
    assert abs(forum.served - datetime.now(UTC)) < timedelta(minutes=1)
    assert post.created is None or timedelta(minutes=-1) < forum.served - post.created < timedelta(minutes=2)


def test_an_unchanged_mark_means_nothing_new(home: Home) -> None:
    forum, topic = home.opened()
    mark = forum.probe()
    assert forum.probe() == mark
    home.live.acts.post("Anna", topic.id, ORDERS)
    assert forum.probe() != mark


def test_what_is_quoted_was_not_typed(home: Home) -> None:
    """T202."""
    forum, topic = home.opened()
    quoted = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    home.live.acts.quote("Ben", topic.id, quoted, "A:1 zu 99")
    post = list(forum.fetch_posts())[-1]
    assert "X:3 zu 40" in forum.fetch_raw(post.id).text
    assert typed(forum, post) == "A:1 zu 99"


def test_an_edit_shows_in_the_text_whether_the_forum_marks_it_or_not(home: Home) -> None:
    """T240: the id stays, and what stood there before is told where the forum knows it."""
    forum, topic = home.opened()
    post_id = home.live.acts.post("Anna", topic.id, "X:3 zu 40\nF:1 zu 50")
    before = list(forum.fetch_posts())[-1]
    home.live.acts.edit("Anna", topic.id, post_id, "X:4 zu 40\nF:1 zu 50")
    after = list(forum.fetch_posts())[-1]
    assert (after.id, after.author_id) == (before.id, before.author_id) == (post_id, home.live.accounts["Anna"].id)
    assert after.text != before.text
    assert forum.fetch_raw(post_id).text.strip() == "X:4 zu 40\nF:1 zu 50"
    history = forum.history(post_id)
    assert (history is not None) == forum.caps.history
    if history is not None:
        earlier = [typed_text(revision.text, revision.markup).strip() for revision in history]
        assert earlier == ([] if "trace" in home.live.acts.lacks else ["X:3 zu 40\nF:1 zu 50"])
        assert all(revision.until >= (before.created or revision.until) for revision in history)


def test_a_moderators_edit_leaves_the_post_its_author(home: Home) -> None:
    """T242: where the forum names the editor, it is not the author."""
    forum, topic = home.opened()
    post_id = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    home.live.acts.edit("Moderator", topic.id, post_id, "X:9 zu 99")
    post = list(forum.fetch_posts())[-1]
    assert forum.fetch_raw(post_id).text.strip() == "X:9 zu 99"
    assert post.author_id == home.live.accounts["Anna"].id
    assert post.editor_id in (None, home.live.accounts["Moderator"].id)
    if forum.caps.history:
        [revision] = forum.history(post_id) or []
        assert revision.editor_id in (None, home.live.accounts["Moderator"].id)


def test_a_hidden_post_is_listed_as_hidden(home: Home) -> None:
    """T244, T246."""
    if "hide" in home.live.acts.lacks:
        with pytest.raises(NotImplementedError):
            home.live.acts.hide("1", "1")
        return
    forum, topic = home.opened()
    ids = [home.live.acts.post(who, topic.id, ORDERS + f"\n{who}") for who in PLAYERS]
    home.live.acts.hide(topic.id, ids[1])
    states = [(post.id, post.state) for post in forum.fetch_posts()][1:]
    assert states == [(post_id, "hidden" if post_id == ids[1] else "visible") for post_id in ids]


def test_a_deleted_post_is_gone(home: Home) -> None:
    """T244."""
    if "delete" in home.live.acts.lacks:
        with pytest.raises(NotImplementedError):
            home.live.acts.delete("1", "1")
        return
    forum, topic = home.opened()
    ids = [home.live.acts.post(who, topic.id, ORDERS + f"\n{who}") for who in PLAYERS]
    home.live.acts.delete(topic.id, ids[1])
    seen = {post.id: post.state for post in forum.fetch_posts()}
    assert seen.get(ids[1], "deleted") == "deleted"
    assert [post_id for post_id in seen if post_id in ids and post_id != ids[1]] == [ids[0], *ids[2:]]


def test_forty_posts_are_read_over_all_pages_once_each(home: Home) -> None:
    """T246: posts that a page repeats are read once; later readings begin where they are told to."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(40)]
    everything = list(forum.fetch_posts())
    all_ids = [topic.first, *ids]
    assert [post.id for post in everything] == all_ids
    assert [post.position for post in everything] == sorted({post.position for post in everything})
    later = home.connect(topic.id)
    for since in (ids[-1], ids[20], ids[0]):
        assert list(later.fetch_posts(since)) == everything[all_ids.index(since) :]
    ids.append(home.live.acts.post("Anna", topic.id, "One more"))
    assert [post.id for post in later.fetch_posts(ids[-2])] == ids[-2:]


def test_a_renamed_player_is_the_same_and_who_takes_the_name_is_not(home: Home) -> None:
    """T238, T239."""
    forum, topic = home.opened()
    home.live.acts.rename("Dora", "Theodora")
    home.live.acts.rename("Stranger", "Dora")
    home.live.acts.post("Dora", topic.id, "X:3 zu 40")
    home.live.acts.post("Stranger", topic.id, "X:9 zu 99")
    authors = [(post.author_id, post.author_name) for post in forum.fetch_posts()][1:]
    assert authors == [
        (home.live.accounts["Dora"].id, "Theodora"),
        (home.live.accounts["Stranger"].id, "Dora"),
    ]
    home.live.acts.rename("Stranger", "Stranger")
    home.live.acts.rename("Dora", "Dora")


def test_a_private_message_is_read_by_the_judge_alone(home: Home) -> None:
    """T268."""
    forum = home.connect()
    assert forum.caps.dm == ("message" not in home.live.acts.lacks)
    if not forum.caps.dm:
        assert list(forum.inbox()) == []
        return
    home.live.acts.message("Anna", "Judge", "Orders from Anna", f"{ORDERS}\nAnna")
    home.live.acts.message("Ben", "Judge", "Orders from Ben", f"{ORDERS}\nBen")
    first, second = list(forum.inbox())[-2:]
    assert [message.author_id for message in (first, second)] == [home.live.accounts[who].id for who in ("Anna", "Ben")]
    assert [message.text.strip() for message in (first, second)] == [f"{ORDERS}\nAnna", f"{ORDERS}\nBen"]
    assert [message.id for message in forum.inbox(second.id)] in ([], [second.id])
    assert list(home.connect(who="Stranger").inbox()) == []


def test_the_judge_writes_to_one_member_privately_and_once(home: Home) -> None:
    forum, anna = home.connect(), home.live.accounts["Anna"].id
    receipt, another = (f"{GAME}/1.1/receipt-{number}/1" for number in (1, 2))
    if not forum.caps.dm:
        with pytest.raises(Refused):
            forum.send(anna, letter("Understood: X:3 at 40.", receipt), receipt)
        return
    told = forum.send(anna, letter("Understood: X:3 at 40.", receipt), receipt)
    assert home.connect().send(anna, letter("Understood: X:3 at 40.", receipt), receipt) == told
    assert forum.send(anna, letter("Understood: X:4 at 40.", another), another) != told
    texts = [text for text in home.live.acts.messages("Anna") if "Understood" in text]
    assert [("X:3 at 40" in text, "X:4 at 40" in text) for text in texts] == [(True, False), (False, True)]
    assert home.live.acts.messages("Stranger") == []
    assert all(message.author_id != forum.me().id for message in forum.inbox())


def test_conversations_in_which_nobody_has_written_are_not_opened_again(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    """Polite: a game of six has six of them, and the judge looks every minute."""
    if "message" in home.live.acts.lacks:
        assert not home.connect().caps.dm
        return
    forum = home.connect()
    for who in ("Anna", "Ben"):
        home.live.acts.message(who, "Judge", f"More of {who}", f"{ORDERS}\n{who} once more")
    last = list(forum.inbox())[-1]
    assert last.text.strip() == f"{ORDERS}\nBen once more"
    forum.inbox(last.id)
    caplog.set_level(logging.INFO, "httpx")
    caplog.clear()
    assert [message.id for message in forum.inbox(last.id)] in ([], [last.id])
    assert len(caplog.records) == 1, "the list alone"
    home.live.acts.message("Anna", "Judge", f"More of {last.id}", f"{ORDERS}\nAnna after all")
    assert [message.text.strip() for message in forum.inbox(last.id) if message.id != last.id] == [
        f"{ORDERS}\nAnna after all"
    ]
