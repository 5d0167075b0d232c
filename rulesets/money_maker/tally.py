"""What a turn's public events add up to: each bank's gold and credit, and the arithmetic of a bank run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judge.core.report import Cell, Table
from judge.core.ruleset import Event, Seat
from judge.core.text import Player, Text
from rulesets.money_maker.card_events import ActionBought, Cleared
from rulesets.money_maker.events import Auctioned, Bought, PaidOff, Sold, StartAuctioned
from rulesets.money_maker.names import rating_name
from rulesets.money_maker.payments import Payment
from rulesets.money_maker.run_events import (
    DebtsCalled,
    DebtWorkedOff,
    Degraded,
    Exchanged,
    Extinguished,
    HelpUsed,
    OwedPaid,
    PaidInPart,
    Promoted,
    Rescued,
    SetAgainst,
    WentBankrupt,
)


@dataclass
class Tally:
    """Of each bank: gold received and gold given away, and own credit brought into the world."""

    earned: Counter[Seat] = field(default_factory=Counter)
    spent: Counter[Seat] = field(default_factory=Counter)
    issued: Counter[Seat] = field(default_factory=Counter)

    def pay(self, seat: Seat, payment: Payment) -> None:
        self.spent[seat] += payment.gold
        self.issued[seat] += payment.own

    def hand_over(self, giver: Seat, taker: Seat, gold: int) -> None:
        self.spent[giver] += gold
        self.earned[taker] += gold


def tallied(events: Sequence[Event]) -> Tally:
    tally = Tally()
    for event in events:
        match event:
            case StartAuctioned(payment=Payment() as payment):
                tally.pay(event.winner, payment)
            case Auctioned():
                tally.pay(event.winner, event.payment)
                if event.bought_out is not None:
                    tally.hand_over(event.winner, event.bought_out, event.buyout)
            case PaidOff() | Bought() | ActionBought() | Extinguished() | PaidInPart():
                tally.pay(event.seat, event.payment)
            case Sold() | OwedPaid():
                tally.earned[event.seat] += event.gold
            case HelpUsed() | DebtWorkedOff():
                tally.spent[event.seat] += event.gold
            case Rescued():
                tally.spent[event.lender] += event.gold
                tally.issued[event.seat] += event.credit
            case Cleared():
                tally.hand_over(event.bank, event.seat, event.amount)
            case Exchanged():
                for giver, taker, side in (
                    (event.maker, event.taker, dict(event.give)),
                    (event.taker, event.maker, dict(event.get)),
                ):
                    tally.hand_over(giver, taker, side.get("gold", 0))
                    tally.issued[giver] += side.get("credit", 0)
    return tally


def tally_table(seats: Sequence[Seat], events: Sequence[Event]) -> Iterator[Table]:
    """A row for each bank whose gold or credit has moved; nothing if none has."""
    tally = tallied(events)
    rows: list[tuple[Cell, ...]] = [
        (Player(seat), tally.earned[seat], tally.spent[seat], tally.issued[seat])
        for seat in seats
        if tally.earned[seat] or tally.spent[seat] or tally.issued[seat]
    ]
    if rows:
        yield Table(
            title=Text.of("Gold and credit that moved"),
            head=(Text.of("Bank"), Text.of("Gold in"), Text.of("Gold out"), Text.of("New credit")),
            rows=tuple(rows),
        )


def run_table(events: Sequence[Event]) -> Iterator[Table]:
    """The arithmetic of one run: what was due, what paid it, what is missing, and what became of the rating."""
    called = next((event for event in events if isinstance(event, DebtsCalled)), None)
    seats = [seat for seat, due in called.due.items() if due] if called else []
    if called is None or len(seats) < 2:
        return
    gold: Counter[Seat] = Counter()
    credit: Counter[Seat] = Counter()
    helped: Counter[Seat] = Counter()
    ratings: dict[Seat, Text] = {}
    for event in events:
        match event:
            case Extinguished() | PaidInPart():
                gold[event.seat] += event.payment.gold
                credit[event.seat] += sum(event.payment.claims.values())
            case SetAgainst():
                gold[event.seat] += event.amount
            case Rescued():
                helped[event.seat] += event.gold
            case HelpUsed():
                helped[event.seat] += event.gold + sum(event.claims.values())
            case Promoted() | Degraded():
                ratings[event.seat] = Text.of(
                    "{before} → {after}", before=rating_name(event.before), after=rating_name(event.after)
                )
            case WentBankrupt():
                ratings[event.seat] = Text.of("bankrupt")
    yield Table(
        title=Text.of("The run in numbers"),
        head=(
            Text.of("Bank"),
            Text.of("Due"),
            Text.of("Gold"),
            Text.of("Others' credit"),
            Text.of("Help"),
            Text.of("Unpaid"),
            Text.of("Rating"),
        ),
        rows=tuple(
            (
                Player(seat),
                called.due[seat],
                gold[seat],
                credit[seat],
                helped[seat],
                called.due[seat] - gold[seat] - credit[seat] - helped[seat],
                ratings.get(seat),
            )
            for seat in seats
        ),
    )
