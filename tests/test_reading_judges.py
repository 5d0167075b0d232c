"""Reading a topic when things go wrong: two judges at once, a killed one, a game that moves, forums on bad days."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from asyncio import to_thread
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from sqlmodel import Session, update
from starlette.responses import JSONResponse, Response, StreamingResponse

from judge.service import moving
from judge.store import Vault
from judge.store.forum_tables import ForumRow, WatchRow
from tests.at_the_forum import ForumTable, at_the_forum
from tests.topic_on_paper import PaperClub, add_account, judge_at, on_paper

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[PaperClub]:
    with on_paper(tmp_path / "here") as club:
        yield club


@pytest.mark.parametrize(
    "order",
    [lambda paper: paper.write("Anna", "X:3 zu 40"), lambda paper: paper.message("Anna", "X:3 zu 40")],
    ids=["post", "message"],
)
def test_two_judges_that_read_at_the_same_time_take_everything_once(
    club: PaperClub, tmp_path: Path, order: Callable[..., object]
) -> None:
    """T009 for posts: the second has listed what the first has taken in since."""
    club.open(claim=False)
    club.paper.write("Ben", f"{club.word(BEN)}\nF:1 zu 33")
    club.paper.message("Anna", f"{club.word(ANNA)}")
    club.look()
    order(club.paper)
    second = judge_at(tmp_path / "here", club.clock, club.paper)
    try:
        club.paper.meanwhile = lambda: second.clock.work(club.table.game_id)
        club.look()
        assert club.paper.meanwhile is None
        assert club.lines(ANNA) == ["X:3 at 40"]
        assert [len(club.receipts(seat)) for seat in (ANNA, BEN)] == [1, 1]
        assert set(Counter((sight.post_id, sight.hash) for sight in club.sights()).values()) == {1}
    finally:
        second.close()


def test_a_game_that_moves_is_read_by_its_new_judge_alone(club: PaperClub, tmp_path: Path) -> None:
    """What was read stays read, and what was posted on the way is read there."""
    club.open()
    club.paper.write("Anna", "X:3 zu 40")
    club.look()
    file = club.table.do(moving.pack, club.table.game_id)
    club.paper.write("Ben", "X:2 zu 41")
    club.look()
    assert club.receipts(BEN) == [], "the judge that let it go does not read it any more"
    there = judge_at(tmp_path / "there", club.clock, club.paper)
    try:
        add_account(there, club.clock)
        key = Vault.open_file(club.table.judge.settings.key_path)
        there.store.write(lambda session: moving.bring_in(session, club.clock(), file, key))
        club.table.judge, here = there, club.table.judge
        club.look()
        assert club.lines(ANNA) == ["X:3 at 40"]
        assert len(club.receipts(ANNA)) == 1
        assert club.lines(BEN) == ["X:2 at 41"]
    finally:
        club.table.judge = here
        there.close()


def begin_anew(club: ForumTable) -> None:
    """The topic and the messages are due at once."""

    def due(session: Session) -> None:
        session.exec(update(WatchRow).values(next_look=None, read=None))
        session.exec(update(ForumRow).values(inbox_next=None))

    club.table.judge.store.write(due)


def test_a_judge_that_is_killed_while_it_reads_counts_nothing_twice(tmp_path: Path) -> None:
    """By kill -9, in a process of its own, when it has half of the posts."""
    with at_the_forum("documented.nodebb", tmp_path) as club:
        club.open()
        club.post("Anna", "X:3 zu 40")
        last = club.post("Ben", "X:2 zu 41")
        asked = threading.Event()

        async def never() -> AsyncIterator[bytes]:
            asked.set()
            while not killed.is_set():
                yield b" "
                await to_thread(killed.wait, 0.05)

        killed = threading.Event()
        club.live.keeper.instead(rf"GET /api/v3/posts/{last}/raw", StreamingResponse(never()))  # type: ignore[attr-defined]
        begin_anew(club)
        environment = {**os.environ, "GAMEJUDGE_DATA": str(tmp_path)}
        command = [sys.executable, "-c", "from judge.cli import main; main()", "tick"]
        with subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE) as judge:
            assert asked.wait(60), "the judge never came so far"
            judge.kill()
            judge.wait()
        killed.set()
        assert club.receipts(ANNA) == []
        for _ in range(2):
            club.look()
        assert (club.lines(ANNA), club.lines(BEN)) == (["X:3 at 40"], ["X:2 at 41"])
        assert [len(club.receipts(seat)) for seat in (ANNA, BEN)] == [1, 1]


def test_a_limit_on_page_two_is_waited_for_and_nothing_is_read_twice(tmp_path: Path) -> None:
    """T246, T247: 61 posts in pages of 20, two of them hidden; the forum asks for 39 seconds in the middle."""
    with at_the_forum("documented.discourse", tmp_path) as club:
        club.open()
        known = len(club.sights())
        posts = [club.post("Stranger", f"Nice to watch, {number}") for number in range(59)]
        posts += [club.post("Anna", "X:3 zu 40"), club.post("Ben", "X:2 zu 41")]
        for post in (posts[7], posts[60]):
            club.live.acts.hide(club.topic, post)
        wait = Response(status_code=429, headers={"Retry-After": "39"})
        club.live.keeper.instead(r"GET /t/\d+/posts", wait, times=99, after=1)  # type: ignore[attr-defined]
        club.look()
        watch = club.watch()
        assert watch.failures == 1
        assert watch.next_look is not None
        assert 30 <= (watch.next_look - club.clock()).total_seconds() <= 39
        assert len(club.sights()) == known, "half of a topic is none"
        club.live.keeper.faults.clear()  # type: ignore[attr-defined]
        club.look(seconds=40)
        club.look()
        seen = Counter(sight.post_id for sight in club.sights()[known:])
        assert seen == dict.fromkeys(posts, 1)
        assert sum(sight.state == "visible" for sight in club.sights()[known:]) == 59
        assert club.lines(ANNA) == ["X:3 at 40"]
        assert club.receipts(BEN) == []


def test_a_changed_layout_raises_an_alarm_and_nobody_is_absent(tmp_path: Path) -> None:
    """T248: a page without a post is not "nobody posted"."""
    with at_the_forum("documented.nodebb", tmp_path) as club:
        club.open(deadline={"rule": "hours", "hours": 1})
        club.post("Anna", "X:3 zu 40")
        other = JSONResponse({"topic": {"entries": []}})
        club.live.keeper.instead(r"GET /api/topic/", other, times=99)  # type: ignore[attr-defined]
        club.look(hours=2)
        assert club.table.turn().number == 1
        assert club.watch().alarm
        club.live.keeper.faults.clear()  # type: ignore[attr-defined]
        club.look(minutes=20)
        assert not club.watch().alarm
        assert club.table.turn(1).missed == [BEN, CEM, DORA]
