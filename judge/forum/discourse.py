"""Discourse, by its API and a key of the judge's account.

What is surprising: an edit soon after posting leaves no version, so that only a comparison of texts shows it; hidden
posts stay in the topic, deleted ones go; what is drawn has typographic quotes and dashes, so texts are read as typed.
Members are written to in one private topic a game.  Its webhook only says when to look (`discourse_hook.py`).
Settings: `url`, `user`, `token` (an API key of that account), and `category`, the number for new topics.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import islice

from judge.core.text import Text
from judge.forum import (
    Caps,
    Changed,
    DirectMessage,
    Forum,
    ForumError,
    Held,
    Member,
    Place,
    Post,
    Published,
    Raw,
    Refused,
    Rendered,
    Retry,
    Revision,
    Setting,
    Topic,
    Unknown,
)
from judge.forum.discourse_api import Api, Change, Conflict, Denied, Entry, Posted, Review, Thread
from judge.forum.discourse_hook import called
from judge.forum.http import CATEGORY, PATIENCE, URL, USER, Missing, Unanswered
from judge.forum.markup import has_word
from judge.forum.settled import Settled
from judge.forum.topics import demanded, number_of, opened

TOKEN = Setting("token", Text.of("an API key of the judge's account, made by the forum's administrator"), secret=True)
SECRET = Setting(
    "secret", Text.of("the secret of its webhook, if it has one for the judge"), secret=True, optional=True
)
HOOK = called
SETTINGS = (URL, CATEGORY, USER, TOKEN, SECRET, *PATIENCE)
"""What a place on this forum needs: its address, where topics are opened, the judge's account and what lets it in."""

INTERVAL = 5
"""Seconds between two posts that Discourse asks of members who are not of the team."""
LONGEST_POST, LONGEST_TITLE = 32_000, 255
MOST_REVISIONS, MOST_TOPICS = 100, 20
REVIEW = "review-"
"""Begins the ids of what waits for approval, which has none of a post yet."""
ADDRESS = r".*/t/(?:[^/]*[^/\d][^/]*/)?(\d+)(?:[/?#].*)?"
"""Of a topic."""


