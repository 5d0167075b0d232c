"""A game's export is verified without a judge: what holds, what is still closed, what cannot be replayed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from judge.core.record import RECORD
from judge.core.seal import OrdersPlace, SealedPart, set_commitment
from judge.core.text import Text
from judge.registry import NotInstalledError
from judge.service import table as tables
from judge.verification import verify
from tests import forging
from tests.at_the_table import sit_down
from tests.forging import Forgery, check, market, sentences, told
from tests.toy_ruleset import ruleset as first


def test_a_finished_market_holds_and_is_played_again() -> None:
    """T323: seals, rolls and results are checked from the file alone, and all of them hold."""
    verdict = check(market(months=2))
    assert verdict.ok, told(verdict)
    assert (verdict.counts.turns, verdict.counts.records) == (4, 11)
    assert verdict.counts.sets == 4 * 4
    assert verdict.closed == ()


@pytest.mark.parametrize("ruleset", ["lots", "open-lots"])
def test_a_finished_game_with_everything_in_it_holds(ruleset: str) -> None:
    """T323: hidden draws, ties, standing and late lines, an absence, a forced seat and a decision."""
    data = forging.finished_auction(ruleset)
    verdict = check(data)
    assert verdict.ok, told(verdict)
    assert verdict.counts.turns == 8
    assert verdict.counts.throws >= 2
    hows = {
        entry["how"]
        for record in Forgery(data).records
        for entry in dict(record.get("seats", {})).values()
        if isinstance(entry, dict)
    }
    assert hows == {"posted", "standing", "missed", "forced"}
    assert Forgery(data).find("closed", 7)["decisions"] == ["last round"]
    assert len(Forgery(data).find("ended")["sets"]) > 0


def test_a_running_market_is_played_as_far_as_it_is_open() -> None:
    verdict = check(market(months=3, turns=3))
    assert verdict.ok, told(verdict)
    assert verdict.counts.turns == 3
    assert "Turn 4 takes orders" in sentences(verdict.closed)
    assert "salts" in sentences(verdict.closed)


def test_a_running_game_with_a_deck_says_what_is_still_closed() -> None:
    verdict = check(forging.running_auction())
    assert verdict.ok, told(verdict)
    assert verdict.counts.turns == 0
    assert "drawn in secret at the set-up" in sentences(verdict.closed)
    assert "4 sets of orders have a part that opens when the game ends" in sentences(verdict.closed)


def test_a_turn_with_a_closed_part_waits_for_the_end_and_so_does_what_follows() -> None:
    verdict = check(forging.running_auction("open-lots"))
    assert verdict.ok, told(verdict)
    assert verdict.counts.turns == 0
    assert "Turns 1 to 3" in sentences(verdict.closed)


def test_a_game_without_players_and_one_that_has_just_begun_hold() -> None:
    with forging.at_a_table() as table:
        table.open(start=False)
        assert check(forging.exported(table)).ok
        table.do(tables.start, table.game_id)
        begun = check(forging.exported(table))
    assert begun.ok, told(begun)
    assert begun.counts.links == 1


def test_a_closed_turn_whose_result_is_to_come_holds() -> None:
    """Between the seals and the result a file may be taken too."""
    forged = Forgery(market(months=3, turns=2))
    forged.content["records"] = forged.content["records"][:-1]
    forged.content["open"] = None
    verdict = check(forged.written())
    assert verdict.ok, told(verdict)
    assert "Turn 2 is closed" in sentences(verdict.closed)


def test_anybody_recomputes_a_seal_after_it_has_opened() -> None:
    """T035: the commitments of what was opened, by the published recipe; one changed byte gives another."""
    forged = Forgery(forging.finished_auction())
    [late] = [one for one in forged.find("ended")["sets"] if (one["turn"], one["seat"]) == (1, "1")]
    opened = forged.find("resolved", 1)["sets"]["1"]
    parts = {
        "turn": SealedPart.model_validate(opened["parts"]["turn"]),
        "game": SealedPart.model_validate(late["part"]),
    }
    assert parts["game"].commitment == opened["closed"]["game"]
    place = {"game": forged.content["game"], "turn": 1, "version": 1, "seat": "1"}
    commitments = {name: part.commitment for name, part in parts.items()}
    sealed = forged.find("closed", 1)["seats"]["1"]["commitment"]
    assert set_commitment(OrdersPlace.model_validate(place), commitments) == sealed
    line = parts["game"].lines[0]
    assert line.order == {"kind": "guess", "colour": "red"}
    changed = line.model_copy(update={"order": {"kind": "guess", "colour": "reD"}})
    assert changed.commitment != line.commitment


def test_rules_that_are_not_installed_are_said_and_the_rest_is_checked() -> None:
    def none(name: str, version: int) -> None:
        raise NotInstalledError(Text.of("not here"))

    verdict = verify(forging.finished_auction(), none)
    assert verdict.ok, told(verdict)
    assert verdict.unreplayed == Text.of("not here")
    assert verdict.counts.turns == 0
    assert verdict.counts.throws >= 2


@pytest.mark.parametrize("status", ["open", "closed"])
def test_a_game_that_is_older_than_its_record_is_checked_and_not_played(tmp_path: Path, status: str) -> None:
    """Its throws need all seats in order, which stand in the head of the file."""
    old = sit_down(tmp_path, games=forging.GAMES)
    forging.auction(old, rounds=1)
    old.order("1", "bid 2")
    old.order("2", "bid 2\nguess red")
    with old.judge.store._engine.begin() as connection:
        for name in ("record", "chain"):
            connection.execute(text(f"DELETE FROM {name}"))
        connection.execute(text("UPDATE turn SET chain = 0, link = 0"))
        if status == "closed":
            connection.execute(text("UPDATE turn SET status = 'closed', closed = opened, why = 'host'"))
    old.judge.close()
    new = sit_down(tmp_path, games=forging.GAMES)
    new.game_id = old.game_id
    try:
        new.look()
        running = check(forging.exported(new))
        forging.paint(new)
        over = check(forging.exported(new))
    finally:
        new.judge.close()
    for verdict in (running, over):
        assert verdict.ok, told(verdict)
        assert "begins with turn 1" in sentences(verdict.notes)
        assert (verdict.counts.turns, verdict.unreplayed) == (0, None)
    assert over.counts.throws >= 2


def test_a_hash_from_a_post_tells_which_turn_it_stands_at() -> None:
    data = market(months=2)
    for number, entry in enumerate(json.loads(data)["records"], 1):
        verdict = check(data, expect=entry["hash"].upper() + "\n")
        assert verdict.ok, told(verdict)
        assert f"record {number}" in sentences(verdict.notes)
        if turn := entry["record"].get("turn"):
            assert f"stands at turn {turn}" in sentences(verdict.notes)


def test_a_hash_that_is_not_in_the_file_does_not_hold() -> None:
    assert "in no record of this file" in told(check(market(months=2), expect="ab" * 32))
    assert "needs 64 digits" in told(check(market(months=2), expect="ab"))


def test_versions_of_rules_stay_with_their_games() -> None:
    """T143, T328: an old game holds by the rules that it was begun with, and not by newer ones."""
    newer = replace(first, version=2, standings=lambda state: [(seat, 0) for seat in state.points])
    data = forging.finished_auction()
    both = {(game.name, game.version): game for game in (first, newer)}
    assert verify(data, lambda name, version: both[name, version]).ok
    by_newer = verify(data, lambda name, version: newer)
    assert "final standings" in told(by_newer)


def test_every_record_is_in_its_schema_and_nothing_else() -> None:
    for record in Forgery(forging.finished_auction()).records:
        assert RECORD.validate_python(record).model_dump(mode="json") == record
