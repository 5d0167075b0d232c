"""What all commands share: the terminal's language, the global options, and how something is said or refused."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from judge.core.text import Text, Value
from judge.language import LANGUAGES, Voice
from judge.registry import rulesets
from judge.settings import Settings, load_settings

if TYPE_CHECKING:
    from judge.bootstrap import Judge


def terminal_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, by the variables of gettext; English if it is none of ours."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if wanted := environment.get(name):
            known = [re.split(r"[_.@-]", tag)[0].lower() for tag in wanted.split(":")]
            return next((language for language in known if language in LANGUAGES), "en")
    return "en"


LANGUAGE = terminal_language()
VOICE = Voice(LANGUAGE)
_ = VOICE.gettext

WIDE = 400
"""Columns of output that goes to a file or another program."""


class FailureError(Exception):
    """A command that could not do what it was asked: 1 if it was refused or failed, 2 if it was asked wrongly."""

    def __init__(self, text: Text, code: int = 1) -> None:
        super().__init__(text.text)
        self.text = text
        self.code = code


def say(value: Value) -> str:
    """In the terminal's language, with the words of all installed games."""
    folders = tuple(ruleset.folder / "locale" for ruleset in rulesets().values())
    return Voice(LANGUAGE, catalogues=folders).say(value)


def tell(text: Text | str = "", error: bool = False) -> None:
    """Writes a line to the terminal."""
    typer.echo(VOICE.say(text), err=error)


def show(table: Table) -> None:
    """Prints a table; where no terminal sets a width, a row stays on its line."""
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = WIDE
    console.print(table)


@dataclass
class Call:
    """The options that stand before the command."""

    config: Path | None = None
    debug: bool = False

    def settings(self, host: str | None = None, port: int | None = None) -> Settings:
        """The settings as configured, served elsewhere if the command line says so."""
        settings = load_settings(self.config)
        elsewhere: dict[str, Any] = {"host": host, "port": port}
        chosen = {name: value for name, value in elsewhere.items() if value is not None}
        return settings.model_copy(update={"web": settings.web.model_copy(update=chosen)})

    @contextmanager
    def judge(self, settings: Settings | None = None) -> Iterator[Judge]:
        """A judge whose clock does not tick; what is queued is written before it goes."""
        from judge.bootstrap import create_judge  # with the database's libraries, which not every command needs

        judge = create_judge(settings or self.settings())
        try:
            yield judge
        finally:
            judge.close()


def call_of(context: typer.Context) -> Call:
    call: Call = context.find_root().obj
    return call


def whole_number(least: int, most: int) -> Callable[[str | int], int]:
    """Reads the value of an option (or its default); Typer's own messages speak English only."""

    def read(typed: str | int) -> int:
        given = str(typed)
        if given.isascii() and given.isdigit() and least <= int(given) <= most:
            return int(given)
        text = Text.of(
            "A whole number from {least} to {most} is needed; “{given}” was read.",
            least=least,
            most=str(most),
            given=given,
        )
        raise typer.BadParameter(VOICE.say(text))

    return read


def one_of(*choices: str) -> Callable[[str], str]:
    """Reads the value of an option that has few."""

    def read(given: str) -> str:
        if given in choices:
            return given
        text = Text.of("“{given}” was read; possible: {choices}.", given=given, choices=", ".join(choices))
        raise typer.BadParameter(VOICE.say(text))

    return read


def named_values(given: Iterable[str]) -> dict[str, str]:
    """Options of a game as they are typed: NAME=VALUE each.  The ruleset reads the values."""
    values: dict[str, str] = {}
    for pair in given:
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not name or not equals:
            raise FailureError(
                Text.of("--option: write NAME=VALUE, for example months=6; “{given}” was read.", given=pair), code=2
            )
        if name in values:
            raise FailureError(Text.of("--option: “{name}” is given twice.", name=name), code=2)
        values[name] = value
    return values
