"""Seals of orders: what is opened must be what was sealed, line by line."""

from __future__ import annotations

from collections.abc import Collection

from judge.core.record import Closed, Resolved
from judge.core.seal import Opens, OrdersPlace, SealedPart, seal_set, set_commitment
from judge.core.text import Text
from judge.verification.verdict import DoesNotHold


def check_closed(closed: Closed, seats: Collection[str]) -> None:
    """Every seat that was asked has an origin of its orders, and a seal if it gave any."""
    for seat, entry in closed.seats.items():
        if seat not in seats:
            raise DoesNotHold(Text.of("There is no such seat in this game."), seat)
        if (entry.commitment is not None) != (entry.how in ("posted", "standing")):
            raise DoesNotHold(Text.of("Orders without a seal, or a seal without orders."), seat)
    for seat in closed.void:
        if seat not in seats:
            raise DoesNotHold(Text.of("There is no such seat in this game."), seat)
    hows = {entry.how for entry in closed.seats.values()}
    if closed.why == "forced" and hows - {"forced"}:
        raise DoesNotHold(Text.of("The turn was closed because nobody had anything to decide, but somebody had."))
    if closed.why == "complete" and "missed" in hows:
        missed = next(seat for seat, entry in closed.seats.items() if entry.how == "missed")
        raise DoesNotHold(
            Text.of("The turn was closed because all had posted, but this seat counts as absent."), missed
        )
    if closed.why == "deadline" and (closed.deadline is None or closed.at < closed.deadline):
        raise DoesNotHold(Text.of("The turn was closed at its deadline, but that had not come."))


def check_opened(game: str, closed: Closed, resolved: Resolved, hidden: bytes | None) -> None:
    """The sets that open with a turn: each must be the one whose seal was published when the turn closed.

    With the hidden secret the salts are made again, so that a changed line is named.
    """
    sealed = [seat for seat, entry in closed.seats.items() if entry.commitment is not None]
    _demand_seats(resolved.sets.keys(), sealed)
    _demand_seats(resolved.filled.keys(), [seat for seat in closed.seats if seat not in sealed])
    for seat, opened in resolved.sets.items():
        place = OrdersPlace(game=game, turn=resolved.turn, version=resolved.version, seat=seat)
        if opened.parts.keys() - {"turn"} or opened.closed.keys() - {"game"} or not (opened.parts or opened.closed):
            raise DoesNotHold(Text.of("A part of this set opens too early or too late."), seat)
        if hidden is not None:
            for opens, part in opened.parts.items():
                check_salts(hidden, place, opens, part)
        commitments = {opens: part.commitment for opens, part in opened.parts.items()} | opened.closed
        if set_commitment(place, commitments) != closed.seats[seat].commitment:
            raise DoesNotHold(
                Text.of("These orders are not the ones whose seal was published when the turn closed."), seat
            )


def check_salts(hidden: bytes, place: OrdersPlace, opens: Opens, part: SealedPart) -> None:
    """Each salt must follow from the game's hidden secret and from what it hides: nobody could choose it."""
    made = seal_set(hidden, place, {opens: part.orders}).parts[opens]
    turn = (place.turn, place.version)
    for number, (line, right) in enumerate(zip(part.lines, made.lines, strict=True), 1):
        if line.salt != right.salt:
            raise DoesNotHold(
                Text.of("This order is not the one that was sealed: its salt does not fit."), place.seat, number, turn
            )
    if part.salt != made.salt:
        raise DoesNotHold(
            Text.of("These orders are not the ones that were sealed: the salt of the set does not fit."),
            place.seat,
            turn=turn,
        )


def _demand_seats(given: Collection[str], wanted: Collection[str]) -> None:
    for seat in sorted(set(given) ^ set(wanted)):
        if seat in wanted:
            raise DoesNotHold(Text.of("The orders of this seat are missing from the result."), seat)
        raise DoesNotHold(Text.of("The result holds orders of this seat that were not under its seal."), seat)
