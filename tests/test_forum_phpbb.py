"""phpBB's profile and answers in the shape noted of a running one: what every forum's tests do not ask.

The forum here is not phpBB but a small server that answers as documented (`tests/forums/documented/`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup
from starlette.responses import HTMLResponse, Response

from judge.forum import Changed, Held, Published, Refused, Retry, Unknown
from judge.forum.browser import filled
from judge.forum.phpbb import PROFILE, unquoted
from tests.forums import PLAYERS
from tests.forums.contract import GAME, Home, at_home, key_of, letter

MESSAGE = '<html><body><div id="message"><p>{said}</p></div></body></html>'


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with at_home("documented.phpbb") as home:
        yield home


def test_a_form_that_comes_back_because_somebody_posted_meanwhile_is_sent_once_more(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    forum, topic = home.opened()
    key, sleep, posted = key_of("meanwhile"), time.sleep, list[str]()

    def anna_is_quicker(seconds: float) -> None:
        if not posted:
            posted.append("now")
            posted[0] = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
        sleep(seconds)

    home.live.acts.post("Anna", topic.id, "Hello.")
    monkeypatch.setattr("judge.forum.browser.time.sleep", anna_is_quicker)
    published = forum.publish(letter("The result.", key), key)
    assert isinstance(published, Published)
    assert [post.id for post in forum.fetch_posts()][2:] == [*posted, *published.ids]


def test_a_form_in_the_second_of_its_issue_is_refused_so_the_judge_waits_longer(home: Home) -> None:
    key = key_of("hasty")
    for _ in range(10):  # on a busy machine the next second may begin in between
        _, topic = home.opened()
        try:
            home.connect(topic.id, ripe=0).publish(letter("The result.", key), key)
        except Retry as hurry:
            refused = hurry
            break
    else:
        pytest.fail("The form was always taken.")
    assert "form was invalid" in str(refused)
    assert len(home.live.acts.read(topic.id)) == 1
    assert 1 < PROFILE.ripe < 2


def test_an_edit_of_the_last_post_shows_in_its_text_alone(home: Home) -> None:
    """T240."""
    forum, topic = home.opened()
    last = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    mark = forum.probe()
    home.live.acts.edit("Anna", topic.id, last, "X:4 zu 40")
    post = list(forum.fetch_posts())[-1]
    assert (post.edited, post.revision, post.text) == (None, None, "X:4 zu 40")
    assert forum.probe() != mark


def test_a_page_past_the_end_is_not_read_as_one_more(home: Home) -> None:
    """T246."""
    forum, topic = home.opened()
    ids = [home.live.acts.post(PLAYERS[number % 4], topic.id, f"Post {number}") for number in range(20)]
    assert [post.id for post in forum.fetch_posts()] == [topic.first, *ids]
    home.live.acts.delete(topic.id, ids[-1])
    player = home.connect(topic.id, who="Stranger")
    assert [post.id for post in player.fetch_posts()] == [topic.first, *ids[:-1]]
    assert [(post.id, post.state) for post in forum.fetch_posts(ids[-2])] == [
        (ids[-2], "visible"),
        (ids[-1], "deleted"),
    ]


def test_what_was_typed_is_had_by_quoting_where_editing_is_not_allowed(home: Home) -> None:
    _, topic = home.opened()
    typed = '[quote="Dora [the first]" post_id=7]\nX:9 zu 99\n[/quote]\nX:3 zu 40\n[b]F:1[/b] zu 50 [/quote]'
    post = home.live.acts.post("Anna", topic.id, typed)
    raw = home.connect(topic.id, who="Stranger").fetch_raw(post)
    assert (raw.text, raw.markup) == (typed, "bbcode")


def test_a_quote_loses_only_what_the_forum_put_around_it() -> None:
    assert unquoted('[quote="An]na" post_id=3 time=1 user_id=59]X:3 zu 40[/quote]\n') == "X:3 zu 40"
    assert unquoted("[quote=Anna]\n[quote]a[/quote]\nb\n[/quote]") == "[quote]a[/quote]\nb"
    assert unquoted("X:3 zu 40") == "X:3 zu 40"


def test_what_the_forum_says_is_told_in_its_words(home: Home) -> None:
    """T305."""
    forum, topic = home.opened()
    key = key_of("too-long")
    with pytest.raises(Refused, match="60000"):
        forum.publish(letter("x" * 60_001, key), key)
    home.live.keeper.instead("GET /posting.php", HTMLResponse(MESSAGE.format(said="This topic is locked.")))
    with pytest.raises(Refused, match="locked"):
        forum.publish(letter("The result.", key), key)
    assert len(home.live.acts.read(topic.id)) == 1


@pytest.mark.parametrize(
    "page", ["<html></html>", "<html><body><div class='post'>Renewed!</div></body></html>", "\x00<![x"]
)
def test_a_page_of_another_shape_is_an_alarm(home: Home, page: str) -> None:
    """T248."""
    forum, _ = home.opened()
    for ask in (forum.fetch_posts, forum.probe, forum.topic, lambda: forum.find("a-key")):
        home.live.keeper.instead("GET /viewtopic", HTMLResponse(page))
        with pytest.raises(Changed):
            ask()


def test_a_lost_answer_is_told_and_looked_for_before_the_letter_is_sent_again(home: Home) -> None:
    """T304."""
    forum, topic = home.opened()
    key = key_of("lost")
    home.live.keeper.instead("POST /posting.php", Response(status_code=502))
    assert isinstance(forum.publish(letter("The result.", key), key), Unknown)
    home.live.keeper.instead("GET /viewtopic", Response(status_code=502), after=1)
    assert isinstance(forum.publish(letter("The result.", key), key), Unknown)
    assert isinstance(forum.publish(letter("The result.", key), key), Published)
    assert len(home.live.acts.read(topic.id)) == 2


def test_success_that_is_not_to_be_seen_is_none(home: Home) -> None:
    forum, topic = home.opened()
    key = key_of("swallowed")
    away = Response(status_code=302, headers={"Location": f"./viewtopic.php?p={topic.first}#p{topic.first}"})
    home.live.keeper.instead("POST /posting.php", away)
    assert isinstance(forum.publish(letter("The result.", key), key), Unknown)
    assert forum.find(key) is None


def test_a_private_letter_goes_to_the_members_id_and_once(home: Home) -> None:
    forum, anna = home.connect(), home.live.accounts["Anna"].id
    home.live.acts.rename("Anna", "Anna [the first]")
    key = f"{GAME}/1.1/receipt-9/1"
    told = forum.send(anna, letter("Understood.", key, title="T" * 200), key)
    assert isinstance(told, str)
    home.live.acts.rename("Anna", "Anna")
    assert home.connect().send(anna, letter("Understood.", key, title="Another"), key) == told
    assert sum("Understood." in text for text in home.live.acts.messages("Anna")) == 1
    ben = home.live.accounts["Ben"].id
    assert forum.send(ben, letter("Understood.", key), key) != told


def test_many_private_messages_are_read_over_all_pages(home: Home) -> None:
    ids = [home.live.acts.message("Cem", "Judge", f"Orders {number}", f"X:{number} zu 40") for number in range(30)]
    forum = home.connect()
    assert [message.id for message in forum.inbox(ids[0])] == ids[1:]
    assert [message.text.strip() for message in forum.inbox(ids[28])] == ["X:29 zu 40"]


def test_a_held_topic_is_found_once_it_was_let_through(home: Home) -> None:
    """T305."""
    key = key_of("held-topic-again")
    forum = home.connect(who="Stranger", category=home.live.held_category)
    assert forum.open_topic("A held game", letter("The market is open.", key), key) == Held()
    assert forum.find_topic("A held game", key) is None
    topic = forum.topic().id
    [opening] = home.live.acts.read(topic)
    home.live.acts.approve(topic, opening.id)
    found = forum.find_topic("A held game", key)
    assert found is not None
    assert (found.id, found.first) == (topic, opening.id)


def test_fields_are_sent_as_a_browser_would() -> None:
    page = """<form><input name=a value=1><input type=checkbox name=b value=2 checked><input type=checkbox name=c>
    <input type=radio name=d value=x><input type=radio name=d value=y checked><input type=submit name=e value=Go>
    <input name=f disabled value=3><textarea name=g>\n\nfirst is dropped</textarea>
    <select name=h><option value=1>one</option><option value=2 selected>two</option></select>
    <select name=i><option>three</option></select><select name=j multiple><option selected>p</option>
    <option>q</option><option selected>r</option></select><input type=file name=k></form>"""
    form = BeautifulSoup(page, "html.parser").form
    assert form is not None
    assert filled(form) == {
        "a": "1",
        "b": "2",
        "d": "y",
        "g": "\nfirst is dropped",
        "h": "2",
        "i": "three",
        "j": ["p", "r"],
    }
