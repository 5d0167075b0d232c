"""All that can happen, in a sentence each.  What tells a kind of card before the rules do is for one seat alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from judge.core.ruleset import Event, Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.get_rich_quick.cards import TAXMAN, TITLES, Card, told


class Fact(BaseModel):
    """Something that has happened and never changes: copies of a position share it, since there are soon hundreds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def __deepcopy__(self, memo: dict[int, object] | None = None) -> Self:
        return self


class Shout(Fact):
    """A lot as everybody hears it: who, and how many cards."""

    seat: Seat
    cards: int

    def tell(self) -> Text:
        return Text.of("{who} {cards}", who=Player(self.seat), cards=self.cards)


def shouts(lots: Iterable[Shout]) -> Listing:
    return Listing([lot.tell() for lot in lots])


# The bell


class BellRung(Event):
    """The lots of a bell in the order in which they are looked at."""

    round: int
    bell: int
    offers: tuple[Shout, ...]

    def tell(self) -> Text:
        place: dict[str, Value] = {"round": self.round, "bell": self.bell}
        if not self.offers:
            return Text.of("Round {round}, bell {bell}: nobody offers anything.", **place)
        return Text.of("Round {round}, bell {bell}: on the floor are {lots}.", **place, lots=shouts(self.offers))


class Swapped(Event):
    seats: tuple[Seat, Seat]
    cards: int

    def tell(self) -> Text:
        one, other = (Player(seat) for seat in self.seats)
        return Text.n(
            "{one} and {other} swap {count} card.",
            "{one} and {other} swap {count} cards.",
            self.cards,
            one=one,
            other=other,
        )


class Unmatched(Event):
    """The lots that found no partner."""

    offers: tuple[Shout, ...]

    def tell(self) -> Text:
        return Text.of("Nobody to swap with: {lots}.", lots=shouts(self.offers))


class LotSwapped(Event):
    """To one seat: what went, what came, and from whom."""

    partner: Seat
    gave: tuple[Card, ...]
    got: tuple[Card, ...]

    def tell(self) -> Text:
        return Text.of(
            "You give {gave} to {who} and receive {got}.",
            gave=told(self.gave),
            who=Player(self.partner),
            got=told(self.got),
        )


class LotReturned(Event):
    """To one seat: a lot without a partner."""

    cards: tuple[Card, ...]

    def tell(self) -> Text:
        return Text.of("Nobody swaps with you for {cards}.", cards=told(self.cards))


class HandChanged(Event):
    """To one seat: its hand before and after the bell."""

    before: tuple[Card, ...]
    after: tuple[Card, ...]

    def tell(self) -> Text:
        if self.before == self.after:
            return Text.of("Your hand is as before: {after}.", after=told(self.after))
        return Text.of("Your hand was {before}; it is now {after}.", before=told(self.before), after=told(self.after))


class SetHeld(Event):
    """To one seat: it has a complete set and holds it."""

    commodity: Card

    def tell(self) -> Text:
        return Text.of(
            "Your {commodity} is complete, and you hold it: no call before it is doubled or you drop “hold”.",
            commodity=TITLES[self.commodity],
        )


# The end of a round


class RoundWon(Event):
    """The call, with the set that is shown; points are its value, doubled if it is."""

    round: int
    seat: Seat
    commodity: Card
    cards: tuple[Card, ...]
    doubled: bool
    dealt: bool
    """Complete as it was dealt, before any bell."""
    points: int

    def shout(self) -> Text:
        """The call itself, as the story begins with it."""
        values: dict[str, Value] = {"who": Player(self.seat), "commodity": TITLES[self.commodity], "round": self.round}
        if self.doubled:
            return Text.of("{who} calls {commodity}, doubled, and wins round {round}!", **values)
        return Text.of("{who} calls {commodity} and wins round {round}!", **values)

    def tell(self) -> Text:
        values: dict[str, Value] = {
            "who": Player(self.seat),
            "commodity": TITLES[self.commodity],
            "cards": told(self.cards),
            "points": self.points,
        }
        if self.dealt and self.doubled:
            return Text.of(
                "{who} calls {commodity} straight from the deal: {cards} score double, {points} million.", **values
            )
        if self.dealt:
            return Text.of("{who} calls {commodity} straight from the deal: {cards} score {points} million.", **values)
        if self.doubled:
            return Text.of("{who} calls {commodity}: {cards} score double, {points} million.", **values)
        return Text.of("{who} calls {commodity}: {cards} score {points} million.", **values)


class Fined(Event):
    round: int
    seat: Seat
    card: Card
    points: int

    def tell(self) -> Text:
        values: dict[str, Value] = {"who": Player(self.seat), "points": self.points}
        if self.card == TAXMAN:
            return Text.of("{who} is left with the Taxman and pays {points} million.", **values)
        return Text.of("{who} is left with Get Rich Quick and pays {points} million.", **values)


class LastRoundCalled(Event):
    round: int

    def tell(self) -> Text:
        return Text.of("Round {round} is the last.", round=self.round)


class Dealt(Event):
    round: int
    dealer: Seat
    ten_cards: tuple[Seat, ...]

    def tell(self) -> Text:
        return Text.of(
            "{who} deals round {round}; {players} have ten cards.",
            who=Player(self.dealer),
            round=self.round,
            players=Listing([Player(seat) for seat in self.ten_cards]),
        )


class HandDealt(Event):
    """To one seat: its new hand."""

    hand: tuple[Card, ...]

    def tell(self) -> Text:
        return Text.of("You are dealt {hand}.", hand=told(self.hand))


class GameEnded(Event):
    reason: Literal["goal", "rounds", "last round"]
    winners: tuple[Seat, ...]
    scores: dict[Seat, int]

    def tell(self) -> Text:
        why = {
            "goal": Text.of("The goal is reached."),
            "rounds": Text.of("All rounds are played."),
            "last round": Text.of("The last round is played."),
        }[self.reason]
        won = Text.n(
            "{players} wins with {points} million.",
            "{players} share the victory with {points} million each.",
            len(self.winners),
            players=Listing([Player(seat) for seat in self.winners]),
            points=max(self.scores.values()),
        )
        return Text.of("{why} {won}", why=why, won=won)
