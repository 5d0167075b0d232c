"""Action cards: step 4, the pile, and what each card does (rulebook, "Buying an Action Card").

Late Envelope is played in auction.py, the two that are played after the dice in dice.py, and Letter of Grace in run.py,
each where its moment is.
"""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.dice import Dice
from judge.core.ruleset import Event, Seat
from rulesets.money_maker.card_events import (
    ActionBought,
    ActionDrawn,
    ActionPlayed,
    Audited,
    Cleared,
    CreditMoved,
    FairOpened,
    GoodsMoved,
    NoActionBought,
    PlayLapsed,
)
from rulesets.money_maker.events import Produced
from rulesets.money_maker.markets import discard, fill
from rulesets.money_maker.meter import move_chip, steps_to_run
from rulesets.money_maker.orders import Trade
from rulesets.money_maker.paying import means, pay
from rulesets.money_maker.plans import trigger
from rulesets.money_maker.plays import (
    Play,
    PlayAudit,
    PlayCalm,
    PlayClearing,
    PlayFire,
    PlayFleet,
    PlayLedger,
    PlayNight,
    PlayRumour,
    PlayShopping,
)
from rulesets.money_maker.prison import work_off
from rulesets.money_maker.producing import make, trade
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import ACTION, COLOURS, COMPANIES, SETUP, Card, ring_of


def buy_action(state: TableState, seat: Seat, dice: Dice) -> Iterator[Event]:
    """The top card for 10 gold or credit; used cards are shuffled anew when the pile is empty (pile `actions`)."""
    if not state.action_pile and state.action_discard:
        state.action_pile = dice.shuffled(state.action_discard, "actions")
        state.action_discard = []
    if not state.action_pile or means(state, seat) < SETUP.action_price:
        yield NoActionBought(seat=seat, pile=bool(state.action_pile))
        return
    payment = pay(state, seat, SETUP.action_price)
    card = state.action_pile.pop(0)
    state.banks[seat].actions.append(card)
    yield ActionBought(seat=seat, payment=payment)
    yield ActionDrawn(only=seat, action=card)


def discard_action(state: TableState, seat: Seat, card: Card) -> None:
    state.banks[seat].actions.remove(card)
    state.action_discard.append(card)


def play_in_own_turn(state: TableState, seat: Seat, line: Play) -> Iterator[Event]:
    """A card of one's own turn, if it can do anything now; else it stays in hand, and its owner is told why."""
    if line.card_played not in state.banks[seat].actions:
        yield PlayLapsed(only=seat, action=line.card_played, reason="not held")
        return
    if not _has_effect(state, seat, line):
        yield PlayLapsed(only=seat, action=line.card_played, reason="no effect")
        return
    discard_action(state, seat, line.card_played)
    yield ActionPlayed(seat=seat, action=line.card_played)
    match line:
        case PlayFire(colour=colour):
            count = discard(state.markets[colour], ACTION["fire"].amount)
            yield GoodsMoved(colour=colour, count=count, landed=False)
        case PlayFleet(colour=colour):
            market = state.markets[colour]
            count = fill(market, min(ACTION["fleet"].amount, market.reserve), state.options.sell_to)
            market.reserve -= count
            yield GoodsMoved(colour=colour, count=count, landed=True)
        case PlayNight():
            yield from _night_shift(state, seat, line)
        case PlayLedger():
            yield from _move_credit(state, seat, line)
        case PlayClearing():
            yield from _clear(state, seat, line)
        case PlayShopping():
            state.facts.limit = ACTION["shopping"].amount
            yield FairOpened(seat=seat, limit=state.facts.limit)
        case PlayAudit(bank=bank):
            seen = state.banks[bank]
            yield Audited(only=seat, bank=bank, gold=seen.gold, goods=dict(seen.goods), actions=tuple(seen.actions))


def _has_effect(state: TableState, seat: Seat, line: Play) -> bool:
    """A play that would change nothing is not made."""
    bank = state.banks[seat]
    match line:
        case PlayFire(colour=colour):
            return sum(state.markets[colour].slots) > 0
        case PlayFleet(colour=colour):
            market = state.markets[colour]
            return market.reserve > 0 and fill(market.model_copy(deep=True), 1, "low") > 0
        case PlayNight(card=card, into=into):
            if card not in bank.cards:
                return False
            company = COMPANIES[card]
            given = [colour for colour in COLOURS if colour != into]
            return company.mode == "produce" or (into is not None and bank.goods[given[0]] >= company.out_n)
        case PlayLedger(away=away, to=to):
            ring = ring_of(bank.rating)
            return ring.block_of(away) != ring.block_of(to) and bank.board[ring.block_of(away)] > 0
        case PlayClearing(bank=other):
            return other != seat and bank.claims[other] > 0 and not state.banks[other].bankrupt
        case PlayAudit(bank=other):
            return other != seat and not state.banks[other].bankrupt
        case _:
            return True


def _night_shift(state: TableState, seat: Seat, line: PlayNight) -> Iterator[Event]:
    """One company produces or trades a second time."""
    company = COMPANIES[line.card]
    if company.mode == "produce":
        yield Produced(seat=seat, outputs=(make(state, seat, company),))
    elif line.into is not None:
        yield from trade(state, seat, Trade(card=line.card, into=line.into), again=True)


def _move_credit(state: TableState, seat: Seat, line: PlayLedger) -> Iterator[Event]:
    bank = state.banks[seat]
    ring = ring_of(bank.rating)
    away, to = ring.block_of(line.away), ring.block_of(line.to)
    amount = min(line.amount, bank.board[away])
    bank.board[away] -= amount
    bank.board[to] += amount
    yield CreditMoved(seat=seat, amount=amount, away=ring.blocks[away], to=ring.blocks[to])


def _clear(state: TableState, seat: Seat, line: PlayClearing) -> Iterator[Event]:
    """Gold for up to 10 of a bank's credit, as far as it has gold; the credit goes back to it."""
    bank, debtor = state.banks[seat], state.banks[line.bank]
    amount = min(line.amount, bank.claims[line.bank], debtor.gold)
    bank.claims[line.bank] -= amount
    debtor.gold -= amount
    bank.gold += amount
    yield Cleared(seat=seat, bank=line.bank, amount=amount)
    yield from work_off(state, seat)


def any_time(state: TableState, first: Seat) -> Iterator[Event]:
    """The chip cards, clockwise from whose turn it is: each bank plays one as soon as its condition holds."""
    for seat in state.clockwise(first):
        rumour, calm = trigger(state, seat, PlayRumour), trigger(state, seat, PlayCalm)
        if rumour is not None and steps_to_run(state) <= (rumour.steps or state.meter_length):
            discard_action(state, seat, rumour.card_played)
            yield ActionPlayed(seat=seat, action=rumour.card_played)
            yield from move_chip(state, ACTION["rumour"].amount, "rumour", first)
            if steps_to_run(state) == 0:
                return
        elif calm is not None and state.meter and steps_to_run(state) <= (calm.steps or state.meter_length):
            discard_action(state, seat, calm.card_played)
            yield ActionPlayed(seat=seat, action=calm.card_played)
            yield from move_chip(state, ACTION["calm"].amount, "calm", first)
