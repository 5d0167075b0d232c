"""What NodeBB's API asks for and answers, as far as the connector uses it.

There are two: `/api/…` gives what its pages show, `/api/v3/…` reads and writes single things, in an envelope, and tells
by ETag that nothing has changed.  Whoever has no valid token is a guest to the first and still reads public topics, so
each page is asked whom it was made for.  A limit on posting is a 400 like any other, in the forum's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar

import httpx
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from judge.core.text import Text
from judge.forum import AuthExpired, Changed, ForumError, Member, Refused, Retry, Unknown
from judge.forum.http import Http, Limits, Missing, Unanswered, answered, checked

T = TypeVar("T")

Id = Annotated[str, BeforeValidator(str)]
"""Numbers here, whole addresses for what came from other forums."""

PER_PAGE = 20


class Denied(Refused):
    """Refused with 403: for good."""


class Limited(Denied):
    """Refused with 400: for good, or because a limit was reached."""


class Answer(BaseModel):
    """What NodeBB gives back.  Its names have capitals where these have underscores."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Envelope(Answer, Generic[T]):
    response: T


class User(Answer):
    uid: Id
    username: str


class Myself(User):
    userslug: str


class Entry(Answer):
    """A post; `index` counts from 0, times are milliseconds, and `edited` is 0 if it never was."""

    pid: Id
    uid: Id
    content: str
    timestamp: int
    edited: int = 0
    deleted: int = 0
    index: int
    user: User
    editor: User | None = None


class Pages(Answer):
    page_count: int


class Privileges(Answer):
    """What the one whom a topic is shown to may do there."""

    uid: Id
    may_reply: bool = Field(default=False, alias="topics:reply")
    is_admin_or_mod: bool = False


class Page(Answer):
    """A topic and one page of its posts."""

    tid: Id
    title_raw: str
    slug: str
    locked: int = 0
    privileges: Privileges
    posts: list[Entry]
    pagination: Pages


class Slim(Answer):
    """A topic without its posts."""

    tid: Id
    postcount: int
    lastposttime: int


class Listed(Answer):
    """A topic in a list; `main_pid` is its first post."""

    tid: Id
    title_raw: str
    timestamp: int
    main_pid: Id


class Listing(Answer):
    topics: list[Listed]


class Posted(Answer):
    """A new post or topic; if `queued`, neither exists yet."""

    queued: bool = False
    pid: Id = ""
    tid: Id = ""


class Typed(Answer):
    content: str


class Single(Answer):
    uid: Id


class Edit(Answer):
    """An edit, or the writing of the post; older versions give no `uid`."""

    timestamp: int
    username: str | None = None
    uid: Id | None = None


class Diffs(Answer):
    """The edits, the newest first; the last one is no edit but the post's beginning."""

    revisions: list[Edit]


class QueuedData(Answer):
    """What was typed, escaped for HTML; `tid` of a reply alone."""

    raw_content: str
    timestamp: int | None = None
    tid: Id = ""


class Queued(Answer):
    """A reply or topic that waits for approval."""

    id: str
    user: User
    data: QueuedData


class Queue(Answer):
    posts: list[Queued]
    pagination: Pages


class Teaser(Answer):
    """The newest message of a chat, in the list of chats."""

    timestamp: int


class Room(Answer):
    """A chat; `users` are some of those who are in it."""

    room_id: int
    teaser: Teaser | None = None
    public: bool = False
    users: list[User] = []
    can_reply: bool = False


class Rooms(Answer):
    rooms: list[Room]


class Message(Answer):
    """A line of a chat; numbers run through all chats."""

    message_id: int
    fromuid: Id
    content: str
    timestamp: int
    deleted: int = 0
    system: int = 0
    from_user: User | None = None


class Messages(Answer):
    messages: list[Message]


class Sent(Answer):
    message_id: int


class Config(Answer):
    maximum_chat_message_length: int = 1000


