"""Mortgages, redemption at 110 per cent, and the Bank's repurchase (rulebook, "Mortgaging", "Repurchasing")."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Money, Text
from rulesets.finans.box import CAR, MONEY, PROPERTIES, SHARE_SORTS, SHARES
from rulesets.finans.names import title
from rulesets.finans.orders import Mortgage, Redeem, Sell
from rulesets.finans.payments import Mortgaged, Redeemed, SoldBack
from rulesets.finans.state import Lot, Position
from rulesets.finans.table import Table


def cost_value(state: Position, thing: str) -> int:
    """What a property with its building, or a share, costs; a building at the card's price (A23)."""
    if thing in SHARES:
        return SHARES[thing].nominal
    card = PROPERTIES[thing]
    return card.price + card.building * state.properties[thing].built


def mortgage_value(state: Position, key: str) -> int:
    card = PROPERTIES[key]
    return card.mortgage_built if state.properties[key].built else card.mortgage


def redemption(state: Position, key: str) -> int:
    """The mortgage and ten per cent."""
    return mortgage_value(state, key) * MONEY.redeem_percent // 100


def repurchase_value(state: Position, thing: str) -> int:
    """What the Bank pays for a property with its building, a share, or the car."""
    if thing == CAR:
        return MONEY.car_resale
    if thing in SHARES:
        return SHARES[thing].repurchase
    card = PROPERTIES[thing]
    return card.repurchase_built if state.properties[thing].built else card.repurchase


def mortgage(table: Table, seat: Seat, key: str) -> Mortgaged:
    amount = mortgage_value(table.state, key)
    table.state.properties[key].mortgaged = True
    return table.paid(Mortgaged(payer=None, payee=seat, amount=amount, property=key))


def sell_back(table: Table, seat: Seat, thing: str) -> SoldBack:
    """To the Bank; a property is for sale bare from then on (A10)."""
    state = table.state
    amount = repurchase_value(state, thing)
    built = thing in PROPERTIES and state.properties[thing].built
    if thing == CAR:
        table.sheet(seat).car = False
    elif thing in SHARES:
        state.shares[thing] = None
    else:
        state.properties[thing] = Lot()
    return table.paid(SoldBack(payer=None, payee=seat, amount=amount, thing=thing, built=built))


def mortgage_lots(table: Table, seat: Seat, line: Mortgage) -> Iterator[Event]:
    for key in line.properties:
        lot = table.state.properties[key]
        if lot.owner != seat:
            yield from table.skip(seat, line, not_owned(key), here=False)
        elif lot.mortgaged:
            yield from table.skip(seat, line, Text.of("{thing} is mortgaged already.", thing=title(key)), here=False)
        else:
            yield mortgage(table, seat, key)


def redeem_lots(table: Table, seat: Seat, line: Redeem) -> Iterator[Event]:
    sheet = table.sheet(seat)
    for key in line.properties:
        lot, price = table.state.properties[key], redemption(table.state, key)
        if lot.owner != seat:
            yield from table.skip(seat, line, not_owned(key), here=False)
        elif not lot.mortgaged:
            yield from table.skip(seat, line, Text.of("{thing} is not mortgaged.", thing=title(key)), here=False)
        elif (why := too_dear(key, price, sheet.cash, line.keep)) is not None:
            yield from table.skip(seat, line, why)
        else:
            lot.mortgaged = False
            yield table.paid(Redeemed(payer=seat, payee=None, amount=price, property=key))


def sell_things(table: Table, seat: Seat, line: Sell) -> Iterator[Event]:
    """One after the other; a mortgaged property has to be redeemed first."""
    for thing in line.things:
        found = owned(table, seat, thing)
        if found is None:
            yield from table.skip(seat, line, not_owned(thing), here=False)
        elif found in PROPERTIES and table.state.properties[found].mortgaged:
            text = Text.of("{thing} is mortgaged, and has to be redeemed first.", thing=title(found))
            yield from table.skip(seat, line, text)
        else:
            yield sell_back(table, seat, found)


def owned(table: Table, seat: Seat, thing: str) -> str | None:
    """The paper of a player that a name stands for: shares of a sort are alike."""
    if thing == CAR:
        return CAR if table.sheet(seat).car else None
    if thing in PROPERTIES:
        return thing if table.state.properties[thing].owner == seat else None
    return next((share.key for share in SHARE_SORTS[thing] if table.state.shares[share.key] == seat), None)


def not_owned(thing: str) -> Text:
    if thing == CAR:
        return Text.of("There is no car.")
    return Text.of("{thing} belongs to somebody else.", thing=title(thing))


def too_dear(thing: str, price: int, cash: int, keep: int | None) -> Text | None:
    """Why the cash does not allow it; None if it does."""
    named = Text.of("the car") if thing == CAR else title(thing)
    if price > cash:
        return Text.of(
            "There are only {cash}, and {thing} costs {price}.", cash=Money(cash), thing=named, price=Money(price)
        )
    if keep is not None and cash - price < keep:
        return Text.of(
            "Of {cash} less than {keep} would be left: {thing} costs {price}.",
            cash=Money(cash),
            keep=Money(keep),
            thing=named,
            price=Money(price),
        )
    return None
