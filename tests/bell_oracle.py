"""Get Rich Quick told a second time, from the rulebook and the decisions about it alone, to check the ruleset against.

Plain sums over plain data: a hand is a list of card names, a lot a list of card names too, a post a `Said`.  Nothing is
shared with the ruleset, and the numbers that shuffle are drawn here from the bytes that SEALING.md describes.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from itertools import count

VALUES = {
    "Gold": 150,
    "Banking": 140,
    "Oil": 130,
    "Diamonds": 120,
    "Property": 110,
    "Shipping": 100,
    "Mining": 90,
    "Sport": 80,
}
TAXMAN, RICH = "Taxman", "Get Rich Quick"
FINE = 25
MOST_LOTS = 3


class Numbers:
    """One of a turn's two streams: `key` is HMAC(secret, name ‖ context), the numbers follow block by block."""

    def __init__(self, secret: bytes, name: str, context: bytes) -> None:
        key = hmac.new(secret, name.encode() + context, hashlib.sha256).digest()
        self._words = (
            int.from_bytes(block[at : at + 8], "big")
            for number in count()
            for block in [hmac.new(key, number.to_bytes(8, "big"), hashlib.sha256).digest()]
            for at in (0, 8, 16, 24)
        )

    def below(self, bound: int) -> int:
        fair = 2**64 - 2**64 % bound
        return next(word for word in self._words if word < fair) % bound

    def order(self, size: int) -> list[int]:
        """The places 0 … size − 1 in the order in which they are drawn."""
        left = list(range(size))
        return [left.pop(self.below(len(left))) for _ in range(size)]


@dataclass
class Said:
    """What a seat says before a bell: lots for this bell, what it collects from now on, whether it holds its set."""

    lots: list[list[str]] | None = None
    collect: str | None = None
    hold: bool | None = None


@dataclass
class Bell:
    """What a bell brought: the lots as they were put in order, and pairs of places in that order that were swapped."""

    lots: list[tuple[str, list[str]]]
    swaps: list[tuple[int, int]]


@dataclass
class Round:
    """How a round ended: who called what for how much, and what everybody got or lost."""

    round: int
    bells: int
    winner: str
    commodity: str
    doubled: bool
    points: int
    fines: dict[str, int]
    scores: dict[str, int]

    def public(self) -> dict[str, object]:
        return dict(vars(self))


