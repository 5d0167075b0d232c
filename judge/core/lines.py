"""One typed line: the orders in it, or what is wrong with it, or nothing but chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from judge.core.leadins import after_announcement, after_greeting
from judge.core.names import Names, spoken
from judge.core.nearmiss import (
    Alignment,
    holds_number,
    is_plausible,
    nearest,
    starts_with_keyword,
    vocabulary,
)
from judge.core.numerals import Style
from judge.core.order_json import validation_problems
from judge.core.orders import Ask, Order, Problem
from judge.core.shapes import Shape, Slot, shapes_of, slots_of, write_template
from judge.core.text import Listing, Text
from judge.core.tokens import Row, normalise, span, tokenise, without_marker

_SEPARATORS = frozenset((",", ";", "|", "&", "und", "and", ".", "!"))
_SPLITS = _SEPARATORS - {".", "!"}
_ENDS = frozenset((".", "!", ",", ";", "|"))
_LONGEST_TAIL = 40
_LONGEST_DOUBT = 400
_MOST_LOOKED_AT = 100
"""Doubtful pieces of one post that are compared with every shape."""


@dataclass(frozen=True)
class Found:
    """An order that stands in tokens `start` to `end` of a line."""

    kind: type[Order]
    fields: tuple[tuple[str, Any], ...]
    start: int
    end: int


@dataclass(frozen=True)
class Line:
    """What a line turned out to be; chat has neither orders nor problems."""

    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class _Chain:
    found: Found
    before: _Chain | None

    def row(self) -> tuple[Found, ...]:
        row: list[Found] = []
        link: _Chain | None = self
        while link is not None:
            row.append(link.found)
            link = link.before
        return tuple(reversed(row))


@dataclass
class Grammar:
    """All the shapes that lines may have for one seat in one turn; reads the lines of one post."""

    ask: Ask
    language: str
    style: Style
    others: Sequence[type[Order]] = ()
    _looked_at: dict[str, Alignment | None] = field(default_factory=dict)
    _known: dict[str, Line] = field(default_factory=dict)

    @cached_property
    def shapes(self) -> list[Shape]:
        return [shape for kind in self.ask.kinds for shape in shapes_of(kind, self.ask)]

    @cached_property
    def _other_shapes(self) -> list[Shape]:
        kinds = [kind for kind in self.others if kind not in self.ask.kinds]
        return [
            shape
            for kind in kinds
            for shape in shapes_of(kind, self.ask, open_names=True)
            if shape.keyword
            or all(not isinstance(e, Slot) or e.names is None or e.names.choices for e in shape.elements)
        ]

    @cached_property
    def _keyworded(self) -> list[Shape]:
        return [shape for shape in (*self.shapes, *self._other_shapes) if shape.keyword]

    @cached_property
    def _always_numbers(self) -> bool:
        """Whether every line that is an order holds a number, or else begins with its keyword."""
        return all(shape.keyword or shape.has_number for shape in (*self.shapes, *self._other_shapes))

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return vocabulary(self.shapes)

    def line(self, text: str) -> Line:
        """Read one line that is neither quoted nor a word like "pass"."""
        clean = without_marker(normalise(text))
        if clean not in self._known:
            self._known[clean] = self._line(clean)
        return self._known[clean]

    def _line(self, clean: str) -> Line:
        tokens = tokenise(clean)
        greeted = after_greeting(tokens)
        begin = (
            greeted if starts_with_keyword(tokens, self._keyworded, greeted) else after_announcement(tokens, greeted)
        )
        if (
            self._always_numbers
            and not holds_number(tokens)
            and not starts_with_keyword(tokens, self._keyworded, begin)
        ):
            return Line()
        for start in dict.fromkeys((0, greeted, begin)):
            rows = self.readings(tokens, start)
            if len(rows) == 1:
                return self._built(rows[0], clean, tokens)
            if rows:
                return Line(problems=(self._two_ways(rows, clean),))
        return self._doubtful(clean, tokens.piece(begin, len(tokens)))

    def readings(self, tokens: Row, first: int = 0, shapes: Sequence[Shape] | None = None) -> list[tuple[Found, ...]]:
        """The ways to read all the tokens from `first` on as orders; two at most are looked for.

        Words that make one order are not taken for several: “repay 1 loan” does not repay one and take another.
        """
        while first < len(tokens) and tokens[first].text == "|":
            first += 1
        chains: dict[int, list[_Chain | None]] = {first: [None]}
        queue = [first]
        complete: list[_Chain] = []
        while queue:
            position = heappop(queue)
            for found in self._orders_at(tokens, position, shapes):
                after = _after_separators(tokens, found.end)
                if found.end == after < len(tokens) and tokens[after].space == 0 and tokens[after].text != "(":
                    continue
                links = [_Chain(found, chain) for chain in chains[position]]
                if after == len(tokens) or (tokens[after].text == "(" and tokens[-1].text == ")"):
                    complete += links
                else:
                    if after not in chains:
                        heappush(queue, after)
                    chains.setdefault(after, []).extend(links)
                    del chains[after][2:]
            if len(complete) > 8:
                break
        rows: dict[tuple[tuple[type[Order], Any], ...], tuple[Found, ...]] = {}
        for chain in complete:
            row = chain.row()
            rows.setdefault(tuple((found.kind, tuple(sorted(found.fields))) for found in row), row)
        whole: list[tuple[Found, ...]] = [row for row in rows.values() if len(row) == 1]
        return (whole or list(rows.values()))[:2]

    def _orders_at(self, tokens: Row, start: int, shapes: Sequence[Shape] | None = None) -> list[Found]:
        found: dict[tuple[int, type[Order], tuple[tuple[str, Any], ...]], Found] = {}
        for shape in self.shapes if shapes is None else shapes:
            for end, bound in shape.at(tokens, start, self.style):
                fields = tuple(sorted({**dict.fromkeys(shape.flags, False), **dict(bound)}.items()))
                found.setdefault((end, shape.kind, fields), Found(shape.kind, fields, start, end))
        return list(found.values())

    def _built(self, row: Sequence[Found], clean: str, tokens: Row) -> Line:
        orders: list[Order] = []
        problems: list[Problem] = []
        for found in row:
            fields = dict(found.fields)
            try:
                orders.append(found.kind(**fields))
            except ValidationError as error:
                right = self.right(found.kind, fields)
                quote = span(clean, tokens, found.start, found.end)
                problems += [_with(problem, quote, right) for problem in validation_problems(error, found.kind)]
        return Line(tuple(orders), tuple(problems))

    def _doubtful(self, clean: str, tokens: Row) -> Line:
        """A line that does not read as a whole: piece by piece an order, a near miss, or left-over words."""
        if self._other_shapes and (rows := self.readings(tokens, 0, self._other_shapes)):
            return Line(problems=(self._not_asked(rows[0][0].kind, clean),))
        pieces = [(start, end) for start, end in _pieces(tokens.piece(0, _LONGEST_DOUBT)) if start < end]
        if not pieces:
            return Line()
        parts = {piece: tokens.piece(*piece) for piece in pieces}
        rows_of = {piece: self.readings(part) for piece, part in parts.items()}
        first = pieces[0]
        meant = any(len(rows) == 1 and _holds_number(rows[0]) for rows in rows_of.values())
        if not (meant or rows_of[first] or self._problem(clean, parts[first])):
            return self._at_the_end(clean, tokens)
        if not rows_of[first] and not self._problem(clean, parts[first]):
            spoken_before = self._at_the_end(clean, tokens)
            if spoken_before.problems:
                return spoken_before
        whole = [found for rows in rows_of.values() if len(rows) == 1 for found in rows[0]]
        right = ", ".join(self.right(found.kind, dict(found.fields)) for found in whole)
        line = Line()
        for piece in pieces:
            rows = rows_of[piece]
            if len(rows) == 1:
                read = self._built(rows[0], clean, parts[piece])
                line = Line(line.orders + read.orders, line.problems + read.problems)
            else:
                problem = self._problem(clean, parts[piece]) or self._unread(span(clean, tokens, *piece), right)
                line = Line(line.orders, (*line.problems, problem))
        if len(tokens) > _LONGEST_DOUBT or not line.problems:
            return Line(line.orders, (*line.problems, self._unread(clean)))
        return line

    def _problem(self, clean: str, part: Row) -> Problem | None:
        """What keeps a piece from being an order; None if it is no order at all."""
        quote = span(clean, part, 0, len(part))
        found = self._nearest(quote, part)
        longest = max(self._orders_at(part, 0), key=lambda order: order.end, default=None)
        if longest is not None and longest.end < len(part) and (found is None or found.fault.sort != "number"):
            names = any(isinstance(value, str | tuple) and value for _, value in longest.fields)
            rest = part.piece(longest.end, len(part))
            if _holds_number((longest,)) or (names and (len(rest) <= 3 or holds_number(rest))):
                text = Text.of(
                    "After “{order}” the rest cannot be read: “{rest}”.",
                    order=span(clean, part, 0, longest.end),
                    rest=_short(span(clean, part, longest.end, len(part))),
                )
                return Problem(text, quote=_short(quote), right=self.right(longest.kind, dict(longest.fields)))
        if found is None:
            return None
        fault = found.fault
        right = self.right(found.kind, found.fields)
        return Problem(fault.tell(), field=fault.field, quote=_short(quote), right=right)

    def _nearest(self, quote: str, part: Row) -> Alignment | None:
        if quote not in self._looked_at:
            if not is_plausible(part, self.shapes, self._vocabulary):
                return None
            self._looked_at[quote] = nearest(part, self.shapes, self.style)
        return self._looked_at[quote]

    @property
    def is_exhausted(self) -> bool:
        """Whether a post holds so many doubtful pieces that looking at more of them helps nobody."""
        return len(self._looked_at) >= _MOST_LOOKED_AT

    def _at_the_end(self, clean: str, tokens: Row) -> Line:
        """Words with whole orders after them: told, since taking them may mean taking somebody else's."""
        for start in range(max(1, len(tokens) - _LONGEST_TAIL), len(tokens)):
            if tokens[start].space == 0 and tokens[start - 1].text not in (":", "(", ">"):
                continue
            rows = self.readings(tokens, start)
            if rows and _holds_number(rows[0]) and any(isinstance(value, str) for _, value in rows[0][0].fields):
                order = span(clean, tokens, start, rows[0][-1].end)
                text = Text.of("An order stands on a line of its own, without words before it: “{order}”.", order=order)
                return Line(problems=(Problem(text, quote=_short(clean), right=order),))
        return Line()

    def _two_ways(self, rows: Sequence[tuple[Found, ...]], clean: str) -> Problem:
        one, two = ("; ".join(self.right(found.kind, dict(found.fields)) for found in row) for row in rows)
        text = Text.of("“{line}” can be read in two ways: “{one}” or “{two}”.", line=_short(clean), one=one, two=two)
        return Problem(text, quote=_short(clean), right=one)

    def _not_asked(self, kind: type[Order], clean: str) -> Problem:
        now = Listing([asked.title for asked in self.ask.kinds])
        text = Text.of("{kind} cannot be given now; possible: {kinds}.", kind=kind.title, kinds=now)
        return Problem(text, quote=_short(clean), right=self._any_right())

    def _unread(self, quote: str, right: str | None = None) -> Problem:
        text = Text.of("“{given}” cannot be read here.", given=_short(quote))
        return Problem(text, quote=_short(quote), right=right or self._any_right())

    def unread(self, text: str) -> Problem:
        """The problem of a line that had to be an order and shows nothing of one."""
        return self._unread(normalise(text).strip())

    def _any_right(self) -> str | None:
        return self.right(self.ask.kinds[0], {}) if self.ask.kinds else None

    def right(self, kind: type[Order], known: Mapping[str, Any]) -> str:
        """A right line of this kind, with what was understood filled in as far as it is allowed."""
        fields = example_fields(kind, self.ask)
        try:
            kind(**{**fields, **known})
        except ValidationError as error:
            wrong = {str(detail["loc"][0]) for detail in error.errors() if detail["loc"]}
            known = {name: value for name, value in known.items() if name not in wrong}
        return write_fields(kind, {**fields, **known}, self.ask, self.language)


