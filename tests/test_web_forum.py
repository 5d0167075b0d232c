"""Pages of a game that is played on a forum, tried on a server in NodeBB's documented shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI
from sqlmodel import Session
from starlette.responses import JSONResponse

from judge.registry import forum_settings
from judge.service import accounts, moderation
from judge.service.access import grant, new_token
from judge.store.tables import GameRow
from judge.web.app import create_app
from tests.at_the_forum import FORUM, ForumTable, at_the_forum
from tests.test_crawl import Scene, addresses, everything
from tests.visitors import Program, Visitor, words

ANNA, BEN = "1", "2"


@dataclass
class Club:
    """A game on a forum, and the pages of its judge."""

    forum: ForumTable
    app: FastAPI

    @property
    def game(self) -> str:
        return f"/games/{self.forum.table.game_id}"

    @property
    def desk(self) -> str:
        return f"{self.game}/moderate"

    def host(self, language: str = "en") -> Visitor:
        """A new browser with the host's place."""
        return self._seated(None, language)

    def player(self, seat: str, language: str = "en") -> Visitor:
        return self._seated(seat, language)

    def program(self, *places: str | None) -> Program:
        """A program with these seats; None is the host's place."""
        table, token = self.forum.table, new_token()
        for place in places:
            table.do(grant, table.game_id, place, token, bearer=True)
        return Program(self.app, token)

    def _seated(self, place: str | None, language: str) -> Visitor:
        visitor, table = Visitor(self.app, language), self.forum.table
        visitor.get("/games/new")  # begins the browser's session
        holder = visitor.client.cookies["session"]
        table.do(grant, table.game_id, place, holder)
        return visitor

    def deed(self, visitor: Visitor, deed: str, status: int = 303, **marks: str) -> BeautifulSoup:
        page = f"{self.desk}/forum"
        return visitor.submit(f"{self.desk}/{deed}", page=page, status=status, **marks)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with at_the_forum("documented.nodebb", tmp_path) as forum:
        yield Club(forum, create_app(forum.table.judge))


def _addresses(club: Club) -> list[str]:
    """Everything that can be asked for about the game."""
    scene = Scene(club.forum.table, club.app, {}, 1, [])
    return [path for path, methods in addresses(scene).items() if "GET" in methods]


def _lead(session: Session, game_id: str, address: str) -> None:
    game = session.get_one(GameRow, game_id)
    game.thread_url = address
    session.add(game)


def told(visitor: Visitor, path: str) -> str:
    return words(str(visitor.get(path).select_one("main")))


def filled_in(visitor: Visitor, **values: str) -> dict[str, Any]:
    form = visitor.form("/games/new", "/games/new?ruleset=commodity-market")
    return {
        **form,
        "seats.1.name": "Anna",
        "seats.2.name": "Ben",
        "seats.3.who": "none",
        "seats.4.who": "none",
        **values,
    }


def test_a_new_game_can_be_opened_on_a_forum_in_a_topic_that_is_there(club: Club) -> None:
    topic = club.forum.live.acts.start_topic("Anna", "Commodities", "Let us play.")
    host = Visitor(club.app)
    page = host.get("/games/new?ruleset=commodity-market")
    assert [option["value"] for option in page.select("#forum option")] == ["board", FORUM, "by-hand"]
    opened = host.send("/games/new", filled_in(host, forum=FORUM, thread=topic))
    assert opened.status_code == 201
    [game] = host.client.get("/api/v1/games").json()
    found = host.client.get(f"/api/v1/games/{game['id']}").json()
    assert found["forum"] == FORUM
    assert found["topic"].startswith(f"{club.forum.live.url}/topic/{topic}")
    page = host.get(f"/games/{game['id']}")
    assert page.select_one(f'a[href="{found["topic"]}"]')


