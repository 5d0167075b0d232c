"""Building: on squares 17 and 40 or with a permit, before the throw (rulebook, "Building"; A10, A23, A25)."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import BUILDERS, PROPERTIES
from rulesets.finans.mortgage import not_owned, too_dear
from rulesets.finans.names import title
from rulesets.finans.orders import Build
from rulesets.finans.payments import Built
from rulesets.finans.state import FinansState
from rulesets.finans.table import Table, rule_of

PERMIT = "permit"


def building_cost(state: FinansState, key: str) -> int:
    """The card's price, or the part of it that the news asks, rounded up to 1,000."""
    percent: int = rule_of(state, "build_cost_percent", 100)
    return -(-PROPERTIES[key].building * percent // 100_000) * 1000


def build(table: Table, seat: Seat, line: Build) -> Iterator[Event]:
    sheet = table.sheet(seat)
    if sheet.square not in BUILDERS and PERMIT not in sheet.tips:
        text = Text.of("Square {number} is no place to build without a permit.", number=sheet.square)
        yield from table.skip(seat, line, text, here=False)
        return
    if table.rule("no_building", False):
        yield from table.skip(seat, line, Text.of("There is a building stop."))
        return
    for key in line.properties:
        lot, cost = table.state.properties[key], building_cost(table.state, key)
        if lot.owner != seat:
            yield from table.skip(seat, line, not_owned(key), here=False)
        elif lot.built:
            text = Text.of("{thing} is built on already.", thing=title(key))
            yield from table.skip(seat, line, text, here=False)
        elif lot.mortgaged:
            yield from table.skip(seat, line, Text.of("{thing} is mortgaged.", thing=title(key)))
        elif (why := too_dear(key, cost, sheet.cash, line.keep)) is not None:
            yield from table.skip(seat, line, why)
        else:
            lot.built = True
            if sheet.square not in BUILDERS:
                table.use(PERMIT)
            yield table.paid(Built(payer=seat, payee=None, amount=cost, property=key))


def wear_permit(table: Table, seat: Seat) -> Iterator[Event]:
    """A permit is kept (printed); with the option it serves so many turns in which it builds."""
    sheet, uses = table.sheet(seat), table.state.options.permit_uses
    if not table.used.get(PERMIT) or not uses:
        return
    sheet.permit_turns += 1
    if sheet.permit_turns >= uses:
        sheet.permit_turns = 0
        yield table.return_tip(seat, PERMIT)
