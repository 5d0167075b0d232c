"""What happens in a bank run, in negotiations, to ratings, and at the end of the game."""

from __future__ import annotations

from typing import Literal

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.names import TITLES, amount_of, amounts, named, players, rating_name, sectors_named
from rulesets.money_maker.payments import Payment, Placed, block_name, means_told
from rulesets.money_maker.tables import Card, Colour, Sector

Reason = Literal["runs", "all bankrupt", "one left", "no cards", "ten cards"]


class RunStarted(Event):
    number: int
    slot: str
    cause: Literal["meter", "reserve"]
    seat: Seat

    def tell(self) -> Text:
        if self.cause == "reserve":
            return Text.of("The Gold Reserve is empty: bank run {number}! The chip goes to {slot}.", **self._gaps())
        return Text.of("Bank run {number}! The chip has reached {slot}.", **self._gaps())

    def _gaps(self) -> dict[str, Value]:
        return {"number": self.number, "slot": self.slot}


class Shielded(Event):
    """Letter of Grace: what stays on a block and is not due in this run."""

    seat: Seat
    block: int
    sectors: tuple[Sector, ...]
    amount: int

    def tell(self) -> Text:
        return Text.of(
            "On {block}, {amount} credit of {who} stays and need not be paid in this run.",
            amount=self.amount,
            who=Player(self.seat),
            block=block_name(self.sectors),
        )


class DebtsCalled(Event):
    """Step 1: what each bank takes back from the affected blocks and has to pay."""

    sectors: tuple[Sector, ...]
    due: dict[Seat, int]

    def tell(self) -> Text:
        debts = {seat: count for seat, count in self.due.items() if count}
        return Text.of(
            "Blocks with {sectors} are affected. Due: {debts}.",
            sectors=sectors_named(dict.fromkeys(self.sectors)),
            debts=amounts(debts) if debts else Text.of("nothing"),
        )


class SetAgainst(Event):
    seat: Seat
    amount: int

    def tell(self) -> Text:
        return Text.of(
            "{amount} that the Gold Reserve owes {who} is set against the debts.",
            amount=self.amount,
            who=Player(self.seat),
        )


class Extinguished(Event):
    """A solvent bank pays all that is due."""

    seat: Seat
    due: int
    payment: Payment

    def tell(self) -> Text:
        return Text.of("{who} is solvent and pays {payment}.", who=Player(self.seat), payment=self.payment.with_sum())


class PaidInPart(Event):
    """A short bank pays what it has."""

    seat: Seat
    due: int
    payment: Payment
    left: int

    def tell(self) -> Text:
        return Text.of(
            "{who} pays {means} of {due} and is {left} short.",
            who=Player(self.seat),
            means=self.payment.tell(),
            due=self.due,
            left=self.left,
        )


class Rescued(Event):
    """Help by tariff: a lender's gold for the borrower's credit."""

    seat: Seat
    lender: Seat
    gold: int
    credit: int
    left: int

    def tell(self) -> Text:
        return Text.of(
            "{lender} rescues {who} with {gold} gold, for {credit} credit of {who}.",
            lender=Player(self.lender),
            who=Player(self.seat),
            gold=self.gold,
            credit=self.credit,
        )


Side = tuple[tuple[str, int], ...]
"""One side of an exchange: things by their names in orders, and how many."""


def side_told(side: Side, giver: Seat) -> Value:
    return Listing([_thing(what, count, giver) for what, count in side]) if side else Text.of("nothing")


def _thing(what: str, count: int, giver: Seat) -> Value:
    match what:
        case "gold":
            return Text.of("{count} gold", count=count)
        case "credit":
            return Text.of("{count} credit of {who}", count=count, who=Player(giver))
        case "production":
            return amount_of("production", count)
        case "consumer":
            return amount_of("consumer", count)
        case _ if what in TITLES:
            return TITLES[what]
        case _:
            return Text.of("{count} credit of {who}", count=count, who=Player(what.removeprefix("credit of ")))


class _Deal(Event):
    number: int
    maker: Seat
    taker: Seat
    give: Side
    get: Side

    def gaps(self) -> dict[str, Value]:
        return {
            "number": self.number,
            "maker": Player(self.maker),
            "taker": Player(self.taker),
            "give": side_told(self.give, self.maker),
            "get": side_told(self.get, self.taker),
        }


class OfferMade(_Deal):
    def tell(self) -> Text:
        return Text.of("Offer {number}: {maker} gives {taker} {give} for {get}.", **self.gaps())


class Exchanged(_Deal):
    def tell(self) -> Text:
        return Text.of("Offer {number} is accepted: {maker} gives {taker} {give} for {get}.", **self.gaps())


class OfferFailed(Event):
    number: int
    maker: Seat
    taker: Seat
    seat: Seat

    def tell(self) -> Text:
        return Text.of("Offer {number} fails: {who} cannot give all of it.", number=self.number, who=Player(self.seat))


