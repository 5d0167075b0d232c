"""The public record of who did what to a game.  It never holds an order."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.text import Text
from judge.store.tables import AuditRow


def note(session: Session, now: datetime, game_id: str, text: Text, request: str | None = None) -> None:
    """Writes a line.  `request` makes a repeated request the same one: see `done`."""
    session.add(AuditRow(game_id=game_id, at=now, text=text.model_dump(mode="json"), request=request))
    session.flush()


def done(session: Session, request: str | None) -> bool:
    """Whether a request with this key has been carried out already."""
    return request is not None and session.exec(select(AuditRow).where(AuditRow.request == request)).first() is not None


def audit_lines(session: Session, game_id: str) -> list[tuple[datetime, Text]]:
    """All lines of a game, the oldest first."""
    rows = session.exec(select(AuditRow).where(AuditRow.game_id == game_id).order_by(col(AuditRow.id))).all()
    return [(row.at, Text.model_validate(row.text)) for row in rows]
