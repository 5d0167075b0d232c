"""From the lobby to the report: what people see and do, without any script."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from judge.service import moving
from tests.at_the_table import TestTable
from tests.visitors import ADDRESS, Visitor, words

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"


def test_empty_lobby_says_what_will_appear_and_what_to_do(app: FastAPI) -> None:
    said = words(str(Visitor(app).get("/")))
    assert "No game is looking for players." in said
    assert "Open a new game" in said
    assert "Commodity market" in said


def test_lobby_says_what_each_game_waits_for(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben", "", ""), start=False, title="Still free")
    table.open(title="Under way", deadline={"rule": "hours", "hours": 24})
    table.order(ANNA, "X:3 at 40")
    said = words(str(Visitor(app).get("/")))
    assert "2 of 4 seats are taken." in said
    assert "Turn 1: waiting for Ben, Cem and Dora." in said
    assert "in 24 hours" in said or "in 1 day" in said


def test_a_game_opened_by_form_shows_its_links_once(app: FastAPI, table: TestTable) -> None:
    host = Visitor(app)
    typed = {
        "title": "Friday round",
        "options.months": "3",
        "options.loans": "on",
        "seats.1.name": "Anna",
        "seats.2.name": "Ben",
        "seats.3.who": "bot",
        "deadline": "daily",
        "at": "20:00",
        "zone": "Europe/Berlin",
    }
    page = host.submit("/games/new", typed, page="/games/new", status=201)
    links = [field["value"] for field in page.select("input.typed")]
    assert len(links) == 3, "two players and the host; a bot and a free seat need none"
    assert all(link.startswith(f"{ADDRESS}/seat/") for link in links)
    game = page.select_one("a.main")["href"]
    assert "Begin the game" in words(str(host.get(game))), "who opens a game is its host"
    anna = Visitor(app)
    assert "Anna" in words(str(anna.submit(links[0].removeprefix(ADDRESS), page=links[0].removeprefix(ADDRESS))))
    for path in (game, f"{game}/moderate"):
        assert not any(link.rsplit("/", 1)[1] in str(host.get(path)) for link in links)
    dora = Visitor(app)
    dora.submit(f"{game}/seats", {"name": "Dora"}, page=game)
    host.submit(f"{game}/moderate/start", page=game)
    assert "It is your move" in words(str(anna.get(game)))


def test_a_new_game_that_does_not_fit_comes_back_with_every_problem_and_all_that_was_typed(app: FastAPI) -> None:
    host = Visitor(app)
    typed = {
        "title": "Friday round",
        "options.months": "99",
        "seats.1.name": "Anna",
        "seats.2.name": "anna",
        "zone": "Mars/Base",
        "options.name_X": "3rd",
    }
    page = host.submit("/games/new", typed, page="/games/new", status=422)
    said = words(str(page))
    assert "99 was read, at most 24 is allowed" in said
    assert "“anna” is there twice" in said
    assert "Mars/Base" in said
    assert page.select_one("#title")["value"] == "Friday round"
    assert page.find(id="options.months")["aria-invalid"] == "true"


@pytest.mark.parametrize("hours", ["", "0", "x", "9" * 40])
def test_a_deadline_that_is_no_number_of_hours_is_named(app: FastAPI, hours: str) -> None:
    page = Visitor(app).submit("/games/new", {"deadline": "hours", "hours": hours}, page="/games/new", status=422)
    assert page.select(".problem")


def test_opening_the_same_form_twice_opens_one_game(app: FastAPI) -> None:
    host = Visitor(app)
    form = host.form("/games/new", "/games/new")
    assert host.send("/games/new", form).status_code == 201
    assert host.send("/games/new", form).status_code == 409
    assert len(host.client.get("/api/v1/games").json()) == 1


def test_looking_at_a_link_does_not_use_it_up_and_claiming_does(app: FastAPI, table: TestTable) -> None:
    table.open()
    link = f"/seat/{table.tokens[ANNA]}"
    for _ in range(3):
        assert "Anna" in words(str(Visitor(app).get(link)))
    anna = Visitor(app)
    anna.submit(link, page=link)
    assert "works once" not in words(str(anna.get(f"/games/{table.game_id}")))
    assert "has been used already" in words(str(Visitor(app).get(link, status=410)))


def test_the_table_answers_first_whose_move_it_is_until_when_and_what_happened(app: FastAPI, table: TestTable) -> None:
    table.open(deadline={"rule": "daily", "at": "20:00"}, zone="Europe/Berlin")
    for seat, orders in ((ANNA, "X:3 at 42"), (BEN, "F:3 at 30"), (CEM, "pass"), (DORA, "S:2 at 20")):
        table.order(seat, orders)
    table.look()
    table.order(ANNA, "A:1 at 150")
    ben = Visitor(app)
    ben.claim(table.tokens[BEN])
    page = ben.get(f"/games/{table.game_id}")
    first = words(str(page.select_one("section.move")))
    assert first.startswith("It is your move Until Tuesday, 20:00 (Berlin)")
    assert "The judge waits for" in first
    assert "Ben" in first
    assert "Hand in your orders" in first
    assert "Everything about turn 1" in first
    there = {row.strong.text: row.select_one(".state").text for row in page.select(".people li")}
    assert there["Anna"] == "posted"
    assert there["Ben"] == "awaited"


def test_a_viewer_in_tokyo_sees_his_own_time_the_games_zone_and_the_offset(app: FastAPI, table: TestTable) -> None:
    """T061"""
    table.open(deadline={"rule": "daily", "at": "20:00"}, zone="Europe/Berlin")
    said = words(str(Visitor(app, zone="Asia/Tokyo").get(f"/games/{table.game_id}")))
    assert "Wednesday, 04:00 (Tokyo); in Berlin (UTC+1) it is Tuesday, 20:00 then" in said


def test_five_minutes_left_are_five_minutes(app: FastAPI, table: TestTable) -> None:
    """T058"""
    table.open(deadline={"rule": "hours", "hours": 1})
    table.clock.forward(minutes=55)
    assert "in 5 minutes" in words(str(Visitor(app).get(f"/games/{table.game_id}")))


def test_a_report_has_an_address_of_its_own_and_leads_to_its_neighbours(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"))
    for orders in (("X:3 at 42", "F:3 at 33"), ("pass", "pass"), ("S:1 at 20", "pass")):
        table.order(ANNA, orders[0])
        table.order(BEN, orders[1])
        table.look()
    spectator = Visitor(app)
    page = spectator.get(f"/games/{table.game_id}/turns/2")
    assert page.find("a", rel="prev")["href"].endswith("/turns/1")
    assert page.find("a", rel="next")["href"].endswith("/turns/3")
    first = spectator.get(f"/games/{table.game_id}/turns/1")
    assert "X:3 at 42" in words(str(first))
    assert first.select_one("#bbcode-2, textarea.typed") is not None
    said = words(str(spectator.get(f"/games/{table.game_id}/turns/99", status=404)))
    assert "no turn 99" in said
    said = words(str(spectator.get(f"/games/{table.game_id}/turns/4", status=404)))
    assert "no result yet" in said


def test_the_feed_holds_the_public_letters(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"), title="A & B <c>")
    table.look()
    response = Visitor(app).client.get(f"/games/{table.game_id}/feed.atom")
    assert response.headers["content-type"].startswith("application/atom+xml")
    assert "A &amp; B &lt;c&gt; begins" in response.text


def test_pages_speak_german_when_asked_and_the_choice_stays(app: FastAPI, table: TestTable) -> None:
    table.open()
    reader = Visitor(app, language="de-AT,de;q=0.9,en;q=0.5")
    page = reader.get(f"/games/{table.game_id}")
    assert page.html["lang"] == "de"
    assert "Am Tisch" in words(str(page))
    answer = reader.client.post("/preferences", data={"language": "en", "back": f"/games/{table.game_id}"})
    assert answer.headers["location"] == f"/games/{table.game_id}"
    assert "At the table" in words(str(reader.get(f"/games/{table.game_id}")))


def test_a_time_zone_can_be_set_without_scripts_and_a_wrong_one_is_named(app: FastAPI) -> None:
    reader = Visitor(app)
    reader.submit("/preferences", {"zone": "Asia/Tokyo"}, page="/preferences")
    assert "Asia/Tokyo" in words(str(reader.get("/")))
    page = reader.submit("/preferences", {"zone": "Tokio"}, page="/preferences", status=422)
    assert "Tokio" in words(str(page))


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site(app: FastAPI, back: str) -> None:
    answer = Visitor(app).client.post("/preferences", data={"language": "de", "back": back})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("language", ["en", "de"])
def test_rules_can_be_read_in_both_languages(app: FastAPI, language: str) -> None:
    page = Visitor(app, language=language).get("/rules/commodity-market")
    assert len(page.select("article h2")) > 3
    assert page.select("article table")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/games/nothing", "There is no game “nothing” here."),
        ("/rules/nothing", "There is no game “nothing”"),
        ("/seat/nothing", "This personal link is not known here."),
        ("/nothing", "There is no page at this address."),
    ],
)
def test_what_is_not_there_is_named_with_what_to_do(app: FastAPI, path: str, said: str) -> None:
    page = Visitor(app).get(path, status=404)
    assert said in words(str(page))
    assert page.find("a", href="/")


def test_a_finished_game_shows_its_standings_and_takes_nothing_more(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"), options={"months": 1})
    anna = Visitor(app)
    anna.claim(table.tokens[ANNA])
    table.order(ANNA, "pass")
    table.order(BEN, "pass")
    table.look()  # with nothing to sell, selling is forced, and the only month is over
    said = words(str(anna.get(f"/games/{table.game_id}")))
    assert "The game is over" in said
    assert "Anna" in said
    assert "there is nothing to order any more" in words(str(anna.get(f"/games/{table.game_id}/orders")))


def test_a_game_that_was_moved_or_set_aside_asks_nobody_for_anything(app: FastAPI, table: TestTable) -> None:
    table.open()
    anna = Visitor(app)
    anna.claim(table.tokens[ANNA])
    table.do(moving.pack, table.game_id)
    said = words(str(anna.get(f"/games/{table.game_id}")))
    assert "This game goes on at another judge" in said
    assert "The game rests" in said
    for wrong in ("It is your move", "is being resolved", "The judge waits for"):
        assert wrong not in said
    assert "The game rests: no orders are taken." in words(str(anna.get(f"/games/{table.game_id}/orders")))


def test_health_and_metrics_tell_how_much_there_is_and_nothing_else(app: FastAPI, table: TestTable) -> None:
    table.open(title="Secret society")
    client = Visitor(app).client
    assert client.get("/healthz").json() == {"status": "ok"}
    metrics = client.get("/metrics").text
    assert 'gamejudge_games{status="running"} 1' in metrics
    assert 'gamejudge_turns{status="open"} 1' in metrics
    assert "gamejudge_problems 0" in metrics
    assert "Secret" not in metrics
