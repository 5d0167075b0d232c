"""Money Maker's credit reckoned a second time, from the published events alone.

Every unit of a bank's own credit lies on a block of its ring, in front of its vault (due, in a bank run) or in another
bank's vault.  Events say where it goes; here it is moved so, and whatever an event says about sums must be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.core.ruleset import Event, Seat
from rulesets.money_maker import card_events, events, payments, run_events
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import TABLES, Sector

NEEDS = {ring.n: ring.need for ring in TABLES.ring}


def blocks_of(rating: int) -> Sequence[tuple[Sector, ...]]:
    """The blocks of a rating's ring; a prisoner's credit lies on ring I."""
    return next(ring.blocks for ring in TABLES.ring if ring.n == max(rating, 1))


@dataclass
class Credit:
    """What the events say: ratings, credit on each block, in other banks' vaults, and in front of the own one."""

    ratings: dict[Seat, int]
    boards: dict[Seat, list[int]]
    claims: dict[Seat, Counter[Seat]]
    due: dict[Seat, int]
    bankrupt: set[Seat]
    shields: dict[Seat, dict[int, int]] = field(default_factory=dict)
    paid: Counter[Seat] = field(default_factory=Counter)
    """By itself, in this run: what counts for a promotion."""
    trusted: set[Seat] = field(default_factory=set)
    """Banks whose credit paid debts in this run: they have to be solvent."""

    @classmethod
    def of(cls, state: TableState) -> Credit:
        return cls(
            ratings={seat: bank.rating for seat, bank in state.banks.items()},
            boards={seat: list(bank.board) for seat, bank in state.banks.items()},
            claims={seat: +Counter(bank.claims) for seat, bank in state.banks.items()},
            due={} if state.run is None else dict(state.run.due),
            bankrupt={seat for seat, bank in state.banks.items() if bank.bankrupt},
            paid=Counter() if state.run is None else Counter(state.run.paid),
        )

    def holds(self, state: TableState) -> None:
        """Raises unless the table is as the events say."""
        after = Credit.of(state)
        assert self.ratings == after.ratings
        assert self.boards == after.boards
        assert {seat: +held for seat, held in self.claims.items()} == after.claims
        assert +Counter(self.due) == +Counter(after.due)
        assert self.bankrupt == after.bankrupt
        assert not any(self.due.get(seat, 0) for seat in self.trusted)


def counted(before: TableState, told: Iterable[Event]) -> Credit:
    """Everybody's credit after a turn."""
    credit = Credit.of(before)
    for event in told:
        _purchase(credit, event)
        _pay_debt(credit, event)
        _run(credit, event)
        _move(credit, event)
        _rate(credit, event)
    return credit


def _lay(credit: Credit, payer: Seat, own: int, claims: Mapping[Seat, int], placed: Iterable[payments.Placed]) -> None:
    """Credit out of a vault onto the rings of those who issued it, as much as was paid of each."""
    laid: Counter[Seat] = Counter()
    for some in placed:
        block = blocks_of(credit.ratings[some.bank]).index(some.sectors)
        credit.boards[some.bank][block] += some.count
        laid[some.bank] += some.count
    assert laid == +Counter({payer: own, **claims})
    credit.claims[payer].subtract(claims)
    assert min(credit.claims[payer].values(), default=0) >= 0
    assert not credit.bankrupt & set(claims)


def _purchase(credit: Credit, event: Event) -> None:
    match event:
        case events.StartAuctioned(payment=payments.Payment() as paid) | events.Auctioned(payment=paid):
            _lay(credit, event.winner, paid.own, paid.claims, paid.placed)
        case events.Bought(payment=paid) | card_events.ActionBought(payment=paid):
            _lay(credit, event.seat, paid.own, paid.claims, paid.placed)


def _pay_debt(credit: Credit, event: Event) -> None:
    """Debts are paid with gold and others' credit, never with own credit."""
    match event:
        case events.PaidOff(seat=seat, payment=paid):
            block = blocks_of(credit.ratings[seat]).index(event.sectors)
            assert paid.total == event.amount == credit.boards[seat][block]
            credit.boards[seat][block] = 0
            credit.paid[seat] = paid.total
        case run_events.Extinguished(seat=seat, payment=paid):
            assert paid.total == event.due == credit.due[seat]
            credit.due[seat] = 0
            credit.paid[seat] += paid.total
        case run_events.PaidInPart(seat=seat, payment=paid):
            assert credit.due[seat] == event.due
            credit.due[seat] -= paid.total
            credit.paid[seat] += paid.total
            assert credit.due[seat] == event.left > 0
        case run_events.HelpUsed(seat=seat):
            credit.due[seat] -= event.gold + sum(event.claims.values())
            assert credit.due[seat] == event.left
        case run_events.DebtWorkedOff(seat=seat):
            assert credit.ratings[seat] == 0
            credit.boards[seat][0] -= event.gold + sum(event.claims.values())
            assert credit.boards[seat][0] == event.left
        case _:
            return
    if isinstance(event, events.PaidOff | run_events.Extinguished | run_events.PaidInPart):
        _lay(credit, event.seat, 0, event.payment.claims, event.payment.placed)
        used = event.payment.claims
    else:
        _lay(credit, event.seat, 0, event.claims, event.placed)
        used = event.claims
    if credit.due:
        credit.trusted |= set(used)


