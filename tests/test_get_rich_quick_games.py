"""Whole games of Get Rich Quick by bots: every card stays in the game, and every game ends."""

from __future__ import annotations

import pytest

from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import resolve_turn
from rulesets.get_rich_quick import ruleset
from rulesets.get_rich_quick.orders import Collect, Hold
from rulesets.get_rich_quick.state import TableOptions, TableState
from tests.counts import times
from tests.games import played
from tests.laws import LAWS


@pytest.mark.parametrize("players", ruleset.seats)
def test_games_of_bots_keep_every_card_and_end(players: int) -> None:
    """T140: 100 games of every size, each tenth to the goal; the law is looked at in every bell."""
    for number in range(times(100, 1000)):
        turns = played(ruleset, players, f"keep {number}", TableOptions(rounds=2 if number % 10 else 0))
        for turn in turns:
            LAWS[ruleset.name](turn)
        end = turns[-1].after
        assert isinstance(end, TableState)
        assert end.over
        assert max(end.scores.values()) >= end.options.goal or len(end.results) == end.options.rounds


def test_a_table_that_only_collects_goes_on_until_somebody_thinks_again() -> None:
    """Standing orders alone may be stuck for ever: that is why three bells in a row are the most."""
    assert ruleset.run_on == 3
    state = ruleset.setup(["Anna", "Ben", "Cem"], TableOptions(), Dice(b"stuck"))
    orders: dict[str | None, list[Order]] = {seat: [Collect(commodity="Gold")] for seat in state.seats}
    for bell in range(30):
        state, _ = resolve_turn(ruleset, state, orders, Dice(bytes([bell])))
    assert (state.round, state.bell) == (1, 31)


def test_standing_orders_count_as_posted_in_every_bell() -> None:
    state = ruleset.setup(["Anna", "Ben", "Cem"], TableOptions(), Dice(b"first"))
    assert all(ask.standing for ask in ruleset.asks(state).values())
    later, _ = resolve_turn(ruleset, state, {seat: [] for seat in state.seats}, Dice(b"bell"))
    assert all(ask.standing for ask in ruleset.asks(later).values())


def test_a_bot_holds_with_ten_cards_only() -> None:
    """What a bot says is legal without a warning: it never holds where nothing can be doubled."""
    for number in range(20):
        for turn in played(ruleset, 4, f"hold {number}", TableOptions(goal=200)):
            assert isinstance(turn.before, TableState)
            for seat, lines in turn.orders.items():
                if any(isinstance(line, Hold) for line in lines):
                    assert len(turn.before.hands[seat]) == 10
