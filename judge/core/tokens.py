"""A typed line as a row of words, numbers and marks.

People type on many keyboards.  Full-width and other decimal digits become plain ones, every space a space, curly quotes
straight ones, all dashes a hyphen; what cannot be seen is taken out.  Characters that only look like a number (³, ½, Ⅳ)
stay what they are, because reading them would be guessing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

_SINGLE_QUOTES = "‘’‚‛′´ʼ"
_DOUBLE_QUOTES = "“”„‟«»″"
_EMPHASIS = '*_`"'
"""Marks that stand around words for looks only."""

_PIECE = re.compile(
    r"(?P<number>[0-9]+(?:[.,'_][0-9]+)*)|(?P<word>[^\W\d_][^\W\d_\u0300-\u036f]*(?:'[^\W\d_]+)*)|(?P<mark>\S)"
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe"})
_MARKER = re.compile(r"(?:[-*+•‣◦·▪] +|[0-9]{1,2}[.)] +|#{1,6} +)")
_SMILEY = re.compile(r"\s[:;]-?[)(DP]+\s*$")


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number or mark; `space`: blanks before it (a tab is two); `plain`: umlauts lose their dots."""

    kind: Literal["word", "number", "mark"]
    text: str
    key: str
    plain: str
    space: int
    start: int
    end: int


class Row(list[Token]):
    """The tokens of a line or of a piece of it, with what each slot or its names were found to hold at each place."""

    def __init__(self, tokens: Iterable[Token] = ()) -> None:
        super().__init__(tokens)
        self.found: dict[tuple[int, ...], Any] = {}

    def piece(self, start: int, end: int) -> Row:
        return Row(self[start:end])


def normalise(line: str) -> str:
    """The line with every character in its plain form."""
    if line.isascii() and line.isprintable():
        return line
    return "".join(map(_plain_character, unicodedata.normalize("NFC", line)))


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if "\uff01" <= character <= "\uff5e":
        return chr(ord(character) - 0xFEE0)
    if character in _SINGLE_QUOTES:
        return "'"
    if character in _DOUBLE_QUOTES:
        return '"'
    if category == "Pd" or character == "−":
        return "-"
    if category == "Zs":
        return " "
    if character in "\t\v\f" or category in ("Zl", "Zp"):
        return "  "
    if category in ("Cc", "Cf", "Cs", "Cn") or "\ufe00" <= character <= "\ufe0f":
        return ""
    return {"×": "x ", "。": ".", "、": ",", "…": "..."}.get(character, character)


def without_marker(line: str) -> str:
    """The normalised line without indent, list marker, heading sign and the smiley at its end."""
    line = line.strip()
    marker = _MARKER.match(line)
    return _SMILEY.sub("", line[marker.end() :] if marker else line).strip()


def tokenise(line: str) -> Row:
    """The tokens of a normalised line."""
    tokens = Row()
    end = 0
    for match in _PIECE.finditer(line):
        text = match.group()
        start = match.start()
        space = start - end if not tokens or start > end else 0
        if match.lastgroup == "mark" and _is_decoration(line, start):
            continue
        end = match.end()
        if match.lastgroup == "word":
            tokens.append(Token("word", text, fold(text), unmarked(text), space, start, end))
        else:
            tokens.append(
                Token("number" if match.lastgroup == "number" else "mark", text, text, text, space, start, end)
            )
    return tokens


def _is_decoration(line: str, at: int) -> bool:
    """Whether the mark is a picture or stands around words for looks only, which it cannot do between two digits."""
    if line[at] in _EMPHASIS:
        return not (line[at - 1 : at].isdigit() and line[at + 1 : at + 2].isdigit())
    return not line[at].isascii() and unicodedata.category(line[at]) == "So"


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The text as names are compared: small letters, umlauts written out, no other accents."""
    return _without_accents(text.casefold().translate(_UMLAUTS))


@lru_cache(maxsize=4096)
def unmarked(text: str) -> str:
    """Like `fold`, with umlauts losing their dots instead: how people type them who have no such key."""
    return _without_accents(text.casefold().replace("ß", "ss").replace("ø", "o"))


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def keys(text: str) -> tuple[str, ...]:
    """A word or phrase as a sequence of token keys, to be compared with the keys of a line."""
    return tuple(token.key for token in tokenise(normalise(text)))


def span(line: str, tokens: Sequence[Token], start: int, end: int) -> str:
    """The piece of the normalised line that the tokens from `start` up to `end` cover."""
    return line[tokens[start].start : tokens[end - 1].end] if start < end <= len(tokens) else ""
