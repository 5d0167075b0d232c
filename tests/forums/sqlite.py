"""The database of a forum on SQLite, for what its pages do not offer."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def execute(folder: Path, statement: str, *values: str) -> None:
    """Runs one statement in the forum's database and commits it."""
    with closing(sqlite3.connect(folder / "forum.sqlite3", timeout=20)) as database, database:
        database.execute(statement, values)
