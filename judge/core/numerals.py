"""Whole numbers as people write them, and everything that must not be taken for one.

A number is never guessed.  `1 000`, `1'000` and `1_000` are one thousand everywhere; `1.000` and `1,000` are so only
where the game's style says it, and a neutral game asks back.  Decimals, signs, ranges, "ca. 40", "3k" and number words
are told apart here only to say what was wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from judge.core.text import Text
from judge.core.tokens import Token

Style = Literal["neutral", "de", "en"]
"""Which of `1.000` (de) and `1,000` (en) is a thousand in this game; neutral asks."""

LONGEST = 15
"""Digits that a number may have: far more than any game's money needs."""

_SPELT = """null ein eine einen eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn vierzehn
fuenfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreissig vierzig fuenfzig sechzig siebzig achtzig neunzig hundert
tausend dutzend zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand dozen
alle beide all both"""
_WORDS = frozenset(_SPELT.split())
_COMPOUND = re.compile(
    r"(?:ein|zwei|drei|vier|fuenf|sechs|sieben|acht|neun)und(?:zwan|drei|vier|fuenf|sech|sieb|acht|neun)(?:zig|ssig)"
)
_VAGUE = "ca circa zirka etwa ungefaehr rund about around approx roughly max min maximal mindestens hoechstens"
_ABOUT = frozenset(_VAGUE.split())
_ABOUT_MARKS = frozenset("~≈<>≤≥±")
_RANGE = frozenset(("-", "bis", "to", "oder", "or"))


def value_of(text: str, style: Style) -> int | Text:
    """The number that a run of digits with its inner marks stands for, or why there is none."""
    parts = re.split("[.,'_]", text)
    marks = set(re.sub("[0-9]", "", text))
    if len("".join(parts)) > LONGEST:
        return Text.of("“{given}” is too long for a number.", given=_shortened(text))
    if not marks:
        return int(text)
    grouped = len(marks) == 1 and _is_grouped(parts)
    whole = int("".join(parts))
    if grouped and marks <= {"'", "_"}:
        return whole
    fitting = {"de": {"."}, "en": {","}, "neutral": {".", ","}}[style]
    if grouped and marks <= fitting and (style != "neutral" or len(parts) > 2):
        return whole
    if grouped and style == "neutral":
        decimal = text.rstrip("0").rstrip(".,")
        return Text.of(
            "“{given}” can mean {whole} or {decimal}: write it without point or comma.",
            given=text,
            whole=str(whole),
            decimal=decimal,
        )
    return Text.of("“{given}” is not a whole number here.", given=text)


def _is_grouped(parts: Sequence[str]) -> bool:
    return 1 <= len(parts[0]) <= 3 and not parts[0].startswith("0") and all(len(part) == 3 for part in parts[1:])


def numbers_at(tokens: Sequence[Token], start: int, style: Style) -> Iterator[tuple[int, int]]:
    """Every number that may begin at `start`, as (end, value): alone, or joined over single spaces ("1 000")."""
    if start >= len(tokens) or tokens[start].kind != "number" or _is_glued_to_digits(tokens, start):
        return
    alone = value_of(tokens[start].text, style)
    if isinstance(alone, int):
        yield start + 1, alone
    parts = [tokens[start].text]
    for end in range(start + 1, min(len(tokens), start + LONGEST // 3 + 1)):
        if tokens[end].kind != "number" or tokens[end].space != 1 or not tokens[end].text.isdigit():
            return
        parts.append(tokens[end].text)
        if not parts[0].isdigit() or not _is_grouped(parts):
            return
        yield end + 1, int("".join(parts))


def number_lists_at(tokens: Sequence[Token], start: int, style: Style) -> Iterator[tuple[int, tuple[int, ...]]]:
    """What one token of a list of numbers may hold: one number, or several with bare commas between ("3,7,12")."""
    for end, value in numbers_at(tokens, start, style):
        yield end, (value,)
    if start >= len(tokens) or tokens[start].kind != "number" or _is_glued_to_digits(tokens, start):
        return
    parts = tokens[start].text.split(",")
    if len(parts) == 1 or not all(part.isdigit() and len(part) <= LONGEST for part in parts):
        return
    if not _is_grouped(parts) or isinstance(value_of(tokens[start].text, style), int):
        yield start + 1, tuple(map(int, parts))


def _is_glued_to_digits(tokens: Sequence[Token], start: int) -> bool:
    return start > 0 and tokens[start].space == 0 and tokens[start - 1].kind == "number"


def is_number_word(token: Token) -> bool:
    """Whether the token is a number in words or a sign like ½, which is never read."""
    if token.kind == "word":
        return token.key in _WORDS or bool(_COMPOUND.fullmatch(token.key)) or all(c.isnumeric() for c in token.text)
    return token.kind == "mark" and token.text.isnumeric()


def is_about(token: Token) -> bool:
    """Whether the token makes a number vague ("ca.", "~", "max")."""
    return token.key in _ABOUT or token.text in _ABOUT_MARKS


def no_number_at(tokens: Sequence[Token], start: int, style: Style) -> tuple[int, Text] | None:
    """What stands at `start` in place of a plain number, as (end, reason); None if nothing of that kind does."""
    end = start
    while end < len(tokens) and (is_about(tokens[end]) or (end > start and tokens[end].text == ".")):
        end += 1
    vague = end > start
    if not vague and end < len(tokens) and tokens[end].text in ("-", "+"):
        end += 1
        signed = True
    else:
        signed = False
    if end >= len(tokens):
        return None
    if not vague and not signed and (is_number_word(tokens[end]) or tokens[end].text == "?"):
        return end + 1, Text.of("“{given}” is not read as a number: write it in digits.", given=tokens[end].text)
    if tokens[end].kind != "number":
        return None
    value = value_of(tokens[end].text, style)
    end += 1
    if signed:
        return end, Text.of("“{given}” has a sign: write the number alone.", given=_joined(tokens, start, end))
    if vague:
        return end, Text.of("“{given}” is not exact: write the number alone.", given=_joined(tokens, start, end))
    if end + 1 < len(tokens) and tokens[end].key in _RANGE and tokens[end + 1].kind == "number":
        return end + 2, Text.of("“{given}” is a range: write one number.", given=_joined(tokens, start, end + 2))
    glued = end
    while glued < len(tokens) and tokens[glued].space == 0 and _spoils_number(tokens[glued]):
        glued += 1
    if glued > end:
        return glued, Text.of("“{given}” is not a whole number here.", given=_joined(tokens, start, glued))
    if isinstance(value, Text):
        return end, value
    return None


def _spoils_number(token: Token) -> bool:
    return token.kind != "mark" or token.text in "%⁄^" or token.text.isnumeric()


def _joined(tokens: Sequence[Token], start: int, end: int) -> str:
    return _shortened("".join(" " * bool(token.space and n) + token.text for n, token in enumerate(tokens[start:end])))


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:20]}…"
