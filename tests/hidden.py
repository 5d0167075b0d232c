"""What each game hides: the same position for one reader, with everything that he may not see changed.

Every installed ruleset has an entry here.  A reader of None sees what everybody sees.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from judge.core.ruleset import Seat, State
from rulesets.finans.state import FinansState
from rulesets.get_rich_quick.sets import best_set
from rulesets.get_rich_quick.state import TableState
from rulesets.money_maker.state import TableState as BankState
from tests.toy_ruleset import LotsState

Reshuffle = Callable[[State, Seat | None, random.Random], State]


def nothing(state: State, reader: Seat | None, chooser: random.Random) -> State:
    """A game that hides no part of its position."""
    return state


def get_rich_quick(state: State, reader: Seat | None, chooser: random.Random) -> State:
    """All cards of the others in other hands, unless that would make or break a complete set: a call is public."""
    assert isinstance(state, TableState)
    if state.phase != "trade":
        return state
    others = [seat for seat in state.seats if seat != reader]
    for _ in range(20):
        pool = [card for seat in others for card in state.hands[seat]]
        chooser.shuffle(pool)
        hands = dict(state.hands)
        for seat in others:
            size = len(hands[seat])
            hands[seat], pool = pool[:size], pool[size:]
        if not any(best_set(hands[seat]) for seat in others):
            holding = {seat: held if seat == reader else chooser.random() < 0.5 for seat, held in state.holding.items()}
            data = {**state.model_dump(), "hands": hands, "holding": holding}
            return TableState.model_validate(data)
    return state


def lots(state: State, reader: Seat | None, chooser: random.Random) -> State:
    """All cards but the reader's are dealt anew."""
    assert isinstance(state, LotsState)
    after = state.model_copy(deep=True)
    cards = [card for seat, hand in state.cards.items() if seat != reader for card in hand] + state.deck
    chooser.shuffle(cards)
    for seat, hand in state.cards.items():
        if seat != reader:
            after.cards[seat], cards = cards[: len(hand)], cards[len(hand) :]
    after.deck = cards
    return after


def money_maker(state: State, reader: Seat | None, chooser: random.Random) -> State:
    """Other vaults hold other gold and goods and other action cards, and both piles lie in another order.

    Gold and goods change places between vaults that the reader cannot see into, so reserves stay what they are.
    """
    assert isinstance(state, BankState)
    if state.phase == "over":
        return state
    after = state.model_copy(deep=True)
    others = [bank for seat, bank in after.banks.items() if seat != reader and not bank.bankrupt]
    chooser.shuffle(after.pile)
    if state.options.fast:
        after.pile = list(state.pile)
    gold = [bank.gold for bank in others]
    chooser.shuffle(gold)
    goods = [bank.goods for bank in others]
    chooser.shuffle(goods)
    actions = [card for bank in others for card in bank.actions] + after.action_pile
    chooser.shuffle(actions)
    for bank, some, things in zip(others, gold, goods, strict=True):
        bank.gold, bank.goods = some, things
        bank.actions, actions = actions[: len(bank.actions)], actions[len(bank.actions) :]
    after.action_pile = actions
    return after


def finans(state: State, reader: Seat | None, chooser: random.Random) -> State:
    """Both piles in another order."""
    assert isinstance(state, FinansState)
    after = state.model_copy(deep=True)
    chooser.shuffle(after.news)
    chooser.shuffle(after.tips)
    return after


RESHUFFLED: Mapping[str, Reshuffle] = {
    "commodity-market": nothing,
    "finans": finans,
    "get-rich-quick": get_rich_quick,
    "lots": lots,
    "money-maker": money_maker,
}
