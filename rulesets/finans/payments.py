"""Every way in which money changes hands.  `payer` or `payee` None is the Bank; nothing else moves money.

What a payment buys or gives up moves with it: papers change hands by these events and by those of `events` only.
"""

from __future__ import annotations

from typing import Literal

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text, Value
from rulesets.finans.box import CAR, PROPERTIES
from rulesets.finans.names import NEWS_TITLES, title, titles


class Payment(Event):
    """So much from one to the other."""

    payer: Seat | None
    payee: Seat | None
    amount: int

    def values(self) -> dict[str, Value]:
        """The gaps that most sentences have."""
        values: dict[str, Value] = {"amount": Money(self.amount)}
        if self.payer is not None:
            values["payer"] = Player(self.payer)
        if self.payee is not None:
            values["payee"] = Player(self.payee)
        return values


class Bought(Payment):
    """From the Bank: a property, a share or a car."""

    thing: str

    def tell(self) -> Text:
        return Text.of("{payer} buys {thing} for {amount}.", thing=named(self.thing), **self.values())


class SoldBack(Payment):
    """To the Bank: a property with what stands on it, a share, or the car."""

    thing: str
    built: bool = False

    def tell(self) -> Text:
        if self.built:
            return Text.of(
                "{payee} lets the Bank repurchase {thing} with its building for {amount}.",
                thing=title(self.thing),
                **self.values(),
            )
        thing = Text.of("the car") if self.thing == CAR else title(self.thing)
        return Text.of("{payee} lets the Bank repurchase {thing} for {amount}.", thing=thing, **self.values())


class ForcedSale(Payment):
    """The break-up order: a share goes to the Bank at cost."""

    thing: str

    def tell(self) -> Text:
        return Text.of("{payee} must sell {thing} to the Bank for {amount}.", thing=title(self.thing), **self.values())


class Built(Payment):
    property: str

    def tell(self) -> Text:
        values = {"thing": title(self.property), **self.values()}
        if PROPERTIES[self.property].group in ("chemistry", "industry"):
            return Text.of("{payer} builds an industry on {thing} for {amount}.", **values)
        return Text.of("{payer} builds on {thing} for {amount}.", **values)


class RentPaid(Payment):
    property: str
    doubled: bool

    def tell(self) -> Text:
        values = {"thing": title(self.property), **self.values()}
        if self.doubled:
            return Text.of("{payer} pays {payee} double rent for {thing}: {amount}.", **values)
        return Text.of("{payer} pays {payee} {amount} rent for {thing}.", **values)


class Mortgaged(Payment):
    property: str

    def tell(self) -> Text:
        return Text.of("{payee} mortgages {thing} for {amount}.", thing=title(self.property), **self.values())


class Redeemed(Payment):
    property: str

    def tell(self) -> Text:
        return Text.of(
            "{payer} redeems the mortgage on {thing} for {amount}.", thing=title(self.property), **self.values()
        )


class LoanTaken(Payment):
    def tell(self) -> Text:
        return Text.of("{payee} takes a loan of {amount}.", **self.values())


class LoanRepaid(Payment):
    def tell(self) -> Text:
        return Text.of("{payer} repays a loan of {amount}.", **self.values())


class InterestPaid(Payment):
    """On square 1 for all loans, on square 43 for the one that is paid back."""

    def tell(self) -> Text:
        return Text.of("{payer} pays {amount} interest.", **self.values())


class BondBought(Payment):
    number: int

    def tell(self) -> Text:
        return Text.of("{payer} buys bond {number} for {amount}.", number=self.number, **self.values())


class PrizeWon(Payment):
    """The winning bond goes back to the Bank."""

    number: int
    place: int

    def tell(self) -> Text:
        return Text.of(
            "Bond {number} wins prize {place}: {amount} for {payee}; it goes back to the Bank.",
            number=self.number,
            place=self.place,
            **self.values(),
        )


