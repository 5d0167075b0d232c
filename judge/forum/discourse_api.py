"""What Discourse's API asks for and answers, as far as the connector uses it.

A wrong key is refused with 403 as is everything that is not allowed, so whoever is refused asks who he is.  A topic
gives the ids of all its posts and the first of them; the others are asked for by their ids, some at a time.  A post
that was sent twice within two minutes with the same words is given back as it is and made once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import AwareDatetime, BaseModel, BeforeValidator

from judge.core.text import Text
from judge.forum import AuthExpired, Changed, ForumError, Member, Refused, Retry, Unknown
from judge.forum.http import LONGEST_WAIT, Http, Limits, Missing, Unanswered, answered, checked

T = TypeVar("T")

Id = Annotated[str, BeforeValidator(str)]

CHUNK = 20
"""Posts asked for at a time."""
WRITTEN_BY_PEOPLE = (1, 2)
"""Types of posts: regular ones and those of moderators; the others are events and whispers among the team."""


class Denied(Refused):
    """Refused with 403: for good, or because the key is no longer valid."""


class Conflict(Refused):
    """Refused with 409: somebody else was faster."""


class User(BaseModel):
    id: Id
    username: str


class Session(BaseModel):
    current_user: User


class Profile(BaseModel):
    user: User


class Cards(BaseModel):
    users: list[User]


class Entry(BaseModel):
    """A post, or an event such as “closed the topic”; `raw` is what was typed, `cooked` how it is drawn."""

    id: Id
    topic_id: Id
    post_number: int
    post_type: int
    user_id: Id | None
    username: str
    created_at: AwareDatetime
    updated_at: AwareDatetime
    version: int
    cooked: str
    raw: str | None = None
    hidden: bool = False
    user_deleted: bool = False
    deleted_at: AwareDatetime | None = None
    can_view_edit_history: bool = True


class Entries(BaseModel):
    posts: list[Entry]


class Stream(Entries):
    """The ids of all posts of a topic, and the first of the posts."""

    stream: list[Id]


class Chunk(BaseModel):
    post_stream: Entries


class Details(BaseModel):
    created_by: User
    allowed_users: list[User] = []


class Pending(BaseModel):
    """A post of one's own that waits for approval."""

    raw: str = ""


class Thread(BaseModel):
    """A topic, public or private; `queued_posts_count` is for the team alone."""

    id: Id
    title: str
    slug: str
    posts_count: int
    highest_post_number: int
    last_posted_at: AwareDatetime | None
    details: Details
    post_stream: Stream
    pending_posts: list[Pending] = []
    queued_posts_count: int = 0


class Listed(BaseModel):
    id: Id
    title: str
    created_at: AwareDatetime
    highest_post_number: int | None = None
    last_posted_at: AwareDatetime | None = None


class Topics(BaseModel):
    topics: list[Listed]
    more_topics_url: str | None = None


class Listing(BaseModel):
    topic_list: Topics


class PendingTopic(BaseModel):
    """A post or topic of one's own that waits for approval; topics have no `topic_id` yet."""

    raw_text: str
    topic_id: Id | None = None


class Waiting(BaseModel):
    pending_posts: list[PendingTopic]


class Payload(BaseModel):
    raw: str = ""


class Review(BaseModel):
    """What waits for the team."""

    id: Id
    type: str
    created_at: AwareDatetime
    payload: Payload | None = None
    target_created_by_id: Id | None = None
    created_by_id: Id | None = None


class Reviews(BaseModel):
    reviewables: list[Review]
    users: list[User] = []


class Posted(BaseModel):
    """A new post, or (`action` is `enqueued`) one that waits for approval and has no id yet."""

    action: str = ""
    id: Id = ""
    topic_id: Id = ""
    post_number: int = 0


class Change(BaseModel):
    """When a version was replaced, and by whom."""

    created_at: AwareDatetime
    username: str


