"""All that happens beside payments: throws, moves, cards, draws, meetings, jail, and how it ends."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Money, Player, Text, Value
from rulesets.finans.names import GROUP_TITLES, NEWS_TITLES, NEWS_WORDS, TIP_WORDS, square_title, title


class RoundBegan(Event):
    round: int

    def tell(self) -> Text:
        return Text.of("Round {round}.", round=self.round)


class SeatEvent(Event):
    """Something that happens to one player."""

    seat: Seat

    @property
    def who(self) -> Player:
        return Player(self.seat)


class TurnBegan(SeatEvent):
    """What follows, up to the next turn, happens in the turn of this player."""

    def tell(self) -> Text:
        return Text.of("It is {who}'s turn.", who=self.who)


class Threw(SeatEvent):
    """The throw of a move, and where it ends."""

    dice: tuple[int, ...]
    origin: int
    square: int

    def tell(self) -> Text:
        values: dict[str, Value] = {"who": self.who, "place": square_title(self.square)}
        if len(self.dice) == 1:
            return Text.of("{who} throws {one} and comes to {place}.", one=self.dice[0], **values)
        return Text.of(
            "{who} throws {one} and {other} and comes to {place}.", one=self.dice[0], other=self.dice[1], **values
        )


class TurnMissed(SeatEvent):
    left: int

    def tell(self) -> Text:
        if not self.left:
            return Text.of("{who} misses this turn, and is free then.", who=self.who)
        return Text.n(
            "{who} misses this turn and {count} more.",
            "{who} misses this turn and {count} more.",
            self.left,
            who=self.who,
        )


class Skipped(SeatEvent):
    """A line that the round has overtaken; several reasons are those of a wish list of which nothing was to be had."""

    deed: Text
    whys: tuple[Text, ...] = Field(min_length=1)

    def tell(self) -> Text:
        return Text.of("{who}: “{deed}” is skipped: {why}", who=self.who, deed=self.deed, why=Text.joined(self.whys))


class MovedByCard(SeatEvent):
    origin: int
    square: int

    def tell(self) -> Text:
        return Text.of("{who} goes to {place}.", who=self.who, place=square_title(self.square))


class RentNotTaken(SeatEvent):
    """`seat` is the owner, who waived it or did not claim it."""

    guest: Seat
    property: str
    why: Literal["waived", "not claimed"]

    def tell(self) -> Text:
        values: dict[str, Value] = {"who": self.who, "guest": Player(self.guest), "thing": title(self.property)}
        if self.why == "waived":
            return Text.of("{who} waives the rent of {guest} for {thing}.", **values)
        return Text.of("{who} does not claim the rent of {guest} for {thing}.", **values)


class NewsDrawn(SeatEvent):
    """A news card is read out; `ended` is the one that lay open before."""

    card: str
    ended: str | None

    def tell(self) -> Text:
        values: dict[str, Value] = {
            "who": self.who,
            "card": NEWS_TITLES[self.card],
            "words": NEWS_WORDS[self.card],
        }
        if self.ended is not None:
            return Text.of(
                "{who} draws the news: {card}. {words} {ended} is over.", ended=NEWS_TITLES[self.ended], **values
            )
        return Text.of("{who} draws the news: {card}. {words}", **values)


class TipDrawn(SeatEvent):
    card: str

    def tell(self) -> Text:
        return Text.of("{who} draws a market tip: {words}", who=self.who, words=TIP_WORDS[self.card])


class TipReturned(SeatEvent):
    """A card that was kept goes under its pile."""

    card: str
    why: Literal["used", "bankrupt"]

    def tell(self) -> Text:
        if self.card == "permit":
            return Text.of("{who} returns the building permit.", who=self.who)
        if self.card == "jail_pass":
            return Text.of("{who} returns the jail pass.", who=self.who)
        return Text.of("{who} returns the card that pays his interest.", who=self.who)


class NothingHappens(SeatEvent):
    """A card or square that finds nothing to do, with the reason."""

    why: Text

    def tell(self) -> Text:
        return Text.of("{who}: {why}", who=self.who, why=self.why)


class InterestWaived(SeatEvent):
    amount: int

    def tell(self) -> Text:
        return Text.of("{who}'s card pays the interest of {amount}.", who=self.who, amount=Money(self.amount))


class Jailed(SeatEvent):
    """In square 24: the die says how long."""

    die: int
    turns: int

    def tell(self) -> Text:
        return Text.n(
            "{who} throws {die} in jail and misses {count} turn.",
            "{who} throws {die} in jail and misses {count} turns.",
            self.turns,
            who=self.who,
            die=self.die,
        )


class JailPassUsed(SeatEvent):
    def tell(self) -> Text:
        return Text.of("{who} shows a jail pass and is free at once.", who=self.who)


class GoToJailThrown(SeatEvent):
    """On square 37."""

    die: int
    goes: bool

    def tell(self) -> Text:
        if self.goes:
            return Text.of("{who} throws {die} and must go directly to jail.", who=self.who, die=self.die)
        return Text.of("{who} throws {die} and does not have to go to jail.", who=self.who, die=self.die)


class Amnesty(Event):
    freed: tuple[Seat, ...]

    def tell(self) -> Text:
        if not self.freed:
            return Text.of("Nobody has a turn to miss.")
        return Text.of("No more turns to miss: {players}.", players=Listing([Player(seat) for seat in self.freed]))


class SweepstakesDrawn(Event):
    """The dice, and the bond numbers that win, in the order of the prizes."""

    size: Literal["big", "small"]
    dice: tuple[int, int]
    numbers: tuple[int, int, int]

    def tell(self) -> Text:
        first, second, third = self.numbers
        values: dict[str, Value] = {
            "one": self.dice[0],
            "other": self.dice[1],
            "first": first,
            "second": second,
            "third": third,
        }
        if self.size == "big":
            return Text.of(
                "The Big Bond Sweepstakes: {one} and {other}; the bonds {first}, {second} and {third} win.", **values
            )
        return Text.of(
            "The Small Bond Sweepstakes: {one} and {other}; the bonds {first}, {second} and {third} win.", **values
        )


class BondReturned(SeatEvent):
    """Of a bankrupt."""

    number: int

    def tell(self) -> Text:
        return Text.of("{who}'s bond {number} goes back to the Bank.", who=self.who, number=self.number)


class MeetingCalled(SeatEvent):
    """What the opponents' papers cost, and the fee that is put up besides."""

    group: str
    value: int
    fee: int

    def tell(self) -> Text:
        return Text.of(
            "{who} calls a board meeting of {group} and puts up {value} and a procurement fee of {fee}.",
            who=self.who,
            group=GROUP_TITLES[self.group],
            value=Money(self.value),
            fee=Money(self.fee),
        )


