"""A letter that is longer than the forum's posts may be, in several posts.

It is cut where people would cut it: before a section's heading, else before the title of a table, else between two
lines, else between the rows of a table, whose head is repeated.  Only a line that fits into no post is cut at a blank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from judge.core.picture import Picture
from judge.core.report import Block, Chart, Heading, Line, Report, Table
from judge.core.text import Text
from judge.language import Voice

Length = Callable[[Sequence[Block]], int]
"""How long a post with these blocks is; fewer blocks are never longer."""

LONGEST_NUMBER = "999"


class TooLongError(ValueError):
    """Not even one word has room in a post beside the title."""


def in_parts(report: Report, voice: Voice, length: Callable[[Report], int], limit: int) -> list[Report]:
    """The report whole if it is short enough, else in parts that are, numbered "(1/3)".  Raises TooLongError."""
    if length(report) <= limit:
        return [report]

    def length_of_part(blocks: Sequence[Block]) -> int:
        return length(_numbered(report, blocks, LONGEST_NUMBER, LONGEST_NUMBER))

    filling = _Filling(voice, length_of_part, limit)
    filling.add(report.blocks)
    parts = [part for part in filling.parts if part]
    total = str(len(parts))
    return [_numbered(report, part, str(number), total) for number, part in enumerate(parts, 1)]


def _numbered(report: Report, blocks: Sequence[Block], number: str, of: str) -> Report:
    title = Text.of("{title} ({part}/{parts})", title=report.title, part=number, parts=of)
    return Report(title=title, blocks=tuple(blocks))


class _Filling:
    """Fills one part after the other."""

    def __init__(self, voice: Voice, length: Length, limit: int) -> None:
        self._voice = voice
        self._length = length
        self._limit = limit
        self.parts: list[list[Block]] = [[]]

    def add(self, blocks: Sequence[Block], depth: int = 0) -> None:
        """Adds blocks that belong together: to the last part, or in a new one, or cut more finely."""
        if self._fits([*self.parts[-1], *blocks]):
            self.parts[-1] += blocks
        elif self._fits(blocks) and not self._heading_waits():
            self.parts.append(list(blocks))
        else:
            pieces: Sequence[Sequence[Block]] = [blocks]
            while len(pieces) == 1 and depth < len(_BORDERS):
                pieces = list(_cut(blocks, _BORDERS[depth]))
                depth += 1
            for piece in pieces if len(pieces) > 1 else ():
                self.add(piece, depth)
            for block in blocks if len(pieces) == 1 else ():
                self._add_pieces(block)

    def _add_pieces(self, block: Block) -> None:
        """Adds as many rows or words at a time as there is room for."""
        made, units = self._units(block)
        while units:
            room = self._room(made, units)
            if room == 0 and self._begin_anew():
                continue
            if room == 0 and isinstance(block, Table):
                self._add_pieces(self._as_line(units[0]))
                units = units[1:]
                continue
            if room == 0:
                raise TooLongError("there is no room for a single letter")
            self.parts[-1].append(made(units[:room]))
            units = units[room:]

    def _fits(self, blocks: Sequence[Block]) -> bool:
        return self._length(blocks) <= self._limit

    def _room(self, made: Callable[[Sequence[object]], Block], units: Sequence[object]) -> int:
        """How many of the units still fit into the last part."""
        return _most(lambda count: self._length([*self.parts[-1], made(units[:count])]), len(units), self._limit)

    def _heading_waits(self) -> bool:
        return bool(self.parts[-1]) and isinstance(self.parts[-1][-1], Heading)

    def _begin_anew(self) -> bool:
        """Begins a new part, with the heading that would else stand alone; False if the last one is new already."""
        last = self.parts[-1]
        heading = [last.pop()] if self._heading_waits() else []
        if not last:
            last += heading
            return False
        self.parts.append(list(heading))
        return True

    def _units(self, block: Block) -> tuple[Callable[[Sequence[object]], Block], Sequence[object]]:
        """What a block is made of, and how a block is made of some of it."""
        if isinstance(block, Table):

            def with_rows(rows: Sequence[object]) -> Block:
                return block.model_copy(update={"rows": tuple(rows)})

            return with_rows, block.rows
        said = [block.title, block.alt] if isinstance(block, Chart | Picture) else [block.text]
        item = isinstance(block, Line) and block.item
        words = list(self._words(": ".join(map(self._voice.say, said))))

        def with_words(some: Sequence[object]) -> Block:
            return _line("".join(map(str, some)).strip(), item)

        return with_words, words

    def _words(self, text: str) -> Iterator[str]:
        """Words, each with the blank after it; one that fits into no post is cut anywhere."""
        for word in text.replace("\n", " ").split(" "):
            rest = f"{word} "
            while not self._fits([_line(rest.strip())]) and len(rest) > 1:
                most = _most(self._length_of(rest), len(rest) - 1, self._limit)
                if most == 0:
                    raise TooLongError("there is no room for a single letter")
                yield rest[:most]
                rest = rest[most:]
            yield rest

    def _length_of(self, word: str) -> Callable[[int], int]:
        """How long a post with so many characters of a word is."""
        return lambda count: self._length([_line(word[:count])])

    def _as_line(self, row: object) -> Line:
        """A row that fits into no post below its head."""
        cells = row if isinstance(row, tuple) else ()
        return _line(" · ".join(self._voice.say(cell) for cell in cells))


def _most(length: Callable[[int], int], among: int, limit: int) -> int:
    """The largest count up to `among` whose length is within the limit; 0 if there is none.

    To lay out a long table takes time.  Lengths mostly grow evenly, so it is tried where the limit should be reached,
    and only every fourth time in the middle.
    """
    beyond, beyond_length = among, length(among)
    if beyond_length <= limit:
        return among
    fit, fit_length = 1, length(1)
    if fit_length > limit:
        return 0
    tries = 0
    while beyond - fit > 1:
        tries += 1
        share = 0.5 if tries % 4 == 0 else (limit - fit_length) / max(beyond_length - fit_length, 1)
        count = min(max(fit + int(share * (beyond - fit)), fit + 1), beyond - 1)
        tried = length(count)
        if tried <= limit:
            fit, fit_length = count, tried
        else:
            beyond, beyond_length = count, tried
    return fit


def _line(words: str, item: bool = False) -> Line:
    return Line(text=Text.of("{words}", words=words), item=item)


def _cut(blocks: Sequence[Block], before: Callable[[Block, Block], bool]) -> Iterator[Sequence[Block]]:
    """The blocks, cut where `before(previous, next)` says so."""
    start = 0
    for index in range(1, len(blocks)):
        if before(blocks[index - 1], blocks[index]):
            yield blocks[start:index]
            start = index
    yield blocks[start:]


_BORDERS: tuple[Callable[[Block, Block], bool], ...] = (
    lambda _, block: isinstance(block, Heading),
    lambda before, block: isinstance(block, Table | Chart | Picture) and not isinstance(before, Heading),
    lambda before, _: not isinstance(before, Heading),
    lambda before, block: True,
)
