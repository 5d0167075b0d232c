"""The thread on the judge's own board, as people use it."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from tests.at_the_table import TestTable
from tests.visitors import Visitor, words

ANNA, BEN = "1", "2"


@pytest.fixture
def thread(table: TestTable) -> str:
    table.open(("Anna", "Ben"))
    table.look()
    return f"/games/{table.game_id}/thread"


def seated(app: FastAPI, table: TestTable, seat: str) -> Visitor:
    visitor = Visitor(app)
    visitor.claim(table.tokens[seat])
    return visitor


def test_the_judges_opening_stands_there_in_the_readers_language(app: FastAPI, thread: str) -> None:
    assert "Price board" in words(str(Visitor(app).get(thread).select_one(".post.judge")))
    assert "Preistafel" in words(str(Visitor(app, language="de").get(thread).select_one(".post.judge")))


def test_order_lines_leave_the_public_text_and_a_mark_stands_instead(
    app: FastAPI, table: TestTable, thread: str
) -> None:
    anna = seated(app, table, ANNA)
    page = anna.submit(thread, {"text": "Good morning!\n\nX:3 at 42"}, page=thread)
    assert "Your post held orders." in words(str(page))
    for reader in (Visitor(app), anna):
        post = reader.get(thread).select(".post")[-1]
        assert "Good morning!" in words(str(post))
        assert "Sealed order handed in" in words(str(post))
        assert "X:3" not in words(str(post))
    assert "X:3 at 42" in words(str(anna.get(f"/games/{table.game_id}/orders")))


def test_the_counting_lines_appear_in_their_post_once_the_turn_has_resolved(
    app: FastAPI, table: TestTable, thread: str
) -> None:
    table.post(ANNA, "Here I go.\nX:3 at 42")
    table.order(BEN, "pass")
    table.look()
    posts = [words(str(post)) for post in Visitor(app).get(thread).select(".post")]
    assert any("Here I go." in post and "X:3 at 42" in post for post in posts)


def test_a_post_can_be_edited_and_deleted_by_its_author_alone(app: FastAPI, table: TestTable, thread: str) -> None:
    anna, ben = seated(app, table, ANNA), seated(app, table, BEN)
    anna.submit(thread, {"text": "Frist"}, page=thread)
    edit = anna.get(thread).select(".post footer a")[-1]["href"]
    assert ben.get(thread).select(".post footer a") == []
    ben.get(edit, status=403)
    page = anna.submit(edit, {"text": "First"}, page=edit)
    assert "First" in words(str(page))
    assert "edited" in words(str(page))
    delete = edit.replace("/edit", "/delete")
    assert "First" not in words(str(anna.submit(delete, page=thread)))


def test_an_edit_that_removes_every_order_line_withdraws_them(app: FastAPI, table: TestTable, thread: str) -> None:
    anna = seated(app, table, ANNA)
    anna.submit(thread, {"text": "Hello\nX:3 at 42"}, page=thread)
    edit = anna.get(thread).select(".post footer a")[-1]["href"]
    assert "X:3 at 42" in anna.get(edit).find("textarea").text, "the author may see what he typed"
    anna.submit(edit, {"text": "Hello"}, page=edit)
    assert "Withdrawn" in words(str(anna.get(f"/games/{table.game_id}/orders").select_one(".slip")))


def test_spectators_write_under_a_name_that_is_nobodys(app: FastAPI, thread: str) -> None:
    guest = Visitor(app)
    assert "guest" in words(str(guest.submit(thread, {"name": "Emil", "text": "Go on!"}, page=thread)))
    for name in ("anna", "Gamejudge", "", "  "):
        page = guest.submit(thread, {"name": name, "text": "kept text"}, page=thread, status=422)
        assert "kept text" in page.find("textarea").text
    assert "Go on!" in words(str(guest.get(thread)))


def test_an_empty_post_is_refused_with_a_sentence(app: FastAPI, table: TestTable, thread: str) -> None:
    page = seated(app, table, ANNA).submit(thread, {"text": " \n "}, page=thread, status=422)
    assert "An empty post was not stored" in words(str(page))


def test_a_post_sent_twice_stands_there_once(app: FastAPI, table: TestTable, thread: str) -> None:
    anna = seated(app, table, ANNA)
    form = {**anna.form(thread, thread), "text": "once"}
    assert [anna.send(thread, form).status_code for _ in range(2)] == [303, 303]
    assert words(str(anna.get(thread).select_one(".posts"))).count("once") == 1


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[click](javascript:alert(1))",
        "<a href='data:text/html,x'>x</a>",
        "![picture](https://elsewhere.example/track.png)",
        "<style>body{display:none}</style>",
        "<iframe src='https://elsewhere.example'></iframe>",
        "<p style='position:fixed'>x</p>",
    ],
)
def test_markdown_can_do_no_harm(app: FastAPI, thread: str, evil: str) -> None:
    guest = Visitor(app)
    page = guest.submit(thread, {"name": "Emil", "text": f"**bold**\n\n{evil}"}, page=thread)
    post = page.select(".post")[-1]
    assert post.strong is not None
    assert not post.select("script, img, style, iframe, [style], [onerror]")
    assert all(link["href"].startswith(("http", "/games/", "mailto:")) for link in post.select("a[href]"))


def test_a_long_thread_is_shown_in_pages_the_newest_first(app: FastAPI, table: TestTable, thread: str) -> None:
    for number in range(70):
        table.post(ANNA, f"post number {number}.")
    page = Visitor(app).get(thread)
    assert "post number 69." in words(str(page))
    assert "post number 3." not in words(str(page))
    assert "post number 3." in words(
        str(Visitor(app).get(page.find("a", rel="prev")["href"].replace("page=2", "page=1")))
    )
