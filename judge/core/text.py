"""Sentences for people, before any language.

A `Text` is an English sentence with named gaps and the values that fill them.  The sentence is the gettext key, so it
travels through rules, store and outbox untranslated and becomes a language only where somebody reads it
(`judge.language`).  Values keep their meaning until then: `Money` is an amount, `Player` a seat whose name is looked up
late (people are replaced, names change), `Moment` an instant that each reader sees in his own zone.
Plain strings are values typed by people or fixed codes; they are shown as they are and never translated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from datetime import timedelta
from typing import Annotated, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.dataclasses import dataclass, rebuild_dataclass

_CONFIG = ConfigDict(extra="forbid")


@plain_dataclass(frozen=True)
class Currency:
    """How a game writes amounts of its money, by language: `{amount}` stands for the number, a minus goes before all.

    A language that is missing writes as English does.

    >>> Currency({"en": "{amount} Cr"}).pattern("de")
    '{amount} Cr'
    """

    written: Mapping[str, str]

    def __post_init__(self) -> None:
        for pattern in self.written.values():
            if pattern.count("{amount}") != 1 or any(character.isdigit() for character in pattern):
                raise ValueError(f"“{pattern}” must hold {{amount}} once, and no digits")
        self.pattern("en")

    def pattern(self, language: str) -> str:
        return self.written[language if language in self.written else "en"]


DOLLARS = Currency({"en": "${amount}", "de": "{amount}\N{NO-BREAK SPACE}$"})


@dataclass(frozen=True, config=_CONFIG)
class Money:
    """An amount in whole units of the game's currency; may be negative."""

    money: int


@dataclass(frozen=True, config=_CONFIG)
class Player:
    """Whoever sits on this seat when the sentence is read."""

    player: str


@dataclass(frozen=True, config=_CONFIG)
class Moment:
    """An instant, shown with date, time and zone."""

    moment: AwareDatetime


@dataclass(frozen=True, config=_CONFIG)
class Span:
    """A length of time in seconds, shown in words ("5 minutes", "2 days")."""

    seconds: int

    @classmethod
    def of(cls, length: timedelta) -> Self:
        return cls(int(length.total_seconds()))


@dataclass(frozen=True, config=_CONFIG)
class Listing:
    """Several values in a row, joined as the reader's language does ("A, B and C")."""

    items: Annotated[Sequence[Value], AfterValidator(tuple)]


class Text(BaseModel):
    """A sentence with its values.

    >>> Text.of("You are {missing} short.", missing=Money(20)).values["missing"]
    Money(money=20)
    >>> Text.n("{count} unit", "{count} units", 3).count
    3
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    plural: str | None = None
    count: int | None = None
    values: dict[str, Value] = Field(default_factory=dict)

    @classmethod
    def of(cls, text: str, /, **values: Value) -> Self:
        """A sentence; `values` fill the gaps named in braces."""
        return cls(text=text, values=values)

    @classmethod
    def n(cls, one: str, many: str, count: int, /, **values: Value) -> Self:
        """A sentence that depends on a number: its language picks the form, `{count}` stands for the number."""
        return cls(text=one, plural=many, count=count, values={"count": count, **values})

    @classmethod
    def joined(cls, parts: Sequence[Text], between: str = " ") -> Text:
        """Sentences one after the other, at least one.  They stand beside each other, however many there are.

        >>> Text.joined([Text.of("One."), Text.of("Two.")]).text
        '{part1} {part2}'
        """
        if len(parts) == 1:
            return parts[0]
        values: dict[str, Value] = {f"part{number}": part for number, part in enumerate(parts, 1)}
        return cls(text=between.join(f"{{{name}}}" for name in values), values=values)

    def __hash__(self) -> int:
        return hash((self.text, self.count))


Value = int | str | Money | Player | Moment | Span | Listing | Text
Words = Text | str
"""Something with a name: a `Text` is translated, a `str` (typed by people) is not."""

rebuild_dataclass(Listing)  # type: ignore[arg-type]  # a pydantic dataclass, whatever its decorator says
Text.model_rebuild()
