"""Private messages on forums of pages and forms: topics between some members, or mail in folders.

Mail shows only its subjects in a list, so the judge's end with a mark of the letter: of many sent messages only those
that may be the one looked for are opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, tzinfo
from itertools import islice
from typing import Protocol

from bs4.element import Tag

from judge.core.text import Text
from judge.forum import Changed, DirectMessage, Held, Markup, Refused, Unknown
from judge.forum.browser import Browser, Page
from judge.forum.http import Unanswered
from judge.forum.markup import has_word
from judge.forum.profile import Mailbox, PrivateTopics, found
from judge.forum.settled import Settled
from judge.forum.threads import NOT_SHOWN, Thread, token
from judge.forum.topics import shortened


class Private(Protocol):
    """The private messages of one game's account."""

    def inbox(self, since: str | None) -> list[DirectMessage]:
        """What others wrote to the judge, the oldest first."""

    def send(self, to_id: str, title: str, body: str, key: str, since: datetime | None) -> str | Unknown:
        """One message to a member; returns its id, also if it went to him before."""


def of_profile(browser: Browser, zone: tzinfo, game_id: str) -> Private | None:
    """What the browser's forum has of them."""
    private = browser.profile.private
    if isinstance(private, PrivateTopics):
        return Topics(browser, private, zone, game_id)
    return None if private is None else Mail(browser, private, game_id)


LATEST_MESSAGES = 100
"""So many of the judge's own messages are looked at for one that was sent already."""


class Topics:
    """Private topics: one a game with each member, the liveliest first in the forum's list."""

    def __init__(self, browser: Browser, private: PrivateTopics, zone: tzinfo, game_id: str) -> None:
        self._browser = browser
        self._private = private
        self._zone = zone
        self._mark = f" [{game_id}]"
        """Ends the titles of this game's topics."""
        self._threads = dict[str, Thread]()
        self._with = dict[str, str]()
        self._settled = Settled()

    def inbox(self, since: str | None) -> list[DirectMessage]:
        first, messages = int(since or 0), list[DirectMessage]()
        for thread, _, shown in self._listed():
            newest = self._settled.newest(thread.id, shown)
            posts = thread.posts() if newest is None else []
            if newest is None:
                newest = int(posts[-1].id)
                waiting = any(post.author_id != self._browser.me.id and int(post.id) > first for post in posts)
                self._settled.note(thread.id, shown, newest, waiting=waiting)
            if newest < first:
                break
            messages += [
                DirectMessage(
                    post.id,
                    post.author_id or "",
                    post.author_name,
                    (typed := thread.typed(post.id)).text,
                    typed.markup,
                    post.created,
                )
                for post in posts
                if post.author_id != self._browser.me.id and post.state == "visible" and int(post.id) >= first
            ]
        return sorted(messages, key=lambda message: int(message.id))

    def send(self, to_id: str, title: str, body: str, key: str, since: datetime | None) -> str | Unknown:
        thread = self._thread_with(to_id)
        if thread is None:
            form = self._private.open
            called = shortened(title, self._browser.profile.longest_title - len(self._mark)) + self._mark
            gaps = {"member": to_id, "token": token(key)}
            try:
                landing = self._browser.submit(form, gaps, {form.title: called, form.text: body})
            except Unanswered as lost:
                return Unknown(lost.text)
            opened = found(self._private.id, landing.to)
            thread = self._thread_with(to_id) if opened is None else self._thread(opened)
            post = None if thread is None else thread.letter(key)
            return post.id if post else Unknown(NOT_SHOWN)
        done = thread.put(body, key, since)
        if isinstance(done, Held):
            raise Refused(Text.of("The forum keeps the private message back."))
        return done if isinstance(done, Unknown) else done.id

    def _thread_with(self, member: str) -> Thread | None:
        """The topic of this game with a member, unless he has left it."""
        if member not in self._with:
            for thread, title, _ in self._listed():
                if title.endswith(self._mark) and member in self._people(thread):
                    self._with[member] = thread.id
                    return thread
            return None
        thread = self._thread(self._with[member])
        if member in self._people(thread):
            return thread
        del self._with[member]
        return self._thread_with(member)

    def _people(self, thread: Thread) -> list[str | None]:
        """Who takes part in a topic that the judge opened; nobody if somebody else did."""
        _, leaf = thread.opening()
        if leaf.posts[0].author_id != self._browser.me.id:
            return []
        links = leaf.page.all(self._private.people)
        return [found(self._browser.profile.member_id, str(link["href"])) for link in links]

    def _listed(self) -> Iterator[tuple[Thread, str, tuple[str, ...] | None]]:
        """Each topic with its title and what tells whether anything has happened in it, over the pages of the list."""
        path: str | None = self._private.listed
        while path is not None:
            page = self._browser.open(path)
            for link in page.all(self._private.link):
                number = found(self._private.id, str(link["href"]))
                if number is not None:
                    row = link.css.closest(self._private.row)
                    signs = [] if row is None else row.select(self._private.signs)
                    shown = tuple(str(sign.get("title") or sign.get_text(strip=True)) for sign in signs)
                    yield self._thread(number), link.get_text(strip=True), shown or None
            onward = page.first(self._private.next)
            path = None if onward is None else page.address(onward)

    def _thread(self, number: str) -> Thread:
        if number not in self._threads:
            path = self._private.topic.format(topic=number)
            self._threads[number] = Thread(self._browser, number, path, self._zone)
        return self._threads[number]


