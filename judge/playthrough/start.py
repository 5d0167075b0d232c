"""The position that a playthrough begins with: the head's options, and the fields of the state that it gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from judge.core.order_json import validation_problems
from judge.core.orders import Problem
from judge.core.ruleset import AnyRuleset, Options, State
from judge.core.text import Text
from judge.playthrough.script import Line, Script


def options(script: Script, ruleset: AnyRuleset) -> Options:
    """What the head chooses for the game, checked like the form of a new game."""
    fields = ruleset.Options.model_fields
    values = {
        name: _value(text, fields[name].annotation) if name in fields else text for name, text in script.options.items()
    }
    try:
        chosen: Options = ruleset.Options.model_validate(values, strict=True)
    except ValidationError as error:
        _refuse(script.at.get("options", script.at["game"]), validation_problems(error, ruleset.Options))
    return chosen


def _value(text: str, wanted: Any) -> str | int | bool:
    """Text where text is meant, else the truth value or number that it writes."""
    try:
        TypeAdapter(wanted).validate_python(text, strict=True)
    except ValidationError:
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            return int(text)
    return text


def given_state(script: Script, ruleset: AnyRuleset, state: State) -> State:
    """The set-up position with the head's `given` merged into it, field by field at every depth."""
    if script.given is None:
        return state
    line = script.at["given"]
    merged = _merged(state.model_dump(mode="json"), script.given, script.seats, line)
    try:
        changed: State = ruleset.State.model_validate(merged)
    except ValidationError as error:
        _refuse(line, validation_problems(error, ruleset.State))
    _demand_kept(script.given, changed.model_dump(mode="json"), line)
    return changed


def _merged(base: Mapping[str, Any], given: Mapping[str, Any], seats: tuple[str, ...], line: Line) -> dict[str, Any]:
    by_seat = bool(base) and all(key in seats for key in base)
    merged = dict(base)
    for key, value in given.items():
        if by_seat and key not in seats:
            line.wrong(
                Text.of("Nobody here is called “{name}”; the players are {seats}.", name=key, seats=", ".join(seats))
            )
        below = base.get(key)
        merged[key] = (
            _merged(below, value, seats, line) if isinstance(below, dict) and isinstance(value, dict) else value
        )
    return merged


def _demand_kept(given: Any, kept: Any, line: Line) -> None:
    """A field that the state does not have is an error, also where a nested model would quietly drop it."""
    if isinstance(given, dict) and isinstance(kept, dict):
        for key, value in given.items():
            if key not in kept:
                line.wrong(Text.of("“{name}” is not known here.", name=key))
            _demand_kept(value, kept[key], line)


def _refuse(line: Line, problems: list[Problem]) -> None:
    first = problems[0]
    line.wrong(Text.of("“{field}”: {problem}", field=first.field, problem=first.text) if first.field else first.text)
