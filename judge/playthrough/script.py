"""The file format of playthroughs: a game as a text that people read and the judge replays.

    Ben bids more than he has.

    game   lots
    seats  Anna, Ben

    == 1
    Anna> bid 3
    Ben> bid 11
      ! …
    (Ben: no orders)
    all: …
    look
      | …

Here the file becomes a `Script`, line by line and with nothing understood yet; `judge.playthrough.game` plays it.  The
author's lines keep their wording and spacing.  The judge's lines (those with `!`, `|`, `all:` or `NAME:`) are dropped;
a `Mark` remains where events stood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, cast

from judge.core.text import Text
from judge.language import Voice

KEYS = ("game", "seats", "options", "language", "numbers", "given", "secret")
Numbers = Literal["neutral", "de", "en"]


class PlaythroughError(ValueError):
    """What keeps a file from being a playthrough: the line, counted from 1, and a sentence for people."""

    def __init__(self, line: int, text: Text) -> None:
        self.line = line
        self.text = text
        super().__init__(line, text)

    def __str__(self) -> str:
        return f"line {self.line}: {Voice('en').say(self.text)}"


@dataclass(frozen=True)
class Line:
    """One line of the file."""

    number: int
    text: str

    @property
    def content(self) -> str:
        return self.text.strip()

    @property
    def indent(self) -> str:
        return self.text[: len(self.text) - len(self.text.lstrip())]

    def wrong(self, text: Text) -> NoReturn:
        raise PlaythroughError(self.number, text)


@dataclass(frozen=True)
class Blank:
    line: Line


@dataclass(frozen=True)
class Post:
    """What a player wrote; `lines` are those of the file, `text` is what he said."""

    seat: str
    lines: list[Line]
    said: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.said)


@dataclass(frozen=True)
class Missed:
    """`(NAME: no orders)`"""

    seat: str
    line: Line


@dataclass(frozen=True)
class Throws:
    """`dice 3 6`"""

    values: list[int]
    line: Line


@dataclass(frozen=True)
class Pile:
    """`pile NAME: a, b`"""

    name: str
    top: list[str]
    line: Line


@dataclass(frozen=True)
class Decision:
    """`judge> last round`"""

    words: str
    line: Line


@dataclass(frozen=True)
class Look:
    """`look`, or `look NAME` through the eyes of one player."""

    seat: str | None
    line: Line


@dataclass(frozen=True)
class Mark:
    """Where the file had the judge's lines about what happened."""


Item = Blank | Post | Missed | Throws | Pile | Decision | Look | Mark


@dataclass
class Turn:
    number: int
    line: Line
    items: list[Item] = field(default_factory=list)

    @property
    def end(self) -> int:
        """The index of the item before which the turn closes: where its events stood, else after the last post."""
        written = [at for at, item in enumerate(self.items) if not isinstance(item, Blank | Mark | Look)]
        after = written[-1] + 1 if written else 0
        return next((at for at, item in enumerate(self.items) if at >= after and isinstance(item, Mark)), after)


@dataclass
class Script:
    """A whole playthrough.  `opening` are the lines before the first turn, `at` is the line of each key."""

    opening: list[Line]
    at: dict[str, Line]
    game: str
    seats: tuple[str, ...]
    options: dict[str, str]
    language: str
    numbers: Numbers
    given: dict[str, Any] | None
    secret: bytes
    turns: list[Turn]


def parse(text: str) -> Script:
    """A file's text as a Script; raises `PlaythroughError`."""
    rows = re.sub(r"\r\n?", "\n", text.removeprefix("\N{BYTE ORDER MARK}")).removesuffix("\n")
    lines = [Line(number, row) for number, row in enumerate(rows.split("\n"), 1)]
    start = _start_of_head(lines)
    first = next((at for at in range(start, len(lines)) if lines[at].content.startswith("==")), len(lines))
    at, values = _head(lines[start:first])
    for key in ("game", "seats"):
        if key not in at:
            lines[start].wrong(Text.of("The head lacks a line “{key} …”.", key=key))
    seats = _seats(at["seats"], values["seats"])
    return Script(
        opening=lines[:first],
        at=at,
        game=values["game"],
        seats=seats,
        options=_options(at, values),
        language=values.get("language", "en"),
        numbers=_numbers(at, values),
        given=_given(at, values),
        secret=_secret(at, values),
        turns=_turns(lines[first:], seats),
    )


