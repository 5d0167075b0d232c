"""The forums at which games are played here, and the judge's connection to each game's topic.

A connection is kept while its game, topic and account stay the same, so that the judge logs in once and not for each
letter.  One thread at a time uses it.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from judge.core.text import Text
from judge.forum import Changed, Connector, Forum, ForumError, Place
from judge.store import KeyFileError, Store, StoreError, unseal
from judge.store.forum_tables import ForumRow
from judge.store.tables import GameRow

log = logging.getLogger(__name__)

BOARD = "board"
"""The judge's own board."""
BY_HAND = "by-hand"
"""The forum of a game whose host copies posts to and fro; the judge itself posts on its own board."""

MOST_KEPT = 200
"""Connections; one more closes the one that was used longest ago."""


def known_forums(session: Session) -> tuple[str, ...]:
    """The names under which a game can be opened here: the built-in ones, and those with an account."""
    return (*session.info["forums"], *session.exec(select(ForumRow.name).order_by(ForumRow.name)).all(), BY_HAND)


def account_of(session: Session, game: GameRow) -> ForumRow | None:
    """The judge's account where the game is played; None on its own board or if it has none there now."""
    return session.get(ForumRow, game.forum)


def plays_elsewhere(session: Session, game: GameRow) -> bool:
    """Whether a game is played and talked about on a forum, and not on the judge's own board."""
    return game.forum != BY_HAND and game.forum not in session.info["forums"]


@contextmanager
def faults_as_changes() -> Iterator[None]:
    """What a connector stumbles over while it reads is a forum that is not as it is known to be, and no game's fault.

    The text of such a fault could hold orders.
    """
    try:
        yield
    except (ForumError, StoreError, KeyFileError):
        raise
    except Exception as fault:
        log.error("%s in a forum's connector", type(fault).__name__, exc_info=log.isEnabledFor(logging.DEBUG))
        raise Changed(fault_of(fault)) from fault


def fault_of(fault: Exception) -> Text:
    """What people are told of a connector's own fault: its kind, since its text could hold orders."""
    return Text.of("{kind} in the forum's connector", kind=type(fault).__name__)


@dataclass
class _Kept:
    """A connection and what it was made from."""

    made_from: tuple[object, ...]
    forum: Forum
    used: threading.RLock = field(default_factory=threading.RLock)


class Places:
    """The judge's connections.

    `connectors` gives the connector of a kind of forum; `address` is where the judge is, for the forums' operators.
    """

    def __init__(
        self, store: Store, connectors: Callable[[str], Connector], now: Callable[[], datetime], address: str = ""
    ) -> None:
        self._store = store
        self._connectors = connectors
        self._now = now
        self._address = address
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._guard = threading.Lock()

    @contextmanager
    def visit(self, game_id: str) -> Iterator[Forum]:
        """The connection to a game's topic, or to where it will be opened.  May raise a ForumError."""
        with self._store.read() as session:
            game = session.get_one(GameRow, game_id)
            account = account_of(session, game)
            kind = game.forum if account is None else account.connector
            settings = {} if account is None else self._settings(session, account)
            thread = game.thread
        place = Place(game_id, thread, self._store, self._now, settings)
        with self._connected(f"game {game_id}", kind, place) as forum:
            yield forum

    @contextmanager
    def log_in(self, name: str, thread: str | None = None) -> Iterator[Forum]:
        """The judge's account on a forum, outside of any game.  May raise a ForumError."""
        with self._store.read() as session:
            account = session.get_one(ForumRow, name)
            kind, settings = account.connector, self._settings(session, account)
        with self._connected(f"forum {name}", kind, Place("", thread, self._store, self._now, settings)) as forum:
            yield forum

    def close(self) -> None:
        """Lets go of all connections."""
        with self._guard:
            for kept in self._kept.values():
                kept.forum.close()
            self._kept.clear()

    def _settings(self, session: Session, account: ForumRow) -> dict[str, Any]:
        return {"address": self._address, **account.settings, **unseal(session, account.sealed_settings)}

    @contextmanager
    def _connected(self, name: str, kind: str, place: Place) -> Iterator[Forum]:
        made_from = (kind, place.thread, repr(sorted(place.settings.items())))
        with self._guard:
            kept = self._kept.get(name)
            if kept is None or kept.made_from != made_from:
                fresh = _Kept(made_from, self._connectors(kind)(place))
                self._kept[name] = fresh
                closing, kept = kept, fresh
            else:
                closing = None
            self._kept.move_to_end(name)
            spare = self._kept.popitem(last=False)[1] if len(self._kept) > MOST_KEPT else None
        for old in (closing, spare):
            if old is not None:
                with old.used:
                    old.forum.close()
        with kept.used:
            yield kept.forum
