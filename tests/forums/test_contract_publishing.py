"""What every connector does in a real forum: publish once, and say clearly why not."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup

from judge.core.report import Heading, Line, Report, Table
from judge.core.text import Money, Text
from judge.escaping import plain
from judge.forum import AuthExpired, Forum, Held, Published, Refused, Retry
from tests.forums.contract import Home, at_home, key_of, letter, letter_of, letter_of_length

JOINER = "\N{WORD JOINER}"
HOSTILE = (
    "[b]Anna[/b]",
    "[quote]Ben[/quote]",
    "[/code][img]http://127.0.0.1/x.png[/img]",
    "[url=http://127.0.0.1/]Cem[/url]",
    "*Dora* _Dora_ `Dora` ~~Dora~~",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](http://127.0.0.1/x.png) [y](http://127.0.0.1/)",
    "a | b || c",
    "# Anna",
    "> Ben",
    "1. Cem",
    "- Dora",
    "@Anna",
    ":) 8) :smile:",
    "&lt;b&gt; &amp;",
    "[/b] Anna [/quote]",
    "</td></table> Ben",
    "@everyone @all",
    "((c)) (tm) (r)",
    "||Cem|| ^^Dora^^ ==Anna==",
    "Be\N{ZERO WIDTH SPACE}n \N{ZERO WIDTH JOINER}Cem",
    "\N{RIGHT-TO-LEFT OVERRIDE}Dora \N{HEBREW LETTER ALEF}\N{RIGHT-TO-LEFT MARK}",
)


@pytest.fixture(scope="module")
def home(forum_name: str) -> Iterator[Home]:
    with at_home(forum_name) as home:
        yield home


def test_a_letter_stands_in_the_topic_once(home: Home) -> None:
    """T304: whoever tries again finds it by its key."""
    forum, topic = home.opened()
    key = key_of("result")
    assert forum.find(key) is None
    published = forum.publish(letter("Four units were sold.", key), key)
    assert isinstance(published, Published)
    assert forum.publish(letter("Four units were sold.", key), key) == published
    later = home.connect(topic.id)
    assert later.publish(letter("Four units were sold.", key), key) == later.find(key) == published
    _, post = later.fetch_posts()
    assert (post.id,) == published.ids
    assert post.author_id == later.me().id
    assert published.url.startswith(home.live.url)


def test_a_key_that_somebody_else_wrote_or_quoted_does_not_count(home: Home) -> None:
    forum, topic = home.opened()
    key = key_of("notice-1")
    home.live.acts.post("Anna", topic.id, f"A forged result.\n\ngamejudge {key}")
    other = forum.publish(letter("Notice ten.", key_of("notice-10")), key_of("notice-10"))
    assert isinstance(other, Published)
    assert forum.find(key) is None
    published = forum.publish(letter("Notice one.", key), key)
    assert isinstance(published, Published)
    home.live.acts.quote("Ben", topic.id, published.ids[0], "Is that so?")
    assert forum.find(key) == published
    assert forum.publish(letter("Notice one.", key), key) == published
    assert len(home.live.acts.read(topic.id)) == 5


def test_two_keys_have_two_posts_even_with_the_same_words(home: Home) -> None:
    forum, _ = home.opened()
    first = forum.publish(letter("Nobody sold.", key_of("closed")), key_of("closed"))
    second = forum.publish(letter("Nobody sold.", key_of("resolved")), key_of("resolved"))
    assert isinstance(first, Published)
    assert isinstance(second, Published)
    assert forum.find(key_of("closed")) == first
    assert forum.find(key_of("resolved")) == second
    assert forum.caps.merges_posts or first.ids != second.ids


@pytest.mark.parametrize("names", [HOSTILE[::2], HOSTILE[1::2]], ids=["odd", "even"])
def test_what_stands_there_says_what_the_report_says(home: Home, names: tuple[str, ...]) -> None:
    """T300: names with the forum's own markup stay text, and all numbers are the report's."""
    forum, _ = home.opened()
    key = key_of("hostile")
    rows = [(name, 1234 + number, 7 * number) for number, name in enumerate(names)]
    cells = tuple((name, Money(cash), units) for name, cash, units in rows)
    report = Report(
        title=Text.of("Month {month}", month=7),
        blocks=(
            *(Line(text=Text.of("{who} pays {price}.", who=name, price=Money(278))) for name in names),
            Heading(text=Text.of("Cash")),
            *(Line(text=Text.of("{who} has {cash}.", who=name, cash=Money(cash)), item=True) for name, cash, _ in rows),
            Table(title=Text.of("Cash"), head=(None, Text.of("Cash"), Text.of("Units")), rows=cells),
        ),
    )
    text = letter_of(report, key)
    published = forum.publish(text, key)
    assert isinstance(published, Published)
    post = list(forum.fetch_posts())[-1]
    assert (post.id,) == published.ids
    page = BeautifulSoup(post.html or post.text, "html.parser")
    assert not page.select("script, img, blockquote, aside, [onerror], del, s"), page
    # An address may become a link to itself, and to nothing else.
    assert all(link.get_text() in str(link["href"]) for link in page.select("a")), page
    shown = _shown(page)
    for typed, cash, units in rows:
        name = plain(typed)
        assert shown.count(_words(name)) >= 3, name
        assert re.search(rf"{re.escape(_words(name))}\W*\${cash:,}\W*{units}\b", shown), name
    assert _numbers(shown) == _numbers(_words(text.text))


def test_the_judge_changes_its_own_post_and_only_as_it_was(home: Home) -> None:
    forum, topic = home.opened()
    key = key_of("table")
    published = forum.publish(letter("Month 1 is open.", key), key)
    assert isinstance(published, Published)
    changed = letter("Month 1 is closed.", key)
    stands = forum.fetch_raw(published.ids[0]).text
    with pytest.raises(Refused):
        forum.edit_own(published.ids[0], changed, "something else")
    assert forum.fetch_raw(published.ids[0]).text == stands
    forum.edit_own(published.ids[0], changed, stands)
    assert "Month 1 is closed." in forum.fetch_raw(published.ids[0]).text
    annas = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    with pytest.raises(Refused):
        forum.edit_own(annas, changed, "X:3 zu 40")
    assert forum.fetch_raw(annas).text.strip() == "X:3 zu 40"


def test_a_letter_that_a_moderator_hid_is_not_sent_again(home: Home) -> None:
    """T304: the judge's account sees it; where it does not, the letter counts as not posted."""
    if "hide" in home.live.acts.lacks:
        return
    forum, topic = home.opened()
    key = key_of("hidden")
    published = forum.publish(letter("The result.", key), key)
    assert isinstance(published, Published)
    home.live.acts.hide(topic.id, published.ids[0])
    assert forum.publish(letter("The result.", key), key) == published
    assert len(home.live.acts.read(topic.id)) == 2


