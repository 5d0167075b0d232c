"""In which voice a game speaks: its language, zone, and the names at its table."""

from __future__ import annotations

from sqlmodel import Session

from judge.language import Voice
from judge.service.position import ruleset_of
from judge.store import queries
from judge.store.tables import GameRow


def game_voice(session: Session, game: GameRow, language: str | None = None, own_zone: str | None = None) -> Voice:
    """The voice of a game's letters; a reader's own language and zone for pages."""
    return Voice(
        language or game.language,
        zone=game.zone,
        names=queries.names(session, game.id),
        catalogues=(ruleset_of(session, game).folder / "locale",),
        own_zone=own_zone,
    )
