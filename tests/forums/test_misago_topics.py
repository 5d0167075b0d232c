"""What only Misago does: pages that shift, edits as differences, events, closed topics, threads that members leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from bs4 import BeautifulSoup

from judge.core.report import Line, Report, Table
from judge.core.text import Text
from judge.forum import Held, Published, Refused
from judge.forum.misago_api import Api, PostSet
from tests.forums.contract import GAME, Home, at_home, key_of, letter, letter_of
from tests.forums.misago import call


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("misago") as home:
        yield home


def moderate(home: Home, topic: str, path: str, value: object) -> None:
    change = [{"op": "replace", "path": path, "value": value}]
    call(home.live.acts.visitors["Moderator"], "PATCH", f"/api/threads/{topic}/", change)


def ids(pages: list[PostSet]) -> list[str]:
    return [str(number) for number in sorted({entry.id for page in pages for entry in page.results})]


def test_no_post_is_missed_when_others_come_and_go_while_pages_are_read(home: Home) -> None:
    """T246: posts that are let through move others to a later page, one that is deleted to an earlier one."""
    assert home.live.held_category is not None
    acts = home.live.acts
    topic = acts.start_topic("Moderator", "A long game", "The market is open.", home.live.held_category)
    held = [acts.post("Stranger", topic, f"Who may read this {number} times?") for number in range(3)]
    posts = [acts.post("Moderator", topic, f"Post number {number}") for number in range(42)]
    anna = home.live.accounts["Anna"]
    api = Api({"url": home.live.url, "user": anna.name, "password": anna.password})
    path = f"/api/threads/{topic}/posts/"

    def read(meanwhile: Callable[[str, str], None], *moved: str) -> list[str]:
        reading = api.pages_back(path)
        last = next(reading)
        assert last.pages > 2
        for post in moved:
            meanwhile(topic, post)
        return ids([last, *reading])

    opening = str(api.signed_in(lambda: api.page(path, 1)).post_set.results[0].id)
    assert read(acts.approve, *held) == [opening, *held, *posts]
    gone = posts.pop(3)
    assert [post for post in read(acts.delete, gone) if post != gone] == [opening, *held, *posts]
    api.http.close()


def test_every_earlier_text_is_told_line_by_line(home: Home) -> None:
    forum, topic = home.opened()
    texts = [
        "X:3 zu 40\nF:1 zu 50",
        "? X:3 zu 40\n\n- F:1 zu 50\n+ A:2 zu 100",
        "- F:1 zu 50\n  B:1 zu 10",
        "X:3 zu 41\nF:1 zu 50\n\n\nGruß, Änne",
    ]
    post = home.live.acts.post("Anna", topic.id, texts[0])
    for text in texts[1:]:
        home.live.acts.edit("Anna", topic.id, post, text)
    history = forum.history(post) or []
    assert [revision.text for revision in history] == texts[:-1]
    assert [revision.until for revision in history] == sorted({revision.until for revision in history})
    assert forum.fetch_raw(post).text == texts[-1]
    assert forum.history(topic.first) == []


def test_events_are_no_posts(home: Home) -> None:
    forum, topic = home.opened()
    moderate(home, topic.id, "title", "Commodity market, renamed")
    moderate(home, topic.id, "is-closed", True)
    post = home.live.acts.post("Moderator", topic.id, "Closed for today.")
    assert [(seen.id, seen.position) for seen in forum.fetch_posts()] == [(topic.first, 0), (post, 1)]
    assert forum.topic().title == "Commodity market, renamed"


def test_a_closed_topic_refuses_and_goes_on_when_it_is_opened(home: Home) -> None:
    """T305."""
    topic = home.live.acts.start_topic("Stranger", "A game for four", "Who plays?")
    forum, key = home.connect(topic, who="Stranger"), key_of("closed")
    moderate(home, topic, "is-closed", True)
    with pytest.raises(Refused, match="closed"):
        forum.publish(letter("The result.", key), key)
    moderate(home, topic, "is-closed", False)
    assert isinstance(forum.publish(letter("The result.", key), key), Published)


def test_a_held_topic_is_found_when_it_is_let_through(home: Home) -> None:
    """T305."""
    category, key, title = home.live.held_category, key_of("let-through"), "A game that was held"
    forum = home.connect(who="Stranger", category=category)
    assert forum.open_topic(title, letter("The market is open.", key), key) == Held()
    assert forum.find_topic(title, key) is None
    listed = call(home.live.acts.visitors["Moderator"], "GET", f"/api/threads/?category={category}")["results"]
    [topic] = [str(one["id"]) for one in listed if one["title"] == title]
    moderate(home, topic, "is-unapproved", False)
    for seen in (forum, home.connect(who="Stranger", category=category)):
        found = seen.find_topic(title, key)
        assert found is not None
        assert found.id == topic


def test_a_table_stands_in_straight_columns(home: Home) -> None:
    forum, _ = home.opened()
    key = key_of("prices")
    rows = (("January", 40, "[/code] `Anna`"), ("February", 1370, "&lt;|&gt;"))
    prices = Table(title=Text.of("Prices"), head=("Month", "X", "Who"), rows=rows)
    sold = Line(text=Text.of("*Four* were sold."))
    report = Report(title=Text.of("Month 1"), blocks=(prices, sold, prices.model_copy(update={"rows": rows[:1]})))
    forum.publish(letter_of(report, key), key)
    post = list(forum.fetch_posts())[-1]
    page = BeautifulSoup(post.html or "", "html.parser")
    first, second = (table.get_text().replace("\N{WORD JOINER}", "").splitlines() for table in page.select("pre"))
    assert first == [
        "Month         X  Who",
        "--------  -----  --------------",
        "January      40  [/code] `Anna`",
        "February  1,370  &lt;|&gt;",
    ]
    assert second[2:] == ["January  40  [/code] `Anna`"]
    assert "*Four* were sold." in page.get_text()


def test_a_members_letters_stay_in_one_thread_until_he_leaves_it(home: Home) -> None:
    forum, ben = home.connect(), home.live.accounts["Ben"].id
    visitor = home.live.acts.visitors["Ben"]

    def threads() -> list[str]:
        return [thread["title"] for thread in call(visitor, "GET", "/api/private-threads/")["results"]]

    def tell(number: int) -> None:
        key = f"{GAME}/1.1/receipt-{number}/2"
        assert isinstance(forum.send(ben, letter(f"Receipt {number}.", key, title="Receipt"), key), str)

    tell(1)
    tell(2)
    assert threads() == [f"Receipt [{GAME}]"]
    [thread] = call(visitor, "GET", "/api/private-threads/")["results"]
    leave = [{"op": "remove", "path": "participants", "value": int(ben)}]
    call(visitor, "PATCH", f"/api/private-threads/{thread['id']}/", leave)
    assert threads() == []
    tell(3)
    assert threads() == [f"Receipt [{GAME}]"]
    call(visitor, "POST", f"/api/private-threads/{_newest(home)}/posts/", {"post": "X:3 zu 40"})
    assert [(message.author_id, message.text) for message in forum.inbox()] == [(ben, "X:3 zu 40")]


def _newest(home: Home) -> int:
    return int(call(home.live.acts.visitors["Ben"], "GET", "/api/private-threads/")["results"][0]["id"])
