"""Whole games for tests: bots or random legal orders play, and every turn is kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from judge.core.dice import Dice
from judge.core.order_json import choice_problems
from judge.core.orders import Ask, Order, Problem
from judge.core.ruleset import AnyRuleset, Event, Options, Seat, State, resolve_turn

Orders = Mapping[Seat, Sequence[Order]]
Giver = Callable[[State, Seat, Ask, Dice], Sequence[Order]]

MOST_TURNS = 2000
"""A game of bots that lasts longer does not end."""


@dataclass(frozen=True)
class Turn:
    """A turn of a game: the position before it, everybody's orders, the position after it and all that happened."""

    before: State
    orders: Orders
    after: State
    events: list[Event]


def seats(ruleset: AnyRuleset, players: int) -> list[Seat]:
    return [f"seat{number}" for number in range(1, players + 1)]


def chance(seed: str, turn: int, hidden: str | None = None) -> Dice:
    """The turn's dice of a game of tests; `hidden` changes what nobody may see, and nothing else."""
    return Dice(f"{seed}/{turn}".encode(), f"{seed}/{turn}/{hidden}".encode() if hidden else None)


def played(
    ruleset: AnyRuleset,
    players: int,
    seed: str,
    options: Options | None = None,
    give: Giver | None = None,
    hidden: str | None = None,
    most: int = MOST_TURNS,
) -> list[Turn]:
    """A game from its set-up to its end, or to its turn number `most`; the same for the same seed.

    `give` makes a seat's orders; without it the ruleset's bots play.
    """
    state = ruleset.setup(seats(ruleset, players), options or ruleset.Options(), chance(seed, 0, hidden))
    giver = give or by_bot(ruleset)
    turns: list[Turn] = []
    while len(turns) < most and (asks := ruleset.asks(state)):
        number = len(turns) + 1
        orders = {
            seat: giver(state, seat, ask, Dice(f"{seed}/{number}/{seat}".encode()))
            if ask.forced is None
            else ask.forced
            for seat, ask in asks.items()
        }
        after, events = resolve_turn(ruleset, state, orders, chance(seed, number, hidden))
        turns.append(Turn(state, orders, after, events))
        state = after
    return turns


def by_bot(ruleset: AnyRuleset) -> Giver:
    return lambda state, seat, ask, dice: ruleset.bot(ruleset.view(state, seat), seat, ask, dice)


def by_chance(ruleset: AnyRuleset) -> Giver:
    """Random legal orders: far off what anybody would play, and therefore good at finding holes in the rules."""

    def give(state: State, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
        chooser = random.Random(dice.roll(1 << 32))
        for _ in range(20):
            drawn = random_orders(ask, chooser)
            if not refusals(ruleset, state, seat, ask, drawn):
                return drawn
        return ruleset.default_orders(state, seat)

    return give


def refusals(ruleset: AnyRuleset, state: State, seat: Seat, ask: Ask, orders: Sequence[Order]) -> list[Problem]:
    """All that keeps the set from counting."""
    found = [problem for order in orders for problem in choice_problems(order, ask)]
    found += ruleset.check(state, seat, orders)
    return [problem for problem in found if not problem.warning]


def random_orders(ask: Ask, chooser: random.Random, reckless: bool = False) -> list[Order]:
    """Up to three lines of the kinds asked, each of the right form; legal or not."""
    lines = [random_order(chooser.choice(ask.kinds), ask, chooser, reckless) for _ in range(chooser.randint(0, 3))]
    by_subject = {
        tuple(getattr(line, name) for name in line.subject) if line.subject else index: line
        for index, line in enumerate(lines)
    }
    return list(by_subject.values())


def random_order(kind: type[Order], ask: Ask, chooser: random.Random, reckless: bool = False) -> Order:
    """One line with every field drawn from its bounds and choices; small numbers mostly, unless `reckless`."""
    fields = {
        name: _drawn(field, [choice.value for choice in ask.choices_for(kind, name) or ()], chooser, reckless)
        for name, field in kind.model_fields.items()
        if name != "kind"
    }
    return kind.model_validate(fields)


def _drawn(field: FieldInfo, choices: Sequence[str], chooser: random.Random, reckless: bool) -> Any:
    if not field.is_required() and field.default is None and chooser.random() < 0.5:
        return None
    if item := _row_of(field.annotation):
        drawn = [_drawn(FieldInfo(annotation=item), choices, chooser, reckless) for _ in range(chooser.randint(1, 3))]
        return tuple(drawn)
    if choices:
        return chooser.choice(choices)
    if get_origin(field.annotation) is Literal:
        return chooser.choice(get_args(field.annotation))
    if field.annotation is bool:
        return chooser.random() < 0.5
    low, high = bounds(field)
    return chooser.randint(low, high if reckless else min(high, low + chooser.choice((3, 12, 60, 200))))


def _row_of(annotation: Any) -> Any:
    """What a tuple field holds a row of; None if it is no such field."""
    if get_origin(annotation) in (Union, UnionType):
        return next((_row_of(part) for part in get_args(annotation) if _row_of(part)), None)
    return get_args(annotation)[0] if get_origin(annotation) is tuple else None


def bounds(field: FieldInfo) -> tuple[int, int]:
    """The least and the most that a field with a number takes."""
    low = next((int(part.ge) for part in field.metadata if isinstance(part, Ge)), 0)  # type: ignore[call-overload]
    high = next((int(part.le) for part in field.metadata if isinstance(part, Le)), 1000)  # type: ignore[call-overload]
    return low, high
