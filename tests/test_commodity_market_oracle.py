"""Whole commodity markets against an independent reckoning: every turn's public position, refusals and the end."""

from __future__ import annotations

from random import Random
from typing import Any

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from judge.playthrough import replay, replay_json
from judge.registry import rulesets
from tests.counts import times
from tests.market_stories import expected, story

RULESETS = rulesets()


def assert_comes_out_as_reckoned(chance: Random, most_months: int) -> None:
    """The JSON of a made-up game is what the oracle says, keys and their order included."""
    script, made = story(chance, most_months)
    told = replay_json(script, RULESETS)
    assert list(told) == ["game", "seats", "turns", "over", "standings"]
    assert told["game"] == "commodity-market"
    wanted = expected(made)
    for turn, reckoned in zip(told["turns"], wanted["turns"], strict=True):
        assert list(turn) == ["number", "problems", "events", "state"]
        refused = turn["problems"]
        assert (turn["number"], set(refused)) == (reckoned["number"], set(reckoned["refused"])), script
        assert all(len(refused[seat]) >= posts for seat, posts in reckoned["refused"].items()), script
        assert turn["state"] == reckoned["state"], script
        assert shape(turn["state"]) == shape(reckoned["state"])
    assert {key: told[key] for key in ("seats", "over", "standings")} == {
        key: wanted[key] for key in ("seats", "over", "standings")
    }, script
    assert replay_json(replay(script, RULESETS), RULESETS) == told, script


def shape(value: Any) -> Any:
    """The keys of maps in their order and the types of what they hold, at every depth."""
    if isinstance(value, dict):
        return [(key, shape(inner)) for key, inner in value.items()]
    return type(value)


@settings(max_examples=times(50, full=2000), deadline=None)
@hypothesis.given(chance=st.randoms(use_true_random=False))
def test_short_games_come_out_as_reckoned(chance: Random) -> None:
    assert_comes_out_as_reckoned(chance, most_months=2)


@pytest.mark.parametrize("part", range(times(2, full=16)))
def test_games_of_any_length_come_out_as_reckoned(part: int) -> None:
    for number in range(times(15, full=150)):
        assert_comes_out_as_reckoned(Random(f"market {part} {number}"), most_months=24 if number % 5 == 0 else 3)
