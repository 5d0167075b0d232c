"""What happened in a month: prices moved, bids bought or failed, offers sold or failed, and why.

Whatever happens to one player can be said in two ways: `tell` as a sentence that names him, `reckoning` as a line under
his name.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text, Value
from rulesets.commodity_market.tables import GRADES, Good, Grade, Letter


class Lot(BaseModel):
    """So many units of one thing, by its letter and by the name it has at this table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    good: Letter
    name: str
    units: int


def lots(units: Mapping[Grade, int] | Mapping[Good, int], names: Mapping[Letter, str]) -> tuple[Lot, ...]:
    """The same as lots, without what there is none of."""
    return tuple(Lot(good=letter, name=names[letter], units=count) for letter, count in units.items() if count)


def listed(some: tuple[Lot, ...]) -> Value:
    """ "5 X-Fine and 2 Fine"."""
    if not some:
        return Text.of("nothing")
    return Listing([Text.of("{units} {good}", units=lot.units, good=lot.name) for lot in some])


class PriceMoved(Event):
    """A market price, and how many units everybody ordered or offered; `units` moved it, successful or not."""

    good: Letter
    name: str
    units: int
    before: int
    price: int

    def tell(self) -> Text:
        gaps: dict[str, Value] = {"good": self.name, "units": self.units, "before": self.before, "price": self.price}
        match self.good in GRADES, self.before == self.price:
            case True, False:
                return Text.of("{good}: {units} ordered, {before} → {price}.", **gaps)
            case True, True:
                return Text.of("{good}: {units} ordered, still {price}.", **gaps)
            case False, False:
                return Text.of("{good}: {units} offered, {before} → {price}.", **gaps)
            case _:
                return Text.of("{good}: {units} offered, still {price}.", **gaps)


class PlayerEvent(Event):
    """Something that happened to one player."""

    seat: Seat

    def reckoning(self) -> Text:
        """The event as a line under the player's name."""
        raise TypeError(f"{type(self).__name__} has no line in the reckoning")


class _Line(PlayerEvent):
    """What became of one line of the tally sheet: `ordered` units at `price` each, of which `units` changed hands."""

    good: Letter
    name: str
    ordered: int
    units: int
    price: int
    market: int

    @property
    def amount(self) -> int:
        return self.units * self.price

    def gaps(self) -> dict[str, Value]:
        return {
            "player": Player(self.seat),
            "good": self.name,
            "ordered": self.ordered,
            "units": self.units,
            "price": self.price,
            "market": self.market,
            "amount": Money(self.amount),
        }


class Bought(_Line):
    def tell(self) -> Text:
        return Text.of("{player} bought {units} {good} at {price} (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Bid {price}, market {market}: {units} {good} for {amount}.", **self.gaps())


class PartlyBought(_Line):
    def tell(self) -> Text:
        return Text.of("{player} bought {units} of {ordered} {good} at {price} (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Bid {price}, market {market}: only {units} of {ordered} {good}, for {amount}.", **self.gaps())


class BidFailed(_Line):
    def tell(self) -> Text:
        return Text.of("{player} bid {price} for {ordered} {good} and got none (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Bid {price}, market {market}: no {good}.", **self.gaps())


class BidVoided(_Line):
    """A bid that reached the market price and still buys nothing, because its player cannot pay for all that did."""

    def tell(self) -> Text:
        return Text.of("{player} could have bought {units} {good} at {price} (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Bid {price}, market {market}: {units} {good} would have been {amount}.", **self.gaps())


class PurchaseVoided(PlayerEvent):
    cost: int
    cash: int

    def tell(self) -> Text:
        return Text.of(
            "{player} could not pay {cost} with {cash} and bought nothing.", player=Player(self.seat), **self._money()
        )

    def reckoning(self) -> Text:
        return Text.of("{cost} to pay and only {cash} in hand: nothing bought this month.", **self._money())

    def _money(self) -> dict[str, Value]:
        return {"cost": Money(self.cost), "cash": Money(self.cash)}


class LoanTaken(PlayerEvent):
    amount: int
    debt: int

    def tell(self) -> Text:
        return Text.of(
            "{player} borrowed {amount} from the Broker.", player=Player(self.seat), amount=Money(self.amount)
        )

    def reckoning(self) -> Text:
        return Text.of(
            "Loan of {amount} from the Broker, {debt} in all.", amount=Money(self.amount), debt=Money(self.debt)
        )


class OrderedNothing(PlayerEvent):
    def tell(self) -> Text:
        return Text.of("{player} ordered nothing.", player=Player(self.seat))

    def reckoning(self) -> Text:
        return Text.of("Ordered nothing.")


