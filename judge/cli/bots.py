"""`judge bots`: whole games of bots in memory, to see that games end and how."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from statistics import fmean, median
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from judge.cli.simulation import Ended, Game, played
from judge.cli.terminal import VOICE, FailureError, _, named_values, say, show, whole_number
from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.registry import ruleset as installed
from judge.registry import rulesets
from judge.service.table import Invalid, parse_options


@dataclass
class Ends:
    """How the games of one ruleset with so many seats ended."""

    ruleset: AnyRuleset
    seats: int
    turns: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    winning: list[int] = field(default_factory=list)
    figures: dict[Text, list[int]] = field(default_factory=dict)

    def add(self, game: Ended) -> None:
        """Counts a game that is over."""
        self.turns.append(game.turns)
        self.points += game.points
        self.winning.append(max(game.points))
        for label, numbers in game.figures:
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
    jobs: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(1, 1000),
            show_default=False,
            help=_("How many games at once; otherwise one for each processor."),
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print the figures as JSON."))] = False,
) -> None:
    chosen = list(rulesets().values()) if name is None else [installed(name)]
    options = {ruleset.name: _options(ruleset, option or ()) for ruleset in chosen}
    ends = [Ends(ruleset, count) for ruleset in chosen for count in _seat_counts(ruleset, seats)]
    wanted = (
        Game(end.ruleset.name, options[end.ruleset.name], end.seats, _secret(seed, end, number))
        for end in ends
        for number in range(games)
    )
    workers = min(jobs or os.cpu_count() or 1, games * len(ends))
    console = Console(stderr=True)
    with (
        Progress(console=console, disable=not sys.stderr.isatty(), transient=True) as progress,
        closing(played(wanted, workers)) as results,
    ):
        for end in ends:
            title = Text.of("{game}, {seats} seats", game=end.ruleset.title, seats=end.seats)
            for game in progress.track(islice(results, games), total=games, description=say(title)):
                end.add(game)
    if as_json:
        typer.echo(json.dumps([result.as_json() for result in ends]))
    else:
        show(_table(ends))
        if any(result.figures for result in ends):
            show(_figures(ends))


def _secret(seed: str, end: Ends, number: int) -> bytes:
    return hashlib.sha256(f"{seed} {end.ruleset.name} {end.seats} {number}".encode()).digest()


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


def _options(ruleset: AnyRuleset, given: Iterable[str]) -> Mapping[str, Any]:
    options, problems = parse_options(ruleset, named_values(given))
    if problems:
        raise Invalid(problems)
    return options


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
