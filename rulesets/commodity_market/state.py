"""The table: options, Price Level Board and tally sheets, and what may be seen of them, which is everything.

Certificates lie face up and cash follows from the published bids, so there is nothing to hide; every reader has the
same view.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self
from unicodedata import normalize

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from judge.core.dice import Dice
from judge.core.orders import TextError
from judge.core.ruleset import Options, Seat, State, View
from judge.core.text import Text
from rulesets.commodity_market.tables import GRADES, LETTERS, TABLES, Grade, Letter

Phase = Literal["buy", "sell", "over"]

# Each word starts with a letter and ends with no point or hyphen, so that no name can be mistaken for a number of units
# ("Schwert+1" is fine) or for the end of a sentence.
_WORD = r"[^\W\d_](?:(?:[^\W_]|[+'’.-])*(?:[^\W_]|\+))?"
_NAME = re.compile(rf"{_WORD}(?: {_WORD})*")

_LONGEST_NAME = 20


def _sensible_name(name: str) -> str:
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise TextError(
            Text.of(
                "“{name}” cannot name a good: at most {most} characters; each word begins with a letter, "
                "ends with a letter, a digit or +, and has only letters, digits, + - . and the apostrophe.",
                name=name[: 2 * _LONGEST_NAME],
                most=_LONGEST_NAME,
            )
        )
    return name


def _as_heard(name: str) -> str:
    """What is left of a name when people type it carelessly: no case, accents, hyphens, points, apostrophes, blanks."""
    return "".join(char for char in normalize("NFKD", name.casefold()) if char.isalnum() or char == "+")


Name = Annotated[str, AfterValidator(_sensible_name)]


class MarketOptions(Options):
    """Length, variations and names, each on its own or all together."""

    labels: ClassVar[Mapping[str, Text]] = {
        "months": Text.of("Months"),
        "loans": Text.of("Loans"),
        "partial_purchase": Text.of("Partial purchases"),
        "partial_sale": Text.of("Partial sales"),
        "strict": Text.of("Over-offers are punished"),
        "name_X": Text.of("Name of {letter}", letter="X"),
        "name_F": Text.of("Name of {letter}", letter="F"),
        "name_S": Text.of("Name of {letter}", letter="S"),
        "name_A": Text.of("Name of {letter}", letter="A"),
        "name_B": Text.of("Name of {letter}", letter="B"),
        "name_C": Text.of("Name of {letter}", letter="C"),
    }
    hints: ClassVar[Mapping[str, Text]] = {
        "months": Text.of("Each month has two turns: buying and selling. Twelve is usual, six is a short game."),
        "loans": Text.of("Who cannot pay must borrow, in steps of $100, and repays $125 for each at the end."),
        "partial_purchase": Text.of("A bid under the market price loses one unit for each dollar and buys the rest."),
        "partial_sale": Text.of(
            "An offer over the market price loses one unit for each two dollars and sells the rest."
        ),
        "strict": Text.of(
            "As at the table: who offers more than can be made sells nothing that month. "
            "Without this, such an offer is refused on receipt."
        ),
    }

    months: int = Field(default=12, ge=1, le=24)
    loans: bool = False
    partial_purchase: bool = False
    partial_sale: bool = False
    strict: bool = False
    name_X: Name = "X-Fine"
    name_F: Name = "Fine"
    name_S: Name = "Standard"
    name_A: Name = "A"
    name_B: Name = "B"
    name_C: Name = "C"

    @property
    def names(self) -> dict[Letter, str]:
        """What the table calls each grade and good."""
        return {letter: getattr(self, f"name_{letter}") for letter in LETTERS}

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        taken = {_as_heard(letter): letter for letter in LETTERS}
        for letter, name in self.names.items():
            other = taken.setdefault(_as_heard(name), letter)
            if other != letter:
                raise TextError(
                    Text.of(
                        "“{name}” cannot name {letter}: it already means {other}.",
                        name=name,
                        letter=letter,
                        other=other,
                    )
                )
        return self


Units = Annotated[int, Field(ge=0)]
Price = Annotated[int, Field(ge=TABLES.floor.price)]


class TallySheet(BaseModel):
    """One player's money, certificates and loans; `debt` is without what is paid on top at the end."""

    model_config = ConfigDict(extra="forbid")

    cash: int
    stock: dict[Grade, Units]
    debt: int = Field(default=0, ge=0, multiple_of=TABLES.loan.step)


class MarketState(State):
    """`month` and `phase` name the next opening; `history` holds the board's columns, 0 being the opening prices."""

    month: int = Field(ge=1)
    phase: Phase
    prices: dict[Letter, Price]
    players: dict[Seat, TallySheet]
    history: dict[int, dict[Letter, Price]]
    options: MarketOptions
    start_cash: int

    @model_validator(mode="after")
    def _month_is_played(self) -> Self:
        if self.month > self.options.months:
            raise TextError(
                Text.of(
                    "Month {month} is not played: the game has {months}.", month=self.month, months=self.options.months
                )
            )
        return self

    @model_validator(mode="after")
    def _board_ends_with_the_prices(self) -> Self:
        """A position that is written down for a test gives prices only; the board then agrees with them."""
        for letter, price in self.prices.items():
            newest = max(month for month, column in self.history.items() if letter in column)
            self.history[newest][letter] = price
        return self

    @property
    def names(self) -> dict[Letter, str]:
        return self.options.names


class MarketView(View):
    """The public position.  Only the first four fields are the JSON state that people script against."""

    month: int
    phase: Phase
    prices: dict[Letter, int]
    players: dict[Seat, TallySheet]

    # Excluded from the JSON: these never tell more about the position, they are what a page or a bot needs to show it.
    history: dict[int, dict[Letter, int]] = Field(exclude=True)
    options: MarketOptions = Field(exclude=True)
    start_cash: int = Field(exclude=True)

    @property
    def names(self) -> dict[Letter, str]:
        return self.options.names


def setup(seats: Sequence[Seat], options: MarketOptions, dice: Dice) -> MarketState:
    """Opening prices on the board, no certificates, and the same cash for everybody (rulebook, "Setup")."""
    cash = TABLES.seating[len(seats)].cash
    return MarketState(
        month=1,
        phase="buy",
        prices=dict(TABLES.opening),
        players={seat: TallySheet(cash=cash, stock=dict.fromkeys(GRADES, 0)) for seat in seats},
        history={0: dict(TABLES.opening)},
        options=options,
        start_cash=cash,
    )


def view(state: MarketState, seat: Seat | None) -> MarketView:
    """The same for everybody: the game hides only the orders of the open turn, and those are not in the state."""
    seen = state.model_copy(deep=True)
    return MarketView(
        month=seen.month,
        phase=seen.phase,
        prices=seen.prices,
        players=seen.players,
        history=seen.history,
        options=seen.options,
        start_cash=seen.start_cash,
    )
