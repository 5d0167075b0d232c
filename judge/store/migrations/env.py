"""Alembic's way in: the store hands over its connection, there is no other mode."""

from alembic import context

from judge.store.tables import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
