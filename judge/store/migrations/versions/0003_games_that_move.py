"""games that move from judge to judge"""

import sqlalchemy as sa
from alembic import op

from judge.store.columns import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("game", sa.Column("moved", UtcDateTime(), nullable=True))
    op.add_column("game", sa.Column("moves", sa.Integer(), nullable=False, server_default="0"))
