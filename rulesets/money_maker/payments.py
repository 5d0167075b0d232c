"""What a payment was made of: gold, own credit and other banks' credit, and where that was placed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, ConfigDict

from judge.core.ruleset import Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.names import SECTOR_TITLES, sectors_named
from rulesets.money_maker.tables import Sector


class Fact(BaseModel):
    """Something that has happened and never changes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __deepcopy__(self, memo: dict[int, object] | None = None) -> Self:
        return self


class Placed(Fact):
    """Credit of a bank that was placed on a block of its ring."""

    bank: Seat
    sectors: tuple[Sector, ...]
    count: int

    def tell(self) -> Text:
        return Text.of(
            "{count} of {who} on {sectors}", count=self.count, who=Player(self.bank), sectors=block_name(self.sectors)
        )


def block_name(sectors: tuple[Sector, ...]) -> Value:
    """A block by its symbols; ring I is one block."""
    return Text.of("ring I") if len(sectors) == len(SECTOR_TITLES) else sectors_named(sectors)


class Payment(Fact):
    """How something was paid."""

    gold: int
    own: int
    claims: dict[Seat, int]
    placed: tuple[Placed, ...]

    @property
    def total(self) -> int:
        return self.gold + self.own + sum(self.claims.values())

    def tell(self) -> Value:
        return means_told(self.gold, self.own, self.claims, self.placed)


def means_told(gold: int, own: int, claims: Mapping[Seat, int], placed: tuple[Placed, ...] = ()) -> Value:
    """ "3 gold, 5 own credit and 2 credit of Anna (5 of Ben on ring I)"."""
    parts: list[Value] = []
    if gold:
        parts.append(Text.of("{count} gold", count=gold))
    if own:
        parts.append(Text.of("{count} own credit", count=own))
    for issuer, count in claims.items():
        parts.append(Text.of("{count} credit of {who}", count=count, who=Player(issuer)))
    if not parts:
        return Text.of("nothing")
    if not placed:
        return Listing(parts)
    return Text.of("{means} ({placed})", means=Listing(parts), placed=Listing([some.tell() for some in placed]))
