"""The one writer: what was answered is on disk, and one failure undoes nothing but itself."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine
from sqlmodel import Session, col, select

from judge.store import KeyFileError, Store, StoreError, Vault, seal, unseal, wake
from judge.store.columns import Table
from judge.store.tables import GameRow

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def game(name: str) -> GameRow:
    return GameRow(
        id=name,
        title=name,
        ruleset="any",
        ruleset_version=1,
        options={},
        language="en",
        zone="UTC",
        numbers="neutral",
        deadline_rule={"rule": "none"},
        forum="board",
        status="open",
        created=NOW,
    )


def add(name: str):  # type: ignore[no-untyped-def]  # a unit of work, as services are
    return lambda session: session.add(game(name))


def names(store: Store) -> list[str]:
    with store.read() as session:
        return list(session.exec(select(GameRow.id).order_by(col(GameRow.id))))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'test.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    store = Store(url, Vault.generate())
    store.migrate()
    yield store
    store.close()


def test_an_answer_follows_its_commit(store: Store, url: str) -> None:
    """Somebody who looks from another connection sees what was acknowledged."""
    store.write(add("a"))
    engine = create_engine(url)
    with Session(engine) as session:
        assert session.exec(select(GameRow.id)).all() == ["a"]
    engine.dispose()


def test_many_writers_at_once_all_get_their_answer(store: Store) -> None:
    with ThreadPoolExecutor(20) as crowd:
        list(crowd.map(lambda number: store.write(add(f"g{number:03}")), range(200)))
    assert len(names(store)) == 200


def test_a_failure_undoes_its_own_work_alone(store: Store) -> None:
    """Units of work that are committed together do not share their failures."""

    def fails(session: Session) -> None:
        session.add(game("half"))
        session.flush()
        raise LookupError("no")

    held = threading.Event()

    def wait(session: Session) -> None:
        held.wait(5)

    with ThreadPoolExecutor(4) as crowd:
        blocker = crowd.submit(store.write, wait)
        good = crowd.submit(store.write, add("before"))
        bad = crowd.submit(store.write, fails)
        also_good = crowd.submit(store.write, add("after"))
        held.set()
        for future in (blocker, good, also_good):
            future.result()
        with pytest.raises(LookupError):
            bad.result()
    assert names(store) == ["after", "before"]


def test_a_key_used_twice_is_the_second_writers_problem_only(store: Store) -> None:
    store.write(add("a"))
    with pytest.raises(Exception, match=r"(?i)unique|duplicate"):
        store.write(add("a"))
    store.write(add("b"))
    assert names(store) == ["a", "b"]


def test_games_are_woken_after_the_commit_and_not_by_failed_work(store: Store) -> None:
    woken: list[tuple[str, list[str]]] = []
    store.on_wake = lambda game_id: woken.append((game_id, names(store)))

    def work(session: Session) -> None:
        session.add(game("a"))
        wake(session, "a")

    def fails(session: Session) -> None:
        wake(session, "never")
        raise LookupError("no")

    store.write(work)
    with pytest.raises(LookupError):
        store.write(fails)
    store.close()
    assert woken == [("a", ["a"])]


def test_reading_changes_nothing(store: Store) -> None:
    with store.read() as session:
        session.add(game("a"))
        session.flush() if "sqlite" not in str(session.get_bind()) else None
    assert names(store) == []


def test_the_tables_are_what_the_migrations_make(store: Store) -> None:
    store.migrate()
    with store._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Table.metadata) == []
    assert store.schema()[0] == store.schema()[1] is not None


def test_judges_that_start_at_once_on_a_new_database_wait_for_each_other(tmp_path: Path) -> None:
    stores = [Store(f"sqlite:///{tmp_path}/new.db", Vault.generate()) for _ in range(6)]
    with ThreadPoolExecutor(len(stores)) as pool:
        for migrated in [pool.submit(store.migrate) for store in stores]:
            migrated.result()
    for store in stores:
        assert store.schema()[0] == store.schema()[1]
        store.close()


def test_what_is_sealed_can_be_read_with_the_key_only(store: Store) -> None:
    with store.read() as session:
        sealed = seal(session, {"bid": 7341})
        assert b"7341" not in sealed
        assert unseal(session, sealed) == {"bid": 7341}
    with pytest.raises(KeyFileError, match="does not fit"):
        Vault.generate().unseal(sealed)


# SQLite and files


def test_sqlite_forces_every_commit_to_disk(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}", Vault.generate())
    with store._engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def test_a_database_locked_by_others_is_a_clear_answer_and_nothing_is_lost(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}", Vault.generate(), busy_seconds=0.2)
    store.migrate()
    other = sqlite3.connect(tmp_path / "test.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="locked by another program"):
        store.write(add("a"))
    other.execute("ROLLBACK")
    other.close()
    store.write(add("a"))
    assert names(store) == ["a"]
    store.close()


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'test.db'}", Vault.generate())
    store.migrate()
    store.close()
    with sqlite3.connect(tmp_path / "test.db") as other:
        other.execute("UPDATE alembic_version SET version_num = '9999'")
    again = Store(f"sqlite:///{tmp_path / 'test.db'}", Vault.generate())
    with pytest.raises(StoreError, match="newer version"):
        again.migrate()
    again.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test.db").write_bytes(b"This is a letter to my aunt.\n" * 100)
    store = Store(f"sqlite:///{tmp_path / 'test.db'}", Vault.generate())
    with pytest.raises(StoreError, match="no database"):
        store.migrate()
    store.close()


def test_a_key_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "gamejudge.key"
    sealed = Vault.create_file(path).seal("secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Vault.open_file(path).unseal(sealed) == "secret"
    path.chmod(0o640)
    with pytest.raises(KeyFileError, match="chmod 600"):
        Vault.open_file(path)


@pytest.mark.parametrize("content", [b"", b"no key\n", b"\xff\xfe"])
def test_a_key_file_without_a_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "gamejudge.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="no key"):
        Vault.open_file(path)


def test_a_rotated_key_still_opens_what_the_old_one_sealed(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    sealed = Vault.create_file(old).seal("secret")
    Vault.create_file(new)
    new.write_bytes(new.read_bytes() + old.read_bytes())
    assert Vault.open_file(new).unseal(sealed) == "secret"


def test_a_missing_key_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="put it back"):
        Vault.open_file(tmp_path / os.urandom(4).hex())


# PostgreSQL


def test_a_writer_that_waits_in_vain_for_another_judge_says_so_and_nothing_is_lost(postgres_url: str) -> None:
    """Judges on one PostgreSQL write one after the other; a waiting one gives up with a clear answer."""
    store, other = Store(postgres_url, Vault.generate(), busy_seconds=0.2), Store(postgres_url, Vault.generate())
    store.migrate()
    held, written = threading.Event(), threading.Event()

    def hold(session: Session) -> None:
        held.set()
        written.wait(10)

    holder = threading.Thread(target=other.write, args=(hold,))
    holder.start()
    held.wait(10)
    with pytest.raises(StoreError, match="locked by another program"):
        store.write(add("a"))
    written.set()
    holder.join()
    store.write(add("a"))
    assert names(store) == ["a"]
    store.close()
    other.close()
