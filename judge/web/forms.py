"""The order form: the paper tally sheet of what a seat is asked.

The form has a sheet for each part of the `Ask`.  A kind of order about one of several things (three grades, six
markets) is a *tally*: a row for each thing, a column for each number, as on the printed sheet.  Any other kind is a
list of *lines*, with always one more than is filled.  Everything on the form comes from the `Ask` and the order models;
what was typed is kept as it is, so that a refused form comes back with nothing lost and each problem beside its field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from judge.core.orders import Ask, Choice, Fact, Order, Part, Problem, Section, kind_of
from judge.core.text import Text, Words
from judge.web.fields import Field, fields

Typed = Mapping[str, Sequence[str]]
"""What stands in each input, by its name in the form."""

MOST_LINES = 60
GIVEN = "given"
"""The switch of a line that can stand without anything else filled in."""


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
    facts: tuple[Fact, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What is wrong with the line as a whole."""

    @property
    def filled(self) -> bool:
        return any(any(text.strip() for text in cell.typed) for cell in self.cells)

    @property
    def wrong(self) -> bool:
        return bool(self.problems or any(cell.problems for cell in self.cells))


@dataclass(frozen=True)
class Sheet:
    """All rows of one part of the form."""

    key: str
    part: Part
    shape: Literal["tally", "lines"]
    columns: tuple[Field, ...]
    rows: tuple[Row, ...]
    subject_field: str | None = None
    grows: bool = False
    """Whether a free line follows whenever all are filled."""
    explained: bool = False
    """Whether a sheet of the same kind stands before it, and says what the kind is about."""

    @property
    def kind(self) -> type[Order]:
        return self.part.kind

    @property
    def title(self) -> Text:
        return self.part.title or self.kind.title

    @property
    def about(self) -> Text | None:
        return None if self.explained else self.kind.notation.about

    @property
    def subject(self) -> Words | None:
        """What the first column of a tally is called."""
        name = self.subject_field
        return self.kind.labels.get(name, name) if name else None


@dataclass(frozen=True)
class FormSection:
    """Sheets under one heading, or under none."""

    section: Section | None
    sheets: tuple[Sheet, ...]

    @property
    def open(self) -> bool:
        """Whether its sheets show at once: a folded section opens for what stands in it, or is wrong there."""
        rows = [row for sheet in self.sheets for row in sheet.rows]
        return self.section is None or not self.section.folded or any(row.filled or row.wrong for row in rows)


