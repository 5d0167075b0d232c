"""What one reader is shown, before any markup.

A ruleset describes positions and results with the few blocks below; `judge.render` makes BBCode, Markdown, HTML and
plain text of them.  A report is made for one reader: nothing in it has to be filtered afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from judge.core.picture import Picture
from judge.core.text import Moment, Money, Player, Text, Words

Cell = Annotated[int | str | Money | Player | Moment | Text | None, Field()]


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Heading(_Block):
    """Starts a section.  A long result is split at headings only.

    With `position` it starts how things stand after a turn.  Of several turns that one letter tells, only the last one
    shows that.
    """

    block: Literal["heading"] = "heading"
    text: Text | Player
    position: bool = False


class Line(_Block):
    """A sentence or two.  `item` makes it one of a list."""

    block: Literal["line"] = "line"
    text: Text
    item: bool = False


class Table(_Block):
    """Rows under named columns; the first cell of a row names the row.  Numbers are set flush right.

    `board` marks what people look at as a whole, like a price board: it scrolls on a phone instead of becoming cards.
    """

    block: Literal["table"] = "table"
    title: Text
    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    board: bool = False


class Series(_Block):
    """One line of a chart; None where there is no value yet."""

    name: Words
    values: tuple[int | None, ...]


class Chart(_Block):
    """Numbers over time.  `alt` says in words what the picture shows; where no picture can stand, it stands instead."""

    block: Literal["chart"] = "chart"
    title: Text
    across: tuple[Words | int, ...]
    series: tuple[Series, ...]
    alt: Text


Block = Annotated[Heading | Line | Table | Chart | Picture, Field(discriminator="block")]


class Report(_Block):
    """A whole post or page section: a title and its blocks, in reading order."""

    title: Text
    blocks: tuple[Block, ...]


def parted(blocks: Sequence[Block]) -> tuple[Sequence[Block], Sequence[Block]]:
    """What happened in a turn, and how things stand after it, if a heading says where that begins."""
    begins = (at for at, block in enumerate(blocks) if isinstance(block, Heading) and block.position)
    at = next(begins, len(blocks))
    return blocks[:at], blocks[at:]
