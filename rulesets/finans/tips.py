"""Market tips: a card for whoever lands there, followed at once and put back, unless it is kept (rulebook; A22).

Where several pay, the drawer is first, then the others in turn order; the last one standing owes nothing (A24).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import BANK_ENTRANCE, GROUPS, HEAD_OFFICE, TIPS, Tip
from rulesets.finans.debts import settle
from rulesets.finans.dividends import best_group, pay_dividends, receive_dividends
from rulesets.finans.events import MovedByCard, NothingHappens, TipDrawn
from rulesets.finans.jail import go_to_jail
from rulesets.finans.news import draw_news
from rulesets.finans.payments import TipPaid
from rulesets.finans.table import Table
from rulesets.finans.trades import offer, raid, swap

Land = Callable[[Table, Seat], Iterator[Event]]
"""What a square does to whoever comes to it."""


def draw_tip(table: Table, seat: Seat, land: Land) -> Iterator[Event]:
    """The top card; `land` does what a square says to which the card moves the piece."""
    card = TIPS[table.state.tips.pop(0)]
    yield TipDrawn(seat=seat, card=card.id)
    if card.keep:
        table.sheet(seat).tips.append(card.id)
        return
    if card.effect["kind"] == "move":
        yield from _move(table, seat, card, land)
    else:
        yield from _EFFECTS[card.effect["kind"]](table, seat, card)
    table.state.tips.append(card.id)


def _move(table: Table, seat: Seat, card: Tip, land: Land) -> Iterator[Event]:
    """Forward to the next of these squares, never past 34 or 1; the way to 34 ends there."""
    sheet = table.sheet(seat)
    inside = sheet.square in (BANK_ENTRANCE, *HEAD_OFFICE)
    last = max(HEAD_OFFICE) if inside else BANK_ENTRANCE
    target = next((square for square in card.effect["to"] if sheet.square < square <= last), None)
    if target is not None:
        yield MovedByCard(seat=seat, origin=sheet.square, square=target)
        sheet.square = target
        yield from land(table, seat)
    elif "else_amount" in card.effect:
        yield _from_bank(table, seat, card, int(card.effect["else_amount"]))
    else:
        yield NothingHappens(seat=seat, why=Text.of("there is no such square on the way."))


def _from_bank(table: Table, seat: Seat, card: Tip, amount: int) -> TipPaid:
    return table.paid(TipPaid(payer=None, payee=seat, amount=amount, card=card.id))


def _news(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    yield from draw_news(table, seat)


def _dividends(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    groups = GROUPS if card.effect["groups"] == "all" else [best_group(table.state, seat)]
    yield from receive_dividends(table, seat, groups)


def _pay_dividends(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    yield from pay_dividends(table, seat)


def _bank_pays(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    yield _from_bank(table, seat, card, int(card.effect["amount"]))


def _pay_bank(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    """A fixed sum, or so much for each built-on property, or for a car."""
    state, amount = table.state, int(card.effect["amount"])
    match card.effect["kind"]:
        case "pay_bank_per_built":
            amount *= sum(state.properties[key].built for key in state.lots_of(seat))
        case "pay_bank_if_car":
            amount *= table.sheet(seat).car
    if amount:
        yield from settle(table, seat, [TipPaid(payer=seat, payee=None, amount=amount, card=card.id)])
    else:
        yield NothingHappens(seat=seat, why=Text.of("nothing is due."))


def _collect_each(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    for other in table.opponents(seat):
        if table.state.over:
            return
        yield from settle(
            table, other, [TipPaid(payer=other, payee=seat, amount=int(card.effect["amount"]), card=card.id)]
        )


def _pay_each(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    amount = int(card.effect["amount"])
    due = [TipPaid(payer=seat, payee=other, amount=amount, card=card.id) for other in table.opponents(seat)]
    yield from settle(table, seat, due)


def _arrest(table: Table, seat: Seat, card: Tip) -> Iterator[Event]:
    yield from go_to_jail(table, seat)


_EFFECTS: Mapping[str, Callable[[Table, Seat, Tip], Iterator[Event]]] = {
    "draw_news": _news,
    "dividends": _dividends,
    "pay_dividends": _pay_dividends,
    "bank_pays": _bank_pays,
    "pay_bank": _pay_bank,
    "pay_bank_per_built": _pay_bank,
    "pay_bank_if_car": _pay_bank,
    "collect_each": _collect_each,
    "pay_each": _pay_each,
    "go_to_jail": _arrest,
    "buy_bank": offer,
    "buy_player": raid,
    "swap_share": swap,
}