def _start_of_head(lines: list[Line]) -> int:
    """The head is the first paragraph with a line `game NAME`; a story may stand before it."""
    paragraph = 0
    for at, line in enumerate(lines):
        if not line.content:
            paragraph = at + 1
        words = line.content.split()
        if (
            len(words) == 2
            and words[0] == "game"
            and all(_key(line) in KEYS for line in _until_blank(lines[paragraph:]))
        ):
            return paragraph
    for at, line in enumerate(lines):
        if line.content.split()[:1] == ["game"] and (at == 0 or not lines[at - 1].content):
            return at
    return lines[0].wrong(Text.of("This is no playthrough: a head with “game …” and “seats …” is needed."))


def _until_blank(lines: list[Line]) -> Iterator[Line]:
    for line in lines:
        if not line.content:
            return
        yield line


def _key(line: Line) -> str:
    return (line.content.split() or [""])[0]


def _head(lines: list[Line]) -> tuple[dict[str, Line], dict[str, str]]:
    at: dict[str, Line] = {}
    values: dict[str, str] = {}
    for line in lines:
        if not line.content:
            continue
        key = _key(line)
        value = line.content.removeprefix(key).strip()
        if key not in KEYS:
            line.wrong(Text.of("“{key}” is no key of the head; possible: {keys}.", key=key, keys=", ".join(KEYS)))
        if key in at:
            line.wrong(Text.of("“{key}” stands twice in the head.", key=key))
        if not value and key != "options":
            line.wrong(Text.of("“{key}” has no value.", key=key))
        at[key], values[key] = line, value
    return at, values


def _seats(line: Line, value: str) -> tuple[str, ...]:
    seats = tuple(name.strip() for name in value.split(","))
    for name in seats:
        if not name or re.search(r"[:>()]", name) or name[0] in "!|=" or name in ("all", "judge"):
            line.wrong(Text.of("“{name}” cannot be a player's name here.", name=name))
        if seats.count(name) > 1:
            line.wrong(Text.of("Two players are called “{name}”.", name=name))
    return seats


def _options(at: dict[str, Line], values: dict[str, str]) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in filter(str.strip, values.get("options", "").split(",")):
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not key or not equals or not value:
            at["options"].wrong(Text.of("An option is written key=value; “{text}” was read.", text=pair.strip()))
        if key in options:
            at["options"].wrong(Text.of("The option “{name}” stands twice.", name=key))
        options[key] = value
    return options


def _numbers(at: dict[str, Line], values: dict[str, str]) -> Numbers:
    numbers = values.get("numbers", "neutral")
    if numbers not in ("neutral", "de", "en"):
        at["numbers"].wrong(Text.of("numbers may be neutral, de or en; “{text}” was read.", text=numbers))
    return cast(Numbers, numbers)


def _given(at: dict[str, Line], values: dict[str, str]) -> dict[str, Any] | None:
    if "given" not in values:
        return None
    try:
        given = json.loads(values["given"])
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        at["given"].wrong(Text.of("After “given” a JSON object is needed, such as {example}.", example='{"month": 3}'))
    return given


def _secret(at: dict[str, Line], values: dict[str, str]) -> bytes:
    try:
        return bytes.fromhex(values.get("secret", "00" * 32))
    except ValueError:
        at["secret"].wrong(
            Text.of("A secret is written as pairs of hexadecimal digits; “{text}” was read.", text=values["secret"])
        )


