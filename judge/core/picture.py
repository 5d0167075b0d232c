"""A picture that a game shows of its board, described as plain shapes.

A ruleset says where things are and what they mean; `judge.svg` draws them, in the colours of a light or a dark page.
Coordinates count from the upper left corner of a sheet of `width` × `height`, which is scaled to its column.  Later
shapes lie on earlier ones.  Colour never says anything alone: a caption says it too, and `alt` what the whole shows.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from judge.core.text import Money, Player, Text

Paint = Literal[
    "none", "paper", "ink", "quiet", "line", "accent", "good", "bad", "on seat",
    "seat1", "seat2", "seat3", "seat4", "seat5", "seat6", "seat7", "seat8",
    "tint1", "tint2", "tint3", "tint4", "tint5", "tint6", "tint7", "tint8",
]  # fmt: skip
"""`seat…` are strong, one for each player, with captions in `on seat`; `tint…` are soft and lie under `ink`."""


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    says: Text | None = None
    """What the shape is, for whoever points at it."""


class Box(_Shape):
    """A rectangle from its upper left corner; `round` is the radius of its corners."""

    shape: Literal["box"] = "box"
    x: float
    y: float
    width: float
    height: float
    paint: Paint = "paper"
    edge: Paint = "line"
    round: float = 0


class Disc(_Shape):
    """A circle around (x, y)."""

    shape: Literal["disc"] = "disc"
    x: float
    y: float
    radius: float
    paint: Paint = "paper"
    edge: Paint = "line"


class Ring(_Shape):
    """A piece of a ring around (x, y), between two radii; angles in degrees clockwise from noon, `start` < `end`."""

    shape: Literal["ring"] = "ring"
    x: float
    y: float
    inner: float
    outer: float
    start: float
    end: float
    paint: Paint = "paper"
    edge: Paint = "line"


class Path(_Shape):
    """A line through points, closed to a polygon or not."""

    shape: Literal["path"] = "path"
    points: tuple[tuple[float, float], ...] = Field(min_length=2)
    paint: Paint = "none"
    edge: Paint = "ink"
    weight: float = 1
    closed: bool = False


class Caption(_Shape):
    """Words on a base line at `y`.

    `letters` keeps that many letters of them (initials of a player); what is wider than `room` is cut with an ellipsis.
    """

    shape: Literal["caption"] = "caption"
    x: float
    y: float
    text: int | str | Money | Player | Text
    size: float = 12
    anchor: Literal["start", "middle", "end"] = "middle"
    paint: Paint = "ink"
    bold: bool = False
    letters: int | None = Field(default=None, ge=1)
    room: float | None = None


Shape = Annotated[Box | Disc | Ring | Path | Caption, Field(discriminator="shape")]


class Picture(BaseModel):
    """A block of a report or position.  Where no picture can stand, `alt` stands instead, so tables say all in it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: Literal["picture"] = "picture"
    title: Text
    width: int = Field(ge=1)
    height: int = Field(ge=1)
    shapes: tuple[Shape, ...]
    alt: Text
