"""Finans when a player is gone: deadlines pass, a successor or a bot sits down, and the game goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat, State
from judge.service import moderation
from judge.service.export import export_bytes
from judge.service.standing import kept_lines
from judge.verification import verify
from judge.web.app import create_app
from rulesets.finans import ruleset
from rulesets.finans.state import FinansOptions, FinansState
from tests.at_the_table import TestTable, sit_down
from tests.games import by_bot, played
from tests.laws import LAWS

ANNA, BEN = "1", "2"
PROGRAMME = (
    "always buy Shipyard, Bookshop keep 54321\nbonds 11, 12 keep 54321\nalways after repay 1 if cash over 654321"
)
SECRETS = ("54321", "54,321", "54.321", "bonds 11, 12", '"numbers":[11')


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    """Anna and Ben have a programme, Cem is a bot."""
    seat = sit_down(tmp_path, games=[ruleset])
    seat.open(names=("Anna", "Ben", "bot"), ruleset="finans", deadline={"rule": "hours", "hours": 24})
    seat.look()
    for one in (ANNA, BEN):
        seat.order(one, PROGRAMME)
    seat.look()
    yield seat
    seat.judge.close()


def public(table: TestTable) -> str:
    """All that somebody without a seat can fetch: pages, pictures in them, feed, API, export."""
    visitor = TestClient(create_app(table.judge), base_url=table.judge.settings.address)
    game, found = f"/games/{table.game_id}", []
    turns = [f"{game}/turns/{number}" for number in range(1, table.turn().number)]
    paths = [game, f"{game}/thread", f"{game}/feed.atom", f"{game}/export.json", f"{game}/verify", *turns]
    paths += [f"/api/v1{path}" for path in (game, f"{game}/thread", f"{game}/letters", *turns)]
    for path in paths:
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        found.append(answer.text)
    return "\n".join(found)


@pytest.mark.parametrize("gone", [("seat2",), ("seat1", "seat2", "seat3")], ids=["one", "everybody"])
def test_a_game_that_players_have_left_goes_on_by_mere_throws(gone: tuple[Seat, ...]) -> None:
    bots, begun = by_bot(ruleset), 20

    def give(state: State, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
        assert isinstance(state, FinansState)
        return () if state.round > begun and seat in gone else bots(state, seat, ask, dice)

    game = played(ruleset, 3, "gone", FinansOptions(turns_each=60), give, most=61)
    for turn in game:
        LAWS[ruleset.name](turn)
    last = game[-1].after
    assert isinstance(last, FinansState)
    assert last.over


def test_a_programme_is_told_nowhere_however_many_deadlines_pass(table: TestTable) -> None:
    for _ in range(6):
        table.clock.forward(hours=25)
        table.look()
    assert table.turn().number > 6
    told = public(table)
    assert "Anna" in told
    assert [secret for secret in SECRETS if secret in told] == []


def test_who_comes_after_somebody_finds_his_papers_and_not_his_programme(table: TestTable) -> None:
    before = table.view()
    table.do(moderation.replace_player, table.game_id, ANNA, "Dora")
    with table.judge.store.read() as session:
        kept = kept_lines(session, table.position())
    assert [*kept.get(ANNA, ())] == []
    assert len(kept[BEN]) == 3
    assert table.view() == before
    table.do(moderation.bot_in_seat, table.game_id, BEN)
    for _ in range(4):
        table.clock.forward(hours=25)
        table.look()
    assert table.position().game.status == "running"
    told = public(table)
    assert [secret for secret in SECRETS if secret in told] == []
    with table.judge.store.read() as session:
        verdict = verify(export_bytes(session, table.game_id), lambda name, version: ruleset)
    assert verdict.ok, verdict.failure
