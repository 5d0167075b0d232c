"""Seats that may order and are not waited for (`Ask.optional`), on the toy game: losers guess the colour of a lot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.core.orders import Ask
from judge.core.report import Report
from judge.core.text import Text
from judge.language import Voice
from judge.playthrough import replay_json
from judge.render import render
from judge.service.turns import waiting_for
from judge.web.app import create_app
from tests import forging
from tests.at_the_table import TestTable, sit_down
from tests.forging import Forgery, check, told
from tests.toy_ruleset import ruleset as lots
from tests.visitors import Visitor, words

ANNA, BEN, CEM = "1", "2", "3"


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[TestTable]:
    """Anna has won the first lot and paints; Ben and Cem may guess."""
    seat = sit_down(tmp_path, games=[lots])
    options = {"rounds": 2, "late_guesses": True}
    seat.open(names=("Anna", "Ben", "Cem"), ruleset="lots", options=options, deadline={"rule": "hours", "hours": 24})
    for bidder, line in ((ANNA, "bid 3"), (BEN, "bid 2"), (CEM, "pass")):
        seat.order(bidder, line)
    seat.look()
    yield seat
    seat.judge.close()


def awaited(table: TestTable) -> list[str]:
    with table.judge.store.read() as session:
        return waiting_for(session, table.position())


def test_an_optional_ask_lets_silence_stand() -> None:
    ask = Ask(kinds=(), prompt=Text.of("What do you bid?"), optional=True)
    assert (ask.standing, ask.silent, ask.forced) == (True, True, None)


def test_the_turn_resolves_without_those_who_may_order(auction: TestTable) -> None:
    assert awaited(auction) == [ANNA]
    auction.order(ANNA, "paint red")
    auction.look()
    turn = auction.turn(2)
    assert (turn.status, turn.why, turn.missed) == ("resolved", "complete", [])


def test_what_they_order_counts_if_it_is_there_in_time(auction: TestTable) -> None:
    assert auction.order(BEN, "guess red").outcome == "counting"
    auction.look()
    assert auction.turn().number == 2  # it still waits for Anna
    auction.order(ANNA, "paint red")
    auction.look()
    assert auction.position().state.right == {BEN: 1}  # type: ignore[attr-defined]  # a state of lots


def test_they_are_never_absent_and_never_reminded(auction: TestTable) -> None:
    auction.clock.forward(hours=25)
    auction.look()
    assert auction.turn(2).missed == [ANNA]
    [result] = [letter for letter in auction.letters("result") if letter.number == 2]
    assert "Absent, so the default orders were played" in str(result.body)


def test_whoever_takes_his_set_back_is_not_told_that_anybody_waits(auction: TestTable) -> None:
    auction.order(BEN, "guess red")
    slip = auction.order(BEN, "withdraw")
    assert slip.outcome == "withdrawn"
    assert Voice("en").say(slip.then) == "No set of yours counts now, and the turn does not wait for one."
    assert awaited(auction) == [ANNA]


def test_they_are_not_waited_for_where_everybody_is_asked_anew(tmp_path: Path) -> None:
    """Red is the only colour, so all painting is forced: after two turns on standing bids alone fresh posts are wanted.

    The next turn is one of painting, in which nobody but Ben could post; the one after it asks both to bid.
    """
    seat = sit_down(tmp_path, games=[lots])
    options = {"rounds": 9, "purse": 100, "late_guesses": True, "only_red": True}
    try:
        seat.open(names=("Anna", "Ben"), ruleset="lots", options=options)
        seat.order(ANNA, "always 2")
        seat.order(BEN, "always 1")
        seat.look()
        painting = seat.turn(4)
        assert (painting.fresh, painting.status, painting.why) == (True, "resolved", "complete")
        assert (seat.turn().number, seat.turn().fresh) == (5, True)
        assert awaited(seat) == [ANNA, BEN]
    finally:
        seat.judge.close()


def test_the_letter_and_the_pages_say_who_is_asked_and_who_may_order(auction: TestTable) -> None:
    report = Report.model_validate(auction.letters("result")[-1].body)
    said = render(report, "txt", Voice("en", names={ANNA: "Anna", BEN: "Ben", CEM: "Cem"}))
    assert "Asked: Anna.\n" in said
    assert "May order, and are not waited for: Ben and Cem.\n" in said
    ben = Visitor(create_app(auction.judge))
    ben.claim(auction.tokens[BEN])
    page = ben.get(f"/games/{auction.game_id}")
    assert words(str(page.select_one("section.move"))).startswith("You may order, and nobody waits for you")
    there = {row.strong.text: row.select_one(".state").text for row in page.select(".people li")}
    assert there == {"Anna": "awaited", "Ben": "may order", "Cem": "may order"}
    assert "The judge waits for Anna." in words(str(page))
    seats = ben.client.get(f"/api/v1/games/{auction.game_id}").json()["seats"]
    assert [seat["status"] for seat in seats] == ["awaited", "optional", "optional"]


def test_playthroughs_need_no_line_of_them() -> None:
    script = (
        "A late guess.\n\ngame lots\nseats Anna, Ben\noptions rounds=1, purse=5, late_guesses=true\n\n"
        "== 1\nAnna> bid 2\nBen> bid 1\n\n== 2\nBen> guess red\nAnna> paint red\n"
    )
    silent = script.replace("Ben> guess red\n", "")
    points = [dict(replay_json(text, {"lots": lots})["standings"])["Ben"] for text in (silent, script)]
    assert points == [0, 1]


def test_the_verifier_takes_their_silence_as_an_empty_set_and_not_as_absence() -> None:
    with forging.at_a_table() as table:
        forging.auction(table, rounds=2, late_guesses=True)
        forging.bid(table, "bid 3", "bid 2")
        data = forging.exported(table)
        head = json.loads(data)["open"]
        assert (head["awaited"], head["posted"]) == ([ANNA], [BEN])
        assert check(data).ok, told(check(data))
        table.order(ANNA, "paint red")
        table.look()
        forging.bid(table, "bid 3", "bid 4")
        table.order(ANNA, "guess blue")
        table.order(BEN, "paint blue")
        table.look()
        data = forging.exported(table)
    assert check(data).ok, told(check(data))
    forgery = Forgery(data)
    assert {seat: entry["how"] for seat, entry in forgery.find("closed", 2)["seats"].items()} == {
        ANNA: "posted",
        BEN: "standing",
    }
    assert {seat: entry["how"] for seat, entry in forgery.find("closed", 4)["seats"].items()} == {
        ANNA: "posted",
        BEN: "posted",
    }
