"""Sentences for people, before any language.

A `Text` is an English sentence with named gaps and the values that fill them.  The sentence is the gettext key, so it
travels through rules, store and outbox untranslated and becomes a language only where somebody reads it
(`judge.language`).  Values keep their meaning until then: `Money` is an amount, `Player` a seat whose name is looked up
late (people are replaced, names change), `Moment` an instant that each reader sees in his own zone.
Plain strings are values typed by people or fixed codes; they are shown as they are and never translated.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Money(_Value):
    """An amount in whole units of the game's currency; may be negative."""

    money: int

    def __init__(self, money: int) -> None:
        super().__init__(money=money)


class Player(_Value):
    """Whoever sits on this seat when the sentence is read."""

    player: str

    def __init__(self, player: str) -> None:
        super().__init__(player=player)


class Moment(_Value):
    """An instant, shown with date, time and zone."""

    moment: AwareDatetime

    def __init__(self, moment: datetime) -> None:
        super().__init__(moment=moment)


class Span(_Value):
    """A length of time in seconds, shown in words ("5 minutes", "2 days")."""

    seconds: int

    def __init__(self, seconds: int | timedelta) -> None:
        whole = int(seconds.total_seconds()) if isinstance(seconds, timedelta) else seconds
        super().__init__(seconds=whole)


class Listing(_Value):
    """Several values in a row, joined as the reader's language does ("A, B and C")."""

    items: tuple[Value, ...]

    def __init__(self, items: tuple[Value, ...] | list[Value]) -> None:
        super().__init__(items=tuple(items))


class Text(_Value):
    """A sentence with its values.

    >>> Text.of("You are {missing} short.", missing=Money(20)).values["missing"]
    Money(money=20)
    >>> Text.n("{count} unit", "{count} units", 3).count
    3
    """

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

    def __hash__(self) -> int:
        return hash((self.text, self.count))


Value = int | str | Money | Player | Moment | Span | Listing | Text
Words = Text | str
"""Something with a name: a `Text` is translated, a `str` (typed by people) is not."""

Listing.model_rebuild()
Text.model_rebuild()