def test_a_topic_that_cannot_be_read_opens_no_game_and_nothing_typed_is_lost(club: Club) -> None:
    host = Visitor(club.app)
    answer = host.send("/games/new", filled_in(host, forum=FORUM, thread="4711", title="Ring"))
    assert answer.status_code == 422
    page = BeautifulSoup(answer.text, "html.parser")
    assert "The topic cannot be used: " in words(str(page.select_one("[role=alert]")))
    assert page.select_one("#thread")["value"] == "4711"
    assert page.select_one("#thread")["aria-invalid"] == "true"
    assert page.select_one("#title")["value"] == "Ring"
    assert page.select_one("#forum option[selected]")["value"] == FORUM
    assert host.client.get("/api/v1/games").json() == []


def test_a_topic_on_the_judges_own_board_is_no_place_to_go_on(club: Club) -> None:
    host = Visitor(club.app)
    answer = host.send("/games/new", filled_in(host, forum="board", thread="7"))
    assert answer.status_code == 422
    assert "Only on a forum with an account can a game go on" in words(answer.text)


def test_programs_open_games_in_topics_too(club: Club) -> None:
    topic = club.forum.live.acts.start_topic("Anna", "Commodities", "Let us play.")
    plan = {
        "ruleset": "commodity-market",
        "seats": [{"name": "Anna"}, {"name": "Ben"}],
        "forum": FORUM,
        "thread": topic,
    }
    program = Program(club.app)
    game = program.call("POST", "/games", plan, 201)["id"]
    assert program.call("GET", f"/games/{game}")["topic"].startswith(club.forum.live.url)
    [problem] = program.call("POST", "/games", plan, 422)["problems"]
    assert problem["field"] == "thread"
    assert problem["text"].startswith("Another game is played in this topic: ")


def test_the_thread_page_says_where_talk_takes_place(club: Club) -> None:
    club.forum.open(claim=False)
    anybody = Visitor(club.app)
    page = anybody.get(f"{club.game}/thread")
    assert f"Talk takes place on {FORUM}" in words(str(page))
    assert page.select_one("main a.button")["href"].startswith(f"{club.forum.live.url}/topic/{club.forum.topic}")
    assert page.select("textarea") == []


def test_nobody_posts_on_the_board_of_a_game_that_is_played_on_a_forum(club: Club) -> None:
    club.forum.open(claim=False)
    anna = club.player(ANNA)
    token = anna.form(f"{club.game}/orders", f"{club.game}/orders")["form_token"]
    answer = anna.send(f"{club.game}/thread", {"form_token": token, "text": "X:3 at 40"})
    assert answer.status_code == 409
    assert f"This game is talked about on the forum “{FORUM}”: post there." in words(answer.text)
    club.program(ANNA).call("POST", f"{club.game}/thread", {"text": "X:3 at 40"}, 409)
    assert club.forum.lines(ANNA) is None
    assert club.forum.table.thread() == []


def test_the_order_page_gives_the_word_and_then_tells_the_account(club: Club) -> None:
    club.forum.open(claim=False)
    anna, program = club.player(ANNA), club.program(ANNA)
    word = club.forum.word(ANNA)
    box = anna.get(f"{club.game}/orders").select_one("#forum")
    assert box.select_one("input[readonly]")["value"] == word
    assert f"You may also order in the game's topic on {FORUM}." in words(str(box))
    assert program.call("GET", f"{club.game}/orders")["forum_word"] == word
    club.forum.post("Anna", word)
    club.forum.look()
    box = anna.get(f"{club.game}/orders").select_one("#forum")
    assert f"On {FORUM} you are Anna: what this account posts in the game's topic counts as yours." in words(str(box))
    assert word not in str(box)
    answer = program.call("GET", f"{club.game}/orders")
    assert (answer["forum_word"], answer["forum_account"]) == (None, "Anna")


def test_a_word_is_shown_to_its_own_seat_alone(club: Club) -> None:
    club.forum.open(claim=False)
    word = club.forum.word(ANNA)
    club.forum.post("Ben", club.forum.word(BEN))
    club.forum.look()
    readers = {"host": club.host().client, "ben": club.player(BEN).client, "anybody": Visitor(club.app).client}
    for name, client in readers.items():
        for path in _addresses(club):
            assert word not in client.get(path).text, f"{path} as {name}"


