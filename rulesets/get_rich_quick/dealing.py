"""The deal: all cards, face down, one by one from the player after the dealer; the last two go to the first two."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.dice import Dice
from judge.core.ruleset import Seat
from rulesets.get_rich_quick.cards import Card, deck, in_order


def deal(seats: Sequence[Seat], dealer: Seat, dice: Dice) -> dict[Seat, list[Card]]:
    """A shuffled deck (the pile `deal`, whose top is dealt first) as hands in seat order."""
    order = after(seats, dealer)
    cards = dice.shuffled(deck(len(seats)), "deal")
    return {seat: in_order(cards[order.index(seat) :: len(seats)]) for seat in seats}


def after(seats: Sequence[Seat], dealer: Seat) -> list[Seat]:
    """Everybody clockwise, the dealer last."""
    start = seats.index(dealer) + 1
    return [*seats[start:], *seats[:start]]


def ten_cards(seats: Sequence[Seat], dealer: Seat) -> list[Seat]:
    """The two players with ten cards: the two after the dealer."""
    return after(seats, dealer)[:2]
