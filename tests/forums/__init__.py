"""Forums for the judge to be at home in: Misago, Spirit and PunkwebBB are real ones that run on this machine.

`start("misago")` installs the forum the first time, starts it on a free loopback port and gives back a `LiveForum` with
a judge, a moderator, four players and a stranger.  Its `acts` do what people do there and a connector does not: post,
quote, edit and delete as a player, moderate, rename somebody, end everybody's session.

`start("documented.nodebb")` gives no NodeBB but a small server that answers in its documented shape;
`start("nodebb")` a real one that runs somewhere else, where variables of the environment name it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

if TYPE_CHECKING:
    from tests.forums.visitor import Visitors

FORUMS = ("misago", "spirit", "punkweb")
_WANTED = os.environ.get("GAMEJUDGE_FORUMS", "")
CHOSEN = FORUMS if _WANTED == "1" else tuple(name for name in FORUMS if name in _WANTED.split(","))
"""Those that this run of the tests is asked to start."""
ELSEWHERE = {name: f"GAMEJUDGE_{name.upper()}_URL" for name in ("nodebb", "discourse", "phpbb", "mybb")}
"""Forums that are not installed here, and the variable with the address of one that runs somewhere else."""
NAMED = tuple(name for name, variable in ELSEWHERE.items() if os.environ.get(variable))
DOCUMENTED = tuple(sorted(f"documented.{path.stem}" for path in Path(__file__).parent.glob("documented/[a-z]*.py")))
"""Servers that answer in a forum's documented shape, and are not that forum."""
MODERATORS = ("Judge", "Moderator")
PLAYERS = ("Anna", "Ben", "Cem", "Dora")
PASSWORDS = {name: f"{name.lower()}-at-the-table" for name in (*MODERATORS, *PLAYERS, "Stranger")}

Act = Literal["hide", "delete", "hold", "message", "limit", "outage", "trace"]
"""`limit` and `outage` cannot be had of a forum elsewhere; `trace` is left by one's own edit soon after posting."""


@dataclass(frozen=True)
class Account:
    """Somebody's account; the id is the forum's own and never changes."""

    id: str
    name: str
    password: str


@dataclass(frozen=True)
class SeenPost:
    """A post as a moderator reads it back.  The text is what was typed; None when the forum gives it to nobody.

    What opens a PunkwebBB thread is of the thread, not a post: its id there is the thread's.
    """

    id: str
    author_id: str
    text: str | None
    html: str
    state: Literal["visible", "hidden", "held"] = "visible"


class Acts(Protocol):
    """What people do in a forum.  Ids are strings; `who` is a name of `LiveForum.accounts`, always the first name.

    What a forum does not know raises NotImplementedError; `lacks` says so beforehand.
    """

    lacks: frozenset[Act]
    visitors: Visitors
    """Everybody's browser by first name, for what is not in this list."""

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        """Opens a topic, in the forum's `category` unless another is named; returns its id."""

    def post(self, who: str, topic: str, text: str) -> str:
        """Replies; returns the post's id.  AssertionError with the forum's answer when it was not taken."""

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        """Replies with the post quoted as the forum's own button quotes it, and the text below."""

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        """Changes the author's own post, or as Moderator anybody's."""

    def hide(self, topic: str, post: str) -> None:
        """A moderator hides the post: it stays listed without its text."""

    def delete(self, topic: str, post: str) -> None:
        """A moderator deletes the post: it is gone."""

    def approve(self, topic: str, post: str) -> str:
        """A moderator lets a held post through; returns the id that it has from then on."""

    def message(self, who: str, to: str, title: str, text: str) -> str:
        """A private message; returns the id of the private topic."""

    def messages(self, who: str) -> list[str]:
        """What was typed in the private messages that somebody can read, oldest topic first."""

    def rename(self, who: str, name: str) -> None:
        """The account gets another name; its id stays."""

    def end_sessions(self) -> None:
        """Everybody is logged out, as when sessions expire."""

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        """All posts in the forum's order over all pages."""


class Keeper(Protocol):
    """Whoever keeps the forum's processes."""

    @property
    def pids(self) -> Sequence[int | None]:
        """The process ids of the servers, the forum itself last; None while it is down."""
        ...

    def tell(self, word: Literal["up", "down"]) -> None: ...

    def stop(self) -> None: ...


class Elsewhere:
    """Keeps a forum that runs somewhere else: it is up, and nothing here ends it."""

    pids: Sequence[int | None] = ()

    def tell(self, word: Literal["up", "down"]) -> None:
        raise NotImplementedError("a forum elsewhere goes and comes as it likes")

    def stop(self) -> None:
        """There is nothing to stop."""


@dataclass(frozen=True)
class LiveForum:
    """A forum at work.  Stop it, or use it in a `with`; it also ends when this process does, however that dies."""

    name: str
    url: str
    """Without a slash at the end."""
    category: str
    accounts: Mapping[str, Account]
    throttle: bool
    acts: Acts
    keeper: Keeper = field(repr=False)
    held_category: str | None = None
    """Where posts of players and strangers wait for approval; None where the forum knows no such thing.  The judge is
    of the team and never waits: to see its post held, let it log in as Stranger."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What a connector must be told here beside its usual settings."""

    def go_away(self) -> None:
        """The forum is down: connections are refused.  What was posted stays."""
        self.keeper.tell("down")

    def come_back(self) -> None:
        """Up again at the same address; returns when it answers.  Limits counted in memory start anew."""
        self.keeper.tell("up")

    def memory(self) -> int:
        """Bytes that the forum's server has in memory now, its database server not counted."""
        with open(f"/proc/{self.keeper.pids[-1]}/statm") as statm:  # noqa: PTH123 - not a file on a disk
            return int(statm.read().split()[1]) * 4096

    def stop(self) -> None:
        self.acts.visitors.forget()
        self.keeper.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def start(name: str, *, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    """Starts one of `FORUMS` with its limits on posting off, unless `throttle`; it ends itself after `seconds`.

    One of `NAMED` runs already, with its own limits; one of `DOCUMENTED` ends with this process.
    """
    forum: LiveForum = import_module(f"tests.forums.{name}").start(throttle=throttle, seconds=seconds)
    return forum
