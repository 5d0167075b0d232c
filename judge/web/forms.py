"""The order form: the paper tally sheet of what a seat is asked.

A kind of order about one of several things (three grades, six markets) is a *tally*: a row for each thing, a column for
each number, as on the printed sheet.  Any other kind is a list of *lines*, with always one more than is filled.
Everything on the form comes from the `Ask` and the order models; what was typed is kept as it is, so that a refused
form comes back with nothing lost and each problem beside its field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from judge.core.orders import Ask, Choice, Order, Problem, kind_of
from judge.core.text import Text, Value, Words
from judge.web.fields import Field, fields

Typed = Mapping[str, Sequence[str]]
"""What stands in each input, by its name in the form."""

MOST_LINES = 60


@dataclass(frozen=True)
class Cell:
    """One input with what stands in it and what is wrong with it."""

    key: str
    field: Field
    typed: tuple[str, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def value(self) -> str:
        return self.typed[0] if self.typed else ""


@dataclass(frozen=True)
class Row:
    """One line of the sheet: about `subject` in a tally, or the next free line."""

    key: str
    cells: tuple[Cell, ...]
    subject: Choice | None = None
    facts: tuple[tuple[Text, Value], ...] = ()
    problems: tuple[Problem, ...] = ()
    """What is wrong with the line as a whole."""


@dataclass(frozen=True)
class Sheet:
    """All rows for one kind of order."""

    kind: str
    shape: Literal["tally", "lines"]
    title: Text
    about: Text | None
    columns: tuple[Field, ...]
    rows: tuple[Row, ...]
    subject: Words | None = None
    """What the first column of a tally is called."""


@dataclass(frozen=True)
class OrderForm:
    """All sheets of a seat in this turn, and what is wrong with the set as a whole."""

    sheets: tuple[Sheet, ...]
    problems: tuple[Problem, ...] = ()


def order_form(ask: Ask, typed: Typed, problems: Iterable[Problem] = ()) -> OrderForm:
    """The form with what was typed, and with the problems of the orders that `read_form` made of it."""
    told = list(problems)
    keys = [key for key, _ in _filled(ask, typed)]
    by_row: dict[str, list[Problem]] = {}
    for problem in told:
        if problem.line is not None and 1 <= problem.line <= len(keys):
            by_row.setdefault(keys[problem.line - 1], []).append(problem)
    placed = [problem for row in by_row.values() for problem in row]
    sheets = tuple(_sheet(kind, ask, typed, by_row) for kind in ask.kinds)
    return OrderForm(sheets, tuple(problem for problem in told if problem not in placed))


def read_form(ask: Ask, typed: Typed) -> list[dict[str, Any]]:
    """The orders as JSON, one for each row in which something stands, in the order of the sheet."""
    return [order for _, order in _filled(ask, typed)]


def typed_orders(ask: Ask, orders: Iterable[Order]) -> dict[str, list[str]]:
    """What stands in the form for a set of orders."""
    typed: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    for order in orders:
        kind = type(order)
        if kind not in ask.kinds:
            continue
        word = kind_of(kind)
        subject = tally_subject(kind, ask)
        if subject is None:
            row = f"{word}.{lines.setdefault(word, 0)}"
            lines[word] += 1
        else:
            row = f"{word}.{getattr(order, subject)}"
        data = order.model_dump(mode="json")
        columns = _columns(kind, ask)
        typed |= {f"{row}.{field.name}": field.typed(data[field.name]) for field in columns}
        if not columns:
            typed[f"{row}.given"] = ["on"]
    return typed


def tally_subject(kind: type[Order], ask: Ask) -> str | None:
    """The field that gives a tally its rows; None if this kind is written in lines."""
    if len(kind.subject) != 1:
        return None
    (name,) = kind.subject
    others = [field for field in fields(kind) if field.name != name]
    return name if _choices(kind, ask).get(name) and others else None


def _filled(ask: Ask, typed: Typed) -> list[tuple[str, dict[str, Any]]]:
    """The rows with something in them: each row's key and its order as JSON."""
    found = []
    for kind in ask.kinds:
        subject = tally_subject(kind, ask)
        columns = _columns(kind, ask)
        for key, choice in _rows(kind, ask, typed):
            if not columns:
                if typed.get(f"{key}.given"):
                    found.append((key, {"kind": kind_of(kind)}))
                continue
            read = {field: field.read(typed.get(f"{key}.{field.name}", ())) for field in columns}
            if all(value is None or value is False for value in read.values()):
                continue
            order: dict[str, Any] = {"kind": kind_of(kind)}
            if subject is not None and choice is not None:
                order[subject] = choice.value
            order |= {field.name: value for field, value in read.items() if value is not None}
            found.append((key, order))
    return found


