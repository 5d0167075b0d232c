"""What goes on between a game and its forum, as its host may see it: readings, letters, accounts of players, odd posts.

Nothing here holds what was ordered, and nothing tells how often: of a seat's private messages only that some wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from sqlmodel import Session, col, select

from judge.core.text import Text
from judge.service.delivery import send_again
from judge.service.letters import letter_report
from judge.service.places import account_of
from judge.service.position import find_game
from judge.service.publishing import THREAD
from judge.service.refusal import Refusal
from judge.store import queries, wake
from judge.store.forum_tables import ForumRow, SightRow, WatchRow
from judge.store.tables import GameRow, LetterRow, SeatRow

ODD = {
    "late": Text.of("Posted too late: the turn had closed."),
    "late-edit": Text.of("Edited after the close: what stood there before counts."),
    "moderated": Text.of("Changed by somebody else than its author: no orders were taken from it."),
    "kept": Text.of("It has disappeared after the close: its orders count all the same."),
}
"""What a host may be asked about: outcomes (`sighting.Outcome`), and what became of such a post."""
MOST_ODD = 30


@dataclass(frozen=True)
class Reading:
    """How a topic, or the judge's inbox, is read.  `next` is None if that is as soon as may be."""

    last: datetime | None
    next: datetime | None
    failures: int
    """In a row."""
    error: Text | None


@dataclass(frozen=True)
class Stuck:
    """A letter to everybody that is not out yet, or the private messages to a seat that are not.

    `place` counts the letters to everybody, from 1; of private messages neither that nor their number is told.
    """

    title: Text | str
    seat: str | None
    place: int | None
    status: str
    """waiting, held, or kept: the forum will not have it, and it stands on the order page."""
    tries: int
    next_try: datetime | None
    error: Text | None


@dataclass(frozen=True)
class OddPost:
    """A post about which players may ask the host."""

    why: str
    seat: SeatRow | None
    position: int
    """In the topic, from 0."""
    created: datetime | None
    """By the forum's clock."""
    seen: datetime


@dataclass(frozen=True)
class Traffic:
    """How things stand between a game and its forum."""

    account: ForumRow
    topic: Reading
    whole: datetime | None
    """When the posts of the open turn were last read whole."""
    lag: float | None
    """Seconds by which the forum's clock is ahead of the judge's; None if it tells none."""
    alarm: bool
    inbox: Reading
    stuck: Sequence[Stuck]
    seats: Sequence[SeatRow]
    odd: Sequence[OddPost]


def traffic(session: Session, game_id: str) -> Traffic:
    """What a host is shown; Refusal if the judge has no account where the game is played."""
    game, account = _at_forum(session, game_id)
    watch = session.get(WatchRow, game.id) or WatchRow(game_id=game.id)
    seats = [row for row in queries.seats(session, game.id) if row.taken is not None and not row.bot]
    return Traffic(
        account=account,
        topic=Reading(watch.looked, watch.next_look, watch.failures, _text(watch.error)),
        whole=watch.read,
        lag=watch.lag,
        alarm=watch.alarm,
        inbox=Reading(account.inbox_read, account.inbox_next, account.inbox_failures, _text(account.inbox_error)),
        stuck=[*_stuck_letters(session, game), *_stuck_messages(session, game)],
        seats=seats,
        odd=_odd_posts(session, game, seats),
    )


def look_now(session: Session, game_id: str) -> None:
    """Has the topic and the inbox read as soon as may be."""
    game, account = _at_forum(session, game_id)
    watch = session.get(WatchRow, game.id)
    if watch is not None:
        watch.next_look = None
        session.add(watch)
    account.inbox_next = None
    session.add(account)
    wake(session, game.id)


def send_letter(session: Session, now: datetime, game_id: str, place: int) -> None:
    """Sends a letter to everybody again, or without waiting any longer; `place` is that of `Stuck`."""
    game, _ = _at_forum(session, game_id)
    letters = queries.letters(session, game.id, THREAD)
    if not 1 <= place <= len(letters):
        raise Refusal("conflict", Text.of("There is no such letter."))
    send_again(session, now, letters[place - 1].id or 0)


def send_messages(session: Session, now: datetime, game_id: str, seat: str) -> None:
    """The same for all private messages to a seat that are not out."""
    game, _ = _at_forum(session, game_id)
    stuck = _messages(session, game, seat) if seat != THREAD else []
    if not stuck:
        raise Refusal("conflict", Text.of("There is no such letter."))
    for letter in stuck:
        send_again(session, now, letter.id or 0)


def _at_forum(session: Session, game_id: str) -> tuple[GameRow, ForumRow]:
    game = find_game(session, game_id)
    account = account_of(session, game)
    if account is None:
        raise Refusal("conflict", Text.of("The judge reads no forum for this game."))
    return game, account


def _is_stuck(letter: LetterRow) -> bool:
    return letter.status in queries.UNDER_WAY or (letter.status == "kept" and letter.trouble is not None)


def _stuck_letters(session: Session, game: GameRow) -> Iterator[Stuck]:
    for place, letter in enumerate(queries.letters(session, game.id, THREAD), 1):
        if _is_stuck(letter):
            yield _stuck(letter, letter_report(session, letter).title, place)


def _stuck_messages(session: Session, game: GameRow) -> Iterator[Stuck]:
    for row in queries.seats(session, game.id):
        if stuck := _messages(session, game, row.seat):
            yield _stuck(stuck[0], row.name, None)


def _messages(session: Session, game: GameRow, seat: str) -> list[LetterRow]:
    """The private messages to a seat that are not out, the oldest first: those after the last that got through."""
    newest_first = reversed(queries.letters(session, game.id, seat))
    return list(reversed(list(takewhile(_is_stuck, newest_first))))


def _stuck(letter: LetterRow, title: Text | str, place: int | None) -> Stuck:
    return Stuck(
        title=title,
        seat=None if letter.recipient == THREAD else letter.recipient,
        place=place,
        status=letter.status,
        tries=letter.tries,
        next_try=letter.next_try,
        error=_text(letter.trouble),
    )


def _odd_posts(session: Session, game: GameRow, seats: Sequence[SeatRow]) -> list[OddPost]:
    """The newest first, without their text."""
    query = select(SightRow).where(SightRow.game_id == game.id, col(SightRow.outcome).in_(ODD))
    rows = session.exec(query.order_by(col(SightRow.id).desc()).limit(MOST_ODD)).all()
    by_author = {row.author_id: row for row in seats if row.author_id is not None}
    return [
        OddPost(row.outcome, by_author.get(row.author_id or ""), row.position, row.created, row.seen) for row in rows
    ]


def _text(kept: dict[str, object] | None) -> Text | None:
    return None if kept is None else Text.model_validate(kept)
