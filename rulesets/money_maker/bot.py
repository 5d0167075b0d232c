"""A simple, honest opponent: pays for what earns, keeps its debts near what it could pay, and helps for a price.

It sees the public table and its own vault; outlook.py is what it reckons from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat
from rulesets.money_maker.bot_deals import answer_offers, negotiate, tariffs
from rulesets.money_maker.bot_plays import own_plays, triggers
from rulesets.money_maker.orders import ALL, Bid, Buy, BuyAction, Open, PayOff, Produce, Sell, StartBid, Trade
from rulesets.money_maker.outlook import Outlook
from rulesets.money_maker.standing import Pay
from rulesets.money_maker.tables import COLOURS, COMPANIES, PRISON, SETUP, Card, Colour
from rulesets.money_maker.view import TableView

NOISE = 5
"""Bots that reckon alike bid differently by up to so much."""


def bot(view: TableView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    """Orders of the kinds asked, never against a rule: what its ask objects to is left out."""
    if ask.forced is not None or view.vault is None:
        return ask.forced or ()
    outlook = Outlook(view, seat, view.vault)
    match view.phase:
        case "start bid":
            wanted: list[Order] = [StartBid(most=dice.roll(3)), Pay(means="credit")]
        case "rescue":
            wanted = list(negotiate(outlook))
        case _:
            wanted = list(order_turn(outlook, dice))
    orders = [order for order in wanted if isinstance(order, ask.kinds)]
    while any(not problem.warning for problem in ask.problems(orders)):
        orders.pop()
    return orders


def order_turn(outlook: Outlook, dice: Dice) -> Iterator[Order]:
    view, seat = outlook.view, outlook.seat
    most = {card: bid for card in [*view.row, *view.forecast] if (bid := maximum(outlook, card, dice)) > 0}
    if view.phase == "round" or view.active != seat:
        yield from bids(outlook, most)
    if view.phase == "round" or view.active == seat:
        yield from own_turn(outlook, most, dice)
    yield Pay(means="credit", sector=outlook.sector(outlook.block))
    yield from tariffs(outlook)
    yield from triggers(outlook)
    yield from answer_offers(outlook)


def bids(outlook: Outlook, most: Mapping[Card, int]) -> Iterator[Bid]:
    """The best bargains first, and less for the others: an opener may open several cards, and all bids might win."""
    left = outlook.budget
    for card in sorted(most, key=lambda card: outlook.opening(card) - most[card]):
        if left > 0:
            yield Bid(card=card, most=min(most[card], left))
            left -= most[card] // 2


def maximum(outlook: Outlook, card: Card, dice: Dice) -> int:
    """What a card is worth to the bank, as far as it can spend that; 0 for the tenth one, unless it would win then."""
    rivals = max(len(outlook.view.banks[other].cards) for other in outlook.others)
    if not outlook.leads and len(outlook.bank.cards) == SETUP.end_cards - 1:
        return 0
    worth = outlook.worth(card) - NOISE // 2 - 1 + dice.roll(NOISE)
    if rivals == SETUP.end_cards - 1 and not outlook.leads:
        worth += worth // 4  # whoever has nine cards would end the game
    if outlook.view.options.auction_price == "own":
        worth = worth * 3 // 4
    return min(worth, outlook.budget)


def own_turn(outlook: Outlook, most: Mapping[Card, int], dice: Dice) -> Iterator[Order]:
    """Promotion by the alternative step if it can be had; else auctions, goods, and perhaps an action card."""
    if pays_off(outlook):
        yield PayOff(sector=outlook.sector(outlook.heaviest))
    else:
        gain = {card: bid - outlook.opening(card) for card, bid in most.items()}
        ranked = sorted((card for card in gain if gain[card] >= 0), key=gain.__getitem__, reverse=True)
        yield from (Open(card=card, most=most[card]) for card in ranked)
        yield from own_plays(outlook, dice)
        yield from step_three(outlook)
    if buys_action(outlook):
        yield BuyAction()


def pays_off(outlook: Outlook) -> bool:
    """Whether the fullest block can be paid now and promotes, and no run is about to do that without losing a turn."""
    owed = outlook.bank.board[outlook.heaviest]
    if outlook.bank.rating == PRISON:
        return 0 < owed <= outlook.vault.gold
    run_is_near = outlook.view.meter_length - outlook.view.meter <= 1 and not outlook.late
    waits = run_is_near and len(outlook.bank.board) == 1
    return 0 < outlook.need <= owed <= outlook.vault.gold and not waits


def step_three(outlook: Outlook) -> Iterator[Order]:
    """Companies produce; goods go where they bring more, and the cheapest are bought back if that raises the price."""
    yield Produce(card=ALL)
    good = outlook.good
    into: Colour = max(COLOURS, key=good.__getitem__)
    traders = [card for card in outlook.bank.cards if COMPANIES[card].mode == "trade"]
    if good[into] > 1 + min(good.values()):
        yield from (Trade(card=card, into=into) for card in traders)
    for colour in COLOURS:
        yield from sales(outlook, colour)
    for colour in COLOURS:
        if outlook.late and outlook.asked(colour) > outlook.view.markets[colour].buying_price and outlook.budget:
            yield Buy(count=4, colour=colour, price=2)


def sales(outlook: Outlook, colour: Colour) -> Iterator[Sell]:
    """For 2 or better on average, or all at any price: gold now buys companies.  At the end as the score sheet says."""
    made = outlook.vault.goods[colour] + dict(outlook.income())[colour]
    prices = outlook.prices(colour, max(made, 1))
    if outlook.covered and outlook.late:
        if sum(prices) - made > outlook.asked(colour):
            yield Sell(colour=colour)
    else:
        yield Sell(colour=colour, price=2 if outlook.covered and prices[0] > 1 else None)


def buys_action(outlook: Outlook) -> bool:
    """With gold to spare; or where the credit for it makes a block full enough to be promoted by."""
    spare = outlook.vault.gold - outlook.exposure(outlook.block) - SETUP.action_price
    if outlook.late or outlook.bank.rating == PRISON:
        return False
    fills = outlook.bank.board[outlook.block] + SETUP.action_price >= outlook.need > outlook.bank.board[outlook.block]
    return spare >= SETUP.action_price // 2 if fills else spare > SETUP.action_price
