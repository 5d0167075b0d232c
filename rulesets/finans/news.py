"""Financial News: a card concerns everybody, at once or until the next one is drawn (rulebook; A23).

Where several pay, the drawer is first, then the others in turn order (A24).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from judge.core.ruleset import Event, Seat
from rulesets.finans.bonds import big_draw
from rulesets.finans.box import NEWS, SHARES, News
from rulesets.finans.debts import settle
from rulesets.finans.dividends import bank_dividend
from rulesets.finans.events import Amnesty, NewsDrawn
from rulesets.finans.groups import is_immune
from rulesets.finans.payments import BankDividends, ForcedSale, PremiumPaid, TaxPaid
from rulesets.finans.table import Table


def draw_news(table: Table, seat: Seat) -> Iterator[Event]:
    """The top card: the one that lay open ends, and goes under the pile."""
    state = table.state
    card = NEWS[state.news.pop(0)]
    ended, state.face_up = state.face_up, card.id if card.until_further_notice else None
    if ended is not None:
        state.news.append(ended)
    yield NewsDrawn(seat=seat, card=card.id, ended=ended)
    if not card.until_further_notice:
        yield from _EFFECTS[card.effect["kind"]](table, seat, card)
        state.news.append(card.id)


def _sweepstakes(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    yield from big_draw(table, drawer)


def _dividends(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    groups = tuple(card.effect["groups"])
    for seat in table.state.next_from(drawer):
        amount = bank_dividend(table.state, seat, groups)
        if amount:
            yield table.paid(BankDividends(payer=None, payee=seat, amount=amount, groups=groups))


def _collect(table: Table, drawer: Seat, card: News, due: Callable[[Seat], int]) -> Iterator[Event]:
    """Everybody pays the Bank what is due; if that leaves one player, he owes nothing."""
    for seat in table.state.next_from(drawer):
        if table.state.over:
            return
        amount = due(seat)
        if amount:
            yield from settle(table, seat, [TaxPaid(payer=seat, payee=None, amount=amount, card=card.id)])


def _property_tax(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    def due(seat: Seat) -> int:
        lots = [table.state.properties[key] for key in table.state.lots_of(seat)]
        return sum(int(card.effect["per_built" if lot.built else "per_lot"]) for lot in lots)

    yield from _collect(table, drawer, card, due)


def _wealth_tax(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    def due(seat: Seat) -> int:
        over = max(0, table.sheet(seat).cash - int(card.effect["above"]))
        return over * int(card.effect["percent"]) // 100 // 1000 * 1000

    yield from _collect(table, drawer, card, due)


def _road_tax(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    yield from _collect(table, drawer, card, lambda seat: int(card.effect["amount"]) * table.sheet(seat).car)


def _fall_in_prices(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    def due(seat: Seat) -> int:
        held = [key for key in table.state.shares_of(seat) if not is_immune(table.state, key)]
        return sum(SHARES[key].nominal for key in held) * int(card.effect["percent"]) // 100

    yield from _collect(table, drawer, card, due)


def _premium(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    for seat in table.state.next_from(drawer):
        if not table.sheet(seat).loans:
            yield table.paid(PremiumPaid(payer=None, payee=seat, amount=int(card.effect["amount"]), card=card.id))


def _break_up(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    """Whoever holds most shares sells the cheapest one outside complete groups at cost; of equal holders all."""
    state = table.state
    held = {seat: state.shares_of(seat) for seat in state.next_from(drawer)}
    most = max(map(len, held.values()))
    for seat, shares in held.items():
        free = [key for key in shares if not is_immune(state, key)]
        if len(shares) == most and free:
            share = min(free, key=lambda key: SHARES[key].nominal)
            state.shares[share] = None
            price = SHARES[share].nominal * int(card.effect["price_percent"]) // 100
            yield table.paid(ForcedSale(payer=None, payee=seat, amount=price, thing=share))


def _amnesty(table: Table, drawer: Seat, card: News) -> Iterator[Event]:
    freed = tuple(seat for seat in table.state.next_from(drawer) if table.sheet(seat).missing)
    for seat in freed:
        table.sheet(seat).missing = 0
    yield Amnesty(freed=freed)


_EFFECTS: Mapping[str, Callable[[Table, Seat, News], Iterator[Event]]] = {
    "sweepstakes": _sweepstakes,
    "dividends": _dividends,
    "tax_property": _property_tax,
    "tax_cash": _wealth_tax,
    "tax_car": _road_tax,
    "bank_pays": _premium,
    "levy_shares": _fall_in_prices,
    "forced_sale_share": _break_up,
    "amnesty": _amnesty,
}
