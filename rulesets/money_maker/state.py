"""The table: vaults, city rings, markets, meter, cards; and what the judge has still to do.

Gold, goods and action cards lie hidden in their owner's vault.  Everything else is public: credit on the rings and in
other banks' vaults, companies, ratings, markets, reserves, the meter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from judge.core.dice import Dice
from judge.core.orders import TextError
from judge.core.ruleset import Options, Seat, State
from judge.core.text import Text
from rulesets.money_maker.kinds import Line
from rulesets.money_maker.tables import (
    COLOURS,
    SETUP,
    TABLES,
    Card,
    Colour,
    Sector,
    actions_in_play,
    cards_in_play,
    ring_of,
)

Phase = Literal["start bid", "turn", "round", "rescue", "over"]
"""The next opening: the starting auction, a turn (or with `fast` a whole round), the rescue window, or none."""

Cause = Literal["meter", "reserve"]
Count = Annotated[int, Field(ge=0)]


class TableOptions(Options):
    """Length, reading of the market, and the house's variants."""

    labels: ClassVar[Mapping[str, Text]] = {
        "length": Text.of("Length"),
        "sell_to": Text.of("Goods sold go to"),
        "auction_price": Text.of("The winner of an auction pays"),
        "opener_buyout": Text.of("Opener's buy-out"),
        "player_deals": Text.of("Exchanges between banks"),
        "fast": Text.of("One post a round"),
    }
    hints: ClassVar[Mapping[str, Text]] = {
        "length": Text.of("The game ends with the third, fourth or fifth bank run."),
        "sell_to": Text.of(
            "low: the cheapest empty slot, as printed. high: the dearest one; prices then fall as a market fills."
        ),
        "auction_price": Text.of("second: one more than the best rival. own: his own maximum."),
        "opener_buyout": Text.of(
            "The opener may take a card that he lost, for its price and so much gold more; 0 for never."
        ),
        "player_deals": Text.of("runs: only in the rescue window of a bank run. always: in every turn."),
        "fast": Text.of(
            "The cards of a whole round are shown ahead, and everybody orders for all of its turns at once."
        ),
    }

    length: Literal["short", "average", "long"] = "average"
    sell_to: Literal["low", "high"] = "low"
    auction_price: Literal["second", "own"] = "second"
    opener_buyout: int = Field(default=0, ge=0, le=50)
    player_deals: Literal["runs", "always"] = "runs"
    fast: bool = False


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Bank(_Part):
    """A player's bank.  `board` is its own credit on each block of its ring, `claims` other banks' credit it holds."""

    gold: Count
    goods: dict[Colour, Count]
    actions: list[Card] = Field(default_factory=list)
    claims: dict[Seat, Count]
    cards: list[Card] = Field(default_factory=list)
    rating: int = Field(default=SETUP.ring, ge=0, le=len(TABLES.ring))
    board: list[Count]
    bankrupt: bool = False

    @property
    def debt(self) -> int:
        return sum(self.board)


class Market(_Part):
    """Goods at each price, the cheapest first, and the Natural Reserve behind them."""

    slots: list[Count]
    reserve: Count

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.slots) != len(TABLES.market.slots) or any(
            n > slot.n for n, slot in zip(self.slots, TABLES.market.slots, strict=False)
        ):
            raise TextError(
                Text.of("A market has {count} prices, and at most 3 goods at each.", count=len(TABLES.market.slots))
            )
        return self


class TurnFacts(_Part):
    """What has happened in the turn of one bank, as far as later steps ask for it."""

    bought: dict[Colour, Count] = Field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    limit: int = SETUP.buy_limit_per_market
    produced: list[Card] = Field(default_factory=list)
    played: list[Line] = Field(default_factory=list)
    card_won: bool = False
    five_open: bool = False
    faces: list[Sector] = Field(default_factory=list)
    """The sector dice of step 5; none before it."""


class Item(_Part):
    """So many of one thing that changes hands: `what` as an offer names it."""

    what: str
    count: int


class OpenOffer(_Part):
    """An exchange that waits for its answer."""

    number: int
    maker: Seat
    taker: Seat
    give: list[Item]
    get: list[Item]


