"""A game's topic on paper: a forum whose clock, marks and manners a test sets.

Real forums do not edit without a mark, tell wrong times or merge posts when they are asked to.  People are their own
names: Anna's account has the id "Anna", whatever she is called.  `topic.write("Anna", "X:3 zu 40")` posts,
`topic.look()` lets a minute pass and does what the judge's clock does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session

from judge.bootstrap import Judge, create_judge
from judge.clock import Clock
from judge.forum import (
    Caps,
    DirectMessage,
    ForumError,
    Member,
    Place,
    Post,
    Published,
    Raw,
    Refused,
    Rendered,
    Retry,
    Revision,
    Topic,
)
from judge.service.claiming import word_of
from judge.service.places import Places
from judge.service.receipts import Receipt
from judge.settings import Settings
from judge.store import queries, seal
from judge.store.forum_tables import ForumRow, SightRow, WatchRow
from judge.store.tables import SeatRow
from tests.at_the_forum import FORUM, ForumTable
from tests.at_the_table import NAMES, SetClock, TestTable

JUDGE = "Judge"

ADDRESS = "https://forum.example/the_topic/"
"""Its posts are read at addresses that Markdown would take for slanted words."""


@dataclass
class PaperTopic:
    """What stands there, and how the forum tells of it."""

    clock: Callable[[], datetime]
    caps: Caps = field(default_factory=lambda: Caps(raw=True, dm=True))
    fast: timedelta = timedelta(0)
    """By how much the forum's clock is ahead."""
    marks: bool = True
    """Whether it tells when a post was edited, and by whom."""
    trouble: ForumError | None = None
    """What it answers instead of anything else."""
    silent: bool = False
    """Whether the judge may not post just now."""
    posts: list[Post] = field(default_factory=list)
    revisions: dict[str, list[Revision]] = field(default_factory=dict)
    unquotable: set[str] = field(default_factory=set)
    mail: list[DirectMessage] | None = field(default_factory=list)
    """None: the judge's account may not use them."""
    told: list[tuple[str, str]] = field(default_factory=list)
    """Private messages of the judge: to whom, and the text."""
    meanwhile: Callable[[], object] | None = None
    """Called once, when posts or messages have been listed and the judge has not taken them in yet."""
    written: int = 0

    @property
    def served(self) -> datetime:
        return self.clock() + self.fast

    # What people do there

    def write(self, who: str, text: str, **marks: Any) -> str:
        self.written += 1
        marks = {"created": self.served, **marks}
        self.posts.append(Post(str(100 + self.written), len(self.posts), who, who, text, "markdown", **marks))
        return self.posts[-1].id

    def edit(self, post_id: str, text: str, by: str | None = None) -> None:
        post = self._post(post_id)
        self.revisions.setdefault(post_id, []).append(Revision(self.served, post.text, "markdown", post.author_id))
        self.change(post_id, text=text)
        if self.marks:
            self.change(post_id, edited=self.served, editor_id=by or post.author_id)

    def change(self, post_id: str, **what: Any) -> None:
        self.posts = [replace(post, **what) if post.id == post_id else post for post in self.posts]

    def remove(self, post_id: str) -> None:
        """Gone for good: everything below it moves up."""
        kept = [post for post in self.posts if post.id != post_id]
        self.posts = [replace(post, position=number) for number, post in enumerate(kept)]

    def message(self, who: str, text: str) -> None:
        self.written += 1
        assert self.mail is not None
        self.mail.append(DirectMessage(str(self.written), who, who, text, "markdown", self.served))

    def time_passes(self) -> None:
        if self.meanwhile is not None:
            happens, self.meanwhile = self.meanwhile, None
            happens()

    def _post(self, post_id: str) -> Post:
        return next(post for post in self.posts if post.id == post_id)