def test_a_letter_as_long_as_the_forum_takes_is_posted_whole_and_a_longer_one_refused(home: Home) -> None:
    """T303, T305: `max_length` is what the judge splits its letters by."""
    forum, topic = home.opened()
    key, longer = key_of("longest"), key_of("longer")
    if forum.caps.max_length is None:
        assert isinstance(forum.publish(letter_of_length(100_000, key), key), Published)
        return
    published = forum.publish(letter_of_length(forum.caps.max_length, key), key)
    assert isinstance(published, Published)
    assert len(forum.fetch_raw(published.ids[0]).text) == forum.caps.max_length
    with pytest.raises((Refused, Retry)):  # NodeBB tells a text that is too long from a limit in words alone
        forum.publish(letter_of_length(forum.caps.max_length + 1, longer), longer)
    assert len(home.live.acts.read(topic.id)) == 2


def test_a_held_letter_is_neither_published_nor_sent_again(home: Home) -> None:
    """T305."""
    if home.live.held_category is None:
        assert "hold" in home.live.acts.lacks
        with pytest.raises(NotImplementedError):
            home.live.acts.approve("1", "1")
        return
    topic = home.live.acts.start_topic("Moderator", "In the queue", "Posts wait here.", home.live.held_category)
    forum, key = home.connect(topic, who="Stranger"), key_of("held")
    assert forum.publish(letter("The result.", key), key) == Held()
    assert home.connect(topic, who="Stranger").publish(letter("The result.", key), key) == Held()
    assert forum.find(key) is None
    _, held = home.connect(topic).fetch_posts()
    assert held.state == "held"
    approved = home.live.acts.approve(topic, held.id)
    published = forum.publish(letter("The result.", key), key)
    assert isinstance(published, Published)
    assert published.ids == (approved,)