class Run(_Part):
    """A bank run while it is worked off.

    `due` is each bank's credit that was taken from its blocks and is still to be paid, `paid` what each has paid by
    itself, `helped` others' credit that each has got while it was short and not used yet, by issuer, `lent` gold given
    by tariff in this run, `owed` what the Reserve still owes to the triggering bank.
    """

    number: int
    cause: Cause
    seat: Seat
    faces: list[Sector]
    due: dict[Seat, Count] = Field(default_factory=dict)
    paid: dict[Seat, Count] = Field(default_factory=dict)
    helped: dict[Seat, dict[Seat, Count]] = Field(default_factory=dict)
    solvent: list[Seat] = Field(default_factory=list)
    done: list[Seat] = Field(default_factory=list)
    lent: dict[Seat, Count] = Field(default_factory=dict)
    window: int = 0
    owed: Count = 0

    @property
    def short(self) -> list[Seat]:
        """Banks whose payment obligations are not fulfilled, clockwise from the triggering one."""
        return [seat for seat in self.due if seat not in self.solvent]


Do = Literal[
    "begin", "orders", "round", "turn", "moment", "auctions", "pay off", "line", "action", "late plays", "dice",
    "close", "checks", "run", "tariffs", "settle",
]  # fmt: skip


class Step(_Part):
    """One thing that the judge has still to do before anybody is asked again."""

    do: Do
    seat: Seat
    line: Line | None = None
    cause: Cause = "meter"
    owed: int = 0
    faces: list[Sector] = Field(default_factory=list)


def _nothing_removed() -> dict[Literal["cards", "actions"], list[Card]]:
    return {"cards": [], "actions": []}


