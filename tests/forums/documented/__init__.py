"""Small servers on loopback that answer in the shape that a forum's documentation and source describe.

They stand in for forums that cannot be installed here and are never counted as the real thing: they show that a
connector does what it should *if* the forum answers as documented.  Each has the people of the real ones, keeps what
they do in a `Site`, and is served by uvicorn in a thread of the test's own process.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Literal

import uvicorn
from markdown_it import MarkdownIt
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from tests.forums import MODERATORS, PASSWORDS, Account, Acts, LiveForum

STARTS_WITHIN = 20.0
CATEGORY, HELD_CATEGORY = 3, 4
AT_ONCE = 3
"""Posts that the limit lets through in a row, so that a test waits once and not for each."""


@dataclass
class Person:
    id: int
    name: str
    password: str
    moderator: bool
    wrote: list[datetime] = field(default_factory=list)


@dataclass
class Version:
    """What stood in a post until somebody edited it."""

    text: str
    until: datetime
    editor: Person


@dataclass
class Written:
    """A post, or a private message."""

    id: int
    author: Person
    text: str
    created: datetime
    earlier: list[Version] = field(default_factory=list)
    state: Literal["visible", "hidden", "deleted", "held"] = "visible"


@dataclass
class Thread:
    """A topic, or a private one if `between` says who takes part."""

    id: int
    title: str
    category: int
    posts: list[Written] = field(default_factory=list)
    between: list[Person] | None = None
    closed: bool = False

    @property
    def author(self) -> Person:
        return self.posts[0].author


class Site:
    """Who is there and what was written.  Ids of topics and posts differ, so that nobody takes one for the other."""

    def __init__(self, *, interval: float = 0) -> None:
        """After `AT_ONCE` posts everybody must wait until the first of them is `interval` seconds old."""
        self.interval = interval
        self._latest = datetime.now(UTC)
        self.people = [
            Person(number, name, password, name in MODERATORS)
            for number, (name, password) in enumerate(PASSWORDS.items(), start=2)
        ]
        self.threads: list[Thread] = []
        self._thread_ids, self._post_ids = count(11), count(101)

    def person(self, who: str | int) -> Person | None:
        """By id or by the name that somebody has now, however it is written."""
        return next((one for one in self.people if str(who).lower() in (str(one.id), one.name.lower())), None)

    def thread(self, thread_id: int) -> Thread | None:
        return next((thread for thread in self.threads if thread.id == thread_id), None)

    def find(self, post_id: int) -> tuple[Thread, Written] | None:
        """A post and the topic that it is in."""
        every = ((thread, post) for thread in self.threads for post in thread.posts)
        return next(((thread, post) for thread, post in every if post.id == post_id), None)

    def now(self) -> datetime:
        """No two moments are the same, not even in the milliseconds that some forums count."""
        self._latest = max(datetime.now(UTC), self._latest + timedelta(milliseconds=1))
        return self._latest

    def wait(self, author: Person) -> float:
        """Seconds until somebody may post again; 0 if at once."""
        if not self.interval or len(author.wrote) < AT_ONCE:
            return 0
        return max(0.0, (author.wrote[-AT_ONCE] + timedelta(seconds=self.interval) - self.now()).total_seconds())

    def open(self, title: str, category: int, between: Sequence[Person] | None = None) -> Thread:
        """A new topic, still without its first post."""
        thread = Thread(next(self._thread_ids), title, category, between=None if between is None else list(between))
        self.threads.append(thread)
        return thread

    def write(self, thread: Thread, author: Person, text: str) -> Written:
        """A post at the end of a topic; what people who are no moderators write in `HELD_CATEGORY` is held."""
        held = thread.category == HELD_CATEGORY and not author.moderator
        post = Written(next(self._post_ids), author, text, self.now(), state="held" if held else "visible")
        thread.posts.append(post)
        author.wrote.append(post.created)
        return post

    def edit(self, post: Written, editor: Person, text: str) -> None:
        post.earlier.append(Version(post.text, self.now(), editor))
        post.text = text


MARKDOWN = MarkdownIt("commonmark", {"breaks": True, "html": False}).enable(["table", "strikethrough"])
"""As NodeBB and Discourse draw it: both use markdown-it, in JavaScript."""


@dataclass
class Fault:
    """What is answered instead of requests whose `GET /path?query` matches: so many `times`, after others pass."""

    where: str
    answer: Response
    times: int
    after: int


class Documented:
    """The keeper of one such server; tests tell it what to answer on a bad day, and see what it was asked."""

    pids: Sequence[int | None] = ()

    def __init__(self, app: Starlette) -> None:
        self.faults: list[Fault] = []
        self.asked: list[Request] = []
        self._app = self._with_faults(app)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self.tell("up")

    def instead(self, where: str, answer: Response, *, times: int = 1, after: int = 0) -> None:
        """Answers in this way to requests whose method, path and query match the regular expression."""
        self.faults.append(Fault(where, answer, times, after))

    def lines(self) -> list[str]:
        """What was asked, such as `GET /t/7.json?page=2`."""
        return [_line(request) for request in self.asked]

    def tell(self, word: Literal["up", "down"]) -> None:
        self.stop()
        if word == "up":
            self._start()

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join()
        self._server = self._thread = None

    def _start(self) -> None:
        config = uvicorn.Config(
            self._app,
            host="127.0.0.1",
            port=self.port,
            log_level="error",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        began = time.monotonic()
        while not self._server.started:
            assert time.monotonic() - began < STARTS_WITHIN, "the server does not start"
            self._thread.join(0.005)

    def _with_faults(self, app: ASGIApp) -> ASGIApp:
        async def served(
            scope: MutableMapping[str, Any],
            receive: Callable[[], Awaitable[MutableMapping[str, Any]]],
            send: Callable[[MutableMapping[str, Any]], Awaitable[None]],
        ) -> None:
            request = Request(scope)
            self.asked.append(request)
            for fault in self.faults:
                if fault.times and re.search(fault.where, _line(request)):
                    if fault.after:
                        fault.after -= 1
                        continue
                    fault.times -= 1
                    await fault.answer(scope, receive, send)
                    return
            await app(scope, receive, send)

        return served


def serve(
    name: str,
    app: Starlette,
    site: Site,
    acts: Callable[[str, dict[str, Account]], Acts],
    *,
    throttle: bool,
    holds: bool = True,
) -> LiveForum:
    """Serves it for the connector called `name`.  `acts` is given the address and everybody's accounts.

    The account's `password` is whatever lets it in: of Discourse and NodeBB the token.  `holds` says whether the forum
    knows posts that wait for approval.
    """
    keeper = Documented(app)
    accounts = {person.name: Account(str(person.id), person.name, person.password) for person in site.people}
    return LiveForum(
        name=name,
        url=keeper.url,
        category=str(CATEGORY),
        accounts=accounts,
        throttle=throttle,
        acts=acts(keeper.url, accounts),
        keeper=keeper,
        held_category=str(HELD_CATEGORY) if holds else None,
    )


def _line(request: Request) -> str:
    query = f"?{request.url.query}" if request.url.query else ""
    return f"{request.method} {request.url.path}{query}"