class Sold(_Line):
    def tell(self) -> Text:
        return Text.of("{player} sold {units} {good} at {price} (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Asked {price}, market {market}: {units} {good} for {amount}.", **self.gaps())


class PartlySold(_Line):
    def tell(self) -> Text:
        return Text.of("{player} sold {units} of {ordered} {good} at {price} (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Asked {price}, market {market}: only {units} of {ordered} {good}, for {amount}.", **self.gaps())


class OfferFailed(_Line):
    def tell(self) -> Text:
        return Text.of("{player} asked {price} for {ordered} {good} and sold none (market {market}).", **self.gaps())

    def reckoning(self) -> Text:
        return Text.of("Asked {price}, market {market}: no {good} sold.", **self.gaps())


class OfferBarred(PlayerEvent):
    """More offered than can be made: the whole offer is struck out, and the market never hears of it."""

    offered: tuple[Lot, ...]
    stock: tuple[Lot, ...]

    def tell(self) -> Text:
        return Text.of(
            "{player} offered {offered}, which cannot be made from {stock}, and sold nothing.",
            player=Player(self.seat),
            offered=listed(self.offered),
            stock=listed(self.stock),
        )

    def reckoning(self) -> Text:
        return Text.of(
            "Offered {offered}, which cannot be made from {stock}: nothing sold, and the offers did not count.",
            offered=listed(self.offered),
            stock=listed(self.stock),
        )


class CertificatesUsed(PlayerEvent):
    """The certificates that went into the goods sold.  `x_for_f` and `f_for_s` of them stood in for the next grade."""

    certificates: tuple[Lot, ...]
    x_for_f: int
    f_for_s: int

    def tell(self) -> Text:
        return Text.of(
            "{player} handed in {certificates}.", player=Player(self.seat), certificates=listed(self.certificates)
        )

    def reckoning(self) -> Text:
        substitutions: list[Value] = []
        if self.x_for_f:
            substitutions.append(Text.of("{units} X as F", units=self.x_for_f))
        if self.f_for_s:
            substitutions.append(Text.of("{units} F as S", units=self.f_for_s))
        if not substitutions:
            return Text.of("Handed in {certificates}.", certificates=listed(self.certificates))
        return Text.of(
            "Handed in {certificates}, of these {substitutions}.",
            certificates=listed(self.certificates),
            substitutions=Listing(substitutions),
        )


class OfferedNothing(PlayerEvent):
    def tell(self) -> Text:
        return Text.of("{player} offered nothing.", player=Player(self.seat))

    def reckoning(self) -> Text:
        return Text.of("Offered nothing.")


class PassedByForce(PlayerEvent):
    def tell(self) -> Text:
        return Text.of("{player} could not make a single unit: a forced pass.", player=Player(self.seat))

    def reckoning(self) -> Text:
        return Text.of("Could not make a single unit: a forced pass.")


class CertificatesSold(PlayerEvent):
    """The certificates left at the end of the game, back to the Broker at the final month's prices."""

    certificates: tuple[Lot, ...]
    amount: int

    def tell(self) -> Text:
        return Text.of(
            "{player} sold the unused {certificates} to the Broker for {amount}.",
            player=Player(self.seat),
            certificates=listed(self.certificates),
            amount=Money(self.amount),
        )

    def reckoning(self) -> Text:
        return Text.of(
            "Unused {certificates} sold to the Broker for {amount}.",
            certificates=listed(self.certificates),
            amount=Money(self.amount),
        )


class LoansRepaid(PlayerEvent):
    debt: int
    amount: int

    def tell(self) -> Text:
        return Text.of(
            "{player} paid {amount} back for loans of {debt}.",
            player=Player(self.seat),
            amount=Money(self.amount),
            debt=Money(self.debt),
        )

    def reckoning(self) -> Text:
        return Text.of("Paid {amount} back for loans of {debt}.", amount=Money(self.amount), debt=Money(self.debt))


class GameEnded(Event):
    """The profits, and who made the most; equal profits share the victory."""

    profits: dict[Seat, int]

    @property
    def winners(self) -> tuple[Seat, ...]:
        return tuple(seat for seat, profit in self.profits.items() if profit == max(self.profits.values()))

    def tell(self) -> Text:
        return Text.n(
            "The game is over: {players} wins with a profit of {profit}.",
            "The game is over: {players} share the victory with a profit of {profit} each.",
            len(self.winners),
            players=Listing([Player(seat) for seat in self.winners]),
            profit=Money(max(self.profits.values())),
        )