class MeetingDecided(SeatEvent):
    """The throw against the fee; a fee that no throw can beat needs none."""

    group: str
    dice: tuple[int, int] | None
    limit: int
    won: bool

    def tell(self) -> Text:
        if self.dice is None:
            return Text.of("No throw can beat this fee: the take-over succeeds.")
        values: dict[str, Value] = {"one": self.dice[0], "other": self.dice[1], "limit": self.limit}
        if self.won:
            return Text.of("{one} and {other}, at most {limit} was needed: the take-over succeeds.", **values)
        return Text.of("{one} and {other}, at most {limit} was needed: the take-over is a failure.", **values)


class GroupCompleted(SeatEvent):
    group: str

    def tell(self) -> Text:
        return Text.of(
            "{who} owns the whole of {group}: the rents there are doubled.",
            who=self.who,
            group=GROUP_TITLES[self.group],
        )


class Swapped(SeatEvent):
    """One share for another of the same value."""

    other: Seat
    gave: str
    got: str

    def tell(self) -> Text:
        return Text.of(
            "{who} swaps {gave} for {got} of {other}.",
            who=self.who,
            other=Player(self.other),
            gave=title(self.gave),
            got=title(self.got),
        )


class WentBankrupt(SeatEvent):
    """Papers, buildings, car, loans and cards go back to the Bank."""

    def tell(self) -> Text:
        return Text.of("{who} is bankrupt and out of the game; all papers go back to the Bank.", who=self.who)


class GameEnded(Event):
    reason: Literal["million", "last player", "time"]
    winners: tuple[Seat, ...]
    wealth: dict[Seat, int]
    cash: int

    def tell(self) -> Text:
        players = Listing([Player(seat) for seat in self.winners])
        if self.reason == "million":
            return Text.of(
                "{players} shows {cash} in cash and enough complete groups: the game is won.",
                players=players,
                cash=Money(self.cash),
            )
        if self.reason == "last player":
            return Text.of("{players} is the last one who is not bankrupt: the game is won.", players=players)
        return Text.n(
            "Time is up: {players} is the richest, with {wealth}.",
            "Time is up: {players} are equally rich and share the victory, with {wealth}.",
            len(self.winners),
            players=players,
            wealth=Money(max(self.wealth.values())),
        )
