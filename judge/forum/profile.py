"""What is known about a forum of HTML pages and forms: where things stand on its pages, what its forms are called.

A profile is data and a few small functions; `judge.forum.forms` makes a connector of it.  Places on a page are CSS
selectors; paths begin below the forum's address and have gaps such as `{topic}`, `{post}`, `{category}`, `{member}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import TYPE_CHECKING

from bs4.element import Tag

from judge.forum import Caps, Markup, Post, Revision

if TYPE_CHECKING:
    from judge.forum.browser import Browser, Landing, Page

NUMBER = re.compile(r"\d+")
PAGE = re.compile(r"[?&]page=(\d+)")


@dataclass(frozen=True)
class Form:
    """A form: the page that shows it, what it is known by there, and what its fields are called."""

    page: str
    form: str
    text: str = ""
    title: str = ""
    more: Mapping[str, str] = field(default_factory=dict)
    """Other fields to fill in, a pressed button among them; names and values may have gaps.  `{token}` is a digest of
    the letter's key."""
    held: Callable[[Landing], bool] = lambda landing: False
    """Whether where it led means that a moderator must look first."""


@dataclass(frozen=True)
class Login:
    """The form that lets an account in, and what tells whether somebody is."""

    form: Form
    user: str
    password: str
    account: str
    """The link to one's own page, on the forum's front page."""
    guest: str
    """What only somebody sees who is not logged in."""
    home: str = "/"


@dataclass(frozen=True)
class Pager:
    """How a topic's pages lead to each other.  The current page and its neighbours are enough."""

    links: str
    current: str
    """Shows the number of the page; not there on an only page."""
    number: Callable[[Tag], str]
    """The number of the page that a link leads to: `number_shown`, `number_in_address`; empty if it is none."""


@dataclass(frozen=True)
class Spot:
    """Where a card was found: its page, its place there from 0, and the zone of the forum's times."""

    page: Page
    index: int
    zone: tzinfo
    below: Callable[[str], str]
    """The whole address of a path below the forum's."""


@dataclass(frozen=True)
class Quoting:
    """A form that opens with somebody's post quoted in it, and how the quote is taken off again."""

    form: Form
    unquoted: Callable[[str], str]


@dataclass(frozen=True)
class PrivateTopics:
    """Private messages that are topics of their own, read and written in like public ones."""

    listed: str
    link: str
    topic: str
    next: str
    """The link to the list's next page."""
    row: str
    """What stands around a link in the list, with the number and the time of its messages in `signs`."""
    signs: str
    id: re.Pattern[str]
    people: str
    """Links to everybody who takes part."""
    open: Form


@dataclass(frozen=True)
class Mailbox:
    """Private messages that stand alone, in folders."""

    inbox: str
    sent: tuple[str, ...]
    """The folders with what was sent, read by its receivers or not."""
    link: str
    """Links to the messages of a folder, the newest first."""
    next: str
    """The link to a folder's next page."""
    id: re.Pattern[str]
    subject: int
    """Characters in a subject."""
    author: str
    receivers: str
    """On the page of a message, links to whom it is from and to."""
    body: str
    quote: str
    """The link to the form of `quoting`."""
    quoting: Quoting
    compose: Form


@dataclass(frozen=True)
class Profile:
    """One kind of forum."""

    name: str
    caps: Caps
    markup: Markup
    login: Login
    member_id: re.Pattern[str]
    """A member's id in the address of his page."""
    topic_id: re.Pattern[str]
    """A topic's id in the address of its pages."""
    topic_page: str
    topic_title: str
    longest_title: int
    own_topics: str
    """A list of topics with the judge's latest ones."""
    own_topic_links: str
    cards: str
    """What holds a post, an event or the mark of a post that was hidden."""
    read: Callable[[Tag, Spot], Post | None]
    """The post of a card; None if it is an event."""
    pager: Pager
    open: Form
    reply: Form
    edit: Form
    complaint: str
    """What a page says that is no success."""
    id: re.Pattern[str] = NUMBER
    """The shape of a topic's id."""
    edit_opening: Form | None = None
    """Where the opening text is of the topic and no post of its own (it has the topic's id here): how it is edited."""
    quoting: Quoting | None = None
    private: PrivateTopics | Mailbox | None = None
    history: Callable[[Browser, str, tzinfo], Iterable[Revision] | None] | None = None
    hurry: re.Pattern[str] = re.compile(r"$^")
    """Complaints about posting too often; the group is the wait, in seconds or with an `m` in minutes."""
    again: re.Pattern[str] = re.compile(r"$^")
    """Complaints that are settled by sending the form again as it came back."""
    ripe: float = 0
    """Seconds that a form must be old before the forum takes it."""


def own_text(tag: Tag) -> str:
    """What a tag says itself, without the links and icons in it."""
    return " ".join("".join(tag.find_all(string=True, recursive=False)).split())


def found(pattern: re.Pattern[str], text: str) -> str | None:
    """The first group that matched."""
    match = pattern.search(text)
    return None if match is None else next((group for group in match.groups() if group), None)


def number_shown(link: Tag) -> str:
    """The number that a link to a page shows."""
    said = link.get_text(strip=True)
    return said if said.isdigit() else ""


def number_in_address(link: Tag) -> str:
    """The number in the address of a link to a page, `?page=2`."""
    return found(PAGE, str(link["href"])) or ""