@dataclass
class Visit:
    """The judge's connection to it."""

    paper: PaperTopic
    place: Place

    @property
    def caps(self) -> Caps:
        return self.paper.caps

    @property
    def served(self) -> datetime | None:
        return self.paper.served

    def me(self) -> Member:
        if self.paper.trouble is not None:
            raise self.paper.trouble
        return Member(JUDGE, JUDGE)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic:
        return Topic("7", title, self.paper.write(JUDGE, text.markdown))

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> None:
        return None

    def topic(self) -> Topic:
        return Topic("7", "", self.paper.posts[0].id)

    def probe(self) -> str:
        return str(self.paper.written)

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        listed = list(self.paper.posts)
        ids = [post.id for post in listed]
        self.paper.time_passes()
        return listed[ids.index(since) :] if since in ids else listed

    def fetch_raw(self, post_id: str) -> Raw:
        if post_id in self.paper.unquotable:
            raise Refused("nobody may quote this")
        return Raw(next(post.text for post in self.paper.posts if post.id == post_id), "markdown")

    def history(self, post_id: str) -> list[Revision] | None:
        return self.paper.revisions.get(post_id, [])

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published:
        if self.paper.trouble is not None:
            raise self.paper.trouble
        if self.paper.silent:
            raise Retry("not so fast", 30)
        number = self.paper.write(JUDGE, text.markdown)
        return Published((number,), f"{ADDRESS}{number}")

    def find(self, key: str, since: datetime | None = None) -> None:
        return None

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        raise Refused("nothing is rubbed out")

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        if self.paper.mail is None:
            raise Refused("You cannot use private messages.")
        listed = list(self.paper.mail)
        self.paper.time_passes()
        return listed

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str:
        self.paper.told.append((to_id, text.markdown))
        return str(len(self.paper.told))

    def close(self) -> None:
        pass


@dataclass
class PaperClub:
    """A judge, the topic, and the game that is played in it."""

    table: TestTable
    clock: SetClock
    paper: PaperTopic

    def open(self, names: Sequence[str] = NAMES, claim: bool = True, **plan: Any) -> None:
        """Opens a game; with `claim` every player is known to the judge."""
        self.table.open(tuple(names), **{"forum": FORUM, **plan})
        self.table.look()
        if claim:
            self.table.judge.store.write(self._sit)
            self.look()

    def _sit(self, session: Session) -> None:
        for row in queries.seats(session, self.table.game_id):
            row.author_id = row.author_name = row.name
            session.add(row)

    def look(self, seconds: int = 61) -> None:
        self.clock.forward(seconds=seconds)
        self.table.look()

    def word(self, seat: str) -> str | None:
        with self.table.judge.store.read() as session:
            return word_of(session, self.table.game_id, seat)

    def author(self, seat: str) -> str | None:
        with self.table.judge.store.read() as session:
            return session.get_one(SeatRow, (self.table.game_id, seat)).author_id

    def sights(self, post_id: str | None = None) -> list[SightRow]:
        rows = self._forum_table().sights()
        return [row for row in rows if post_id in (None, row.post_id)]

    def receipts(self, seat: str, turn: int | None = None) -> list[Receipt]:
        return self._forum_table().receipts(seat, turn)

    def lines(self, seat: str) -> list[str] | None:
        return self._forum_table().lines(seat)

    def watch(self) -> WatchRow:
        return self._forum_table().watch()

    def pass_all(self, *but: str) -> None:
        """Everybody who is asked passes by post, but these."""
        for seat, name in enumerate(NAMES, 1):
            ask = self.table.position().ask(str(seat))
            if name not in but and ask is not None and ask.forced is None:
                self.paper.write(name, "pass")

    def _forum_table(self) -> ForumTable:
        return ForumTable(self.table, None, self.clock)  # type: ignore[arg-type] - only what it asks the judge


def judge_at(folder: Path, clock: SetClock, topic: PaperTopic) -> Judge:
    """A judge whose database is in this folder, with a connection to the topic."""
    judge = create_judge(Settings(data=folder, letters={"retry_seconds": [1], "unsure_seconds": 1}), now=clock)
    places = Places(judge.store, lambda kind: lambda place: Visit(topic, place), clock)
    return replace(judge, places=places, clock=Clock(judge.store, places, (), clock))


def add_account(judge: Judge, clock: SetClock) -> None:
    def furnish(session: Session) -> None:
        sealed = seal(session, {})
        session.add(ForumRow(name=FORUM, connector="paper", created=clock(), sealed_settings=sealed))

    judge.store.write(furnish)


@contextmanager
def on_paper(folder: Path, **paper: Any) -> Iterator[PaperClub]:
    clock = SetClock()
    topic = PaperTopic(clock, **paper)
    judge = judge_at(folder, clock, topic)
    try:
        add_account(judge, clock)
        yield PaperClub(TestTable(judge, clock), clock, topic)
    finally:
        judge.close()


def said(slip: Receipt) -> str:
    """The problems of a receipt, untranslated."""
    return "\n".join(problem.text.text for problem in slip.problems)