class BonusPaid(Payment):
    """At the Bank Entrance."""

    dice: tuple[int, int]
    economy: Literal["good", "bad"] | None

    def tell(self) -> Text:
        values = {"one": self.dice[0], "other": self.dice[1], **self.values()}
        if self.economy == "good":
            return Text.of("{payee} throws {one} and {other}: in Good Times the bonus is doubled, {amount}.", **values)
        if self.economy == "bad":
            return Text.of("{payee} throws {one} and {other}: in Bad Times the lower one counts, {amount}.", **values)
        return Text.of("{payee} throws {one} and {other} for a bonus of {amount}.", **values)


class BankDividends(Payment):
    """From the Bank, on the shares of these groups."""

    groups: tuple[str, ...]

    def tell(self) -> Text:
        if len(self.groups) == 7:
            return Text.of("The Bank pays {payee} {amount} in dividends.", **self.values())
        return Text.of(
            "The Bank pays {payee} {amount} in dividends on {groups}.", groups=titles(self.groups), **self.values()
        )


class PlayerDividends(Payment):
    """Between players, on so much share capital in the payer's groups."""

    capital: int
    percent: int

    def tell(self) -> Text:
        return Text.of(
            "{payer} pays {payee} {amount} in dividends: {percent} % of {capital}.",
            percent=self.percent,
            capital=Money(self.capital),
            **self.values(),
        )


class TakenOver(Payment):
    """A board meeting takes one property or share over at its cost value."""

    thing: str

    def tell(self) -> Text:
        return Text.of(
            "{payer} takes {thing} over from {payee} for {amount}.", thing=title(self.thing), **self.values()
        )


class FeePaid(Payment):
    """A part of a procurement fee."""

    group: str

    def tell(self) -> Text:
        if self.payee is None:
            return Text.of("{amount} of the procurement fee goes to the Bank.", **self.values())
        return Text.of("{payee} receives {amount} of the procurement fee.", **self.values())


class TaxPaid(Payment):
    """What a news card takes."""

    card: str

    def tell(self) -> Text:
        return Text.of("{card}: {payer} pays {amount}.", card=NEWS_TITLES[self.card], **self.values())


class PremiumPaid(Payment):
    """What a news card gives."""

    card: str

    def tell(self) -> Text:
        return Text.of("{card}: the Bank pays {payee} {amount}.", card=NEWS_TITLES[self.card], **self.values())


class TipPaid(Payment):
    """What a tip card takes or gives, between whom it says."""

    card: str

    def tell(self) -> Text:
        if self.payer is None:
            return Text.of("The Bank pays {payee} {amount}.", **self.values())
        if self.payee is None:
            return Text.of("{payer} pays {amount} to the Bank.", **self.values())
        return Text.of("{payer} pays {payee} {amount}.", **self.values())


class Raided(Payment):
    """An opponent must sell a property or share."""

    thing: str

    def tell(self) -> Text:
        return Text.of("{payer} makes {payee} sell {thing} for {amount}.", thing=title(self.thing), **self.values())


class PaidInPart(Payment):
    """All that a bankrupt can pay of a debt."""

    due: int

    def tell(self) -> Text:
        if self.payee is None:
            return Text.of("{payer} pays the Bank {amount} of {due} due.", due=Money(self.due), **self.values())
        return Text.of("{payer} pays {payee} {amount} of {due} due.", due=Money(self.due), **self.values())


class LeftToBank(Payment):
    """What a bankrupt still has once the parts are rounded."""

    def tell(self) -> Text:
        return Text.of("The rest of {payer}'s cash, {amount}, goes to the Bank.", **self.values())


def named(thing: str) -> Text:
    """A thing as sentences about wishes name it."""
    return Text.of("a car") if thing == CAR else title(thing)


def listed(things: tuple[str, ...]) -> Listing:
    return Listing([named(thing) for thing in things])
