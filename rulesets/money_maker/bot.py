"""A simple, honest opponent: pays for what earns, keeps its debts near its gold, and helps for a price.

It sees the public table and its own vault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat
from rulesets.money_maker.exchanges import Accept, Done, Offer
from rulesets.money_maker.orders import ALL, Bid, BuyAction, Open, PayOff, Produce, Sell, StartBid
from rulesets.money_maker.plays import (
    OWN_TURN,
    Play,
    PlayAudit,
    PlayCalm,
    PlayClearing,
    PlayFire,
    PlayFleet,
    PlayGrace,
    PlayNight,
    PlayRaise,
    PlayReroll,
    PlayWind,
)
from rulesets.money_maker.standing import Borrow, Lend, Pay
from rulesets.money_maker.tables import COLOURS, COMPANIES, SETUP, Card, Colour, ring_of
from rulesets.money_maker.view import TableView, VaultView

HORIZON = 5
"""Turns for which it reckons with a company's goods."""

RESERVE = 6
"""Gold that it does not spend on action cards."""


def bot(view: TableView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    """Orders of the kinds asked, never against a rule: what its ask objects to is left out."""
    if ask.forced is not None or view.vault is None:
        return ask.forced or ()
    match view.phase:
        case "start bid":
            wanted: list[Order] = [StartBid(most=dice.roll(3))]
        case "rescue":
            wanted = list(negotiate(view, seat, view.vault))
        case _:
            wanted = list(order_turn(view, seat, view.vault, dice))
    orders = [order for order in wanted if isinstance(order, ask.kinds)]
    while any(not problem.warning for problem in ask.problems(orders)):
        orders.pop()
    return orders


def worth(view: TableView, seat: Seat, card: Card) -> int:
    """What a company should bring: its goods for some turns, and its own value at the end."""
    company = COMPANIES[card]
    if company.mode == "trade":
        return company.ask_n * 2
    colour: Colour = "production" if company.out == "production" else "consumer"
    kin = any(COMPANIES[own].guild == company.guild for own in view.banks[seat].cards)
    price = max(1, min(4, view.markets[colour].selling_price))
    return (company.out_n + kin) * price * HORIZON // 2 + company.ask_n * view.markets[company.ask].buying_price


def budget(view: TableView, seat: Seat, vault: VaultView) -> int:
    """Gold, and some credit as long as debts are no more than the gold that could pay them."""
    bank = view.banks[seat]
    owed = bank.credit_on_board + bank.credit_to_others
    return vault.gold + max(0, vault.gold + sum(vault.goods.values()) + 8 * bank.rating - owed)


def order_turn(view: TableView, seat: Seat, vault: VaultView, dice: Dice) -> Iterator[Order]:
    most = budget(view, seat, vault)
    own = view.phase == "round" or view.active == seat
    cards = [*view.row, *view.forecast]
    bids = {card: min(most, worth(view, seat, card) - 3 + dice.roll(5)) for card in cards}
    if view.phase == "round" or not own:
        yield from (Bid(card=card, most=bid) for card, bid in bids.items() if bid > 0)
    if own:
        yield from own_turn(view, seat, vault, dice, bids)
    yield Pay(means="credit" if vault.gold > view.banks[seat].credit_on_board else "others")
    yield Lend(most=vault.gold // 3, gold=3, credit=6 + dice.roll(3))
    yield Borrow(credit=4)
    yield from triggers(view, seat, vault, dice)


def own_turn(view: TableView, seat: Seat, vault: VaultView, dice: Dice, bids: dict[Card, int]) -> Iterator[Order]:
    """Promotion by the alternative step if it can be had; else the most promising cards, and goods at a fair price."""
    bank = view.banks[seat]
    block = max(range(len(bank.board)), key=bank.board.__getitem__)
    need = ring_of(bank.rating + 1).need if 0 < bank.rating < 6 else 0
    able = vault.gold + sum(bank.claims.values()) // 2
    if need and need <= bank.board[block] <= able - 2:
        yield PayOff(sector=bank.blocks[block][0])
    else:
        ranked = sorted(bids, key=lambda card: view.opening_prices.get(card, 0) - bids[card])
        yield from (Open(card=card, most=bids[card]) for card in ranked if bids[card] > 0)
        yield from own_plays(view, seat, vault, dice)
        yield Produce(card=ALL)
        hard_up = vault.gold < bank.credit_on_board
        for colour in COLOURS:
            yield Sell(colour=colour, price=None if hard_up or view.markets[colour].selling_price < 2 else 2)
    if vault.gold >= SETUP.action_price + RESERVE + bank.credit_on_board:
        yield BuyAction()


def own_plays(view: TableView, seat: Seat, vault: VaultView, dice: Dice) -> Iterator[Play]:
    """The cards in hand that help now."""
    others = [other for other, bank in view.banks.items() if other != seat and not bank.bankrupt]
    for kind in OWN_TURN:
        if kind.action.name not in vault.actions:
            continue
        if kind is PlayFire:
            yield PlayFire(colour=min(COLOURS, key=lambda colour: view.markets[colour].buying_price))
        elif kind is PlayFleet:
            yield PlayFleet(colour=max(COLOURS, key=lambda colour: view.markets[colour].buying_price))
        elif kind is PlayAudit and others:
            yield PlayAudit(bank=others[dice.roll(len(others)) - 1])
        elif kind is PlayClearing and (held := [other for other in others if view.banks[seat].claims[other]]):
            yield PlayClearing(bank=held[0])
        elif kind is PlayNight:
            makers = [card for card in view.banks[seat].cards if COMPANIES[card].mode == "produce"]
            if makers:
                yield PlayNight(card=max(makers, key=lambda card: COMPANIES[card].out_n))


def triggers(view: TableView, seat: Seat, vault: VaultView, dice: Dice) -> Iterator[Order]:
    if PlayCalm.action.name in vault.actions:
        yield PlayCalm(steps=1)
    if PlayGrace.action.name in vault.actions:
        yield PlayGrace()
    if PlayReroll.action.name in vault.actions:
        yield PlayReroll(face="blue")
    if PlayRaise.action.name in vault.actions:
        yield PlayRaise()
    bank = view.banks[seat]
    if PlayWind.action.name in vault.actions and len(bank.board) > 1:
        heavy = bank.blocks[max(range(len(bank.board)), key=bank.board.__getitem__)]
        light = bank.blocks[min(range(len(bank.board)), key=bank.board.__getitem__)]
        yield PlayWind(to=light[0], away=heavy[0])


def negotiate(view: TableView, seat: Seat, vault: VaultView) -> Iterator[Order]:
    """A short bank offers three credit for a gold, then gives up; a solvent one takes fair offers."""
    run = view.run
    if run is None:
        return
    if seat in run.short:
        due = run.due[seat]
        if run.rounds:
            yield Done()
            return
        for other in run.solvent[:2]:
            yield Offer(bank=other, give_n=min(3 * due, 300), give="credit", get_n=due, get="gold")
        return
    gold = vault.gold // 2
    for offer in view.offers:
        wanted = sum(item.count for item in offer.get if item.what == "gold")
        given = sum(item.count for item in offer.give if item.what == "credit")
        fair = all(item.what == "gold" for item in offer.get) and given >= 2 * wanted
        if offer.taker == seat and fair and wanted <= gold:
            gold -= wanted
            yield Accept(number=offer.number)
