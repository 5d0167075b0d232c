"""The one writer, and everybody's reading.

All writes of a process go through `Store.write(fn)`: one thread runs what has queued, each `fn(session)` in a
savepoint of its own, and commits once for all of them.  An answer follows its commit, so what was acknowledged is on
disk.  Writers of other processes (the command line, a second judge) wait for each other: SQLite begins every write with
BEGIN IMMEDIATE, PostgreSQL with an advisory lock.  So a unit of work never has to think of another one beside it.

Services reach the vault and the woken games through the session: `seal`, `unseal`, `wake`.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlmodel import Session

from judge.core.text import Text
from judge.store import migrate
from judge.store.errors import StoreError
from judge.store.vault import Vault

T = TypeVar("T")
MOST_IN_ONE_COMMIT = 64
WRITERS_LOCK = 0x6A75646765
"""The number of the judge's advisory lock in PostgreSQL: "judge" in ASCII."""


Job = tuple[Callable[[Session], Any], Future[Any]]


class Store:
    """The database behind a judge.

    url       an SQLAlchemy URL (SQLite or PostgreSQL)
    vault     seals and opens the sealed columns
    info      handed to every session as `session.info`, for what services need (the installed rulesets)
    busy_seconds   how long a writer waits for those of other programs
    on_wake   called after a commit with the ids of games that have work to do at once
    """

    def __init__(self, url: str, vault: Vault, info: Mapping[str, Any] | None = None, busy_seconds: float = 10) -> None:
        self._engine = _engine(url, busy_seconds)
        self._busy_seconds = busy_seconds
        self._info = {**(info or {}), "vault": vault}
        self._jobs: queue.Queue[Job | None] = queue.Queue()
        self._writer: threading.Thread | None = None
        self._starting = threading.Lock()
        self._closed = False
        self.on_wake: Callable[[str], None] = lambda game_id: None

    # Reading

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session for looking only; it sees what is committed and changes nothing."""
        try:
            with Session(self._engine, info=dict(self._info)) as session:
                yield session
        except DBAPIError as error:
            raise _store_error(error) from error

    # Writing

    def write(self, work: Callable[[Session], T]) -> T:
        """Runs `work(session)` in the writer and returns its answer once it is on disk.

        Whatever `work` raises undoes this work alone and is raised here.  StoreError if the database refuses.
        """
        if self._closed:
            raise StoreError(Text.of("The judge is shutting down: try again in a moment"))
        answer: Future[T] = Future()
        self._jobs.put((work, answer))
        self._start_writer()
        return answer.result()

    def close(self) -> None:
        """Lets the writer finish what has queued, then closes all connections."""
        self._closed = True
        if self._writer is not None and self._writer.is_alive():
            self._jobs.put(None)
            self._writer.join()
        self._engine.dispose()

    def _start_writer(self) -> None:
        with self._starting:
            if self._writer is None or not self._writer.is_alive():
                self._writer = threading.Thread(target=self._write_all, name="store-writer", daemon=True)
                self._writer.start()

    def _write_all(self) -> None:
        while (job := self._jobs.get()) is not None:
            batch = [job]
            stop = False
            while len(batch) < MOST_IN_ONE_COMMIT:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if following is None:
                    stop = True
                    break
                batch.append(following)
            self._write_batch(batch)
            if stop:
                return

    def _write_batch(self, batch: list[Job]) -> None:
        done: list[tuple[Future[Any], Any]] = []
        woken: list[str] = []
        try:
            engine = self._engine.execution_options(writing=True)
            with Session(engine, info=dict(self._info), expire_on_commit=False) as session:
                session.connection()  # begins, and waits for the lock, before any work looks at the data
                for work, future in batch:
                    session.info["woken"] = []
                    try:
                        with session.begin_nested():
                            result = work(session)
                            session.flush()
                    except OperationalError:
                        raise
                    except BaseException as error:
                        session.expire_all()
                        future.set_exception(error)
                    else:
                        done.append((future, result))
                        woken += session.info["woken"]
                session.commit()
        except BaseException as error:
            told = _store_error(error) if isinstance(error, DBAPIError) else error
            for _, future in batch:
                if not future.done():
                    future.set_exception(told)
            return
        for future, result in done:
            future.set_result(result)
        for game_id in dict.fromkeys(woken):
            self.on_wake(game_id)

    # Schema

    def migrate(self) -> None:
        """Brings the schema up to date; of two judges that start at once, one waits for the other.

        A database that a newer version has touched is refused.
        """
        give_up = time.monotonic() + self._busy_seconds
        try:
            while not self._upgraded(give_up):
                time.sleep(0.05)
        except CommandError as error:
            raise StoreError(
                Text.of(
                    "The database was written by a newer version of the judge: install that version again, "
                    "or use another database"
                )
            ) from error
        except DBAPIError as error:
            raise _store_error(error) from error

    def _upgraded(self, give_up: float) -> bool:
        """Whether the schema is up to date now.

        While one judge makes a new SQLite file a WAL database, SQLite turns the others away at once instead of letting
        them wait: then it is False, and worth another try until `give_up`.
        """
        try:
            with self._engine.execution_options(writing=True).begin() as connection:
                migrate.upgrade(connection)
        except OperationalError as error:
            if "locked" in str(error.orig) and time.monotonic() < give_up:
                return False
            raise
        return True

    def schema(self) -> tuple[str | None, str | None]:
        """The revision that the database has, and the one that this version wants."""
        with self._engine.connect() as connection:
            return migrate.revision(connection), migrate.newest()


def seal(session: Session, value: Any) -> bytes:
    """A JSON value as bytes that only the vault can read."""
    vault: Vault = session.info["vault"]
    return vault.seal(value)


def unseal(session: Session, sealed: bytes) -> Any:
    """The JSON value in a sealed column."""
    vault: Vault = session.info["vault"]
    return vault.unseal(sealed)


def wake(session: Session, game_id: str) -> None:
    """Asks for the game to be looked at as soon as this work is committed."""
    session.info.setdefault("woken", []).append(game_id)


def _address(url: str) -> URL:
    """The URL's parts, if a judge can work with such a database."""
    try:
        parsed = make_url(url)
        parsed.get_dialect().import_dbapi()
    except ArgumentError as error:
        raise StoreError(
            Text.of("The setting “database” is no database URL; example: postgresql+psycopg:///gamejudge")
        ) from error
    except ImportError as error:
        text = Text.of(
            "This kind of database needs the package {name}; for PostgreSQL: pip install gamejudge[postgres]",
            name=error.name or "–",
        )
        raise StoreError(text) from error
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise StoreError(
            Text.of("A database in memory would lose every order; name a file: sqlite:///var/gamejudge.db")
        )
    return parsed


