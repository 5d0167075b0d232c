"""A judge, a proxy and a forum; letters that meet faults, and a moderator who looks at what became of them.

The judge posts by the code that the clock runs, in this process or in one of its own that is killed with -9.  Whatever
happened, the judge of this process goes on afterwards on the same database, as one that was started again would.
"""

from __future__ import annotations

import json
import os
import re
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlmodel import Session

from judge.bootstrap import Judge, create_judge
from judge.core.report import Line, Report, Table
from judge.core.text import Money, Text
from judge.service import table
from judge.service.delivery import Patience, deliver_due
from judge.service.publishing import THREAD, write_letter
from judge.settings import Settings
from judge.store import queries, seal
from judge.store.forum_tables import ForumRow
from judge.store.tables import GameRow, LetterRow, SeatRow
from tests.faults.nursery import Nursery
from tests.faults.plans import Plan, plans
from tests.faults.proxy import Fault, Proxy
from tests.forums import LiveForum
from tests.forums.contract import SECRETS

PATIENCE = Patience(retry=(1, 2), unsure=8)
"""A try is left alone for longer than the slowest forum takes for all of one."""
ROUNDS = 30
FORUM = "faulty"
MOST_TO_WRITE = 40_000
"""Characters of a letter in parts: forums with longer posts are spared it."""
READER = "Anna"
SEAT = "1"
KEY = re.compile(r"gamejudge (\S+)")
GIVE_UP = 3
"""Seconds until the judge no longer waits for an answer."""
LISTS = {
    "misago": "/api/threads/?category={category}",
    "spirit": "/user/topics/{judge}/",
    "punkweb": "/members/{judge}/",
    "nodebb": "/api/user/{slug}/topics",
    "discourse": "/topics/created-by/{name}.json",
    "phpbb": "/viewforum.php?f={category}",
    "mybb": "/forumdisplay.php?fid={category}",
}
"""Where everybody sees which topics there are."""


@dataclass
class JumpingClock:
    """The time, and how far the judge's clock is ahead of it, since no test waits as long as a judge does."""

    ahead: timedelta = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass
