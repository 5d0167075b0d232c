"""The first tables"""

import sqlalchemy as sa
from alembic import op

from judge.store.columns import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("ruleset_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("numbers", sa.String(), nullable=False),
        sa.Column("deadline_rule", sa.JSON(), nullable=False),
        sa.Column("cool_off_minutes", sa.Integer(), nullable=False),
        sa.Column("open_orders", sa.String(), nullable=False),
        sa.Column("read_code", sa.Boolean(), nullable=False),
        sa.Column("read_spoilers", sa.Boolean(), nullable=False),
        sa.Column("forum", sa.String(), nullable=False),
        sa.Column("thread", sa.String(), nullable=True),
        sa.Column("thread_url", sa.String(), nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("paused", UtcDateTime(), nullable=True),
        sa.Column("alarm", sa.String(), nullable=True),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("started", UtcDateTime(), nullable=True),
        sa.Column("ended", UtcDateTime(), nullable=True),
        sa.Column("sealed_secret", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
    )
    op.create_table(
        "access",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("bearer", sa.Boolean(), nullable=False),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("voided", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_access_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access")),
    )
    op.create_index(op.f("ix_access_game_id"), "access", ["game_id"], unique=False)
    op.create_index("ix_access_token_hash_game_id", "access", ["token_hash", "game_id"], unique=False)
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("request", sa.String(), nullable=True),
        sa.Column("text", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_audit_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sa.UniqueConstraint("request", name=op.f("uq_audit_request")),
    )
    op.create_index(op.f("ix_audit_game_id"), "audit", ["game_id"], unique=False)
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=True),
        sa.Column("sealed_body", sa.LargeBinary(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_try", UtcDateTime(), nullable=True),
        sa.Column("sent", UtcDateTime(), nullable=True),
        sa.Column("post_ids", sa.JSON(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_letter_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("key", name=op.f("uq_letter_key")),
    )
    op.create_index(op.f("ix_letter_game_id"), "letter", ["game_id"], unique=False)
    op.create_index(op.f("ix_letter_status"), "letter", ["status"], unique=False)
    op.create_table(
        "link",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("claimed", UtcDateTime(), nullable=True),
        sa.Column("voided", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_link_game_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_link")),
    )
    op.create_index(op.f("ix_link_game_id"), "link", ["game_id"], unique=False)
    op.create_table(
        "post",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("author_name", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=True),
        sa.Column("request", sa.String(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("created", UtcDateTime(), nullable=False),
        sa.Column("edited", UtcDateTime(), nullable=True),
        sa.Column("deleted", UtcDateTime(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("letter", sa.JSON(), nullable=True),
        sa.Column("mark", sa.Boolean(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("sealed_source", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_post_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_post")),
        sa.UniqueConstraint("public_id", name=op.f("uq_post_public_id")),
        sa.UniqueConstraint("request", name=op.f("uq_post_request")),
    )
    op.create_index(op.f("ix_post_game_id"), "post", ["game_id"], unique=False)
    op.create_index(op.f("ix_post_key"), "post", ["key"], unique=False)
    op.create_table(
        "seat",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("bot", sa.Boolean(), nullable=False),
        sa.Column("taken", UtcDateTime(), nullable=True),
        sa.Column("author_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seat")),
    )
    op.create_table(
        "standing",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.Column("sealed_orders", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_standing_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_standing")),
    )
    op.create_table(
        "turn",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("opened", UtcDateTime(), nullable=False),
        sa.Column("deadline", UtcDateTime(), nullable=True),
        sa.Column("complete", UtcDateTime(), nullable=True),
        sa.Column("fresh", sa.Boolean(), nullable=False),
        sa.Column("closed", UtcDateTime(), nullable=True),
        sa.Column("resolved", UtcDateTime(), nullable=True),
        sa.Column("why", sa.String(), nullable=True),
        sa.Column("missed", sa.JSON(), nullable=False),
        sa.Column("passed", sa.JSON(), nullable=False),
        sa.Column("forced", sa.JSON(), nullable=False),
        sa.Column("decisions", sa.JSON(), nullable=False),
        sa.Column("public_state", sa.JSON(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("opened_orders", sa.JSON(), nullable=False),
        sa.Column("opened_lines", sa.JSON(), nullable=False),
        sa.Column("sealed_state", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_private", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_turn_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", "version", name=op.f("pk_turn")),
    )
    op.create_index(op.f("ix_turn_deadline"), "turn", ["deadline"], unique=False)
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("via", sa.String(), nullable=False),
        sa.Column("post_id", sa.String(), nullable=True),
        sa.Column("request", sa.String(), nullable=True),
        sa.Column("received", UtcDateTime(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("sealed_orders", sa.LargeBinary(), nullable=False),
        sa.Column("sealed_receipt", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id", "number", "version"], ["turn.game_id", "turn.number", "turn.version"], name="fk_submission_turn"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("request", name=op.f("uq_submission_request")),
    )
    op.create_index("ix_submission_turn_seat", "submission", ["game_id", "number", "version", "seat"], unique=False)
