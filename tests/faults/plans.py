"""Which faults a run has: drawn from a seed, so that every one can be had again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from tests.faults.proxy import STEPS, Action, Fault, Step

Target = Literal["thread", "opening", "private", "in parts"]

ACTIONS: tuple[Action, ...] = get_args(Action)
KILLS = tuple(action for action in ACTIONS if action.startswith("killed"))
QUICK = tuple(action for action in ACTIONS if action not in (*KILLS, "answer never", "request twice"))
"""“request twice” is for reading alone: no forum can know that a letter was sent once if it arrives twice."""
EVERY_NTH_KILLS = 5
WEIGHTS = {"search": 1, "send": 3, "read back": 1}


@dataclass(frozen=True)
class Plan:
    """A letter, and what goes wrong on its way; `followers` letters are waiting behind it."""

    name: str
    target: Target
    fault: Fault
    followers: int


def plans(forum: str, count: int, *, private: bool, parts: bool = False, first: int = 1) -> Iterator[Plan]:
    """`count` of a forum, from number `first` on.

    Every fifth kills the judge; every tenth meets an opening, every fourth a private message and every ninth a letter
    in parts, where the forum has such.
    """
    for number in range(first, first + count):
        name = f"{forum}/{number}"
        chance = random.Random(name)
        kills = number % EVERY_NTH_KILLS == 0
        step: Step = chance.choices(STEPS, [WEIGHTS[step] for step in STEPS])[0]
        possible: tuple[Action, ...] = KILLS if kills else QUICK
        if step != "send" and not kills:
            possible = (*QUICK, "request twice")
        if not kills and chance.random() < 0.03:
            possible = ("answer never",)
        target: Target = "private" if private and number % 4 == 3 else "thread"
        if parts and number % 9 == 0:
            target = "in parts"
        if number % 10 == 1:
            target = "opening"
        later = step != "send" or target == "in parts"
        fault = Fault(step, chance.choice(possible), chance.choice((0, 0, 1)) if later else 0)
        yield Plan(name, target, fault, chance.choice((0, 0, 1)))