@dataclass(frozen=True)
class OrderForm:
    """All sheets of a seat in this turn, and what is wrong with the set as a whole."""

    sheets: tuple[Sheet, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def sections(self) -> list[FormSection]:
        """The sheets under their headings; folded ones come last."""
        headings = dict.fromkeys(sheet.part.section for sheet in self.sheets)
        known: set[type[Order]] = set()
        found = []
        for heading in sorted(headings, key=lambda section: section is not None and section.folded):
            under = [sheet for sheet in self.sheets if sheet.part.section == heading]
            found.append(FormSection(heading, tuple(replace(sheet, explained=sheet.kind in known) for sheet in under)))
            known |= {sheet.kind for sheet in under}
        return found

    @property
    def later(self) -> tuple[Section, ...]:
        """The headings for later turns under which nothing stands."""
        headings = (group.section for group in self.sections if not group.open)
        return tuple(section for section in headings if section is not None and section.later)

    def without(self, sections: Collection[Section]) -> OrderForm:
        """The form without the sheets under these headings."""
        return replace(self, sheets=tuple(sheet for sheet in self.sheets if sheet.part.section not in sections))


def order_form(ask: Ask, typed: Typed, problems: Iterable[Problem] = ()) -> OrderForm:
    """The form with what was typed, and with the problems of the orders that `read_form` made of it."""
    told = list(problems)
    keys = [key for key, _ in _filled(ask, typed)]
    by_row: dict[str, list[Problem]] = {}
    for problem in told:
        if problem.line is not None and 1 <= problem.line <= len(keys):
            by_row.setdefault(keys[problem.line - 1], []).append(problem)
    placed = [problem for row in by_row.values() for problem in row]
    sheets = tuple(_sheet(form_part, typed, by_row) for form_part in _form_parts(ask, typed))
    return OrderForm(sheets, tuple(problem for problem in told if problem not in placed))


def read_form(ask: Ask, typed: Typed) -> list[dict[str, Any]]:
    """The orders as JSON, one for each row in which something stands, in the order of the parts."""
    return [order for _, order in _filled(ask, typed)]


def typed_orders(ask: Ask, orders: Iterable[Order]) -> dict[str, list[str]]:
    """What stands in the form for a set of orders: each in the first part that it fits into."""
    typed: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    parts = [*_parts(ask, ask.parts or map(Part, ask.kinds)), *_others(ask)]
    for order in orders:
        part = next((part for part in parts if part.takes(order)), None)
        if part is None:
            continue
        if part.subject is None:
            row = f"{part.key}.{lines.setdefault(part.key, 0)}"
            lines[part.key] += 1
        else:
            row = f"{part.key}.{getattr(order, part.subject)}"
        data = order.model_dump(mode="json") | {GIVEN: True}
        typed |= {f"{row}.{field.name}": field.typed(data[field.name]) for field in part.columns}
    return typed


@dataclass(frozen=True)
class _FormPart:
    """A part with everything that follows from the Ask for it."""

    key: str
    part: Part
    choices: Mapping[str, tuple[Choice, ...]]
    facts: Mapping[str, Sequence[Fact]]
    subject: str | None
    """The field that gives a tally its rows; None if the part is written in lines."""
    columns: tuple[Field, ...]
    most: int | None
    """How many lines can be given; None if there is no bound."""

    def takes(self, order: Order) -> bool:
        """Whether a line can stand in this part as it is."""
        if type(order) is not self.part.kind:
            return False
        if any(getattr(order, name) != value for name, value in self.part.given.items()):
            return False
        for name, choices in self.choices.items():
            value = getattr(order, name)
            for one in value if isinstance(value, tuple) else (value,):
                if name not in self.part.given and one is not None and one not in [c.value for c in choices]:
                    return False
        return True

    def rows(self, typed: Typed) -> list[tuple[str, Choice | None]]:
        """The keys of the rows: one a choice in a tally; else as many as can be given, or one more than in use."""
        if self.subject is not None:
            return [(f"{self.key}.{choice.value}", choice) for choice in self.choices[self.subject]]
        names = [field.name for field in self.columns]
        used = [n for n in range(MOST_LINES) if any(any(typed.get(f"{self.key}.{n}.{name}", ())) for name in names)]
        in_use = max(used, default=-1) + 1
        at_once = max(self.most or in_use + 1, self.part.lines, in_use)
        return [(f"{self.key}.{n}", None) for n in range(min(MOST_LINES, at_once))]


def _form_parts(ask: Ask, typed: Typed) -> list[_FormPart]:
    """The parts that are shown: those of the Ask, and for lines that none of them can hold one of their kind."""
    others = [part for part in _others(ask) if any(name.startswith(f"{part.key}.") for name in typed)]
    return [*_parts(ask, ask.parts or map(Part, ask.kinds)), *others]


def _parts(ask: Ask, parts: Iterable[Part]) -> Iterator[_FormPart]:
    """Keys are the word for the kind, with what is given; "sell", "sell-after"."""
    for part in parts:
        given = [name if value is True else str(value) for name, value in part.given.items() if value]
        yield _form_part(ask, part, "-".join((kind_of(part.kind), *given)))


def _others(ask: Ask) -> Iterator[_FormPart]:
    """A part for each kind of a form that shows its lines in parts, with all that can be written."""
    for kind in ask.kinds if ask.parts else ():
        yield _form_part(ask, Part(kind), f"{kind_of(kind)}-other")


def _form_part(ask: Ask, part: Part, key: str) -> _FormPart:
    kind = part.kind
    facts = ask.facts if part.facts is None else part.facts
    named = {name: ask.choices_for(kind, name) for name in kind.model_fields}
    inputs = []
    found = fields(kind, {name: choices for name, choices in named.items() if choices is not None})
    for one in sorted(found, key=lambda field: list(kind.labels).index(field.name) if field.name in kind.labels else 0):
        offered = part.offered.get(one.name)
        choices = one.choices if offered is None else tuple(c for c in one.choices if c.value in offered)
        inputs.append(replace(one, choices=choices, facts=facts if choices else {}))
    subject = None if part.in_order else _tally_subject(kind, inputs)
    columns = tuple(field for field in inputs if field.name not in (subject, *part.given))
    if not any(field.required for field in columns):
        columns = (Field(GIVEN, part.title or kind.title, "switch", required=False), *columns)
    return _FormPart(
        key=key,
        part=part,
        choices={field.name: field.choices for field in inputs if field.control in ("choice", "row")},
        facts=facts,
        subject=subject,
        columns=columns,
        most=_lines_at_once(kind, ask, len(columns)) if subject is None else None,
    )


def _tally_subject(kind: type[Order], inputs: Sequence[Field]) -> str | None:
    """The field that gives a tally its rows; None if this kind is written in lines."""
    if len(kind.subject) != 1 or len(inputs) < 2:
        return None
    return next((field.name for field in inputs if field.name == kind.subject[0] and field.choices), None)


def _lines_at_once(kind: type[Order], ask: Ask, columns: int) -> int | None:
    """How many lines of a kind stand on the form from the beginning; None if they grow one by one.

    A set that counts may end the turn, so what belongs together must fit into it at once.
    """
    if not set(kind.model_fields) - {"kind"} or (kind.standing and not kind.subject):  # a new line replaces the others
        return 1
    word = kind_of(kind)
    bounds = [
        limit.at_most
        for limit in ask.limits
        if not limit.of and limit.by is None and limit.weights is None and word in (limit.kinds or (word,))
    ]
    return min(bounds) if bounds and columns > 1 else None


def _filled(ask: Ask, typed: Typed) -> list[tuple[str, dict[str, Any]]]:
    """The rows with something in them: each row's key and its order as JSON."""
    found = []
    for part in _form_parts(ask, typed):
        for key, choice in part.rows(typed):
            read = {field.name: field.read(typed.get(f"{key}.{field.name}", ())) for field in part.columns}
            if all(value is None or value is False for value in read.values()):
                continue
            order = {"kind": kind_of(part.part.kind), **part.part.given}
            if part.subject is not None and choice is not None:
                order[part.subject] = choice.value
            order |= read
            order.pop(GIVEN, None)
            found.append((key, {name: value for name, value in order.items() if value is not None}))
    return found


def _sheet(form_part: _FormPart, typed: Typed, problems: Mapping[str, list[Problem]]) -> Sheet:
    names = {field.name for field in form_part.columns}
    rows = []
    for key, choice in form_part.rows(typed):
        of_row = problems.get(key, [])
        cells = tuple(
            Cell(
                key=f"{key}.{field.name}",
                field=field,
                typed=tuple(typed.get(f"{key}.{field.name}", ())),
                problems=tuple(problem for problem in of_row if problem.field == field.name),
            )
            for field in form_part.columns
        )
        rows.append(
            Row(
                key=key,
                cells=cells,
                subject=choice,
                facts=tuple(form_part.facts.get(choice.value, ())) if choice else (),
                problems=tuple(problem for problem in of_row if problem.field not in names),
            )
        )
    return Sheet(
        key=form_part.key,
        part=form_part.part,
        shape="lines" if form_part.subject is None else "tally",
        columns=form_part.columns,
        rows=tuple(rows),
        subject_field=form_part.subject,
        grows=form_part.subject is None and form_part.most is None,
    )
