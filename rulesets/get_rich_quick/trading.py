"""A bell: everybody's lots in one random order, and compulsory swaps of lots of equal size (rulebook, "Trading")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.core.orders import Order
from judge.core.ruleset import Seat
from rulesets.get_rich_quick.cards import GET_RICH_QUICK, PACK, TAXMAN, VALUES, Card, in_order
from rulesets.get_rich_quick.orders import Collect, Offer, OfferWilds
from rulesets.get_rich_quick.sets import best_set


@dataclass(frozen=True)
class Lot:
    """Cards of one seat that change hands together or not at all.  Its text is its name in the pile `bell`."""

    seat: Seat
    number: int
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"{self.seat} {self.number}"


def lots_of(seat: Seat, hand: Sequence[Card], orders: Iterable[Order]) -> list[Lot]:
    """The lots that a seat's orders make: those it lists, else those of what it collects, else none."""
    given = list(orders)
    cards = [order.cards for order in given if isinstance(order, Offer | OfferWilds)]
    if not cards:
        wanted = [order.commodity for order in given if isinstance(order, Collect)]
        cards = collecting(hand, wanted[-1]) if wanted else []
    return [Lot(seat, number, lot) for number, lot in enumerate(cards, 1)]


def collecting(hand: Sequence[Card], commodity: Card) -> list[tuple[Card, ...]]:
    """The lots of `collect`: all but the commodity and Get Rich Quick, the largest groups first, three at most.

    Of equal groups the one of lower value comes first.  The Taxman rides in the first, or is a lot alone.
    """
    counts = Counter(card for card in hand if card not in (commodity, GET_RICH_QUICK, TAXMAN))
    groups = sorted(counts, key=lambda card: (-counts[card], VALUES[card]))[: PACK.lots]
    lots = [(card,) * counts[card] for card in groups]
    if TAXMAN in hand:
        lots[:1] = [(*lots[0], TAXMAN) if lots else (TAXMAN,)]
    return lots


def most_held(hand: Sequence[Card]) -> Card:
    """What a hand holds most of; of equal ones the dearer."""
    counts = Counter(card for card in hand if card in VALUES)
    return max(counts, key=lambda card: (counts[card], VALUES[card]))


@dataclass
class Floor:
    """The hands while a bell is rung.

    `calls` says who calls when the bell is over: what, and since which swap, counted from 1, it is complete; 0 if it
    was before the bell.  One swap may make another set of a complete one.
    """

    hands: dict[Seat, list[Card]]
    holding: Mapping[Seat, bool]
    swaps: list[tuple[Lot, Lot]] = field(default_factory=list)
    returned: list[Lot] = field(default_factory=list)
    calls: dict[Seat, tuple[Card, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for seat in self.hands:
            self._note_call(seat)

    def ring(self, lots: Sequence[Lot]) -> None:
        """From the front each free lot goes against the next free one of equal size of somebody else."""
        free = list(lots)
        while free:
            lot = free.pop(0)
            partner = next(
                (other for other in free if len(other.cards) == len(lot.cards) and other.seat != lot.seat), None
            )
            if partner is None:
                self.returned.append(lot)
            else:
                free.remove(partner)
                self._swap(lot, partner)

    def caller(self) -> Seat | None:
        """Whose complete set counts: the one completed by the earlier swap; of equal ones the dearer set."""

        def rank(seat: Seat) -> tuple[int, int]:
            commodity, since = self.calls[seat]
            return since, -VALUES[commodity]

        return min(self.calls, key=rank, default=None)

    def _swap(self, one: Lot, other: Lot) -> None:
        self.swaps.append((one, other))
        for lot, came in ((one, other), (other, one)):
            left = Counter(self.hands[lot.seat]) - Counter(lot.cards) + Counter(came.cards)
            self.hands[lot.seat] = in_order(left.elements())
        for lot in (one, other):
            self._note_call(lot.seat)

    def _note_call(self, seat: Seat) -> None:
        complete = best_set(self.hands[seat])
        if complete is None or (self.holding[seat] and not complete.doubled):
            self.calls.pop(seat, None)
        elif seat not in self.calls or self.calls[seat][0] != complete.commodity:
            self.calls[seat] = (complete.commodity, len(self.swaps))