def _run(credit: Credit, event: Event) -> None:
    match event:
        case run_events.RunStarted():
            credit.shields, credit.paid, credit.trusted = {}, Counter(), set()
        case run_events.Shielded(seat=seat):
            assert event.amount <= min(10, credit.boards[seat][event.block])
            credit.shields.setdefault(seat, {})[event.block] = event.amount
        case run_events.DebtsCalled():
            credit.due = {seat: _called(credit, seat, event.sectors) for seat in event.due}
            assert credit.due == event.due
            assert set(event.due) == set(credit.boards) - credit.bankrupt
        case run_events.SetAgainst(seat=seat):
            credit.due[seat] -= event.amount
            credit.paid[seat] += event.amount
        case run_events.Rescued(seat=seat):
            credit.due[seat] -= event.gold
            credit.claims[event.lender][seat] += event.credit
            assert credit.due[seat] == event.left
        case run_events.RunSettled():
            assert not any(credit.due.values())
            credit.due = {}


def _called(credit: Credit, seat: Seat, sectors: Iterable[Sector]) -> int:
    """All of a bank's credit on blocks with one of the symbols, each block once, but for what a letter keeps there."""
    board, due = credit.boards[seat], 0
    for block, symbols in enumerate(blocks_of(credit.ratings[seat])):
        if set(symbols) & set(sectors):
            kept = credit.shields.get(seat, {}).get(block, 0)
            due += board[block] - kept
            board[block] = kept
    return due


def _move(credit: Credit, event: Event) -> None:
    match event:
        case events.Sold(seat=seat) | run_events.OwedPaid(seat=seat):
            if event.against_debt:
                assert credit.ratings[seat] == 0
            credit.boards[seat][0] -= event.against_debt
        case card_events.CreditMoved(seat=seat):
            blocks = blocks_of(credit.ratings[seat])
            credit.boards[seat][blocks.index(event.away)] -= event.amount
            credit.boards[seat][blocks.index(event.to)] += event.amount
        case card_events.Cleared(seat=seat):
            credit.claims[seat][event.bank] -= event.amount
        case run_events.Exchanged():
            for giver, taker, side in ((event.maker, event.taker, event.give), (event.taker, event.maker, event.get)):
                _hand_over(credit, giver, taker, side)


def _hand_over(credit: Credit, giver: Seat, taker: Seat, side: run_events.Side) -> None:
    """Own credit is issued as it is given; credit that comes back to its issuer is none any more."""
    for what, count in side:
        issuer = giver if what == "credit" else what.removeprefix("credit of ")
        if issuer not in credit.boards:
            continue
        if issuer != giver:
            credit.claims[giver][issuer] -= count
            assert credit.claims[giver][issuer] >= 0
        if issuer != taker:
            credit.claims[taker][issuer] += count


def _rate(credit: Credit, event: Event) -> None:
    match event:
        case run_events.Promoted(seat=seat):
            assert credit.ratings[seat] == event.before < event.after
            assert credit.paid[seat] == event.paid >= sum(NEEDS[n] for n in range(event.before + 1, event.after + 1))
            assert not credit.due.get(seat)
            _new_ring(credit, seat, event.after, event.board, sum(credit.boards[seat]))
        case run_events.Degraded(seat=seat):
            assert credit.ratings[seat] == event.before == event.after + 1
            assert credit.due[seat] == event.unpaid > 0
            _new_ring(credit, seat, event.after, event.board, sum(credit.boards[seat]) + event.unpaid)
            credit.due[seat] = 0
        case run_events.Freed(seat=seat):
            assert (credit.ratings[seat], sum(credit.boards[seat]), credit.due.get(seat, 0)) == (0, 0, 0)
            credit.ratings[seat] = 1
        case run_events.WentBankrupt(seat=seat):
            assert credit.ratings[seat] == 0
            usable = {issuer: n for issuer, n in (+credit.claims[seat]).items() if issuer not in credit.bankrupt}
            _lay(credit, seat, 0, usable, event.placed)
            credit.boards[seat], credit.due[seat] = [0], 0
            credit.bankrupt.add(seat)


def _new_ring(credit: Credit, seat: Seat, rating: int, board: Sequence[int], total: int) -> None:
    """All of a bank's credit moves to its new ring."""
    assert len(board) == len(blocks_of(rating))
    assert sum(board) == total
    credit.ratings[seat], credit.boards[seat] = rating, list(board)
