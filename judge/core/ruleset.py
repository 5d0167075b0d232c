"""The contract of a game: a handful of plain functions over plain data.

A ruleset knows no clock, no database, no network and no markup.  *Who is asked?* drives everything: `asks` gives the
seats that may order now and what; nobody asked means that the game is over.  Between two openings `resolve` runs every
automatic step up to the next real decision.

A game is one object, `Ruleset(...)`: a missing function fails at import, a variant is `dataclasses.replace(...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from judge.core.dice import Dice
from judge.core.orders import Ask, Order, Problem
from judge.core.report import Block
from judge.core.text import DOLLARS, Currency, Text

Seat = str
"""A seat's key in State, View and events: short, fixed for the whole game, not the player's name."""

JUDGE: None = None
"""The key under which `resolve` receives what the clock or the host decided for the game."""


class Options(BaseModel):
    """What the host chooses when the game is opened.  The new-game form is made from the subclass."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    labels: ClassVar[Mapping[str, Text]] = {}
    hints: ClassVar[Mapping[str, Text]] = {}
    """A sentence on what an option does, shown beside it."""


class State(BaseModel):
    """Everything about a position, public or hidden.  JSON there and back; money is integer."""

    model_config = ConfigDict(extra="forbid")


class View(BaseModel):
    """What one seat, or everybody, may see of a State.  The public one is the JSON state that people script against."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Event(BaseModel):
    """Something that happened, told to everybody, or to one seat if `only` names it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    only: Seat | None = None

    def tell(self) -> Text:
        """The event as one sentence."""
        raise TypeError(f"{type(self).__name__} does not say what happened")


S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)
O = TypeVar("O", bound=Options)  # noqa: E741 - the options' type stands beside S and V


@dataclass(frozen=True)
class Ruleset(Generic[S, V, O]):
    """One game.

    name            as in commands, URLs and playthroughs
    version         pinned by each game; a change that alters results is a new version
    seats           how many may play
    folder          where RULES.md, RULES.de.md, data and locale are
    run_on          how many turns may resolve in a row on standing orders alone
    setup           the position before the first turn
    asks            what each seat is asked; {} = the game is over
    check           all that keeps a set from counting (or is worth a warning), with the numbers
    resolve         what happens; receives a deep copy of the state and changes it
    view            what a seat (or everybody: None) may see
    show            a position, for one reader: the hero of the table page
    report          a turn that has resolved, for the reader who has this view and these events
    standings       seats and points; meaningful when the game is over, or when the public view implies it
    default_orders  for whoever misses the deadline
    bot             a simple, honest opponent that sees only what its seat may see
    """

    name: str
    title: Text
    about: Text
    version: int
    seats: range
    folder: Path
    State: type[S]
    View: type[V]
    Options: type[O]
    orders: tuple[type[Order], ...]
    setup: Callable[[Sequence[Seat], O, Dice], S]
    asks: Callable[[S], Mapping[Seat, Ask]]
    check: Callable[[S, Seat, Sequence[Order]], Iterable[Problem]]
    resolve: Callable[[S, Mapping[Seat | None, Sequence[Order]], Dice], Iterator[Event]]
    view: Callable[[S, Seat | None], V]
    show: Callable[[V], Sequence[Block]]
    report: Callable[[V, Sequence[Event]], Sequence[Block]]
    standings: Callable[[S], Sequence[tuple[Seat, int]]]
    default_orders: Callable[[S, Seat], Sequence[Order]]
    bot: Callable[[V, Seat, Ask, Dice], Sequence[Order]]
    run_on: int = 1
    judge_orders: tuple[str, ...] = ()
    """What the host or the clock may decide for this game, as words ("last round")."""
    currency: Currency = DOLLARS
    """How `Money` is written in this game."""
    figures: Callable[[S], Sequence[tuple[Text, Sequence[int]]]] = lambda state: ()
    """Numbers about a game that is over (rounds, turns in each), of which simulations show the spread."""


def resolve_turn(
    ruleset: Ruleset[S, V, O], state: S, orders: Mapping[Seat | None, Sequence[Order]], dice: Dice
) -> tuple[S, list[Event]]:
    """The position after a turn and all that happened in it.  The given state is left as it was."""
    after = state.model_copy(deep=True)
    events = list(ruleset.resolve(after, orders, dice))
    return after, events


def visible(events: Iterable[Event], seat: Seat | None) -> list[Event]:
    """The events that a seat (or everybody: None) is told."""
    return [event for event in events if event.only is None or event.only == seat]


def complete_orders(
    ruleset: Ruleset[S, V, O], state: S, handed_in: Mapping[Seat, Sequence[Order]]
) -> tuple[dict[Seat | None, Sequence[Order]], list[Seat], list[Seat]]:
    """One set for each seat asked: forced, else handed in, else the default; with who was forced and who missed."""
    full: dict[Seat | None, Sequence[Order]] = {}
    forced: list[Seat] = []
    missed: list[Seat] = []
    for seat, ask in ruleset.asks(state).items():
        if ask.forced is not None:
            full[seat] = ask.forced
            forced.append(seat)
        elif seat in handed_in:
            full[seat] = handed_in[seat]
        else:
            full[seat] = ruleset.default_orders(state, seat)
            missed.append(seat)
    return full, forced, missed


AnyRuleset = Ruleset[Any, Any, Any]
