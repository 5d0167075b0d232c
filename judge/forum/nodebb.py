"""NodeBB, by its API and the token of one account.

What is surprising: deleted posts stay listed, posts that wait for approval have an id that they lose when they are let
through, and what stood in a post before an edit is told as HTML alone.  A member is written to in a chat, whose lines
are short (1,000 characters unless the forum's operators allow more), so long letters go as several of them.
Settings: `url`, `token` (of the judge's account, made by an administrator), and `category`, the number for new topics.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise

from judge.core.text import Text
from judge.forum import (
    Caps,
    DirectMessage,
    Forum,
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
from judge.forum.http import CATEGORY, PATIENCE, URL, Missing, Unanswered
from judge.forum.markup import has_word
from judge.forum.nodebb_api import (
    Api,
    Denied,
    Diffs,
    Edit,
    Entry,
    Listed,
    Listing,
    Page,
    Posted,
    Queued,
    Single,
    Slim,
    Typed,
    User,
    moment,
)
from judge.forum.nodebb_chats import Chats
from judge.forum.topics import demanded, number_of, opened

TOKEN = Setting(
    "token", Text.of("the access token of the judge's account, made by the forum's administrator"), secret=True
)
SETTINGS = (URL, CATEGORY, TOKEN, *PATIENCE)
"""What a place on this forum needs: its address, where topics are opened, and what lets the judge in."""

INTERVAL = 10
"""Seconds between two posts that NodeBB asks of members who are no moderators."""
LONGEST_POST, LONGEST_TITLE = 32_767, 255
MOST_REVISIONS = 100
ADDRESS = r".*/topic/(\d+)(?:/.*)?"
"""Of a topic."""


class NodeBB:
    """The judge's account on a NodeBB, and one topic there."""

    caps = Caps(raw=True, history=True, dm=True, edit=True, min_post_interval=INTERVAL, max_length=LONGEST_POST)

    def __init__(self, place: Place) -> None:
        self._api = Api(place.settings)
        self._category = place.settings.get("category")
        self._tid = None if place.thread is None else number_of(place.thread, ADDRESS)
        self._chats = Chats(self._api)

    @property
    def served(self) -> datetime | None:
        return self._api.http.served

    def me(self) -> Member:
        return self._api.signed_in(lambda: self._api.member)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic | Held | Unknown:
        category, title = int(demanded(self._category)), title[:LONGEST_TITLE]

        def may() -> bool:
            privileges = self._api.read(dict[str, object], f"/api/category/{category}").get("privileges")
            return isinstance(privileges, dict) and bool(privileges.get("topics:create"))

        def act() -> Topic | Held | Unknown:
            if (tid := self._own_topic(title, key, since)) is None:
                if self._waits(key, ""):
                    return Held()
                body = {"cid": category, "title": title, "content": text.markdown}
                answer = self._api.post(Posted, "/topics", body, may)
                if isinstance(answer, Unknown):
                    return answer
                if answer.queued:
                    return Held()
                tid = answer.tid
            self._tid = tid
            return self._as_topic(self._api.page(tid, 1))

        return self._api.signed_in(act)

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        def act() -> Topic | None:
            tid = self._own_topic(title[:LONGEST_TITLE], key, since)
            return None if tid is None else self._as_topic(self._api.page(tid, 1))

        return self._api.signed_in(act)

    def topic(self) -> Topic:
        return self._api.signed_in(lambda: self._as_topic(self._api.page(self._topic_id, 1)))

    def probe(self) -> str:
        topic = self._api.signed_in(lambda: self._api.get(Slim, f"/topics/{self._topic_id}"))
        return f"{topic.postcount} {topic.lastposttime}"

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        return self._api.signed_in(lambda: self._since(since))

    def fetch_raw(self, post_id: str) -> Raw:
        def act() -> Raw:
            waiting = next((one for one in self._queue() if one.id == post_id), None) if _is_queued(post_id) else None
            return Raw(self._raw(post_id) if waiting is None else _typed(waiting), "markdown")

        return self._api.signed_in(act)

    def history(self, post_id: str) -> list[Revision] | None:
        def act() -> list[Revision] | None:
            try:
                edits = self._api.get(Diffs, f"/posts/{post_id}/diffs").revisions[: MOST_REVISIONS + 1]
            except Denied:
                return None
            names = dict[str, str | None]()
            return [
                Revision(
                    until=moment(edit.timestamp),
                    text=self._api.get(Typed, f"/posts/{post_id}/diffs/{before.timestamp}").content,
                    markup="html",
                    editor_id=self._editor(edit, names),
                )
                for before, edit in pairwise(reversed(edits))
            ]

        return self._api.signed_in(act)

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published | Held | Unknown:
        def may() -> bool:
            page = self._api.page(self._topic_id, 1)
            return page.privileges.may_reply and (not page.locked or page.privileges.is_admin_or_mod)

        def act() -> Published | Held | Unknown:
            if found := self._look(key, since):
                return found
            if self._waits(key, self._topic_id):
                return Held()
            answer = self._api.post(Posted, f"/topics/{self._topic_id}", {"content": text.markdown}, may)
            if isinstance(answer, Unknown):
                return answer
            return Held() if answer.queued else self._published(answer.pid)

        return self._api.signed_in(act)

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        return self._api.signed_in(lambda: self._look(key, since))

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        def act() -> None:
            if self._api.get(Single, f"/posts/{post_id}").uid != self._api.me.uid:
                raise Refused(Text.of("That is no post of the judge's own."))
            now = self._raw(post_id).strip()
            if now == text.markdown.strip():
                return
            if now != expect.strip():
                raise Refused(Text.of("The post no longer holds what is expected."))
            try:
                self._api.put(f"/posts/{post_id}", {"content": text.markdown})
            except Unanswered as lost:  # the next try sees whether it was done
                raise Retry(lost.text, self._api.http.limits.retry) from lost

        self._api.signed_in(act)

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        return self._api.signed_in(lambda: self._chats.messages(int(since or 0)))

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str | Unknown:
        return self._api.signed_in(lambda: self._chats.tell(to_id, text.markdown, key, since))

    def close(self) -> None:
        self._api.http.close()

    # Topics

    @property
    def _topic_id(self) -> str:
        return opened(self._tid)

    def _as_topic(self, page: Page) -> Topic:
        return Topic(page.tid, page.title_raw, page.posts[0].pid, self._address(f"/topic/{page.slug}"))

    def _own_topic(self, title: str, key: str, since: datetime | None) -> str | None:
        """The judge's own topic with the key, among those last written in; first those so called."""
        mine = self._api.read(Listing, f"/api/user/{self._api.me.userslug}/topics").topics
        fresh = [listed for listed in mine if since is None or moment(listed.timestamp) >= since]

        def holds(listed: Listed) -> bool:
            return has_word(self._raw(listed.main_pid), "markdown", key)

        return next((one.tid for one in sorted(fresh, key=lambda one: one.title_raw != title) if holds(one)), None)

    # Posts

    def _raw(self, post_id: str) -> str:
        return self._api.get(Typed, f"/posts/{post_id}/raw").content

    def _since(self, since: str | None) -> list[Post]:
        entries, moderates = dict[str, Entry](), False
        for page in self._api.pages_back(self._topic_id):
            moderates = page.privileges.is_admin_or_mod
            entries = {**{entry.pid: entry for entry in page.posts}, **entries}
            if since in entries:
                break
        in_order = sorted(entries.values(), key=lambda entry: entry.index)
        first = entries[since].index if since in entries else 0
        posts = [self._as_post(entry) for entry in in_order if entry.index >= first]
        waiting = [one for one in self._queue() if one.data.tid == self._topic_id] if moderates else []
        return posts + [_as_held(in_order[-1].index + number, one) for number, one in enumerate(waiting, start=1)]

    def _as_post(self, entry: Entry) -> Post:
        return Post(
            id=entry.pid,
            position=entry.index,
            author_id=_known(entry.uid),
            author_name=entry.user.username,
            text=entry.content,
            markup="html",
            created=moment(entry.timestamp),
            edited=moment(entry.edited) if entry.edited else None,
            editor_id=_known(entry.editor.uid) if entry.editor else None,
            revision=str(entry.edited),
            html=entry.content,
            state="deleted" if entry.deleted else "visible",
            url=self._address(f"/post/{entry.pid}"),
        )

    def _editor(self, edit: Edit, names: dict[str, str | None]) -> str | None:
        """Who made an edit; older versions only give the name that he has now."""
        if edit.uid is not None or not edit.username:
            return _known(edit.uid or "")
        if edit.username not in names:
            try:
                names[edit.username] = self._api.read(User, f"/api/user/username/{edit.username}").uid
            except Missing:
                names[edit.username] = None
        return names[edit.username]

    def _look(self, key: str, since: datetime | None) -> Published | None:
        """The judge's own post with the key, the newest first."""
        for page in self._api.pages_back(self._topic_id):
            for entry in reversed(page.posts):
                mine = entry.uid == self._api.me.uid and not entry.deleted
                if mine and has_word(entry.content, "html", key):
                    return self._published(entry.pid)
            if since is not None and page.posts and moment(page.posts[0].timestamp) < since:
                break
        return None

    def _queue(self) -> Iterable[Queued]:
        """What waits for approval; a forum that shows no queue has none."""
        try:
            yield from self._api.queue()
        except (Missing, Denied):
            return

    def _waits(self, key: str, tid: str) -> bool:
        """Whether the judge's own letter waits for approval, in a topic or (`tid` empty) as a new one."""
        return any(
            one.user.uid == self._api.me.uid and one.data.tid == tid and has_word(_typed(one), "markdown", key)
            for one in self._queue()
        )

    def _published(self, pid: str) -> Published:
        return Published((pid,), self._address(f"/post/{pid}"))

    def _address(self, path: str) -> str:
        return str(self._api.http.url(path))


def forum(place: Place) -> Forum:
    """The connector."""
    return NodeBB(place)


def _known(uid: str) -> str | None:
    """An account's id; those of guests and of deleted accounts say nothing."""
    return None if uid in ("", "0", "-1") else uid


def _is_queued(post_id: str) -> bool:
    return post_id.startswith(("reply-", "topic-"))


def _typed(queued: Queued) -> str:
    return html.unescape(queued.data.raw_content)


def _as_held(position: int, queued: Queued) -> Post:
    created = moment(queued.data.timestamp) if queued.data.timestamp else None
    author = queued.user
    return Post(
        queued.id, position, _known(author.uid), author.username, _typed(queued), "markdown", created, state="held"
    )
