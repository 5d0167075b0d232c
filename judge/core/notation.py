"""A post's lines and the orders in them, both ways: lenient in, canonical out.

The reader knows no game.  It works from the shapes that each kind of order gives (`Notation`) and from the names that
the seat is asked about (`Ask.choices`).  Three things can become of a line: it is an order, it is *reported* because it
looks like one and cannot be read, or it is chat.  Nothing is guessed; nothing that was meant as an order is dropped.

The order of the text decides.  "pass" starts an empty set, also after orders, which it replaces with a warning, as
orders after it replace the pass.  "withdraw" takes back everything before it, near misses too; orders after it count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from judge.core.leadins import after_greeting
from judge.core.lines import Grammar, example_fields, write_fields
from judge.core.numerals import Style
from judge.core.orders import Ask, Order, Problem, latest, subject_of
from judge.core.text import Text
from judge.core.tokens import normalise, tokenise, without_marker

Verdict = Literal["order", "problem", "word", "chat"]
Intent = Literal["orders", "pass", "withdraw"]

_PASS = frozenset(("pass", "passe", "passen"))
_WITHDRAW = frozenset(("withdraw", "zuruckziehen", "zurueckziehen", "ziehe zuruck", "ziehe zurueck"))
_MOST_ERRORS = 200
LINE_END = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")
_TAG = re.compile(r"\[\s{0,9}(/?)\s{0,9}(?:orders?|befehle?)\s{0,9}\]", re.IGNORECASE)


@dataclass(frozen=True)
class ReadLine:
    """One line of the post, numbered from 1, and what it was taken for."""

    number: int
    text: str
    verdict: Verdict
    orders: tuple[Order, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A whole post: what its author wants, the set that counts, every line, and all problems.

    `intent` is None if there is nothing but chat, and "orders" as soon as one line was meant as an order.
    """

    intent: Intent | None
    orders: tuple[Order, ...]
    lines: tuple[ReadLine, ...]
    problems: tuple[Problem, ...]

    @property
    def is_valid(self) -> bool:
        """Whether nothing keeps this reading from counting."""
        return all(problem.warning for problem in self.problems)


def read(
    text: str, ask: Ask, *, language: str = "en", numbers: Style = "neutral", others: Iterable[type[Order]] = ()
) -> Reading:
    """Read a post.  `others` are the game's kinds of orders that are not asked now, so that they can be named."""
    grammar = Grammar(ask, language, numbers, tuple(others))
    post = _Post()
    for number, line, pieces in _counted(text):
        if grammar.is_exhausted or post.errors >= _MOST_ERRORS:
            sentence = Text.of("Too many lines cannot be read; what follows was not looked at.")
            post.problems.append(Problem(sentence, line=number))
            break
        post.add(number, line, pieces, grammar)
    return post.reading(grammar)


def write(order: Order, ask: Ask, language: str) -> str:
    """The order as its canonical line; English where the language has none."""
    return write_fields(type(order), {name: getattr(order, name) for name in type(order).model_fields}, ask, language)


def example(kind: type[Order], ask: Ask, language: str) -> str:
    """A right line of this kind, such as `X:3 at 40`: from the fields' `examples`, else plausible small values."""
    return write_fields(kind, example_fields(kind, ask), ask, language)


def _counted(text: str) -> Iterator[tuple[int, str, list[tuple[str, bool]]]]:
    """Every line with its number and the pieces of it that count: all of it, or only what stands in orders blocks.

    The second half of a piece says whether it must read.
    """
    lines = LINE_END.split(text)
    plain = [normalise(line) if "[" in line or "［" in line else line for line in lines]
    blocks = any(not match[1] for line in plain for match in _TAG.finditer(line))
    inside = False
    for number, (line, clean) in enumerate(zip(lines, plain, strict=True), 1):
        if not blocks:
            yield number, line, [(line, False)]
            continue
        pieces: list[tuple[str, bool]] = []
        start = 0
        for match in _TAG.finditer(clean):
            if inside:
                pieces.append((clean[start : match.start()], True))
            inside, start = not match[1], match.end()
        if inside:
            pieces.append((clean[start:], True))
        yield number, line, pieces


