"""The only place where the parts are put together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from judge import registry
from judge.clock import Clock, utc_now
from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.forum import Connector
from judge.service import keys, records
from judge.service.delivery import Patience
from judge.service.places import BOARD, BY_HAND, Places
from judge.service.watching import Pace
from judge.settings import Settings
from judge.store import KeyFileError, Store, Vault, is_set_up, queries, unseal

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Judge:
    """A judge at work: what pages, commands and the clock share."""

    settings: Settings
    store: Store
    places: Places
    clock: Clock

    def close(self) -> None:
        self.clock.stop()
        self.places.close()
        self.store.close()


def create_judge(
    settings: Settings,
    now: Callable[[], datetime] = utc_now,
    games: Sequence[AnyRuleset] | None = None,
) -> Judge:
    """A judge on the database and key file of the settings, migrated and ready; its clock does not tick yet.

    `games` are taken instead of the installed ones; of several versions the newest is for new games.

    A new database gets a new key file.  A database without its key file is refused, since what is sealed in it could
    never be opened, and so is another database's key file: a turn that cannot be opened would look like a fault of
    its rules.  Raises StoreError or KeyFileError.
    """
    rules = {"ruleset": registry.ruleset, "rulesets": registry.rulesets()} if games is None else _rules_of(games)
    info = {**rules, "forums": registry.forums_without_account(), "pace": _pace(settings), "hook": registry.forum_hook}
    store = Store(settings.database_url, _vault(settings), info=info)
    try:
        store.migrate()
        with store.read() as session:
            sealed = queries.something_sealed(session)
            if sealed is not None:
                unseal(session, sealed)
        store.write(lambda session: _furnish(session, now()))
    except BaseException:
        store.close()
        raise
    places = Places(store, connector, now, settings.address)
    patience = Patience(settings.letters.retry_seconds, settings.letters.unsure_seconds)
    return Judge(settings, store, places, Clock(store, places, settings.clock.reminder_hours, now, patience))


def _furnish(session: Session, now: datetime) -> None:
    """What a judge of this version has and an older one did not: its keys, and a record of every game."""
    keys.make_keys(session, now)
    records.begin_for_older_games(session, now)


def connector(name: str) -> Connector:
    """The installed connector of a forum; where the host copies posts by hand, the judge's own board."""
    found: Connector = registry.forums()[BOARD if name == BY_HAND else name]
    return found


def _pace(settings: Settings) -> Pace:
    """How often forums are read."""
    reading = settings.reading
    return Pace(
        usual=timedelta(seconds=reading.poll_seconds),
        near=timedelta(seconds=reading.near_seconds),
        settling=timedelta(seconds=reading.settle_seconds),
    )


def _rules_of(games: Sequence[AnyRuleset]) -> dict[str, Any]:
    by_version = {(game.name, game.version): game for game in games}
    newest = {game.name: game for game in sorted(games, key=lambda game: game.version)}
    return {"ruleset": lambda name, version: by_version[name, version], "rulesets": newest}


def _vault(settings: Settings) -> Vault:
    path = settings.key_path
    if path.exists() or _has_data(settings):
        return Vault.open_file(path)
    try:
        return Vault.create_file(path)
    except FileExistsError:  # another judge started at the same moment
        return Vault.open_file(path)
    except OSError as error:
        text = Text.of("The key file {file} cannot be written: {reason}", file=str(path), reason=error.strerror or "–")
        raise KeyFileError(text) from error


def _has_data(settings: Settings) -> bool:
    """Whether there is a database already that a key was made for."""
    return is_set_up(settings.database_url)
