"""Orders by form: the tally sheet, receipts, and everything that people do wrong."""

from __future__ import annotations

from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi import FastAPI

from judge.service.rewinding import rewind
from tests.at_the_table import TestTable
from tests.visitors import Visitor, words

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"
BID = {"bid.X.units": "3", "bid.X.price": "42"}


@pytest.fixture
def anna(app: FastAPI, table: TestTable) -> Visitor:
    """Anna in a game of four, in the first buying phase."""
    table.open(deadline={"rule": "hours", "hours": 24})
    visitor = Visitor(app)
    visitor.claim(table.tokens[ANNA])
    return visitor


def hand_in(
    visitor: Visitor, table: TestTable, values: dict[str, Any], status: int = 303, **door: str
) -> BeautifulSoup:
    path = f"/games/{table.game_id}/orders"
    return visitor.submit(path, values, page=path, status=status, **(door or {"door": "form"}))


def slips(page: BeautifulSoup) -> list[str]:
    return [words(str(slip)) for slip in page.select(".slip")]


def test_the_sheet_shows_last_price_and_bounds_and_takes_a_bid(anna: Visitor, table: TestTable) -> None:
    sheet = anna.get(f"/games/{table.game_id}").select_one("table.tally")
    assert "Last price: $40" in words(str(sheet))
    page = hand_in(anna, table, BID)
    assert len(slips(page)) == 1
    assert "Counts" in slips(page)[0]
    assert "X:3 at 42" in slips(page)[0]
    assert "until the last player has posted" in slips(page)[0]
    assert page.find("input", {"name": "bid.X.units"})["value"] == "3"


def test_an_order_of_27_units_is_answered_with_what_was_counted_and_that_9_are_allowed(
    anna: Visitor, table: TestTable
) -> None:
    typed = {f"bid.{grade}.{name}": value for grade in "XFS" for name, value in (("units", "9"), ("price", "49"))}
    page = hand_in(anna, table, typed, status=422)
    said = words(str(page.select_one("#orders .note.wrong")))
    assert "27 units" in said
    assert "9" in said
    assert page.find("input", {"name": "bid.S.units"})["value"] == "9", "nothing that was typed is lost"


def test_problems_stand_beside_their_fields_all_of_them(anna: Visitor, table: TestTable) -> None:
    """T014, T144"""
    typed = {"bid.X.units": "0", "bid.X.price": "42", "bid.F.units": "three", "bid.F.price": "30", "bid.S.units": "2"}
    page = hand_in(anna, table, typed, status=422)

    def beside(key: str) -> str:
        field = page.find(id=key)
        assert field["aria-invalid"] == "true"
        return words(str(page.find(id=f"{key}.problem")))

    assert "0 was read, at least 1 is needed" in beside("bid.X.units")
    assert "a whole number is needed, “three” was read" in beside("bid.F.units")
    assert "is missing" in beside("bid.S.price")
    assert table.turn().status == "open"
    assert "awaited" in words(str(anna.get(f"/games/{table.game_id}")))


def test_a_refused_set_leaves_the_earlier_one_in_force(anna: Visitor, table: TestTable) -> None:
    """T013"""
    hand_in(anna, table, BID)
    page = hand_in(anna, table, {"bid.X.units": "99", "bid.X.price": "42"}, status=422)
    assert "Does not count" in slips(page)[0]
    assert "Your earlier set still counts: X:3 at 42" in slips(page)[0]


def test_orders_can_be_replaced_withdrawn_and_passed(anna: Visitor, table: TestTable) -> None:
    """T005"""
    hand_in(anna, table, BID)
    hand_in(anna, table, {"bid.X.units": "4", "bid.X.price": "43"})
    page = hand_in(anna, table, {}, door="withdraw")
    assert "Withdrawn" in slips(page)[0]
    assert "awaited" in words(str(anna.get(f"/games/{table.game_id}")))
    page = hand_in(anna, table, {}, door="pass")
    assert "you pass" in slips(page)[0]
    assert [slip.split()[0] for slip in slips(page)] == ["Counts", "Withdrawn", "Counts", "Counts"]
    assert "posted" in words(str(anna.get(f"/games/{table.game_id}").select_one(".people li")))


def test_the_same_orders_can_be_handed_in_as_text(anna: Visitor, table: TestTable) -> None:
    page = hand_in(anna, table, {"text": "Hello all!\nX:3 zu 42; f 2 @ $31"}, door="text")
    assert "X:3 at 42" in slips(page)[0]
    assert "F:2 at 31" in slips(page)[0]


def test_text_with_near_misses_comes_back_with_each_of_them(anna: Visitor, table: TestTable) -> None:
    page = hand_in(anna, table, {"text": "X:3 zu\nF: zu 30\nS:2 at 20"}, status=422, door="text")
    assert page.find(id="text").text.strip().startswith("X:3 zu")
    assert len(page.select("details form .problem")) >= 2


