"""where letters are read"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("letter", sa.Column("address", sa.String(), nullable=True))
