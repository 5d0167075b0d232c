"""The schema's history: brings a database up to date, and writes the next step when the tables have changed."""

from __future__ import annotations

import tempfile

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from judge.resources import migrations_folder


def _alembic(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Runs every migration that the database lacks; raises alembic's CommandError if it knows none of its revision."""
    command.upgrade(_alembic(connection), "head")


def revision(connection: Connection) -> str | None:
    """The revision that a database has; None if it has none."""
    return MigrationContext.configure(connection).get_current_revision()


def newest() -> str | None:
    """The revision that this version of the judge wants."""
    return ScriptDirectory.from_config(_alembic()).get_current_head()


def write_migration(name: str) -> None:
    """Compares the tables with what the migrations make, and writes the difference as the next migration."""
    number = f"{int(newest() or '0') + 1:04}"
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine(f"sqlite:///{folder}/empty.db")
        with engine.begin() as connection:
            upgrade(connection)
            command.revision(_alembic(connection), message=name, autogenerate=True, rev_id=number)
        engine.dispose()
