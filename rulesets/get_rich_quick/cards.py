"""The cards: eight commodities with their values, the Taxman, and Get Rich Quick.

The numbers and names are in cards.toml; here they get their shape.  A card is known by its English name in positions,
orders and piles, and by the name of the reader's language in texts.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from judge.core.orders import Choice
from judge.core.text import Listing, Text

FOLDER = Path(__file__).parent

Card = str
"""The English name of what is printed on it."""

TAXMAN: Card = "Taxman"
GET_RICH_QUICK: Card = "Get Rich Quick"
BOTH_WILDS = f"{TAXMAN} + {GET_RICH_QUICK}"
"""Both wild cards together, as an order names them."""

TITLES: Mapping[str, Text] = {
    "Gold": Text.of("Gold"),
    "Banking": Text.of("Banking"),
    "Oil": Text.of("Oil"),
    "Diamonds": Text.of("Diamonds"),
    "Property": Text.of("Property"),
    "Shipping": Text.of("Shipping"),
    "Mining": Text.of("Mining"),
    "Sport": Text.of("Sport"),
    TAXMAN: Text.of("Taxman"),
    GET_RICH_QUICK: Text.of("Get Rich Quick"),
    BOTH_WILDS: Text.of("Taxman + Get Rich Quick"),
}


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Named(_Data):
    name: str
    german: str
    also: tuple[str, ...]

    @property
    def choice(self) -> Choice:
        return Choice(self.name, TITLES[self.name], self.also, {"de": self.german})


class _Commodity(_Named):
    value: int


class _Pack(_Data):
    cards_of_each: int
    fine: int
    doubling: int
    lots: int
    commodity: tuple[_Commodity, ...]
    wild: tuple[_Named, ...]


PACK = _Pack.model_validate(tomllib.loads((FOLDER / "cards.toml").read_text(encoding="utf-8")))

WILDS: tuple[Card, ...] = tuple(wild.name for wild in PACK.wild)
VALUES: Mapping[Card, int] = {commodity.name: commodity.value for commodity in PACK.commodity}
"""What a full set scores, in $ million; the dearest first."""

_RANK = {card: place for place, card in enumerate((*VALUES, *WILDS))}


def commodities(players: int) -> tuple[Card, ...]:
    """As many commodities as players, the dearest ones (rulebook, "Game Play")."""
    return tuple(VALUES)[:players]


def deck(players: int) -> list[Card]:
    """All cards in play, in printed order."""
    return [card for card in commodities(players) for _ in range(PACK.cards_of_each)] + list(WILDS)


def in_order(cards: Iterable[Card]) -> list[Card]:
    """The cards as a tidy hand: the dearest commodity first, wild cards last."""
    return sorted(cards, key=_RANK.__getitem__)


@cache
def commodity_choices(players: int) -> tuple[Choice, ...]:
    return tuple(commodity.choice for commodity in PACK.commodity[:players])


@cache
def wild_choices() -> tuple[Choice, ...]:
    """The Taxman, Get Rich Quick, or both."""
    taxman, rich = PACK.wild
    both = Choice(
        BOTH_WILDS,
        TITLES[BOTH_WILDS],
        tuple(
            f"{one} {link} {other}"
            for taxman_name in (taxman.name, taxman.german, taxman.also[0])
            for rich_name in (rich.name, rich.german, rich.also[0])
            for link in ("+", "&", "and", "und")
            for one, other in ((taxman_name, rich_name), (rich_name, taxman_name))
        ),
        {"de": f"{taxman.german} + {rich.german}"},
    )
    return (taxman.choice, rich.choice, both)


def told(cards: Sequence[Card]) -> Listing:
    """ "3 Oil, 1 Gold and Taxman": commodities counted, the most first, then the wild cards."""
    counts = Counter(cards)
    names = sorted((card for card in counts if card in VALUES), key=lambda card: (-counts[card], _RANK[card]))
    items = [Text.of("{count} {commodity}", count=counts[card], commodity=TITLES[card]) for card in names]
    return Listing([*items, *(TITLES[card] for card in WILDS if card in counts)])
