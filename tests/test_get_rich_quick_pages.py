"""Get Rich Quick at a served table: the form made from one's hand, letters to one seat, bells in a row."""

from __future__ import annotations

from collections import Counter

import pytest
from fastapi import FastAPI

from rulesets.get_rich_quick.cards import VALUES, WILDS
from rulesets.get_rich_quick.state import TableState
from rulesets.get_rich_quick.trading import most_held
from tests.at_the_table import TestTable, fix_chance
from tests.visitors import Visitor, words

ANNA, BEN, CEM = "1", "2", "3"
NAMES = ("Anna", "Ben", "Cem")


@pytest.fixture
def anna(app: FastAPI, table: TestTable, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    fix_chance(monkeypatch, seed=1)
    table.open(NAMES, ruleset="get-rich-quick", deadline={"rule": "hours", "hours": 24})
    visitor = Visitor(app)
    visitor.claim(table.tokens[ANNA])
    return visitor


def hand(table: TestTable, seat: str) -> Counter[str]:
    state = table.position().state
    assert isinstance(state, TableState)
    return Counter(state.hands[seat])


def test_the_form_tells_the_cards_in_hand_and_takes_lots(anna: Visitor, table: TestTable) -> None:
    held = hand(table, ANNA)
    card, count = next((card, held[card]) for card in VALUES if held[card])
    page = anna.get(f"/games/{table.game_id}")
    assert f"{card} · in hand: {count}" in words(str(page.find(id="offer.0.commodity")))
    path = f"/games/{table.game_id}/orders"
    lot = {"offer.0.count": str(count), "offer.0.commodity": card}
    too_many = anna.submit(path, {**lot, "offer.0.count": "11"}, page=path, status=422, door="form")
    assert f"Your lots hold 11 {card}; you have {count}." in words(str(too_many))
    taken = anna.submit(path, {**lot, "hold.0.given": "on"}, page=path, door="form")
    slip = words(str(taken.select_one(".slip")))
    assert "Counts" in slip
    assert f"offer {count} {card}" in slip
    assert "Hold a complete set" in slip
    assert "Orders of this game stay closed until it ends." in words(str(taken))


def test_the_hand_is_told_to_its_owner_beside_the_form(anna: Visitor, table: TestTable, app: FastAPI) -> None:
    """As page and as JSON; and to nobody else."""
    held = hand(table, ANNA)
    line = words(str(anna.get(f"/games/{table.game_id}/orders").select_one("#orders .at-hand")))
    assert line.startswith("In your hand: ")
    assert all(f"{held[card]} {card}" in line for card in VALUES if held[card])
    assert all((wild in line) == bool(held[wild]) for wild in WILDS)
    answer = anna.client.get(f"/api/v1/games/{table.game_id}/orders")
    assert words(answer.json()["ask"]["at_hand"]) == line
    assert "In your hand" not in words(str(Visitor(app).get(f"/games/{table.game_id}")))


def test_all_lots_of_a_bell_fit_into_the_form_at_once(anna: Visitor, table: TestTable) -> None:
    """A set that counts may ring the bell, so a second lot cannot wait for a second visit."""
    page = anna.get(f"/games/{table.game_id}/orders")
    rows = [page.find(id=f"offer.{row}.count") is not None for row in range(4)]
    assert rows == [True, True, True, False]
    assert page.find(id="collect.1.commodity") is None, "what is collected is one commodity"


def test_a_bell_tells_everybody_numbers_and_each_his_own_cards(anna: Visitor, table: TestTable, app: FastAPI) -> None:
    before = hand(table, ANNA)
    for seat in (ANNA, BEN, CEM):
        assert table.order(seat, f"collect {most_held(list(hand(table, seat).elements()))}").outcome == "counting"
    table.look()
    own = words(str(anna.get(f"/games/{table.game_id}/turns/1")))
    stranger = words(str(Visitor(app).get(f"/games/{table.game_id}/turns/1")))
    assert "For you alone" in own
    assert "Your hand " in own
    assert "On the floor, in this order:" in stranger
    assert "Your hand " not in stranger
    assert "They tell what is hidden, and open when the game ends." in stranger
    assert "Anna nothing" not in stranger, "nobody is said to have ordered nothing while orders stay closed"
    assert [letter.recipient for letter in table.letters("told")] == [ANNA, BEN, CEM]
    for letter in table.letters("told"):
        assert letter.body is None, "letters with cards in them are sealed"
    assert before


def test_standing_orders_ring_bells_in_a_row_and_give_one_letter(anna: Visitor, table: TestTable) -> None:
    """Everybody collects Gold, so nobody gets all of it: the first bell and three more are rung at once."""
    for seat in (ANNA, BEN, CEM):
        table.order(seat, "collect Gold")
    table.look()
    assert len(table.letters("result")) == 1
    state = table.position().state
    assert isinstance(state, TableState)
    assert (state.round, state.bell) == (1, 5)
    assert table.turn().number == 5
    assert table.turn().status == "open"


def test_the_export_of_a_running_game_holds_no_cards(anna: Visitor, table: TestTable) -> None:
    for seat in (ANNA, BEN, CEM):
        table.order(seat, "collect Gold")
    table.look()
    answer = anna.client.get(f"/games/{table.game_id}/export.json")
    assert answer.status_code == 200
    for card in ("Banking", "Oil", "Taxman"):
        assert f'"{card}"' not in answer.text
