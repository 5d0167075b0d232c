"""Private messages to the judge on a forum: orders that nobody else can read, and words that claim a seat.

A message is read once, as it was when it came.  Which game it is for follows from who wrote it; who plays several names
one of them in his message.  Strangers get no answer.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from judge.core.text import Listing, Moment, Text
from judge.forum import DirectMessage, Forum, ForumError, Refused
from judge.forum.markup import typed_text
from judge.service import claiming, intake, telling
from judge.service.places import Places, faults_as_changes
from judge.service.position import position
from judge.service.reading import read
from judge.service.watching import pace_of, wait_after
from judge.store import Store, queries
from judge.store.forum_tables import ForumRow
from judge.store.tables import GameRow, SeatRow

log = logging.getLogger(__name__)


@dataclass
class Found:
    """What came, and how the forum's clock goes: ahead of the judge's by `lag`, and telling times so precisely."""

    began: datetime
    me: str
    precision: timedelta
    lag: timedelta = timedelta(0)
    messages: list[DirectMessage] = field(default_factory=list)
    refused: Text | None = None
    """Why the account has no private messages there."""

    def latest(self, message: DirectMessage) -> datetime | None:
        """When a message can have been written at the latest, by the judge's clock."""
        try:
            return None if message.created is None else message.created - self.lag + self.precision
        except OverflowError:  # the year 1, where a forum has no time
            return None


def read_inbox(store: Store, places: Places, now: Callable[[], datetime], name: str) -> int:
    """Takes in the messages that came since the last time; how many there were."""
    with store.read() as session:
        account = session.get_one(ForumRow, name)
        since, began = account.inbox_since, now()
        let_in = account.inbox_read is not None and (account.inbox_error is None or account.inbox_failures > 0)
    try:
        with faults_as_changes(), places.log_in(name) as forum:
            found = _ask(forum, since, began, let_in)
            found.lag = timedelta(0) if forum.served is None else forum.served - now()
    except ForumError as error:
        failure = error
        store.write(lambda session: _failed(session, now(), name, failure))
        return 0
    with store.read() as session:
        topics = _claimed_in(session, name, found.messages)
    for game_id in topics:  # a word may be a copy of one that its player has posted: what stands in the topic is first
        read(store, places, now, game_id, whole=True)
    return store.write(lambda session: _take_in(session, now(), name, found))


def _ask(forum: Forum, since: str | None, began: datetime, let_in: bool) -> Found:
    """What came; an account that has never been let into its private messages has none."""
    found = Found(began, forum.me().id, forum.caps.precision)
    try:
        messages = list(forum.inbox(since)) if forum.caps.dm else []
    except Refused as refusal:
        if let_in:
            raise
        messages, found.refused = [], refusal.text
    found.messages = [message for message in messages if message.author_id != found.me]
    return found


def _take_in(session: Session, now: datetime, name: str, found: Found) -> int:
    account, messages = session.get_one(ForumRow, name), found.messages
    ids = [message.id for message in messages]
    fresh = messages[ids.index(account.inbox_since) + 1 :] if account.inbox_since in ids else messages
    for message in fresh:
        latest = found.latest(message)
        if latest is None or latest >= account.created:
            _take(session, now, name, found, message)
        account.inbox_since = message.id
    account.account_id, account.inbox_read = found.me, found.began
    account.inbox_error = None if found.refused is None else found.refused.model_dump(mode="json")
    account.inbox_failures = 0
    account.inbox_next = now + pace_of(session).usual
    session.add(account)
    session.flush()
    return len(fresh)


def _take(session: Session, now: datetime, name: str, found: Found, message: DirectMessage) -> None:
    games = _games(session, name)
    if claiming.WORD.search(message.text):
        typed = typed_text(message.text, message.markup)
        for game in games:
            seat = claiming.claim(session, now, game.id, message.author_id, message.author_name, typed)
            if seat is not None:
                telling.write_claimed(session, now, game, seat)
    text = claiming.WORD.sub("", message.text)
    if not typed_text(text, message.markup).strip():
        return
    seats = {game.id: seat for game in games if (seat := _seat(session, game, message.author_id)) is not None}
    named = [game.id for game in games if game.id in seats and re.search(rf"\b{game.id}\b", text)]
    meant = named or list(seats)
    if len(meant) > 1:
        played = [Text.of("{id} ({title})", id=game.id, title=game.title) for game in games if game.id in seats]
        which = Text.of(
            "You play several games here: {games}. Write the one that you mean on a line of its own, above the orders.",
            games=Listing(played),
        )
        telling.write_note(session, now, session.get_one(GameRow, meant[0]), seats[meant[0]].seat, message.id, which)
    elif meant:
        text = re.sub(rf"\b{meant[0]}\b", "", text)
        source = intake.Source(
            "message",
            request=f"message {name} {message.id}",
            written=message.created,
            latest=found.latest(message),
        )
        _take_orders(session, now, session.get_one(GameRow, meant[0]), seats[meant[0]].seat, source, text, message)


def _take_orders(
    session: Session,
    now: datetime,
    game: GameRow,
    seat: str,
    source: intake.Source,
    text: str,
    message: DirectMessage,
) -> None:
    if intake.repeated(session, game.id, seat, source) is not None:
        return
    where = position(session, game.id)
    if not where.asks:
        return
    if message.created is not None and source.was_before(where.turn.opened):
        why = Text.of(
            "This message was written {written}, before turn {number} was open: write again if it is meant for it.",
            written=Moment(message.created),
            number=where.turn.number,
        )
        intake.refuse(session, now, where, seat, source, why)
        return
    reading = intake.read_text(session, where, seat, text, message.markup)
    if reading.intent is None and not reading.problems:
        intake.refuse(session, now, where, seat, source, intake.no_order(where, seat))
        return
    intake.settle_reading(session, now, where, seat, source, reading)


def _claimed_in(session: Session, name: str, messages: Iterable[DirectMessage]) -> list[str]:
    """The games with a topic to which words in these messages belong."""
    words = {found[0].lower() for message in messages for found in claiming.WORD.finditer(message.text)}
    games = [game for game in _games(session, name) if game.thread is not None] if words else []
    return [
        game.id
        for game in games
        if any(claiming.word_of(session, game.id, row.seat) in words for row in queries.seats(session, game.id))
    ]


def _games(session: Session, name: str) -> list[GameRow]:
    """The games that are played on this forum now."""
    query = select(GameRow).where(GameRow.forum == name, col(GameRow.status).in_(("open", "running", "aside")))
    return list(session.exec(query.where(col(GameRow.moved).is_(None)).order_by(GameRow.id)).all())


def _seat(session: Session, game: GameRow, author_id: str) -> SeatRow | None:
    if queries.latest_turn(session, game.id) is None:
        return None
    return queries.seat_of_author(session, game.id, author_id)


def _failed(session: Session, now: datetime, name: str, error: ForumError) -> None:
    account = session.get_one(ForumRow, name)
    account.inbox_failures += 1
    account.inbox_error = error.text.model_dump(mode="json")
    account.inbox_next = now + wait_after(session, account.inbox_failures, error)
    session.add(account)
    log.warning("the private messages on %s could not be read: %s", name, error)
