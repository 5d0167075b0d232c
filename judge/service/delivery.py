"""Sending the letters that wait: each one until it stands in the thread, never twice.

The forum is asked outside of any transaction; what came of it is written down afterwards.  If the judge dies between
the two, the connector finds the letter's key in the thread at the next try and does not post again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.core.report import Report
from judge.forum import (
    AuthExpired,
    ForumError,
    Held,
    Published,
    Refused,
    Rendered,
    Retry,
    Topic,
    Unknown,
)
from judge.language import Voice
from judge.render import render
from judge.service.places import Places
from judge.service.publishing import THREAD
from judge.service.voices import game_voice
from judge.store import Store, queries, unseal
from judge.store.tables import GameRow, LetterRow, SeatRow

log = logging.getLogger(__name__)

Outcome = Published | Topic | Held | Unknown | ForumError
"""What came of trying to send a letter."""

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)


def rendered(report: Report, voice: Voice, footer: str = "") -> Rendered:
    """A letter in every markup.  The footer's key is what a retry looks for."""
    end = f"\n\n{footer}\n" if footer else "\n"
    return Rendered(
        title=voice.say(report.title),
        markdown=render(report, "md", voice).rstrip() + end,
        bbcode=render(report, "bbcode", voice).rstrip() + end,
        html=render(report, "html", voice).rstrip() + (f"\n<p>{footer}</p>\n" if footer else "\n"),
        text=render(report, "txt", voice).rstrip() + end,
        report=report.model_dump(mode="json"),
    )


def letter_report(session: Session, letter: LetterRow) -> Report:
    """What stands in a letter; a letter to a seat is opened for its reader."""
    body = letter.body if letter.sealed_body is None else unseal(session, letter.sealed_body)
    return Report.model_validate(body)


def deliver_due(store: Store, places: Places, now: Callable[[], datetime], game_id: str | None = None) -> int:
    """Tries every letter that waits (of one game, or of all) once, in the order they were written; how many were sent.

    A thread is kept in order: after a letter that could not be sent, later ones of the same game wait.
    """
    with store.read() as session:
        due = [(letter.id or 0, letter.game_id) for letter in queries.letters_due(session, now(), game_id)]
        blocked = {letter_game for letter_game in {game for _, game in due} if _held_up(session, letter_game, now())}
    sent = 0
    for letter_id, letter_game in due:
        if letter_game in blocked:
            continue
        if _deliver(store, places, now, letter_id):
            sent += 1
        else:
            blocked.add(letter_game)
    return sent


def _held_up(session: Session, game_id: str, now: datetime) -> bool:
    """Whether an earlier letter of the thread waits for its next try."""
    waiting = [row for row in queries.letters(session, game_id, THREAD) if row.status == "waiting"]
    return bool(waiting) and waiting[0].next_try is not None and waiting[0].next_try > now


def _deliver(store: Store, places: Places, now: Callable[[], datetime], letter_id: int) -> bool:
    with store.read() as session:
        letter = session.get_one(LetterRow, letter_id)
        game = session.get_one(GameRow, letter.game_id)
        to = None if letter.recipient == THREAD else session.get_one(SeatRow, (game.id, letter.recipient))
        text = rendered(letter_report(session, letter), game_voice(session, game), footer=f"gamejudge {letter.key}")
        game_id, thread, author_id = game.id, game.thread, to.author_id if to else None
    outcome: Outcome
    try:
        with places.visit(game_id) as forum:
            if to is not None:
                outcome = _send(forum.send, author_id, text, letter.key) if forum.caps.dm else Published(())
            elif thread is None:
                outcome = forum.open_topic(text.title, text, letter.key)
            else:
                outcome = forum.publish(text, letter.key)
    except ForumError as error:
        outcome = error
    return store.write(lambda session: _record(session, now(), letter_id, outcome))


def _send(
    send: Callable[[str, Rendered, str], str | Unknown], author_id: str | None, text: Rendered, key: str
) -> Published | Unknown:
    if author_id is None:
        return Published(())
    sent = send(author_id, text, key)
    return Published((sent,)) if isinstance(sent, str) else sent


def _record(session: Session, now: datetime, letter_id: int, outcome: Outcome) -> bool:
    """Writes down what came of a try; True if the letter needs no further one."""
    letter = session.get_one(LetterRow, letter_id)
    if letter.status != "waiting":
        return True
    game = session.get_one(GameRow, letter.game_id)
    letter.tries += 1
    match outcome:
        case Published(ids=ids):
            letter.sent, letter.error = now, None
            letter.status = "sent" if ids else "kept"
            letter.post_ids = list(ids)
        case Topic(id=topic, first=first, url=url):
            letter.sent, letter.error, letter.status = now, None, "sent"
            letter.post_ids = [first]
            game.thread, game.thread_url = topic, url or None
            session.add(game)
        case Held():
            letter.status = "held"
            letter.error = "the forum keeps the post back until a moderator has looked at it"
        case Retry(after=after):
            letter.next_try = now + timedelta(seconds=after)
            letter.error = str(outcome)
        case Refused() | AuthExpired():
            letter.next_try = now + LONGEST_WAIT
            letter.error = str(outcome)
        case Unknown(why=why):
            letter.next_try = now + _wait(letter.tries)
            letter.error = why
        case ForumError():
            letter.next_try = now + _wait(letter.tries)
            letter.error = str(outcome)
    if letter.error:
        log.warning("letter %s not sent after %d tries: %s", letter.key, letter.tries, letter.error)
    session.add(letter)
    return letter.status != "waiting"


def _wait(tries: int) -> timedelta:
    """Longer after each failure: 30 s, 1 min, 2 min … at most an hour."""
    return min(LONGEST_WAIT, FIRST_WAIT * (1 << min(tries - 1, 10)))
