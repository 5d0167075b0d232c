"""A market's orders as the reader meets them: the same shape as a real game's, and what a seat is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Choice, Notation, Order
from judge.core.text import Text


class Bid(Order):
    notation: ClassVar[Notation] = Notation(
        write={"en": "{grade}:{units} at {price}", "de": "{grade}:{units} zu {price}"},
        read=("{grade}: {units} at|zu|@|à|for|für|/ {price}", "{units} {grade} at|zu|@|à|for|für|/ {price}"),
    )
    title: ClassVar[Text] = Text.of("Bid")
    labels: ClassVar[Mapping[str, Text]] = {
        "grade": Text.of("Grade"),
        "units": Text.of("Units"),
        "price": Text.of("Price per unit"),
    }
    subject: ClassVar[tuple[str, ...]] = ("grade",)

    kind: Literal["bid"] = "bid"
    grade: str
    units: int = Field(ge=1, le=18, examples=[3])
    price: int = Field(ge=1, le=2_000_000, examples=[40])


class Offer(Order):
    notation: ClassVar[Notation] = Notation(
        write={"en": "{good}:{units} at {price}", "de": "{good}:{units} zu {price}"},
        read=("{good}: {units} at|zu|@|à|for|für|/ {price}", "{units} {good} at|zu|@|à|for|für|/ {price}"),
    )
    title: ClassVar[Text] = Text.of("Offer")
    labels: ClassVar[Mapping[str, Text]] = {"good": Text.of("Good")}
    subject: ClassVar[tuple[str, ...]] = ("good",)

    kind: Literal["offer"] = "offer"
    good: Literal["A", "B", "C"]
    units: int = Field(ge=1, examples=[3])
    price: int = Field(ge=1, examples=[140])


def buying(x: str = "X-Fine", f: str = "Fine", s: str = "Standard") -> Ask:
    """The buying turn, with the names that the host gave to the grades."""
    grades = (Choice("X", x), Choice("F", f), Choice("S", s))
    return Ask((Bid,), Text.of("Buy"), {"grade": grades})


def selling() -> Ask:
    return Ask((Offer,), Text.of("Sell"), {"good": (Choice("A", "A"), Choice("B", "B"), Choice("C", "C"))})


def bid(grade: str, units: int, price: int) -> Bid:
    return Bid(grade=grade, units=units, price=price)


def plain(value: object) -> str:
    """A text as it stands in English."""
    match value:
        case Text():
            return value.text.format_map({name: plain(inner) for name, inner in value.values.items()})
        case _ if hasattr(value, "items") and isinstance(value.items, tuple):
            return ", ".join(map(plain, value.items))
        case _:
            return str(value)