def test_the_host_sees_how_the_topic_is_read(club: Club) -> None:
    club.forum.open()
    seen = told(club.host(), f"{club.desk}/forum")
    assert "All letters are out." in seen
    assert "The forum's clock" in seen
    assert "Failures in a row" not in seen
    assert "Anna posts as Anna (account " in seen
    answer = club.program(None).call("GET", f"{club.desk}/forum")
    assert answer["forum"] == FORUM
    assert (answer["reading"]["failures"], answer["reading"]["error"], answer["alarm"]) == (0, None, False)
    assert [account["name"] for account in answer["accounts"]] == ["Anna", "Ben", "Cem", "Dora"]


def test_a_forum_that_is_away_is_told_in_the_readers_language(club: Club) -> None:
    club.forum.open()
    club.forum.live.go_away()
    club.forum.look()
    english, german = (told(club.host(language), f"{club.desk}/forum") for language in ("en", "de"))
    club.forum.live.come_back()
    assert "The forum cannot be reached: " in english
    assert "Failures in a row 1" in english
    assert "Das Forum ist nicht zu erreichen: " in german
    host = club.host()
    club.deed(host, "look")
    assert "as soon as may be" in told(host, f"{club.desk}/forum")
    club.forum.work()
    assert "cannot be reached" not in told(host, f"{club.desk}/forum")


def test_a_forum_that_looks_different_raises_an_alarm(club: Club) -> None:
    club.forum.open()
    club.forum.live.keeper.instead("GET /api/topic", JSONResponse({"posts": []}), times=9)
    club.forum.post("Anna", "hello")
    club.forum.look()
    host = club.host()
    assert "The forum's pages are not what they were." in words(
        str(host.get(f"{club.desk}/forum").select_one("[role=alert]"))
    )
    assert club.program(None).call("GET", f"{club.desk}/forum")["alarm"] is True


def test_letters_that_wait_are_tried_at_once_if_the_host_wants(club: Club) -> None:
    club.forum.open()
    club.forum.live.go_away()
    club.forum.table.do(moderation.pause, club.forum.table.game_id)
    club.forum.work()
    host = club.host()
    seen = told(host, f"{club.desk}/forum")
    club.forum.live.come_back()
    assert "a notice waiting The forum cannot be reached: " in seen
    assert "1 try failed · next try" in seen
    [stuck] = club.program(None).call("GET", f"{club.desk}/forum")["letters"]
    assert (stuck["status"], stuck["tries"], stuck["seat"]) == ("waiting", 1, None)
    club.deed(host, "send", letter=str(stuck["letter"]))
    club.forum.work()
    assert "All letters are out." in told(host, f"{club.desk}/forum")
    assert "The host has “Commodity market: a notice” sent again." in told(host, club.desk)
    club.program(None).call("POST", f"{club.desk}/send", {"letter": stuck["letter"]}, 409)
    club.program(None).call("POST", f"{club.desk}/send", {"letter": 4711}, 409)
    club.program(None).call("POST", f"{club.desk}/send", {"letter": 1, "seat": "1"}, 422)


def test_a_letter_that_the_forum_holds_is_shown_as_held(club: Club) -> None:
    """The judge logs in as somebody whose posts wait for a moderator."""
    live, table = club.forum.live, club.forum.table
    given = {"token": live.accounts["Stranger"].password, "category": live.held_category or ""}
    wanted = forum_settings("nodebb")
    table.judge.store.write(lambda session: accounts.change_forum(session, FORUM, wanted, given).name)
    table.open(forum=FORUM)
    club.forum.work()
    host = club.host()
    seen = told(host, f"{club.desk}/forum")
    assert "held back by the forum" in seen
    assert "The forum keeps the post back until a moderator has looked at it." in seen
    assert "Only if a moderator has deleted it." in seen
    first, *_ = club.program(None).call("GET", f"{club.desk}/forum")["letters"]
    assert first["status"] == "held"


def test_a_seat_is_set_free_from_an_account(club: Club) -> None:
    club.forum.open()
    host = club.host()
    club.deed(host, "free", seat=ANNA)
    assert "Anna not known yet" in told(host, f"{club.desk}/forum")
    assert "“Anna” no longer posts for Anna in the forum." in told(Visitor(club.app), club.desk)
    club.forum.post("Anna", "X:3 at 40")
    club.forum.look()
    assert club.forum.lines(ANNA) is None
    club.program(None).call("POST", f"{club.desk}/free", {"seat": BEN})
    assert "Ben not known yet" in told(host, f"{club.desk}/forum")