class Api:
    """The token of one account."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        for name in ("url", "token"):
            if not settings.get(name):
                raise Refused(Text.of("The setting “{name}” is missing.", name=name))
        self._me: Myself | None = None
        self._last_pages: dict[str, int] = {}
        self.http = Http(
            str(settings["url"]),
            meaning=_meaning,
            address=str(settings.get("address", "")),
            limits=Limits.of(settings),
            headers={"Accept": "application/json", "Authorization": f"Bearer {settings['token']}"},
        )

    @property
    def me(self) -> Myself:
        if self._me is None:
            raise AuthExpired(Text.of("The judge's account is not logged in."))
        return self._me

    @property
    def member(self) -> Member:
        return Member(self.me.uid, self.me.username)

    def signed_in(self, act: Callable[[], T]) -> T:
        if self._me is None:
            self._look_who_it_is()
        return self.http.signed_in(act, self._look_who_it_is)

    def _look_who_it_is(self) -> None:
        self._me = None
        try:
            me = self.read(Myself, "/api/self")
        except Refused as refused:
            raise AuthExpired(refused.text) from refused
        if not me.uid.isdigit() or int(me.uid) <= 0:
            raise AuthExpired(Text.of("The token belongs to no account of its own."))
        self._me = me

    # Calls

    def read(self, kind: type[T], path: str, **params: str | int) -> T:
        """What a page shows."""
        return checked(kind, self.http.get(path, params))

    def get(self, kind: type[T], path: str, **params: str | int) -> T:
        """A single thing."""
        return _unwrapped(kind, self.http.get(f"/api/v3{path}", params))

    def put(self, path: str, body: object) -> None:
        """Raises Unanswered if it may have been done."""
        self.http.send(f"/api/v3{path}", method="PUT", json=body)

    def post(self, kind: type[T], path: str, body: object, may: Callable[[], bool]) -> T | Unknown:
        """Posts once.  Who is refused what he may do has reached a limit."""
        try:
            answer = self.http.send(f"/api/v3{path}", json=body)
        except Unanswered as lost:
            return Unknown(lost.text)
        except Limited as limited:
            if not may():
                raise
            raise Retry(limited.text, self.http.limits.retry) from limited
        return _unwrapped(kind, answer)

    # Pages

    def page(self, tid: str, number: int) -> Page:
        """A page of a topic, empty past its end; the account may have chosen another order for itself."""
        page = self.read(Page, f"/api/topic/{tid}", page=number, sort="oldest_to_newest")
        if page.privileges.uid != self.me.uid:
            raise AuthExpired(Text.of("The forum takes the judge for a guest."))
        if not page.posts and number == 1:
            raise Changed(Text.of("The forum shows a page without a post."))
        return page

    def pages_back(self, tid: str) -> Iterator[Page]:
        """From the last page to the first, so that a post that goes away meanwhile makes no other be missed."""
        known = self._last_pages.get(tid, 1)
        try:
            page = self.page(tid, known)
        except Missing:
            if known == 1:
                raise
            page = self.page(tid, known := 1)
        number = page.pagination.page_count
        if number != known or not page.posts:
            page = self.page(tid, number)
        self._last_pages[tid] = number
        while True:
            yield page
            number -= 1
            if number < 1:
                return
            page = self.page(tid, number)

    def queue(self) -> Iterator[Queued]:
        """What waits for approval: for moderators of everybody, for others what is theirs."""
        number, pages = 1, 1
        while number <= pages:
            queue = self.read(Queue, "/api/post-queue", page=number)
            yield from queue.posts
            number, pages = number + 1, queue.pagination.page_count

    def rooms(self) -> Iterator[Room]:
        """Private chats, the liveliest first."""
        seen = set[int]()
        while True:
            # Versions differ in which of these they heed.
            where = {"start": len(seen), "page": len(seen) // PER_PAGE + 1, "perPage": PER_PAGE}
            rooms = self.get(Rooms, "/chats", **where).rooms
            new = [room for room in rooms if room.room_id not in seen]
            seen |= {room.room_id for room in new}
            yield from (room for room in new if not room.public)
            if len(rooms) < PER_PAGE or not new:
                return

    def messages_back(self, room: int) -> Iterator[Message]:
        """The messages of a chat, the newest first."""
        seen = set[int]()
        while True:
            messages = self.get(Messages, f"/chats/{room}/messages", start=len(seen)).messages
            new = [message for message in messages if message.message_id not in seen]
            seen |= {message.message_id for message in new}
            yield from sorted(new, key=lambda message: -message.message_id)
            if not new:
                return


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _unwrapped(kind: type[T], answer: httpx.Response) -> T:
    envelope: Envelope[T] = checked(Envelope[kind], answer)  # type: ignore[valid-type]  # a type only known here
    return envelope.response


def _meaning(answer: httpx.Response) -> ForumError | None:
    """NodeBB says why in `status.message`, in its own language."""
    kind = {400: Limited, 403: Denied}.get(answer.status_code)
    if kind is None:
        return None
    try:
        return kind(str(answer.json()["status"]["message"])[:300])
    except (ValueError, KeyError, TypeError):
        return kind(answered(answer))
