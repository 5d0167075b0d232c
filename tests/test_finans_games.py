"""Whole games of Finans by bots: everything is accounted for in every round, games end, and in every way they can."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from judge.core.ruleset import Event
from rulesets.finans import payments as pay
from rulesets.finans import ruleset
from rulesets.finans.state import FinansOptions, FinansState
from tests.counts import times
from tests.finans_law import finans as law
from tests.games import Turn, by_chance, played

FULL, SHORT = FinansOptions(), FinansOptions(win_cash=300_000, win_groups=1)
TIMED, QUICK = FinansOptions(turns_each=36), FinansOptions(turns_each=12)
STRICT = FinansOptions(
    win_cash=200_000,
    win_groups=1,
    meetings_per_turn=1,
    all_assets_with_players=True,
    loans_count_against_win=True,
    permit_uses=1,
    rent="claimed",
)
MIXED = (FULL, SHORT, TIMED, QUICK, SHORT, STRICT, QUICK, SHORT, QUICK, STRICT)


@pytest.mark.parametrize("players", ruleset.seats)
def test_games_of_bots_keep_the_law_and_end(players: int) -> None:
    """T140: 100 games of every size, each tenth to the million; the law is looked at in every round."""
    for number in range(times(100, 1000)):
        options = MIXED[number % len(MIXED)]
        turns = played(ruleset, players, f"law {number}", options)
        for turn in turns:
            law(turn)
        end = turns[-1].after
        assert isinstance(end, FinansState)
        assert end.ending is not None
        assert (end.ending.reason == "time") == (len(turns) == options.turns_each)


@pytest.mark.parametrize("players", ruleset.seats)
def test_random_orders_keep_the_law(players: int) -> None:
    """T140: far off what anybody would play."""
    for number in range(times(4, 40)):
        for turn in played(ruleset, players, f"chance {number}", TIMED, give=by_chance(ruleset)):
            law(turn)


def test_bots_reach_every_ending() -> None:
    """The million, the last player who is not bankrupt, and the end of time."""
    reasons: Counter[str] = Counter()
    for seed in range(40):
        after = played(ruleset, 2, f"ending {seed}", QUICK if seed % 8 == 0 else FULL)[-1].after
        assert isinstance(after, FinansState)
        assert after.ending is not None
        reasons[after.ending.reason] += 1
        if len(reasons) == 3:
            break
    assert set(reasons) == {"million", "last player", "time"}


def test_both_tempers_win() -> None:
    """The careful ones and the bold ones, in turn round the table."""
    won: Counter[int] = Counter()
    for seed in range(12):
        after = played(ruleset, 4, f"temper {seed}", SHORT)[-1].after
        assert isinstance(after, FinansState)
        assert after.ending is not None
        won[list(after.players).index(after.ending.winners[0]) % 2] += 1
    assert min(won[0], won[1]) >= 2


def test_figures_tell_how_long_a_game_is_and_what_it_asks_of_people() -> None:
    """What simulations print for the rules: of an ended game only."""
    turns = played(ruleset, 3, "figures", TIMED)
    assert ruleset.figures(turns[0].before) == []
    found = {label.text: list(numbers) for label, numbers in ruleset.figures(turns[-1].after)}
    (rounds,), (waits,) = found["Rounds in a game"], found["Rounds that wait for somebody"]
    posts = found["Posts of a player, one for each visit where something can be done"]
    assert rounds == len(turns)
    assert rounds / 3 <= waits <= rounds
    assert waits <= sum(posts) <= 3 * waits
    endings = [found[f"Games {how}"] for how in ("won by cash and groups", "won by the last player", "ended by time")]
    assert sorted(endings) == [[0], [0], [1]]


def test_bots_of_two_tempers_sit_at_the_table() -> None:
    """The careful one borrows nothing of its own will, the bold one does."""
    borrowed: Counter[int] = Counter()
    for seed in range(4):
        for turn in played(ruleset, 4, f"temper {seed}", QUICK):
            for seat, lines in turn.orders.items():
                borrowed[int(seat[-1]) % 2] += any(line.kind == "loan" for line in lines)
    assert borrowed[1] == 0
    assert borrowed[0] > 0


def test_a_game_of_silence_goes_on_to_its_time() -> None:
    """Nobody ever orders anything: mere throws, and no stuck phase."""
    silence = FinansOptions(turns_each=60)
    game = played(ruleset, 3, "silence", silence, give=lambda state, seat, ask, dice: [])
    assert len(game) <= 60
    for turn in game:
        law(turn)


def test_a_wrong_sum_a_lost_paper_or_a_forgotten_square_is_noticed() -> None:
    """The law bites: every payment of a game changed by a crown, or left out, breaks it."""
    kinds: set[str] = set()
    for number in range(3):
        for turn in played(ruleset, 4, f"bites {number}", TIMED):
            for place, event in enumerate(turn.events):
                if not isinstance(event, pay.Payment) or type(event).__name__ in kinds:
                    continue
                kinds.add(type(event).__name__)
                wrong = event.model_copy(update={"amount": event.amount + 1})
                for events in (_with(turn, place, [wrong]), _with(turn, place, [])):
                    with pytest.raises((AssertionError, KeyError)):
                        law(events)
    assert {"Bought", "Built", "RentPaid", "BonusPaid", "BankDividends", "LoanTaken", "PrizeWon"} <= kinds


def _with(turn: Turn, place: int, events: list[Event]) -> Turn:
    return replace(turn, events=[*turn.events[:place], *events, *turn.events[place + 1 :]])
