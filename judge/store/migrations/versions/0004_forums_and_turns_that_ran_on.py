"""forums and turns that ran on"""

import sqlalchemy as sa
from alembic import op

from judge.store.columns import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "forum",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("connector", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("account_id", sa.String(), nullable=True),
        sa.Column("inbox_since", sa.String(), nullable=True),
        sa.Column("inbox_read", UtcDateTime(), nullable=True),
        sa.Column("inbox_next", UtcDateTime(), nullable=True),
        sa.Column("inbox_failures", sa.Integer(), nullable=False),
        sa.Column("inbox_error", sa.JSON(), nullable=True),
        sa.Column("sealed_settings", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_forum")),
    )
    op.create_table(
        "sight",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("post_id", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.String(), nullable=True),
        sa.Column("editor_id", sa.String(), nullable=True),
        sa.Column("created", UtcDateTime(), nullable=True),
        sa.Column("edited", UtcDateTime(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("seen", UtcDateTime(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("sealed_text", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_sight_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sight")),
    )
    op.create_index("ix_sight_game_id_post_id", "sight", ["game_id", "post_id"], unique=False)
    op.create_table(
        "watch",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("next_look", UtcDateTime(), nullable=True),
        sa.Column("looked", UtcDateTime(), nullable=True),
        sa.Column("read", UtcDateTime(), nullable=True),
        sa.Column("mark", sa.String(), nullable=True),
        sa.Column("lag", sa.Float(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("error", sa.JSON(), nullable=True),
        sa.Column("alarm", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_watch_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_watch")),
    )
    op.create_index(op.f("ix_watch_next_look"), "watch", ["next_look"], unique=False)
    op.add_column("seat", sa.Column("author_name", sa.String(), nullable=True))
    op.add_column("turn", sa.Column("ran_on", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("letter", sa.Column("parts", sa.JSON(), nullable=True))
    op.add_column("letter", sa.Column("sealed_parts", sa.LargeBinary(), nullable=True))
    op.add_column("letter", sa.Column("begun", UtcDateTime(), nullable=True))
    op.add_column("letter", sa.Column("trouble", sa.JSON(), nullable=True))