class Mail:
    """Messages that stand alone."""

    def __init__(self, browser: Browser, mailbox: Mailbox, game_id: str) -> None:
        self._browser = browser
        self._mailbox = mailbox
        self._game_id = game_id

    def inbox(self, since: str | None) -> list[DirectMessage]:
        first, messages = int(since or 0), list[DirectMessage]()
        for number, link in self._listed(self._mailbox.inbox):
            if int(number) <= first:
                break
            page = self._browser.open(link)
            author = page.first(self._mailbox.author)
            if author is None:
                raise Changed(Text.of("{forum} shows a post without its author or text.", forum=self._name))
            author_id = found(self._browser.profile.member_id, str(author["href"])) or ""
            if author_id != self._browser.me.id:
                text, markup = self._typed(page)
                messages.append(DirectMessage(number, author_id, author.get_text(strip=True), text, markup))
        return messages[::-1]

    def send(self, to_id: str, title: str, body: str, key: str, since: datetime | None) -> str | Unknown:
        mark = f" [{self._game_id} {token(key)[:8]}]"
        if (known := self._sent(to_id, key, mark)) is not None:
            return known
        form = self._mailbox.compose
        called = shortened(title, self._mailbox.subject - len(mark)) + mark
        try:
            self._browser.submit(form, {"member": to_id}, {form.title: called, form.text: body})
        except Unanswered as lost:
            return Unknown(lost.text)
        return self._sent(to_id, key, mark) or Unknown(NOT_SHOWN)

    @property
    def _name(self) -> str:
        return self._browser.profile.name

    def _typed(self, page: Page) -> tuple[str, Markup]:
        """What was typed in a message; what is shown if it cannot be quoted."""
        quote = page.first(self._mailbox.quote)
        if quote is not None:
            quoting = self._mailbox.quoting
            return quoting.unquoted(self._browser.area(quoting.form, page.address(quote))), self._browser.profile.markup
        return self._shown(page), "html"

    def _shown(self, page: Page) -> str:
        body = page.first(self._mailbox.body)
        return "" if body is None else body.decode_contents()

    def _sent(self, to_id: str, key: str, mark: str) -> str | None:
        for folder in self._mailbox.sent:
            for number, link in islice(self._listed(folder, mark), LATEST_MESSAGES):
                if not link:
                    continue
                page = self._browser.open(link)
                people = [found(self._browser.profile.member_id, str(one["href"])) for one in self._receivers(page)]
                if to_id in people and has_word(self._shown(page), "html", key):
                    return number
        return None

    def _receivers(self, page: Page) -> list[Tag]:
        return page.all(self._mailbox.receivers)

    def _listed(self, folder: str, mark: str = "") -> Iterator[tuple[str, str]]:
        """The ids and addresses of the messages in a folder; no address where the subject has not the mark."""
        path: str | None = folder
        while path is not None:
            page = self._browser.open(path)
            for link in page.all(self._mailbox.link):
                number = found(self._mailbox.id, str(link["href"]))
                if number is not None:
                    yield number, page.address(link) if link.get_text(strip=True).endswith(mark.strip()) else ""
            onward = page.first(self._mailbox.next)
            path = None if onward is None else page.address(onward)
