"""The clock: what is due gets done, whether anybody looks or not.

APScheduler runs one round every few seconds and holds no jobs of its own: what is due stands in the database, so a
judge that slept or was killed goes on where it was.  The last order of a turn wakes its game at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.schedulers.background import BackgroundScheduler
from sqlmodel import Session

from judge.core.order_json import dump_orders
from judge.service import inbox, intake, reading, turns, watching
from judge.service.delivery import PATIENT, Patience, deliver_due
from judge.service.places import Places
from judge.service.position import find_game, position
from judge.service.refusal import Refusal
from judge.store import KeyFileError, Store, StoreError, queries

log = logging.getLogger(__name__)

MOST_STEPS = 1000
"""Of one game in one round; a game of bots alone plays this many turns at most before others have their turn."""

LOOK_SECONDS = 5
"""Between two looks at which forums are to be read; how often each of them is, its watch says."""


def utc_now() -> datetime:
    """The time by this machine's clock."""
    return datetime.now(UTC)


class Clock:
    """Looks for work in all games, or does one game's work now.

    `now` is the time; tests set their own.
    """

    def __init__(
        self,
        store: Store,
        places: Places,
        reminder_hours: tuple[int, ...] = (),
        now: Callable[[], datetime] = utc_now,
        patience: Patience = PATIENT,
    ) -> None:
        self.now = now
        self._store = store
        self._places = places
        self._reminder_hours = reminder_hours
        self._patience = patience
        self._scheduler: BackgroundScheduler | None = None
        self._busy: dict[str, threading.Lock] = {}
        self._busy_guard = threading.Lock()
        self.last_round: datetime | None = None

    def start(self, tick_seconds: int) -> None:
        """Begins to tick in the background, at once and then every `tick_seconds`."""
        scheduler = BackgroundScheduler(
            timezone=UTC, job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        )
        scheduler.add_job(self.tick, "interval", seconds=tick_seconds, next_run_time=utc_now(), id="tick")
        scheduler.add_job(self.look_around, "interval", seconds=LOOK_SECONDS, id="look")
        scheduler.start()
        self._scheduler = scheduler
        self._store.on_wake = self.wake

    def stop(self) -> None:
        """Finishes what is under way and stops ticking."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=True)
            self._scheduler = None

    def wake(self, game_id: str) -> None:
        """Has the game looked at at once, in the background."""
        if self._scheduler is not None:
            # Two at once: what happened while one is at work is seen by the other, which waits for it to finish.
            self._scheduler.add_job(
                self.work, args=(game_id,), id=f"wake {game_id}", replace_existing=True, max_instances=2
            )

    def tick(self) -> int:
        """One round over all games: how many turns resolved and letters went out."""
        try:
            with self._store.read() as session:
                games = list(queries.games_with_work(session))
            done = sum(self.work(game_id) for game_id in games)
            done += self._deliver()
        except (StoreError, KeyFileError) as error:
            log.error("the round was broken off: %s", error)
            return 0
        self.last_round = self.now()
        return done

    def work(self, game_id: str) -> int:
        """Everything that is due in one game: bots, closing, resolving, reminders, letters.  How much there was."""
        with self._lock(game_id):
            done = 0
            try:
                for _ in range(MOST_STEPS):
                    # Bots play after the close: one that sat down too late must not hold the game up.
                    steps = self._look(game_id) + self._close(game_id)
                    steps += self._play_bots(game_id) + self._resolve(game_id)
                    if not steps:
                        break
                    done += steps
                self._remind(game_id)
            except (StoreError, KeyFileError) as error:
                log.error("game %s: %s", game_id, error)
                return done
            except Refusal as overtaken:
                # Another judge was faster between looking and doing; the next look finds what is left.
                log.info("game %s: %s", game_id, overtaken)
            except Exception as fault:
                # A fault in one game's rules must not stop the others.  Its text could hold orders, so only its kind
                # and place are logged.
                where = _place(fault)
                log.error("game %s is set aside: %s at %s", game_id, type(fault).__name__, where)
                alarm = f"{type(fault).__name__} at {where}"
                self._store.write(lambda session: turns.set_aside(session, self.now(), game_id, alarm))
            return done + self._deliver(game_id)

    def look_around(self) -> None:
        """Wakes the games on forums that it is time to look at."""
        try:
            with self._store.read() as session:
                games = watching.games_to_look_at(session, self.now())
        except StoreError as error:
            log.error("the round was broken off: %s", error)
            return
        for game_id in games:
            self.wake(game_id)

    def _look(self, game_id: str) -> int:
        """Reads what was posted on the game's forum, and the private messages there; whether that was done."""
        with self._store.read() as session:
            topic = watching.look_due(session, self.now(), game_id)
            messages = watching.inbox_due(session, self.now(), game_id)
            forum = find_game(session, game_id).forum
        found = int(messages and inbox.read_inbox(self._store, self._places, self.now, forum) > 0)
        return found + int(topic and reading.read(self._store, self._places, self.now, game_id) == "new")

    def _play_bots(self, game_id: str) -> int:
        with self._store.read() as session:
            waiting = turns.bots_to_play(session, game_id)
        if not waiting:
            return 0

        def hand_in(session: Session) -> int:
            turn = position(session, game_id).turn
            for seat, orders in turns.bots_to_play(session, game_id):
                data = dump_orders(orders)
                slip = intake.hand_in(session, self.now(), game_id, seat, intake.Source("bot"), data, turn.number)
                if slip.outcome != "counting":
                    raise RuntimeError("a bot's orders were refused")
            return len(waiting)

        return self._store.write(hand_in)

    def _close(self, game_id: str) -> int:
        with self._store.read() as session:
            if turns.due(session, self.now(), game_id) is None:
                return 0
        return int(self._store.write(lambda session: turns.close_if_due(session, self.now(), game_id)))

    def _resolve(self, game_id: str) -> int:
        with self._store.read() as session:
            turn = queries.latest_turn(session, game_id)
            if turn is None or turn.status != "closed":
                return 0
        self._deliver(game_id)  # seals are published before anything is opened
        return int(self._store.write(lambda session: turns.resolve(session, self.now(), game_id)))

    def _remind(self, game_id: str) -> None:
        def remind(session: Session) -> bool:
            return turns.remind(session, self.now(), game_id, self._reminder_hours)

        with self._store.read() as session:
            due = turns.reminder_due(session, self.now(), game_id, self._reminder_hours)
        if due is not None:
            self._store.write(remind)

    def _deliver(self, game_id: str | None = None) -> int:
        return deliver_due(self._store, self._places, self.now, game_id, self._patience)

    def _lock(self, game_id: str) -> threading.Lock:
        """One worker a game in this process; other processes are kept apart by the turn's row."""
        with self._busy_guard:
            return self._busy.setdefault(game_id, threading.Lock())


def _place(fault: BaseException) -> str:
    """File and line of a fault, without its text."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "?" if trace is None else f"{trace.tb_frame.f_code.co_filename.rsplit('/', 2)[-1]}:{trace.tb_lineno}"
