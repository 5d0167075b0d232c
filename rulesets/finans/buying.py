"""Buying a car, properties and shares (rulebook, "Buying a Car", "Buying Properties and Shares"; A6).

Properties and shares only on square 11 and in the head office of the Bank, before the throw, one of each a turn.  The
car on any square.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import BRANCH, CAR, HEAD_OFFICE, MONEY, PROPERTIES, SHARE_SORTS, SHARES
from rulesets.finans.completing import completed
from rulesets.finans.mortgage import too_dear
from rulesets.finans.names import title
from rulesets.finans.orders import Buy
from rulesets.finans.payments import Bought
from rulesets.finans.state import FinansState
from rulesets.finans.table import Table


def may_buy_here(square: int) -> bool:
    return square == BRANCH or square in HEAD_OFFICE


def price(thing: str) -> int:
    """What the Bank takes for a property, a share (or a sort of shares) or a car."""
    if thing == CAR:
        return MONEY.car_price
    if thing in PROPERTIES:
        return PROPERTIES[thing].price
    return SHARES[thing].nominal if thing in SHARES else SHARE_SORTS[thing][0].nominal


def for_sale(state: FinansState, thing: str) -> str | None:
    """The paper that the Bank would sell under this name; None if it has none."""
    if thing in PROPERTIES:
        return thing if state.properties[thing].owner is None else None
    return next((share.key for share in SHARE_SORTS[thing] if state.shares[share.key] is None), None)


def sort_of(thing: str) -> str:
    """What there is one of in a turn."""
    return CAR if thing == CAR else "property" if thing in PROPERTIES else "share"


def buy(table: Table, seat: Seat, line: Buy) -> Iterator[Event]:
    """The first car, property and share of the wish list that can be had; if there is none, all the reasons."""
    reasons: list[Text] = []
    bought: set[str] = set()
    here = True
    for thing in line.things:
        if sort_of(thing) in bought:
            continue
        why, place_is_right = why_not(table, seat, thing, line.keep)
        if why is not None:
            reasons.append(why)
            here = here and place_is_right
            continue
        bought.add(sort_of(thing))
        yield from take(table, seat, thing)
    if reasons and not bought:
        yield from table.skip(seat, line, reasons, here=here)


def why_not(table: Table, seat: Seat, thing: str, keep: int | None) -> tuple[Text | None, bool]:
    """What keeps a player from buying this now, and whether it is something else than the place."""
    sheet = table.sheet(seat)
    if thing == CAR:
        if sheet.car:
            return Text.of("Nobody has more than one car."), False
    elif not may_buy_here(sheet.square):
        return Text.of("Square {number} is no place to buy papers.", number=sheet.square), False
    elif table.used.get(sort_of(thing)):
        if thing in PROPERTIES:
            return Text.of("One property a turn."), True
        return Text.of("One share a turn."), True
    elif for_sale(table.state, thing) is None:
        return Text.of("The Bank has no {thing}.", thing=title(thing)), False
    return too_dear(thing, price(thing), sheet.cash, keep), True


def take(table: Table, seat: Seat, thing: str) -> Iterator[Event]:
    """The purchase."""
    table.use(sort_of(thing))
    yield from hand_over(table, seat, thing)


def hand_over(table: Table, seat: Seat, thing: str) -> Iterator[Event]:
    """The Bank sells a car, or a paper that it has, wherever the player stands."""
    paper = CAR if thing == CAR else for_sale(table.state, thing)
    assert paper is not None
    if paper == CAR:
        table.sheet(seat).car = True
    else:
        table.state.hand(paper, seat)
    yield table.paid(Bought(payer=seat, payee=None, amount=price(paper), thing=paper))
    yield from completed(table)
