"""records, chains and keys"""

import sqlalchemy as sa
from alembic import op

from judge.store.columns import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "key",
        sa.Column("kid", sa.String(), nullable=False),
        sa.Column("use", sa.String(), nullable=False),
        sa.Column("public", sa.JSON(), nullable=False),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("retired", UtcDateTime(), nullable=True),
        sa.Column("sealed_private", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("kid", name=op.f("pk_key")),
    )
    op.create_table(
        "chain",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=False),
        sa.Column("hidden_anchor", sa.String(), nullable=False),
        sa.Column("drawn", sa.Boolean(), nullable=False),
        sa.Column("opened", UtcDateTime(), nullable=True),
        sa.Column("sealed_secrets", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_chain_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_chain")),
    )
    op.create_table(
        "record",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_record_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_record")),
    )
    op.drop_column("game", "sealed_secret")
    op.add_column("turn", sa.Column("undone", UtcDateTime(), nullable=True))
    op.add_column("turn", sa.Column("chain", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("turn", sa.Column("link", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("turn", sa.Column("kept", sa.JSON(), nullable=False, server_default="[]"))
    op.add_column("turn", sa.Column("sealed_sets", sa.LargeBinary(), nullable=True))
    op.add_column("turn", sa.Column("void", sa.JSON(), nullable=False, server_default="[]"))
