"""Turns that run on without a post: each closes in public before it is opened, and one letter tells of all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judge.bootstrap import create_judge
from judge.service import moderation, rewinding, turns
from judge.service.export import export_bytes
from judge.service.letters import letter_report
from judge.settings import Settings
from judge.store import queries
from judge.verification import verify
from tests.at_the_table import SetClock, TestTable
from tests.toy_ruleset import ruleset as lots


@pytest.fixture
def auction(tmp_path: Path) -> TestTable:
    """Anna and Ben have standing orders; turn 1 is closed and not resolved."""
    table = judge_at(tmp_path, SetClock())
    table.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 9, "only_red": True})
    table.order("1", "always 2")
    table.order("2", "always 1")
    assert table.do(turns.close_if_due, table.game_id)
    return table


def judge_at(folder: Path, clock: SetClock) -> TestTable:
    return TestTable(create_judge(Settings(data=folder), now=clock, games=[lots]), clock)


def kinds(table: TestTable) -> list[tuple[str, int | None]]:
    """The public record: kind and turn of each entry."""
    with table.judge.store.read() as session:
        return [(row.kind, row.turn) for row in queries.records(session, table.game_id)]


def public(table: TestTable) -> bytes:
    with table.judge.store.read() as session:
        return export_bytes(session, table.game_id)


def titles(table: TestTable, kind: str) -> list[str]:
    with table.judge.store.read() as session:
        found = [letter_report(session, letter).title for letter in table.letters(kind)]
    return [title.text.format(**{name: str(value) for name, value in title.values.items()}) for title in found]


def test_its_seals_are_public_before_anything_of_it_is_opened(auction: TestTable) -> None:
    """Between the two commits everybody can fetch them, and the file verifies."""
    assert auction.do(turns.resolve, auction.game_id)
    assert kinds(auction)[-2:] == [("resolved", 1), ("closed", 2)]
    assert seals(auction) == {"1": ("forced", False)}
    assert auction.do(turns.resolve, auction.game_id)
    assert kinds(auction)[-2:] == [("resolved", 2), ("closed", 3)]
    assert seals(auction) == {"1": ("standing", True), "2": ("standing", True)}
    assert auction.turn().status == "closed"
    assert verify(public(auction), lambda name, version: lots).ok
    assert auction.letters("result") == []
    assert auction.do(turns.resolve, auction.game_id)
    assert kinds(auction)[-2:] == [("resolved", 3), ("closed", 4)]


def seals(table: TestTable) -> dict[str, tuple[str, bool]]:
    """By seat, of the newest record: where its orders come from, and whether they are sealed."""
    entries = json.loads(public(table))["records"][-1]["record"]["seats"]
    return {seat: (entry["how"], entry["commitment"] is not None) for seat, entry in entries.items()}


def test_a_judge_killed_in_the_middle_of_a_run_tells_of_all_of_it_once(auction: TestTable, tmp_path: Path) -> None:
    auction.do(turns.resolve, auction.game_id)
    auction.do(turns.resolve, auction.game_id)
    auction.judge.close()
    after = TestTable(judge_at(tmp_path, auction.clock).judge, auction.clock, auction.game_id)
    after.look()
    assert after.turn().number == 7
    assert titles(after, "result") == ["Lots: turns 1 to 6"]
    after.judge.close()


def test_a_run_that_its_rules_break_off_tells_what_was_resolved(auction: TestTable) -> None:
    """The game is set aside at turn 2; what turn 1 was is not kept back, and is told once only."""
    auction.do(turns.resolve, auction.game_id)
    auction.do(turns.set_aside, auction.game_id, "a fault")
    assert titles(auction, "result") == ["Lots: turn 1"]
    auction.do(moderation.resume, auction.game_id)
    auction.look()
    assert titles(auction, "result")[1:] == ["Lots: turns 2 to 6"]


def test_a_turn_taken_back_in_the_middle_of_a_run_was_told_before(auction: TestTable) -> None:
    auction.do(turns.resolve, auction.game_id)
    auction.do(rewinding.rewind, auction.game_id, 1, "Ben was asleep.")
    assert titles(auction, "result") == ["Lots: turn 1"]
    assert kinds(auction)[-1] == ("rewound", 1)
    assert auction.turn().version == 2
    assert verify(public(auction), lambda name, version: lots).ok


def test_a_game_that_never_asks_anybody_is_set_aside(auction: TestTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_TURNS_IN_A_ROW", 3)
    auction.look()
    with auction.judge.store.read() as session:
        game = queries.games(session)[0]
    assert game.status == "aside"
    assert "RunawayGame" in (game.alarm or "")
    assert titles(auction, "result") == ["Lots: turns 1 to 3"]
