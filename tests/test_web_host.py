"""The host's desk: pasting, the clock, players, and a record that everybody can read."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI

from judge.service import moving
from tests.at_the_table import TestTable
from tests.visitors import Visitor, words

ANNA, BEN = "1", "2"


@pytest.fixture
def host(app: FastAPI, table: TestTable) -> Visitor:
    table.open(("Anna", "Ben"), forum="by-hand", deadline={"rule": "hours", "hours": 24})
    table.look()
    visitor = Visitor(app)
    visitor.claim(table.opened.host_token if table.opened else "")
    return visitor


def do(
    host: Visitor, table: TestTable, deed: str, values: dict[str, Any] | None = None, status: int = 303
) -> BeautifulSoup:
    desk = f"/games/{table.game_id}/moderate"
    return host.submit(f"{desk}/{deed}", values, page=desk, status=status)


def test_every_letter_can_be_copied_as_bbcode_and_markdown(host: Visitor, table: TestTable) -> None:
    page = host.get(f"/games/{table.game_id}/moderate")
    texts = [area.text for area in page.select("textarea[readonly]")]
    assert any("[b]" in text or "[code]" in text for text in texts)
    assert any("| " in text for text in texts)
    assert len(page.select("button[data-copy]")) >= 2


def test_a_pasted_post_gives_the_player_a_receipt_and_leaves_a_public_line(
    app: FastAPI, host: Visitor, table: TestTable
) -> None:
    page = do(
        host,
        table,
        "paste",
        {"seat": BEN, "text": '[quote="Anna"]X:9 zu 9[/quote]\nF:3 zu 33', "markup": "bbcode"},
        200,
    )
    assert "Ben's post counts" in words(str(page))
    assert "F:3 at 33" not in str(page), "what a player ordered is not the host's to see"
    ben = Visitor(app)
    ben.claim(table.tokens[BEN])
    slip = words(str(ben.get(f"/games/{table.game_id}/orders").select_one(".slip")))
    assert "F:3 at 33" in slip
    assert "X:9" not in slip
    assert "The host handed in a post of Ben." in words(str(Visitor(app).get(f"/games/{table.game_id}/moderate")))


def test_the_problems_of_a_paste_are_shown_to_the_host_once(host: Visitor, table: TestTable) -> None:
    page = do(host, table, "paste", {"seat": BEN, "text": "X:99 zu 42"}, 422)
    assert "does not count yet" in words(str(page))
    assert page.select(".problem")
    assert "X:99" in page.find(id="paste-text").text, "he can mend it"
    assert "X:99" not in words(str(host.get(f"/games/{table.game_id}/moderate")))


def test_the_clock_can_be_moved_stopped_and_started(host: Visitor, table: TestTable) -> None:
    assert "moved the deadline of turn 1" in words(str(do(host, table, "extend", {"hours": "48"})))
    assert "This game is paused." in words(str(do(host, table, "pause")))
    assert "The game goes on" in words(str(do(host, table, "resume")))
    assert "a whole number is needed" in words(str(do(host, table, "extend", {"hours": "two"}, 422)))
    assert "1 minute to" in words(str(do(host, table, "extend", {"hours": "9000"}, 422)))


def test_extend_clicked_six_times_is_one_extension(host: Visitor, table: TestTable) -> None:
    """T056"""
    desk = f"/games/{table.game_id}/moderate"
    before = table.turn().deadline
    form = {**host.form(f"{desk}/extend", desk), "hours": "24"}
    for _ in range(6):
        assert host.send(f"{desk}/extend", form).status_code == 303
    after = table.turn().deadline
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 24 * 3600


def test_a_turn_closed_by_hand_names_who_was_absent_and_is_closed_once(host: Visitor, table: TestTable) -> None:
    """T016"""
    table.order(ANNA, "X:3 at 42")
    desk = f"/games/{table.game_id}/moderate"
    form = host.form(f"{desk}/force", desk)
    assert host.send(f"{desk}/force", form).status_code == 303
    table.look()
    assert "Ben" in words(str(host.get(f"/games/{table.game_id}/turns/1")))
    again = host.send(f"{desk}/force", form)
    assert again.status_code == 409
    assert "has been resolved already" in words(again.text)


def test_a_seat_given_away_gets_a_new_link_and_its_orders_are_void(
    app: FastAPI, host: Visitor, table: TestTable
) -> None:
    """T037"""
    ben = Visitor(app)
    ben.claim(table.tokens[BEN])
    table.order(BEN, "F:2 at 39")
    table.order(BEN, "F:3 at 33")
    post = table.post(BEN, "Wish me luck.\nF:4 at 34").post_id
    page = do(host, table, "replace", {"seat": BEN, "name": "Dora"}, 200)
    link = page.find(id="link")["value"].split("8000", 1)[1]
    assert link not in str(host.get(f"/games/{table.game_id}/moderate")), "shown once"
    dora = Visitor(app)
    dora.submit(link, page=link)
    for page in ("orders", "thread", f"thread/{post}/edit"):
        assert "F:" not in str(dora.get(f"/games/{table.game_id}/{page}"))
    ben.get(f"/games/{table.game_id}/orders", status=403)


def test_a_new_link_voids_the_old_one_and_a_bot_can_take_over(app: FastAPI, host: Visitor, table: TestTable) -> None:
    do(host, table, "link", {"seat": BEN}, 200)
    said = words(str(Visitor(app).get(f"/seat/{table.tokens[BEN]}", status=410)))
    assert "a newer one took its place" in said
    assert "A bot plays for Ben" in words(str(do(host, table, "bot", {"seat": BEN})))
    assert "(bot)" in words(str(host.get(f"/games/{table.game_id}")).replace("( bot )", "(bot)"))


def test_what_the_rules_do_not_leave_to_the_host_is_refused(host: Visitor, table: TestTable) -> None:
    desk = f"/games/{table.game_id}/moderate"
    token = host.form(f"{desk}/pause", desk)["form_token"]
    answer = host.send(f"{desk}/decide", {"form_token": token, "words": "last round"})
    assert answer.status_code == 422
    assert "last round" in words(answer.text)


def test_nobody_but_the_host_does_anything(app: FastAPI, host: Visitor, table: TestTable) -> None:
    anna = Visitor(app)
    anna.claim(table.tokens[ANNA])
    desk = f"/games/{table.game_id}/moderate"
    assert "Only the host can do something here." in words(str(anna.get(desk)))
    token = anna.form(f"/games/{table.game_id}/orders", f"/games/{table.game_id}/orders")["form_token"]
    for deed in ("start", "paste", "extend", "pause", "resume", "force", "decide", "replace", "bot", "link"):
        form = {
            "words": "last round",
            "form_token": token,
            "seat": BEN,
            "hours": "1",
            "number": "1",
            "name": "X",
            "text": "pass",
        }
        assert anna.send(f"{desk}/{deed}", form).status_code == 403, deed
    assert table.turn().status == "open"


def test_letters_that_could_not_be_sent_are_listed_with_the_reason(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben"))
    host = Visitor(app)
    host.claim(table.opened.host_token if table.opened else "")
    said = words(str(host.get(f"/games/{table.game_id}/moderate")))
    assert "Letters that are not out yet" in said
    assert "opening" in said
    table.look()
    assert "Letters that are not out yet" not in words(str(host.get(f"/games/{table.game_id}/moderate")))


def test_a_host_reads_that_his_game_went_to_another_judge_and_lets_it_go_on_here(
    app: FastAPI, host: Visitor, table: TestTable
) -> None:
    game = f"/games/{table.game_id}"
    table.do(moving.pack, table.game_id)
    somebody = Visitor(app)
    for page in (game, f"{game}/thread", "/"):
        assert "oes on at another judge" in words(str(somebody.get(page))), page
    desk = host.get(f"{game}/moderate")
    assert "It must never go on in two places" in words(str(desk))
    assert not desk.select(f'form[action="{game}/moderate/pause"]')
    assert "gamejudge_problems 0" in somebody.client.get("/metrics").text
    do(host, table, "resume")
    assert "another judge" not in words(str(somebody.get(game)))
    lines = words(str(somebody.get(f"{game}/moderate")))
    assert "The game was exported with all that is sealed, for another judge." in lines
    assert "The host lets the game go on here after all: it must go on nowhere else." in lines
    table.look()
    assert table.turn().status == "open"
