"""A judge at work with a clock that tests set: a real store, the built-in board, no scheduler.

`table.order("1", "X:3 at 40")` hands in orders; `table.look()` does what the scheduler would do now.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge.bootstrap import Judge, create_judge
from judge.core.ruleset import AnyRuleset, View
from judge.service import chance, intake, table, thread
from judge.service.access import Access
from judge.service.position import Position, position
from judge.service.receipts import Receipt
from judge.settings import Settings
from judge.store import queries
from judge.store.tables import LetterRow, TurnRow

GAME = "commodity-market"
NAMES = ("Anna", "Ben", "Cem", "Dora")
START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@dataclass
class SetClock:
    """A clock that stands until it is moved."""

    time: datetime = START

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **by: int) -> None:
        self.time += timedelta(**by)


@dataclass
class TestTable:
    """One judge, and the game that was opened last."""

    __test__ = False

    judge: Judge
    clock: SetClock
    game_id: str = ""
    opened: table.Opened | None = None
    tokens: dict[str, str] = field(default_factory=dict)

    def open(self, names: tuple[str, ...] = NAMES, start: bool = True, **plan: Any) -> str:
        """Opens a game (and starts it); "bot" and "" among the names are a bot and a free seat."""
        seats = tuple(table.SeatPlan(name="" if n in ("bot", "") else n, bot=n == "bot") for n in names)
        new = table.NewGame(**{"ruleset": GAME, "seats": seats, **plan})
        self.opened = self.judge.store.write(lambda session: table.new_game(session, self.clock(), new))
        self.game_id, self.tokens = self.opened.game_id, self.opened.seat_tokens
        if start:
            self.do(table.start, self.game_id)
        return self.game_id

    def do(self, use_case: Any, *args: Any, **kwargs: Any) -> Any:
        """Runs a use case now."""
        return self.judge.store.write(lambda session: use_case(session, self.clock(), *args, **kwargs))

    def order(self, seat: str, text: str, **source: Any) -> Receipt:
        """Hands in orders as text on the order page."""
        source = {"via": "form", **source}
        return self.do(intake.hand_in_text, self.game_id, seat, intake.Source(**source), text)

    def post(self, seat: str, text: str) -> thread.Posted:
        """Writes a post in the thread as the player of a seat."""
        return self.do(thread.post, Access(self.game_id, seat=seat), "", "", text)

    def thread(self, seat: str | None = None) -> list[thread.Shown]:
        """The thread as a player, or anybody, sees it."""
        with self.judge.store.read() as session:
            return thread.posts(session, Access(self.game_id, seat=seat), "somebody")

    def look(self) -> int:
        """What the clock does when it looks at the game."""
        return self.judge.clock.work(self.game_id)

    def turn(self, number: int | None = None) -> TurnRow:
        with self.judge.store.read() as session:
            row = queries.latest_turn(session, self.game_id)
            if number is not None:
                row = queries.turn(session, self.game_id, number)
            assert row is not None
            session.expunge(row)
            return row

    def position(self) -> Position:
        with self.judge.store.read() as session:
            where = position(session, self.game_id)
            session.expunge_all()
            return where

    def view(self) -> View:
        where = self.position()
        return where.ruleset.view(where.state, None)

    def all_letters(self) -> list[LetterRow]:
        with self.judge.store.read() as session:
            rows = list(queries.letters(session, self.game_id))
            session.expunge_all()
            return rows

    def letters(self, kind: str) -> list[LetterRow]:
        with self.judge.store.read() as session:
            rows = [row for row in queries.letters(session, self.game_id) if row.kind == kind]
            session.expunge_all()
            return rows


def sit_down(folder: Path, database: str = "", games: Sequence[AnyRuleset] | None = None) -> TestTable:
    """A judge whose database and key file are in this folder."""
    clock = SetClock()
    return TestTable(create_judge(Settings(data=folder, database=database), now=clock, games=games), clock)


def fix_chance(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """New games have the same number and secrets in each run, so that the same cards are dealt."""
    chosen = random.Random(seed)
    monkeypatch.setattr(chance, "secrets", SimpleNamespace(token_bytes=chosen.randbytes))
    monkeypatch.setattr(table, "secrets", SimpleNamespace(choice=chosen.choice))