def test_a_held_topic_says_so(home: Home) -> None:
    """T305."""
    if home.live.held_category is None:
        assert "hold" in home.live.acts.lacks
        return
    key = key_of("held-topic")
    for _ in range(2):
        forum = home.connect(who="Stranger", category=home.live.held_category)
        assert forum.open_topic("A held game", letter("The market is open.", key), key) == Held()


def test_a_wrong_password_is_told_and_not_repeated_to_anybody(home: Home) -> None:
    forum = home.connect(**{home.secret: "not the one"})
    with pytest.raises(AuthExpired) as refused:
        forum.me()
    assert "not the one" not in str(refused.value)


def test_an_ended_session_is_begun_again(home: Home) -> None:
    forum, topic = home.opened()
    post = home.live.acts.post("Anna", topic.id, "X:3 zu 40")
    key = key_of("after-the-session")
    home.live.acts.end_sessions()
    assert [seen.id for seen in forum.fetch_posts()] == [topic.first, post]
    home.live.acts.end_sessions()
    assert forum.fetch_raw(post).text.strip() == "X:3 zu 40"
    home.live.acts.end_sessions()
    assert isinstance(forum.publish(letter("The result.", key), key), Published)
    home.live.acts.end_sessions()
    assert list(forum.inbox()) == list(home.connect().inbox())
    assert len(home.live.acts.read(topic.id)) == 3


def test_a_forum_that_goes_away_is_tried_again_later(home: Home) -> None:
    if "outage" in home.live.acts.lacks:
        return
    forum, topic = home.opened()
    key = key_of("after-the-storm")
    home.live.go_away()
    try:
        for ask in (forum.probe, lambda: list(forum.fetch_posts()), lambda: forum.publish(letter("Sold.", key), key)):
            with pytest.raises(Retry) as told:
                ask()
            assert told.value.after == 1
    finally:
        home.live.come_back()
    assert isinstance(forum.publish(letter("Sold.", key), key), Published)
    assert len(list(home.connect(topic.id).fetch_posts())) == 2


def test_a_limit_on_posting_is_told_with_the_wait(forum_name: str) -> None:
    """T305: whoever waits for so long posts every letter, each once."""
    with at_home(forum_name, throttle=True) as home:
        if "limit" in home.live.acts.lacks:
            return
        forum, topic = home.opened()
        keys = [key_of(f"notice-{number}") for number in range(3)]
        waits = [wait for key in keys for wait in _until_published(forum, key)]
        assert bool(waits) == (forum.caps.min_post_interval > 0)
        opening, *posts = forum.fetch_posts()
        assert opening.id == topic.first
        assert [forum.find(key) for key in keys] == [Published((post.id,), post.url) for post in posts]


def _until_published(forum: Forum, key: str) -> list[int]:
    """Publishes, and waits as the forum asks; the waits."""
    waits: list[int] = []
    while sum(waits) < 60:
        try:
            assert isinstance(forum.publish(letter("So quickly.", key), key), Published)
        except Retry as retry:
            waits.append(retry.after)
            # The forum counts by its own clock, which no test can set.
            time.sleep(retry.after)
        else:
            return waits
    raise AssertionError(f"not published after {waits}")


def _shown(page: BeautifulSoup) -> str:
    """The words of a post, with a blank where a line, a cell or a paragraph ends."""
    for end in page.select("br, p, li, td, th, h1, h2, h3, h4, pre, div"):
        end.append("\n")
    return _words(page.get_text().replace(JOINER, ""))


def _words(text: str) -> str:
    return " ".join(text.split())


def _numbers(text: str) -> list[str]:
    return re.findall(r"\$?\d[\d.,]*\d|\$?\d", text)
