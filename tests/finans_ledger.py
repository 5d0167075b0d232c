"""The books of Finans, kept by somebody who hears only what is told: one event after the other, from one position on.

Whatever the rulebook says of an event is looked at when it happens: who may do it where, and what it costs.  Written
from the rulebook, not from the ruleset's own sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from judge.core.ruleset import Event
from rulesets.finans import events as told
from rulesets.finans import payments as pay
from tests.finans_books import DATA, GROUP, LOTS, PAPERS, SHARES, Books

LANDS = {row["n"]: row.get("property") for row in DATA["square"]}
KINDS = {row["n"]: row["kind"] for row in DATA["square"]}
LASTING = {row["id"] for row in DATA["news"] if row["until_further_notice"]}
KEPT = {row["id"] for row in DATA["tip"] if row["keep"]}
GIFTS = {"gift10": 10_000, "gift20": 20_000, "gift40": 40_000, "to_bank": 15_000}
FINES = {"fine10": 10_000, "garage": 10_000, "birthday": 5_000, "banquet": 5_000}


@dataclass
class Ledger(Books):
    """What everybody has after what was told so far.

    `threw` are those who have thrown in this round, `bought` what each has bought before.  `then` is how things stood
    when a throw or a card made something due, since whoever pays may have to sell something first.
    """

    threw: set[str] = field(default_factory=set)
    bought: set[tuple[str, str]] = field(default_factory=set)
    then: Ledger | None = None
    drawn: str | None = None
    meeting: told.MeetingCalled | None = None
    prizes: dict[int, int] = field(default_factory=dict)
    parts: list[pay.PaidInPart] = field(default_factory=list)
    rest: int = 0
    open: set[tuple[str, type[Event], str | None]] = field(default_factory=set)
    """What squares have brought and nothing has been told of yet: to whom, what, and who else has to do with it."""

    def enter(self, events: Iterable[Event]) -> None:
        for event in events:
            self._close(event)
            self._enter(event)
        assert not self.open, "a square was forgotten"

    @property
    def due(self) -> Ledger:
        """The books when what is paid now became due."""
        assert self.then is not None
        return self.then

    def _take_down(self) -> None:
        self.then = replace(
            self,
            cash=dict(self.cash),
            loans=dict(self.loans),
            owner=dict(self.owner),
            built=set(self.built),
            cars=set(self.cars),
            then=None,
        )

    def _enter(self, event: Event) -> None:
        if isinstance(event, pay.Payment):
            self._price(event)
            self._move_money(event)
            self._move_papers(event)
        else:
            self._happen(event)

    def _move_money(self, event: pay.Payment) -> None:
        """From one to the other, and nobody pays what he has not got."""
        assert event.amount >= 0
        assert event.payer != event.payee
        if event.payer is not None:
            self.cash[event.payer] -= event.amount
            assert self.cash[event.payer] >= 0, event
        if event.payee is not None:
            self.cash[event.payee] += event.amount

    def _price(self, event: pay.Payment) -> None:
        """What the rulebook says of the amount, and of whether it is due at all."""
        match event:
            case pay.Bought(thing="car"):
                assert event.amount == 50_000
                assert event.payer not in self.threw
            case pay.Bought(payer=str(seat), thing=thing):
                assert event.amount == (LOTS[thing]["price"] if thing in LOTS else SHARES[thing]["nominal"])
                self._may_buy(seat, "property" if thing in LOTS else "share")
            case pay.SoldBack(thing="car"):
                assert event.amount == 25_000
            case pay.SoldBack(thing=thing):
                row = LOTS.get(thing) or SHARES[thing]
                assert event.amount == row["repurchase_built" if thing in self.built else "repurchase"]
                assert thing not in self.mortgaged
            case pay.ForcedSale(thing=thing):
                assert event.amount == SHARES[thing]["nominal"]
                assert self.holder(GROUP[thing]) is None
            case pay.Built(payer=str(seat), property=key):
                price = LOTS[key]["building"]
                assert event.amount == (-(-price // 2000) * 1000 if self.face_up == "N05" else price)
                assert self.face_up != "N06"
                assert self.square[seat] in (17, 40) or "permit" in self.tips[seat]
                assert seat not in self.threw
            case pay.RentPaid(payer=str(guest), payee=str(owner), property=key):
                once = LOTS[key]["rent_built" if key in self.built else "rent_lot"]
                whole = self.holder(GROUP[key]) == owner
                assert event.amount == once * (2 if whole else 1)
                assert event.doubled == whole
                assert LANDS[self.square[guest]] == key
                assert key not in self.mortgaged
                assert self.face_up != "N10" or GROUP[key] not in ("chemistry", "industry")
            case pay.Mortgaged(property=key):
                assert event.amount == LOTS[key]["mortgage_built" if key in self.built else "mortgage"]
            case pay.Redeemed(property=key):
                assert event.amount * 10 == LOTS[key]["mortgage_built" if key in self.built else "mortgage"] * 11
                assert event.payer not in self.threw
            case pay.LoanTaken(payee=str(seat)):
                assert event.amount == 50_000
                assert self.square[seat] != 43
                assert self.face_up != "N08"
            case pay.LoanRepaid():
                assert event.amount == 50_000
            case pay.InterestPaid(payer=str(seat)) if self.square[seat] == 43:
                assert event.amount == 5_000
            case pay.InterestPaid(payer=str(seat)):
                assert event.amount == self.due.loans[seat] * (10_000 if self.face_up == "N08" else 5_000)
                assert self.square[seat] == 1
            case pay.BondBought():
                assert event.amount == 500
            case pay.PrizeWon(number=number):
                assert event.amount == self.prizes.pop(number)
            case pay.BonusPaid(payee=str(seat), dice=(one, other)):
                pips = min(one, other) if self.face_up == "N02" else one + other
                assert event.amount == pips * (10_000 if self.face_up == "N01" else 5_000)
                assert self.square[seat] == 34
            case pay.BankDividends(payee=str(seat), groups=groups):
                assert event.amount == self.dividends(seat, groups)
                if self.drawn == "best_group":
                    assert event.amount == max(self.dividends(seat, [group]) for group in PAPERS)
            case pay.PlayerDividends(payer=str(seat), payee=str(other)):
                groups = {GROUP[key] for key in self.due.lots(seat)}
                capital = sum(self.cost(key) for key in self.due.shares(other, groups))
                percent = 10 if self.face_up == "N09" else 20
                assert (event.capital, event.percent, event.amount) == (capital, percent, capital * percent // 100)
            case pay.TaxPaid(payer=str(seat), card=card):
                assert event.amount == self.due.tax(seat, card)
            case pay.PremiumPaid(payee=str(seat)):
                assert event.amount == 10_000
                assert not self.loans[seat]
            case pay.TipPaid(payer=None, card=card):
                assert event.amount == GIFTS[card]
            case pay.TipPaid(payer=str(seat), card="repairs"):
                assert event.amount == 5_000 * len(self.due.built & set(self.due.lots(seat)))
            case pay.TipPaid(payer=str(seat), card=card):
                assert event.amount == FINES[card]
                assert card != "garage" or seat in self.due.cars
            case pay.TakenOver(thing=thing):
                assert event.amount == self.cost(thing)
                assert self.meeting is not None
                assert (event.payer, GROUP[thing]) == (self.meeting.seat, self.meeting.group)
            case pay.Raided(thing=thing):
                assert event.amount == self.cost(thing) * (6 if thing in LOTS else 5) // 5
                assert self.holder(GROUP[thing]) is None
                assert thing not in self.mortgaged
            case pay.FeePaid(payee=None):
                assert self.meeting is not None
                assert event.amount >= min(self.meeting.fee, 30_000)
            case pay.FeePaid():
                assert event.amount % 1_000 == 0
            case pay.PaidInPart():
                self.parts.append(event)
            case pay.LeftToBank(payer=str(seat)):
                assert event.amount == self.cash[seat]
                self.rest = event.amount
            case _:
                raise AssertionError(event)

    def _may_buy(self, seat: str, sort: str) -> None:
        """One of each before the throw, on 11 or in the head office; or what a tip has just offered."""
        if seat in self.threw:
            assert self.drawn == {"property": "offer_lot", "share": "offer_share"}[sort]
            return
        assert self.square[seat] == 11 or self.square[seat] >= 35
        assert (seat, sort) not in self.bought
        self.bought.add((seat, sort))

    def _move_papers(self, event: pay.Payment) -> None:
        match event:
            case pay.Bought(payer=str(seat), thing="car"):
                assert seat not in self.cars
                self.cars.add(seat)
            case pay.SoldBack(payee=str(seat), thing="car"):
                self.cars.remove(seat)
            case pay.Bought(payer=seat, thing=thing):
                self._change(thing, None, seat)
            case pay.SoldBack(payee=seat, thing=thing) | pay.ForcedSale(payee=seat, thing=thing):
                self._change(thing, seat, None)
                self.built.discard(thing)
            case (
                pay.TakenOver(payer=buyer, payee=seller, thing=thing)
                | pay.Raided(payer=buyer, payee=seller, thing=thing)
            ):
                self._change(thing, seller, buyer)
            case pay.Built(payer=seat, property=key):
                assert self.owner[key] == seat
                assert key not in self.built | self.mortgaged
                self.built.add(key)
            case pay.Mortgaged(payee=seat, property=key):
                assert self.owner[key] == seat
                assert key not in self.mortgaged
                self.mortgaged.add(key)
            case pay.Redeemed(payer=seat, property=key):
                assert self.owner[key] == seat
                self.mortgaged.remove(key)
            case pay.LoanTaken(payee=str(seat)):
                self.loans[seat] += 1
                assert self.loans[seat] <= 3
                assert sum(self.loans.values()) <= 6
            case pay.LoanRepaid(payer=str(seat)):
                self.loans[seat] -= 1
                assert self.loans[seat] >= 0
            case pay.BondBought(payer=str(seat), number=number):
                assert number in set(range(1, 13)).difference(*self.bonds.values())
                self.bonds[seat].add(number)
            case pay.PrizeWon(payee=str(seat), number=number):
                self.bonds[seat].remove(number)

    def _change(self, thing: str, giver: str | None, taker: str | None) -> None:
        assert self.owner[thing] == giver
        self.owner[thing] = taker

    def _happen(self, event: Event) -> None:
        """All that moves no money: throws, cards, jail, draws, meetings and bankruptcy."""
        match event:
            case told.Threw(seat=seat, dice=dice):
                inside = self.square[seat] >= 34
                assert event.origin == self.square[seat]
                assert len(dice) == (2 if seat in self.cars and not inside and self.face_up != "N07" else 1)
                stop = min(self.square[seat] + sum(dice), 47 if inside else 34)
                assert event.square == (1 if stop == 47 else stop)
                assert seat not in self.threw
                self.threw.add(seat)
                self.drawn = None
                self._stand(seat, event.square)
            case told.MovedByCard(seat=seat, origin=origin, square=square):
                assert origin == self.square[seat]
                assert square in (11, 17, 24, 34, 40)
                self._stand(seat, square)
            case told.TurnMissed(seat=seat):
                self.missing[seat] -= 1
                assert event.left == self.missing[seat] >= 0
            case told.Jailed(seat=seat, die=die):
                self.missing[seat] = (die + 1) // 2
                assert event.turns == self.missing[seat]
                self._jail(seat)
            case told.JailPassUsed(seat=seat):
                self._jail(seat)
            case told.GoToJailThrown(seat=seat, die=die):
                assert (self.square[seat], event.goes) == (37, die <= 2)
                assert seat not in self.from_jail
            case told.Amnesty():
                self.missing = dict.fromkeys(self.missing, 0)
            case told.NewsDrawn(card=card, ended=ended):
                assert ended == self.face_up
                self.face_up = card if card in LASTING else None
                self._take_down()
            case told.TipDrawn(seat=seat, card=card):
                self.drawn = card
                self._take_down()
                if card in KEPT:
                    self.tips[seat] = sorted([*self.tips[seat], card])
            case told.TipReturned(seat=seat, card=card):
                self.tips[seat].remove(card)
            case told.Swapped(seat=seat, other=other, gave=gave, got=got):
                assert self.cost(gave) == self.cost(got)
                assert {self.holder(GROUP[gave]), self.holder(GROUP[got])} == {None}
                self._change(gave, seat, other)
                self._change(got, other, seat)
            case told.SweepstakesDrawn(dice=dice):
                low, high = sorted(dice)
                third = low if low != high else low - 1 or 12
                assert event.numbers == (low + high, high, third)
                prizes = (100_000, 50_000, 25_000) if event.size == "big" else (50_000, 25_000, 15_000)
                self.prizes = dict(zip(event.numbers, prizes, strict=True))
            case told.BondReturned(seat=seat, number=number):
                self.bonds[seat].remove(number)
            case told.MeetingCalled(seat=seat, group=group):
                self._call(event, seat, group)
            case told.MeetingDecided(dice=dice, won=won):
                assert self.meeting is not None
                assert (dice is None) == (self.meeting.fee == 120_000)
                assert won == (dice is None or sum(dice) * 10_000 <= self.meeting.fee)
            case told.GroupCompleted(seat=seat, group=group):
                assert self.holder(group) == seat
            case told.WentBankrupt(seat=seat):
                self._clear(seat)

    def _stand(self, seat: str, square: int) -> None:
        self.square[seat] = square
        self._take_down()
        self.open |= set(self._brings(seat, square))
        if square == 1:
            self.from_jail.discard(seat)

    def _brings(self, seat: str, square: int) -> Iterator[tuple[str, type[Event], str | None]]:
        """What this square pays or costs, as it stands now."""
        match KINDS[square]:
            case "property":
                key = LANDS[square]
                owner = self.owner[key]
                strike = self.face_up == "N10" and GROUP[key] in ("chemistry", "industry")
                if owner not in (None, seat) and key not in self.mortgaged and not strike:
                    yield seat, pay.RentPaid, owner
            case "bank_exit" if self.loans[seat]:
                yield seat, pay.InterestPaid, None
            case "bank_entrance":
                yield seat, pay.BonusPaid, None
            case "share_dividends" if self.shares(seat, PAPERS):
                yield seat, pay.BankDividends, None
            case "repay_loan" if self.loans[seat]:
                yield seat, pay.LoanRepaid, None
                yield seat, pay.InterestPaid, None
            case "pay_dividends":
                groups = {GROUP[key] for key in self.lots(seat)}
                for other in self.cash:
                    if other != seat and self.shares(other, groups):
                        yield seat, pay.PlayerDividends, other

    def _close(self, event: Event) -> None:
        """An event that settles what a square has brought."""
        match event:
            case told.RentNotTaken(seat=owner, guest=guest):
                self.open.discard((guest, pay.RentPaid, owner))
            case told.InterestWaived(seat=seat):
                self.open.discard((seat, pay.InterestPaid, None))
            case told.WentBankrupt(seat=seat):
                self.open = {entry for entry in self.open if entry[0] != seat}
            case pay.BonusPaid(payee=str(seat)) | pay.BankDividends(payee=str(seat)):
                self.open.discard((seat, type(event), None))
            case pay.Payment(payer=str(seat), payee=payee):
                self.open.discard((seat, type(event), payee))

    def _jail(self, seat: str) -> None:
        assert self.square[seat] == 24
        self.from_jail.add(seat)

    def _call(self, event: told.MeetingCalled, seat: str, group: str) -> None:
        """In the head office, before the throw, with a paper and the money."""
        owners = {paper: self.owner[paper] for paper in PAPERS[group]}
        value = sum(self.cost(paper) for paper, owner in owners.items() if owner not in (None, seat))
        assert event.value == value > 0
        assert event.fee in range(20_000, 120_001, 10_000)
        assert seat in owners.values()
        assert self.square[seat] >= 35
        assert self.cash[seat] >= value + event.fee
        assert seat not in self.threw
        self.meeting = event

    def _clear(self, seat: str) -> None:
        """Creditors have their parts of all cash, rounded down to 500; everything else goes back to the Bank."""
        assert self.cash[seat] == 0
        cash, due = self.rest + sum(part.amount for part in self.parts), sum(part.due for part in self.parts)
        assert cash < due
        assert all(part.amount == cash * part.due // due // 500 * 500 for part in self.parts)
        self.parts, self.rest = [], 0
        mine = {thing for thing, owner in self.owner.items() if owner == seat}
        self.owner |= dict.fromkeys(mine)
        self.built -= mine
        self.mortgaged -= mine
        self.loans[seat] = self.missing[seat] = 0
        self.cars.discard(seat)
        self.bankrupt.add(seat)
        assert not self.bonds[seat]
        assert not self.tips[seat]