def write_fields(kind: type[Order], fields: Mapping[str, Any], ask: Ask, language: str) -> str:
    """The canonical line with these fields."""
    lines = kind.notation.write
    template = lines.get(language) or lines.get("en") or next(iter(lines.values()))
    written = {name: write_value(kind, name, value, ask, language) for name, value in fields.items()}
    return write_template(template, written)


def write_value(kind: type[Order], name: str, value: Any, ask: Ask, language: str) -> Any:
    """A field as it stands in the canonical line: a number as it is, a choice by its name in the language."""
    if isinstance(value, tuple):
        return ", ".join(str(write_value(kind, name, item, ask, language)) for item in value)
    for choice in ask.choices_for(kind, name) or ():
        if choice.value == value and language in choice.written:
            return choice.written[language]
    if name in kind.notation.by_title and isinstance(value, str):
        title = spoken(ask.named(kind, name, value))
        choices = ask.choices_for(kind, name) or ()
        tokens = tokenise(normalise(title))
        if [fit.values for fit in Names(choices).at(tokens, 0) if fit.end == len(tokens)] == [(value,)]:
            return title
    return value


def example_fields(kind: type[Order], ask: Ask) -> dict[str, Any]:
    """Plausible fields: what the class gives as examples, else the first choice or a small number within the bounds."""
    slots = slots_of(kind, ask)
    return {name: _example(info, slots.get(name)) for name, info in kind.model_fields.items() if name != "kind"}


