"""What somebody did, as the verbs of which the story of a round is made: "buys Bookshop for 20,000", "throws 5".

A clause lacks its subject, so that a player's clauses join to one sentence.  It says no more than what stands before it
leaves open: rent is paid where somebody has just landed, a tax is what the card says that was just drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text, Value
from rulesets.finans import events as told
from rulesets.finans import payments as pay
from rulesets.finans.box import TIPS
from rulesets.finans.names import NEWS_TITLES, TIP_TITLES, square_words, title

MERGED: tuple[type[Event], ...] = (
    pay.Bought,
    pay.SoldBack,
    pay.Built,
    pay.Mortgaged,
    pay.Redeemed,
    pay.LoanTaken,
    pay.LoanRepaid,
    pay.PlayerDividends,
    pay.TipPaid,
)
"""Several of these in a row, by the same player, are one clause."""


def subject(event: Event) -> Seat | None:
    """Whom the clause about an event is about; None if it is a sentence of its own, or is not told."""
    match event:
        case pay.FeePaid() | pay.TakenOver():
            return None
        case pay.SoldBack() | pay.ForcedSale() | pay.Mortgaged() | pay.LoanTaken():
            return event.payee
        case pay.Payment():
            return event.payee if event.payer is None else event.payer
        case told.SeatEvent() if clauses([event]):
            return event.seat
    return None


def clauses(run: Sequence[Event]) -> Sequence[Text]:
    """The clauses about events in a row that are told together (see `MERGED`): mostly one, none of some."""
    match run[0]:
        case pay.Payment() as payment:
            return [_paid(payment, [event for event in run if isinstance(event, pay.Payment)])]
        case told.Threw(dice=dice, square=square):
            throw = Text.of("throws {one}", one=dice[0])
            if len(dice) == 2:
                throw = Text.of("throws {one} and {other}", one=dice[0], other=dice[1])
            return [throw, Text.of("lands on {name} ({number})", **square_words(square))]
        case told.Jailed(die=die, turns=turns):
            return [Text.of("throws {one}", one=die), Text.n("misses one turn", "misses {count} turns", turns)]
        case told.JailPassUsed():
            return [Text.of("shows a jail pass"), Text.of("is free at once")]
        case told.GoToJailThrown(die=die, goes=True):
            return [Text.of("must go to jail with a {die}", die=die)]
        case told.GoToJailThrown(die=die):
            return [Text.of("stays free with a {die}", die=die)]
        case told.SeatEvent() as event:
            said = _did(event)
            return [] if said is None else [said]
    return []


def _did(event: told.SeatEvent) -> Text | None:
    """What cards and their owners do; None where another clause says enough."""
    match event:
        case told.MovedByCard(square=square):
            return Text.of("goes to {name} ({number})", **square_words(square))
        case told.NewsDrawn(card=card):
            return Text.of("draws the news “{card}”", card=NEWS_TITLES[card])
        case told.TipDrawn(card=card) if TIPS[card].keep:
            return Text.of("draws the tip “{card}”, to be kept", card=TIP_TITLES[card])
        case told.TipDrawn(card=card):
            return Text.of("draws the tip “{card}”", card=TIP_TITLES[card])
        case told.TipReturned(card="permit", why="used"):
            return Text.of("returns the building permit")
        case told.InterestWaived(amount=amount):
            return Text.of("shows the card that pays {amount} interest", amount=Money(amount))
        case told.RentNotTaken(why="waived"):
            return Text.of("waives the rent")
        case told.RentNotTaken():
            return Text.of("does not claim the rent")
        case told.Swapped(gave=gave, got=got, other=other):
            return Text.of("swaps {gave} for {got} of {other}", gave=title(gave), got=title(got), other=Player(other))
    return None


def _paid(payment: pay.Payment, run: Sequence[pay.Payment]) -> Text:
    """A payment in its context; of papers and loans the whole run."""
    amount = Money(sum(one.amount for one in run))
    match payment:
        case pay.Bought():
            return Text.of("buys {deals}", deals=_deals(run))
        case pay.SoldBack():
            return Text.of("sells {deals} to the Bank", deals=_deals(run))
        case pay.Built():
            return Text.of("builds on {deals}", deals=_deals(run))
        case pay.Mortgaged():
            return Text.of("mortgages {deals}", deals=_deals(run))
        case pay.Redeemed():
            return Text.of("redeems {deals}", deals=_deals(run))
        case pay.LoanTaken():
            return Text.of("borrows {amount}", amount=amount)
        case pay.LoanRepaid():
            return Text.of("pays {amount} of loans back", amount=amount)
        case pay.PlayerDividends():
            return Text.of("pays {shares} in dividends", shares=_shares(run))
        case pay.TipPaid() if len(run) > 1:
            return Text.of("pays {shares}", shares=_shares(run))
    return _paid_once(payment, {"amount": amount, "whom": _whom(payment.payee)})


def _paid_once(payment: pay.Payment, values: dict[str, Value]) -> Text:
    match payment:
        case pay.RentPaid(doubled=True):
            return Text.of("pays {whom} a double rent of {amount}", **values)
        case pay.RentPaid():
            return Text.of("pays {whom} {amount} rent", **values)
        case pay.InterestPaid():
            return Text.of("pays {amount} interest", **values)
        case pay.BondBought(number=number):
            return Text.of("buys bond {number} for {amount}", number=number, **values)
        case pay.PrizeWon(number=number):
            return Text.of("wins {amount} with bond {number}", number=number, **values)
        case pay.BonusPaid():
            return _bonus(payment, values)
        case pay.BankDividends():
            return Text.of("receives {amount} in dividends", **values)
        case pay.ForcedSale(thing=thing):
            return Text.of("must sell {thing} to the Bank for {amount}", thing=title(thing), **values)
        case pay.Raided(thing=thing):
            return Text.of("takes {thing} from {whom} for {amount}", thing=title(thing), **values)
        case pay.PaidInPart(due=due):
            return Text.of("can pay {whom} only {amount} of {due}", due=Money(due), **values)
        case pay.LeftToBank():
            return Text.of("leaves {amount} to the Bank", **values)
        case pay.TaxPaid():
            return Text.of("pays {amount}", **values)
        case pay.Payment(payer=None):
            return Text.of("receives {amount}", **values)
    return Text.of("pays {whom} {amount}", **values)


def _bonus(payment: pay.BonusPaid, values: dict[str, Value]) -> Text:
    dice: dict[str, Value] = {"one": payment.dice[0], "other": payment.dice[1], **values}
    if payment.economy == "good":
        return Text.of("throws {one} and {other} for a bonus of {amount}, doubled in Good Times", **dice)
    if payment.economy == "bad":
        return Text.of("throws {one} and {other} for a bonus of {amount}, by the lower die in Bad Times", **dice)
    return Text.of("throws {one} and {other} for a bonus of {amount}", **dice)


def _deals(run: Sequence[pay.Payment]) -> Listing:
    """What was traded with the Bank, each at its price."""
    return Listing([Text.of("{thing} for {amount}", thing=_thing(one), amount=Money(one.amount)) for one in run])


def _shares(run: Sequence[pay.Payment]) -> Listing:
    """Who gets how much."""
    return Listing([Text.of("{who} {amount}", who=_whom(one.payee), amount=Money(one.amount)) for one in run])


def _thing(payment: pay.Payment) -> Text:
    match payment:
        case pay.Bought(thing=thing):
            return pay.named(thing)
        case pay.SoldBack(thing="car"):
            return Text.of("the car")
        case pay.SoldBack(thing=thing, built=True):
            return Text.of("{thing} with its building", thing=title(thing))
        case pay.SoldBack(thing=thing):
            return title(thing)
        case pay.Built(property=key) | pay.Mortgaged(property=key) | pay.Redeemed(property=key):
            return title(key)
    raise TypeError(f"{type(payment).__name__} trades nothing with the Bank")


def _whom(payee: Seat | None) -> Player | Text:
    return Text.of("the Bank") if payee is None else Player(payee)
