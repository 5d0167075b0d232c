"""Finans at a real table: who is waited for, how programmes run on and end, and that the record verifies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.service.export import export_bytes
from judge.service.position import position
from judge.service.standing import kept_lines
from judge.service.turns import waiting_for
from judge.verification import verify
from rulesets.finans import ruleset
from tests.at_the_table import TestTable, sit_down


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    """Anna and Ben have just begun."""
    seat = sit_down(tmp_path, games=[ruleset])
    seat.open(names=("Anna", "Ben"), ruleset="finans", options={"turns_each": 12})
    yield seat
    seat.judge.close()


def awaited(table: TestTable) -> list[str]:
    with table.judge.store.read() as session:
        return waiting_for(session, position(session, table.game_id))


def kept(table: TestTable, seat: str) -> list[str]:
    with table.judge.store.read() as session:
        return [line.kind for line in kept_lines(session, position(session, table.game_id)).get(seat, [])]


def test_a_new_game_waits_for_everybody_once_so_that_each_can_say_what_stands(table: TestTable) -> None:
    assert table.turn().number == 1
    assert awaited(table) == ["1", "2"]


def test_rounds_without_anything_to_decide_run_on_without_a_post(table: TestTable) -> None:
    """Three at most in one letter; then all who do not miss the turn are awaited."""
    table.order("1", "always buy Bookshop keep 10000\nbonds 7")
    table.order("2", "pass")
    table.look()
    assert 1 < table.turn().number <= 5


def test_forget_ends_what_stood_and_a_line_of_a_round_does_not(table: TestTable) -> None:
    table.order("1", "always buy Bookshop keep 10000\nbonds 7")
    table.order("2", "pass")
    table.look()
    assert kept(table, "1") == ["buy", "bonds"]
    while table.position().ask("1") is None or table.position().asks["1"].forced is not None:
        table.order("2", "pass")
        table.look()
    table.order("1", "loan")
    assert [one.line for one in table.order("1", "forget purchases\nloan").understood] == [
        "bonds 7",
        "forget buy",
        "loan 1",
    ]


def test_a_game_with_silent_seats_and_programmes_verifies(table: TestTable) -> None:
    """Whoever never posted has an empty standing set where nothing is to be decided, and the record says so."""
    table.order("1", "always buy Bookshop, Crafts 50 keep 10000")
    table.order("2", "pass")
    table.look()
    for _ in range(40):
        if table.turn().status == "over":
            break
        for seat in awaited(table):
            table.order(seat, "forget everything\nalways build Bookshop" if table.turn().number % 2 else "pass")
        table.look()
    assert table.turn().status == "over"
    with table.judge.store.read() as session:
        verdict = verify(export_bytes(session, table.game_id), lambda name, version: ruleset)
    assert verdict.ok, verdict.failure
