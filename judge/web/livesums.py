"""What the order page's script needs to do the sums while a form is filled in, as JSON in the reader's language.

The sentences are the rules' own, translated, with those gaps left open that only the filled-in form can fill.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from judge.core.lines import write_value
from judge.core.orders import Ask, Count, Ladder, Limit, Minimum, Order, Total, kind_of
from judge.core.text import Money, Text
from judge.language import Voice
from judge.web.forms import OrderForm, Sheet


def live_sums(ask: Ask, form: OrderForm, voice: Voice, language: str) -> dict[str, Any]:
    """Sheets, limits, minimums and totals; order lines are written in `language`, the game's."""
    return {
        "sheets": [_sheet(sheet, ask, language) for sheet in form.sheets],
        "limits": [_limit(limit, voice) for limit in ask.limits],
        "minimums": [_minimum(minimum, ask.kinds, voice) for minimum in ask.minimums],
        "totals": [_total(number, total) for number, total in enumerate(ask.totals)],
        "least": _with_gaps(Text.of("from {least}"), ("least",), voice),
        "room": _with_gaps(Text.of("{room} left"), ("room",), voice),
        "money": voice.say(Money(0)).replace("0", "{amount}"),
        "below": voice.say(Money(-1)).replace("1", "{amount}"),
        "pass": {"en": "pass", "de": "passe"}.get(language, "pass"),
    }


def _sheet(sheet: Sheet, ask: Ask, language: str) -> dict[str, Any]:
    kind, subject = sheet.kind, sheet.subject_field
    rows = [(row.key, {subject: row.subject.value} if subject and row.subject else {}) for row in sheet.rows]
    named = {column.name: [choice.value for choice in column.choices] for column in sheet.columns if column.choices}
    named |= {name: [value] for name, value in sheet.part.given.items() if isinstance(value, str)}
    if subject:
        named[subject] = [row.subject.value for row in sheet.rows if row.subject]
    return {
        "key": sheet.key,
        "kind": kind_of(kind),
        "columns": [(column.name, column.control) for column in sheet.columns],
        "required": [column.name for column in sheet.columns if column.required],
        "subject": list(kind.subject),
        "defaults": {name: _number(kind, name) for name in kind.model_fields if _number(kind, name) is not None},
        "written": {
            name: {value: write_value(kind, name, value, ask, language) for value in values}
            for name, values in named.items()
        },
        "line": kind.notation.write[language],
        "rows": [{"key": key, "values": {**sheet.part.given, **values}} for key, values in rows],
    }


def _number(kind: type[Order], name: str) -> int | None:
    """What a number is where nothing is typed."""
    default = kind.model_fields[name].default
    return default if isinstance(default, int) and not isinstance(default, bool) else None


def _count(counted: Count) -> dict[str, Any]:
    return {
        "of": [names.split("|") for names in counted.of],
        "weights": None if counted.weights is None else dict(counted.weights),
        "kinds": None if counted.kinds is None else list(counted.kinds),
        "by": counted.by,
        "where": dict(counted.where),
        "dearest": counted.dearest,
        "times": counted.times,
        "also": [_ladder(more) if isinstance(more, Ladder) else _count(more) for more in counted.also],
    }


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
