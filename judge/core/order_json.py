"""Orders as JSON: read with every problem told, and written.

The web form, programs and sealed blocks all hand in this JSON; sets are stored in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from judge.core.orders import Ask, Order, Problem, TextError, kind_of
from judge.core.text import Text, Words


def parse_orders(data: object, ask: Ask) -> tuple[list[Order], list[Problem]]:
    """Orders from JSON: a list of objects, each with its `kind`.  Every object is looked at; all problems are told."""
    if not isinstance(data, list):
        return [], [Problem(Text.of("The orders must be a list of objects, each with its kind."))]
    kinds = {kind_of(kind): kind for kind in ask.kinds}
    orders: list[Order] = []
    problems: list[Problem] = []
    for number, item in enumerate(data, 1):
        kind = kinds.get(item.get("kind", "")) if isinstance(item, dict) and isinstance(item.get("kind"), str) else None
        if kind is None:
            allowed = ", ".join(kinds) or "–"
            problems.append(
                Problem(
                    Text.of("This is no order that can be given now; possible kinds: {kinds}.", kinds=allowed),
                    line=number,
                )
            )
            continue
        try:
            order = kind.model_validate_json(json.dumps(item))  # strict, but a JSON list may fill a tuple
        except ValidationError as error:
            problems += validation_problems(error, kind, line=number)
            continue
        found = list(choice_problems(order, ask, line=number))
        problems += found
        if not found:
            orders.append(order)
    return orders, problems


def choice_problems(order: Order, ask: Ask, line: int | None = None) -> Iterable[Problem]:
    """Values that cannot be chosen here, with what can be."""
    for name in type(order).model_fields:
        choices = ask.choices_for(type(order), name)
        given = getattr(order, name)
        for value in given if isinstance(given, tuple) else (given,):
            if choices is not None and value is not None and value not in [choice.value for choice in choices]:
                yield Problem(
                    Text.of(
                        "“{given}” cannot be chosen here; possible: {choices}.",
                        given=str(value),
                        choices=", ".join(choice.value for choice in choices) or "–",
                    ),
                    line=line,
                    field=name,
                    quote=str(value),
                )


def validation_problems(error: ValidationError, model: type[BaseModel], line: int | None = None) -> list[Problem]:
    """What pydantic found, said to people: which field, what was read, and the bound."""
    labels: Mapping[str, Text] = getattr(model, "labels", {})
    return [_validation_problem(detail, labels, line) for detail in error.errors(include_url=False)]


def _validation_problem(detail: ErrorDetails, labels: Mapping[str, Text], line: int | None) -> Problem:
    name = str(detail["loc"][0]) if detail["loc"] else ""
    label: Words = labels.get(name, name)
    context: dict[str, Any] = detail.get("ctx", {})
    given = str(detail["input"])[:60] if not isinstance(detail["input"], dict | list) else "…"
    match detail["type"]:
        case "missing":
            text = Text.of("{label} is missing.", label=label)
        case "extra_forbidden":
            text = Text.of("“{name}” is not known here.", name=name)
        case "greater_than_equal":
            text = Text.of(
                "{label}: {given} was read, at least {least} is needed.", label=label, given=given, least=context["ge"]
            )
        case "less_than_equal":
            text = Text.of(
                "{label}: {given} was read, at most {most} is allowed.", label=label, given=given, most=context["le"]
            )
        case "int_type" | "int_parsing" | "int_from_float":
            text = Text.of("{label}: a whole number is needed, “{given}” was read.", label=label, given=given)
        case "bool_parsing" | "bool_type":
            text = Text.of("{label}: true or false is needed, “{given}” was read.", label=label, given=given)
        case "literal_error" | "enum":
            expected = str(context["expected"]).replace("'", "").replace(" or ", ", ")
            text = Text.of(
                "{label}: “{given}” was read; possible: {choices}.", label=label, given=given, choices=expected
            )
        case "string_too_long":
            text = Text.of("{label}: at most {most} characters are allowed.", label=label, most=context["max_length"])
        case "string_too_short":
            text = Text.of("{label}: at least {least} characters are needed.", label=label, least=context["min_length"])
        case "value_error" if isinstance(context.get("error"), TextError):
            text = context["error"].text
        case _ if not name:
            text = Text.of("“{given}” cannot be used here.", given=given)
        case _:
            text = Text.of("{label}: “{given}” cannot be used here.", label=label, given=given)
    return Problem(text, line=line, field=name or None, quote=given)


def dump_orders(orders: Iterable[Order]) -> list[dict[str, Any]]:
    """The JSON form of a set, ready for storing or sending."""
    return [order.model_dump(mode="json") for order in orders]


def load_orders(data: object, kinds: Iterable[type[Order]]) -> list[Order]:
    """Stored orders back as objects.  They were checked when they were stored, so a misfit is a bug and raises."""
    by_kind = {kind_of(kind): kind for kind in kinds}
    return [
        by_kind[item["kind"]].model_validate(item, strict=False)
        for item in TypeAdapter(list[dict[str, Any]]).validate_python(data)
    ]
