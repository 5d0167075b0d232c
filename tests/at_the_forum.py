"""A judge at a forum: a game whose topic stands there, with players who post in it.

`forum.post("Anna", "X:3 at 40")` posts there; `forum.look()` lets a minute pass and does what the clock would do.  The
judge's clock goes its own way, ahead of the forum's at most by what a test lets pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from judge.bootstrap import create_judge
from judge.forum import Setting
from judge.registry import forum_settings
from judge.service.accounts import add_forum
from judge.service.claiming import word_of
from judge.service.receipts import Receipt, load_receipt
from judge.settings import Settings
from judge.store import queries
from judge.store.forum_tables import SightRow, WatchRow
from tests.at_the_table import NAMES, TestTable
from tests.forums import LiveForum, start

FORUM = "club"


class RunningClock:
    """Goes as the real one does, ahead by what a test has let pass."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def forward(self, **by: float) -> None:
        self.ahead += timedelta(**by)


@dataclass
class ForumTable:
    """A judge, a forum, and the game that is played there."""

    table: TestTable
    live: LiveForum
    clock: RunningClock
    topic: str = ""

    def open(self, names: Sequence[str] = NAMES, claim: bool = True, **plan: Any) -> str:
        """Opens a game in a new topic; with `claim` every player has claimed his seat by a post."""
        self.table.open(tuple(names), **{"forum": FORUM, **plan})
        self.work()
        with self.table.judge.store.read() as session:
            game = queries.games(session)[0]
        assert game.thread is not None, [letter.error for letter in self.table.letters("opening")]
        self.topic = game.thread
        if claim:
            for number, name in enumerate(names, 1):
                if name not in ("", "bot"):
                    self.post(name, f"I am in: {self.word(str(number))}")
            self.look()
        return self.table.game_id

    def word(self, seat: str) -> str:
        with self.table.judge.store.read() as session:
            word = word_of(session, self.table.game_id, seat)
        assert word is not None
        return word

    def post(self, who: str, text: str) -> str:
        return self.live.acts.post(who, self.topic, text)

    def edit(self, who: str, post: str, text: str) -> None:
        self.live.acts.edit(who, self.topic, post, text)

    def look(self, **by: float) -> None:
        """Lets time pass, a minute unless told, and does what is due."""
        self.clock.forward(**(by or {"seconds": 61}))
        self.work()

    def work(self) -> None:
        self.table.judge.clock.work(self.table.game_id)

    def receipts(self, seat: str, turn: int | None = None) -> list[Receipt]:
        """What the seat was told about its orders, the newest first."""
        with self.table.judge.store.read() as session:
            rows = [
                row
                for turn_row in queries.turns(session, self.table.game_id)
                for row in queries.submissions(session, turn_row, seat)
                if turn is None or turn_row.number == turn
            ]
            return [load_receipt(session, row) for row in sorted(rows, key=lambda row: row.id or 0, reverse=True)]

    def lines(self, seat: str) -> list[str] | None:
        """The orders that count for a seat now, as the judge writes them; None if none do."""
        newest = self.receipts(seat, self.table.turn().number)
        if not newest or newest[0].counting is None:
            return None
        return [one.line for one in newest[0].counting]

    def sights(self) -> list[SightRow]:
        with self.table.judge.store.read() as session:
            query = select(SightRow).where(SightRow.game_id == self.table.game_id).order_by(col(SightRow.id))
            return list(session.exec(query).all())

    def end_time(self, session: Session) -> None:
        """The open turn's deadline is now, by the forum's clock."""
        turn = queries.latest_turn(session, self.table.game_id)
        assert turn is not None
        turn.deadline = datetime.now(UTC)
        session.add(turn)

    def watch(self) -> WatchRow:
        with self.table.judge.store.read() as session:
            return session.get_one(WatchRow, self.table.game_id)

    def read(self) -> list[str]:
        """The topic as its forum shows it to a moderator, post by post."""
        return [post.text or "" for post in self.live.acts.read(self.topic)]


@contextmanager
def at_the_forum(name: str, folder: Path, live: LiveForum | None = None, **settings: Any) -> Iterator[ForumTable]:
    """A judge with an account at a forum of that name (see tests.forums.start)."""
    clock = RunningClock()
    kind = name.removeprefix("documented.")
    judge = create_judge(Settings(data=folder, letters={"retry_seconds": [1], "unsure_seconds": 1}), now=clock)
    forum = live or start(name)
    try:
        account = forum.accounts["Judge"]
        given = {
            "url": forum.url,
            "user": account.name,
            "password": account.password,
            "token": account.password,
            "category": forum.category,
            "retry": "1",
            **settings,
        }
        wanted: Sequence[Setting] = forum_settings(kind)
        known = {setting.name for setting in wanted}
        chosen = {name: str(value) for name, value in given.items() if name in known}
        judge.store.write(lambda session: add_forum(session, clock(), FORUM, kind, wanted, chosen))
        yield ForumTable(TestTable(judge, clock), forum, clock)  # type: ignore[arg-type] - a clock that goes
    finally:
        judge.close()
        if live is None:
            forum.stop()
