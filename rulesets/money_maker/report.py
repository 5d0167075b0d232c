"""A turn as a post: the story first, then what happened step by step, then the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from judge.core.report import Block, Cell, Heading, Line, Table
from judge.core.ruleset import Event
from judge.core.text import Player, Text
from rulesets.money_maker.board import own_vault, show, stand_still
from rulesets.money_maker.card_events import DiceThrown
from rulesets.money_maker.events import (
    Auctioned,
    Bought,
    NotOpened,
    NotPaidOff,
    PaidOff,
    Produced,
    Sold,
    StartAuctioned,
    Traded,
    TurnBegun,
)
from rulesets.money_maker.run_events import (
    Exchanged,
    GameEnded,
    HelpUsed,
    OfferFailed,
    OfferMade,
    RunSettled,
    RunStarted,
    ScoreSheet,
)
from rulesets.money_maker.story import story
from rulesets.money_maker.tally import run_table, tally_table
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
    yield Line(text=story(view, events))
    for title, told in sections(events):
        yield Heading(text=title)
        for event in told:
            yield from (Line(text=line, item=True) for line in _lines(event))
        yield from run_table(told)
    sheets = [event for event in events if isinstance(event, ScoreSheet)]
    if sheets:
        yield Heading(text=Text.of("The end"))
        yield score_table(sheets)
    yield Heading(text=Text.of("The table"))
    yield from tally_table(list(view.banks), events)
    yield from stand_still(view) if view.phase == "rescue" else show(view)


def _heading(view: TableView, events: Sequence[Event]) -> Text:
    """`view` may be a turn further; a rescue window goes on with the turn that stands still."""
    if any(isinstance(event, StartAuctioned) for event in events):
        return Text.of("The starting auction")
    stays = view.phase in ("over", "rescue")
    if view.options.fast:
        return Text.of("Round {round}", round=max(1, view.round - (not stays)))
    thrown = [event.seat for event in events if isinstance(event, DiceThrown)]
    if thrown or stays:
        return Text.of("{who}'s turn", who=Player(thrown[0] if thrown else view.active))
    return Text.of("After the bank run")


def sections(events: Sequence[Event]) -> Iterator[tuple[Text, list[Event]]]:
    """The events under headings, in the order in which they happened; what ends a game is told elsewhere."""
    title = Text.of("Goods and cards")
    settled = [event for event in events if isinstance(event, RunSettled)]
    if settled and not any(isinstance(event, RunStarted) for event in events):
        title = Text.of("Bank run {number}", number=settled[0].number)
    headed: list[tuple[Text, Event]] = []
    for event in events:
        if not isinstance(event, ScoreSheet | GameEnded):
            title = _section(event) or title
            headed.append((title, event))
    for _, group in groupby(headed, key=lambda entry: (entry[0].text, entry[0].values)):
        entries = list(group)
        yield entries[0][0], [event for _, event in entries]


def _section(event: Event) -> Text | None:
    """The heading that an event begins; None if it goes on under the one before."""
    match event:
        case TurnBegun():
            return Text.of("Next: {who}", who=Player(event.seat))
        case StartAuctioned() | Auctioned() | NotOpened():
            return Text.of("Auctions")
        case Produced() | Traded() | Bought() | Sold() | PaidOff() | NotPaidOff():
            return Text.of("Goods and cards")
        case DiceThrown():
            return Text.of("Dice")
        case RunStarted():
            return Text.of("Bank run {number}", number=event.number)
        case OfferMade() | Exchanged() | OfferFailed() | HelpUsed():
            return Text.of("Negotiations")
    return None


def _lines(event: Event) -> Sequence[Text]:
    """An event in one short line or in several."""
    return event.lines() if isinstance(event, Auctioned | StartAuctioned) else [event.tell()]


def score_table(sheets: Sequence[ScoreSheet]) -> Table:
    """The score sheet as printed: a row a line of it, a column a bank."""
    lines: list[tuple[Text, list[Cell]]] = [
        (Text.of("Gold in the vault"), [sheet.gold for sheet in sheets]),
        (Text.of("Goods in the vault"), [sheet.goods for sheet in sheets]),
        (Text.of("Companies"), [sheet.cards for sheet in sheets]),
        (Text.of("Others' credit"), [sheet.claims for sheet in sheets]),
        (Text.of("Rating"), [sheet.rating for sheet in sheets]),
        (Text.of("Assets"), [sheet.assets for sheet in sheets]),
        (Text.of("Credit on the board"), [sheet.on_board for sheet in sheets]),
        (Text.of("Credit to others"), [sheet.to_others for sheet in sheets]),
        (Text.of("Richness"), [Text.of("bankrupt") if sheet.bankrupt else sheet.total for sheet in sheets]),
    ]
    return Table(
        title=Text.of("Score sheet"),
        head=(Text.of("Line"), *(Player(sheet.seat) for sheet in sheets)),
        rows=tuple((name, *cells) for name, cells in lines),
        board=True,
    )
