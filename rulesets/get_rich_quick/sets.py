"""Complete sets: nine of a commodity, or eight and Get Rich Quick; nine and Get Rich Quick score double."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rulesets.get_rich_quick.cards import GET_RICH_QUICK, PACK, VALUES, Card


@dataclass(frozen=True)
class CompleteSet:
    """What its owner calls and shows."""

    commodity: Card
    cards: tuple[Card, ...]

    @property
    def doubled(self) -> bool:
        """Nine of the commodity and Get Rich Quick besides, which takes a hand of ten."""
        return len(self.cards) > PACK.cards_of_each

    @property
    def points(self) -> int:
        """In $ million."""
        return VALUES[self.commodity] * (PACK.doubling if self.doubled else 1)


def best_set(hand: Iterable[Card]) -> CompleteSet | None:
    """The complete set in a hand.  There cannot be two: that would take more than ten cards."""
    counts = Counter(hand)
    rich = counts[GET_RICH_QUICK]
    for card, count in counts.items():
        if count + rich >= PACK.cards_of_each and card in VALUES:
            return CompleteSet(card, (card,) * count + (GET_RICH_QUICK,) * rich)
    return None
