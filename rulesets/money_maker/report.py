"""A turn as a post: the story first, then what happened step by step, then the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from judge.core.report import Block, Heading, Line, Table
from judge.core.ruleset import Event
from judge.core.text import Player, Text
from rulesets.money_maker.board import own_vault, show
from rulesets.money_maker.card_events import CreditCounted, DiceThrown
from rulesets.money_maker.events import Auctioned, Sold, StartAuctioned, TurnBegun
from rulesets.money_maker.names import TITLES
from rulesets.money_maker.run_events import (
    Degraded,
    GameEnded,
    Promoted,
    RunSettled,
    RunStarted,
    ScoreSheet,
    WentBankrupt,
)
from rulesets.money_maker.view import TableView


def report(view: TableView, events: Sequence[Event]) -> Sequence[Block]:
    """The blocks of the post for everybody, or of what the view's owner alone is told."""
    return list(_for_everybody(view, events) if view.reader is None else _for_the_owner(view, events))


def _for_the_owner(view: TableView, events: Sequence[Event]) -> Iterator[Block]:
    """What was told to one bank only, and what lies in its vault now."""
    yield Heading(text=Text.of("For you alone"))
    yield from (Line(text=event.tell(), item=True) for event in events if event.only == view.reader)
    yield from own_vault(view)


def _for_everybody(view: TableView, events: Sequence[Event]) -> Iterator[Block]:
    yield Heading(text=_heading(view, events))
    yield Line(text=story(events))
    for event in events:
        match event:
            case TurnBegun() if view.options.fast:
                yield Heading(text=Text.of("Turn {turn}: {who}", turn=event.turn, who=Player(event.seat)))
            case RunStarted():
                yield Heading(text=Text.of("Bank run {number}", number=event.number))
            case DiceThrown():
                yield Heading(text=Text.of("Dice"))
            case ScoreSheet():
                continue
        yield Line(text=event.tell(), item=True)
    sheets = [event for event in events if isinstance(event, ScoreSheet)]
    if sheets:
        yield score_table(sheets)
    yield Heading(text=Text.of("The table"))
    yield from show(view)


def _heading(view: TableView, events: Sequence[Event]) -> Text:
    if any(isinstance(event, StartAuctioned) for event in events):
        return Text.of("The starting auction")
    stays = view.phase in ("over", "rescue")
    if view.options.fast:
        return Text.of("Round {round}", round=max(1, view.round - (not stays)))
    return Text.of("Turn {turn}", turn=max(1, view.turn - (not stays)))


def story(events: Sequence[Event]) -> Text:
    """What a friend would write: who won, runs and their victims, companies sold, what the dice did."""
    sentences: list[Text] = []
    for event in events:
        match event:
            case GameEnded():
                sentences.insert(0, event.tell())
            case RunStarted() | RunSettled() | WentBankrupt() | Promoted() | Degraded():
                sentences.append(event.tell())
            case Auctioned():
                sentences.append(
                    Text.of(
                        "{who} wins {card} for {price}.",
                        who=Player(event.winner),
                        card=TITLES[event.card],
                        price=event.price,
                    )
                )
            case StartAuctioned():
                sentences.append(Text.of("{who} starts.", who=Player(event.winner)))
    if not sentences:
        quiet = any(isinstance(event, Sold | CreditCounted | TurnBegun) for event in events)
        sentences.append(Text.of("A quiet turn.") if quiet else Text.of("Banks negotiate."))
    return reduce(lambda told, sentence: Text.of("{told} {sentence}", told=told, sentence=sentence), sentences)


def score_table(sheets: Sequence[ScoreSheet]) -> Table:
    """The score sheet as printed, a column a line of it."""
    return Table(
        title=Text.of("Score sheet"),
        head=(
            Text.of("Bank"),
            Text.of("Gold"),
            Text.of("Goods"),
            Text.of("Companies"),
            Text.of("Others' credit"),
            Text.of("Rating"),
            Text.of("Assets"),
            Text.of("Credit on the board"),
            Text.of("Credit to others"),
            Text.of("Richness"),
        ),
        rows=tuple(
            (
                Player(sheet.seat),
                sheet.gold,
                sheet.goods,
                sheet.cards,
                sheet.claims,
                sheet.rating,
                sheet.assets,
                sheet.on_board,
                sheet.to_others,
                sheet.total,
            )
            for sheet in sheets
        ),
    )
