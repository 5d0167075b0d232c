"""Lines that were meant as orders and cannot be read: which they are, and what is wrong with them.

A piece of a line is laid along every shape of every kind that is asked.  What fits is evidence that an order was
meant; what is missing, unknown, unclear or too much is a fault.  More evidence than faults makes a near miss, which is
told with its worst fault and the right form; everything else is chat and left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from judge.core.names import Names, spoken
from judge.core.numerals import Style, is_about, is_number_word, no_number_at
from judge.core.orders import Order
from judge.core.shapes import Colon, Element, Shape, Slot, Wording, skip_fillers
from judge.core.text import Listing, Text, Value, Words
from judge.core.tokens import Row

LONGEST = 20
"""Tokens of the longest piece that is looked at: anything longer is prose."""

_UNKNOWN_WORDS = 3
_LEFT_OUT = ("missing", "wording")
_RANK = ("elsewhere", "number", "unclear", "unknown", "missing", "wording", "word")


class Fault(NamedTuple):
    """Something wrong in a piece.  Its sentence is made only if it is told, since most alignments are thrown away."""

    sort: str
    tell: Callable[[], Text]
    field: str | None = None


class Alignment(NamedTuple):
    """A piece laid along a shape."""

    kind: type[Order]
    evidence: int = 0
    faults: tuple[Fault, ...] = ()
    bound: tuple[tuple[str, Any], ...] = ()
    numbers: int = 0
    keyword: bool = False
    odd: int = 0
    """Breaks ties: fields filled only after something was missing, and numbers out of bounds, which weigh double."""

    @property
    def cost(self) -> tuple[int, int, int]:
        return 2 * len(self.faults) - self.evidence, len(self.faults), self.odd

    @property
    def is_near(self) -> bool:
        """Whether this is an order gone wrong, and not chat that happens to hold a name and a number."""
        faults = len(self.faults)
        words = sum(fault.sort == "word" for fault in self.faults)
        unknown = sum(fault.sort == "unknown" for fault in self.faults)
        if not (self.keyword or self.numbers):
            return False
        if self.keyword and (any(fault.sort == "elsewhere" for fault in self.faults) or self._lacks_little(words)):
            return True
        if self.evidence < (1 if self.keyword else 2) or faults > self.evidence:
            return False
        return (not words or faults < self.evidence) and (not unknown or faults == 1)

    def _lacks_little(self, words: int) -> bool:
        """Whether it only leaves something out, or names what can be chosen with at most one word too many."""
        named = any(isinstance(value, str | tuple) and value for _, value in self.bound)
        return all(fault.sort in _LEFT_OUT for fault in self.faults) or (named and words <= 1)

    @property
    def fault(self) -> Fault:
        """The fault to tell."""
        return min(self.faults, key=lambda fault: _RANK.index(fault.sort))

    @property
    def fields(self) -> Mapping[str, Any]:
        return dict(self.bound)


Steps = Iterator[tuple[int, Alignment]]
"""Where an alignment may stand next, and what it is by then."""


def vocabulary(shapes: Iterable[Shape]) -> frozenset[str]:
    """The words that these shapes and their names use."""
    words: set[str] = set()
    for shape in shapes:
        for element in shape.elements:
            if isinstance(element, Wording):
                words.update(key for option in element.options for key in option)
            elif isinstance(element, Slot) and element.names is not None:
                words |= element.names.words
                words |= element.elsewhere.words if element.elsewhere is not None else frozenset()
    return frozenset(words)


def nearest(tokens: Row, shapes: Sequence[Shape], style: Style) -> Alignment | None:
    """The best alignment of a piece that was meant as an order; None if it is chat."""
    begun = [shape for shape in shapes if starts_with_keyword(tokens, (shape,))]
    aligned = [_aligned(tokens, shape, style) for shape in begun or shapes]
    best = min(aligned, key=lambda found: (bool(begun) and not found.is_near, found.cost), default=None)
    return best if best is not None and best.faults and best.is_near else None


def is_plausible(tokens: Row, shapes: Sequence[Shape], known: frozenset[str]) -> bool:
    """Whether a piece has so much of an order about it that it is worth laying along the shapes."""
    if not 0 < len(tokens) <= LONGEST:
        return False
    if not holds_number(tokens) and not starts_with_keyword(tokens, shapes):
        return False
    strange = sum(token.kind == "word" and _is_strange(tokens, n, known) for n, token in enumerate(tokens))
    return strange <= _UNKNOWN_WORDS


def holds_number(tokens: Row) -> bool:
    """Whether there is anything in the tokens that stands for a number, readable or not."""
    return any(token.kind == "number" or is_number_word(token) for token in tokens)


def starts_with_keyword(tokens: Row, shapes: Iterable[Shape], start: int = 0) -> bool:
    """Whether the tokens begin with the word that a shape begins with."""
    return any(shape.keyword is not None and any(shape.keyword.at(tokens, start)) for shape in shapes)


def _is_strange(tokens: Row, start: int, known: frozenset[str]) -> bool:
    token = tokens[start]
    return not (token.key in known or is_number_word(token) or is_about(token) or len(skip_fillers(tokens, start)) > 1)


def _aligned(tokens: Row, shape: Shape, style: Style) -> Alignment:
    """The cheapest way to lay all the tokens along all the elements."""
    row: dict[int, Alignment] = {0: Alignment(shape.kind)}
    for element in (*shape.elements, None):
        following: dict[int, Alignment] = {}
        for start in range(len(tokens) + 1):
            here = row.get(start)
            if here is None:
                continue
            for end, found in _steps_inside(tokens, start, here):
                _keep(row, end, found)
            if element is not None:
                for end, found in _steps_past(element, tokens, start, here, style):
                    _keep(following, end, found)
        if element is not None:
            row = following
    return row[len(tokens)]


def _keep(row: dict[int, Alignment], position: int, found: Alignment) -> None:
    if position not in row or found.cost < row[position].cost:
        row[position] = found


def _steps_inside(tokens: Row, start: int, here: Alignment) -> Steps:
    """Leave out words that mean nothing, or one that does not belong here."""
    if start == len(tokens):
        return
    for end in skip_fillers(tokens, start)[1:]:
        yield end, here
    given = tokens[start].text
    yield start + 1, _faulty(here, Fault("word", partial(_out_of_place, given)))


def _steps_past(element: Element, tokens: Row, start: int, here: Alignment, style: Style) -> Steps:
    """Take the element as it stands, in a wrong form, or as missing."""
    match element:
        case Colon():
            yield start, here
            yield from ((end, here._replace(evidence=here.evidence + 1)) for end in element.at(tokens, start))
        case Wording():
            if element.optional:
                yield start, here
            else:
                yield start, _faulty(here, Fault("wording", partial(_wording_missing, element)))
            for end in element.at(tokens, start):
                flag = ((element.flag, True),) if element.flag else ()
                leads = here.keyword or (element.leads and start == 0)
                yield end, here._replace(evidence=here.evidence + 1, bound=here.bound + flag, keyword=leads)
        case Slot():
            yield from _steps_past_slot(element, tokens, start, here, style)


def _steps_past_slot(slot: Slot, tokens: Row, start: int, here: Alignment, style: Style) -> Steps:
    missing = partial(_slot_missing, here.kind, slot.field)
    yield start, _faulty(here, Fault("missing", missing, slot.field))
    if start == len(tokens):
        return
    numeric = slot.names is None
    for end, value in slot.at(tokens, start, style):
        bound = (*here.bound, (slot.field, value))
        odd = 2 * (numeric and not slot.many and not slot.least <= value <= slot.most) + bool(here.faults)
        found = here._replace(bound=bound, numbers=here.numbers + numeric, odd=here.odd + odd)
        yield end, found._replace(evidence=here.evidence + 1)
    if slot.names is not None:
        yield from _wrong_names(slot.names, slot, tokens, start, here)
        if slot.elsewhere is not None:
            yield from _names_elsewhere(slot.names, slot.elsewhere, slot, tokens, start, here)
        return
    wrong = no_number_at(tokens, start, style)
    if wrong is not None:
        end, reason = wrong
        digits = any(token.kind == "number" for token in tokens[start:end])
        found = _faulty(here, Fault("number", lambda: reason, slot.field))
        yield end, found._replace(evidence=found.evidence + digits, numbers=found.numbers + 1)


def _wrong_names(names: Names, slot: Slot, tokens: Row, start: int, here: Alignment) -> Steps:
    unclear = slot.unclear(tokens, start)
    if unclear is not None:
        given = _typed(tokens, start, unclear.end)
        found = _faulty(here, Fault("unclear", partial(_unclear, given, unclear.values, names), slot.field))
        yield unclear.end, found._replace(evidence=found.evidence + 1)
    for end in range(start + 1, min(len(tokens), start + names.longest) + 1):
        if tokens[end - 1].kind == "number" or tokens[end - 1].text in (":", "=", "?"):
            return
        given = _typed(tokens, start, end)
        if end == start + 1:
            is_name = tokens[start].kind == "word" and len(skip_fillers(tokens, start)) == 1
        else:
            key = id(names), start, end
            if key not in tokens.found:
                tokens.found[key] = names.nearest(given)
            is_name = tokens.found[key] is not None
        if is_name:
            yield end, _faulty(here, Fault("unknown", partial(_unknown, given, names), slot.field))


def _names_elsewhere(names: Names, elsewhere: Names, slot: Slot, tokens: Row, start: int, here: Alignment) -> Steps:
    """Something that there is in the game, but that cannot be chosen now."""
    for fit in elsewhere.at(tokens, start):
        if len(fit.values) == 1:
            said = partial(_not_now, here.kind, fit.values[0], elsewhere, names)
            found = _faulty(here, Fault("elsewhere", said, slot.field))
            yield fit.end, found._replace(evidence=found.evidence + fit.end - start)


def _out_of_place(given: str) -> Text:
    return Text.of("“{given}” cannot be read here.", given=given)


def _wording_missing(wording: Wording) -> Text:
    return Text.of("“{word}” is missing.", word=wording.raw.split("|")[0])


def _slot_missing(kind: type[Order], name: str) -> Text:
    label: Words = kind.labels.get(name, name)
    return Text.of("{label} is missing.", label=label)


def _unclear(given: str, values: Iterable[str], names: Names) -> Text:
    choices = Listing([named(names, value) for value in values])
    return Text.of("“{given}” is not clear; it can mean {choices}.", given=given, choices=choices)


def _unknown(given: str, names: Names) -> Text:
    choices = Listing([named(names, choice.value) for choice in names.choices[:12]])
    near = names.nearest(given)
    if near is None:
        return Text.of("“{given}” is not known here; possible: {choices}.", given=given, choices=choices)
    sentence = Text.of("“{given}” is not known here; the nearest is {nearest}; possible: {choices}.")
    return sentence.model_copy(update={"values": {"given": given, "nearest": named(names, near), "choices": choices}})


def _not_now(kind: type[Order], value: str, elsewhere: Names, names: Names) -> Text:
    choices = Listing([named(names, choice.value) for choice in names.choices[:12]] or ["–"])
    name = named(elsewhere, value)
    return Text.of(
        "“{order}” is not possible with {name} now; possible: {choices}.", order=kind.title, name=name, choices=choices
    )


def named(names: Names, value: str) -> Value:
    """A value with its title, where that says more: `A (Apples)`; else the title alone, in the reader's language."""
    title = next((choice.title for choice in names.choices if choice.value == value), value)
    if spoken(title).casefold() == value.casefold():
        return title
    return Text.of("{value} ({title})", value=value, title=title)


def _typed(tokens: Row, start: int, end: int) -> str:
    return "".join(" " * bool(token.space and n) + token.text for n, token in enumerate(tokens[start:end]))


def _faulty(here: Alignment, fault: Fault) -> Alignment:
    return here._replace(faults=(*here.faults, fault))
