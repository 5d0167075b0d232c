"""A round cut into its turns: whose turn it was, and all that happened in it."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.ruleset import Event, Seat
from rulesets.finans.events import GameEnded, RoundBegan, TurnBegan

Chapter = tuple[Seat, Sequence[Event]]


def chapters(events: Sequence[Event]) -> list[Chapter]:
    """Each turn of a round with its player, in the order in which they were played."""
    found: list[tuple[Seat, list[Event]]] = []
    for event in events:
        if isinstance(event, TurnBegan):
            found.append((event.seat, []))
        elif not isinstance(event, RoundBegan | GameEnded):
            found[-1][1].append(event)
    return [(seat, told) for seat, told in found if told]
