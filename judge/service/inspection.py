"""What a forum lets the judge do, found out by doing it: logging in, looking at a topic and into the inbox.

Nothing is written there.  What was found is told in sentences for the host, each with what to do if it is bad.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Literal

from judge.core.text import Moment, Span, Text, Value
from judge.forum import AuthExpired, Caps, Changed, Forum, ForumError, Refused, Retry
from judge.service.places import Places

MOST_LAG = timedelta(seconds=30)
"""By so much the forum's clock may differ from the judge's without a word."""
FEW = 3
"""So many posts are read as they were typed."""


@dataclass(frozen=True)
class Finding:
    """What was looked at, and what to do about it."""

    level: Literal["ok", "warn", "bad"]
    what: Value
    advice: Value | None = None


def reach(places: Places, now: datetime, name: str) -> Iterator[Finding]:
    """Whether the judge can log in."""
    try:
        with places.log_in(name) as forum:
            yield from _who(forum, now, name)
    except ForumError as error:
        yield _failed(Text.of("{forum}: the judge cannot log in.", forum=name), error, name)


def inspect(places: Places, now: datetime, name: str, thread: str | None = None) -> Iterator[Finding]:
    """Everything that can be found out without posting; a topic is read if one is named."""
    try:
        with places.log_in(name, thread) as forum:
            yield from _who(forum, now, name)
            if thread is not None:
                yield from _topic(forum, name)
            if forum.caps.dm:
                yield _inbox(forum, name)
            yield from _meaning(forum.caps)
    except ForumError as error:
        yield _failed(Text.of("{forum}: the judge cannot log in.", forum=name), error, name)


def _who(forum: Forum, now: datetime, name: str) -> Iterator[Finding]:
    me = forum.me()
    what = Text.of("{forum}: the judge is logged in as {name} (account {id}).", forum=name, name=me.name, id=me.id)
    yield Finding("ok", what)
    if forum.served is not None and abs(forum.served - now) > MOST_LAG:
        yield Finding(
            "warn",
            Text.of(
                "Its clock says {moment}, {span} beside the judge's.",
                moment=Moment(forum.served),
                span=Span.of(abs(forum.served - now)),
            ),
            Text.of("Deadlines count by the forum's clock. Set the one that is wrong (NTP)."),
        )


def _topic(forum: Forum, name: str) -> Iterator[Finding]:
    try:
        topic = forum.topic()
        posts = list(forum.fetch_posts())
        yield Finding(
            "ok",
            Text.n(
                "The topic “{title}” can be read: {count} post.",
                "The topic “{title}” can be read: {count} posts.",
                len(posts),
                title=topic.title,
            ),
        )
        readable = (post for post in reversed(posts) if post.state == "visible")
        count = sum(1 for post in islice(readable, FEW) if forum.fetch_raw(post.id) is not None)
        if forum.caps.raw and count:
            yield Finding(
                "ok",
                Text.n(
                    "The newest post was read as it was typed.", "The {count} newest posts were read as typed.", count
                ),
            )
    except ForumError as error:
        missing = Text.of("Is the number or address of the topic right, and may the judge's account read it?")
        yield _failed(Text.of("The topic cannot be read."), error, name, if_refused=missing)


def _inbox(forum: Forum, name: str) -> Finding:
    try:
        count = sum(1 for _ in forum.inbox())
    except ForumError as error:
        return _failed(Text.of("Private messages cannot be read."), error, name)
    return Finding("ok", Text.n("{count} private message was read.", "{count} private messages were read.", count))


def _failed(what: Text, error: ForumError, name: str, if_refused: Text | None = None) -> Finding:
    """What did not work, why, and what a host does about it."""
    why = Text.of("{what} {reason}", what=what, reason=error.text)
    match error:
        case Retry(after=after):
            advice = Text.of("Try again in {span}; the judge does so by itself.", span=Span(after))
        case AuthExpired():
            advice = Text.of(
                "Look whether the account's name and password are right, and change them: judge forum change {forum}",
                forum=name,
            )
        case Changed():
            advice = Text.of(
                "Either this is another kind of forum, or a version that the judge does not know: look at its address, "
                "and report it if that is right."
            )
        case Refused():
            advice = if_refused or Text.of("Ask the forum's operator to give the judge's account the right to do that.")
        case _:
            advice = Text.of("Try again; report it if it stays so.")
    return Finding("bad", why, advice)


def _meaning(caps: Caps) -> Iterator[Finding]:
    """What the forum's abilities mean for games there."""
    yield Finding(
        "ok",
        Text.of(
            "Plain orders in a post are public there. Sealed ones, and those from the order page, stay secret until "
            "the turn closes."
        ),
    )
    if caps.dm:
        yield Finding(
            "ok",
            Text.of(
                "This kind of forum has private messages: orders and a seat's word can be sent by them, and each "
                "receipt goes to its sender alone."
            ),
        )
    else:
        yield Finding(
            "warn",
            Text.of("There are no private messages: receipts stand on the order page, and nowhere else."),
            Text.of("Tell the players to look there after they have posted."),
        )
    if caps.raw:
        yield Finding("ok", Text.of("The judge reads what was typed."))
    else:
        yield Finding(
            "warn",
            Text.of(
                "The judge reads only what the forum makes of a post: what it turns into smileys or lists may be lost."
            ),
            Text.of("Have the players write their orders in a code block."),
        )
    if caps.history:
        yield Finding("ok", Text.of("Edits: the forum tells what stood in a post before, also between two looks."))
    else:
        yield Finding(
            "ok",
            Text.of(
                "Edits: the judge compares with what it saw before; what stood there between two looks, nobody knows."
            ),
        )
    if caps.merges_posts:
        yield Finding(
            "ok", Text.of("Two posts of one author that follow each other become one; each part counts as a post.")
        )
    if caps.min_post_interval:
        yield Finding(
            "ok", Text.of("Two posts of the judge are at least {span} apart.", span=Span(caps.min_post_interval))
        )
    if caps.precision:
        yield Finding(
            "ok",
            Text.of(
                "It tells times to {span} only, so that a post may come as much after a deadline and still count.",
                span=Span.of(caps.precision),
            ),
        )
    if caps.max_length is not None:
        yield Finding(
            "ok",
            Text.of(
                "A result of more than {most} characters is split into several posts, between its sections.",
                most=caps.max_length,
            ),
        )
    yield Finding(
        "ok",
        Text.of(
            "If the forum holds a post of the judge back for approval, the game's page for its host says so, and "
            "nothing is posted twice."
        ),
    )