@dataclass
class _Post:
    """The lines read so far and the set that they make."""

    intent: Intent | None = None
    orders: list[Order] = field(default_factory=list)
    told: dict[tuple[str, str], int] = field(default_factory=dict)
    lines: list[ReadLine] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    passed: int | None = None
    errors: int = 0
    in_block: bool = False

    def add(self, number: int, line: str, pieces: list[tuple[str, bool]], grammar: Grammar) -> None:
        verdict: Verdict = "chat"
        orders: list[Order] = []
        for piece, must_read in pieces:
            self.in_block = self.in_block or must_read
            piece_verdict, found, problems = _judge(piece, must_read, grammar)
            orders += found
            self.problems += [replace(problem, line=number) for problem in problems]
            self.errors += len(problems)
            if piece_verdict == "word":
                self._word(number, _word_of(piece))
            elif piece_verdict != "chat":
                self._take(number, found)
            verdict = piece_verdict if verdict in ("chat", "order", "word") and piece_verdict != "chat" else verdict
        self.lines.append(ReadLine(number, line, verdict, tuple(orders)))

    def _take(self, number: int, found: Iterable[Order]) -> None:
        if self.intent == "pass" and self.passed is not None:
            text = Text.of("The pass in line {line} does not count, since orders follow.", line=self.passed)
            self.problems.append(Problem(text, line=number, warning=True))
        self.intent = "orders"
        for order in found:
            earlier = self.told.get(_subject(order)) if order.subject else None
            if earlier is not None:
                text = Text.of(
                    "Line {line} replaces line {earlier}, which is about the same thing.", line=number, earlier=earlier
                )
                self.problems.append(Problem(text, line=number, warning=True))
            self.told[_subject(order)] = number
            self.orders.append(order)

    def _word(self, number: int, word: Intent | None) -> None:
        if word == "withdraw":
            self.problems = [replace(problem, warning=True) for problem in self.problems]
        elif self.orders:
            text = Text.of("The pass replaces the orders before it.")
            self.problems.append(Problem(text, line=number, warning=True))
        self.intent = word
        self.orders = []
        self.told = {}
        self.passed = number

    def reading(self, grammar: Grammar) -> Reading:
        if self.in_block and self.intent is None:
            text = Text.of("The orders block holds no order; write “pass” in it if you want none.")
            self.problems.append(Problem(text, right="pass"))
            self.intent = "orders"
        orders = tuple(latest(self.orders))
        return Reading(self.intent, orders, tuple(self.lines), tuple(self.problems))


def _subject(order: Order) -> tuple[str, str]:
    return order.kind, subject_of(order)


def _word_of(text: str) -> Intent | None:
    """The word that is alone on the line and says something about the whole set."""
    tokens = tokenise(without_marker(normalise(text)))
    words = [token.plain for token in tokens[after_greeting(tokens) :] if token.text not in ".!"]
    if len(words) > 1 and words[0] in ("ich", "i"):
        del words[0]
    plain = " ".join(words[:3])
    return "pass" if plain in _PASS else "withdraw" if plain in _WITHDRAW else None


def _judge(text: str, must_read: bool, grammar: Grammar) -> tuple[Verdict, tuple[Order, ...], tuple[Problem, ...]]:
    """What one line, or the part of it in a block, is."""
    clean = normalise(text).strip()
    if not any(character.isalnum() for character in clean):
        return "chat", (), ()
    if clean.startswith(">"):
        return ("problem", (), (grammar.unread(text),)) if must_read else ("chat", (), ())
    word = _word_of(text)
    read = grammar.line(text)
    if word is not None and not read.orders:
        return "word", (), ()
    if read.problems:
        return "problem", read.orders, read.problems
    if read.orders:
        return "order", read.orders, ()
    return ("problem", (), (grammar.unread(text),)) if must_read else ("chat", (), ())
