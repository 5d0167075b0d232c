"""Offers and acceptances of instant exchanges between banks: gold, credit, goods and cards (rulebook, "Negotiating").

Only what changes hands at once is enforced; promises are free speech (B18).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from judge.core.orders import Ask, Notation, Order
from judge.core.ruleset import Seat
from judge.core.text import Listing, Text
from rulesets.money_maker.tables import TABLES

NO_GOODS = "nothing"
"""One side of an exchange may be nothing at all."""

_AND = "plus|and|und|+"
_GIVE = f"[{{give_n}}] {{give}} [{_AND} [{{give2_n}}] {{give2}}]"
_GET = f"[{{get_n}}] {{get}} [{_AND} [{{get2_n}}] {{get2}}]"
_WRITE_GIVE = "[{give_n}] {give} [plus [{give2_n}] {give2}]"
_WRITE_GET = "[{get_n}] {get} [plus [{get2_n}] {get2}]"
_MOST = TABLES.gold.total


class Offer(Order):
    """What I give to one bank, and what I want for it: one or two things each way."""

    notation: ClassVar[Notation] = Notation(
        write={
            "en": f"offer {{bank}}: {_WRITE_GIVE} for {_WRITE_GET}",
            "de": f"biete {{bank}}: {_WRITE_GIVE} für {_WRITE_GET}",
        },
        read=(f"(offer|biete|offer to|biete an) {{bank}}: {_GIVE} (for|against|für|gegen) {_GET}",),
        about=Text.of(
            "An exchange that happens as soon as the other bank accepts it: what you give, and what you want for it."
        ),
    )
    title: ClassVar[Text] = Text.of("Offer an exchange")
    labels: ClassVar[Mapping[str, Text]] = {
        "bank": Text.of("To"),
        "give_n": Text.of("How many I give"),
        "give": Text.of("I give"),
        "give2_n": Text.of("How many more I give"),
        "give2": Text.of("and"),
        "get_n": Text.of("How many I get"),
        "get": Text.of("I get"),
        "get2_n": Text.of("How many more I get"),
        "get2": Text.of("and besides"),
    }
    subject: ClassVar[tuple[str, ...]] = ("bank",)

    kind: Literal["offer"] = "offer"
    bank: Seat
    give_n: int | None = Field(default=None, ge=1, le=_MOST, examples=[3])
    give: str = Field(examples=["gold"])
    give2_n: int | None = Field(default=None, ge=1, le=_MOST)
    give2: str | None = None
    get_n: int | None = Field(default=None, ge=1, le=_MOST, examples=[10])
    get: str = Field(examples=["credit"])
    get2_n: int | None = Field(default=None, ge=1, le=_MOST)
    get2: str | None = None

    @model_validator(mode="after")
    def _a_number_needs_its_thing(self) -> Self:
        for number, thing in (("give2_n", self.give2), ("get2_n", self.get2)):
            if thing is None:
                object.__setattr__(self, number, None)
        return self

    @property
    def gives(self) -> list[tuple[str, int]]:
        return _things((self.give, self.give_n), (self.give2, self.give2_n))

    @property
    def gets(self) -> list[tuple[str, int]]:
        return _things((self.get, self.get_n), (self.get2, self.get2_n))

    def tell(self, ask: Ask) -> Text:
        def named(things: list[tuple[str, int]]) -> Listing:
            return Listing(
                [Text.of("{count} {thing}", count=n, thing=ask.named(Offer, "give", what)) for what, n in things]
            )

        return Text.of(
            "Offer {bank} {give} for {get}",
            bank=ask.named(Offer, "bank", self.bank),
            give=named(self.gives) if self.gives else Text.of("nothing"),
            get=named(self.gets) if self.gets else Text.of("nothing"),
        )


def _things(*sides: tuple[str | None, int | None]) -> list[tuple[str, int]]:
    return [(what, count or 1) for what, count in sides if what is not None and what != NO_GOODS]


class Accept(Order):
    """Takes an offer that is open, by its number."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "accept offer {number}", "de": "nimm Angebot {number}"},
        read=("(accept|take|nimm|nehme|annehmen) [offer|deal|angebot] {number} [an]",),
        about=Text.of("Takes an exchange that was offered to you."),
    )
    title: ClassVar[Text] = Text.of("Accept an offer")
    labels: ClassVar[Mapping[str, Text]] = {"number": Text.of("Offer number")}
    subject: ClassVar[tuple[str, ...]] = ("number",)

    kind: Literal["accept"] = "accept"
    number: int = Field(ge=1, le=9999, examples=[1])

    def tell(self, ask: Ask) -> Text:
        return Text.of("Accept offer {number}", number=self.number)


class Done(Order):
    """A short bank gives up: it is degraded (rulebook: "Insolvent banks may choose not to negotiate")."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "done", "de": "fertig"},
        read=("(i am done|no more offers|bin fertig|ich bin fertig)",),
        about=Text.of("You look for no further help: if you are short, your rating falls."),
    )
    title: ClassVar[Text] = Text.of("Done")

    kind: Literal["done"] = "done"

    def tell(self, ask: Ask) -> Text:
        return Text.of("Look for no further help")


DEALS: tuple[type[Order], ...] = (Offer, Accept)
