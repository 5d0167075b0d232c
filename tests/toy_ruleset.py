"""Lots: a tiny auction with everything that a game may need (rules in `lots/RULES.md`).

Simultaneous and single turns, a standing order, one that stays closed until the end, a forced seat, seats that are not
waited for, dice for ties, a hidden pile, a private event and a judge's order; the games that come with the judge need
not have any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.dice import Dice
from judge.core.orders import Ask, Choice, Notation, Order, Problem
from judge.core.report import Block, Heading, Line, Table
from judge.core.ruleset import Event, Options, Ruleset, Seat, State, View
from judge.core.text import Money, Player, Text

COLOURS = {"red": Text.of("red"), "blue": Text.of("blue")}
PAINTS = (Choice("red", COLOURS["red"], ("rot",)), Choice("blue", COLOURS["blue"], ("blau",)))


class Bid(Order):
    notation: ClassVar[Notation] = Notation(write={"en": "bid {amount}", "de": "biete {amount}"})
    title: ClassVar[Text] = Text.of("Bid")
    labels: ClassVar[Mapping[str, Text]] = {"amount": Text.of("Amount")}

    kind: Literal["bid"] = "bid"
    amount: int = Field(ge=1, le=1000)


class Always(Order):
    notation: ClassVar[Notation] = Notation(write={"en": "always {amount}", "de": "immer {amount}"})
    title: ClassVar[Text] = Text.of("Standing bid")
    labels: ClassVar[Mapping[str, Text]] = {"amount": Text.of("Amount")}
    standing: ClassVar[bool] = True

    kind: Literal["always"] = "always"
    amount: int = Field(ge=1, le=1000)


class Paint(Order):
    notation: ClassVar[Notation] = Notation(write={"en": "paint {colour}", "de": "male {colour}"})
    title: ClassVar[Text] = Text.of("Paint")
    labels: ClassVar[Mapping[str, Text]] = {"colour": Text.of("Colour")}

    kind: Literal["paint"] = "paint"
    colour: str


class Guess(Order):
    notation: ClassVar[Notation] = Notation(write={"en": "guess {colour}", "de": "tippe {colour}"})
    title: ClassVar[Text] = Text.of("Guess")
    labels: ClassVar[Mapping[str, Text]] = {"colour": Text.of("Colour")}
    opens: ClassVar[Literal["turn", "game"]] = "game"

    kind: Literal["guess"] = "guess"
    colour: str


class LotsOptions(Options):
    rounds: int = Field(3, ge=1, le=100)
    purse: int = Field(10, ge=1, le=1000)
    free_cards: bool = False
    only_red: bool = False
    late_guesses: bool = False
    name_lot: str = Field("lot", min_length=1, max_length=20)


class LotsState(State):
    name: str
    rounds: int
    only_red: bool = False
    late_guesses: bool = False
    round: int = 1
    phase: Literal["bid", "paint", "over"] = "bid"
    winner: Seat | None = None
    purses: dict[Seat, int]
    points: dict[Seat, int]
    colours: dict[Seat, list[str]]
    cards: dict[Seat, list[int]]
    deck: list[int]
    guesses: dict[Seat, str] = Field(default_factory=dict)
    right: dict[Seat, int] = Field(default_factory=dict)


class LotsView(View):
    round: int
    phase: str
    purses: dict[Seat, int]
    points: dict[Seat, int]
    colours: dict[Seat, list[str]]
    hand: list[int] | None = None


class LotWon(Event):
    seat: Seat
    name: str
    price: int

    def tell(self) -> Text:
        return Text.of(
            "{who} wins the {name} for {price}.", who=Player(self.seat), name=self.name, price=Money(self.price)
        )


class LevelBids(Event):
    throws: dict[Seat, int]

    def tell(self) -> Text:
        thrown = ", ".join(f"{seat} {throw}" for seat, throw in self.throws.items())
        return Text.of("Level bids: {thrown}.", thrown=thrown)


class NoBid(Event):
    name: str

    def tell(self) -> Text:
        return Text.of("Nobody wants the {name}.", name=self.name)


class CardDrawn(Event):
    card: int

    def tell(self) -> Text:
        return Text.of("You draw the card {card}.", card=self.card)


class Painted(Event):
    seat: Seat
    colour: str

    def tell(self) -> Text:
        return Text.of("{who} paints it {colour}.", who=Player(self.seat), colour=COLOURS[self.colour])


def setup(seats: Sequence[Seat], options: LotsOptions, dice: Dice) -> LotsState:
    deck = dice.shuffled(range(1, 10), "cards")
    dealt = {seat: [deck.pop(0)] if options.free_cards else [] for seat in seats}
    return LotsState(
        name=options.name_lot,
        rounds=options.rounds,
        only_red=options.only_red,
        late_guesses=options.late_guesses,
        purses=dict.fromkeys(seats, options.purse),
        points=dict.fromkeys(seats, 0),
        colours={seat: [] for seat in seats},
        cards=dealt,
        deck=deck,
    )


def asks(state: LotsState) -> Mapping[Seat, Ask]:
    if state.phase == "bid":
        prompt = Text.of("What do you bid?")
        open_to_all = Ask((Bid, Always, Guess), prompt, choices={"colour": PAINTS}, standing=True)
        return {
            seat: open_to_all if purse else Ask((Bid, Always), prompt, forced=())
            for seat, purse in state.purses.items()
        }
    if state.phase == "paint" and state.winner:
        forced = (Paint(colour="red"),) if state.only_red else None
        painter = {state.winner: Ask((Paint,), Text.of("Which colour?"), choices={"colour": PAINTS}, forced=forced)}
        if not state.late_guesses:
            return painter
        guesser = Ask((Guess,), Text.of("Which colour will it be?"), choices={"colour": PAINTS}, optional=True)
        return painter | {seat: guesser for seat in state.purses if seat != state.winner}
    return {}


def check(state: LotsState, seat: Seat, orders: Sequence[Order]) -> Iterable[Problem]:
    amounts = [order.amount for order in orders if isinstance(order, Bid | Always)]
    for amount in amounts:
        if amount > state.purses[seat]:
            yield Problem(
                Text.of("You bid {amount} and have {purse}.", amount=Money(amount), purse=Money(state.purses[seat]))
            )
        elif amount == state.purses[seat]:
            yield Problem(Text.of("This is all that you have."), warning=True)


def resolve(state: LotsState, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice) -> Iterator[Event]:
    if any(order.kind == "last round" for order in orders.get(None, ())):
        state.rounds = state.round
    if state.phase == "paint":
        yield from _paint(state, orders)
    else:
        yield from _sell(state, orders, dice)


def _sell(state: LotsState, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice) -> Iterator[Event]:
    state.guesses = {
        seat: order.colour for seat in state.purses for order in orders.get(seat, ()) if isinstance(order, Guess)
    }
    bids = {seat: amount for seat in state.purses if (amount := _bid(orders.get(seat, ())))}
    if not bids:
        yield NoBid(name=state.name)
        _next_round(state)
        return
    price = max(bids.values())
    highest = [seat for seat, bid in bids.items() if bid == price]
    while len(highest) > 1:
        throws = {seat: dice.roll(6) for seat in highest}
        yield LevelBids(throws=throws)
        highest = [seat for seat, throw in throws.items() if throw == max(throws.values())]
    winner = highest[0]
    state.winner, state.phase = winner, "paint"
    state.purses[winner] -= price
    state.points[winner] += price
    yield LotWon(seat=winner, name=state.name, price=price)
    if state.deck:
        card = state.deck.pop(0)
        state.cards[winner].append(card)
        yield CardDrawn(only=winner, card=card)


def _bid(orders: Sequence[Order]) -> int:
    for kind in (Bid, Always):
        for order in orders:
            if isinstance(order, kind):
                return order.amount
    return 0


def _paint(state: LotsState, orders: Mapping[Seat | None, Sequence[Order]]) -> Iterator[Event]:
    winner = state.winner
    assert winner is not None
    colour = next((order.colour for order in orders[winner] if isinstance(order, Paint)), "red")
    state.colours[winner].append(colour)
    if state.late_guesses:
        late = ((seat, order) for seat in state.purses if seat != winner for order in orders.get(seat, ()))
        state.guesses |= {seat: order.colour for seat, order in late if isinstance(order, Guess)}
    for seat, guess in state.guesses.items():
        state.right[seat] = state.right.get(seat, 0) + (guess == colour)
    yield Painted(seat=winner, colour=colour)
    _next_round(state)


def _next_round(state: LotsState) -> None:
    state.winner = None
    state.phase = "bid" if state.round < state.rounds else "over"
    state.round += state.phase == "bid"


def view(state: LotsState, seat: Seat | None) -> LotsView:
    return LotsView(
        round=state.round,
        phase=state.phase,
        purses=dict(state.purses),
        points=dict(state.points),
        colours=state.colours,
        hand=list(state.cards[seat]) if seat else None,
    )


def show(position: LotsView) -> Sequence[Block]:
    rows = tuple((Player(seat), Money(purse), position.points[seat]) for seat, purse in position.purses.items())
    blocks: list[Block] = [
        Table(title=Text.of("Purses"), head=(Text.of("Player"), Text.of("Purse"), Text.of("Points")), rows=rows)
    ]
    if position.hand is not None:
        blocks.append(Line(text=Text.n("You hold {count} card.", "You hold {count} cards.", len(position.hand))))
    return blocks


def report(position: LotsView, events: Sequence[Event]) -> Sequence[Block]:
    return [
        *(Line(text=event.tell()) for event in events),
        Heading(text=Text.of("Round {round}", round=position.round)),
        *show(position),
    ]


def standings(state: LotsState) -> Sequence[tuple[Seat, int]]:
    return [(seat, points + sum(state.cards[seat]) + state.right.get(seat, 0)) for seat, points in state.points.items()]


def default_orders(state: LotsState, seat: Seat) -> Sequence[Order]:
    return (Paint(colour="red"),) if state.phase == "paint" else ()


def bot(position: LotsView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    if Paint in ask.kinds:
        return (Paint(colour=dice.pick(["red", "blue"])),)
    if ask.kinds == (Guess,):
        return (Guess(colour=dice.pick(["red", "blue"])),)
    return (Bid(amount=dice.roll(position.purses[seat])),)


ruleset = Ruleset(
    name="lots",
    title=Text.of("Lots"),
    about=Text.of("A tiny auction."),
    version=1,
    seats=range(2, 5),
    folder=Path(__file__).parent / "lots",
    State=LotsState,
    View=LotsView,
    Options=LotsOptions,
    orders=(Bid, Always, Guess, Paint),
    setup=setup,
    asks=asks,
    check=check,
    resolve=resolve,
    view=view,
    show=show,
    report=report,
    standings=standings,
    default_orders=default_orders,
    bot=bot,
    run_on=2,
    judge_orders=("last round",),
)
