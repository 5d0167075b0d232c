"""Sending the letters that wait: each one until it stands in the thread, never twice.

The forum is asked outside of any transaction.  That a try begins is written down before it, and what came of it
afterwards: a try whose end nobody knows, since an answer was lost or the judge was killed, is left alone for a while,
so that the forum can finish it; then the connector finds the letter's key in the thread, or posts again.

The thread is one queue and each seat another: a letter that a forum holds or refuses keeps back only those that follow
it to the same readers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal

from sqlmodel import Session, col, update

from judge.core.report import Report
from judge.core.text import Text
from judge.forum import (
    AuthExpired,
    Caps,
    Forum,
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
from judge.service.access import held_since
from judge.service.audit import done, note
from judge.service.letters import footer_of, letter_report, posts_of, rendered
from judge.service.places import Places, fault_of
from judge.service.publishing import THREAD
from judge.service.refusal import Refusal
from judge.service.voices import game_voice
from judge.store import KeyFileError, Store, StoreError, queries, seal, wake
from judge.store.tables import GameRow, LetterRow, SeatRow

log = logging.getLogger(__name__)

Outcome = Published | Topic | Held | Unknown | ForumError
"""What came of trying to send a letter, or a part of one."""
Step = Literal["done", "part", "later", "away"]
"""A letter needs no further try; a part of it stands there; it must wait; everything for this forum must."""

CLOCKS_DIFFER = timedelta(days=1)
"""A letter is looked for so much further back than it was written, since forums go by clocks of their own."""


@dataclass(frozen=True)
class Patience:
    """How many seconds the judge waits before it tries again (settings: [letters])."""

    retry: tuple[float, ...] = (30, 60, 120, 300, 900, 3600)
    """After the first failure in a row, the second, …; the last also where only a person can help."""
    unsure: float = 120
    """After a try whose end is not known."""

    def after(self, tries: int, key: str) -> timedelta:
        """The wait after so many failures: up to a quarter longer than set, so that not all letters come at once."""
        usual = self.retry[min(max(tries, 1), len(self.retry)) - 1]
        share = int.from_bytes(sha256(f"{key} {tries}".encode()).digest()[:4], "big") / 2**32
        return timedelta(seconds=usual * (1 + share / 4))

    @property
    def longest(self) -> timedelta:
        return timedelta(seconds=self.retry[-1])

    @property
    def until_sure(self) -> timedelta:
        return timedelta(seconds=self.unsure)


PATIENT = Patience()
"""As long as is usual."""


def deliver_due(
    store: Store,
    places: Places,
    now: Callable[[], datetime],
    game_id: str | None = None,
    patience: Patience = PATIENT,
) -> int:
    """Tries every letter that waits (of one game, or of all) in the order they were written; how many are dealt with.

    Threads come before seats.  A forum that asks to wait, or that is away, is left alone for the rest of the round.
    """
    with store.read() as session:
        queues: dict[tuple[str, str], list[int]] = {}
        waits = set[tuple[str, str]]()
        forums = dict[str, str]()
        for letter in queries.letters_under_way(session, game_id):
            queue = (letter.game_id, letter.recipient)
            if queue not in queues and _must_wait(letter, now(), patience):
                waits.add(queue)
            queues.setdefault(queue, []).append(letter.id or 0)
            forums[letter.game_id] = session.get_one(GameRow, letter.game_id).forum
    sent, resting = 0, set[str]()
    for (game, recipient), letters in sorted(queues.items(), key=lambda queue: queue[0][1] != THREAD):
        if (game, recipient) in waits:
            continue
        for letter_id in letters:
            if forums[game] in resting:
                break
            step = _deliver(store, places, now, game, letter_id, patience)
            if step == "away":
                resting.add(forums[game])
            if step != "done":
                break
            sent += 1
    return sent


def send_again(session: Session, now: datetime, letter_id: int) -> None:
    """Sends a letter that waits, is held or was refused without waiting any longer; for when a moderator deleted it.

    If it still stands in the forum, it is found and not posted twice; but not every forum shows what it holds.
    """
    letter = session.get(LetterRow, letter_id)
    if letter is None:
        raise Refusal("unknown", Text.of("There is no such letter."))
    if letter.status not in (*queries.UNDER_WAY, "kept"):
        raise Refusal("conflict", Text.of("This letter has been sent already."))
    letter.status, letter.next_try, letter.tries = "waiting", None, 0
    session.add(letter)
    if letter.recipient == THREAD:
        title = letter_report(session, letter).title
        note(session, now, letter.game_id, Text.of("The host has “{title}” sent again.", title=title))
    wake(session, letter.game_id)


def _must_wait(letter: LetterRow, now: datetime, patience: Patience) -> bool:
    if letter.begun is not None and letter.begun + patience.until_sure > now:
        return True
    return letter.next_try is not None and letter.next_try > now


@dataclass(frozen=True)
class _Errand:
    """The next post of a letter."""

    letter_id: int
    status: str
    begun: datetime | None
    stands: int
    """So many parts stand there."""
    parts: list[Report]
    key: str
    title: str
    """Of the whole letter, for a topic."""
    text: Rendered
    thread: str | None
    since: datetime
    to: str | None
    """An author's id."""
    public: bool


