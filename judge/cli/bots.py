"""`judge bots`: whole games of bots in memory, to see that games end and how."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from judge.cli.terminal import VOICE, FailureError, _, named_values, say, show, whole_number
from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import AnyRuleset, State, complete_orders, resolve_turn
from judge.core.text import Text
from judge.registry import ruleset as installed
from judge.registry import rulesets
from judge.service.table import Invalid, parse_options

MOST_TURNS = 2000
"""A game that is not over by then will not end."""


@dataclass
class Ends:
    """How the games of one ruleset with so many seats ended."""

    ruleset: AnyRuleset
    seats: int
    turns: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    winning: list[int] = field(default_factory=list)
    figures: dict[Text, list[int]] = field(default_factory=dict)

    def add(self, turns: int, state: State) -> None:
        """Counts a game that is over."""
        points = [points for _seat, points in self.ruleset.standings(state)]
        self.turns.append(turns)
        self.points += points
        self.winning.append(max(points))
        for label, numbers in self.ruleset.figures(state):
            self.figures.setdefault(label, []).extend(numbers)

    def as_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset.name,
            "seats": self.seats,
            "games": len(self.turns),
            "turns": _spread(self.turns),
            "points": _spread(self.points),
            "winning": _spread(self.winning),
            "figures": {label.text: _spread(numbers) for label, numbers in self.figures.items() if numbers},
        }


def bots(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULESET", show_default=False, help=_("One game; otherwise all that are installed.")),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            metavar="N", parser=whole_number(1, 1_000_000), help=_("How many games for each number of seats.")
        ),
    ] = 10,
    seats: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole_number(1, 1000), help=_("How many bots; otherwise every number that can play.")
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help=_("An option of the game, such as months=6; can be repeated.")),
    ] = None,
    seed: Annotated[
        str, typer.Option(metavar="TEXT", help=_("Other games with another seed, the same with the same."))
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help=_("Print the figures as JSON."))] = False,
) -> None:
    chosen = list(rulesets().values()) if name is None else [installed(name)]
    runs = [
        (ruleset, _options(ruleset, option or ()), count)
        for ruleset in chosen
        for count in _seat_counts(ruleset, seats)
    ]
    ends: list[Ends] = []
    console = Console(stderr=True)
    with Progress(console=console, disable=not sys.stderr.isatty(), transient=True) as progress:
        for ruleset, options, count in runs:
            task = progress.add_task(
                say(Text.of("{game}, {seats} seats", game=ruleset.title, seats=count)), total=games
            )
            result = Ends(ruleset, count)
            for number in range(games):
                secret = hashlib.sha256(f"{seed} {ruleset.name} {count} {number}".encode()).digest()
                result.add(*play(ruleset, options, count, secret))
                progress.advance(task)
            ends.append(result)
    if as_json:
        typer.echo(json.dumps([result.as_json() for result in ends]))
    else:
        show(_table(ends))
        if any(result.figures for result in ends):
            show(_figures(ends))


def play(ruleset: AnyRuleset, options: Any, seats: int, secret: bytes) -> tuple[int, State]:
    """One game of bots: how many turns it took, and its end.  A game that goes wrong is a FailureError."""
    state = ruleset.setup([str(seat) for seat in range(1, seats + 1)], options, Dice(secret, context=b"set-up"))
    for turn in range(1, MOST_TURNS + 1):
        asks = ruleset.asks(state)
        if not asks:
            return turn - 1, state
        handed_in: dict[str, Sequence[Order]] = {}
        for seat, ask in asks.items():
            if ask.forced is None:
                whims = Dice(secret, context=f"bot {seat} turn {turn}".encode())
                orders = list(ruleset.bot(ruleset.view(state, seat), seat, ask, whims))
                for problem in ruleset.check(state, seat, orders):
                    if not problem.warning:
                        raise _failed(ruleset, seats, turn, problem.text)
                handed_in[seat] = orders
        full, _forced, _missed = complete_orders(ruleset, state, handed_in)
        state, _events = resolve_turn(ruleset, state, {**full}, Dice(secret, context=f"turn {turn}".encode()))
    raise _failed(ruleset, seats, MOST_TURNS, Text.of("the game is still not over"))


def _seat_counts(ruleset: AnyRuleset, wanted: int | None) -> Iterable[int]:
    if wanted is None:
        return ruleset.seats
    if wanted not in ruleset.seats:
        text = Text.of(
            "{game} is for {least} to {most} players, not for {given}.",
            game=ruleset.title,
            least=ruleset.seats.start,
            most=ruleset.seats.stop - 1,
            given=wanted,
        )
        raise FailureError(text, code=2)
    return (wanted,)


def _options(ruleset: AnyRuleset, given: Iterable[str]) -> Any:
    options, problems = parse_options(ruleset, named_values(given))
    if problems:
        raise Invalid(problems)
    return ruleset.Options.model_validate(options)


def _failed(ruleset: AnyRuleset, seats: int, turn: int, why: Text) -> FailureError:
    return FailureError(
        Text.of("{game} with {seats} bots, turn {turn}: {why}", game=ruleset.title, seats=seats, turn=turn, why=why)
    )


def _spread(numbers: Sequence[int]) -> dict[str, float]:
    return {
        "least": min(numbers),
        "median": median(numbers),
        "most": max(numbers),
        "mean": round(fmean(numbers), 2),
    }


def _table(ends: Iterable[Ends]) -> Table:
    caption = _("Points at the end: the least, the median and the most, and the winners' median")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption=caption)
    table.add_column(_("Game"), no_wrap=True)
    for title in (_("Seats"), _("Games"), _("Turns"), _("Least"), _("Median"), _("Most"), _("Winners")):
        table.add_column(title, justify="right")
    for result in ends:
        fewest, most = min(result.turns), max(result.turns)
        figures = (min(result.points), median(result.points), max(result.points), median(result.winning))
        table.add_row(
            say(result.ruleset.title),
            str(result.seats),
            str(len(result.turns)),
            str(most) if fewest == most else f"{fewest}–{most}",
            *(VOICE.number(round(figure)) for figure in figures),
        )
    return table


def _figures(ends: Iterable[Ends]) -> Table:
    """What the rulesets themselves count in a game that is over."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("Game"), no_wrap=True)
    table.add_column(_("Seats"), justify="right")
    table.add_column(_("Figure"))
    for title in (_("Least"), _("Median"), _("Mean"), _("Most")):
        table.add_column(title, justify="right")
    for result in ends:
        for label, numbers in result.figures.items():
            if numbers:
                spread = _spread(numbers)
                shown = (f"{spread[name]:g}" for name in ("least", "median", "mean", "most"))
                table.add_row(say(result.ruleset.title), str(result.seats), say(label), *shown)
    return table
