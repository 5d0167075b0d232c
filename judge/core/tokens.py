"""A typed line as a row of words, numbers and marks.

People type on many keyboards.  Full-width and other decimal digits become plain ones, every space a space, curly quotes
straight ones, all dashes a hyphen; what cannot be seen is taken out.  Characters that only look like a number (³, ½, Ⅳ)
stay what they are, because reading them would be guessing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

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
    return {"×": "x", "。": ".", "、": ",", "…": "..."}.get(character, character)


def without_marker(line: str) -> str:
    """The normalised line without indent, list marker, heading sign and the smiley at its end."""
    line = line.strip()
    marker = _MARKER.match(line)
    return _SMILEY.sub("", line[marker.end() :] if marker else line).strip()


def tokenise(line: str) -> list[Token]:
    """The tokens of a normalised line."""
    tokens: list[Token] = []
    end = 0
    for match in _PIECE.finditer(line):
        text = match.group()
        kind: Literal["word", "number", "mark"] = "number" if match["number"] else "word" if match["word"] else "mark"
        space = match.start() - end if not tokens or match.start() > end else 0
        between_digits = (
            line[match.start() - 1 : match.start()].isdigit() and line[match.end() : match.end() + 1].isdigit()
        )
        if kind == "mark" and ((text in _EMPHASIS and not between_digits) or unicodedata.category(text) == "So"):
            continue
        key = fold(text) if kind == "word" else text
        tokens.append(
            Token(kind, text, key, unmarked(text) if kind == "word" else text, space, match.start(), match.end())
        )
        end = match.end()
    return tokens


def fold(text: str) -> str:
    """The text as names are compared: small letters, umlauts written out, no other accents."""
    return _without_accents(text.casefold().translate(_UMLAUTS))


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
