"""What the order page's script needs to do the sums while a form is filled in, as JSON in the reader's language.

The sentences are the rules' own, translated, with those gaps left open that only the filled-in form can fill.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judge.core.lines import write_value
from judge.core.orders import Ask, Limit, Minimum, Order, Total, kind_of
from judge.core.text import Money, Text
from judge.language import Voice
from judge.web.forms import OrderForm, Sheet, tally_subject


def live_sums(ask: Ask, form: OrderForm, voice: Voice, language: str) -> dict[str, Any]:
    """Kinds, limits, minimums and totals; order lines are written in `language`, the game's."""
    return {
        "kinds": [_kind(kind, sheet, ask, language) for kind, sheet in zip(ask.kinds, form.sheets, strict=True)],
        "limits": [_limit(limit, voice) for limit in ask.limits],
        "minimums": [_minimum(minimum, ask.kinds, voice) for minimum in ask.minimums],
        "totals": [_total(number, total) for number, total in enumerate(ask.totals)],
        "least": _with_gaps(Text.of("from {least}"), ("least",), voice),
        "room": _with_gaps(Text.of("{room} left"), ("room",), voice),
        "money": voice.say(Money(0)).replace("0", "{amount}"),
        "below": voice.say(Money(-1)).replace("1", "{amount}"),
        "pass": {"en": "pass", "de": "passe"}.get(language, "pass"),
    }


def _kind(kind: type[Order], sheet: Sheet, ask: Ask, language: str) -> dict[str, Any]:
    subject = tally_subject(kind, ask)
    choosing = [name for name in kind.model_fields if ask.choices_for(kind, name)]
    return {
        "fields": [column.name for column in sheet.columns],
        "numbers": [column.name for column in sheet.columns if column.control == "number"],
        "switches": [column.name for column in sheet.columns if column.control == "switch"],
        "written": {
            name: {
                choice.value: write_value(kind, name, choice.value, ask, language)
                for choice in ask.choices_for(kind, name) or ()
            }
            for name in choosing
        },
        "several": [column.name for column in sheet.columns if column.control == "several"],
        "required": [column.name for column in sheet.columns if column.required],
        "subject": list(kind.subject),
        "line": kind.notation.write[language],
        "rows": [
            {"key": row.key, "values": {subject: row.subject.value} if subject and row.subject else {}}
            for row in sheet.rows
        ],
        "kind": kind_of(kind),
    }


def _limit(limit: Limit, voice: Voice) -> dict[str, Any]:
    return {
        "of": list(limit.of),
        "at_most": limit.at_most,
        "says": _with_gaps(limit.says, ("counted", "over"), voice),
        "weights": None if limit.weights is None else dict(limit.weights),
        "warning": limit.warning,
        "kinds": None if limit.kinds is None else list(limit.kinds),
        "by": limit.by,
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
    weights: Mapping[str, int] | None = total.weights
    return {
        "id": f"total.{number}",
        "of": list(total.of),
        "start": total.start,
        "sign": total.sign,
        "weights": None if weights is None else dict(weights),
        "money": total.money,
    }


def _with_gaps(text: Text, names: Iterable[str], voice: Voice) -> str:
    """The sentence with its own values said and the named gaps left open."""
    return voice.say(text.model_copy(update={"values": {**text.values, **{name: f"{{{name}}}" for name in names}}}))
