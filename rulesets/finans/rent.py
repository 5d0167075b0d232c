"""Rent: for a property of somebody else, built on or not; double in a complete group (rulebook, "Rent"; A20).

It is claimed by the judge unless its owner waives it; with the option the owner's orders of the round must claim it.
A player in jail collects rent as usual.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from rulesets.finans.box import PROPERTIES
from rulesets.finans.debts import settle
from rulesets.finans.events import RentNotTaken
from rulesets.finans.groups import group_of, owner_of_group
from rulesets.finans.payments import RentPaid
from rulesets.finans.policies import ClaimRent, WaiveRent
from rulesets.finans.state import FinansState
from rulesets.finans.table import Table


def rent(state: FinansState, key: str) -> int:
    """What the card says, doubled if its owner has the whole group; nothing for a mortgaged property."""
    lot, card = state.properties[key], PROPERTIES[key]
    if lot.owner is None or lot.mortgaged:
        return 0
    once = card.rent_built if lot.built else card.rent_lot
    return once * 2 if owner_of_group(state, group_of(key)) is not None else once


def pay_rent(table: Table, guest: Seat, key: str) -> Iterator[Event]:
    owner, amount = table.state.properties[key].owner, rent(table.state, key)
    if owner is None or owner == guest or not amount or group_of(key) in table.rule("no_rent_groups", ()):
        return
    if any(line.properties is None or key in line.properties for line in table.lines(owner, WaiveRent)):
        yield RentNotTaken(seat=owner, guest=guest, property=key, why="waived")
    elif table.state.options.rent == "claimed" and not _claims(table, owner, key):
        yield RentNotTaken(seat=owner, guest=guest, property=key, why="not claimed")
    else:
        doubled = owner_of_group(table.state, group_of(key)) is not None
        yield from settle(
            table, guest, [RentPaid(payer=guest, payee=owner, amount=amount, property=key, doubled=doubled)]
        )


def _claims(table: Table, owner: Seat, key: str) -> bool:
    return any(line.properties is None or key in line.properties for line in table.lines(owner, ClaimRent))
