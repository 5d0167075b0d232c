"""Money Maker reckoned a second time: gold, goods and companies of every bank, from the published events alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from judge.core.ruleset import Event, Seat
from rulesets.money_maker import card_events, events, payments, run_events
from rulesets.money_maker.state import TableState


@dataclass
class Ledger:
    """What the events say that each bank has."""

    gold: dict[Seat, int]
    goods: dict[Seat, dict[str, int]]
    cards: dict[Seat, list[str]]


def counted(before: TableState, told: Iterable[Event]) -> Ledger:
    """The vaults after a turn."""
    ledger = Ledger(
        {seat: bank.gold for seat, bank in before.banks.items()},
        {seat: dict(bank.goods) for seat, bank in before.banks.items()},
        {seat: list(bank.cards) for seat, bank in before.banks.items()},
    )
    for event in told:
        _pay(ledger, event)
        _move(ledger, event)
    ledger.cards = {seat: sorted(cards) for seat, cards in ledger.cards.items()}
    return ledger


def _pay(ledger: Ledger, event: Event) -> None:
    gold = ledger.gold
    match event:
        case events.StartAuctioned(payment=payments.Payment() as paid):
            assert paid.total == event.price
            gold[event.winner] -= paid.gold
        case events.Auctioned():
            assert event.payment.total == event.price
            gold[event.winner] -= event.payment.gold
            if event.bought_out is not None:
                gold[event.winner] -= event.buyout
                gold[event.bought_out] += event.buyout
        case events.PaidOff() | events.Bought() | card_events.ActionBought() | run_events.Extinguished():
            gold[event.seat] -= event.payment.gold
        case run_events.PaidInPart():
            assert event.due == event.payment.total + event.left
            gold[event.seat] -= event.payment.gold
        case events.Sold():
            assert sum(event.prices) == event.gold + event.against_debt + event.owed
            gold[event.seat] += event.gold
        case run_events.OwedPaid():
            gold[event.seat] += event.gold
        case run_events.Rescued():
            gold[event.lender] -= event.gold
        case run_events.HelpUsed() | run_events.DebtWorkedOff():
            gold[event.seat] -= event.gold
        case card_events.Cleared():
            gold[event.bank] -= event.amount
            gold[event.seat] += event.amount


def _move(ledger: Ledger, event: Event) -> None:
    match event:
        case events.Auctioned():
            ledger.cards[event.winner].append(event.card)
        case events.Bought():
            ledger.goods[event.seat][event.colour] += len(event.prices)
        case events.Sold():
            ledger.goods[event.seat][event.colour] -= len(event.prices)
        case events.Produced():
            for output in event.outputs:
                ledger.goods[event.seat][output.colour] += output.count
        case events.Traded():
            ledger.goods[event.seat][event.given] -= event.count
            ledger.goods[event.seat][event.output.colour] += event.output.count
        case run_events.WentBankrupt():
            ledger.cards[event.seat] = []
            ledger.goods[event.seat] = dict.fromkeys(ledger.goods[event.seat], 0)
        case run_events.Exchanged():
            for giver, taker, side in (
                (event.maker, event.taker, event.give),
                (event.taker, event.maker, event.get),
            ):
                for what, count in side:
                    if what == "gold":
                        ledger.gold[giver] -= count
                        ledger.gold[taker] += count
                    elif what in ledger.goods[giver]:
                        ledger.goods[giver][what] -= count
                        ledger.goods[taker][what] += count
                    elif what in ledger.cards[giver]:
                        ledger.cards[giver].remove(what)
                        ledger.cards[taker].append(what)
