"""What the judge needs of a forum: read what was posted, publish once, tell somebody something.

A connector is one small module with a factory: given a `Place` (a topic of a game) it returns a `Forum`.  The judge's
own board is one of them.  Authors are known by their immutable id, never by name; ids are strings; positions, not ids,
give the order of posts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

Markup = Literal["markdown", "bbcode", "html"]


@dataclass(frozen=True)
class Caps:
    """What a forum can do, so that the judge need not find out by failing."""

    raw: bool = False
    """Gives back what was typed, not only HTML."""
    history: bool = False
    dm: bool = False
    """Private messages can be read and sent."""
    instant: bool = False
    """Posts reach the judge as they are written; no polling is needed."""
    merges_posts: bool = False
    min_post_interval: int = 0
    """Seconds between two posts of one author."""
    max_length: int | None = None
    """Characters in one post."""


@dataclass(frozen=True)
class Post:
    """A post as the forum has it now.  Times are the forum's claims; None where it shows none."""

    id: str
    position: int
    author_id: str | None
    author_name: str
    text: str
    markup: Markup
    created: datetime | None = None
    edited: datetime | None = None
    editor_id: str | None = None
    revision: str | None = None
    html: str | None = None
    state: Literal["visible", "hidden", "deleted", "held"] = "visible"
    url: str = ""


@dataclass(frozen=True)
class Rendered:
    """A letter in every markup; a connector takes the one that its forum reads.

    `report` is the letter before any markup, as JSON, for a place that shows each reader his own language.
    """

    title: str
    markdown: str
    bbcode: str
    html: str
    text: str
    report: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """It stands in the thread, in these posts."""

    ids: tuple[str, ...]
    url: str = ""


@dataclass(frozen=True)
class Held:
    """The forum took it and keeps it back until a moderator has looked."""


@dataclass(frozen=True)
class Unknown:
    """It was sent and the answer was lost: look for the key in the thread before sending again."""

    why: str


class ForumError(Exception):
    """The forum did not do it."""


class Retry(ForumError):
    """Not now; `after` seconds from now it may."""

    def __init__(self, why: str, after: int) -> None:
        super().__init__(why)
        self.after = after


class AuthExpired(ForumError):
    """The judge's account is no longer logged in, or was never let in."""


class Refused(ForumError):
    """The forum says no, and will say it again."""


class Forum(Protocol):
    """One topic of a forum."""

    caps: Caps

    def open_topic(self, title: str, text: Rendered, key: str) -> str:
        """Starts a topic and returns its id."""

    def probe(self) -> str:
        """A cheap mark; unchanged means that there is perhaps nothing new, and says nothing of edits."""

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        """The posts of the topic in their order, from the first one that is not known, or from `since` on."""

    def publish(self, text: Rendered, key: str) -> Published | Held | Unknown:
        """Posts the letter, unless a post of the judge's own with this key stands in the topic already."""

    def send(self, to_id: str, text: Rendered, key: str) -> str:
        """A private message to one member; returns its id."""


@dataclass(frozen=True)
class Place:
    """Where a game is played: the topic, and what the connector needs to get there."""

    game_id: str
    thread: str | None
    store: Any
    now: Callable[[], datetime]
    settings: Mapping[str, Any] = field(default_factory=dict)


Connector = Callable[[Place], Forum]
