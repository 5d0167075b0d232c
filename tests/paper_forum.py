"""A forum on paper: keeps what is posted, and meets letters with what a test has written down for the next of them.

Real forums do not hold, refuse or lose a post when they are asked to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlmodel import Session

from judge.core.report import Line, Report
from judge.core.text import Text
from judge.forum import (
    Caps,
    DirectMessage,
    Held,
    Member,
    Place,
    Post,
    Published,
    Raw,
    Refused,
    Rendered,
    Topic,
    Unknown,
)
from judge.language import Voice
from judge.service.audit import audit_lines
from judge.service.delivery import Patience, deliver_due
from judge.service.places import Places
from judge.service.publishing import THREAD, write_letter
from judge.store import queries, seal
from judge.store.forum_tables import ForumRow
from judge.store.tables import GameRow, LetterRow
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots

PATIENCE = Patience(retry=(10, 20, 3600), unsure=60)

Fate = (
    Literal["taken", "lost", "never arrived", "held", "killed before", "killed after"]
    | Exception
    | Callable[[], object]
)
"""What happens to the next letter; a function is called before the letter is taken."""


class Killed(BaseException):
    """The judge is gone, and writes nothing down any more."""


@dataclass
class Written:
    id: str
    key: str
    text: Rendered
    to: str | None = None
    held: bool = False
    topic: str = ""


@dataclass
class PaperForum:
    """Everything that stands there.  `next` is what happens to the letters that come."""

    caps: Caps
    written: list[Written] = field(default_factory=list)
    next: deque[Fate] = field(default_factory=deque)
    afterwards: Callable[[], object] | None = None
    """Called once, when the next letter stands there and the judge has no answer yet."""
    asked: int = 0

    def connect(self, place: Place) -> Visit:
        return Visit(self, place.thread)

    def keys(self, to: str | None = None) -> list[str]:
        """Of what can be read there, without the game's id."""
        return [post.key.split("/", 1)[1] for post in self.written if post.to == to and not post.held]

    def let_through(self) -> None:
        for post in self.written:
            post.held = False

    def delete(self, key: str) -> None:
        self.written = [post for post in self.written if not post.key.endswith(key)]

    def take(self, text: Rendered, key: str, to: str | None, topic: str) -> Written | Held | Unknown:
        """Meets the fate of this letter."""
        fate = self.next.popleft() if self.next else None
        if callable(fate):
            fate()
        if isinstance(fate, Exception):
            raise fate
        if fate == "killed before":
            raise Killed
        if fate == "never arrived":
            return Unknown("no answer")
        number = str(len(self.written) + 101)
        post = Written(number, key, text, to, fate == "held", topic)
        self.written.append(post)
        if self.afterwards is not None:
            call, self.afterwards = self.afterwards, None
            call()
        if fate == "killed after":
            raise Killed
        if fate == "lost":
            return Unknown("no answer")
        return Held() if post.held else post


@dataclass
class Visit:
    """One connection to it."""

    forum: PaperForum
    thread: str | None
    served: datetime | None = None

    @property
    def caps(self) -> Caps:
        return self.forum.caps

    def me(self) -> Member:
        return Member("1", "Judge")

    def _known(self, key: str, to: str | None = None) -> Written | None:
        self.forum.asked += 1
        return next((post for post in self.forum.written if post.key == key and post.to == to), None)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic | Held | Unknown:
        known = self._known(key)
        taken = known if known and not known.held else Held() if known else self.forum.take(text, key, None, title)
        return Topic("7", title, taken.id) if isinstance(taken, Written) else taken

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        known = self._known(key)
        return None if known is None or known.held else Topic("7", title, known.id)

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published | Held | Unknown:
        known = self._known(key)
        taken = known if known and not known.held else Held() if known else self.forum.take(text, key, None, "7")
        return Published((taken.id,)) if isinstance(taken, Written) else taken

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        known = self._known(key)
        return None if known is None or known.held else Published((known.id,))

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str | Unknown:
        taken = self._known(key, to_id) or self.forum.take(text, key, to_id, "")
        assert not isinstance(taken, Held)
        return taken.id if isinstance(taken, Written) else taken

    def topic(self) -> Topic:
        return Topic("7", "", "101")

    def probe(self) -> str:
        return str(len(self.forum.written))

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        return ()

    def fetch_raw(self, post_id: str) -> Raw:
        raise Refused("there is no such post")

    def history(self, post_id: str) -> None:
        return None

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        raise Refused("nothing is rubbed out")

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        return ()

    def close(self) -> None:
        pass


@dataclass
class PaperTable(TestTable):
    """A game on a forum on paper, with letters as a test writes them.  Waits are 10 s, 20 s and an hour, and 60 s."""

    paper: PaperForum = field(default_factory=lambda: PaperForum(Caps()))
    places: Places = field(init=False)

    def __post_init__(self) -> None:
        self.places = Places(self.judge.store, lambda kind: self.paper.connect, self.clock)

    def write(self, kind: str, to: str = THREAD, words: str = "Hello.", game_id: str = "") -> None:
        """Puts a letter into the outbox."""
        blocks = (Line(text=Text.of("{words}", words=words)),)
        self.write_report(kind, Report(title=Text.of("{kind}", kind=kind), blocks=blocks), to, game_id)

    def write_report(self, kind: str, report: Report, to: str = THREAD, game_id: str = "") -> None:
        def put(session: Session) -> None:
            game = session.get_one(GameRow, game_id or self.game_id)
            write_letter(session, self.clock(), game, kind, report, to)

        self.judge.store.write(put)

    def deliver(self, places: Places | None = None) -> int:
        """One round."""
        return deliver_due(self.judge.store, places or self.places, self.clock, patience=PATIENCE)

    def letter(self, kind: str, to: str = THREAD) -> LetterRow:
        return next(row for row in self.letters(kind) if row.recipient == to)

    def said(self) -> list[str]:
        """The public record of what was done to the game."""
        with self.judge.store.read() as session:
            return [Voice("en").say(text) for _, text in audit_lines(session, self.game_id)]


def at_paper(folder: Path, caps: Caps, forums: Sequence[str] = ("paper",)) -> PaperTable:
    """A judge with accounts on these forums, all of them the same sheet of paper; a game is open on the first."""
    seat = sit_down(folder, games=[lots])
    table = PaperTable(seat.judge, seat.clock, paper=PaperForum(caps))

    def furnish(session: Session) -> None:
        for name in forums:
            sealed = seal(session, {})
            session.add(ForumRow(name=name, connector="paper", created=table.clock(), sealed_settings=sealed))

    table.judge.store.write(furnish)
    table.open(("Anna", "Ben"), start=False, ruleset="lots", forum=forums[0])
    table.judge.store.write(lambda session: _sit(session, table.game_id))
    return table


def _sit(session: Session, game_id: str) -> None:
    """Both are known to the forum."""
    for row in queries.seats(session, game_id):
        row.author_id = f"author {row.name}"
        session.add(row)