def _deliver(
    store: Store, places: Places, now: Callable[[], datetime], game_id: str, letter_id: int, patience: Patience
) -> Step:
    """Sends a letter, all its parts if it has several."""
    step: Step = "part"
    while step == "part":
        step = _deliver_part(store, places, now, game_id, letter_id, patience)
    return step


def _deliver_part(
    store: Store, places: Places, now: Callable[[], datetime], game_id: str, letter_id: int, patience: Patience
) -> Step:
    errand: _Errand | None = None
    begun: datetime | None = None
    outcome: Outcome
    try:
        with places.visit(game_id) as forum:
            with store.read() as session:
                errand = ready = _errand(session, letter_id, forum.caps)
            if not forum.caps.instant:
                begun = now()
                if not store.write(lambda session: _begin(session, ready, begun, patience)):
                    return "later"
            outcome = _act(forum, errand)
    except ForumError as error:
        outcome = error
    except (StoreError, KeyFileError):
        raise
    except Exception as fault:
        # A fault of one connector must not keep back the letters of others.  Its text could hold orders.
        log.error(
            "letter %d: %s in the connector", letter_id, type(fault).__name__, exc_info=log.isEnabledFor(logging.DEBUG)
        )
        outcome = Unknown(fault_of(fault))
    return store.write(lambda session: _record(session, now(), letter_id, begun, errand, outcome, patience))


def _errand(session: Session, letter_id: int, caps: Caps) -> _Errand:
    letter = session.get_one(LetterRow, letter_id)
    game = session.get_one(GameRow, letter.game_id)
    voice = game_voice(session, game)
    whole = letter_report(session, letter)
    parts = posts_of(session, letter, voice, caps.max_length)
    stands = min(len(letter.post_ids), len(parts) - 1)
    key = letter.key if len(parts) == 1 else f"{letter.key}#{stands + 1}/{len(parts)}"
    public = letter.recipient == THREAD
    return _Errand(
        letter_id=letter_id,
        status=letter.status,
        begun=letter.begun,
        stands=len(letter.post_ids),
        parts=parts,
        key=key,
        title=voice.say(whole.title),
        text=rendered(parts[stands], voice, footer_of(key)),
        thread=game.thread,
        since=letter.created - CLOCKS_DIFFER,
        to=None if public else _reader_of(session, letter),
        public=public,
    )


def _reader_of(session: Session, letter: LetterRow) -> str | None:
    """The account of the seat's player; None for what was told to whoever sat there before him."""
    since = held_since(session, letter.game_id, letter.recipient)
    if since is not None and letter.created < since:
        return None
    return session.get_one(SeatRow, (letter.game_id, letter.recipient)).author_id


def _begin(session: Session, errand: _Errand, now: datetime | None, patience: Patience) -> bool:
    """Writes down that a try begins, and in which parts; False if another judge is at it."""
    letter = session.get_one(LetterRow, errand.letter_id)
    stale = letter.status not in queries.UNDER_WAY or len(letter.post_ids) != errand.stands
    if now is None or stale or _must_wait(letter, now, patience):
        return False
    claimed = session.exec(
        update(LetterRow)
        .where(
            col(LetterRow.id) == errand.letter_id,
            col(LetterRow.status) == errand.status,
            col(LetterRow.begun).is_not_distinct_from(errand.begun),
        )
        .values(begun=now)
    )
    if claimed.rowcount != 1:
        return False
    session.refresh(letter)
    if len(errand.parts) > 1 and letter.parts is None and letter.sealed_parts is None:
        parts = [part.model_dump(mode="json") for part in errand.parts]
        if errand.public:
            letter.parts = parts
        else:
            letter.sealed_parts = seal(session, parts)
        session.add(letter)
    return True


