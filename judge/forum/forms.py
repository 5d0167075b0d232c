"""A connector to forums that have no API: their pages are read and their forms are filled in.

One connector serves them all; what is different about a forum stands in its profile (`judge.forum.profile`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from datetime import datetime
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from judge.core.text import Text
from judge.forum import (
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
    Revision,
    Topic,
    Unknown,
)
from judge.forum.browser import Browser
from judge.forum.http import Unanswered
from judge.forum.private import Private, of_profile
from judge.forum.profile import Profile, found
from judge.forum.threads import NOT_SHOWN, Thread, token
from judge.forum.topics import demanded, no_topic, opened, shortened

LATEST_TOPICS = 20
"""So many of the judge's own topics are looked at for one that was opened already."""


class FormForum:
    """The judge's account on a forum of pages and forms, and one topic there."""

    def __init__(self, profile: Profile, place: Place) -> None:
        self.caps = profile.caps
        self._profile = profile
        self._browser = Browser(profile, place.settings)
        self._zone = ZoneInfo(str(place.settings.get("zone", "UTC")))
        self._category = str(place.settings.get("category") or "")
        self._topic_id = None if place.thread is None else _id_of(profile, place.thread)
        self._threads = dict[str, Thread]()
        self._private: Private | None = of_profile(self._browser, self._zone, place.game_id)

    @property
    def served(self) -> datetime | None:
        return self._browser.http.served

    def me(self) -> Member:
        return self._browser.signed_in(lambda: self._browser.me)

    def open_topic(self, title: str, text: Rendered, key: str, since: datetime | None = None) -> Topic | Held | Unknown:
        category, title = demanded(self._category), shortened(title, self._profile.longest_title)

        def act() -> Topic | Held | Unknown:
            if known := self._own_topic(title, key):
                return known
            form, gaps = self._profile.open, {"category": category, "token": token(key)}
            try:
                landing = self._browser.submit(form, gaps, {form.title: title, form.text: self._body(text)})
            except Unanswered as lost:
                return Unknown(lost.text)
            if form.held(landing):
                return Held()
            led_to = found(self._profile.topic_id, unquote(landing.to))
            opened = (led_to and self._as_own_topic(led_to, key)) or self._own_topic(title, key)
            return opened or Unknown(NOT_SHOWN)

        return self._browser.signed_in(act)

    def find_topic(self, title: str, key: str, since: datetime | None = None) -> Topic | None:
        known = self._browser.signed_in(lambda: self._own_topic(shortened(title, self._profile.longest_title), key))
        return known if isinstance(known, Topic) else None

    def topic(self) -> Topic:
        return self._browser.signed_in(lambda: self._as_topic(self._topic))

    def probe(self) -> str:
        """The last page, with what stands there: it also tells of posts that were merged."""

        def act() -> str:
            last = next(self._thread(self._topic).back())
            said = "\0".join(f"{post.id} {post.state} {post.text}" for post in last.posts)
            return f"{last.number} {len(last.posts)} {hashlib.sha256(said.encode()).hexdigest()[:16]}"

        return self._browser.signed_in(act)

    def fetch_posts(self, since: str | None = None) -> Iterable[Post]:
        return self._browser.signed_in(lambda: self._thread(self._topic).posts(since))

    def fetch_raw(self, post_id: str) -> Raw:
        return self._browser.signed_in(lambda: self._thread(self._topic).typed(post_id))

    def history(self, post_id: str) -> list[Revision] | None:
        tell = self._profile.history
        if tell is None:
            return None
        told = self._browser.signed_in(lambda: tell(self._browser, post_id, self._zone))
        return None if told is None else list(told)

    def publish(self, text: Rendered, key: str, since: datetime | None = None) -> Published | Held | Unknown:
        def act() -> Published | Held | Unknown:
            done = self._thread(self._topic).put(self._body(text), key, since)
            return _outcome(done) if isinstance(done, Post) else done

        return self._browser.signed_in(act)

    def find(self, key: str, since: datetime | None = None) -> Published | None:
        post = self._browser.signed_in(lambda: self._thread(self._topic).letter(key, since))
        outcome = None if post is None else _outcome(post)
        return outcome if isinstance(outcome, Published) else None

    def edit_own(self, post_id: str, text: Rendered, expect: str) -> None:
        self._browser.signed_in(lambda: self._thread(self._topic).edit(post_id, self._body(text), expect))

    def inbox(self, since: str | None = None) -> Iterable[DirectMessage]:
        private = self._private
        return [] if private is None else self._browser.signed_in(lambda: private.inbox(since))

    def send(self, to_id: str, text: Rendered, key: str, since: datetime | None = None) -> str | Unknown:
        private = self._private
        if private is None:
            raise Refused(Text.of("{forum} has no private messages.", forum=self._profile.name))
        return self._browser.signed_in(lambda: private.send(to_id, text.title, self._body(text), key, since))

    def close(self) -> None:
        self._browser.http.close()

    # Topics and posts

    @property
    def _topic(self) -> str:
        return opened(self._topic_id)

    def _thread(self, topic: str) -> Thread:
        if topic not in self._threads:
            path = self._profile.topic_page.format(topic=topic)
            self._threads[topic] = Thread(self._browser, topic, path, self._zone)
        return self._threads[topic]

    def _as_topic(self, topic: str) -> Topic:
        title, leaf = self._thread(topic).opening()
        address = self._browser.http.url(self._profile.topic_page.format(topic=topic))
        return Topic(topic, title, leaf.posts[0].id, str(address))

    def _own_topic(self, title: str, key: str) -> Topic | Held | None:
        """The judge's topic whose opening post holds the key, among the latest; first those so called."""
        path = self._profile.own_topics.format(category=self._category, me=self._browser.me.id)
        links = self._browser.open(path).all(self._profile.own_topic_links.format(me=self._browser.me.id))
        called = {
            found(self._profile.topic_id, unquote(str(link["href"]))): link.get_text(strip=True) for link in links
        }
        latest = [number for number in called if number][:LATEST_TOPICS]
        for number in sorted(latest, key=lambda number: called[number] != title):
            if known := self._as_own_topic(number, key):
                return known
        return None

    def _as_own_topic(self, topic: str, key: str) -> Topic | Held | None:
        _, leaf = self._thread(topic).opening()
        if not self._thread(topic).is_letter(leaf.posts[0], key):
            return None
        self._topic_id = topic
        return Held() if leaf.posts[0].state == "held" else self._as_topic(topic)

    def _body(self, text: Rendered) -> str:
        return text.bbcode if self._profile.markup == "bbcode" else text.markdown


def connector(profile: Profile) -> Callable[[Place], Forum]:
    """What an entry point in `judge.forums` leads to, for a forum with this profile."""
    return lambda place: FormForum(profile, place)


def _outcome(post: Post) -> Published | Held:
    return Held() if post.state == "held" else Published((post.id,), post.url)


def _id_of(profile: Profile, thread: str) -> str:
    """A topic's id; hosts also give its address."""
    if profile.id.fullmatch(thread):
        return thread
    number = found(profile.topic_id, unquote(thread)) if "/" in thread else None
    if number is None:
        raise no_topic(thread)
    return number
