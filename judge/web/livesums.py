"""What the order page's script needs to do the sums while a form is filled in, as JSON in the reader's language.

The sentences are the rules' own, translated, with those gaps left open that only the filled-in form can fill.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from judge.core.lines import write_value
from judge.core.orders import Ask, Order, kind_of
from judge.core.sums import Count, Ladder, Limit, Minimum, Total
from judge.core.text import Money, Text
from judge.language import Voice
from judge.web.forms import OrderForm, Sheet


def live_sums(ask: Ask, form: OrderForm, voice: Voice, language: str, kept: Iterable[Order] = ()) -> dict[str, Any]:
    """Sheets, limits, minimums and totals; order lines are written in `language`, the game's.

    What many sheets have in common is told once: `lines` are the notations of the kinds, `written` the names of values.
    Lines `kept` of earlier turns count in the sums as well, unless what is filled in ends them.
    """
    written: dict[str, str] = {}
    return {
        "sheets": [_sheet(sheet, ask, language, written) for sheet in form.sheets],
        "lines": {kind_of(sheet.kind): sheet.kind.notation.write[language] for sheet in form.sheets},
        "written": written,
        "kept": [_kept(line, form) for line in kept],
        "limits": [_limit(limit, voice) for limit in ask.limits],
        "minimums": [_minimum(minimum, ask.kinds, voice) for minimum in ask.minimums],
        "totals": [_total(number, total) for number, total in enumerate(ask.totals)],
        "least": _with_gaps(Text.of("from {least}"), ("least",), voice),
        "room": _with_gaps(Text.of("{room} left"), ("room",), voice),
        "money": voice.say(Money(0)).replace("0", "{amount}"),
        "below": voice.say(Money(-1)).replace("1", "{amount}"),
        "pass": {"en": "pass", "de": "passe"}.get(language, "pass"),
    }


def _sheet(sheet: Sheet, ask: Ask, language: str, shared: dict[str, str]) -> dict[str, Any]:
    """`written` of a sheet holds each field whose values have names, with those names that are not the shared ones."""
    kind, subject = sheet.kind, sheet.subject_field
    rows = [(row.key, {subject: row.subject.value} if subject and row.subject else {}) for row in sheet.rows]
    named = {column.name: [choice.value for choice in column.choices] for column in sheet.columns if column.choices}
    named |= {name: [value] for name, value in sheet.part.given.items() if isinstance(value, str)}
    if subject:
        named[subject] = [row.subject.value for row in sheet.rows if row.subject]
    told = {
        "key": sheet.key,
        "kind": kind_of(kind),
        "columns": [(column.name, column.control) for column in sheet.columns],
        "required": [column.name for column in sheet.columns if column.required],
        "subject": list(kind.subject),
        "defaults": _defaults(kind),
        "written": {
            name: {
                value: words
                for value in values
                if shared.setdefault(value, words := write_value(kind, name, value, ask, language)) != words
            }
            for name, values in named.items()
        },
        "rows": [{"key": key, "values": {**sheet.part.given, **values}} for key, values in rows],
    }
    return {name: value for name, value in told.items() if value}


def _kept(line: Order, form: OrderForm) -> dict[str, Any]:
    """A line of earlier turns, with which lines of the form end it: of these sheets, if fields hold such values."""
    kind = type(line)
    ends = {sheet.key: _ends(line, sheet) for sheet in form.sheets}
    return {
        "kind": line.kind,
        "values": line.model_dump(mode="json", exclude={"kind"}),
        "subject": " ".join(str(getattr(line, name)) for name in kind.subject),
        "defaults": _defaults(kind),
        "ends": {key: where for key, where in ends.items() if where is not None},
    }


def _ends(line: Order, sheet: Sheet) -> dict[str, list[str | bool]] | None:
    """Which values let a line of this sheet end a kept one; None if none do, nothing named if all do."""
    kind = sheet.kind
    told = dict(line) if isinstance(line, kind) else dict.fromkeys(kind.model_fields)
    like = kind.model_construct(**told | {"kind": kind_of(kind)} | dict(sheet.part.given))
    fields: dict[str, Sequence[str | bool]] = {
        column.name: (True, False) if column.control == "switch" else [choice.value for choice in column.choices]
        for column in sheet.columns
        if column.control in ("switch", "choice") and column.name in kind.model_fields
    }
    if sheet.subject_field:
        fields[sheet.subject_field] = [row.subject.value for row in sheet.rows if row.subject]
    found: dict[str, list[str | bool]] = {}
    for name, values in fields.items():
        ending = [value for value in values if like.model_copy(update={name: value}).replaces(line)]
        if len(ending) < len(values):
            found[name] = ending
    return found if like.replaces(line) or any(found.values()) else None


def _defaults(kind: type[Order]) -> dict[str, int]:
    return {name: number for name in kind.model_fields if (number := _number(kind, name)) is not None}


def _number(kind: type[Order], name: str) -> int | None:
    """What a number is where nothing is typed."""
    default = kind.model_fields[name].default
    return default if isinstance(default, int) and not isinstance(default, bool) else None


def _count(counted: Count) -> dict[str, Any]:
    """What the script takes for granted is left out."""
    told = {
        "of": [names.split("|") for names in counted.of],
        "weights": None if counted.weights is None else dict(counted.weights),
        "kinds": None if counted.kinds is None else list(counted.kinds),
        "by": counted.by,
        "where": dict(counted.where),
        "dearest": counted.dearest,
        "times": counted.times,
        "also": [_ladder(more) if isinstance(more, Ladder) else _count(more) for more in counted.also],
    }
    usual: dict[str, Any] = {"of": [], "where": {}, "dearest": False, "times": 1, "also": []}
    return {name: value for name, value in told.items() if value != usual.get(name)}


def _ladder(ladder: Ladder) -> dict[str, Any]:
    return {
        "kinds": list(ladder.kinds),
        "by": ladder.by,
        "of": ladder.of,
        "steps": {value: list(prices) for value, prices in ladder.steps.items()},
        "up_to": ladder.up_to,
    }


def _limit(limit: Limit, voice: Voice) -> dict[str, Any]:
    return {
        **_count(limit),
        "at_most": limit.at_most,
        "says": _with_gaps(limit.says, ("counted", "over"), voice),
        "warning": limit.warning,
    }


def _minimum(minimum: Minimum, kinds: Iterable[type[Order]], voice: Voice) -> dict[str, Any]:
    names = {name for kind in kinds for name in kind.model_fields}
    return {
        "subject": minimum.subject,
        "field": minimum.field,
        "base": minimum.base,
        "per": dict(minimum.per),
        "floor": minimum.floor,
        "says": _with_gaps(minimum.says, ("least", *(names - set(minimum.says.values))), voice),
    }


def _total(number: int, total: Total) -> dict[str, Any]:
    return {
        **_count(total),
        "id": f"total.{number}",
        "start": total.start,
        "sign": total.sign,
        "least": total.least,
        "most": total.most,
        "money": total.money,
    }


def _with_gaps(text: Text, names: Iterable[str], voice: Voice) -> str:
    """The sentence with its own values said and the named gaps left open."""
    return voice.say(text.model_copy(update={"values": {**text.values, **{name: f"{{{name}}}" for name in names}}}))