def _act(forum: Forum, errand: _Errand) -> Outcome:
    """Asks the forum; a letter that it holds is only looked for."""
    key, text, since = errand.key, errand.text, errand.since
    if not errand.public:
        if errand.to is None or not forum.caps.dm:
            return Published(())
        sent = forum.send(errand.to, text, key, since=since)
        return Published((sent,)) if isinstance(sent, str) else sent
    if errand.thread is None:
        if errand.status == "held":
            return forum.find_topic(errand.title, key, since=since) or Held()
        return forum.open_topic(errand.title, text, key, since=since)
    if errand.status == "held":
        return forum.find(key, since=since) or Held()
    return forum.publish(text, key, since=since)


def _record(
    session: Session,
    now: datetime,
    letter_id: int,
    begun: datetime | None,
    errand: _Errand | None,
    outcome: Outcome,
    patience: Patience,
) -> Step:
    """Writes down what came of a try, unless another judge took over meanwhile."""
    letter = session.get_one(LetterRow, letter_id)
    if letter.status not in queries.UNDER_WAY:
        return "done"
    if begun is not None and letter.begun != begun:
        return "later"
    if begun is not None:
        letter.begun = None
    session.add(letter)
    match outcome:
        case Published(ids=()):
            letter.status = "kept"
            return _succeed(letter, now)
        case Published(ids=ids, url=url):
            return _stands(letter, now, errand, ids, url)
        case Topic(id=topic, first=first, url=url):
            game = session.get_one(GameRow, letter.game_id)
            game.thread, game.thread_url = topic, url or None
            session.add(game)
            return _stands(letter, now, errand, (first,), url)
    return _fail(session, now, letter, outcome, patience)


def _stands(letter: LetterRow, now: datetime, errand: _Errand | None, ids: tuple[str, ...], url: str) -> Step:
    parts = 1 if errand is None else len(errand.parts)
    letter.address = letter.address or url or None
    letter.post_ids = list(ids) if parts == 1 else [*letter.post_ids, ids[0]]
    if len(letter.post_ids) < parts:
        letter.status = "waiting"
        _succeed(letter, None)
        return "part"
    letter.status = "sent"
    return _succeed(letter, now)


def _succeed(letter: LetterRow, now: datetime | None) -> Step:
    letter.sent, letter.tries = now, 0
    letter.next_try = letter.error = letter.trouble = None
    return "done"


def _fail(session: Session, now: datetime, letter: LetterRow, outcome: Outcome, patience: Patience) -> Step:
    """When the letter is tried again, and what people are told."""
    letter.tries += 1
    letter.next_try = now + patience.after(letter.tries, letter.key)
    step: Step = "later"
    match outcome:
        case Held():
            letter.status = "held"
            _tell_host(
                session, now, letter, "held", Text.of("The forum holds “{title}” back for a moderator to look at.")
            )
            trouble = Text.of("The forum keeps the post back until a moderator has looked at it.")
        case Unknown(why=why):
            letter.next_try = max(letter.next_try, now + patience.until_sure)
            trouble = ForumError(why).text
        case Retry(after=after):
            letter.next_try, step = now + timedelta(seconds=after), "away"
            trouble = outcome.text
        case Refused() if letter.recipient != THREAD:
            letter.status, letter.next_try, step = "kept", None, "done"
            trouble = outcome.text
        case Refused():
            letter.next_try = now + patience.longest
            _tell_host(session, now, letter, "refused", Text.of("The forum does not take “{title}”."))
            trouble = outcome.text
        case AuthExpired():
            letter.next_try, step = now + patience.longest, "away"
            _tell_host(
                session, now, letter, "locked out", Text.of("The forum does not let the judge in: “{title}” waits.")
            )
            trouble = outcome.text
        case _:
            trouble = outcome.text if isinstance(outcome, ForumError) else Text.of("The forum did not take it.")
    letter.error = Voice("en").say(trouble)
    letter.trouble = trouble.model_dump(mode="json")
    log.warning("letter %s not sent after %d tries: %s", letter.key, letter.tries, letter.error)
    return step


def _tell_host(session: Session, now: datetime, letter: LetterRow, kind: str, text: Text) -> None:
    """A line for everybody, once for each kind of trouble; that a seat was told something is not for everybody."""
    request = f"{letter.key} {kind}"
    if letter.recipient == THREAD and not done(session, request):
        told = text.model_copy(update={"values": {"title": letter_report(session, letter).title}})
        note(session, now, letter.game_id, told, request)
