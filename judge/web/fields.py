"""The fields of a pydantic model as a form shows them: what kind of input, which bounds, which choices.

Order forms and the new-game form are both made from their models in this way, so that a page can never offer what the
model would refuse.  Bounds are read from the model's JSON schema, which says the same for every way of writing a type.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from judge.core.orders import Choice
from judge.core.text import Text, Value, Words

Control = Literal["number", "text", "choice", "switch", "row", "numbers"]

_BETWEEN_NUMBERS = re.compile(r"[\s,;+&/]+|\b(?:and|und)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Field:
    """One input: a whole number, a text, one of several choices, on and off, a row of choices or of numbers.

    Rows keep their order.  A row of choices is a list for each place in it; numbers stand in one line, as people write
    them: "12, 40 and 77".
    """

    name: str
    label: Words
    control: Control
    required: bool
    default: Any = None
    hint: Words | None = None
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    """How many letters a text may have, or values a row."""
    example: str | None = None
    choices: tuple[Choice, ...] = ()
    facts: Mapping[str, Sequence[tuple[Text, Value]]] = dataclasses.field(default_factory=dict, hash=False)
    """What is told beside a choice, by its value."""

    def read(self, typed: Sequence[str]) -> Any:
        """The JSON value of what was typed, None for nothing.

        What is no whole number stays a string: the model says what is wrong with it, and no number is guessed.
        """
        filled = [value.strip() for value in typed if value.strip()]
        if self.control == "switch":
            return bool(filled)
        if not filled:
            return None
        if self.control == "row":
            return filled
        if self.control == "numbers":
            return [whole_number(part) for text in filled for part in _BETWEEN_NUMBERS.split(text) if part]
        return whole_number(filled[0]) if self.control == "number" else filled[0]

    def typed(self, value: Any) -> list[str]:
        """What stands in the input for a value."""
        if value is None or value is False:
            return []
        if value is True:
            return ["on"]
        if isinstance(value, list | tuple):
            items = [str(item) for item in value]
            return [", ".join(items)] if self.control == "numbers" else items
        return [str(value)]


def whole_number(text: str) -> int | str:
    """The number if it is one without any doubt, else the text itself."""
    digits = text.removeprefix("−").removeprefix("-").removeprefix("+")
    if not digits.isdecimal() or len(digits) > 18:
        return text
    return -int(digits) if text[0] in "−-" else int(digits)


def fields(model: type[BaseModel], choices: Mapping[str, tuple[Choice, ...]] | None = None) -> list[Field]:
    """The fields of a model in its order; `choices` are those of a position, by field name.

    A constant (an order's `kind`) is no field.
    """
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    labels: Mapping[str, Text] = getattr(model, "labels", {})
    hints: Mapping[str, Text] = getattr(model, "hints", {})
    found = []
    for name, described in schema.get("properties", {}).items():
        kind, nullable = _resolved(described, definitions)
        if "const" in kind:
            continue
        items, _ = _resolved(kind.get("items", {}), definitions)
        given = (choices or {}).get(name)
        possible = given if given is not None else _choices(name, kind.get("enum", items.get("enum")), labels)
        found.append(
            Field(
                name=name,
                label=labels.get(name, name),
                control=_control(kind, possible is not None, items.get("type") == "integer"),
                required=name in schema.get("required", ()) and not nullable,
                default=described.get("default"),
                hint=hints.get(name),
                least=_bound(kind, "minimum", "exclusiveMinimum", 1),
                most=_bound(kind, "maximum", "exclusiveMaximum", -1),
                longest=kind.get("maxLength", kind.get("maxItems")),
                example=_example(described.get("examples")),
                choices=possible or (),
            )
        )
    return found


def _resolved(described: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The schema behind references and `| None`, and whether None may stand there."""
    if "$ref" in described:
        return _resolved(definitions[described["$ref"].rsplit("/", 1)[-1]], definitions)
    if "anyOf" in described:
        arms = [arm for arm in described["anyOf"] if arm.get("type") != "null"]
        return _resolved(arms[0], definitions)[0], len(arms) < len(described["anyOf"])
    return dict(described), False


def _control(kind: Mapping[str, Any], chosen: bool, of_numbers: bool) -> Control:
    match kind.get("type"):
        case "array":
            return "numbers" if of_numbers and not chosen else "row"
        case "boolean":
            return "switch"
        case _ if chosen:
            return "choice"
        case "integer":
            return "number"
    return "text"


def _choices(name: str, values: Sequence[Any] | None, labels: Mapping[str, Text]) -> tuple[Choice, ...] | None:
    """Choices written in the type itself; a label named `field.value` says what one is called."""
    if values is None:
        return None
    return tuple(Choice(str(value), labels.get(f"{name}.{value}", str(value))) for value in values)


def _example(examples: Sequence[Any] | None) -> str | None:
    """The first example as it is typed."""
    if not examples:
        return None
    first = examples[0]
    return ", ".join(map(str, first)) if isinstance(first, list | tuple) else str(first)


def _bound(kind: Mapping[str, Any], inclusive: str, exclusive: str, step: int) -> int | None:
    if inclusive in kind:
        return int(kind[inclusive])
    return int(kind[exclusive]) + step if exclusive in kind else None
