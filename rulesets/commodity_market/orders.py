"""What a corporation may say: bids for Raw Materials, offers of Finished Goods, a line for each grade or good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Notation, Order
from judge.core.text import Money, Text
from rulesets.commodity_market.tables import HIGHEST_PRICE, MOST_UNITS, Good, Grade


class Bid(Order):
    """So many units of a grade, and the price I pay for each if the market is no dearer."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "{grade}:{units} at {price}", "de": "{grade}:{units} zu {price}"},
        read=(
            "[i|ich] [buy|bid|kaufe|biete|bestelle|ordere] {grade}: {units} (at|for|zu|für|à|@|/) {price}",
            "[i|ich] [buy|bid|kaufe|biete|bestelle|ordere] {units} {grade} (at|for|zu|für|à|@|/) {price}",
        ),
        about=Text.of("So many units of the grade, and the price you pay for each if the market is no dearer."),
    )
    title: ClassVar[Text] = Text.of("Bid")
    labels: ClassVar[Mapping[str, Text]] = {
        "grade": Text.of("Grade"),
        "units": Text.of("Units"),
        "price": Text.of("Price per unit"),
    }
    subject: ClassVar[tuple[str, ...]] = ("grade",)

    kind: Literal["bid"] = "bid"
    grade: Grade
    units: int = Field(ge=1, le=MOST_UNITS, examples=[3])
    price: int = Field(ge=1, le=HIGHEST_PRICE, examples=[40])

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Buy {units} {good} at {price} each",
            units=self.units,
            good=ask.named(Bid, "grade", self.grade),
            price=Money(self.price),
        )


class Offer(Order):
    """So many units of a good, and the price I take for each if the market is no cheaper."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "{good}:{units} at {price}", "de": "{good}:{units} zu {price}"},
        read=(
            "[i|ich] [sell|offer|verkaufe|biete] {good}: {units} (at|for|zu|für|à|@|/) {price}",
            "[i|ich] [sell|offer|verkaufe|biete] {units} {good} (at|for|zu|für|à|@|/) {price}",
        ),
        about=Text.of("So many units of the good, and the price you take for each if the market is no cheaper."),
    )
    title: ClassVar[Text] = Text.of("Offer")
    labels: ClassVar[Mapping[str, Text]] = {
        "good": Text.of("Good"),
        "units": Text.of("Units"),
        "price": Text.of("Price per unit"),
    }
    subject: ClassVar[tuple[str, ...]] = ("good",)

    kind: Literal["offer"] = "offer"
    good: Good
    units: int = Field(ge=1, le=MOST_UNITS, examples=[2])
    price: int = Field(ge=1, le=HIGHEST_PRICE, examples=[140])

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Sell {units} {good} at {price} each",
            units=self.units,
            good=ask.named(Offer, "good", self.good),
            price=Money(self.price),
        )
