"""A connector at home in a real forum: what the sentences of `test_contract_*.py` share.

They say what the judge may expect of every connector, and are run over each real forum that was asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any

from judge.core.report import Line, Report
from judge.core.text import Text
from judge.forum import Forum, Place, Post, Rendered, Topic
from judge.forum.markup import typed_text
from judge.language import Voice
from judge.registry import forums
from judge.service.letters import rendered
from tests.forums import LiveForum, start

GAME = "g7kq2abc"
SECRETS = {"nodebb": "token", "discourse": "token"}
"""What the setting is called that lets the judge in, where it is no password."""


def nobodys(forum_name: str) -> str:
    """The id of a topic that is not there."""
    return "00000000-0000-4000-8000-000000000000" if forum_name == "punkweb" else "999999"


def key_of(kind: str) -> str:
    return f"{GAME}/1.1/{kind}/thread"


def letter(words: str, key: str, title: str = "Commodity market: month 1") -> Rendered:
    """A letter of one sentence, with the key in its footer as the judge puts it there."""
    return letter_of(Report(title=Text.of(title), blocks=(Line(text=Text.of("{words}", words=words)),)), key)


def letter_of(report: Report, key: str) -> Rendered:
    return rendered(report, Voice("en"), footer=f"gamejudge {key}")


def letter_of_length(length: int, key: str) -> Rendered:
    """A letter of so many characters in every markup."""
    end = f"\n\ngamejudge {key}"
    line = "Nobody sold anything in this month, and the price stays as it was.\n\n"
    text = (line * (length // len(line) + 1))[: length - len(end)].rstrip().ljust(length - len(end), ".") + end
    return Rendered("A long month", text, text, f"<p>{text}</p>", text)


@dataclass
class Home:
    """A forum at work, and the judge's connectors to it."""

    live: LiveForum
    closing: ExitStack
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def secret(self) -> str:
        """The setting that lets the judge in."""
        return SECRETS.get(self.live.name, "password")

    def connect(self, thread: str | None = None, who: str = "Judge", **settings: Any) -> Forum:
        """The connector as one account has it; waits are short, and enough for a machine with much to do."""
        account = self.live.accounts[who]
        usual = {"url": self.live.url, "user": account.name, self.secret: account.password, "retry": 1, "timeout": 60}
        place = Place(
            game_id=GAME,
            thread=thread,
            store=None,
            now=lambda: datetime.now(UTC),
            settings={**usual, "category": self.live.category, **self.live.settings, **settings},
        )
        forum: Forum = forums()[self.live.name](place)
        self.closing.callback(forum.close)
        return forum

    def opened(self) -> tuple[Forum, Topic]:
        """The judge's connector in a new topic of its own."""
        forum, number = self.connect(), next(self.numbers)
        key = key_of(f"opening-{number}")
        topic = forum.open_topic(f"Commodity market {number}", letter(f"Game {number} is open.", key), key)
        assert isinstance(topic, Topic), topic
        return forum, topic


@contextmanager
def at_home(name: str, **how: Any) -> Iterator[Home]:
    with start(name, **how) as live, ExitStack() as closing:
        yield Home(live, closing)


def typed(forum: Forum, post: Post) -> str:
    """What the author of a post typed himself, without what he quoted."""
    raw = forum.fetch_raw(post.id)
    return typed_text(raw.text, raw.markup).strip()
