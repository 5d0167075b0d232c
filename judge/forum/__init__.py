"""What the judge needs of a forum: read what was posted, publish once, tell somebody something.

A connector is one small module with a factory: given a `Place` (an account on a forum, and a topic of a game) it
returns a `Forum`.  The judge's own board is one of them.  Authors are known by their immutable id, never by name; ids
are strings; positions, not ids, give the order of posts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol

from judge.core.text import Text

Markup = Literal["markdown", "bbcode", "html"]


@dataclass(frozen=True)
class Caps:
    """What a forum can do, so that the judge need not find out by failing."""

    raw: bool = False
    """Gives back what was typed, not only HTML."""
    history: bool = False
    """Tells what stood in a post before it was edited."""
    dm: bool = False
    """Private messages can be read and sent."""
    edit: bool = False
    """The judge can edit its own posts."""
    instant: bool = False
    """Posts reach the judge as they are written; no polling is needed."""
    merges_posts: bool = False
    min_post_interval: int = 0
    """Seconds between two posts of one author."""
    max_length: int | None = None
    """Characters in one post."""
    precision: timedelta = timedelta()
    """How coarsely the forum tells when something was posted."""


@dataclass(frozen=True)
class Member:
    """An account: its immutable id, and the name that it has now."""

    id: str
    name: str


@dataclass(frozen=True)
class Topic:
    """A topic as it is now.  `first` is the id of the opening post."""

    id: str
    title: str
    first: str
    url: str = ""


@dataclass(frozen=True)
class Post:
    """A post as the forum has it now.  Times are the forum's claims; None where it shows none.

    `text` is what a reading of many posts gives cheaply, in `markup`; what was typed is had by `Forum.fetch_raw`.
    """

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
class Raw:
    """What an author typed."""

    text: str
    markup: Markup


@dataclass(frozen=True)
class Revision:
    """What stood in a post until it was edited."""

    until: datetime
    text: str
    markup: Markup
    editor_id: str | None = None


@dataclass(frozen=True)
class DirectMessage:
    """A private message to the judge."""

    id: str
    author_id: str
    author_name: str
    text: str
    markup: Markup
    created: datetime | None = None


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

    why: Text | str
    """As of a ForumError."""


class ForumError(Exception):
    """The forum did not do it.  `text` says why to people: a sentence of ours, or the forum's own words as they are."""

    def __init__(self, why: Text | str) -> None:
        # built apart from Text.of, since words of a forum are no sentence to translate
        self.text = why if isinstance(why, Text) else Text(text="{words}", values={"words": why})
        super().__init__(self.text.text.format(**self.text.values))


class Changed(ForumError):
    """The forum answers, and not as it is known to: no post could be found where some must be."""


class Retry(ForumError):
    """Not now; `after` seconds from now it may."""

    def __init__(self, why: Text | str, after: int) -> None:
        super().__init__(why)
        self.after = after


class AuthExpired(ForumError):
    """The judge's account is no longer logged in, or was never let in."""


class Refused(ForumError):
    """The forum says no, and will say it again."""


class Missing(Refused):
    """There is no such thing, or none that this account may see."""


class Forum(Protocol):
    """One account on a forum, and one topic of it (None until it has been opened).

    Every call may raise a `ForumError`.  Only `publish`, `send` and `open_topic` may end in not knowing whether it was
    done.  Where they look for a key, what the forum says was posted before `since` need not be looked at, so that a
    long topic is not read for each letter; a connector that cannot tell times looks at all of it.
    """

    caps: Caps

    @property
    def served(self) -> datetime | None:
        """The forum's own clock at its last answer; None if it tells none."""

    def me(self) -> Member:
        """The judge's account; logs in if that is needed."""

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic | Held | Unknown:
        """Starts a topic, unless the judge's own one with this key is there already."""

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        """The judge's own topic with this key, once everybody can read it: it may have been held and let through."""

    def topic(self) -> Topic:
        """The topic of this place; raises Refused if it is not there or cannot be read."""

    def probe(self) -> str:
        """A cheap mark; unchanged means that there is perhaps nothing new, and says nothing of edits."""

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        """The posts of the topic in their order, each once: all of them, or from the one with the id `since` on.

        Raises Changed if there is none: a topic has an opening post.
        """

    def fetch_raw(self, post_id: str) -> Raw:
        """What was typed in a post; where `caps.raw` is False, the best that the forum gives."""

    def history(self, post_id: str) -> list[Revision] | None:
        """The earlier states of a post, the oldest first; None where the forum does not tell."""

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published | Held | Unknown:
        """Posts the letter, unless a post of the judge's own with this key stands in the topic already."""

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        """The judge's own post with this key; the same words in somebody else's post or in a quote do not count."""

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        """Rewrites a post of the judge's own, if it still holds `expect`; else raises Refused."""

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        """Private messages to the judge, the oldest first: all after the one with the id `since`, perhaps with that."""

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str | Unknown:
        """A private message to one member, unless one with this key went to him already; returns its id."""

    def close(self) -> None:
        """Lets go of connections."""


@dataclass(frozen=True)
class Setting:
    """What a connector must be told of a forum (`url`, `category`, `user`, `password`, …), or may be told.

    A module names those of its connector in `SETTINGS`.  Secret ones are kept sealed and never shown; `address` is a
    web address, `number` a whole number, `zone` an IANA time zone.
    """

    name: str
    about: Text
    secret: bool = False
    optional: bool = False
    kind: Literal["words", "number", "address", "zone"] = "words"


@dataclass(frozen=True)
class Place:
    """Where a game is played: the topic, and what the connector needs to get there.

    `settings` are those that the host gave with `judge forum add`, as strings.
    """

    game_id: str
    thread: str | None
    store: Any
    now: Callable[[], datetime]
    settings: Mapping[str, Any] = field(default_factory=dict)


Connector = Callable[[Place], Forum]

Hook = Callable[[str, Mapping[str, str], bytes], str | None]
"""What a forum's webhook says: from the shared secret, the headers (names in small letters) and the body, the id of the
topic in which something happened, or None.  Raises Refused for what the forum did not sign.  A connector's module whose
forum has webhooks names it `HOOK`, and the secret among its settings `secret`."""
