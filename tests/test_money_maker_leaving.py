"""Money Maker when a player is gone: deadlines pass, a successor or a bot sits down, and the game goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat, State
from judge.service import moderation
from judge.service.export import export_bytes
from judge.verification import verify
from rulesets.money_maker import ruleset
from rulesets.money_maker.state import TableOptions, TableState
from rulesets.money_maker.view import TableView
from tests import money_maker_table
from tests.at_the_table import TestTable, sit_down
from tests.games import by_bot, played
from tests.laws import LAWS
from tests.site import lay_out

BEN = "2"
SECRET = "Letter of Grace"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    seat = sit_down(tmp_path, games=[ruleset])
    seat.open(names=("Anna", "Ben", "Cem"), ruleset="money-maker", deadline={"rule": "hours", "hours": 24})
    yield seat
    seat.judge.close()


@pytest.mark.parametrize(
    "options",
    [TableOptions(), TableOptions(fast=True, length="short"), TableOptions(player_deals="always", sell_to="high")],
    ids=["printed", "fast", "deals"],
)
@pytest.mark.parametrize("gone", [("seat2",), ("seat1", "seat2", "seat3")], ids=["one", "everybody"])
def test_a_game_that_players_have_left_goes_on_by_its_defaults_to_an_end(
    options: TableOptions, gone: tuple[Seat, ...]
) -> None:
    bots, begun = by_bot(ruleset), 6

    def give(state: State, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
        assert isinstance(state, TableState)
        if state.turn > begun and seat in gone:
            return ruleset.default_orders(state, seat)
        return bots(state, seat, ask, dice)

    game = played(ruleset, 3, "gone", options, give, most=400)
    for turn in game:
        LAWS[ruleset.name](turn)
    last = game[-1].after
    assert isinstance(last, TableState)
    assert last.phase == "over"


def test_deadlines_that_pass_show_nothing_of_the_vault_of_who_is_gone(table: TestTable) -> None:
    table.clock.forward(hours=25)
    table.look()
    laid = money_maker_table.table(
        "1, 2, 3", banks={BEN: {"gold": 37, "actions": [SECRET], "board": [12], "goods": {"consumer": 3}}}
    )
    lay_out(table, laid)
    for _ in range(12):
        table.clock.forward(hours=25)
        table.look()
    assert table.turn().number > 12
    public = [letter.body for letter in table.all_letters() if letter.body is not None]
    assert len(public) > 12
    assert SECRET not in str(public)
    view = table.view()
    assert isinstance(view, TableView)
    assert SECRET not in view.model_dump_json()
    with table.judge.store.read() as session:
        assert SECRET.encode() not in export_bytes(session, table.game_id)


def test_a_successor_finds_the_vault_and_a_bot_after_him_plays_on(table: TestTable) -> None:
    for seat in ("1", "2", "3"):
        table.order(seat, f"bid {seat}")
    table.look()
    before = table.position()
    old = before.ruleset.view(before.state, BEN)
    table.do(moderation.replace_player, table.game_id, BEN, "Dora")
    now = table.position()
    assert now.ruleset.view(now.state, BEN) == old
    for seat in ("1", "2", "3"):
        table.order(seat, "pass")
    table.look()
    table.do(moderation.bot_in_seat, table.game_id, BEN)
    for seat in ("1", "3"):
        table.order(seat, "pass")
    table.look()
    assert table.turn().number == 4
    with table.judge.store.read() as session:
        verdict = verify(export_bytes(session, table.game_id), lambda name, version: ruleset)
    assert verdict.ok, verdict.failure
