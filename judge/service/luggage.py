"""All rows of one game as plain data, and back: what a game takes along when it moves to another judge.

The rows are found by the tables' own description, so a new table or column comes along by itself.  Sealed columns are
opened, since another judge has another key.  Numbers that a database gives freely are given anew in the same order, and
what refers to them follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, LargeBinary, delete, select, true
from sqlalchemy import Table as SqlTable
from sqlmodel import Session

from judge.service.places import BOARD, BY_HAND
from judge.store import seal, unseal
from judge.store.append_only import KEPT
from judge.store.columns import Table, UtcDateTime
from judge.store.forum_tables import ForumRow
from judge.store.tables import GameRow, KeyRow, LetterRow, PostRow, SubmissionRow

Rows = dict[str, list[dict[str, Any]]]
"""Table name → its rows, each column by its name: times in ISO 8601, what was sealed as the value that it held."""

STAY: Final = {GameRow.__tablename__, KeyRow.__tablename__, *(row.__tablename__ for row in KEPT)}
"""Tables from which nothing is taken when a game comes back."""

ON_BOARD: Final = (BOARD, BY_HAND)
"""Games whose posts are rows of this database."""

ACCOUNTS: Final = ForumRow.__tablename__
"""Another judge has accounts of its own."""


class UnknownRows(ValueError):
    """There are tables or columns that this version of the judge does not have."""


def gather(session: Session, game_id: str) -> Rows:
    """Every row of a game, and the judge's key pairs; of those for signing only the public halves."""
    tables = [table for table in Table.metadata.sorted_tables if table.name != ACCOUNTS]
    return {table.name: list(_rows(session, table, game_id)) for table in tables}


def clear(session: Session, game_id: str) -> None:
    """Takes a game's rows away, so that newer ones can take their place; its record and audit trail stay."""
    for table in reversed(Table.metadata.sorted_tables):
        if table.name not in (*STAY, ACCOUNTS):
            session.execute(delete(table).where(_of_game(table, game_id)))
    session.expire_all()


def settle(session: Session, now: datetime, rows: Rows, known: Mapping[str, int]) -> None:
    """Adds the rows of a game.  `known` says of which tables so many are here already, from the first on."""
    post_ids: dict[str, str] = {}
    on_board = rows[GameRow.__tablename__][0]["forum"] in ON_BOARD
    classes = row_classes()
    if set(rows) - set(classes):
        raise UnknownRows(", ".join(set(rows) - set(classes)))
    for name, kind in classes.items():
        for values in rows.get(name, [])[known.get(name, 0) :]:
            row = _row(session, kind, values)
            if isinstance(row, KeyRow):
                _add_key(session, now, row)
                continue
            if isinstance(row, GameRow):
                session.merge(row)  # it may have been here before
                session.flush()
                continue
            if on_board and isinstance(row, SubmissionRow) and row.post_id is not None:
                row.post_id = post_ids.get(row.post_id, row.post_id)
            if on_board and isinstance(row, LetterRow):
                row.post_ids = [post_ids.get(post_id, post_id) for post_id in row.post_ids]
            session.add(row)
            session.flush()
            if isinstance(row, PostRow):
                post_ids[str(values["id"])] = str(row.id)


def row_classes() -> dict[str, type[Table]]:
    """The tables, each after those that it refers to; posts come early, since others name them."""
    classes = {str(kind.__tablename__): kind for kind in Table.__subclasses__()}
    names = [table.name for table in Table.metadata.sorted_tables]
    first = [GameRow.__tablename__, PostRow.__tablename__]
    return {str(name): classes[str(name)] for name in (*first, *(name for name in names if name not in first))}


def _of_game(table: SqlTable, game_id: str) -> ColumnElement[bool]:
    if table.name == GameRow.__tablename__:
        return table.c.id == game_id
    return true() if table.name == KeyRow.__tablename__ else table.c.game_id == game_id


def _rows(session: Session, table: SqlTable, game_id: str) -> Iterator[dict[str, Any]]:
    query = select(table).where(_of_game(table, game_id)).order_by(*table.primary_key.columns)
    for found in session.execute(query).mappings():
        values = {column.name: _plain(session, column.type, found[column.name]) for column in table.columns}
        if table.name == KeyRow.__tablename__ and values["use"] == "sig":
            values["sealed_private"] = {}  # no other judge is to sign with it
        yield values


def _plain(session: Session, kind: object, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, LargeBinary):
        return unseal(session, value)
    return value.isoformat() if isinstance(kind, UtcDateTime) else value


def _row(session: Session, kind: type[Table], values: Mapping[str, Any]) -> Table:
    table: SqlTable = Table.metadata.tables[str(kind.__tablename__)]
    unknown = set(values) - set(table.columns.keys())
    if unknown:
        raise UnknownRows(f"{table.name}: {', '.join(unknown)}")
    stored = {name: _stored(session, table.columns[name].type, value) for name, value in values.items()}
    if table.autoincrement_column is not None:
        stored[table.autoincrement_column.name] = None
    if stored.get("request") is not None and _taken(session, table, stored["request"]):
        stored["request"] = None  # a key of somebody's click that by chance is another's here
    return kind(**stored)


def _stored(session: Session, kind: object, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(kind, LargeBinary):
        return seal(session, value)
    return datetime.fromisoformat(value) if isinstance(kind, UtcDateTime) else value


def _taken(session: Session, table: SqlTable, request: str) -> bool:
    return session.execute(select(table.c.request).where(table.c.request == request)).first() is not None


def _add_key(session: Session, now: datetime, row: KeyRow) -> None:
    """Another judge's pair opens and verifies what was made with it; nothing new is made with it here."""
    if session.get(KeyRow, row.kid) is None:
        row.retired = row.retired or now
        session.add(row)
        session.flush()
