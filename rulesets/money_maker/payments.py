"""What a payment was made of: gold, own credit and other banks' credit, and where that was placed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        return Text.of("{count} on {block}", count=self.count, block=block_name(self.sectors))


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
        """ "4 gold and 5 in own credit on ring I"."""
        return means_told(self.gold, self.own, self.claims, self.placed)

    def with_sum(self) -> Value:
        """ "9: 4 gold and 5 in own credit on ring I"; one means alone is its own sum."""
        several = bool(self.gold) + bool(self.own) + len(self.claims) > 1
        return Text.of("{sum}: {means}", sum=self.total, means=self.tell()) if several else self.tell()


def means_told(gold: int, own: int, claims: Mapping[Seat, int], placed: Sequence[Placed]) -> Value:
    """ "3 gold, 5 in own credit on ring I and 2 credit of Anna on windmill and ship"."""
    parts: list[Value] = []
    if gold:
        parts.append(Text.of("{count} gold", count=gold))
    if own:
        credit = Text.of("{count} in own credit", count=own)
        parts.append(_with_blocks(credit, [some for some in placed if some.bank not in claims]))
    for issuer, count in claims.items():
        credit = Text.of("{count} credit of {who}", count=count, who=Player(issuer))
        parts.append(_with_blocks(credit, [some for some in placed if some.bank == issuer]))
    return Listing(parts) if parts else Text.of("nothing")


def _with_blocks(credit: Text, placed: Sequence[Placed]) -> Text:
    """Credit of one bank, and where it lies now; how much on each block, if on several."""
    if len(placed) == 1:
        return Text.of("{credit} on {block}", credit=credit, block=block_name(placed[0].sectors))
    return Text.of("{credit} ({blocks})", credit=credit, blocks=Listing([some.tell() for some in placed]))
