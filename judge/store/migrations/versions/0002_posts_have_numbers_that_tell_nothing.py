"""Posts have numbers that tell nothing"""

import sqlalchemy as sa
from alembic import op

from judge.store.tables import new_public_id

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("post", sa.Column("public_id", sa.BigInteger(), nullable=True))
    connection = op.get_bind()
    post = sa.table("post", sa.column("id", sa.Integer()), sa.column("public_id", sa.BigInteger()))
    for (post_id,) in connection.execute(sa.select(post.c.id)).all():
        connection.execute(post.update().where(post.c.id == post_id).values(public_id=new_public_id()))
    with op.batch_alter_table("post") as table:
        table.alter_column("public_id", existing_type=sa.BigInteger(), nullable=False)
        table.create_unique_constraint("uq_post_public_id", ["public_id"])
