"""The table: what everybody owns, where the pieces stand, both piles; and what a reader may see of it.

Only the order of the two piles is hidden.  Standing orders are not in the position; what is there of them is whether
somebody's programme has something left to do, which is why nobody waits for him.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from judge.core.dice import Dice
from judge.core.orders import TextError
from judge.core.ruleset import Options, Seat, State, View
from judge.core.text import Text
from rulesets.finans.box import BOX, MONEY, NEWS, PROPERTIES, SHARES, TIPS, tip_pile


class FinansOptions(Options):
    """How the game is won, and the stricter rules that a table may choose."""

    labels: ClassVar[Mapping[str, Text]] = {
        "win_cash": Text.of("Cash to win"),
        "win_groups": Text.of("Complete groups to win"),
        "turns_each": Text.of("Turns each"),
        "meetings_per_turn": Text.of("Board meetings a turn"),
        "all_assets_with_players": Text.of("Board meeting only for sold-out groups"),
        "loans_count_against_win": Text.of("Loans count against the cash to win"),
        "rent": Text.of("Rent"),
        "permit_uses": Text.of("Turns that a building permit serves"),
    }
    hints: ClassVar[Mapping[str, Text]] = {
        "win_cash": Text.of("1000000 as printed; 300000 with one group is a short game."),
        "win_groups": Text.of("Two as printed."),
        "turns_each": Text.of("The game ends after so many turns each, and the richest wins; 0 plays to the million."),
        "meetings_per_turn": Text.of("0 sets no limit, as printed."),
        "all_assets_with_players": Text.of("A meeting cannot be called while the Bank holds a part of the group."),
        "loans_count_against_win": Text.of("Each open loan is taken off the cash that is shown to win."),
        "rent": Text.of("“automatic”: always paid unless waived; “claimed”: only if the owner's orders claim it."),
        "permit_uses": Text.of("0 keeps it for good, as printed."),
    }

    win_cash: int = Field(default=MONEY.win_cash, ge=100_000, le=10_000_000)
    win_groups: int = Field(default=MONEY.win_groups, ge=1, le=7)
    turns_each: int = Field(default=0, ge=0, le=1000)
    meetings_per_turn: int = Field(default=0, ge=0, le=10)
    all_assets_with_players: bool = False
    loans_count_against_win: bool = False
    rent: Literal["automatic", "claimed"] = "automatic"
    permit_uses: int = Field(default=0, ge=0, le=20)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Sheet(_Part):
    """What lies before one player, and where his piece stands.

    `missing` are turns still to be missed, `from_jail` says that square 1 has not been passed since jail, `tips` are
    the cards that he keeps, `permit_turns` the turns in which the present building permit has served, `programme`
    whether his standing orders have something left to do.
    """

    cash: int = Field(default=MONEY.start, ge=0)
    square: int = Field(default=1, ge=1, le=46)
    car: bool = False
    loans: int = Field(default=0, ge=0, le=MONEY.loans_per_player)
    bonds: list[int] = Field(default_factory=list)
    tips: list[str] = Field(default_factory=list)
    permit_turns: int = 0
    missing: int = Field(default=0, ge=0)
    from_jail: bool = False
    bankrupt: bool = False
    programme: bool = False


class Lot(_Part):
    """A property: who owns it (None: the Bank), and whether it is built on and mortgaged."""

    owner: Seat | None = None
    built: bool = False
    mortgaged: bool = False


class Ending(_Part):
    """How the game was decided, and everybody's points."""

    reason: Literal["million", "last player", "time"]
    winners: list[Seat]
    points: dict[Seat, int]


class Tally(_Part):
    """What simulations count, if everybody gives a programme for each visit to the Bank: rounds that wait for somebody,
    posts that are waited for, rounds in a row without any, and board meetings called and won.
    """

    waits: int = 0
    posts: dict[Seat, int] = Field(default_factory=dict)
    quiet: int = 0
    meetings: int = 0
    take_overs: int = 0


