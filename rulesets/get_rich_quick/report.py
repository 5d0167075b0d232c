"""A bell as a post: the story, the swaps in their order, and at the end of a round its reckoning and the scores.

Several bells may stand in one post, so each is short.  What one seat alone is told is a post of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Heading, Line
from judge.core.ruleset import Event
from judge.core.text import Listing, Text
from rulesets.get_rich_quick.events import (
    BellRung,
    Dealt,
    Fined,
    GameEnded,
    HandChanged,
    HandDealt,
    LastRoundCalled,
    LotReturned,
    LotSwapped,
    RoundWon,
    SetHeld,
    Swapped,
    Unmatched,
)
from rulesets.get_rich_quick.floor import own_hand, rounds
from rulesets.get_rich_quick.state import TableView

_PRIVATE = (LotSwapped, LotReturned, HandChanged, SetHeld, HandDealt)


def report(view: TableView, events: Sequence[Event]) -> Sequence[Block]:
    """The blocks of the post for everybody, or of what the view's owner alone is told."""
    return list(_for_everybody(view, events) if view.hand is None else _for_the_owner(view, events))


def _for_everybody(view: TableView, events: Sequence[Event]) -> Iterator[Block]:
    rung = next((event for event in events if isinstance(event, BellRung)), None)
    calls = [event for event in events if isinstance(event, RoundWon)]
    if rung is not None:
        yield Heading(text=Text.of("Round {round}, bell {bell}", round=rung.round, bell=rung.bell))
    elif calls:
        yield Heading(text=Text.of("Round {round}: complete from the deal", round=calls[0].round))
    yield Line(text=story(events))
    if rung is not None and rung.offers:
        lots = Listing([lot.tell() for lot in rung.offers])
        yield Line(text=Text.of("On the floor, in this order: {lots}.", lots=lots))
        yield from (Line(text=event.tell(), item=True) for event in events if isinstance(event, Swapped | Unmatched))
    if calls:
        yield Heading(text=Text.n("The end of the round", "The end of {count} rounds", len(calls)))
        told = (RoundWon, Fined, Dealt, LastRoundCalled, GameEnded)
        yield from (Line(text=event.tell(), item=True) for event in events if isinstance(event, told))
        yield from rounds(view)
    else:
        yield from (Line(text=event.tell()) for event in events if isinstance(event, LastRoundCalled))


def story(events: Sequence[Event]) -> Text:
    """What a friend would write: who called what, who paid, who won; else how lively the floor was."""
    sentences: list[Text] = []
    for event in events:
        match event:
            case RoundWon():
                sentences.append(event.shout())
            case GameEnded():
                sentences.append(event.tell())
    rung = next((event for event in events if isinstance(event, BellRung)), None)
    if rung is not None:
        sentences.append(_trading(rung, [event for event in events if isinstance(event, Swapped)]))
    return Text.joined(sentences)


def _trading(rung: BellRung, swaps: Sequence[Swapped]) -> Text:
    if not rung.offers:
        return Text.of("The floor is silent: nobody offers anything.")
    lots = Text.n("{count} lot is on the floor", "{count} lots are on the floor", len(rung.offers))
    if not swaps:
        return Text.of("{lots}, and nobody finds a partner.", lots=lots)
    cards = 2 * sum(swap.cards for swap in swaps)
    pairs = Text.n("{count} pair trades", "{count} pairs trade", len(swaps))
    return Text.of("{lots}; {pairs}, and {cards} cards change hands.", lots=lots, pairs=pairs, cards=cards)


def _for_the_owner(view: TableView, events: Sequence[Event]) -> Iterator[Block]:
    """What went and came in the bell, the hand before and after, and the new hand once a round is over."""
    rung = next((event for event in events if isinstance(event, BellRung)), None)
    if rung is not None:
        yield Heading(text=Text.of("Your round {round}, bell {bell}", round=rung.round, bell=rung.bell))
    private = [event for event in events if isinstance(event, _PRIVATE)]
    yield from (Line(text=event.tell(), item=True) for event in private if not isinstance(event, HandDealt))
    dealt = [event for event in private if isinstance(event, HandDealt)]
    if dealt:
        yield Heading(text=Text.of("Your cards for round {round}", round=view.round))
        yield from own_hand(view)
