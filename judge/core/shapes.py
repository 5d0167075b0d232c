"""The small language in which a kind of order says how its line looks (see `Notation`).

A template is compiled to elements for reading and stays text for writing.  Reading follows every path at once, so its
time grows with the length of the line and never with the number of ways to read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from judge.core.names import AnyName, Fit, Names
from judge.core.numerals import LONGEST, Style, number_lists_at, numbers_at
from judge.core.orders import Ask, Choice, Order
from judge.core.tokens import Row, keys

_LEXEME = re.compile(
    r"""\{(?P<slot>\w+)\} | \{(?P<flag>\w+)=(?P<words>[^}]*)\} | \((?P<choice>[^)]*)\)
    | (?P<mark>[\[\]]) | (?P<space>\s+) | (?P<word>[^\s\[\]{}()]+)""",
    re.VERBOSE,
)

_FILLER_TEXTS = """Stück; Stücke; Stk; Stk.; St.; Einheit; Einheiten; mal; x; je; jeweils; pro Stück; pro Einheit;
das Stück; /Stück; /Stk; unit; units; piece; pieces; pcs; pcs.; each; apiece; ea; per unit; per piece; a piece; /unit;
/piece; of; von; bitte; please; $; €; £; Dollar; Dollars; Euro; Euros; EUR; USD; GBP; ,-; ,--; .-; .--; Crown; Crowns;
Cr; Cr.; Krone; Kronen; Kr; Kr."""
_FILLERS = frozenset(keys(text) for text in _FILLER_TEXTS.split(";"))
"""Words and signs that mean nothing in an order and may stand between its parts: piece words and currencies."""

_FILLER_STARTS = frozenset(filler[0] for filler in _FILLERS)
_LONGEST_FILLER = max(map(len, _FILLERS))
_LIST_MARKS = frozenset((",", "&", "und", "and"))
_LONGEST_LIST = 60


@dataclass(frozen=True)
class Wording:
    """Words of which one must stand here, or may; with `flag` they set a field to true."""

    options: tuple[tuple[str, ...], ...]
    raw: str
    optional: bool = False
    flag: str | None = None
    leads: bool = False
    """The line may begin with it: a colon may follow."""

    @cached_property
    def _starts(self) -> frozenset[str]:
        return frozenset(option[0] for option in self.options)

    def at(self, tokens: Row, start: int) -> Iterator[int]:
        if start >= len(tokens) or tokens[start].key not in self._starts:
            return
        for option in self.options:
            end = start + len(option)
            if tuple(token.key for token in tokens[start:end]) == option:
                yield end
                if self.leads and end < len(tokens) and tokens[end].text == ":":
                    yield end + 1


@dataclass(frozen=True)
class Colon:
    """A colon, an equals sign or a dash between blanks; or nothing."""

    def at(self, tokens: Row, start: int) -> Iterator[int]:
        if start >= len(tokens):
            return
        is_dash = tokens[start].text == "-" and tokens[start].space > 0
        if tokens[start].text in (":", "=") or (is_dash and start + 1 < len(tokens) and tokens[start + 1].space > 0):
            yield start + 1


@dataclass(frozen=True)
class Slot:
    """The place of a field: a number or a name, or (`many`) a list of them."""

    field: str
    names: Names | None
    many: bool = False
    least: int = 0
    most: int = 10**LONGEST - 1
    """The bounds of a number; one outside them is read all the same, and refused with them."""
    elsewhere: Names | None = None
    """What the game knows besides, and what cannot be chosen now."""

    def at(self, tokens: Row, start: int, style: Style) -> Sequence[tuple[int, Any]]:
        """Every (end, value) that the slot may hold from `start`; looked up once for each place of a row."""
        key = id(self), start
        if key not in tokens.found:
            if self.many:
                tokens.found[key] = list(self._rows(tokens, start, style))
            else:
                tokens.found[key] = [(end, values[0]) for end, values in self._items(tokens, start, style)]
        found: list[tuple[int, Any]] = tokens.found[key]
        return found

    def _rows(self, tokens: Row, start: int, style: Style) -> Iterator[tuple[int, Any]]:
        rows: list[tuple[int, tuple[Any, ...]]] = [(start, ())]
        while rows:
            further: dict[tuple[int, tuple[Any, ...]], None] = {}
            for position, row in rows:
                begin = position + bool(row and position < len(tokens) and tokens[position].key in _LIST_MARKS)
                if row and begin == position:
                    continue
                for end, items in self._items(tokens, begin, style):
                    if len(row) + len(items) <= _LONGEST_LIST:
                        yield end, row + items
                        further[end, row + items] = None
            rows = list(further)

    def _items(self, tokens: Row, start: int, style: Style) -> Iterator[tuple[int, tuple[Any, ...]]]:
        if self.names is not None:
            yield from ((fit.end, fit.values) for fit in self.names.at(tokens, start) if len(fit.values) == 1)
        elif self.many:
            yield from number_lists_at(tokens, start, style)
        else:
            yield from ((end, (value,)) for end, value in numbers_at(tokens, start, style))

    def unclear(self, tokens: Row, start: int) -> Fit | None:
        """An abbreviation at `start` that fits several names."""
        fits = self.names.at(tokens, start) if self.names is not None else ()
        return next((fit for fit in fits if len(fit.values) > 1), None)


Element = Wording | Colon | Slot
Fields = tuple[tuple[str, Any], ...]
"""The fields that were read, in the order of the line."""
Named = tuple[Choice, ...] | None
"""What a field may hold; None if it is free."""
Choices = tuple[tuple[str, Named, tuple[Choice, ...]], ...]
"""That of every field of a kind of order, and what cannot be chosen now."""


@dataclass(frozen=True)
class Shape:
    """One way in which a line of this kind may look."""

    kind: type[Order]
    elements: tuple[Element, ...]
    flags: frozenset[str] = frozenset()

    @cached_property
    def keyword(self) -> Wording | None:
        """The words of which one must begin the line, if there are any: the first that has to stand, or any before."""
        options: tuple[tuple[str, ...], ...] = ()
        for element in self.elements:
            if isinstance(element, Colon) and options:
                continue
            if not isinstance(element, Wording):
                return None
            options += element.options
            if not element.optional:
                return replace(element, options=options)
        return None

    @property
    def has_number(self) -> bool:
        """Whether a number must stand in the line."""
        return any(isinstance(element, Slot) and element.names is None for element in self.elements)

    def at(self, tokens: Row, start: int, style: Style) -> dict[tuple[int, Fields], None]:
        """Every way to read the shape from `start`: (end, the fields), without what stands after it."""
        states: dict[tuple[int, Fields], None] = {(start, ()): None}
        for element in self.elements:
            following: dict[tuple[int, Fields], None] = {}
            for position, bound in states:
                if isinstance(element, Colon) or (isinstance(element, Wording) and element.optional):
                    following[position, bound] = None
                for begin in skip_fillers(tokens, position) if position > start else (position,):
                    for end, fields in _read(element, tokens, begin, style):
                        following[end, bound + fields] = None
            if not following:
                return following
            states = following
        return {(end, bound): None for position, bound in states for end in skip_fillers(tokens, position)}


def _read(element: Element, tokens: Row, start: int, style: Style) -> Iterator[tuple[int, Fields]]:
    if isinstance(element, Slot):
        yield from ((end, ((element.field, value),)) for end, value in element.at(tokens, start, style))
    else:
        flag = element.flag if isinstance(element, Wording) else None
        yield from ((end, ((flag, True),) if flag else ()) for end in element.at(tokens, start))


def skip_fillers(tokens: Row, start: int) -> list[int]:
    """Where one may be after leaving out none, one or more of the words that mean nothing."""
    reached = [start]
    for position in reached:
        if position >= len(tokens) or tokens[position].key not in _FILLER_STARTS or len(reached) > 12:
            continue
        for end in range(position + 1, min(len(tokens), position + _LONGEST_FILLER) + 1):
            if tuple(token.key for token in tokens[position:end]) in _FILLERS and end not in reached:
                reached.append(end)
    return reached


@dataclass(frozen=True)
class _Group:
    items: tuple[Any, ...] = field(default=())


@lru_cache(maxsize=512)
def _items(template: str) -> tuple[Any, ...]:
    """The template as a tree: Wording, Colon, blanks (str), field names (`_Field`), and groups that may be left out."""
    stack: list[list[Any]] = [[]]
    for match in _LEXEME.finditer(template):
        if match["mark"] == "[":
            stack.append([])
        elif match["mark"] == "]":
            inner = stack.pop()
            if not stack:
                raise ValueError(f"“{template}” closes a bracket that was never opened")
            stack[-1].append(_optional(inner))
        elif match["slot"]:
            stack[-1].append(_Field(match["slot"]))
        elif match["flag"]:
            stack[-1].append(_wording(match["words"], optional=True, flag=match["flag"]))
        elif match["space"]:
            stack[-1].append(" ")
        elif (match["word"] or "").startswith(":") and set(match["word"]) <= set(":=|"):
            stack[-1].append(Colon())
        else:
            stack[-1].append(_wording(match["choice"] or match["word"] or ""))
    if len(stack) > 1 or "".join(match.group() for match in _LEXEME.finditer(template)) != template:
        raise ValueError(f"“{template}” is no shape of an order")
    return tuple(stack[0])


@dataclass(frozen=True)
class _Field:
    name: str


def _optional(inner: list[Any]) -> Any:
    if any(isinstance(item, _Field | _Group) or (isinstance(item, Wording) and item.flag) for item in inner):
        return _Group(tuple(inner))
    raw = "".join(item if isinstance(item, str) else ":" if isinstance(item, Colon) else item.raw for item in inner)
    return _wording(raw, optional=True)


def _wording(raw: str, optional: bool = False, flag: str | None = None) -> Wording:
    options = tuple(option for option in map(keys, raw.split("|")) if option)
    if not options:
        raise ValueError(f"“{raw}” holds no word to read")
    return Wording(options, raw.strip(), optional, flag)


def shapes_of(kind: type[Order], ask: Ask, *, open_names: bool = False) -> Sequence[Shape]:
    """All shapes of a kind of order, the canonical lines among them, with the names of this position.

    With `open_names` every name that the game knows will do, or any word: for kinds that are not asked now.
    """
    choices = tuple((name, ask.choices_for(kind, name), ask.known_for(kind, name)) for name in kind.model_fields)
    return _shapes(kind, choices, open_names)


@lru_cache(maxsize=256)
def _shapes(kind: type[Order], choices: Choices, open_names: bool) -> Sequence[Shape]:
    """Every turn of every game asks about the same few names, and taking them apart costs more than reading a post."""
    named = {name: (chosen, known) for name, chosen, known in choices}
    slots: dict[str, Slot] = {}
    shapes: dict[tuple[Element, ...], Shape] = {}
    for template in (*kind.notation.write.values(), *kind.notation.read):
        for items in _flattened(_items(template)):
            elements = tuple(_element(item, kind, named, slots, open_names) for item in items)
            elements = tuple(_with_leads(elements))
            shapes.setdefault(elements, Shape(kind, elements, _flags(template)))
    return tuple(shapes.values())


def _with_leads(elements: Iterable[Element]) -> Iterator[Element]:
    """The elements, with every wording that the line may begin with marked so."""
    begun = False
    for element in elements:
        yield replace(element, leads=True) if isinstance(element, Wording) and not begun else element
        begun = begun or isinstance(element, Slot) or (isinstance(element, Wording) and not element.optional)


def _flags(template: str) -> frozenset[str]:
    return frozenset(match["flag"] for match in _LEXEME.finditer(template) if match["flag"])


def _flattened(items: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The template without groups: one row of items for each choice of the groups that stand."""
    rows: list[tuple[Any, ...]] = [()]
    for item in items:
        if isinstance(item, _Group):
            rows = [row + more for row in rows for more in [(), *_flattened(item.items)]]
        elif item != " ":
            rows = [(*row, item) for row in rows]
    return rows