class FinansState(State):
    """`first` is who starts each round; `piles` are face down, the top first; `face_up` is the news that lies open."""

    round: int = Field(default=1, ge=1)
    first: Seat
    players: dict[Seat, Sheet]
    properties: dict[str, Lot] = Field(default_factory=lambda: {key: Lot() for key in PROPERTIES})
    shares: dict[str, Seat | None] = Field(default_factory=lambda: dict.fromkeys(SHARES))
    news: list[str]
    tips: list[str]
    face_up: str | None = None
    wealth: list[dict[Seat, int]] = Field(default_factory=list)
    tally: Tally = Field(default_factory=Tally)
    ending: Ending | None = None
    options: FinansOptions

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Only what a round may change is copied: a game of bots is mostly copies."""
        sheets = {
            seat: sheet.model_copy(update={"bonds": list(sheet.bonds), "tips": list(sheet.tips)})
            for seat, sheet in self.players.items()
        }
        return self.model_copy(
            update={
                "players": sheets,
                "properties": {key: lot.model_copy() for key, lot in self.properties.items()},
                "shares": dict(self.shares),
                "news": list(self.news),
                "tips": list(self.tips),
                "wealth": list(self.wealth),
                "tally": self.tally.model_copy(update={"posts": dict(self.tally.posts)}),
            }
        )

    @property
    def order(self) -> list[Seat]:
        """All seats in turn order, bankrupt ones too."""
        return starting_with(list(self.players), self.first)

    @property
    def alive(self) -> list[Seat]:
        """Those still in the game, in turn order."""
        return [seat for seat in self.order if not self.players[seat].bankrupt]

    @property
    def over(self) -> bool:
        return self.ending is not None

    def next_from(self, seat: Seat) -> list[Seat]:
        """Those still in the game in turn order, beginning with this seat."""
        return [other for other in starting_with(self.order, seat) if not self.players[other].bankrupt]

    def owner(self, thing: str) -> Seat | None:
        """Who owns a property or a share; None: the Bank."""
        return self.properties[thing].owner if thing in self.properties else self.shares[thing]

    def hand(self, thing: str, to: Seat | None) -> None:
        """A property or a share changes hands, with all that is on it; None: to the Bank."""
        if thing in self.properties:
            self.properties[thing].owner = to
        else:
            self.shares[thing] = to

    def lots_of(self, seat: Seat) -> list[str]:
        """A player's properties in printed order."""
        return [key for key, lot in self.properties.items() if lot.owner == seat]

    def unmortgaged(self, seat: Seat) -> list[str]:
        """Those of his properties that he can mortgage or sell."""
        return [key for key in self.lots_of(seat) if not self.properties[key].mortgaged]

    def shares_of(self, seat: Seat) -> list[str]:
        """A player's shares in printed order."""
        return [key for key, owner in self.shares.items() if owner == seat]

    def loans_left(self) -> int:
        """Loans that the Bank can still give (rulebook, "Bank Loans"; A14)."""
        return MONEY.loans_total - sum(sheet.loans for sheet in self.players.values())

    def free_bonds(self) -> list[int]:
        """The numbers still in the Bank."""
        sold = {number for sheet in self.players.values() for number in sheet.bonds}
        return [number for number in range(1, BOX.sweepstakes.bonds + 1) if number not in sold]

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        """A position written down for a test is one that can be: every paper and every card once."""
        seats = [self.first, *(lot.owner for lot in self.properties.values()), *self.shares.values()]
        for seat in seats:
            if seat is not None and seat not in self.players:
                raise TextError(Text.of("Nobody here is called “{name}”.", name=seat))
        if set(self.properties) != set(PROPERTIES) or set(self.shares) != set(SHARES):
            raise TextError(Text.of("Every property and every share has its place."))
        if self.loans_left() < 0:
            raise TextError(Text.of("The Bank gives {count} loans in all.", count=MONEY.loans_total))
        bonds = [number for sheet in self.players.values() for number in sheet.bonds]
        if len(set(bonds)) != len(bonds) or not set(bonds) <= set(range(1, BOX.sweepstakes.bonds + 1)):
            raise TextError(Text.of("Each bond from 1 to {count} is there once.", count=BOX.sweepstakes.bonds))
        for lot in self.properties.values():
            if lot.owner is None and (lot.built or lot.mortgaged):
                raise TextError(Text.of("What the Bank owns is neither built on nor mortgaged."))
        self._lay_out_cards()
        return self

    def _lay_out_cards(self) -> None:
        """Cards that lie open or in front of somebody are not in their pile as well."""
        if self.face_up is not None and self.face_up not in NEWS:
            raise TextError(Text.of("There is no news card “{name}”.", name=self.face_up))
        self.news = [card for card in self.news if card != self.face_up]
        pile, whole = list(self.tips), tip_pile()
        for card in (card for sheet in self.players.values() for card in sheet.tips):
            if card not in TIPS or not TIPS[card].keep:
                raise TextError(Text.of("There is no tip card “{name}” to keep.", name=card))
            if len(pile) + sum(len(sheet.tips) for sheet in self.players.values()) > len(whole):
                pile.remove(card)
        self.tips = pile
        held = [*self.tips, *(card for sheet in self.players.values() for card in sheet.tips)]
        if sorted(held) != sorted(whole):
            raise TextError(Text.of("Every tip card is in the pile or kept by a player."))
        if sorted([*self.news, *filter(None, [self.face_up])]) != sorted(NEWS):
            raise TextError(Text.of("Every news card is in the pile or lies open."))


def starting_with(seats: Sequence[Seat], first: Seat) -> list[Seat]:
    """Everybody clockwise, beginning with `first`."""
    start = list(seats).index(first)
    return [*seats[start:], *seats[:start]]


class FinansView(View):
    """All that lies open; everybody sees the same."""

    round: int
    phase: Literal["orders", "over"]
    order: list[Seat]
    players: dict[Seat, Sheet]
    properties: dict[str, Lot]
    shares: dict[str, Seat | None]
    face_up: str | None
    loans_left: int
    bonds_left: list[int]
    groups: dict[str, Seat]
    """Complete groups and who owns them."""
    ending: Ending | None

    # Excluded from the JSON: whoever scripts the game has seen the turns and knows what he opened.
    wealth: list[dict[Seat, int]] = Field(exclude=True)
    options: FinansOptions = Field(exclude=True)


Position = FinansState | FinansView
"""Wherever papers and their owners stand."""


def setup(seats: Sequence[Seat], options: FinansOptions, dice: Dice) -> FinansState:
    """Highest total of two dice starts (the throws of those tied are repeated, A26); both piles are shuffled."""
    return FinansState(
        first=_highest(seats, dice),
        players={seat: Sheet() for seat in seats},
        news=dice.shuffled(list(NEWS), "news"),
        tips=dice.shuffled(tip_pile(), "tips"),
        options=options,
    )


def _highest(seats: Iterable[Seat], dice: Dice) -> Seat:
    totals = {seat: dice.roll() + dice.roll() for seat in seats}
    best = [seat for seat, total in totals.items() if total == max(totals.values())]
    return best[0] if len(best) == 1 else _highest(best, dice)
