"""Whole games of bots in memory, one after the other or several at once in processes of their own.

A game is the same whoever plays it, and games come back in the order in which they were asked for, so nothing told
about them depends on the number of workers.  What goes wrong in a game comes back as its result: an exception need not
survive the way between two processes.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from traceback import format_exc
from typing import Any

from judge.cli.terminal import FailureError
from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import AnyRuleset, Seat, resolve_turn
from judge.core.text import Text
from judge.registry import ruleset as installed

MOST_TURNS = 2000
"""A game that is not over by then will not end."""

QUEUED = 4
"""Games that wait for each worker, so that none is idle and a million games need no memory."""


@dataclass(frozen=True)
class Game:
    """What makes a game of bots: its ruleset by name, the options as JSON, and the secret of all its chance."""

    ruleset: str
    options: Mapping[str, Any]
    seats: int
    secret: bytes


@dataclass(frozen=True)
class Ended:
    """A game that is over: its turns, everybody's points, and what its ruleset counts in it."""

    turns: int
    points: Sequence[int]
    figures: Sequence[tuple[Text, Sequence[int]]]


@dataclass(frozen=True)
class Failed:
    """A game that went wrong, and where in the program, if it was the program's fault."""

    why: Text
    trace: str | None = None


class GameError(Exception):
    """Carries the trace of a fault out of the process in which it happened."""


def played(games: Iterable[Game], workers: int) -> Generator[Ended]:
    """The games in their order, each as soon as it is over.  The first one that goes wrong is a FailureError."""
    for outcome in map(_outcome, games) if workers == 1 else _in_processes(games, workers):
        if isinstance(outcome, Failed):
            raise FailureError(outcome.why) from (GameError(outcome.trace) if outcome.trace else None)
        yield outcome


def _in_processes(games: Iterable[Game], workers: int) -> Iterator[Ended | Failed]:
    waiting: deque[Future[Ended | Failed]] = deque()
    with _pool(workers) as pool:
        for game in games:
            with _interrupt_held_back():  # a process starts when there is work for it, and inherits this
                waiting.append(pool.submit(_outcome, game))
            if len(waiting) > QUEUED * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that start afresh, copying no threads of this one, and end with it, however it ends."""
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_watch_parent)
    try:
        yield pool
    except BaseException as error:
        for worker in active_children():
            worker.terminate()
        if isinstance(error, BrokenProcessPool):
            raise FailureError(Text.of("A process that played games has been ended from outside.")) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupt_held_back() -> Iterator[None]:
    """Ctrl-C goes to all processes of a terminal; the one that was called ends the others, so they need not hear it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _watch_parent() -> None:
    """A worker waits for its next game for ever, even if nobody is left to send one."""

    def end_with_it() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=end_with_it, daemon=True).start()


def _outcome(game: Game) -> Ended | Failed:
    ruleset = installed(game.ruleset)
    try:
        return play(ruleset, game)
    except Exception as error:
        text = Text.of(
            "{game} with {seats} bots: the rules or the bots have a fault ({kind}). "
            "The same command as “judge --debug …” shows where.",
            game=ruleset.title,
            seats=game.seats,
            kind=type(error).__name__,
        )
        return Failed(text, format_exc())


def play(ruleset: AnyRuleset, game: Game) -> Ended | Failed:
    """One game from its set-up to its end, in this process."""
    seats = [str(seat) for seat in range(1, game.seats + 1)]
    state = ruleset.setup(seats, ruleset.Options.model_validate(game.options), Dice(game.secret, context=b"set-up"))
    for turn in range(1, MOST_TURNS + 1):
        asks = ruleset.asks(state)
        if not asks:
            return Ended(turn - 1, [points for _seat, points in ruleset.standings(state)], ruleset.figures(state))
        orders: dict[Seat | None, Sequence[Order]] = {}
        for seat, ask in asks.items():
            if ask.forced is not None:
                orders[seat] = ask.forced
                continue
            whims = Dice(game.secret, context=f"bot {seat} turn {turn}".encode())
            orders[seat] = list(ruleset.bot(ruleset.view(state, seat), seat, ask, whims))
            for problem in ruleset.check(state, seat, orders[seat]):
                if not problem.warning:
                    return _failed(ruleset, game.seats, turn, problem.text)
        state, _events = resolve_turn(ruleset, state, orders, Dice(game.secret, context=f"turn {turn}".encode()))
    return _failed(ruleset, game.seats, MOST_TURNS, Text.of("the game is still not over"))


def _failed(ruleset: AnyRuleset, seats: int, turn: int, why: Text) -> Failed:
    return Failed(
        Text.of("{game} with {seats} bots, turn {turn}: {why}", game=ruleset.title, seats=seats, turn=turn, why=why)
    )
