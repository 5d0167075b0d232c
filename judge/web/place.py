"""A game as one visitor stands before it: what he may do there, in which voice it speaks, and how the turn is going."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import dropwhile, takewhile
from typing import Literal

from sqlmodel import Session
from starlette.requests import Request

from judge.core.orders import Ask
from judge.core.report import Block, Heading, Line, Report
from judge.core.ruleset import AnyRuleset
from judge.language import Voice
from judge.service import turns
from judge.service.access import Access, access
from judge.service.places import plays_elsewhere
from judge.service.position import Position, find_game, position, ruleset_of
from judge.service.voices import game_voice
from judge.store import queries, unseal
from judge.store.tables import GameRow, SeatRow, TurnRow
from judge.web.request import holder_of, judge_of
from judge.web.session import visitor_of

Standing = Literal["posted", "awaited", "forced", "standing", "optional", "idle", "free", "ready"]
"""posted: a valid set is in; awaited: none is; forced: nothing to decide; standing: an earlier set carries over;
optional: may order and is not waited for; idle: not asked in this turn.  Before the start: free, or ready once
somebody sits there."""


@dataclass(frozen=True)
class Place:
    """`where` is the open (or last) turn; None before the start."""

    game: GameRow
    ruleset: AnyRuleset
    seats: Sequence[SeatRow]
    access: Access
    voice: Voice
    where: Position | None
    posts: dict[str, Standing]
    last_resolved: int | None
    """The number of the last turn that has a result."""
    topic_forum: str | None
    """The name of the forum where it is played and talked about; None on the judge's own board."""

    @property
    def seat(self) -> str | None:
        return self.access.seat

    @property
    def turn(self) -> TurnRow | None:
        return self.where.turn if self.where else None

    @property
    def is_open(self) -> bool:
        """Whether orders are taken now."""
        return self.game.status == "running" and self.turn is not None and self.turn.status == "open"

    @property
    def topic_url(self) -> str | None:
        """Where its topic on a forum is read.  A game that came from another judge may bring any address."""
        url = self.game.thread_url or ""
        return url if self.topic_forum and url.startswith(("https://", "http://")) else None

    @property
    def forum_account(self) -> str | None:
        """The name of the visitor's own account there, once it has claimed the seat."""
        row = next((row for row in self.seats if row.seat == self.seat), None)
        return None if row is None or row.author_id is None else row.author_name or row.author_id

    @property
    def ask(self) -> Ask | None:
        """What the visitor's own seat is asked now, if it has anything to decide."""
        if not self.is_open or self.where is None or self.seat is None:
            return None
        ask = self.where.ask(self.seat)
        return ask if ask is not None and ask.forced is None else None

    @property
    def deadline(self) -> datetime | None:
        return self.turn.deadline if self.is_open and self.turn else None

    @property
    def waits_for(self) -> list[str]:
        """The players who have not posted yet, by name."""
        return [self.voice.names[seat] for seat, how in self.posts.items() if how == "awaited"]


def find_place(session: Session, request: Request, game_id: str) -> Place:
    """The game with this id for this visitor; Refusal if there is none."""
    visitor = visitor_of(request)
    game = find_game(session, game_id)
    seats = queries.seats(session, game_id)
    where = position(session, game_id) if queries.latest_turn(session, game_id) is not None else None
    return Place(
        game=game,
        ruleset=ruleset_of(session, game),
        seats=seats,
        access=access(session, holder_of(request), game_id),
        voice=game_voice(session, game, visitor.language, visitor.zone),
        where=where,
        posts=_posts(session, seats, where),
        last_resolved=max(queries.resolved_numbers(session, game_id), default=None),
        topic_forum=game.forum if plays_elsewhere(session, game) else None,
    )


def _posts(session: Session, seats: Sequence[SeatRow], where: Position | None) -> dict[str, Standing]:
    """How each seat stands in the open turn.  It says that orders are in, never what they are."""
    if where is None:
        return {row.seat: "free" if row.taken is None else "ready" for row in seats}
    if where.turn.status != "open":
        return {row.seat: "idle" for row in seats}
    posted = queries.counting(session, where.turn)
    awaited = set(turns.awaited(session, where))
    return {row.seat: _post(where, row.seat, posted=row.seat in posted, awaited=row.seat in awaited) for row in seats}


def _post(where: Position, seat: str, *, posted: bool, awaited: bool) -> Standing:
    ask = where.ask(seat)
    if ask is None:
        return "idle"
    if ask.forced is not None:
        return "forced"
    if posted:
        return "posted"
    if awaited:
        return "awaited"
    return "optional" if ask.optional else "standing"


def ruleset_voice(request: Request, ruleset: AnyRuleset) -> Voice:
    """The voice of a game that is not being played: its texts in the visitor's language."""
    visitor = visitor_of(request)
    zone = judge_of(request).settings.zone
    return Voice.of(ruleset, visitor.language, zone, own_zone=visitor.zone)


def story(report: Report) -> Report:
    """The sentences that a report begins with: what happened, before any list or table."""
    told = takewhile(lambda block: isinstance(block, Line) and not block.item, after_headings(report))
    return Report(title=report.title, blocks=tuple(told))


def after_headings(report: Report) -> Iterator[Block]:
    return dropwhile(lambda block: isinstance(block, Heading), report.blocks)


def private_report(session: Session, turn: TurnRow, seat: str | None) -> Report | None:
    """What the seat alone was told about a resolved turn."""
    if seat is None or turn.sealed_private is None:
        return None
    told = unseal(session, turn.sealed_private).get(seat)
    return None if told is None else Report.model_validate(told)