@dataclass
class Exchange:
    """A game: `deal`, `call_from_the_deal`, `ring` until somebody calls; then deal again unless it is `over`."""

    seats: list[str]
    dealer: str
    goal: int = 500
    rounds: int = 0
    scores: dict[str, int] = field(default_factory=dict)
    hands: dict[str, list[str]] = field(default_factory=dict)
    collecting: dict[str, str] = field(default_factory=dict)
    holding: set[str] = field(default_factory=set)
    told: list[Round] = field(default_factory=list)
    round: int = 0
    bell: int = 0
    last: bool = False
    over: bool = False

    def __post_init__(self) -> None:
        self.scores = dict.fromkeys(self.seats, 0)

    def in_play(self) -> list[str]:
        """As many commodities as players, from the most valuable down."""
        return list(VALUES)[: len(self.seats)]

    def deck(self) -> list[str]:
        return [card for name in self.in_play() for card in [name] * 9] + [TAXMAN, RICH]

    def after(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def deal(self, deck: list[str]) -> None:
        """One card each, beginning after the dealer; from the second round on the next player deals."""
        assert sorted(deck) == sorted(self.deck())
        assert not self.over
        if self.round:
            self.dealer = self.after(self.dealer)
        self.round += 1
        self.bell = 0
        self.holding = set()
        self.hands = {seat: [] for seat in self.seats}
        seat = self.dealer
        for card in deck:
            seat = self.after(seat)
            self.hands[seat].append(card)

    def dealt_complete(self) -> bool:
        return self.bell == 0 and any(map(complete, self.hands.values()))

    def call_from_the_deal(self) -> bool:
        """Whether somebody has a set before the first bell, who then has called it."""
        return self.dealt_complete() and self._call({seat: 0 for seat in self.seats if complete(self.hands[seat])})

    def awaited(self) -> list[str]:
        """Who has no standing order; nobody where a set was dealt."""
        if self.over or self.dealt_complete():
            return []
        return [seat for seat in self.seats if seat not in self.collecting]

    def refuses(self, seat: str, said: Said) -> bool:
        """Whether lots cannot be made of the hand: too many, empty, of two kinds, or a card in two of them."""
        if said.collect is not None and said.collect not in self.in_play():
            return True
        lots = said.lots or []
        laid = [card for lot in lots for card in lot]
        return (
            len(lots) > MOST_LOTS
            or any(not lot or len({card for card in lot if card not in (TAXMAN, RICH)}) > 1 for lot in lots)
            or any(laid.count(card) > self.hands[seat].count(card) for card in laid)
        )

    def collected(self, seat: str, kept: str) -> list[list[str]]:
        """The lots of `collect`."""
        hand = self.hands[seat]
        others = [name for name in self.in_play() if name != kept and name in hand]
        others.sort(key=lambda name: (-hand.count(name), VALUES[name]))
        lots = [[name] * hand.count(name) for name in others[:MOST_LOTS]]
        if TAXMAN in hand:
            if lots:
                lots[0].append(TAXMAN)
            else:
                lots.append([TAXMAN])
        return lots

    def most_held(self, seat: str) -> str:
        return max(self.in_play(), key=lambda name: (self.hands[seat].count(name), VALUES[name]))

    def take(self, posts: dict[str, Said]) -> list[tuple[str, list[str]]]:
        """Hear what was said; the lots by seat, then as listed.

        Who is missing in `posts` trades by his standing order, or collects what he holds most of; who posts without
        naming lots trades by what he collects, if anything.
        """
        lots = []
        for seat in self.seats:
            said = posts.get(seat)
            if said and said.collect:
                self.collecting[seat] = said.collect
            if said and said.hold is not None:
                (self.holding.add if said.hold else self.holding.discard)(seat)
            kept = self.collecting.get(seat) or (None if said else self.most_held(seat))
            if said and said.lots is not None:
                lots += [(seat, lot) for lot in said.lots]
            elif kept:
                lots += [(seat, lot) for lot in self.collected(seat, kept)]
        return lots

    def ring(self, lots: list[tuple[str, list[str]]], order: list[int]) -> tuple[Bell, bool]:
        """Swap from the front, then see who calls; True while the round goes on."""
        assert sorted(order) == list(range(len(lots)))
        self.bell += 1
        queue = [lots[place] for place in order]
        since = {seat: 0 for seat in self.seats if self._counts(seat)}
        taken: set[int] = set()
        swaps: list[tuple[int, int]] = []
        for first, (seat, lot) in enumerate(queue):
            for second in range(first + 1, len(queue)):
                other, against = queue[second]
                if first in taken or second in taken or other == seat or len(lot) != len(against):
                    continue
                taken |= {first, second}
                swaps.append((first, second))
                before = {one: self._counts(one) for one in (seat, other)}
                self._move(lot, seat, other)
                self._move(against, other, seat)
                for one in (seat, other):
                    if self._counts(one) != before[one]:
                        since[one] = len(swaps)
        going = not self._call({seat: since[seat] for seat in self.seats if self._counts(seat)})
        return Bell(queue, swaps), going

    def public(self, bell: Bell | None) -> dict[str, object]:
        """The position as the rules page prescribes it, after this bell (None: none was rung in the turn)."""
        begun = self.seats.index(self.dealer) + 1
        phase = "over" if self.over else "dealt complete" if self.dealt_complete() else "trade"
        lots = bell.lots if bell else []
        return {
            "round": self.round,
            "bell": max(1, self.bell) if self.over else self.bell + 1,
            "phase": phase,
            "dealer": self.dealer,
            "ten_cards": [self.seats[(begun + at) % len(self.seats)] for at in (0, 1)],
            "scores": dict(self.scores),
            "offers": [{"seat": seat, "cards": len(lot)} for seat, lot in lots],
            "swaps": [
                {"seats": [lots[one][0], lots[other][0]], "cards": len(lots[one][1])}
                for one, other in (bell.swaps if bell else [])
            ],
            "results": [told.public() for told in self.told],
            "last_round": self.last,
            "hand": None,
            "holding": None,
        }

    def standings(self) -> list[list[object]]:
        """Scores, most first, ties in seat order; nothing before the end."""
        if not self.over:
            return []
        return [[seat, self.scores[seat]] for seat in sorted(self.seats, key=lambda seat: -self.scores[seat])]

    def _move(self, lot: list[str], giver: str, taker: str) -> None:
        for card in lot:
            self.hands[giver].remove(card)
            self.hands[taker].append(card)

    def _counts(self, seat: str) -> str | None:
        """The set with which a seat would call: a held one only with the double."""
        hand = self.hands[seat]
        return complete(hand) if seat not in self.holding or doubled(hand) else None

    def _call(self, since: dict[str, int]) -> bool:
        """Among complete sets and the swaps that completed them the earliest wins, then the highest."""
        if not since:
            return False
        sets = {seat: str(complete(self.hands[seat])) for seat in since}
        winner = min(since, key=lambda seat: (since[seat], -VALUES[sets[seat]]))
        hand = self.hands[winner]
        points = VALUES[sets[winner]] * (2 if doubled(hand) else 1)
        self.scores[winner] += points
        fines: dict[str, int] = {}
        for card in (TAXMAN, RICH):
            holder = next(seat for seat in self.seats if card in self.hands[seat])
            if card == TAXMAN or holder != winner:
                fines[holder] = fines.get(holder, 0) + FINE
                self.scores[holder] -= FINE
        scores = dict(self.scores)
        self.told.append(Round(self.round, self.bell, winner, sets[winner], doubled(hand), points, fines, scores))
        self.over = max(scores.values()) >= self.goal or 0 < self.rounds <= self.round or self.last
        return True


def complete(hand: list[str]) -> str | None:
    """The commodity of which the hand has a set: nine, or eight and the Get Rich Quick card."""
    return next((name for name in VALUES if hand.count(name) + (RICH in hand) >= 9), None)


def doubled(hand: list[str]) -> bool:
    """Nine of one commodity and the Get Rich Quick card besides."""
    return RICH in hand and any(hand.count(name) == 9 for name in VALUES)
