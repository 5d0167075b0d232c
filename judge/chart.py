"""Where the lines of a chart run: numbers over time become points on a sheet, which a template draws.

Lines are told apart by dashes, by marks and by their names at their ends, so that colour is never needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

WIDTH = 640
HEIGHT = 320
TOP = 12
BOTTOM = 32
LEFT = 56
"""At least so much room for the values of the axis."""

LABEL_HEIGHT = 16
LETTER = 7.5
"""About how wide a letter of a label is."""

DASHES = ("", "8 4", "2 3", "10 3 2 3", "14 4", "5 5")
MARKS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",  # disc
    "M-4 -4h8v8h-8z",  # square
    "M0 -5l5 9h-10z",  # triangle
    "M0 -5.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",  # diamond
    "M0 5l5 -9h-10z",  # triangle upside down
    "M-5 -2h3v-3h4v3h3v4h-3v3h-4v-3h-3z",  # cross
)


@dataclass(frozen=True)
class Tick:
    """A value on an axis: where it stands and what it says."""

    at: float
    label: str


@dataclass(frozen=True)
class Curve:
    """One series: its points, the unbroken runs of them, and where its name stands."""

    name: str
    points: list[tuple[float, float]]
    runs: list[str]
    dash: str
    mark: str
    label_y: float


@dataclass(frozen=True)
class Drawing:
    width: int
    height: int
    left: int
    right: float
    bottom: int
    across: list[Tick]
    up: list[tuple[float, int]]
    curves: list[Curve]


def drawing(across: Sequence[str], series: Sequence[tuple[str, Sequence[int | None]]]) -> Drawing | None:
    """The chart's geometry; None if there is no value to draw.  `up` are heights with the values that they mark."""
    values = [value for _, line in series for value in line if value is not None]
    if not values:
        return None
    longest = max(len(name) for name, _ in series)
    right = WIDTH - min(180.0, 20 + longest * LETTER)
    bottom = HEIGHT - BOTTOM
    marks = _round_values(min(values), max(values))
    low, high = marks[0], marks[-1]
    left = max(LEFT, round(16 + max(len(f"{mark:,}") for mark in marks) * LETTER))
    step = (right - left) / max(1, len(across) - 1)

    def x(column: int) -> float:
        return round(left + step * column, 1)

    def y(value: int) -> float:
        return round(bottom - (value - low) / (high - low) * (bottom - TOP), 1)

    every = -(-len(across) // 12)
    curves: list[Curve] = []
    for number, (name, line) in enumerate(series):
        numbered = [(column, value) for column, value in enumerate(line)]
        runs = [
            " ".join(f"{x(column)},{y(value)}" for column, value in run if value is not None)
            for there, run in groupby(numbered, key=lambda entry: entry[1] is not None)
            if there
        ]
        points = [(x(column), y(value)) for column, value in numbered if value is not None]
        if points:
            kind = number % len(MARKS)
            curves.append(Curve(name, points, runs, DASHES[kind], MARKS[kind], points[-1][1]))
    return Drawing(
        width=WIDTH,
        height=HEIGHT,
        left=left,
        right=round(right, 1),
        bottom=bottom,
        across=[Tick(x(column), label) for column, label in enumerate(across) if column % every == 0],
        up=[(y(mark), mark) for mark in marks],
        curves=_labels_apart(curves, bottom),
    )


def _round_values(low: int, high: int) -> list[int]:
    """Three to seven whole values at even, round distances that enclose all others."""
    rough = max(1, -(-(high - low) // 5))
    size = 10 ** (len(str(rough)) - 1)
    step = next(factor * size for factor in (1, 2, 5, 10) if factor * size >= rough)
    first = low // step * step
    last = max(first + step, -(-high // step) * step)
    return list(range(first, last + 1, step))


def _labels_apart(curves: list[Curve], bottom: float) -> list[Curve]:
    """The same curves with their names moved so far that none covers another."""
    order = sorted(range(len(curves)), key=lambda at: curves[at].label_y)
    places = {at: curves[at].label_y for at in order}
    for above, below in pairwise(order):
        places[below] = max(places[below], places[above] + LABEL_HEIGHT)
    limit = bottom
    for at in reversed(order):
        places[at] = min(places[at], limit)
        limit = places[at] - LABEL_HEIGHT
    return [
        Curve(curve.name, curve.points, curve.runs, curve.dash, curve.mark, round(places[at], 1))
        for at, curve in enumerate(curves)
    ]
