"""Misago, by the JSON API that its own pages use.

What is surprising: a new topic that waits for approval does not say so, a moderator's account may change anybody's
posts, and its Markdown knows no tables but BBCode's `[code]`.  Members are written to in one private thread a game.
Settings: `url`, `user`, `password`, and `category`, the number of the category for new topics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from judge.core.text import Text
from judge.forum import (
    Caps,
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
    Topic,
    Unknown,
)
from judge.forum.http import CATEGORY, PASSWORD, PATIENCE, URL, USER, Unanswered, checked
from judge.forum.markup import has_word
from judge.forum.misago_api import (
    INTERVAL,
    Api,
    Created,
    Denied,
    Edit,
    Entry,
    Link,
    Listed,
    Listing,
    Page,
    Thread,
    Typed,
    User,
)
from judge.forum.settled import Settled
from judge.forum.tables import with_tables_in_code
from judge.forum.topics import demanded, number_of, opened, shortened

LONGEST_POST, LONGEST_TITLE = 60_000, 90
SETTINGS = (URL, CATEGORY, USER, PASSWORD, *PATIENCE)
"""What a place on this forum needs: its address, where topics are opened, and the judge's account."""

MOST_REVISIONS = 100
PUBLIC, PRIVATE = "/api/threads/", "/api/private-threads/"
ADDRESS = r".*/t/[^/]+/(\d+)(?:/.*)?"
"""Of a topic."""


