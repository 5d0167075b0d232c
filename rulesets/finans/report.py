"""A round as a post: what everybody will talk about, each turn in a few sentences, then how things stand.

Several rounds may stand in one post.  What one seat alone is told, why its standing lines were skipped, is its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Heading, Line
from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.balance import balance
from rulesets.finans.board import position
from rulesets.finans.headlines import headlines
from rulesets.finans.payments import Payment
from rulesets.finans.skipped import skipped
from rulesets.finans.state import FinansView
from rulesets.finans.story import turns_told


def report(view: FinansView, events: Sequence[Event]) -> Sequence[Block]:
    """The blocks of the post; `view` is the position after the round."""
    own = [event for event in events if event.only is not None]
    return list(_alone(view, own) if own else _told(view, events))


def _told(view: FinansView, events: Sequence[Event]) -> Iterator[Block]:
    worth = {seat: balance(view, seat).worth for seat, sheet in view.players.items() if not sheet.bankrupt}
    yield Line(text=Text.joined(list(headlines(events, worth))))
    yield from (Line(text=text, item=True) for text in turns_told(events))
    yield Heading(text=Text.of("After round {round}", round=_played(view)), position=True)
    yield from position(view, changes(events))


def _alone(view: FinansView, own: Sequence[Event]) -> Iterator[Block]:
    """What became of the standing lines of one seat."""
    yield Heading(text=Text.of("Round {round}", round=_played(view)))
    for deed, why in skipped(own):
        yield Line(text=Text.of("Your standing line “{deed}” is skipped: {why}", deed=deed, why=why), item=True)


def _played(view: FinansView) -> int:
    """The round that was played: `view` is at the opening of the next one, unless the game is over."""
    return view.round if view.ending is not None else view.round - 1


def changes(events: Sequence[Event]) -> dict[Seat, int]:
    """What the payments of a round have changed in everybody's cash."""
    found: dict[Seat, int] = {}
    for event in events:
        if isinstance(event, Payment):
            for seat, amount in ((event.payer, -event.amount), (event.payee, event.amount)):
                if seat is not None:
                    found[seat] = found.get(seat, 0) + amount
    return found
