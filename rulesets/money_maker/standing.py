"""Instructions that last until they are changed: means of payment, blocks, promotion, and the tariffs of rescue.

They tell what a bank can do and will do, so they stay closed until the end of the game; none counts as a post.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Notation, Order
from judge.core.ruleset import Seat
from judge.core.text import Text
from rulesets.money_maker.tables import TABLES, Sector

OWN = "own"
"""A bank's own credit, as `place` names it."""


def as_placed(seat: Seat) -> str:
    """Another bank, as `place` names it; one that is called like one's own credit needs a word more."""
    return f"bank {seat}" if seat == OWN else seat


ANYWHERE = "anywhere"
"""No block of choice: credit goes unit by unit to the block with least (B14)."""


class Standing(Order):
    """Carries over, and is opened at the end of the game."""

    standing: ClassVar[bool] = True
    opens: ClassVar[Literal["turn", "game"]] = "game"


class Pay(Standing):
    """What a purchase, an auction or an action card is paid with first (rulebook, "Paying with Gold or Credit")."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "pay with {means} [on {sector}]", "de": "zahle mit {means} [auf {sector}]"},
        read=(
            "(pay with|pay in|zahle mit|zahle in|bezahle mit) {means} [first|zuerst] [(on|auf) [the|die|den] {sector}]",
        ),
        about=Text.of(
            "What you pay with first, and on which block your credit is placed. Left out: others' credit, "
            "gold, own credit."
        ),
    )
    title: ClassVar[Text] = Text.of("Means of payment")
    labels: ClassVar[Mapping[str, Text]] = {"means": Text.of("Pay first with"), "sector": Text.of("On the block with")}

    kind: Literal["pay"] = "pay"
    means: Literal["gold", "credit", "others"]
    sector: Sector | None = None

    def tell(self, ask: Ask) -> Text:
        told = Text.of("Pay first with {means}", means=ask.named(Pay, "means", self.means))
        if self.sector is None:
            return told
        sector = ask.named(Pay, "sector", self.sector)
        return Text.of("{order}, credit on the block with the {sector}", order=told, sector=sector)


class PayDebts(Standing):
    """What debts are paid with in a bank run and in the alternative step (B11)."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "pay debts with {means}", "de": "zahle Schulden mit {means}"},
        read=("(pay debts|zahle Schulden|tilge Schulden) (with|mit|in) {means} [first|zuerst]",),
        about=Text.of("What you pay debts with first: others' credit (as usual), gold, or gold only."),
    )
    title: ClassVar[Text] = Text.of("Paying debts")
    labels: ClassVar[Mapping[str, Text]] = {"means": Text.of("Pay debts with")}

    kind: Literal["debts"] = "debts"
    means: Literal["others", "gold", "gold only"]

    def tell(self, ask: Ask) -> Text:
        return Text.of("Pay debts with {means}", means=ask.named(PayDebts, "means", self.means))


class Place(Standing):
    """On which block credit is placed: the payer chooses, for foreign credit too (B14)."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "place {bank} credit on {sector}", "de": "lege {bank} Kredit auf {sector}"},
        read=(
            "(place|put|lege|setze) [the|my|den|meinen] credit|Kredit (of|von) {bank} (on|auf) [the|die|den] {sector}",
        ),
        about=Text.of(
            "Where you place a bank's credit: on the block with this symbol, or anywhere: on the block with least."
        ),
    )
    title: ClassVar[Text] = Text.of("Place credit")
    labels: ClassVar[Mapping[str, Text]] = {"bank": Text.of("Credit of"), "sector": Text.of("On the block with")}
    subject: ClassVar[tuple[str, ...]] = ("bank",)

    kind: Literal["place"] = "place"
    bank: str = Field(examples=[OWN])
    sector: str

    def tell(self, ask: Ask) -> Text:
        bank, sector = ask.named(Place, "bank", self.bank), ask.named(Place, "sector", self.sector)
        return Text.of("Place credit ({bank}) on: {sector}", bank=bank, sector=sector)


class Promote(Standing):
    """How far to take promotions (B13): as far as they go, unless this says otherwise."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "{never=do not|don't} promote [up to {rating}]", "de": "{never=nicht} befördern [bis {rating}]"},
        read=("(promote me|befördere mich) [{never=nicht}] [(up to|to|bis|bis zu|auf) {rating}]",),
        about=Text.of("Promotions are taken as far as they go; here you say how far at most, or not at all."),
    )
    title: ClassVar[Text] = Text.of("Promotion")
    labels: ClassVar[Mapping[str, Text]] = {"rating": Text.of("Up to rating"), "never": Text.of("Not at all")}

    kind: Literal["promote"] = "promote"
    rating: Literal["II", "III", "IV", "V", "VI"] = "VI"
    never: bool = False

    def tell(self, ask: Ask) -> Text:
        if self.never:
            return Text.of("Take no promotion")
        return Text.of("Take promotions up to rating {rating}", rating=self.rating)


class Lend(Standing):
    """A lender's tariff: up to so much gold, so much of it for so much of the borrower's credit."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "rescue up to {most} at {gold} for {credit}", "de": "rette bis {most} zu {gold} für {credit}"},
        read=(
            (
                "rescue|rette|helfe|help [with|mit] [up to|bis|bis zu] {most} [gold] (at|zu|at a rate of) {gold} "
                "[gold] "
                "(for|für|gegen) {credit} [credit|Kredit]"
            ),
        ),
        about=Text.of(
            "Your tariff for banks that are short in a run: up to so much gold, so much gold for so much "
            "of their credit. It helps whoever says that he takes help at this price."
        ),
    )
    title: ClassVar[Text] = Text.of("Rescue tariff")
    labels: ClassVar[Mapping[str, Text]] = {
        "most": Text.of("Gold in all at most"),
        "gold": Text.of("Gold"),
        "credit": Text.of("For credit"),
    }

    kind: Literal["rescue"] = "rescue"
    most: int = Field(ge=0, le=TABLES.gold.total, examples=[10])
    gold: int = Field(ge=1, le=TABLES.gold.total, examples=[3])
    credit: int = Field(ge=0, le=TABLES.credit.max_issued, examples=[10])

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Rescue with up to {most} gold, {gold} gold for {credit} credit",
            most=self.most,
            gold=self.gold,
            credit=self.credit,
        )


class Borrow(Standing):
    """A borrower's side of the tariffs: the most credit he gives for one gold; nothing said, he takes no tariff."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "borrow at {credit} a gold", "de": "leihe zu {credit} je Gold"},
        read=(
            (
                "(borrow|take help|accept help|leihe|nimm Hilfe) (at|up to|at up to|zu|bis|bis zu) {credit} "
                "[credit|Kredit] [a gold|per gold|for one gold|je gold|pro gold|für ein gold]"
            ),
        ),
        about=Text.of(
            "If you are short in a run: the most credit that you give for one gold of somebody's tariff. Without it no "
            "tariff helps you."
        ),
    )
    title: ClassVar[Text] = Text.of("Taking help")
    labels: ClassVar[Mapping[str, Text]] = {"credit": Text.of("Credit for one gold at most")}

    kind: Literal["borrow"] = "borrow"
    credit: int = Field(ge=0, le=TABLES.credit.max_issued, examples=[4])

    def tell(self, ask: Ask) -> Text:
        return Text.of("Take help for up to {credit} credit a gold", credit=self.credit)


STANDING: tuple[type[Order], ...] = (Pay, PayDebts, Place, Promote, Lend, Borrow)
TARIFFS: tuple[type[Order], ...] = (Lend, Borrow)
