"""What only PunkwebBB does: an opening that is no post, ids without an order, a last page without end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.forum import Published, Refused
from tests.forums import PLAYERS
from tests.forums.contract import Home, at_home, key_of, letter


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("punkweb") as home:
        yield home


def test_the_opening_text_is_read_and_changed_in_the_thread(home: Home) -> None:
    """T260 starts from it: it has the thread's id."""
    forum, topic = home.opened()
    assert topic.first == topic.id
    [opening] = forum.fetch_posts()
    stands = forum.fetch_raw(opening.id)
    assert "is open" in stands.text
    forum.edit_own(opening.id, letter("The game is over.", key_of("over")), stands.text)
    assert "The game is over." in forum.fetch_raw(opening.id).text
    assert forum.topic().title == topic.title
    annas = home.live.acts.start_topic("Anna", "Anna's game", "Who plays?")
    with pytest.raises(Refused):
        home.connect(annas).edit_own(annas, letter("The game is over.", key_of("over")), "Who plays?")


def test_posts_are_in_the_threads_order_and_the_last_page_ends(home: Home) -> None:
    """T246."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(20)]
    everything = list(forum.fetch_posts())
    assert [post.id for post in everything] == [topic.first, *ids]
    assert ids != sorted(ids)
    assert [post.position for post in everything] == list(range(21))
    for gone in (ids.pop(), ids.pop(), *(ids.pop() for _ in range(9))):
        home.live.acts.delete(topic.id, gone)
    assert [post.id for post in forum.fetch_posts(ids[-1])] == ids[-1:]
    assert [post.id for post in forum.fetch_posts()] == [topic.first, *ids]


def test_an_account_without_rights_reads_what_is_shown(home: Home) -> None:
    _, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "[b]X:3[/b] zu 40\nF:1 zu 50")
    raw = home.connect(topic.id, who="Ben").fetch_raw(post)
    assert raw.markup == "html"
    assert "X:3" in raw.text
    assert home.connect(topic.id, who="Anna").fetch_raw(post).text == "[b]X:3[/b] zu 40\nF:1 zu 50"


def test_a_closed_thread_refuses_and_goes_on_when_it_is_opened(home: Home) -> None:
    """T305."""
    forum, topic = home.opened()
    key, visitor = key_of("closed"), home.live.acts.visitors["Moderator"]
    visitor.http.get(f"/thread/{topic.id}/close/")
    with pytest.raises(Refused, match="closed"):
        forum.publish(letter("The result.", key), key)
    visitor.http.get(f"/thread/{topic.id}/close/")
    assert isinstance(forum.publish(letter("The result.", key), key), Published)