def _sheet(kind: type[Order], ask: Ask, typed: Typed, problems: Mapping[str, list[Problem]]) -> Sheet:
    subject = tally_subject(kind, ask)
    columns = _columns(kind, ask)
    names = {field.name for field in columns}
    rows = []
    for key, choice in _rows(kind, ask, typed):
        of_row = problems.get(key, [])
        cells = tuple(
            Cell(
                key=f"{key}.{field.name}",
                field=field,
                typed=tuple(typed.get(f"{key}.{field.name}", ())),
                problems=tuple(problem for problem in of_row if problem.field == field.name),
            )
            for field in columns
        )
        if not columns:
            switch = Field("given", kind.title, "switch", required=False)
            cells = (Cell(f"{key}.given", switch, tuple(typed.get(f"{key}.given", ()))),)
        rows.append(
            Row(
                key=key,
                cells=cells,
                subject=choice,
                facts=ask.facts.get(choice.value, ()) if choice else (),
                problems=tuple(problem for problem in of_row if problem.field not in names),
            )
        )
    return Sheet(
        kind=kind_of(kind),
        shape="lines" if subject is None else "tally",
        title=kind.title,
        about=kind.notation.about,
        columns=tuple(columns),
        rows=tuple(rows),
        subject=kind.labels.get(subject, subject) if subject else None,
    )


def _rows(kind: type[Order], ask: Ask, typed: Typed) -> list[tuple[str, Choice | None]]:
    """The keys of a sheet's rows: one a choice in a tally; else as many as can be given, or one more than in use."""
    word = kind_of(kind)
    subject = tally_subject(kind, ask)
    if subject is not None:
        return [(f"{word}.{choice.value}", choice) for choice in _choices(kind, ask)[subject]]
    if not _columns(kind, ask):
        return [(f"{word}.0", None)]
    names = [field.name for field in _columns(kind, ask)]
    used = [n for n in range(MOST_LINES) if any(any(typed.get(f"{word}.{n}.{name}", ())) for name in names)]
    rows = max(_lines_at_once(kind, ask, len(names)) or max(used, default=-1) + 2, max(used, default=-1) + 1)
    return [(f"{word}.{n}", None) for n in range(min(MOST_LINES, rows))]


def _lines_at_once(kind: type[Order], ask: Ask, columns: int) -> int | None:
    """How many lines of a kind stand on the form from the beginning; None if they grow one by one.

    A set that counts may end the turn, so what belongs together must fit into it at once.
    """
    if kind.standing and not kind.subject:  # a new line replaces every other one of its kind
        return 1
    word = kind_of(kind)
    bounds = [
        limit.at_most
        for limit in ask.limits
        if not limit.of and limit.by is None and limit.weights is None and word in (limit.kinds or (word,))
    ]
    return min(bounds) if bounds and columns > 1 else None


def _columns(kind: type[Order], ask: Ask) -> list[Field]:
    subject = tally_subject(kind, ask)
    others = [field for field in fields(kind, _choices(kind, ask)) if field.name != subject]
    return [replace(field, facts=ask.facts) if field.choices else field for field in others]


def _choices(kind: type[Order], ask: Ask) -> dict[str, tuple[Choice, ...]]:
    named = {name: ask.choices_for(kind, name) for name in kind.model_fields}
    return {name: choices for name, choices in named.items() if choices is not None}
