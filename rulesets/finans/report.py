"""A round as a post: each player's turn as a paragraph of what happened, then the position.

Several rounds may stand in one post.  What one seat alone is told, why its standing lines were skipped, is its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Heading, Line
from judge.core.ruleset import Event
from judge.core.text import Text
from rulesets.finans.board import show
from rulesets.finans.events import GameEnded, RoundBegan
from rulesets.finans.state import FinansView


def report(view: FinansView, events: Sequence[Event]) -> Sequence[Block]:
    """The blocks of the post; `view` is the position after the round."""
    return list(_told(view, events))


def _told(view: FinansView, events: Sequence[Event]) -> Iterator[Block]:
    began = next((event for event in events if isinstance(event, RoundBegan)), None)
    if began is not None:
        yield Heading(text=Text.of("Round {round}", round=began.round))
    yield from (Line(text=event.tell()) for event in events if isinstance(event, GameEnded))
    yield from (Line(text=event.tell(), item=True) for event in events if not isinstance(event, RoundBegan | GameEnded))
    if began is not None:
        yield Heading(text=Text.of("After the round"))
        yield from show(view)
