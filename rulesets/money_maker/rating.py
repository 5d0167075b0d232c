"""Promotion and degradation (rulebook, "Promotion and Degradation")."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from rulesets.money_maker.paying import place
from rulesets.money_maker.plans import last
from rulesets.money_maker.prison import go_bankrupt, is_imprisoned, leave
from rulesets.money_maker.run_events import Degraded, Promoted
from rulesets.money_maker.standing import Promote
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import PRISON, RATINGS, TABLES, ring_of


def reachable(rating: int, paid: int) -> int:
    """The rating that a sum paid at once reaches: several steps, if it covers all their thresholds (Fig. 14).

    >>> reachable(1, 29), reachable(1, 30), reachable(2, 20)
    (2, 3, 3)
    """
    while PRISON < rating < len(TABLES.ring) and paid >= ring_of(rating + 1).need:
        paid -= ring_of(rating + 1).need
        rating += 1
    return rating


def promote(state: TableState, seat: Seat, paid: int) -> Iterator[Event]:
    """Optional, by the bank's lasting instruction; taken as far as it goes if there is none (B13)."""
    bank = state.banks[seat]
    line = last(state, seat, Promote)
    most = len(RATINGS) if line is None else bank.rating if line.never else RATINGS.index(line.rating) + 1
    after = min(reachable(bank.rating, paid), max(most, bank.rating))
    if after > bank.rating:
        before, bank.rating = bank.rating, after
        yield Promoted(seat=seat, before=before, after=after, paid=paid, board=redistribute(state, seat, bank.debt))


def rise(state: TableState, seat: Seat, paid: int) -> Iterator[Event]:
    """By debts that the bank has paid itself it is promoted (B13); out of prison it comes to ring I only (B17)."""
    yield from leave(state, seat) if is_imprisoned(state, seat) else promote(state, seat, paid)


def redistribute(state: TableState, seat: Seat, credit: int) -> tuple[int, ...]:
    """So much own credit on the blocks of the bank's new ring, by its owner's placement (B14)."""
    bank = state.banks[seat]
    bank.board = [0] * len(ring_of(bank.rating).blocks)
    place(state, seat, seat, credit)
    return tuple(bank.board)


def degrade(state: TableState, seat: Seat, unpaid: int) -> Iterator[Event]:
    """One rating lower, from ring I into prison, from prison out of the game; unpaid credit goes back on the ring."""
    bank = state.banks[seat]
    if bank.rating == PRISON:
        yield from go_bankrupt(state, seat)
        return
    before, bank.rating = bank.rating, bank.rating - 1
    board = redistribute(state, seat, bank.debt + unpaid)
    yield Degraded(seat=seat, before=before, after=bank.rating, unpaid=unpaid, board=board)