def _engine(url: str, busy_seconds: float = 10) -> Engine:
    parsed = _address(url)
    if parsed.get_backend_name() != "sqlite":
        engine = create_engine(url, pool_pre_ping=True)

        @event.listens_for(engine, "begin")
        def _wait_for_other_writers(connection: Connection) -> None:
            if connection.get_execution_options().get("writing", False):
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{busy_seconds}s'")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS_LOCK})")

        return engine
    Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": busy_seconds})

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # the driver's own transactions begin too late; see _begin
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _store_error(error: DBAPIError) -> StoreError:
    """The database's own refusal, said to people."""
    said = str(error.orig).lower()
    for signs, text in _REFUSALS:
        if any(sign in said for sign in signs):
            return StoreError(text)
    return StoreError(Text.of("The database refuses: {reason}", reason=str(error.orig)))


_REFUSALS = (
    (
        ("readonly", "read-only"),
        Text.of("The database is read-only: give the judge's user the right to write the file and its folder"),
    ),
    (
        ("locked", "lock timeout"),
        Text.of("The database is locked by another program: try again in a moment"),
    ),
    (
        ("unable to open",),
        Text.of("The database file cannot be opened: check that its folder exists and belongs to the judge's user"),
    ),
    (
        ("disk is full", "no space", "disk i/o error"),
        Text.of("The disk is full or broken: give the judge room to write"),
    ),
    (("not a database", "malformed"), Text.of("The database file is damaged or no database: restore a backup")),
    (
        ("no such table", "no such column", "does not exist"),
        Text.of("The database is not set up for this version: start `judge run` once, or ask `judge check`"),
    ),
)


def is_set_up(url: str) -> bool:
    """Whether a database with the judge's tables stands behind the URL.  Nothing is created by looking."""
    parsed = _address(url)
    if parsed.get_backend_name() == "sqlite" and not Path(str(parsed.database)).exists():
        return False
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            return migrate.revision(connection) is not None
    except DBAPIError as error:
        raise _store_error(error) from error
    finally:
        engine.dispose()
