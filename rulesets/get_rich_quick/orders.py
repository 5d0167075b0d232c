"""What a trader may say: lots for this bell, a commodity to collect from now on, and when not to call.

All of it tells hidden cards, so it opens only when the game is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Notation, Order
from judge.core.text import Text
from rulesets.get_rich_quick.cards import BOTH_WILDS, GET_RICH_QUICK, PACK, TAXMAN, Card

MOST_CARDS = 99
"""The most that one line can name.  A hand has ten cards at most, and what it lacks is told with the number held."""

_RIDING = "+|plus|with|mit|dazu|samt|&"
_WITH = f"{_RIDING}|and|und"
_NAMES = "|".join(name for commodity in PACK.commodity for name in (commodity.name, commodity.german))
_NOW = "[from now on|now|ab jetzt|ab sofort|jetzt|nun]"
_OFFERING = "offer|trade|swap|exchange|biete|tausche|handle"


class Offer(Order):
    """A lot for this bell: so many cards of one commodity, and the wild cards that ride along."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "offer {count} {commodity} [+ {wilds}]", "de": "biete {count} {commodity} [+ {wilds}]"},
        read=(
            f"{_OFFERING} {{count}} {{commodity}} [{_WITH} [the|den|dem] {{wilds}}]",
            f"[i|ich] [{_OFFERING}] {{count}} {{commodity}} [{_WITH} [the|den|dem] {{wilds}}]",
            f"{_OFFERING} {{commodity}} [x|mal] {{count}} [{_WITH} [the|den|dem] {{wilds}}]",
            f"{_OFFERING} [1|one|the|den|einen] {{wilds}} {_RIDING} {{count}} {{commodity}}",
        ),
        about=Text.of(
            "A lot for this bell: so many cards of one commodity. A wild card that rides along is one card more."
        ),
    )
    title: ClassVar[Text] = Text.of("Lot")
    labels: ClassVar[Mapping[str, Text]] = {
        "count": Text.of("Number of cards"),
        "commodity": Text.of("Commodity"),
        "wilds": Text.of("Riding along"),
    }
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["offer"] = "offer"
    count: int = Field(ge=1, le=MOST_CARDS, examples=[2])
    commodity: str
    wilds: str | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        return (self.commodity,) * self.count + wild_cards(self.wilds)

    def tell(self, ask: Ask) -> Text:
        commodity = ask.named(Offer, "commodity", self.commodity)
        if self.wilds is None:
            return Text.n(
                "A lot of {count} card: {commodity}",
                "A lot of {count} cards: {commodity}",
                self.count,
                commodity=commodity,
            )
        return Text.of(
            "A lot of {cards} cards: {count} {commodity} and {wilds}",
            cards=len(self.cards),
            count=self.count,
            commodity=commodity,
            wilds=ask.named(Offer, "wilds", self.wilds),
        )


class OfferWilds(Order):
    """A lot for this bell of wild cards alone."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "offer {wilds}", "de": "biete {wilds}"},
        read=(f"{_OFFERING} [1|one|the|den|einen] {{wilds}}",),
        about=Text.of("A lot for this bell without any commodity."),
    )
    title: ClassVar[Text] = Text.of("Lot of wild cards alone")
    labels: ClassVar[Mapping[str, Text]] = {"wilds": Text.of("Wild cards")}
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["wilds"] = "wilds"
    wilds: str = Field(examples=[TAXMAN])

    @property
    def cards(self) -> tuple[Card, ...]:
        return wild_cards(self.wilds)

    def tell(self, ask: Ask) -> Text:
        return Text.n(
            "A lot of {count} card: {wilds}",
            "A lot of {count} cards: {wilds}",
            len(self.cards),
            wilds=ask.named(OfferWilds, "wilds", self.wilds),
        )


class Collect(Order):
    """From now on: keep this commodity and Get Rich Quick, and offer the rest in every bell."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "collect {commodity}", "de": "sammle {commodity}"},
        read=(
            f"collect|collecting|sammle|sammel|sammeln {_NOW} {{commodity}} {_NOW}",
            f"(i|ich) (collect|sammle|sammel) {_NOW} {{commodity}} {_NOW}",
        ),
        about=Text.of("Until you change it: keep this commodity and Get Rich Quick, and offer the rest in every bell."),
    )
    title: ClassVar[Text] = Text.of("Collect")
    labels: ClassVar[Mapping[str, Text]] = {"commodity": Text.of("Commodity")}
    standing: ClassVar[bool] = True
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["collect"] = "collect"
    commodity: str = Field(examples=["Oil"])

    def tell(self, ask: Ask) -> Text:
        commodity = ask.named(Collect, "commodity", self.commodity)
        return Text.of("Collect {commodity} until you say otherwise", commodity=commodity)


class Hold(Order):
    """Until the round ends or I drop it: do not call a complete set that could still be doubled."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "hold", "de": "halte"},
        read=("halten", "(i|ich) (hold|halte)", "(don't|do not) call", "rufe nicht|nicht rufen"),
        about=Text.of("A complete set is not called before it is doubled, until the round ends or you post “call”."),
    )
    title: ClassVar[Text] = Text.of("Hold")
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["hold"] = "hold"

    def tell(self, ask: Ask) -> Text:
        return Text.of("Hold a complete set for the double, in this round, until you call")


class Call(Order):
    """Drops `hold`: a complete set is called as soon as there is one."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "call", "de": "rufe"},
        read=(
            "rufe aus|rufen|stop holding",
            f"(call|rufe) [{_NAMES}]",
            "(i|ich) (call|rufe)",
            "(don't|do not) hold",
            "halte nicht",
        ),
        about=Text.of(
            "Drops “hold”: a complete set is called as soon as there is one, which is the rule without “hold”."
        ),
    )
    title: ClassVar[Text] = Text.of("Call")
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["call"] = "call"

    def tell(self, ask: Ask) -> Text:
        return Text.of("Call a complete set at once")


KINDS: tuple[type[Order], ...] = (Offer, OfferWilds, Collect, Hold, Call)


def wild_cards(wilds: str | None) -> tuple[Card, ...]:
    """The cards that the name of one wild card, of both, or of none stands for."""
    if wilds == BOTH_WILDS:
        return (TAXMAN, GET_RICH_QUICK)
    return () if wilds is None else (wilds,)