def _element(
    item: Any,
    kind: type[Order],
    choices: Mapping[str, tuple[Named, tuple[Choice, ...]]],
    slots: dict[str, Slot],
    open_names: bool,
) -> Element:
    if not isinstance(item, _Field):
        element: Element = item
        return element
    if item.name not in slots:
        slots[item.name] = _slot(kind, item.name, *choices.get(item.name, (None, ())), open_names=open_names)
    return slots[item.name]


def _slot(kind: type[Order], name: str, choices: Named, known: tuple[Choice, ...], *, open_names: bool) -> Slot:
    if name not in kind.model_fields:
        raise TypeError(f"{kind.__name__} has no field {name} to stand in its notation")
    inner, many = _inner_type(kind.model_fields[name].annotation)
    if choices is None and get_origin(inner) is Literal:
        choices = tuple(Choice(str(value), str(value)) for value in get_args(inner))
    if inner is int:
        return Slot(name, None, many, *_bounds(kind.model_fields[name]))
    if open_names and not (choices := (*(choices or ()), *known)):
        return Slot(name, AnyName(()), many)
    if choices is None:
        raise TypeError(f"{kind.__name__}.{name} can be read from a post only as a number or with choices")
    return Slot(name, Names(choices), many, elsewhere=Names(known) if known else None)


