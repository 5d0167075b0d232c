"""In which voice a game speaks: its language, money, zone, and the names at its table."""

from __future__ import annotations

from sqlmodel import Session

from judge.language import Voice
from judge.service.position import ruleset_of
from judge.store import queries
from judge.store.tables import GameRow


def game_voice(session: Session, game: GameRow, language: str | None = None, own_zone: str | None = None) -> Voice:
    """The voice of a game's letters; a reader's own language and zone for pages."""
    ruleset, names = ruleset_of(session, game), queries.names(session, game.id)
    return Voice.of(ruleset, language or game.language, zone=game.zone, names=names, own_zone=own_zone)
