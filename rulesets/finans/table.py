"""A round while it is played: the position, everybody's lines, the dice, and what the running turn has used up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import Event, Seat
from judge.core.text import Text
from rulesets.finans.box import NEWS
from rulesets.finans.events import Skipped, TipReturned
from rulesets.finans.groups import complete_groups
from rulesets.finans.orders import Deed
from rulesets.finans.payments import Payment
from rulesets.finans.state import FinansState, Sheet

P = TypeVar("P", bound=Payment)
O = TypeVar("O", bound=Order)  # noqa: E741 - the kind of line that is looked for


@dataclass
class Table:
    """`used` counts what the running turn has used: "property", "share", "meeting", "permit"."""

    state: FinansState
    orders: Mapping[Seat, Sequence[Order]]
    dice: Dice
    active: Seat
    used: dict[str, int] = field(default_factory=dict)
    known_groups: Mapping[str, Seat] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known_groups = complete_groups(self.state)

    def begin(self, seat: Seat) -> None:
        """It is this player's turn."""
        self.active, self.used = seat, {}

    def sheet(self, seat: Seat) -> Sheet:
        return self.state.players[seat]

    def use(self, what: str) -> None:
        self.used[what] = self.used.get(what, 0) + 1

    def lines(self, seat: Seat, kind: type[O]) -> list[O]:
        """A player's lines of one kind: those of this round first, then the standing ones."""
        found = [order for order in self.orders.get(seat, ()) if isinstance(order, kind)]
        return [order for order in found if not order.stands] + [order for order in found if order.stands]

    def opponents(self, seat: Seat) -> list[Seat]:
        """The others still in the game, clockwise from this player."""
        return self.state.next_from(seat)[1:]

    def rule(self, name: str, usual: Any) -> Any:
        """What the news that lies open says of a rule, else what is usual."""
        return rule_of(self.state, name, usual)

    def roll(self) -> int:
        return self.dice.roll()

    def roll_two(self) -> tuple[int, int]:
        return self.dice.roll(), self.dice.roll()

    def paid(self, payment: P) -> P:
        """The payment, made: money moves here and nowhere else."""
        if payment.payer is not None:
            self.sheet(payment.payer).cash -= payment.amount
        if payment.payee is not None:
            self.sheet(payment.payee).cash += payment.amount
        return payment

    def return_tip(self, seat: Seat, card: str) -> TipReturned:
        """A card that was kept has been used, and goes under its pile."""
        self.sheet(seat).tips.remove(card)
        self.state.tips.append(card)
        return TipReturned(seat=seat, card=card, why="used")

    def skip(self, seat: Seat, line: Deed, why: Text | Sequence[Text], here: bool = True) -> Iterator[Event]:
        """Tells why a line is skipped: everybody of a line of this round, its owner alone of a standing one.

        A standing line that waits for another square (`here` is false) is passed over without a word.
        """
        if line.stands and not here:
            return
        whys = (why,) if isinstance(why, Text) else tuple(why)
        yield Skipped(only=seat if line.stands else None, seat=seat, deed=line.deed(), whys=whys)


def rule_of(state: FinansState, name: str, usual: Any) -> Any:
    """What the news that lies open says of a rule, else what is usual."""
    return usual if state.face_up is None else NEWS[state.face_up].effect.get(name, usual)
