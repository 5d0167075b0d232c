"""Positions of Money Maker for tests, and turns played from posts as people write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from judge.core.dice import ScriptedDice
from judge.core.notation import read
from judge.core.orders import Order
from judge.core.ruleset import Event, resolve_turn
from rulesets.money_maker import ruleset
from rulesets.money_maker.state import TableOptions, TableState, setup
from tests.games import refusals

E = TypeVar("E", bound=Event)


FULL = [3, 3, 3, 3, 3, 3, 3, 3]


def table(seats: str = "Anna, Ben, Cem", options: Mapping[str, Any] | None = None, **given: Any) -> TableState:
    """Anna's first turn, step 1 done, with fields of the state changed at any depth as in a playthrough's `given`."""
    names = seats.split(", ")
    state = setup(names, TableOptions(**(options or {})), ScriptedDice(bytes(32)))
    start = {"phase": "turn", "turn": 1, "round": 1, "active": names[0], "start": names[0]}
    return TableState.model_validate(_merged(state.model_dump(), {**start, **given}))


def _merged(base: Any, given: Any) -> Any:
    if isinstance(base, dict) and isinstance(given, dict):
        return {**base, **{key: _merged(base.get(key), value) for key, value in given.items()}}
    return given


def orders_of(state: TableState, seat: str, post: str) -> Sequence[Order]:
    """A post, read and checked as the judge does it."""
    ask = ruleset.asks(state)[seat]
    reading = read(post, ask, others=[kind for kind in ruleset.orders if kind not in ask.kinds])
    assert [problem for problem in reading.problems if not problem.warning] == [], post
    assert not post or reading.orders or post == "pass", post
    assert refusals(ruleset, state, seat, ask, reading.orders) == [], post
    return reading.orders


def problems_of(state: TableState, seat: str, post: str) -> list[str]:
    """What keeps a post from counting, the gaps filled with plain values."""
    ask = ruleset.asks(state)[seat]
    reading = read(post, ask, others=[kind for kind in ruleset.orders if kind not in ask.kinds])
    found = [problem.text for problem in reading.problems if not problem.warning]
    found += [problem.text for problem in refusals(ruleset, state, seat, ask, reading.orders)]
    return [text.text.format(**text.values) for text in found]


def play(
    state: TableState, throws: Sequence[int] = (), piles: Mapping[str, Sequence[str]] | None = None, **posts: str
) -> tuple[TableState, list[Event]]:
    """The turn with these posts; whoever has none passes.  Throws are those of the turn, in order."""
    orders = {seat: orders_of(state, seat, posts.get(seat, "")) for seat in ruleset.asks(state)}
    dice = ScriptedDice(bytes(32), throws=throws, piles=piles)
    after, events = resolve_turn(ruleset, state, orders, dice)
    assert dice.unused() is None
    return after, events


def those(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def only(events: Sequence[Event], kind: type[E]) -> E:
    """The one event of a kind."""
    found = those(events, kind)
    assert len(found) == 1, [type(event).__name__ for event in events]
    return found[0]


WINDMILL, SHIP, CHURCH, FISH, CHEESE, BRIDGE = 1, 2, 3, 4, 5, 6
"""Throws of a sector die."""

GREEN_10, GREEN_20, RED_10, RED_20, BLUE_10, BLUE_20 = 1, 2, 3, 4, 5, 6
"""Throws of the credit die."""

QUIET = (WINDMILL, GREEN_20)
"""A throw of step 5 that does nothing as long as nobody has more than 20 credit there."""
