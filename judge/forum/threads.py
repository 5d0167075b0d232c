"""A topic, public or private, over its pages.

It is read from its last page to its first, so that a post that goes away meanwhile makes no other be missed.  If one
came back meanwhile, it has moved others to pages that were read already: then the topic is read anew.  Whether a letter
was taken is never believed of an answer: it is looked for in the topic, and if it is not there nobody knows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo

from judge.core.text import Text
from judge.forum import AuthExpired, Changed, ForumError, Held, Post, Raw, Refused, Retry, Unknown
from judge.forum.browser import Browser, Page
from judge.forum.http import Missing, Unanswered
from judge.forum.markup import has_word
from judge.forum.profile import NUMBER, Form, Spot, own_text

NOT_SHOWN = Text.of("The forum says that it took it, and does not show it.")
READINGS = 3
LONGEST = 10_000
"""Pages of one topic."""


@dataclass(frozen=True)
class Leaf:
    """One page of a topic."""

    page: Page
    number: int
    links: dict[int, str]
    posts: list[Post]


class Thread:
    """The topic with an id and its first page at a path, as the browser's account sees it."""

    def __init__(self, browser: Browser, topic: str, path: str, zone: tzinfo) -> None:
        self.id = topic
        self._browser = browser
        self._profile = browser.profile
        self._path = path
        self._zone = zone
        self._last = path
        """The address of what was the last page when it was read."""
        self._routes = [self._from_edit_form, *([self._from_quote] if self._profile.quoting else [])]

    # Reading

    def opening(self) -> tuple[str, Leaf]:
        """What the topic is called, and its first page."""
        leaf = self._leaf(self._path)
        heading = leaf.page.first(self._profile.topic_title)
        if heading is None or not leaf.posts:
            raise Changed(Text.of("{forum} shows a topic without its title or opening.", forum=self._profile.name))
        return own_text(heading), leaf

    def back(self) -> Iterator[Leaf]:
        """From the last page to the first."""
        try:
            leaf = self._leaf(self._last)
        except Missing:  # it has become shorter
            leaf = self._leaf(self._path)
        for _ in range(LONGEST):
            if max(leaf.links, default=1) <= leaf.number:
                break
            leaf = self._leaf(leaf.links[max(leaf.links)])
        self._last = leaf.page.url
        yield leaf
        while leaf.number > 1:
            if leaf.number - 1 not in leaf.links:
                raise Changed(Text.of("{forum} shows no way to the page before.", forum=self._profile.name))
            earlier = self._leaf(leaf.links[leaf.number - 1])
            if earlier.number >= leaf.number:
                raise Changed(Text.of("The forum leads from page to page without an end."))
            leaf = earlier
            yield leaf

    def posts(self, since: str | None = None) -> list[Post]:
        """All posts in their order, or those from the one with the id `since` on."""
        for _ in range(READINGS):
            leaves = list[Leaf]()
            for leaf in self.back():
                leaves.append(leaf)
                if since in {post.id for post in leaf.posts}:
                    break
            if len(leaves) == 1 or self._stands(leaves[0]):
                break
        else:
            raise Retry(Text.of("Posts come and go faster than they can be read."), self._browser.http.limits.retry)
        posts = list({post.id: post for leaf in reversed(leaves) for post in leaf.posts}.values())
        ids = [post.id for post in posts]
        return posts[ids.index(since) :] if since in ids else posts

    def look(self, is_it: Callable[[Post], bool], since: datetime | None = None) -> Post | None:
        """The newest such post; what the forum says was posted before `since` need not be looked at."""
        for leaf in self.back():
            for post in reversed(leaf.posts):
                if is_it(post):
                    return post
            first = leaf.posts[0].created if leaf.posts else None
            if first is not None and since is not None and first + self._profile.caps.precision <= since:
                break
        return None

    def letter(self, key: str, since: datetime | None = None) -> Post | None:
        """The judge's own post with the key."""
        return self.look(lambda post: self.is_letter(post, key), since)

    def is_letter(self, post: Post, key: str) -> bool:
        return post.author_id == self._browser.me.id and has_word(post.html or "", "html", key)

    def post(self, post_id: str) -> Post:
        post = self.look(lambda post: post.id == post_id)
        if post is None:
            raise Refused(Text.of("There is no such post in the topic."))
        return post

    def typed(self, post_id: str) -> Raw:
        """What was typed, by the way that led to it last; else what is shown."""
        for route in list(self._routes):
            try:
                text = route(post_id)
            except (Refused, Changed):
                continue
            self._routes.remove(route)
            self._routes.insert(0, route)
            return Raw(text, self._profile.markup)
        return Raw(self.post(post_id).text, "html")

    # Writing

    def put(self, body: str, key: str, since: datetime | None) -> Post | Held | Unknown:
        """Posts a letter unless it is there, and reads it back."""
        if known := self.letter(key, since):
            return known
        form = self._profile.reply
        try:
            landing = self._browser.submit(form, self._gaps(key=key), {form.text: body})
        except Unanswered as lost:
            return Unknown(lost.text)
        if form.held(landing):
            return Held()
        try:
            return self.letter(key, since) or Unknown(NOT_SHOWN)
        except AuthExpired:
            raise
        except ForumError as error:
            return Unknown(error.text)

    def edit(self, post_id: str, body: str, expect: str) -> None:
        """Rewrites a post of the judge's own that holds `expect`."""
        if self.post(post_id).author_id != self._browser.me.id:
            raise Refused(Text.of("That is no post of the judge's own."))
        now = self.typed(post_id).text.strip()
        if now == body.strip():
            return
        if now != expect.strip():
            raise Refused(Text.of("The post no longer holds what is expected."))
        form = self._edit_form(post_id)
        try:
            self._browser.submit(form, self._gaps(post=post_id), {form.text: body})
        except Unanswered as lost:  # the next try sees whether it was done
            raise Retry(lost.text, self._browser.http.limits.retry) from lost

    # Pages and forms

    def _stands(self, leaf: Leaf) -> bool:
        """Whether a page still begins as it did."""
        return [post.id for post in self._leaf(leaf.page.url).posts[:1]] == [post.id for post in leaf.posts[:1]]

    def _leaf(self, path: str) -> Leaf:
        profile = self._profile
        page = self._browser.open(path)
        cards = page.all(profile.cards)
        if not cards:
            if said := page.says(profile.complaint):
                raise Missing(said)
            raise Changed(Text.of("The forum shows a page without a post."))
        posts = [profile.read(card, Spot(page, index, self._zone, self._address)) for index, card in enumerate(cards)]
        current = page.first(profile.pager.current)
        here = NUMBER.search(current.get_text()) if current is not None else None
        links = {
            int(number[0]): page.address(link)
            for link in page.all(profile.pager.links)
            if (number := NUMBER.search(profile.pager.number(link)))
        }
        return Leaf(page, int(here[0]) if here else 1, links, [post for post in posts if post is not None])

    def _address(self, path: str) -> str:
        return str(self._browser.http.url(path))

    def _from_edit_form(self, post_id: str) -> str:
        """What opens when a post is edited, for its author and for moderators."""
        form = self._edit_form(post_id)
        return self._browser.area(form, form.page.format(**self._gaps(post=post_id)))

    def _from_quote(self, post_id: str) -> str:
        quoting = self._profile.quoting
        assert quoting is not None
        return quoting.unquoted(self._browser.area(quoting.form, quoting.form.page.format(**self._gaps(post=post_id))))

    def _edit_form(self, post_id: str) -> Form:
        opening = self._profile.edit_opening
        return opening if opening is not None and post_id == self.id else self._profile.edit

    def _gaps(self, *, post: str = "", key: str = "") -> dict[str, str]:
        return {"topic": self.id, "post": post, "token": token(key)}


def token(key: str) -> str:
    """Stands for a letter's key where a forum can be told what it must not take twice."""
    return hashlib.sha256(key.encode()).hexdigest()[:32]
