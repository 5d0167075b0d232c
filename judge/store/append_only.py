"""What is written into the audit trail and the public record stays: no session of the judge changes or deletes it."""

from __future__ import annotations

from sqlalchemy import Delete, Update, event
from sqlalchemy.orm import ORMExecuteState
from sqlmodel import Session

from judge.store.tables import AuditRow, RecordRow

KEPT = (AuditRow, RecordRow)
_NAMES = {row.__tablename__ for row in KEPT}


class AppendOnlyError(RuntimeError):
    """A fault of the program: it would have rewritten what everybody may have read."""


@event.listens_for(Session, "before_flush")
def _keep_rows(session: Session, context: object, instances: object) -> None:
    for row in (*session.dirty, *session.deleted):
        if isinstance(row, KEPT) and (row in session.deleted or session.is_modified(row)):
            raise AppendOnlyError(f"{type(row).__name__} is only ever added to")


@event.listens_for(Session, "do_orm_execute")
def _keep_tables(call: ORMExecuteState) -> None:
    if isinstance(call.statement, Update | Delete) and getattr(call.statement.table, "name", "") in _NAMES:
        raise AppendOnlyError(f"{call.statement.table} is only ever added to")