class TableState(State):
    """`active` is whose turn it is; `plans` hold everybody's lines, `agenda` what the judge has still to do."""

    phase: Phase = "start bid"
    turn: int = Field(default=0, ge=0)
    round: int = Field(default=0, ge=0)
    active: Seat
    start: Seat
    banks: dict[Seat, Bank]
    markets: dict[Colour, Market]
    reserve: int
    meter: Count = 0
    runs: int = Field(default=0, ge=0, le=TABLES.bank_run.chips)
    row: list[Card]
    pile: list[Card]
    action_pile: list[Card]
    action_discard: list[Card] = Field(default_factory=list)
    removed: dict[Literal["cards", "actions"], list[Card]] = Field(default_factory=_nothing_removed)
    removed_goods: dict[Colour, Count] = Field(default_factory=lambda: dict.fromkeys(COLOURS, 0))
    facts: TurnFacts = Field(default_factory=TurnFacts)
    plans: dict[Seat, list[Line]] = Field(default_factory=dict)
    agenda: list[Step] = Field(default_factory=list)
    offers: list[OpenOffer] = Field(default_factory=list)
    offered: int = 0
    run: Run | None = None
    degraded: int = Field(default=0, ge=0)
    ending: str | None = None
    winners: list[Seat] = Field(default_factory=list)
    worth: list[dict[Seat, int]] = Field(default_factory=list)
    in_sight: list[dict[Seat, int]] = Field(default_factory=list)
    """What banks were worth at the end of each turn, all in all and as far as everybody could see."""
    options: TableOptions

    @property
    def seats(self) -> list[Seat]:
        return list(self.banks)

    @property
    def alive(self) -> list[Seat]:
        """Banks that are not bankrupt, in seat order."""
        return [seat for seat, bank in self.banks.items() if not bank.bankrupt]

    def clockwise(self, first: Seat) -> list[Seat]:
        """Banks that are not bankrupt, from `first` on (or from the next one, if it is bankrupt)."""
        at = self.seats.index(first)
        return [seat for seat in self.seats[at:] + self.seats[:at] if not self.banks[seat].bankrupt]

    def after(self, seat: Seat) -> Seat:
        """Whose turn follows: the next bank clockwise that is not bankrupt."""
        around = self.clockwise(seat)
        return around[1 % len(around)] if around[0] == seat else around[0]

    def issued(self, seat: Seat) -> int:
        """A bank's own credit that is out: on its ring, in front of its vault in a run, and in other banks' vaults."""
        called = self.run.due.get(seat, 0) if self.run is not None else 0
        return self.banks[seat].debt + called + self.held_by_others(seat)

    def held_by_others(self, seat: Seat) -> int:
        return sum(bank.claims.get(seat, 0) for bank in self.banks.values())

    def unissued(self, seat: Seat) -> int:
        return TABLES.credit.max_issued - self.issued(seat)

    @property
    def meter_length(self) -> int:
        return TABLES.bank_run.steps_by_players[len(self.banks)]

    @property
    def run_limit(self) -> int:
        return SETUP.end_bank_runs[self.options.length]

    def forecast(self) -> list[Card]:
        """With `fast`, the cards that the round may bring, in the order of its turns."""
        return self.pile[: len(self.alive)] if self.options.fast and self.phase == "round" else []

    @model_validator(mode="after")
    def _everything_is_somewhere(self) -> Self:
        """A position written down for a test names what differs: reserves and piles hold the rest."""
        for seat, bank in self.banks.items():
            if len(bank.board) != len(ring_of(bank.rating).blocks):
                raise TextError(
                    Text.of(
                        "{seat} needs {count} numbers on its board, one for each block of its ring.",
                        seat=seat,
                        count=len(ring_of(bank.rating).blocks),
                    )
                )
            if seat in bank.claims or set(bank.claims) - set(self.banks):
                raise TextError(Text.of("{seat} can hold credit of other banks only.", seat=seat))
            if self.issued(seat) > TABLES.credit.max_issued:
                raise TextError(Text.of("{seat} has issued more credit than there is.", seat=seat))
        self.reserve = TABLES.gold.total - sum(bank.gold for bank in self.banks.values())
        left = {
            colour: TABLES.market.goods_per_colour
            - sum(market.slots)
            - self.removed_goods[colour]
            - sum(bank.goods[colour] for bank in self.banks.values())
            for colour, market in self.markets.items()
        }
        if self.reserve < 0 or any(count < 0 for count in left.values()):
            raise TextError(Text.of("The vaults and markets hold more gold or goods than there are."))
        for colour, count in left.items():
            self.markets[colour].reserve = count
        held = [card for bank in self.banks.values() for card in bank.cards] + self.removed["cards"]
        self.row = [card for card in self.row if card not in held]
        held += self.row
        self.pile = _rest(cards_in_play(), held, self.pile)
        in_hand = [card for bank in self.banks.values() for card in bank.actions]
        elsewhere = in_hand + self.action_discard + self.removed["actions"]
        self.action_pile = _rest(actions_in_play(), elsewhere, self.action_pile)
        return self


def _rest(everything: Sequence[Card], elsewhere: Sequence[Card], pile: Sequence[Card]) -> list[Card]:
    """The pile in its order, without what lies elsewhere, and with what would be missing at its bottom."""
    free = Counter(everything)
    free.subtract(elsewhere)
    for card, count in free.items():
        if count < 0 or card not in everything:
            raise TextError(Text.of("There is no (further) card “{name}”.", name=card))
    rest: list[Card] = []
    for card in pile:
        if free[card] > 0:
            free[card] -= 1
            rest.append(card)
    return rest + list(free.elements())


def setup(seats: Sequence[Seat], options: TableOptions, dice: Dice) -> TableState:
    """Fifteen gold each, both markets full, two cards open (rulebook, "Setting Up the Game").

    The hidden piles are called `cards` and `actions`.
    """
    cards = dice.shuffled(cards_in_play(), "cards")
    slots = [slot.n for slot in TABLES.market.slots]
    blocks = len(ring_of(SETUP.ring).blocks)
    return TableState(
        active=seats[0],
        start=seats[0],
        banks={
            seat: Bank(
                gold=SETUP.gold_each,
                goods=dict.fromkeys(COLOURS, 0),
                claims={other: 0 for other in seats if other != seat},
                board=[0] * blocks,
            )
            for seat in seats
        },
        markets={colour: Market(slots=list(slots), reserve=0) for colour in COLOURS},
        reserve=0,
        row=cards[: SETUP.open_cards],
        pile=cards[SETUP.open_cards :],
        action_pile=dice.shuffled(actions_in_play(), "actions"),
        options=options,
    )