class Api:
    """The key of one account."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        for name in ("url", "user", "token"):
            if not settings.get(name):
                raise Refused(Text.of("The setting “{name}” is missing.", name=name))
        self._me: Member | None = None
        self.http = Http(
            str(settings["url"]),
            meaning=self._meaning,
            address=str(settings.get("address", "")),
            limits=Limits.of(settings),
            headers={
                "Accept": "application/json",
                "Api-Key": str(settings["token"]),
                "Api-Username": str(settings["user"]),
            },
        )

    @property
    def me(self) -> Member:
        if self._me is None:
            raise AuthExpired(Text.of("The judge's account is not logged in."))
        return self._me

    def signed_in(self, act: Callable[[], T]) -> T:
        def act_as_member() -> T:
            try:
                return act()
            except Denied:
                self._look_who_it_is()
                raise

        if self._me is None:
            self._look_who_it_is()
        return act_as_member()

    def _look_who_it_is(self) -> None:
        try:
            user = self.get(Session, "/session/current.json").current_user
        except Refused as refused:
            raise AuthExpired(refused.text) from refused
        self._me = Member(user.id, user.username)

    def _meaning(self, answer: httpx.Response) -> ForumError | None:
        """Discourse says why in `errors`, and how long to wait in a header or in `extras`."""
        status = answer.status_code
        if not answer.is_client_error or status in (401, 404, 410):
            return None
        said, seconds = _complaint(answer)
        if status == 429:
            wait = seconds if seconds and "retry-after" not in answer.headers else self.http.wait(answer)
            return Retry(said, max(1, min(wait, LONGEST_WAIT)))
        return {403: Denied, 409: Conflict}.get(status, Refused)(said)

    # Calls

    def get(self, kind: type[T], path: str, **params: str | int) -> T:
        return checked(kind, self.http.get(path, params))

    def put(self, path: str, body: object) -> None:
        """Raises Unanswered if it may have been done."""
        self.http.send(path, method="PUT", json=body)

    def post(self, body: object) -> Posted | Unknown:
        """A new post, topic or private message."""
        try:
            return checked(Posted, self.http.send("/posts.json", json=body))
        except Unanswered as lost:
            return Unknown(lost.text)

    # Topics and posts

    def thread(self, number: str, **params: str | int) -> Thread:
        thread = self.get(Thread, f"/t/{number}.json", include_raw="true", **params)
        if not thread.post_stream.stream and not params:
            raise Changed(Text.of("The forum shows a page without a post."))
        return thread

    def entries(self, thread: Thread, ids: Sequence[str]) -> Iterator[Entry]:
        """The posts of a topic with these ids, less those that are gone meanwhile and those that nobody wrote."""
        there = {entry.id: entry for entry in thread.post_stream.posts}
        for at in range(0, len(ids), CHUNK):
            some = ids[at : at + CHUNK]
            if missing := [post_id for post_id in some if post_id not in there]:
                wanted = "&".join(f"post_ids[]={post_id}" for post_id in missing)
                chunk = self.get(Chunk, f"/t/{thread.id}/posts.json?{wanted}&include_raw=true")
                there |= {entry.id: entry for entry in chunk.post_stream.posts}
            yield from (there[post_id] for post_id in some if post_id in there and _is_written(there[post_id]))

    def own(self, number: str) -> Thread:
        """A topic with the judge's posts alone (and the first one), and what it wrote that waits for approval."""
        return self.thread(number, username_filters=self.me.name)

    def own_back(self, mine: Thread, since: datetime | None) -> Iterator[Entry]:
        """The judge's own posts in a topic, the newest first, back to that time."""
        newest_first = mine.post_stream.stream[::-1]
        for at in range(0, len(newest_first), CHUNK):
            for entry in reversed(list(self.entries(mine, newest_first[at : at + CHUNK][::-1]))):
                if since is not None and entry.created_at < since:
                    return
                if entry.user_id == self.me.id:
                    yield entry

    def topics(self, path: str) -> Iterator[Listed]:
        """A list of topics over all its pages."""
        number, seen = 0, set[str]()
        while True:
            listed = self.get(Listing, f"{path}/{quote(self.me.name)}.json", page=number).topic_list
            new = [topic for topic in listed.topics if topic.id not in seen]
            yield from new
            seen |= {topic.id for topic in new}
            number += 1
            if listed.more_topics_url is None or not new:
                return

    def member(self, member: str) -> User:
        """Somebody by his id: private messages go to the name that he has now."""
        found = [user for user in self.get(Cards, "/user-cards.json", user_ids=member).users if user.id == member]
        if not found:
            raise Missing(Text.of("The forum answers {status}.", status=404))
        return found[0]

    def named(self, name: str) -> str | None:
        """The id of whoever has this name now."""
        try:
            return self.get(Profile, f"/u/{quote(name)}.json").user.id
        except (Missing, Denied):
            return None

    def waiting(self) -> list[PendingTopic]:
        """What the judge wrote and nobody has let through yet."""
        try:
            return self.get(Waiting, f"/posts/{quote(self.me.name)}/pending.json").pending_posts
        except (Missing, Denied):
            return []

    def reviews(self, thread: str) -> Reviews:
        """Replies in a topic that wait for the team; none for whoever is not of it."""
        try:
            return self.get(Reviews, "/review.json", type="ReviewableQueuedPost", topic_id=thread)
        except (Missing, Denied):
            return Reviews(reviewables=[])


def _is_written(entry: Entry) -> bool:
    return entry.post_type in WRITTEN_BY_PEOPLE


def _complaint(answer: httpx.Response) -> tuple[Text | str, int]:
    """Why not, and for how many seconds not."""
    try:
        said = answer.json()
        words = "; ".join(str(one) for one in said["errors"])[:300]
        return words, int((said.get("extras") or {}).get("wait_seconds") or 0)
    except (ValueError, KeyError, TypeError, AttributeError):
        return answered(answer), 0
