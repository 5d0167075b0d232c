"""Sealing everything anew after a new key was put at the head of the key file.

Which columns are sealed is read from the tables: those named `sealed_*`.  The work goes in batches through the one
writer, so that a judge goes on beside it; broken off, it is simply begun again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Column, select, tuple_, update
from sqlalchemy import Table as SqlTable
from sqlmodel import Session

from judge.store.columns import Table
from judge.store.database import Store
from judge.store.vault import Vault

BATCH = 200


def sealed_columns() -> Iterator[tuple[SqlTable, list[Column[Any]]]]:
    """Every table that holds something sealed, and the columns that do."""
    for table in Table.metadata.sorted_tables:
        columns = [column for column in table.columns if column.name.startswith("sealed_")]
        if columns:
            yield table, columns


def reseal(store: Store, batch: int = BATCH) -> int:
    """Seals with the current key whatever an older one sealed; returns how many values that were.

    KeyFileError if something opens with no key of the file; what was done before stays done.
    """
    done = 0
    for table, columns in sealed_columns():
        with store.read() as session:
            rows = session.execute(select(*table.primary_key.columns)).all()
        for start in range(0, len(rows), batch):
            chosen = [tuple(row) for row in rows[start : start + batch]]
            done += store.write(partial(_reseal_rows, table=table, columns=columns, rows=chosen))
    return done


def count_older(session: Session) -> int:
    """How many sealed values need an older key of the file.  KeyFileError if one opens with none."""
    vault: Vault = session.info["vault"]
    return sum(
        not vault.is_current(value)
        for _, columns in sealed_columns()
        for row in session.execute(select(*columns))
        for value in row
        if value is not None
    )


def _reseal_rows(
    session: Session, table: SqlTable, columns: Sequence[Column[Any]], rows: Sequence[tuple[Any, ...]]
) -> int:
    vault: Vault = session.info["vault"]
    key = list(table.primary_key.columns)
    done = 0
    for row in session.execute(select(*key, *columns).where(tuple_(*key).in_(rows))).all():
        sealed = zip(columns, row[len(key) :], strict=True)
        fresh = {column.name: vault.resealed(value) for column, value in sealed if value is not None}
        changed = {name: value for name, value in fresh.items() if value is not None}
        if changed:
            where = [column == value for column, value in zip(key, row, strict=False)]
            session.execute(update(table).where(*where).values(changed))
            done += len(changed)
    return done
