"""Bonds and both sweepstakes (rulebook, "Buying Bonds", "Bond Sweepstakes", "Square 46"; A21)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from judge.core.ruleset import Event, Seat
from rulesets.finans.box import BOX, MONEY
from rulesets.finans.events import SweepstakesDrawn
from rulesets.finans.payments import BondBought, PrizeWon
from rulesets.finans.policies import Bonds
from rulesets.finans.table import Table


def buy_bond(table: Table, seat: Seat) -> Iterator[Event]:
    """One bond: the first of the numbers on the player's list that the Bank still has."""
    wishes = table.lines(seat, Bonds)
    if not wishes:
        return
    wish, sheet, free = wishes[-1], table.sheet(seat), table.state.free_bonds()
    number = next((number for number in wish.numbers if number in free), None)
    if number is None or sheet.cash - MONEY.bond_price < (wish.keep or 0):
        return
    sheet.bonds = sorted([*sheet.bonds, number])
    yield table.paid(BondBought(payer=seat, payee=None, amount=MONEY.bond_price, number=number))


def land_on_bonds(table: Table, seat: Seat) -> Iterator[Event]:
    """Square 46: for whoever lands there; in good times for everybody in turn order."""
    everybody = table.rule("state", None) == "good"
    for other in table.state.next_from(seat) if everybody else [seat]:
        yield from buy_bond(table, other)


def land_on_small_draw(table: Table, seat: Seat) -> Iterator[Event]:
    """Square 45: only who landed there buys, then the Small Sweepstakes are drawn."""
    yield from buy_bond(table, seat)
    yield from draw(table, "small")


def big_draw(table: Table, seat: Seat) -> Iterator[Event]:
    """The news: who drew it buys first, then the others in turn; then the Big Sweepstakes are drawn."""
    for other in table.state.next_from(seat):
        yield from buy_bond(table, other)
    yield from draw(table, "big")


def winning_numbers(one: int, other: int) -> tuple[int, int, int]:
    """The total, the higher die, the lower die; of doubles one less than the die, and 12 of two 1's."""
    high, low = max(one, other), min(one, other)
    if high != low:
        return one + other, high, low
    return one + other, high, high - 1 if high > 1 else BOX.sweepstakes.bonds


def draw(table: Table, size: Literal["big", "small"]) -> Iterator[Event]:
    """The banker throws both dice; a bond that wins goes back to the Bank at once."""
    dice = table.roll_two()
    numbers = winning_numbers(*dice)
    yield SweepstakesDrawn(size=size, dice=dice, numbers=numbers)
    prizes: Sequence[int] = BOX.sweepstakes.big if size == "big" else BOX.sweepstakes.small
    for place, (number, prize) in enumerate(zip(numbers, prizes, strict=True), 1):
        for seat in table.state.alive:
            if number in table.sheet(seat).bonds:
                table.sheet(seat).bonds.remove(number)
                yield table.paid(PrizeWon(payer=None, payee=seat, amount=prize, number=number, place=place))
