"""What happens in a turn: the starting auction, draws, auctions, payments, goods, action cards, dice.

What tells a vault's contents is for its owner alone; transactions are public.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.names import (
    SECTOR_TITLES,
    TITLES,
    amount_of,
    amounts,
    goods,
    players,
)
from rulesets.money_maker.payments import Fact, Payment, block_name
from rulesets.money_maker.tables import Card, Colour, Sector

Why = Literal["five open", "dice", "rumour", "calm", "degraded", "empty pile"]


Refused = Literal["not open", "maximum", "means"]
"""Why a listed card was not opened."""


class StartAuctioned(Event):
    """The privilege of the first turn: all bids, and who won it by bid or lot."""

    bids: dict[Seat, int]
    level: tuple[Seat, ...]
    winner: Seat
    price: int
    payment: Payment | None

    def tell(self) -> Text:
        return Text.joined(self.lines())

    def lines(self) -> list[Text]:
        who = Player(self.winner)
        if self.payment is None:
            return [Text.of("Nobody bids for the first turn; the lot falls on {who}.", who=who)]
        told = [Text.of("Bids for the first turn: {bids}.", bids=bids_told(self.bids))]
        if self.level:
            told.append(Text.of("The lot decided between {players}.", players=players(self.level)))
        paid = Text.of("{who} starts and pays {payment}.", who=who, payment=self.payment.with_sum())
        return [*told, paid]


def bids_told(bids: Mapping[Seat, int]) -> Listing:
    """The highest first."""
    return amounts(dict(sorted(bids.items(), key=lambda bid: -bid[1])))


class TurnBegun(Event):
    """Step 1: a card is drawn, or there is none to draw."""

    turn: int
    seat: Seat
    card: Card | None
    open_cards: int

    def tell(self) -> Text:
        who = Player(self.seat)
        if self.card is not None:
            return Text.of("{who}'s turn begins: {card} is drawn.", who=who, card=TITLES[self.card])
        if self.open_cards:
            return Text.of("{who}'s turn begins: no card is drawn, {count} are open.", who=who, count=self.open_cards)
        return Text.of("{who}'s turn begins: no card is drawn.", who=who)


class ChipMoved(Event):
    """The bank run chip on the bankrun-o-meter."""

    why: Why
    before: int
    after: int
    length: int

    def tell(self) -> Text:
        why = {
            "five open": Text.of("Five cards are open"),
            "dice": Text.of("Citizens exchange credit for gold"),
            "rumour": Text.of("Whispers at the Exchange"),
            "calm": Text.of("A Word from the Burgomaster"),
            "degraded": Text.of("Banks were degraded"),
            "empty pile": Text.of("No card is left to draw, and none was won"),
        }[self.why]
        return Text.of(
            "{why}: the bank run chip moves from {before} to {after} of {length}.",
            why=why,
            before=self.before,
            after=self.after,
            length=self.length,
        )


class NotOpened(Event):
    """A listed card whose auction was not opened; nothing has moved."""

    seat: Seat
    card: Card
    reason: Refused
    price: int = 0
    most: int = 0

    def tell(self) -> Text:
        values: dict[str, Value] = {
            "who": Player(self.seat),
            "card": TITLES[self.card],
            "price": self.price,
            "most": self.most,
        }
        match self.reason:
            case "not open":
                return Text.of("{who} cannot open {card}: it is not on the table.", **values)
            case "maximum":
                return Text.of(
                    "{who} does not open {card}: it would open at {price}, over the maximum of {most}.", **values
                )
            case "means":
                return Text.of("{who} cannot open {card}: it would open at {price}, and {most} can be paid.", **values)


class Raised(Fact):
    """A maximum that Late Envelope has made the highest."""

    seat: Seat
    before: int
    after: int

    def tell(self) -> Text:
        return Text.of(
            "{who} plays Late Envelope: {before} becomes {after}.",
            who=Player(self.seat),
            before=self.before,
            after=self.after,
        )


class Auctioned(Event):
    """An auction with every bid and every Late Envelope; `taken` goods have left the market for the opening price."""

    card: Card
    opener: Seat
    opening: int
    colour: Colour
    taken: int
    bids: dict[Seat, int]
    raised: tuple[Raised, ...]
    winner: Seat
    price: int
    payment: Payment
    bought_out: Seat | None = None
    buyout: int = 0

    def tell(self) -> Text:
        return Text.joined(self.lines())

    def lines(self) -> list[Text]:
        """How it was opened, all bids, and how it ended."""
        told = [
            Text.of(
                "{opener} opens {card} at {opening}; the market loses {goods}.",
                opener=Player(self.opener),
                card=TITLES[self.card],
                opening=self.opening,
                goods=amount_of(self.colour, self.taken),
            ),
            Text.of("Bids: {bids}.", bids=bids_told(self.bids)),
            *(envelope.tell() for envelope in self.raised),
            Text.of("{winner} wins it for {payment}.", winner=Player(self.winner), payment=self.payment.with_sum()),
        ]
        if self.bought_out is not None:
            told.append(
                Text.of(
                    "It was bought out from {who} for {gold} gold more.", who=Player(self.bought_out), gold=self.buyout
                )
            )
        return told


class PaidOff(Event):
    """The alternative step."""

    seat: Seat
    sectors: tuple[Sector, ...]
    amount: int
    payment: Payment

    def tell(self) -> Text:
        return Text.of(
            "{who} pays off {amount} credit on {block} with {means}.",
            who=Player(self.seat),
            amount=self.amount,
            block=block_name(self.sectors),
            means=self.payment.tell(),
        )


class NotPaidOff(Event):
    """The alternative step failed, since there was no debt or not enough to pay it."""

    seat: Seat
    sector: Sector
    debt: int

    def tell(self) -> Text:
        return Text.of(
            "{who} cannot pay off the {debt} credit on the block with the {sector}.",
            who=Player(self.seat),
            debt=self.debt,
            sector=SECTOR_TITLES[self.sector],
        )


class Output(Fact):
    """What one company made; less than `wanted` if its Natural Reserve was short."""

    card: Card
    colour: Colour
    count: int
    bonus: int
    wanted: int

    def tell(self) -> Text:
        values: dict[str, Value] = {"card": TITLES[self.card], "goods": amount_of(self.colour, self.count)}
        if self.count < self.wanted:
            return Text.of("{card} {goods}, all that is left of {wanted}", wanted=self.wanted, **values)
        return Text.of("{card} {goods}", **values)


class Produced(Event):
    seat: Seat
    outputs: tuple[Output, ...]

    def tell(self) -> Text:
        return Text.of(
            "{who} produces: {outputs}.",
            who=Player(self.seat),
            outputs=Listing([output.tell() for output in self.outputs]),
        )


class Traded(Event):
    seat: Seat
    given: Colour
    count: int
    output: Output

    def tell(self) -> Text:
        return Text.of(
            "{who} trades {goods}: {output}.",
            who=Player(self.seat),
            goods=amount_of(self.given, self.count),
            output=self.output.tell(),
        )


class NotProduced(Event):
    """To one seat: a company that could not produce or trade."""

    card: Card
    reason: Literal["not owned", "done", "goods"]
    needed: int = 0
    held: int = 0

    def tell(self) -> Text:
        values: dict[str, Value] = {"card": TITLES[self.card], "needed": self.needed, "held": self.held}
        match self.reason:
            case "not owned":
                return Text.of("{card} does nothing for you: you do not own it, or it cannot do that.", **values)
            case "done":
                return Text.of("{card} has done its work in this turn.", **values)
            case "goods":
                return Text.of("{card} needs exactly {needed} goods to trade; you have {held}.", **values)


class Bought(Event):
    seat: Seat
    colour: Colour
    prices: tuple[int, ...]
    payment: Payment

    def tell(self) -> Text:
        return Text.of(
            "{who} buys {goods} for {payment}.",
            who=Player(self.seat),
            goods=amount_of(self.colour, len(self.prices)),
            payment=self.payment.with_sum(),
        )


class NothingBought(Event):
    """To one seat: no good at the price wanted, or none allowed any more."""

    colour: Colour
    price: int
    market: int
    left: int

    def tell(self) -> Text:
        if not self.left:
            return Text.of("You cannot buy more {goods} in this turn.", goods=goods(self.colour))
        told = Text.of("You buy no {goods}: the next costs {market}", goods=goods(self.colour), market=self.market)
        if self.market > self.price:
            return Text.of("{told}, and your line says {price} at most.", told=told, price=self.price)
        return Text.of("{told}, and you cannot pay that.", told=told)


class Sold(Event):
    """`gold` was paid at once, `against_debt` deducted from a prisoner's credit, `owed` the Reserve did not have."""

    seat: Seat
    colour: Colour
    prices: tuple[int, ...]
    gold: int
    against_debt: int
    owed: int

    def tell(self) -> Text:
        told = Text.of(
            "{who} sells {goods} for {price}.",
            who=Player(self.seat),
            goods=amount_of(self.colour, len(self.prices)),
            price=sum(self.prices),
        )
        if self.against_debt:
            told = Text.of("{told} {amount} of it pays debts.", told=told, amount=self.against_debt)
        if self.owed:
            told = Text.of("{told} The Gold Reserve owes {owed} of it.", told=told, owed=self.owed)
        return told


class NothingSold(Event):
    """To one seat: no number of goods brings the average wanted, or there is none to sell."""

    colour: Colour
    held: int

    def tell(self) -> Text:
        return Text.of("You sell no {goods} by your line; you have {held}.", goods=goods(self.colour), held=self.held)