class Discourse:
    """The judge's account on a Discourse, and one topic there."""

    caps = Caps(raw=True, history=True, dm=True, edit=True, min_post_interval=INTERVAL, max_length=LONGEST_POST)

    def __init__(self, place: Place) -> None:
        self._api = Api(place.settings)
        self._category = place.settings.get("category")
        self._mark = f" [{place.game_id}]"
        """Ends the titles of private topics of this game."""
        self._number = None if place.thread is None else number_of(place.thread, ADDRESS)
        self._private: dict[str, str] = {}
        self._settled = Settled()

    @property
    def served(self) -> datetime | None:
        return self._api.http.served

    def me(self) -> Member:
        return self._api.signed_in(lambda: self._api.me)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic | Held | Unknown:
        category, title = int(demanded(self._category)), title[:LONGEST_TITLE]

        def act() -> Topic | Held | Unknown:
            if (number := self._own_topic(title, key, since)) is None:
                if any(one.topic_id is None and has_word(one.raw_text, "markdown", key) for one in self._api.waiting()):
                    return Held()
                answer = self._api.post({"title": title, "raw": text.markdown, "category": category})
                if isinstance(answer, Unknown):
                    return answer
                if answer.action == "enqueued":
                    return Held()
                number = answer.topic_id
            self._number = number
            return self._as_topic(self._api.thread(number))

        return self._api.signed_in(act)

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        def act() -> Topic | None:
            number = self._own_topic(title[:LONGEST_TITLE], key, since)
            return None if number is None else self._as_topic(self._api.thread(number))

        return self._api.signed_in(act)

    def topic(self) -> Topic:
        return self._api.signed_in(lambda: self._as_topic(self._api.thread(self._thread)))

    def probe(self) -> str:
        thread = self._api.signed_in(lambda: self._api.thread(self._thread))
        return f"{thread.highest_post_number} {thread.posts_count} {thread.last_posted_at}"

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        def act() -> list[Post]:
            thread = self._api.thread(self._thread)
            posts = [self._as_post(entry) for entry in self._api.entries(thread, _from(thread, since))]
            if not posts and since is None:
                raise Changed(Text.of("The forum shows a page without a post."))
            return posts + (self._held(thread) if thread.queued_posts_count else [])

        return self._api.signed_in(act)

    def fetch_raw(self, post_id: str) -> Raw:
        def act() -> Raw:
            if post_id.startswith(REVIEW):
                held = next((post for post in self._held(self._api.thread(self._thread)) if post.id == post_id), None)
                if held is not None:
                    return Raw(held.text, held.markup)
            return _typed(self._entry(post_id))

        return self._api.signed_in(act)

    def history(self, post_id: str) -> list[Revision] | None:
        def act() -> list[Revision] | None:
            post = self._entry(post_id)
            if not post.can_view_edit_history:
                return None
            first = max(2, post.version - MOST_REVISIONS + 1)
            changes = [self._change(post, version) for version in range(first, post.version + 1)]
            return [change for change in changes if change is not None]

        return self._api.signed_in(act)

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published | Held | Unknown:
        return self._api.signed_in(lambda: self._put(self._thread, text, key, since))

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        return self._api.signed_in(lambda: self._look(self._api.own(self._thread), key, since))

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        def act() -> None:
            post = self._entry(post_id)
            now = post.raw or ""
            if post.user_id != self._api.me.id:
                raise Refused(Text.of("That is no post of the judge's own."))
            if now.strip() == text.markdown.strip():
                return
            if now.strip() != expect.strip():
                raise Refused(Text.of("The post no longer holds what is expected."))
            try:
                self._api.put(f"/posts/{post_id}.json", {"post": {"raw": text.markdown, "original_text": now}})
            except Conflict as conflict:
                raise Refused(Text.of("The post no longer holds what is expected.")) from conflict
            except Unanswered as lost:  # the next try sees whether it was done
                raise Retry(lost.text, self._api.http.limits.retry) from lost

        self._api.signed_in(act)

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        first = int(since or 0)

        def act() -> list[DirectMessage]:
            found = list[DirectMessage]()
            for listed in self._api.topics("/topics/private-messages"):
                shown = None if listed.last_posted_at is None else (listed.highest_post_number, listed.last_posted_at)
                newest = self._settled.newest(listed.id, shown)
                if newest is None:
                    thread = self._api.thread(listed.id)
                    newest = int(thread.post_stream.stream[-1])
                    ids = [post_id for post_id in thread.post_stream.stream if int(post_id) >= first]
                    entries = [entry for entry in self._api.entries(thread, ids) if entry.user_id != self._api.me.id]
                    waiting = any(int(entry.id) > first for entry in entries)
                    self._settled.note(listed.id, shown, newest, waiting=waiting)
                    found += [_as_message(entry) for entry in entries if self._is_to_judge(entry)]
                if newest < first:  # and so are those of all topics below
                    break
            return sorted(found, key=lambda message: int(message.id))

        return self._api.signed_in(act)

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str | Unknown:
        def act() -> str | Unknown:
            if (thread := self._private_topic(to_id)) is not None:
                done = self._put(thread, text, key, since)
                if isinstance(done, Held):
                    raise Refused(Text.of("The forum keeps the private message back."))
                return done if isinstance(done, Unknown) else done.ids[0]
            title = text.title[: LONGEST_TITLE - len(self._mark)] + self._mark
            to = self._api.member(to_id).username
            body = {"title": title, "raw": text.markdown, "archetype": "private_message", "target_recipients": to}
            answer = self._api.post(body)
            if isinstance(answer, Unknown):
                return answer
            if answer.action == "enqueued":
                raise Refused(Text.of("The forum keeps the private message back."))
            self._private[to_id] = answer.topic_id
            return answer.id

        return self._api.signed_in(act)

    def close(self) -> None:
        self._api.http.close()

    # Topics, public and private

    @property
    def _thread(self) -> str:
        return opened(self._number)

    def _as_topic(self, thread: Thread) -> Topic:
        url = self._address(f"/t/{thread.slug}/{thread.id}")
        return Topic(thread.id, thread.title, thread.post_stream.stream[0], url)

    def _own_topic(self, title: str, key: str, since: datetime | None) -> str | None:
        """The judge's own topic with the key, among those last written in; first those so called."""
        mine = islice(self._api.topics("/topics/created-by"), MOST_TOPICS)
        fresh = [listed for listed in mine if since is None or listed.created_at >= since]
        for listed in sorted(fresh, key=lambda listed: listed.title != title):
            opening = self._api.thread(listed.id).post_stream.posts[0]
            if self._is_letter(opening, key):
                return listed.id
        return None

    def _private_topic(self, member: str) -> str | None:
        """The private topic of this game with a member, unless he has left it."""
        if member not in self._private:
            for listed in self._api.topics("/topics/private-messages-sent"):
                if listed.title.endswith(self._mark):
                    details = self._api.thread(listed.id).details
                    others = {user.id for user in details.allowed_users} - {self._api.me.id}
                    if details.created_by.id == self._api.me.id and others == {member}:
                        self._private[member] = listed.id
                        break
        return self._private.get(member)

    # Posts

    def _entry(self, post_id: str, **params: str | int) -> Entry:
        if not post_id.isdigit():
            raise Refused(Text.of("There is no such post in this thread."))
        return self._api.get(Entry, f"/posts/{post_id}.json", **params)

    def _as_post(self, entry: Entry) -> Post:
        typed = _typed(entry)
        gone = entry.deleted_at is not None or entry.user_deleted
        return Post(
            id=entry.id,
            position=entry.post_number - 1,
            author_id=entry.user_id,
            author_name=entry.username,
            text=typed.text,
            markup=typed.markup,
            created=entry.created_at.astimezone(UTC),
            edited=entry.updated_at.astimezone(UTC) if entry.version > 1 else None,
            revision=str(entry.version),
            html=entry.cooked,
            state="deleted" if gone else "hidden" if entry.hidden else "visible",
            url=self._address(f"/t/{entry.topic_id}/{entry.post_number}"),
        )

    def _held(self, thread: Thread) -> list[Post]:
        """What waits for the team in a topic, after everything that stands there."""
        reviews = self._api.reviews(thread.id)
        names = {user.id: user.username for user in reviews.users}
        positions = range(thread.highest_post_number, thread.highest_post_number + len(reviews.reviewables))
        return [_as_held(*one, names) for one in zip(positions, reviews.reviewables, strict=True)]

    def _change(self, post: Entry, version: int) -> Revision | None:
        """What stood there before a version; None if the team hides it."""
        try:
            change = self._api.get(Change, f"/posts/{post.id}/revisions/{version}.json")
            before = _typed(self._entry(post.id, version=version - 1))
        except (Missing, Denied):
            return None
        own = change.username.lower() == post.username.lower()
        editor = post.user_id if own else self._api.named(change.username)
        return Revision(change.created_at.astimezone(UTC), before.text, before.markup, editor)

    def _is_letter(self, entry: Entry, key: str) -> bool:
        gone = entry.deleted_at is not None or entry.user_deleted
        typed = _typed(entry)
        return entry.user_id == self._api.me.id and not gone and has_word(typed.text, typed.markup, key)

    def _is_to_judge(self, entry: Entry) -> bool:
        """Written by a person who is not the judge; what the forum itself writes has negative ids."""
        person = entry.user_id is not None and entry.user_id.isdigit() and entry.user_id != self._api.me.id
        return person and not entry.hidden and not entry.user_deleted and entry.deleted_at is None

    def _look(self, mine: Thread, key: str, since: datetime | None) -> Published | None:
        """The judge's own post with the key, the newest first."""
        own = self._api.own_back(mine, since)
        found = next((entry for entry in own if self._is_letter(entry, key)), None)
        return None if found is None else self._published(found)

    def _put(self, thread: str, text: Rendered, key: str, since: datetime | None) -> Published | Held | Unknown:
        """Posts a letter in a topic, unless it stands or waits there, and reads it back."""
        mine = self._api.own(thread)
        if found := self._look(mine, key, since):
            return found
        if any(has_word(one.raw, "markdown", key) for one in mine.pending_posts):
            return Held()
        answer = self._api.post({"topic_id": int(thread), "raw": text.markdown})
        if isinstance(answer, Unknown):
            return answer
        if answer.action == "enqueued":
            return Held()
        try:
            return self._look(self._api.own(thread), key, since) or self._published(answer)
        except ForumError:  # it is there, whatever became of reading it back
            return self._published(answer)

    def _published(self, post: Entry | Posted) -> Published:
        return Published((post.id,), self._address(f"/t/{post.topic_id}/{post.post_number}"))

    def _address(self, path: str) -> str:
        return str(self._api.http.url(path))


def forum(place: Place) -> Forum:
    """The connector."""
    return Discourse(place)


def _from(thread: Thread, since: str | None) -> list[str]:
    """The ids from this one on; all of them if it is no longer there."""
    stream = thread.post_stream.stream
    return stream[stream.index(since) :] if since in stream else stream


def _typed(entry: Entry) -> Raw:
    """What was typed; the forum shows of some hidden posts only that they are hidden."""
    return Raw(entry.cooked, "html") if entry.raw is None else Raw(entry.raw, "markdown")


def _as_held(position: int, review: Review, names: dict[str, str]) -> Post:
    author = review.target_created_by_id or review.created_by_id
    return Post(
        id=f"{REVIEW}{review.id}",
        position=position,
        author_id=author,
        author_name=names.get(author or "", ""),
        text=review.payload.raw if review.payload else "",
        markup="markdown",
        created=review.created_at.astimezone(UTC),
        state="held",
    )


def _as_message(entry: Entry) -> DirectMessage:
    typed = _typed(entry)
    created = entry.created_at.astimezone(UTC)
    return DirectMessage(entry.id, entry.user_id or "", entry.username, typed.text, typed.markup, created)
