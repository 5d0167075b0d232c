"""The table: scores, hands, who deals, and what was shouted last; and what each reader may see of it.

Public are the scores, the numbers of cards offered and swapped, and the results of rounds.  A hand is its owner's
alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from judge.core.dice import Dice
from judge.core.orders import TextError
from judge.core.ruleset import Options, Seat, State, View
from judge.core.text import Text
from rulesets.get_rich_quick.cards import Card, deck, in_order
from rulesets.get_rich_quick.dealing import deal, ten_cards
from rulesets.get_rich_quick.events import Fact, Shout
from rulesets.get_rich_quick.sets import best_set

Phase = Literal["trade", "dealt complete", "over"]
"""What the next opening is: a bell; the call of a set that was dealt complete, with nothing to decide; or none."""


class TableOptions(Options):
    """When the game ends."""

    labels: ClassVar[Mapping[str, Text]] = {"goal": Text.of("Goal"), "rounds": Text.of("Rounds")}
    hints: ClassVar[Mapping[str, Text]] = {
        "goal": Text.of("Millions that end the game. 500 as printed; 300 suits forum play."),
        "rounds": Text.of("The game also ends after so many rounds; 0 plays to the goal alone."),
    }

    goal: int = Field(default=500, ge=1, le=10_000)
    rounds: int = Field(default=0, ge=0, le=100)


def _hand_in_words(hand: Any) -> Any:
    """A hand for a test may be written as people say it: "8 Oil, Get Rich Quick, Taxman"."""
    if not isinstance(hand, str):
        return hand
    cards: list[Card] = []
    for part in filter(None, (part.strip() for part in hand.split(","))):
        counted = re.fullmatch(r"([0-9]{1,2})\s+(.+)", part)
        cards += [counted[2]] * int(counted[1]) if counted else [part]
    return cards


Hand = Annotated[list[Card], BeforeValidator(_hand_in_words)]


class Swap(Fact):
    """Two lots of equal size that changed hands."""

    seats: tuple[Seat, Seat]
    cards: int


class RoundResult(Fact):
    """A round that is over: its call, its fines, and the scores after it."""

    round: int
    bells: int
    winner: Seat
    commodity: Card
    doubled: bool
    points: int
    fines: dict[Seat, int]
    scores: dict[Seat, int]


class TableState(State):
    """`round` and `bell` name the next opening, or the last bell once the game is over."""

    round: int = Field(default=1, ge=1)
    bell: int = Field(default=1, ge=1)
    dealer: Seat
    scores: dict[Seat, int]
    hands: dict[Seat, Hand]
    holding: dict[Seat, bool]
    offers: list[Shout] = Field(default_factory=list)
    swaps: list[Swap] = Field(default_factory=list)
    results: list[RoundResult] = Field(default_factory=list)
    last_round: bool = False
    over: bool = False
    options: TableOptions

    @property
    def seats(self) -> list[Seat]:
        return list(self.scores)

    @property
    def phase(self) -> Phase:
        if self.over:
            return "over"
        dealt = self.bell == 1 and any(best_set(hand) for hand in self.hands.values())
        return "dealt complete" if dealt else "trade"

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        """A position written down for a test is one that can be: each card once, hands of nine and ten."""
        if self.dealer not in self.scores:
            raise TextError(Text.of("“{name}” cannot deal: nobody here has that name.", name=self.dealer))
        full = Counter(deck(len(self.scores)))
        held = Counter(card for hand in self.hands.values() for card in hand)
        for card in sorted(full | held):
            if held[card] != full[card]:
                raise TextError(
                    Text.of(
                        "The hands hold {card} {held} times; the deck has it {count} times.",
                        card=card,
                        held=held[card],
                        count=full[card],
                    )
                )
        tens = ten_cards(self.seats, self.dealer)
        for seat, hand in self.hands.items():
            size = 10 if seat in tens else 9
            if len(hand) != size:
                raise TextError(
                    Text.of(
                        "{seat} must have {size} cards, and has {held}: the two after the dealer have ten.",
                        seat=seat,
                        size=size,
                        held=len(hand),
                    )
                )
        self.hands = {seat: in_order(hand) for seat, hand in self.hands.items()}
        return self


class TableView(View):
    """What one reader sees; everything but `hand` and `holding`, which are his own, is public."""

    round: int
    bell: int
    phase: Phase
    dealer: Seat
    ten_cards: list[Seat]
    scores: dict[Seat, int]
    offers: list[Shout]
    swaps: list[Swap]
    results: list[RoundResult]
    last_round: bool
    hand: list[Card] | None
    holding: bool | None

    # Excluded from the JSON: whoever scripts the game knows what he opened, and the page wants to say it.
    options: TableOptions = Field(exclude=True)


def setup(seats: Sequence[Seat], options: TableOptions, dice: Dice) -> TableState:
    """The first dealer by lot, and the first deal."""
    dealer = seats[dice.roll(len(seats)) - 1]
    return TableState(
        dealer=dealer,
        scores=dict.fromkeys(seats, 0),
        hands=deal(seats, dealer, dice),
        holding=dict.fromkeys(seats, False),
        options=options,
    )


def view(state: TableState, seat: Seat | None) -> TableView:
    """The public table, and the reader's own hand."""
    return TableView(
        round=state.round,
        bell=state.bell,
        phase=state.phase,
        dealer=state.dealer,
        ten_cards=ten_cards(state.seats, state.dealer),
        scores=dict(state.scores),
        offers=list(state.offers),
        swaps=list(state.swaps),
        results=list(state.results),
        last_round=state.last_round,
        hand=None if seat is None else list(state.hands[seat]),
        holding=None if seat is None else state.holding[seat],
        options=state.options,
    )
