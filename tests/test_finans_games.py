"""Whole games of Finans: bots of both tempers finish, and everything is conserved in every round."""

from __future__ import annotations

from collections import Counter

import pytest

from rulesets.finans import ruleset
from rulesets.finans.state import FinansOptions, FinansState
from tests.finans_law import finans as law
from tests.games import played


@pytest.mark.parametrize("players", ruleset.seats)
def test_bots_finish_and_nothing_appears_or_vanishes(players: int) -> None:
    """Money, papers, bonds, loans and cards in every round of full games, of short and of timed ones."""
    for number, options in enumerate(
        (FinansOptions(), FinansOptions(win_cash=300_000, win_groups=1), FinansOptions(turns_each=36))
    ):
        game = played(ruleset, players, f"finans {number}", options)
        for turn in game:
            law(turn)
        last = game[-1].after
        assert isinstance(last, FinansState)
        assert last.ending is not None
        assert last.ending.reason != "time" or len(game) == 36


def test_bots_reach_the_million_and_the_time() -> None:
    """The last player is in test_finans_endings: bots rarely go bankrupt so far."""
    reasons: Counter[str] = Counter()
    for seed in range(12):
        for options in (FinansOptions(), FinansOptions(turns_each=20)):
            after = played(ruleset, 2, f"ending {seed}", options)[-1].after
            assert isinstance(after, FinansState)
            assert after.ending is not None
            reasons[after.ending.reason] += 1
    assert reasons["million"]
    assert reasons["time"]


def test_a_game_of_silence_goes_on_to_its_time() -> None:
    """Nobody ever orders anything: mere throws, and no stuck phase."""
    game = played(ruleset, 3, "silence", FinansOptions(turns_each=60), give=lambda state, seat, ask, dice: [])
    assert len(game) <= 60
    for turn in game:
        law(turn)


def test_bots_of_two_tempers_sit_at_the_table() -> None:
    """The careful one borrows nothing, the bold one does."""
    borrowed: Counter[int] = Counter()
    for seed in range(4):
        for turn in played(ruleset, 4, f"temper {seed}"):
            assert isinstance(turn.before, FinansState)
            for place, lines in enumerate(turn.orders.values()):
                if len(turn.orders) == 4:
                    borrowed[place % 2] += any(line.kind == "loan" for line in lines)
    assert borrowed[0] == 0
    assert borrowed[1] > 0