def test_a_web_order_and_a_later_post_give_receipts_on_the_order_page_and_the_later_one_wins(
    anna: Visitor, table: TestTable
) -> None:
    """T266"""
    hand_in(anna, table, BID)
    table.clock.forward(minutes=10)
    thread = f"/games/{table.game_id}/thread"
    anna.submit(thread, {"text": "Changed my mind.\n\nF:2 at 31"}, page=thread)
    found = slips(anna.get(f"/games/{table.game_id}/orders"))
    assert "by post" in found[0]
    assert "F:2 at 31" in found[0]
    assert "by form" in found[1]


def test_a_form_from_yesterdays_turn_is_refused_and_shows_what_was_typed(anna: Visitor, table: TestTable) -> None:
    """T015"""
    path = f"/games/{table.game_id}/orders"
    form = {**anna.form(path, path, door="form"), **BID, "bid.F.units": "two", "door": "form"}
    for seat in (ANNA, BEN, CEM, DORA):
        table.order(seat, "pass")
    table.look()
    answer = anna.send(path, form)
    assert answer.status_code == 409
    page = BeautifulSoup(answer.text, "html.parser")
    assert "turn 1" in words(answer.text)
    kept = page.find(id="kept").text
    assert "X:3 at 42" in kept
    assert "units: two" in kept
    assert table.turn().number > 1


def test_an_order_after_the_deadline_is_not_in_the_turn_and_the_page_says_when_it_came(
    anna: Visitor, table: TestTable
) -> None:
    """T019"""
    path = f"/games/{table.game_id}/orders"
    form = {**anna.form(path, path, door="text"), "text": "X:3 at 42", "door": "text"}
    table.clock.forward(hours=24, minutes=1)
    answer = anna.send(path, form)
    assert answer.status_code == 409
    assert "12:01" in words(answer.text), "the server's time"
    assert "X:3 at 42" in BeautifulSoup(answer.text, "html.parser").find(id="kept").text


def test_a_double_click_gives_one_submission_and_the_same_receipt(anna: Visitor, table: TestTable) -> None:
    path = f"/games/{table.game_id}/orders"
    form = {**anna.form(path, path, door="form"), **BID, "door": "form"}
    for _ in range(3):
        assert anna.send(path, form).status_code == 303
    assert len(slips(anna.get(path))) == 1


def test_spectators_strangers_and_the_host_have_no_order_page(app: FastAPI, table: TestTable) -> None:
    table.open()
    spectator, host = Visitor(app), Visitor(app)
    host.claim(table.opened.host_token if table.opened else "")
    for visitor in (spectator, host):
        said = words(str(visitor.get(f"/games/{table.game_id}/orders", status=403)))
        assert "open your personal link first" in said


def test_other_players_see_neither_orders_nor_receipts(app: FastAPI, anna: Visitor, table: TestTable) -> None:
    hand_in(anna, table, BID)
    ben = Visitor(app)
    ben.claim(table.tokens[BEN])
    assert slips(ben.get(f"/games/{table.game_id}/orders")) == []
    assert ben.form(f"/games/{table.game_id}/orders", f"/games/{table.game_id}/orders")["bid.X.units"] == ""


def test_a_player_whose_only_choice_is_to_pass_is_told_so(app: FastAPI, table: TestTable) -> None:
    """T008"""
    table.open()
    for seat, orders in ((ANNA, "pass"), (BEN, "X:5 at 45, S:4 at 25"), (CEM, "pass"), (DORA, "pass")):
        table.order(seat, orders)
    table.look()
    anna = Visitor(app)
    anna.claim(table.tokens[ANNA])
    page = anna.get(f"/games/{table.game_id}")
    assert "Nothing to decide for you" in words(str(page))
    assert "forced" in words(str(page.select_one(".people li")))
    assert page.select_one("table.tally") is None


@pytest.mark.parametrize("door", ["withdraw", "pass"])
def test_a_page_from_before_a_turn_was_taken_back_touches_nothing(anna: Visitor, table: TestTable, door: str) -> None:
    """A press on an old tab is for the version that it shows, whatever button it is."""
    path = f"/games/{table.game_id}/orders"
    hand_in(anna, table, BID)
    old = {**anna.form(path, path, door=door), "door": door}
    for seat in (BEN, CEM, DORA):
        table.order(seat, "pass")
    table.look()
    table.do(rewind, table.game_id, 1, "Ben's post was misread.")
    table.order(ANNA, "X:2 at 43")
    answer = anna.send(path, old)
    assert answer.status_code == 409, words(answer.text)
    assert "Counts" in slips(anna.get(path))[0]
    assert "X:2 at 43" in slips(anna.get(path))[0]