def test_posts_that_may_raise_questions_are_listed_without_their_text(club: Club) -> None:
    club.forum.open()
    post = club.forum.post("Anna", "X:3 at 7341")
    club.forum.look()
    club.forum.live.acts.edit("Moderator", club.forum.topic, post, "X:3 at 7342")
    club.forum.look()
    seen = told(club.host(), f"{club.desk}/forum")
    assert ", Anna Changed by somebody else than its author: no orders were taken from it." in seen
    assert "7341" not in seen
    assert "7342" not in seen
    [odd] = club.program(None).call("GET", f"{club.desk}/forum")["posts"]
    assert (odd["why"], odd["seat"]) == ("moderated", ANNA)


def test_nothing_sealed_is_shown_to_a_host_who_plays(club: Club) -> None:
    """T040: orders by form and by private message, and receipts that wait while the forum is away."""
    club.forum.open()
    club.program("3").call("POST", f"{club.game}/orders", {"text": "X:1 at 7363"})
    club.forum.live.acts.message("Ben", "Judge", "Orders", "X:1 at 7352\nF:1 at 8326")
    club.forum.look()
    assert club.forum.lines(BEN) == ["X:1 at 7352", "F:1 at 8326"]
    club.forum.live.go_away()
    club.program(BEN).call("POST", f"{club.game}/orders", {"text": "X:1 at 7352"})
    club.program(BEN).call("POST", f"{club.game}/orders", {"text": "X:1 at 8326"})
    club.forum.work()
    host = club.program(ANNA, None)
    seen = host.call("GET", f"{club.desk}/forum")
    assert [(one["seat"], one["title"], one["letter"]) for one in seen["letters"]] == [(BEN, "Ben", None)]
    for path in _addresses(club):
        said = everything(host.client.get(path))
        assert not [number for number in ("7352", "8326", "7363") if number in said], path
    club.forum.live.come_back()
    host.call("POST", f"{club.desk}/send", {"seat": BEN})
    club.forum.work()
    assert host.call("GET", f"{club.desk}/forum")["letters"] == []
    host.call("POST", f"{club.desk}/send", {"seat": BEN}, 409)


def test_the_hosts_view_is_the_hosts_alone(club: Club) -> None:
    club.forum.open(claim=False)
    for visitor in (Visitor(club.app), club.player(ANNA)):
        visitor.get(f"{club.desk}/forum", status=403)
        assert visitor.get(club.game).select(f'a[href="{club.desk}/forum"]') == []
    program = club.program(ANNA)
    for method, path, body in (
        ("GET", "forum", None),
        ("POST", "look", {}),
        ("POST", "send", {"letter": 1}),
        ("POST", "free", {"seat": ANNA}),
    ):
        program.call(method, f"{club.desk}/{path}", body, 403)
    assert club.host().get(club.game).select(f'a[href="{club.desk}/forum"]')


def test_a_game_on_the_board_has_no_forum(club: Club) -> None:
    club.forum.table.open(forum="board")
    host = club.host()
    assert "The judge reads no forum for this game." in words(str(host.get(f"{club.desk}/forum", status=409)))
    assert host.get(club.game).select(f'a[href="{club.desk}/forum"]') == []
    assert "To the topic" not in told(host, f"{club.game}/thread")
    assert club.player(ANNA).get(f"{club.game}/orders").select("#forum") == []


def test_an_address_that_came_with_a_game_leads_nowhere_unless_it_is_one_of_the_web(club: Club) -> None:
    club.forum.open(claim=False)
    club.forum.table.judge.store.write(lambda session: _lead(session, club.forum.table.game_id, "javascript:alert(1)"))
    for path in ("", "/thread"):
        assert "javascript:alert" not in str(Visitor(club.app).get(club.game + path))
    assert club.program(ANNA).call("GET", club.game)["topic"] is None