class Misago:
    """The judge's account on a Misago, and one topic there."""

    caps = Caps(raw=True, history=True, dm=True, edit=True, min_post_interval=INTERVAL, max_length=LONGEST_POST)

    def __init__(self, place: Place) -> None:
        self._api = Api(place.settings)
        self._category = place.settings.get("category")
        self._mark = f" [{place.game_id}]"
        """Ends the titles of private threads of this game."""
        self._topic_number = None if place.thread is None else number_of(place.thread, ADDRESS)
        self._private: dict[str, int] = {}
        self._settled = Settled()

    @property
    def served(self) -> datetime | None:
        return self._api.http.served

    def me(self) -> Member:
        return self._api.signed_in(lambda: self._api.me)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic | Held | Unknown:
        category, title = int(demanded(self._category)), shortened(title, LONGEST_TITLE)

        def act() -> Topic | Held | Unknown:
            if (thread := self._own_topic(category, title, key, since)) is None:
                body = {"category": category, "title": title, "post": with_tables_in_code(text)}
                answer = self._api.post(PUBLIC, body, lambda: self._api.may_start(category))
                if isinstance(answer, Unknown):
                    return answer
                thread = checked(Created, answer).id
            self._topic_number = str(thread)
            page = self._api.page(self._posts, 1)
            return Held() if page.post_set.results[0].is_unapproved else self._as_topic(page)

        return self._api.signed_in(act)

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        category, title = int(self._category or 0), shortened(title, LONGEST_TITLE)

        def act() -> Topic | None:
            if (thread := self._own_topic(category, title, key, since)) is None:
                return None
            page = self._api.page(f"{PUBLIC}{thread}/posts/", 1)
            return None if page.post_set.results[0].is_unapproved else self._as_topic(page)

        return self._api.signed_in(act)

    def topic(self) -> Topic:
        return self._api.signed_in(lambda: self._as_topic(self._api.page(self._posts, 1)))

    def probe(self) -> str:
        thread = self._api.signed_in(lambda: self._api.get(Thread, self._thread))
        return f"{thread.last_post} {thread.replies} {thread.last_post_on.isoformat()}"

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        return self._api.signed_in(lambda: self._since(self._posts, int(since or 0)))

    def fetch_raw(self, post_id: str) -> Raw:
        return self._api.signed_in(lambda: self._typed(self._posts, post_id))

    def history(self, post_id: str) -> list[Revision]:
        def act() -> list[Revision]:
            path = f"{self._posts}{int(post_id)}/edits/"
            try:
                edits = [self._api.get(Edit, path)]
            except Denied:  # it was never edited
                return []
            while (earlier := edits[-1].previous) is not None and len(edits) < MOST_REVISIONS:
                edits.append(self._api.get(Edit, path, edit=earlier))
            return [_revision(edit) for edit in reversed(edits)]

        return self._api.signed_in(act)

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published | Held | Unknown:
        return self._api.signed_in(lambda: self._put(self._thread, text, key, since))

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        found = self._api.signed_in(lambda: self._look(self._posts, key, since))
        return found if isinstance(found, Published) else None

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        def act() -> None:
            post = next(iter(self._since(self._posts, int(post_id))), None)
            if post is None or post.id != post_id or post.author_id != self._api.me.id:
                raise Refused(Text.of("That is no post of the judge's own."))
            now = self._typed(self._posts, post_id).text.strip()
            if now == with_tables_in_code(text).strip():
                return
            if now != expect.strip():
                raise Refused(Text.of("The post no longer holds what is expected."))
            try:
                self._api.send("PUT", f"{self._posts}{post_id}/", {"post": with_tables_in_code(text)})
            except Unanswered as lost:  # the next try sees whether it was done
                raise Retry(lost.text, self._api.http.limits.retry) from lost

        self._api.signed_in(act)

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        def act() -> list[DirectMessage]:
            first, messages = int(since or 0), list[DirectMessage]()
            for thread in self._private_threads(first):
                if self._settled.newest(thread.id, thread.last_post) is not None:
                    continue
                path = f"{PRIVATE}{thread.id}/posts/"
                theirs = [post for post in self._since(path, first) if post.author_id not in (None, self._api.me.id)]
                waiting = any(int(post.id) > first for post in theirs)
                self._settled.note(thread.id, thread.last_post, thread.last_post or 0, waiting=waiting)
                messages += [self._message(path, post) for post in theirs if post.state == "visible"]
            return sorted(messages, key=lambda message: int(message.id))

        return self._api.signed_in(act)

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str | Unknown:
        def act() -> str | Unknown:
            if (thread := self._private_thread(to_id)) is not None:
                done = self._put(f"{PRIVATE}{thread}/", text, key, since)
                if isinstance(done, Held):
                    raise Refused(Text.of("The forum keeps the private message back."))
                return done if isinstance(done, Unknown) else done.ids[0]
            title = shortened(text.title, LONGEST_TITLE - len(self._mark)) + self._mark
            name = self._api.get(User, f"/api/users/{int(to_id)}/").username
            body = {"to": [name], "title": title, "post": with_tables_in_code(text)}
            answer = self._api.post(PRIVATE, body, self._api.may_start_privately)
            if isinstance(answer, Unknown):
                return answer
            self._private[to_id] = checked(Created, answer).id
            return str(self._api.page(f"{PRIVATE}{self._private[to_id]}/posts/", 1).post_set.results[0].id)

        return self._api.signed_in(act)

    def close(self) -> None:
        self._api.http.close()

    # Topics and private threads

    @property
    def _thread(self) -> str:
        return f"{PUBLIC}{opened(self._topic_number)}/"

    @property
    def _posts(self) -> str:
        return f"{self._thread}posts/"

    def _as_topic(self, page: Page) -> Topic:
        return Topic(str(page.id), page.title, str(page.post_set.results[0].id), self._address(page.url))

    def _own_topic(self, category: int, title: str, key: str, since: datetime | None) -> int | None:
        """The judge's topic whose opening post holds the key, among those last written in; first those so called."""
        mine = self._api.get(Listing, PUBLIC, category=category, list="my").results
        fresh = [listed for listed in mine if since is None or listed.started_on >= since]
        for listed in sorted(fresh, key=lambda listed: listed.title != title):
            first = self._api.page(f"{PUBLIC}{listed.id}/posts/", 1).post_set.results[0]
            if self._is_letter(first, key):
                return listed.id
        return None

    def _private_threads(self, since: int) -> Iterator[Listed]:
        """Those that hold a post with the id `since` or a later one, the liveliest first."""
        start: int | None = 0
        while start is not None:
            page = self._api.get(Listing, PRIVATE, start=start)
            for thread in page.results:
                if (thread.last_post or 0) < since:
                    return
                yield thread
            start = page.next

    def _private_thread(self, member: str) -> int | None:
        """The thread of this game with a member, unless he has left it."""
        known = [self._private[member]] if member in self._private else self._own_private_threads()
        for thread in known:
            participants = self._api.get(Thread, f"{PRIVATE}{thread}/").participants
            if member in [str(person.id) for person in participants]:
                self._private[member] = thread
                return thread
        return None

    def _own_private_threads(self) -> Iterator[int]:
        for thread in self._private_threads(0):
            if thread.title.endswith(self._mark) and thread.starter and str(thread.starter.id) == self._api.me.id:
                yield thread.id

    # Posts

    def _since(self, posts: str, since: int) -> list[Post]:
        entries, before = dict[int, Entry](), 0
        for page in self._api.pages_back(posts):
            before = page.before
            entries = {**{entry.id: entry for entry in page.results}, **entries}
            if page.results[0].id <= since:
                break
        in_order = enumerate((entries[number] for number in sorted(entries)), start=before)
        return [self._as_post(position, entry) for position, entry in in_order if entry.id >= since]

    def _as_post(self, position: int, entry: Entry) -> Post:
        hidden = entry.is_hidden or entry.content is None
        return Post(
            id=str(entry.id),
            position=position,
            author_id=None if entry.poster is None else str(entry.poster.id),
            author_name=entry.poster_name,
            text=entry.content or "",
            markup="html",
            created=entry.posted_on.astimezone(UTC),
            edited=entry.updated_on.astimezone(UTC) if entry.edits else None,
            editor_id=str(entry.last_editor) if entry.last_editor else None,
            revision=str(entry.edits),
            html=entry.content,
            state="held" if entry.is_unapproved else "hidden" if hidden else "visible",
            url=self._address(entry.url),
        )

    def _typed(self, posts: str, post_id: str) -> Raw:
        """What stands in a quote of the post, which needs the right to reply; nobody may quote a hidden one."""
        return Raw(self._api.get(Typed, f"{posts}reply_editor/", reply=post_id).post, "markdown")

    def _message(self, posts: str, post: Post) -> DirectMessage:
        typed = self._typed(posts, post.id)
        return DirectMessage(post.id, post.author_id or "", post.author_name, typed.text, typed.markup, post.created)

    def _is_letter(self, entry: Entry, key: str) -> bool:
        mine = entry.poster is not None and str(entry.poster.id) == self._api.me.id
        return mine and has_word(entry.content or "", "html", key)

    def _look(self, posts: str, key: str, since: datetime | None) -> Published | Held | None:
        """The judge's own post with the key, the newest first."""
        for page in self._api.pages_back(posts):
            for entry in reversed(page.results):
                if self._is_letter(entry, key):
                    return self._outcome(entry)
            if since is not None and page.results[0].posted_on < since:
                break
        return None

    def _put(self, thread: str, text: Rendered, key: str, since: datetime | None) -> Published | Held | Unknown:
        """Posts a letter in a thread, unless it stands there, and reads it back."""
        posts = f"{thread}posts/"
        if found := self._look(posts, key, since):
            return found
        answer = self._api.post(posts, {"post": with_tables_in_code(text)}, lambda: self._api.may_reply(thread))
        if isinstance(answer, Unknown):
            return answer
        posted = self._outcome(checked(Entry, answer))
        try:
            return self._look(posts, key, since) or posted
        except ForumError:  # it is there, whatever became of reading it back
            return posted

    def _outcome(self, entry: Entry) -> Published | Held:
        return Held() if entry.is_unapproved else Published((str(entry.id),), self._address(entry.url))

    def _address(self, link: Link) -> str:
        return str(self._api.http.url(link.index))


def forum(place: Place) -> Forum:
    """The connector."""
    return Misago(place)


def _revision(edit: Edit) -> Revision:
    """What stood before an edit: in a difference of lines the kept and the removed ones."""
    text = "\n".join(line[2:] for line in edit.diff if line.startswith(("  ", "- ")))
    editor = re.search(r"/(\d+)/?$", edit.url.get("editor") or "")
    return Revision(edit.edited_on.astimezone(UTC), text, "markdown", editor[1] if editor else None)
