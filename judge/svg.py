"""The shapes of a picture with everything said and reckoned that SVG needs: paths of rings, words of captions.

What stands here is numbers and words only; the template of reports makes elements of them and escapes the words.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from judge.core.picture import Caption, Paint, Path, Picture, Ring, Shape
from judge.language import Voice

_LETTER = 0.58
"""How wide a letter is on an average, in sizes of its font."""


@dataclass(frozen=True)
class Drawn:
    """One shape.  `points` belong to polygons and lines, `path` to pieces of rings, `words` to captions."""

    shape: Shape
    says: str = ""
    words: str = ""
    path: str = ""
    points: str = ""


def drawn(picture: Picture, voice: Voice) -> list[Drawn]:
    """The shapes in the order in which they are drawn."""
    return [_drawn(shape, voice) for shape in picture.shapes]


def color(paint: Paint) -> str:
    """The paint as the value of an attribute: the style sheet says what it is on a light and on a dark page."""
    return "none" if paint == "none" else f"var(--paint-{paint.replace(' ', '-')})"


def short(number: float) -> str:
    """A coordinate with at most one decimal place: nobody sees more."""
    return f"{round(number, 1) + 0.0:g}"  # adding zero takes the sign off a zero


def _drawn(shape: Shape, voice: Voice) -> Drawn:
    says = "" if shape.says is None else voice.say(shape.says)
    match shape:
        case Caption():
            whole = voice.say(shape.text)
            words = _cut(whole, shape)
            return Drawn(shape, says or (whole if words != whole else ""), words)
        case Path():
            return Drawn(shape, says, points=" ".join(f"{short(x)},{short(y)}" for x, y in shape.points))
        case Ring():
            return Drawn(shape, says, path=_ring(shape))
    return Drawn(shape, says)


def _cut(words: str, caption: Caption) -> str:
    if caption.letters is not None:
        words = words[: caption.letters]
    if caption.room is None:
        return words
    most = max(1, int(caption.room / (_LETTER * caption.size)))
    return words if len(words) <= most else words[: max(1, most - 1)] + "…"


def _ring(ring: Ring) -> str:
    """Along the outer arc, in to the inner one, and back along it; a whole ring is two arcs each."""
    middle = (ring.start + ring.end) / 2
    outer, inner = short(ring.outer), short(ring.inner)
    out = f"M{_at(ring, ring.outer, ring.start)}A{outer},{outer},0,0,1,{_at(ring, ring.outer, middle)}"
    out += f"A{outer},{outer},0,0,1,{_at(ring, ring.outer, ring.end)}"
    back = f"L{_at(ring, ring.inner, ring.end)}A{inner},{inner},0,0,0,{_at(ring, ring.inner, middle)}"
    back += f"A{inner},{inner},0,0,0,{_at(ring, ring.inner, ring.start)}Z"
    return out + back


def _at(ring: Ring, radius: float, degrees: float) -> str:
    angle = radians(degrees)
    return f"{short(ring.x + radius * sin(angle))},{short(ring.y - radius * cos(angle))}"