def _number_of_turn(line: Line) -> int:
    header = re.fullmatch(r"==\s*([0-9]{1,6})", line.content)
    if header is None:
        line.wrong(Text.of("A turn is opened by “== 1”; “{text}” was read.", text=line.content[:60]))
    return int(header[1])


def _turns(lines: list[Line], seats: tuple[str, ...]) -> list[Turn]:
    turns: list[Turn] = []
    under_look = False
    for line in lines:
        if line.content.startswith("=="):
            turns.append(Turn(_number_of_turn(line), line))
            under_look = False
            continue
        if not line.content:
            turns[-1].items.append(Blank(line))
            under_look = False
            continue
        closed = any(isinstance(item, Look) for item in turns[-1].items)
        item = _item(line, seats, turns[-1].items, under_look)
        if item is None or (closed and isinstance(item, Mark)):
            continue
        if closed and not isinstance(item, Look):
            line.wrong(Text.of("The turn closed at its first “look”; what is ordered must stand before."))
        if turns[-1].number == 0 and not isinstance(item, Look | Throws | Pile | Mark):
            line.wrong(Text.of("Under “== 0” only dice, piles and looks may stand."))
        if isinstance(item, Look):
            under_look = True
        turns[-1].items.append(item)
    return turns


def _item(line: Line, seats: tuple[str, ...], before: list[Item], under_look: bool) -> Item | None:
    """What a line of a turn is; None if it is the judge's, or has been added to the post before it."""
    content = line.content
    if content[0] in "!|":
        return None
    if content.startswith(">"):
        _continue_post(line, before)
        return None
    if post := re.fullmatch(r"([^:>()]+)>(.*)", content):
        return _post(line, post[1].strip(), post[2].strip(), seats)
    if missed := re.fullmatch(r"\(([^:]+):\s*no\s+orders\s*\.?\s*\)", content, re.IGNORECASE):
        return Missed(_known(line, missed[1].strip(), seats), line)
    if pile := re.fullmatch(r"pile\s([^:]+):(.*)", content):
        top = [card.strip() for card in pile[2].split(",")]
        if not all(top):
            line.wrong(Text.of("A pile is written “pile NAME: first card, second card”."))
        return Pile(pile[1].strip(), top, line)
    if re.match(r"dice\b(?!\s*:)", content):
        if not re.fullmatch(r"dice(?:\s+[0-9]{1,9})+", content):
            line.wrong(Text.of("Throws are whole numbers, as in “dice 3 6”; “{text}” was read.", text=content[:60]))
        return Throws([int(throw) for throw in content.split()[1:]], line)
    if look := re.fullmatch(r"look(?:\s+([^:>()]+))?", content):
        return Look(_known(line, look[1].strip(), seats) if look[1] else None, line)
    name, colon, _ = content.partition(":")
    if colon and name.strip() in ("all", *seats):
        return Mark()
    if under_look:
        return None
    return line.wrong(Text.of("“{text}” is nothing that may stand in a turn.", text=content[:60]))


def _continue_post(line: Line, before: list[Item]) -> None:
    blanks: list[Line] = []
    while before and isinstance(before[-1], Blank | Mark):
        item = before.pop()
        if isinstance(item, Blank):
            blanks.insert(0, item.line)
    if not before or not isinstance(before[-1], Post):
        line.wrong(Text.of("A line with “>” continues a post, and there is none before it."))
    before[-1].lines.extend([*blanks, line])
    before[-1].said.append(line.content[1:].strip())


def _post(line: Line, name: str, said: str, seats: tuple[str, ...]) -> Post | Decision:
    if name == "judge":
        return Decision(" ".join(said.split()), line)
    return Post(_known(line, name, seats), [line], [said])


def _known(line: Line, name: str, seats: tuple[str, ...]) -> str:
    if name not in seats:
        line.wrong(
            Text.of("Nobody here is called “{name}”; the players are {seats}.", name=name, seats=", ".join(seats))
        )
    return name