class HelpUsed(Event):
    """What a short bank has received and pays its debts with; it does not count for a promotion."""

    seat: Seat
    gold: int
    claims: dict[Seat, int]
    placed: tuple[Placed, ...]
    left: int

    def tell(self) -> Text:
        means = means_told(self.gold, 0, self.claims, self.placed)
        if self.left:
            return Text.of(
                "{who} pays debts with {means}, and is still {left} short.",
                who=Player(self.seat),
                means=means,
                left=self.left,
            )
        return Text.of("{who} pays the rest of the debts with {means}.", who=Player(self.seat), means=means)


class Promoted(Event):
    seat: Seat
    before: int
    after: int
    paid: int
    board: tuple[int, ...]

    def tell(self) -> Text:
        return Text.of(
            "{who} has paid {paid} and is promoted from rating {before} to {after}.",
            who=Player(self.seat),
            paid=self.paid,
            before=rating_name(self.before),
            after=rating_name(self.after),
        )


class Degraded(Event):
    """One rating lower; below ring I lies the prison."""

    seat: Seat
    before: int
    after: int
    unpaid: int
    board: tuple[int, ...]

    def tell(self) -> Text:
        values: dict[str, Value] = {
            "who": Player(self.seat),
            "unpaid": self.unpaid,
            "before": rating_name(self.before),
            "after": rating_name(self.after),
        }
        if not self.after:
            return Text.of("{who} cannot pay {unpaid} and goes to the Debtors' Prison.", **values)
        return Text.of("{who} cannot pay {unpaid} and is degraded from rating {before} to {after}.", **values)


class WentBankrupt(Event):
    seat: Seat
    cards: tuple[Card, ...]
    goods: dict[Colour, int]
    placed: tuple[Placed, ...]

    def tell(self) -> Text:
        who = Player(self.seat)
        if not self.cards:
            return Text.of("{who} is bankrupt.", who=who)
        return Text.of("{who} is bankrupt. Out of the game: {cards}.", who=who, cards=named(self.cards))


class DebtWorkedOff(Event):
    """A prisoner's gold and other banks' credit pay his debts at once."""

    seat: Seat
    gold: int
    claims: dict[Seat, int]
    placed: tuple[Placed, ...]
    left: int

    def tell(self) -> Text:
        return Text.of(
            "In prison, {who} pays debts with {means}; left to pay: {left}.",
            who=Player(self.seat),
            means=means_told(self.gold, 0, self.claims, self.placed),
            left=self.left,
        )


class Freed(Event):
    seat: Seat

    def tell(self) -> Text:
        return Text.of("{who} has no debts left and leaves the prison for ring I.", who=Player(self.seat))


class OwedPaid(Event):
    """What the Gold Reserve still owed, after the run that its emptiness caused."""

    seat: Seat
    gold: int
    against_debt: int
    lapsed: int

    def tell(self) -> Text:
        told = Text.of(
            "The Gold Reserve pays {who} {gold} that it owed.",
            who=Player(self.seat),
            gold=self.gold + self.against_debt,
        )
        return Text.of("{told} The rest, {lapsed}, lapses.", told=told, lapsed=self.lapsed) if self.lapsed else told


class RunSettled(Event):
    number: int
    degraded: tuple[Seat, ...]

    def tell(self) -> Text:
        if not self.degraded:
            return Text.of("Bank run {number} is over; nobody is degraded.", number=self.number)
        return Text.of("Bank run {number} is over; degraded: {who}.", number=self.number, who=players(self.degraded))


class ScoreSheet(Event):
    """The printed lines of the score sheet."""

    seat: Seat
    gold: int = 0
    goods: int = 0
    cards: int = 0
    claims: int = 0
    rating: int = 0
    on_board: int = 0
    to_others: int = 0
    bankrupt: bool = False

    @property
    def assets(self) -> int:
        return self.gold + self.goods + self.cards + self.claims + self.rating

    @property
    def total(self) -> int:
        return self.assets - self.on_board - self.to_others

    def tell(self) -> Text:
        if self.bankrupt:
            return Text.of("{who}: bankrupt.", who=Player(self.seat))
        return Text.of(
            "{who}: gold {gold}, goods {goods}, companies {cards}, other banks' credit {claims}, rating {rating}: "
            "assets {assets}; credit on the board {on_board}, held by others {to_others}: {total}.",
            who=Player(self.seat),
            gold=self.gold,
            goods=self.goods,
            cards=self.cards,
            claims=self.claims,
            rating=self.rating,
            assets=self.assets,
            on_board=self.on_board,
            to_others=self.to_others,
            total=self.total,
        )


class GameEnded(Event):
    reason: Reason
    runs: int
    winners: tuple[Seat, ...]
    points: dict[Seat, int]

    def tell(self) -> Text:
        why = {
            "runs": Text.of("Bank run {number} was the last.", number=self.runs),
            "all bankrupt": Text.of("All banks are bankrupt."),
            "one left": Text.of("Only one bank is not bankrupt."),
            "no cards": Text.of("No investment card is left."),
            "ten cards": Text.of("A bank has ten investment cards."),
        }[self.reason]
        if not self.winners:
            return Text.of("{why} Nobody wins.", why=why)
        won = Text.n(
            "{players} wins with {points}.",
            "{players} share the victory with {points} each.",
            len(self.winners),
            players=players(self.winners),
            points=self.points[self.winners[0]],
        )
        return Text.of("{why} {won}", why=why, won=won)
