"""What everybody may read of a player's post while its turn is open.

Whatever is, quotes, hides or resembles an order is taken out, whether the judge takes it as one or not: struck and
quoted copies, comments and spoilers, link titles and addresses, an order written over several lines.  A line that is
taken out for nothing costs a line of chat; one that is left costs a secret, so every doubt takes out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import unquote_plus

from judge.core.notation import Reading
from judge.core.tokens import normalise
from judge.envelope import find

Read = Callable[[str], Reading]
"""Reads lines as the judge would read them from this player now."""

_BLOCK = re.compile(
    r"[\[［]\s*(?:orders?|befehle?)\b[^\]］\n]*[\]］].*?(?:[\[［]\s*/\s*(?:orders?|befehle?)\s*[\]］]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_EMPTY = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^`~\n]*\n\s*\1[ \t]*$|\[(\w{1,20})(?:=[^\]\n]{0,100})?\]\s*\[/\2\]|<(\w{1,20})>\s*</\3>",
    re.IGNORECASE | re.MULTILINE,
)
"""A code block or spoiler in which nothing is left."""
_QUOTED = re.compile(r"^(?:\s*>)+")
_BRACKETS = re.compile(r"[\[\]]")
_BORDERS = re.compile(r"[\[\]<>(){}\"`~|?&#]+|--+")
"""What markup sets text apart with."""
_MOST_READINGS = 4


def public_text(text: str, reading: Reading, read: Read) -> str:
    """The post without anything that tells orders.  `reading` is what the judge took from its typed lines."""
    lines = text.split("\n")
    taken: dict[int, str] = {line.number - 1: line.verdict for line in reading.lines if line.verdict != "chat"}
    numbered = {line.number - 1 for line in reading.lines}
    if len(numbered) < len(lines):  # the judge stopped reading: nobody knows what stands in the rest
        taken |= {number: "problem" for number in range(len(lines)) if number not in numbered}
    sealed = _without_sealed(_blanked(lines, taken))
    spared = _BLOCK.sub(lambda block: "\n" * block.group().count("\n"), sealed).split("\n")
    told = _telling([list(_candidates(line)) for line in spared], read)
    spared = ["" if tells else line for line, tells in zip(spared, told, strict=True)]
    spared = _without_pieces(lines, taken, spared, read)
    if spared == lines:
        return text
    left = _EMPTY.sub("", _EMPTY.sub("", "\n".join(spared)))  # a code block may stand in a spoiler
    return re.sub(r"\n{3,}", "\n\n", left).strip()


def _blanked(lines: Sequence[str], taken: Mapping[int, str]) -> str:
    return "\n".join("" if number in taken else line for number, line in enumerate(lines))


def _without_sealed(text: str) -> str:
    """The text without the lines of sealed blocks, quoted ones too: how many there are would tell of changes."""
    for block in reversed(find(text)):
        start = text.rfind("\n", 0, block.start) + 1
        end = text.find("\n", block.end - 1)
        end = len(text) if end < 0 else end
        text = text[:start] + "\n" * text.count("\n", start, end) + text[end:]
    return text


def _candidates(line: str) -> Iterator[str]:
    """The line, and the parts of it that markup sets apart, each of which could be an order or a part of one."""
    bare = _QUOTED.sub("", normalise(line))
    yield _BRACKETS.sub(" ", bare)
    plain = normalise(unquote_plus(html.unescape(bare)))
    parts = _BORDERS.split(plain)
    if len(parts) > 1 or plain != bare:
        yield " ".join(parts)
        yield from (part for part in parts if any(character.isdigit() for character in part))


def _telling(candidates: Sequence[Sequence[str]], read: Read) -> list[bool]:
    """For each row of candidates, whether one of them is an order, a near miss or a word such as “pass”.

    The judge reads so many doubtful lines at a time; what is left after some readings counts as telling.
    """
    owners = [owner for owner, row in enumerate(candidates) for _ in row]
    texts = [text for row in candidates for text in row]
    told = [False] * len(candidates)
    for _ in range(_MOST_READINGS):
        if not texts:
            return told
        seen = read("\n".join(texts)).lines
        for owner, line in zip(owners, seen, strict=False):
            told[owner] = told[owner] or line.verdict != "chat"
        if not seen:
            break
        owners, texts = owners[len(seen) :], texts[len(seen) :]
    for owner in owners:
        told[owner] = True
    return told


def _without_pieces(lines: Sequence[str], taken: Mapping[int, str], spared: list[str], read: Read) -> list[str]:
    """Takes out what may be pieces of an order that runs over several lines of a paragraph: those with a number."""
    paragraphs = list(_paragraphs(lines))
    rest = [[number for number in paragraph if spared[number].strip()] for paragraph in paragraphs]
    joined = [[" ".join(spared[number] for number in left)] if len(left) > 1 else [] for left in rest]
    told = _telling([list(_candidates(text[0])) if text else [] for text in joined], read)
    for paragraph, left, tells in zip(paragraphs, rest, told, strict=True):
        if tells or any(taken.get(number) == "problem" for number in paragraph):
            for number in left:
                if any(character.isdigit() for character in spared[number]):
                    spared[number] = ""
    return spared


def _paragraphs(lines: Sequence[str]) -> Iterator[list[int]]:
    """Numbers of lines that follow each other without a blank one."""
    paragraph: list[int] = []
    for number, line in enumerate(lines):
        if line.strip():
            paragraph.append(number)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph
