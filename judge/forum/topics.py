"""What connectors over HTTP have in common about topics: where one is, and what is missing where there is none."""

from __future__ import annotations

import re
from typing import TypeVar

from judge.core.text import Text
from judge.forum import Refused

T = TypeVar("T")


def number_of(thread: str, address: str) -> str:
    """A topic's number; hosts also give its address, whose pattern has a group for the number.  Raises Refused."""
    found = re.fullmatch(rf"(\d+)|{address}", thread)
    if found is None:
        raise no_topic(thread)
    return found[1] or found[2]


def no_topic(thread: str) -> Refused:
    """The answer to a host who gave something else."""
    return Refused(Text.of("“{given}” is neither the number nor the address of a topic.", given=thread))


def opened(topic: T | None) -> T:
    """The topic of a game; raises Refused before it has one."""
    if topic is None:
        raise Refused(Text.of("This game has no topic yet."))
    return topic


def demanded(category: T | None) -> T:
    """Where topics are opened; raises Refused if the host has not said it."""
    if not category:
        raise Refused(Text.of("The setting “{name}” is needed to open a topic.", name="category"))
    return category


def shortened(title: str, length: int) -> str:
    """A title that is no longer than a forum's may be."""
    return title if len(title) <= length else f"{title[: length - 1]}…"
