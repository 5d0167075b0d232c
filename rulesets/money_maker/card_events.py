"""What happens with action cards and dice."""

from __future__ import annotations

from typing import Literal

from judge.core.ruleset import Event, Seat
from judge.core.text import Player, Text, Value
from rulesets.money_maker.names import (
    SECTOR_TITLES,
    TINTS,
    TITLES,
    amount_of,
    amounts,
    market_name,
    named,
    players,
    sectors_named,
)
from rulesets.money_maker.payments import Payment, block_name
from rulesets.money_maker.tables import Card, Colour, Sector, Tint


class ActionBought(Event):
    seat: Seat
    payment: Payment

    def tell(self) -> Text:
        return Text.of(
            "{who} buys an action card for {payment}.", who=Player(self.seat), payment=self.payment.with_sum()
        )


class ActionDrawn(Event):
    """To one seat: which card it is."""

    action: Card

    def tell(self) -> Text:
        return Text.of("You draw {action}.", action=TITLES[self.action])


class NoActionBought(Event):
    seat: Seat
    pile: bool

    def tell(self) -> Text:
        if self.pile:
            return Text.of("{who} cannot pay for an action card.", who=Player(self.seat))
        return Text.of("{who} gets no action card: none is left.", who=Player(self.seat))


class ActionPlayed(Event):
    seat: Seat
    action: Card

    def tell(self) -> Text:
        return Text.of("{who} plays {action}.", who=Player(self.seat), action=TITLES[self.action])


class PlayLapsed(Event):
    """To one seat: a card that was not played after all."""

    action: Card
    reason: Literal["not held", "no effect"]

    def tell(self) -> Text:
        if self.reason == "not held":
            return Text.of("{action} is not played: you do not have it.", action=TITLES[self.action])
        return Text.of("{action} is not played: it would change nothing.", action=TITLES[self.action])


class GoodsMoved(Event):
    """Warehouse Fire and Fleet Home."""

    colour: Colour
    count: int
    landed: bool

    def tell(self) -> Text:
        values: dict[str, Value] = {"goods": amount_of(self.colour, self.count), "market": market_name(self.colour)}
        if self.landed:
            return Text.of("The {market} gains {goods}.", **values)
        return Text.of("The {market} loses {goods} to the Natural Reserve.", **values)


class CreditMoved(Event):
    """Quiet Ledger."""

    seat: Seat
    amount: int
    away: tuple[Sector, ...]
    to: tuple[Sector, ...]

    def tell(self) -> Text:
        return Text.of(
            "{who} moves {amount} credit from {away} to {to}.",
            who=Player(self.seat),
            amount=self.amount,
            away=block_name(self.away),
            to=block_name(self.to),
        )


class Cleared(Event):
    """Clearing Day."""

    seat: Seat
    bank: Seat
    amount: int

    def tell(self) -> Text:
        return Text.of(
            "{bank} gives {who} {amount} gold for as much of its credit.",
            bank=Player(self.bank),
            who=Player(self.seat),
            amount=self.amount,
        )


class FairOpened(Event):
    """Kermis Fair."""

    seat: Seat
    limit: int

    def tell(self) -> Text:
        return Text.of("{who} may buy up to {limit} goods in each market.", who=Player(self.seat), limit=self.limit)


class Audited(Event):
    """To one seat: what lies in another bank's vault."""

    bank: Seat
    gold: int
    goods: dict[Colour, int]
    actions: tuple[Card, ...]

    def tell(self) -> Text:
        return Text.of(
            "In the vault of {who}: {gold} gold, {production}, {consumer}; action cards: {actions}.",
            who=Player(self.bank),
            gold=self.gold,
            production=amount_of("production", self.goods["production"]),
            consumer=amount_of("consumer", self.goods["consumer"]),
            actions=named(self.actions) if self.actions else Text.of("none"),
        )


class DiceThrown(Event):
    seat: Seat
    sectors: tuple[Sector, ...]
    tint: Tint
    number: int

    def tell(self) -> Text:
        return Text.of(
            "{who} throws {sectors} and {tint} {number}.",
            who=Player(self.seat),
            sectors=sectors_named(self.sectors),
            tint=TINTS[self.tint],
            number=self.number,
        )


class ThrownAgain(Event):
    """Spilled Dice."""

    seat: Seat
    tint: Tint
    number: int

    def tell(self) -> Text:
        return Text.of("The credit die now shows {tint} {number}.", tint=TINTS[self.tint], number=self.number)


class SectorTurned(Event):
    """Turning Wind."""

    seat: Seat
    before: Sector
    after: Sector

    def tell(self) -> Text:
        return Text.of(
            "A sector die is turned from {before} to {after}.",
            before=SECTOR_TITLES[self.before],
            after=SECTOR_TITLES[self.after],
        )


class CreditCounted(Event):
    """The effect of the dice: each bank's credit on affected blocks, and who has more than the number."""

    tint: Tint
    number: int
    credit: dict[Seat, int]
    over: tuple[Seat, ...]
    goods: int

    def tell(self) -> Text:
        credit = {seat: count for seat, count in self.credit.items() if count}
        told = Text.of(
            "Credit on the affected blocks: {credit}.", credit=amounts(credit) if credit else Text.of("none")
        )
        if not self.over:
            return Text.of("{told} Nobody has more than {number}.", told=told, number=self.number)
        told = Text.of("{told} More than {number}: {who}.", told=told, number=self.number, who=players(self.over))
        if self.tint == "blue":
            return told
        colour: Colour = "production" if self.tint == "red" else "consumer"
        return Text.of(
            "{told} The {market} loses {goods}.",
            told=told,
            goods=amount_of(colour, self.goods),
            market=market_name(colour),
        )