class Scene:
    """Everything for one forum."""

    live: LiveForum
    nursery: Nursery
    proxy: Proxy
    judge: Judge
    clock: JumpingClock
    in_real_time: bool = False
    """Waits are waited for, since the forum counts by its own clock."""
    game_id: str = ""
    number: int = 0
    expected: dict[str, list[str]] = field(default_factory=dict)
    """The keys that must stand in each game's topic, in this order."""
    told: list[str] = field(default_factory=list)
    """The keys that must have been sent to the reader."""
    written: int = 0
    """Letters."""
    found: set[str] = field(default_factory=set)
    """The keys of those that were found once and in their place."""
    met: list[str] = field(default_factory=list)
    """The faults that came to pass."""

    @property
    def private(self) -> bool:
        """Whether the forum has private messages."""
        return "message" not in self.live.acts.lacks

    def plans(self, forum: str, count: int, first: int = 1) -> Iterator[Plan]:
        """What goes wrong on the way to this forum."""
        parts = self.longest is not None and self.longest <= MOST_TO_WRITE
        return plans(forum, count, private=self.private, parts=parts, first=first)

    @property
    def longest(self) -> int | None:
        """Characters of a post there."""
        with self.judge.places.log_in(FORUM) as forum:
            return forum.caps.max_length

    def suffer(self, plan: Plan) -> None:
        """A letter meets a fault; it and those behind it stand in the forum in the end, or this says why not."""
        if plan.target == "opening" or not self.game_id:
            self._new_game()
            if plan.target != "opening":
                self._letter(THREAD)
                self._deliver(plan)
        self.clock.ahead = timedelta()
        for fault in plan.fault.ways():
            self._letter(SEAT if plan.target == "private" else THREAD, in_parts=plan.target == "in parts")
            for _ in range(plan.followers):
                self._letter(THREAD)
            self.proxy.arm(fault)
            if fault.kills:
                self._die(fault)
            self._deliver(plan)
            if self.proxy.fired is not None:
                self.met.append(f"{plan.name}: {plan.target}, {fault.action} ({fault.step}: {self.proxy.fired})")
                return
        raise AssertionError(f"{plan} did not come to pass: {self.proxy.counts}")

    def check(self) -> None:
        """The moderator reads every topic; the reader reads her messages."""
        for game_id, keys in self.expected.items():
            topic, title = self._topic(game_id)
            posts = self.live.acts.read(topic)
            judges = [post for post in posts if post.author_id == self.live.accounts["Judge"].id]
            found = [key for post in judges for key in KEY.findall(post.text or "")]
            assert found == keys, f"{self.live.name}: {_difference(keys, found)}; faults: {self.met}"
            assert len(judges) == len(posts)
            self.found.update(found)
            assert self._topics_called(title) == 1, f"{self.live.name}: the topic was opened more than once: {self.met}"
        if self.private:
            texts = self.live.acts.messages(READER)
            found = [key for text in texts for key in KEY.findall(text) if key.split("/")[0] in self.expected]
            assert sorted(found) == sorted(self.told), f"{_difference(self.told, found)}; faults: {self.met}"
            self.found.update(found)
        self.expected = {self.game_id: self.expected[self.game_id]}
        self.told = [key for key in self.told if key.startswith(f"{self.game_id}/")]

    def close(self) -> None:
        self.judge.close()
        self.proxy.close()

    # What is to be sent

    def _new_game(self) -> None:
        self.clock.ahead = timedelta()  # its links must not be younger than its letters
        self.number += 1
        seats = tuple(table.SeatPlan(name=name) for name in ("Anna", "Ben", "Cem", "Dora"))
        new = table.NewGame(
            ruleset="commodity-market", seats=seats, forum=FORUM, title=f"Faults {os.getpid()}-{self.number}"
        )
        self.game_id = self.judge.store.write(lambda session: table.new_game(session, self.clock(), new)).game_id
        self.judge.store.write(self._sit_down)
        self.expected[self.game_id] = []

    def _sit_down(self, session: Session) -> None:
        row = session.get_one(SeatRow, (self.game_id, SEAT))
        row.author_id = self.live.accounts[READER].id
        session.add(row)

    def _letter(self, to: str, in_parts: bool = False) -> None:
        """Puts one into the outbox; the first of a game opens its topic."""
        opens = not self.expected[self.game_id] and to == THREAD
        self.number += 1
        self.written += 1
        kind = "opening" if opens else f"notice-{self.number}"

        rows = (_table(self.longest or 0),) if in_parts else ()

        def put(session: Session) -> str:
            game = session.get_one(GameRow, self.game_id)
            title = Text.of("{title}", title=game.title if opens else f"Notice {self.number}")
            report = Report(title=title, blocks=(Line(text=Text.of("Four units were sold.")), *rows))
            assert write_letter(session, self.clock(), game, kind, report, to)
            return queries.letters(session, self.game_id)[-1].key

        key = self.judge.store.write(put)
        (self.expected[self.game_id] if to == THREAD else self.told).append(key)

    # How it is sent

    def _deliver(self, plan: Plan) -> None:
        """Rounds, with the waits in between, until nothing is under way."""
        for _ in range(ROUNDS):
            deliver_due(self.judge.store, self.judge.places, self.clock, self.game_id, PATIENCE)
            self.proxy.settle()
            with self.judge.store.read() as session:
                left = list(queries.letters_under_way(session, self.game_id))
                session.expunge_all()
            if not left:
                self._none_was_given_up()
                return
            if self.in_real_time:
                time.sleep(self._wait(left).total_seconds())
            else:
                self.clock.ahead += self._wait(left)
        raise AssertionError(f"{plan}: not sent after {ROUNDS} rounds: {[letter.error for letter in left]}")

    def _wait(self, left: list[LetterRow]) -> timedelta:
        """Until the next of them is tried."""
        moments = [letter.next_try for letter in left if letter.next_try is not None]
        moments += [letter.begun + PATIENCE.until_sure for letter in left if letter.begun is not None]
        return max(min(moments, default=self.clock()) - self.clock(), timedelta()) + timedelta(milliseconds=1)

    def _none_was_given_up(self) -> None:
        """Those in parts must stand there in all of them."""
        with self.judge.store.read() as session:
            letters = {letter.key: letter for letter in queries.letters(session, self.game_id)}
            session.expunge_all()
        other = [key for key, letter in letters.items() if letter.status != "sent"]
        assert not other, f"given up: {other}"
        self.expected[self.game_id] = [
            part for key in self.expected[self.game_id] for part in (_parts(letters[key]) if key in letters else [key])
        ]

    def _die(self, fault: Fault) -> None:
        """A judge of its own looks for work once, and is killed where the fault says so."""
        code = self.nursery.one_judge(self._kill_when_it_is_time)
        if self.proxy.fired is not None:
            # Its last request may have been answered, so that it had nothing more to do.
            ended = [0] if fault.action == "killed after the answer" else []
            assert code in (-signal.SIGKILL, *ended), self.nursery.log.read_text()

    def _kill_when_it_is_time(self, judge: int) -> None:
        def kill() -> None:
            with suppress(ProcessLookupError):
                os.kill(judge, signal.SIGKILL)

        self.proxy.kill = kill

    # What others see

    def _topic(self, game_id: str) -> tuple[str, str]:
        with self.judge.store.read() as session:
            game = session.get_one(GameRow, game_id)
            assert game.thread is not None
            return game.thread, game.title

    def _topics_called(self, title: str) -> int:
        judge = self.live.accounts["Judge"]
        path = LISTS[self.live.name].format(
            category=self.live.category, judge=judge.id, name=judge.name, slug=judge.name.lower()
        )
        visitor = self.live.acts.visitors["Moderator"]
        answer = visitor.http.get(path).raise_for_status()
        if "json" in answer.headers["content-type"]:
            return len(re.findall(rf'"title": ?{re.escape(json.dumps(title))}', answer.text))
        return sum(link.get_text(strip=True) == title for link in visitor.page(path).select("a"))


