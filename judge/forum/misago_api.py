"""What Misago's JSON API asks for and answers, as far as the connector uses it.

Everybody reads a public topic, so that an ended session shows only in the cookie that is gone.  A limit on posting is
refused in the same way as a topic that is closed.  Pages begin with the last post of the page before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import httpx
from pydantic import AwareDatetime, BaseModel

from judge.core.text import Text
from judge.forum import AuthExpired, Changed, ForumError, Member, Refused, Retry, Unknown
from judge.forum.http import Http, Limits, Missing, Unanswered, answered, checked

T = TypeVar("T")

INTERVAL = 3
"""Seconds between two posts that Misago asks of everybody."""


class Denied(Refused):
    """Refused with 403: for good, or because a limit was reached."""


class User(BaseModel):
    id: int | None
    username: str = ""
    acl: dict[str, Any] = {}


class Person(BaseModel):
    id: int


class Link(BaseModel):
    index: str


class Entry(BaseModel):
    """A post, or an event such as “closed the thread” (which has no text)."""

    id: int
    poster: Person | None
    poster_name: str
    content: str | None
    posted_on: AwareDatetime
    updated_on: AwareDatetime
    edits: int
    last_editor: int | None
    is_hidden: bool
    is_unapproved: bool
    is_event: bool
    url: Link


class PostSet(BaseModel):
    """A page of posts; `before` is how many stand on the pages before."""

    page: int
    pages: int
    before: int
    results: list[Entry]


class Thread(BaseModel):
    id: int
    title: str
    url: Link
    replies: int
    last_post: int | None
    last_post_on: AwareDatetime
    acl: dict[str, Any]
    participants: list[Person] = []


class Page(Thread):
    post_set: PostSet


class Listed(BaseModel):
    """A thread in a list."""

    id: int
    title: str
    starter: Person | None
    started_on: AwareDatetime
    last_post: int | None


class Listing(BaseModel):
    results: list[Listed]
    next: int | None


class Created(BaseModel):
    id: int


class Category(BaseModel):
    """A category; `post` is false where no topic can be started."""

    id: int
    post: object


class Typed(BaseModel):
    post: str


class Edit(BaseModel):
    """An edit as a difference of lines; `previous` is the number of the one before."""

    edited_on: AwareDatetime
    diff: list[str]
    previous: int | None
    url: dict[str, str | None]


class Api:
    """The session of one account."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        for name in ("url", "user", "password"):
            if not settings.get(name):
                raise Refused(Text.of("The setting “{name}” is missing.", name=name))
        self._credentials = {"username": settings["user"], "password": settings["password"]}
        self._me: Member | None = None
        self._session: frozenset[str] = frozenset()
        self._last_pages: dict[str, int] = {}
        self.http = Http(
            str(settings["url"]),
            meaning=self._meaning,
            address=str(settings.get("address", "")),
            limits=Limits.of(settings),
            headers={"Accept": "application/json"},
        )

    # The session

    @property
    def me(self) -> Member:
        if self._me is None:
            raise AuthExpired(Text.of("The judge's account is not logged in."))
        return self._me

    def signed_in(self, act: Callable[[], T]) -> T:
        def act_as_member() -> T:
            try:
                return act()
            except Denied as denied:
                if self.get(User, "/api/auth/").id is None:
                    raise AuthExpired(denied.text) from denied
                raise

        if self._me is None:
            self._log_in()
        return self.http.signed_in(act_as_member, self._log_in)

    def _log_in(self) -> None:
        self._me, self._session = None, frozenset()
        self.http.get("/")
        try:
            answer = self.send("POST", "/api/auth/", self._credentials)
        except Unanswered as lost:
            raise Retry(lost.text, self.http.limits.retry) from lost
        except Missing:
            raise
        except Refused as refused:
            raise AuthExpired(refused.text) from refused
        user = checked(User, answer)
        self._me = Member(str(user.id), user.username)
        self._session = frozenset(answer.cookies)

    def _meaning(self, answer: httpx.Response) -> ForumError | None:
        """Misago says why in `detail`, or for each field of a form."""
        if any(not self.http.cookie(name) for name in self._session):
            return AuthExpired(Text.of("The session has ended."))
        if not answer.is_client_error or answer.status_code in (401, 404, 429):
            return None
        said = _complaint(answer)
        return Denied(said) if answer.status_code == 403 else Refused(said)

    # Calls

    def get(self, kind: type[T], path: str, **params: str | int) -> T:
        return checked(kind, self.http.get(path, params))

    def send(self, method: str, path: str, body: object) -> httpx.Response:
        """Writes once; raises Unanswered if it may have been done."""
        token = {"X-CSRFToken": self.http.cookie("csrftoken")}
        return self.http.send(path, method=method, json=body, headers=token)

    def post(self, path: str, body: object, may: Callable[[], bool]) -> httpx.Response | Unknown:
        """Posts once.  Who is refused what he may do has reached a limit: three seconds, or so many in an hour."""
        try:
            return self.send("POST", path, body)
        except Unanswered as lost:
            return Unknown(lost.text)
        except Denied as denied:
            if not may():
                raise
            wait = INTERVAL if "quickly" in str(denied) else self.http.limits.retry
            raise Retry(denied.text, wait) from denied

    def may_start(self, category: int) -> bool:
        known = self.get(list[Category], "/api/threads/editor/")
        return any(one.id == category and one.post for one in known)

    def may_start_privately(self) -> bool:
        return bool(self.get(User, "/api/auth/").acl.get("can_start_private_threads"))

    def may_reply(self, thread: str) -> bool:
        return bool(self.get(Thread, thread).acl.get("can_reply"))

    # Pages

    def page(self, posts: str, number: int) -> Page:
        """A page without its events."""
        page = self.get(Page, posts, page=number)
        page.post_set.results = [entry for entry in page.post_set.results if not entry.is_event]
        if not page.post_set.results:
            raise Changed(Text.of("The forum shows a page without a post."))
        return page

    def pages_back(self, posts: str) -> Iterator[PostSet]:
        """From the last page to the first, so that a post that goes away meanwhile makes no other be missed.

        A page that does not begin with the last post of the page before: a post came back meanwhile, and has moved
        others to the later page, which is read again.
        """
        try:
            page = self.page(posts, self._last_pages.get(posts, 1)).post_set
        except Missing:  # it has become shorter
            page = self.page(posts, 1).post_set
        if page.page < page.pages:
            page = self.page(posts, page.pages).post_set
        self._last_pages[posts] = page.pages
        read_again = set[int]()
        while True:
            yield page
            if page.page <= 1:
                return
            earlier = self.page(posts, page.page - 1).post_set
            if earlier.results[-1].id < page.results[0].id and page.page not in read_again:
                read_again.add(page.page)
                earlier = self.page(posts, page.page).post_set
            page = earlier


def _complaint(answer: httpx.Response) -> Text | str:
    try:
        said = answer.json()
    except ValueError:
        return answered(answer)
    words = said.values() if isinstance(said, dict) else [said]
    return "; ".join(str(one) for word in words for one in (word if isinstance(word, list) else [word]))[:300]