def _example(info: FieldInfo, slot: Slot | None) -> Any:
    named = [choice.value for choice in slot.names.choices] if slot is not None and slot.names is not None else None
    for example in info.examples or ():
        if named is None or example in named:
            return example
    if slot is None or not info.is_required():
        return info.get_default(call_default_factory=True) if not info.is_required() else None
    value: Any = (named[0] if named else "…") if named is not None else max(slot.least, min(3, slot.most))
    return (value,) if slot.many else value


def _after_separators(tokens: Row, start: int) -> int:
    while start < len(tokens) and tokens[start].key in _SEPARATORS:
        start += 1
    return start


def _pieces(tokens: Row) -> Iterator[tuple[int, int]]:
    """Where the pieces between commas, semicolons and "and" stand, without full stops at their ends."""
    start = 0
    for end in (*(n for n, token in enumerate(tokens) if token.key in _SPLITS), len(tokens)):
        last = end
        while last > start and tokens[last - 1].text in _ENDS:
            last -= 1
        yield start, last
        start = end + 1


def _holds_number(row: Iterable[Found]) -> bool:
    return any(isinstance(value, int) and not isinstance(value, bool) for found in row for _, value in found.fields)


def _with(problem: Problem, quote: str, right: str) -> Problem:
    return Problem(problem.text, field=problem.field, quote=_short(quote), right=right)


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