def _bounds(info: FieldInfo) -> tuple[int, int]:
    least, most = 0, 10**LONGEST - 1
    for rule in info.metadata:
        least = max(least, getattr(rule, "ge", least), getattr(rule, "gt", least - 1) + 1)
        most = min(most, getattr(rule, "le", most), getattr(rule, "lt", most + 1) - 1)
    return least, most


def _inner_type(annotation: Any) -> tuple[Any, bool]:
    """The type of one item, and whether the field holds a row of them."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _inner_type(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return _inner_type(next(part for part in get_args(annotation) if part is not NoneType))
    if origin is tuple:
        return _inner_type(get_args(annotation)[0])[0], True
    return annotation, False


def slots_of(kind: type[Order], ask: Ask) -> dict[str, Slot]:
    """The slots of a kind's lines, by field."""
    elements = (element for shape in shapes_of(kind, ask) for element in shape.elements)
    return {element.field: element for element in elements if isinstance(element, Slot)}


def write_template(template: str, values: Mapping[str, Any]) -> str:
    """The template with its fields filled in; groups whose fields are empty are left out."""
    return re.sub(" {2,}", " ", _written(_items(template), values)).strip()


def _written(items: Iterable[Any], values: Mapping[str, Any]) -> str:
    text = ""
    for item in items:
        match item:
            case str():
                text += item
            case _Field(name=name):
                text += "" if values.get(name) is None else str(values[name])
            case Colon():
                text += ":"
            case Wording(flag=None, optional=False):
                text += item.raw.split("|")[0]
            case Wording(flag=str(name)) if values.get(name):
                text += item.raw.split("|")[0]
            case _Group() if not any(_is_empty(values.get(name)) for name in _fields(item)):
                text += _written(item.items, values)
    return text


def _fields(group: _Group) -> Iterator[str]:
    for item in group.items:
        if isinstance(item, _Field):
            yield item.name
        elif isinstance(item, Wording) and item.flag:
            yield item.flag


def _is_empty(value: Any) -> bool:
    return value is None or value is False or value == "" or value == ()
