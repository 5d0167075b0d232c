"""Jail: square 24 and the way there from square 37 (rulebook, "Jail"; A17, A18).

A jail pass is used at once unless its owner's standing order keeps it.  A player in jail collects rent and dividends
and takes part in sweepstakes.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import BOX, JAIL
from rulesets.finans.events import GoToJailThrown, Jailed, JailPassUsed, MovedByCard, NothingHappens
from rulesets.finans.policies import JailPass
from rulesets.finans.table import Table

PASS = "jail_pass"


def enter_jail(table: Table, seat: Seat) -> Iterator[Event]:
    """One die says how many turns are missed, unless there is a pass."""
    sheet = table.sheet(seat)
    sheet.from_jail = True
    if PASS in sheet.tips and _uses_pass(table, seat):
        yield JailPassUsed(seat=seat)
        yield table.return_tip(seat, PASS)
        return
    die = table.roll()
    sheet.missing = BOX.jail.missed_turns[die]
    yield Jailed(seat=seat, die=die, turns=sheet.missing)


def _uses_pass(table: Table, seat: Seat) -> bool:
    wishes = table.lines(seat, JailPass)
    return not wishes or wishes[-1].use == "use"


def go_to_jail(table: Table, seat: Seat) -> Iterator[Event]:
    """Straight to square 24."""
    sheet = table.sheet(seat)
    yield MovedByCard(seat=seat, origin=sheet.square, square=JAIL)
    sheet.square = JAIL
    yield from enter_jail(table, seat)


def land_on_go_to_jail(table: Table, seat: Seat) -> Iterator[Event]:
    """On 1 or 2 he goes; not valid for whoever has not passed square 1 since jail."""
    if table.sheet(seat).from_jail:
        yield NothingHappens(seat=seat, why=Text.of("coming from jail, this square is not valid."))
        return
    die = table.roll()
    goes = die in BOX.jail.go_on
    yield GoToJailThrown(seat=seat, die=die, goes=goes)
    if goes:
        yield from go_to_jail(table, seat)
