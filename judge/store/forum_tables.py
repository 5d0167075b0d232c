"""The tables about forums: accounts there, how far each topic was read, and what was seen."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Index, LargeBinary
from sqlalchemy.types import JSON
from sqlmodel import Field

from judge.store.columns import Table, UtcDateTime


class ForumRow(Table, table=True):
    """A forum at which this judge has an account, under the name that its host gave it."""

    __tablename__ = "forum"

    name: str = Field(primary_key=True)
    connector: str
    """Its kind, as in the registry."""
    settings: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    """What its connector needs and everybody may know: url, category, user, …"""
    created: datetime = Field(sa_type=UtcDateTime)
    account_id: str | None = None
    """The judge's immutable id there, once it has logged in."""
    inbox_since: str | None = None
    """The last private message that was taken in."""
    inbox_read: datetime | None = Field(default=None, sa_type=UtcDateTime)
    inbox_next: datetime | None = Field(default=None, sa_type=UtcDateTime)
    inbox_failures: int = 0
    """In a row; the error is that of the last."""
    inbox_error: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """A Text."""
    sealed_settings: bytes = Field(sa_type=LargeBinary)
    """What nobody may know: password, token, secret."""


class WatchRow(Table, table=True):
    """How far the judge has read a game's topic on a forum, and when it looks again."""

    __tablename__ = "watch"

    game_id: str = Field(primary_key=True, foreign_key="game.id")
    next_look: datetime | None = Field(default=None, sa_type=UtcDateTime, index=True)
    looked: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the forum answered last, be it only that nothing is new."""
    read: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """When the last whole reading of the open turn's posts began."""
    mark: str | None = None
    """What the forum's probe said at that reading."""
    lag: float | None = None
    """Seconds by which the forum's clock is ahead of the judge's."""
    failures: int = 0
    """In a row; the error is that of the last."""
    error: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """A Text."""
    alarm: bool = False
    """The forum's pages are not what they were: nothing resolves."""


class SightRow(Table, table=True):
    """A post as it was seen: one row for each state of it, only added to."""

    __tablename__ = "sight"
    __table_args__ = (Index("ix_sight_game_id_post_id", "game_id", "post_id"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id")
    post_id: str
    position: int
    author_id: str | None = None
    editor_id: str | None = None
    created: datetime | None = Field(default=None, sa_type=UtcDateTime)
    """By the forum's clock, as is the next."""
    edited: datetime | None = Field(default=None, sa_type=UtcDateTime)
    state: str
    """visible, hidden, deleted, held, gone (it is no longer listed)."""
    hash: str
    """SHA-256 of what the forum showed."""
    seen: datetime = Field(sa_type=UtcDateTime)
    number: int | None = None
    """The turn that was the last when this was seen."""
    version: int | None = None
    outcome: str
    """What became of it (see judge/service/sighting.py)."""
    sealed_text: bytes = Field(sa_type=LargeBinary)
    """What the author had typed, as far as the forum gives it: {"text", "markup"}."""