def _table(longest: int) -> Table:
    """More than one post holds."""
    rows = tuple((f"Lot {number}", Money(1000 + number)) for number in range(longest // 15))
    return Table(title=Text.of("Lots"), head=(Text.of("Lot"), Text.of("Price")), rows=rows)


def _parts(letter: LetterRow) -> list[str]:
    if letter.parts is None:
        return [letter.key]
    return [f"{letter.key}#{part}/{len(letter.parts)}" for part in range(1, len(letter.parts) + 1)]


def _difference(wanted: list[str], found: list[str]) -> str:
    lost = [key for key in wanted if key not in found]
    doubled = sorted({key for key in found if found.count(key) > 1})
    return f"lost {lost}, doubled {doubled}" if lost or doubled else f"in another order: {found}, not {wanted}"


@contextmanager
def scene(live: LiveForum, *, in_real_time: bool = False) -> Iterator[Scene]:
    """A judge with an account on the forum, whose only way there leads through the proxy."""
    with tempfile.TemporaryDirectory(prefix="gamejudge-faults-") as name:
        folder, clock = Path(name), JumpingClock()
        proxy = Proxy(live.url)
        account, secret = live.accounts["Judge"], SECRETS.get(live.name, "password")
        open_settings = {"url": proxy.url, "category": live.category, "user": account.name}
        judge = create_judge(Settings(data=folder), now=clock)

        def furnish(session: Session) -> None:
            row = ForumRow(
                name=FORUM,
                connector=live.name,
                settings={**open_settings, "retry": "1", "timeout": str(GIVE_UP)},
                created=clock(),
                sealed_settings=seal(session, {secret: account.password}),
            )
            session.add(row)

        judge.store.write(furnish)
        with Nursery(folder) as nursery:
            at_work = Scene(live, nursery, proxy, judge, clock, in_real_time)
            try:
                yield at_work
            finally:
                at_work.close()
