"""The board as a picture: the round trip of 46 squares, with the Bank in its middle.

The street runs round the edge; from square 34 the way leads down into the Bank and up again to its exit, square 1.
Below the Bank stand the news that lies open, the players and what the marks mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.core.picture import Box, Caption, Disc, Paint, Path, Picture, Shape
from judge.core.ruleset import Seat
from judge.core.text import Listing, Money, Player, Text
from rulesets.finans.box import BANK_ENTRANCE, BANK_EXIT, GROUPS, PROPERTIES, SQUARES
from rulesets.finans.names import NEWS_TITLES, square_title, square_words
from rulesets.finans.state import FinansView, Lot, Sheet

COLUMNS, ROWS = 6, 13
WIDE, HIGH = 62, 50
STRIP = 15
PIECE = 8.5
SMALL, NAME, LARGE = 10, 11.2, 12.5

SHORT_PROPERTIES: Mapping[str, Text] = {
    "cobbler": Text.of("Cobbler"),
    "joiner": Text.of("Joiner"),
    "tailor": Text.of("Tailor"),
    "laundry": Text.of("Laundry"),
    "barber": Text.of("Barber"),
    "travel": Text.of("Travel"),
    "bookshop": Text.of("Books"),
    "grocery": Text.of("Grocery"),
    "furniture": Text.of("Furniture"),
    "insurance": Text.of("Insurance"),
    "brokerage": Text.of("Brokerage"),
    "radio": Text.of("Radio"),
    "instruments": Text.of("Instrum."),
    "computers": Text.of("Computers"),
    "paint": Text.of("Paint"),
    "soap": Text.of("Soap"),
    "plastics": Text.of("Plastics"),
    "sawmill": Text.of("Saw Mill"),
    "steel": Text.of("Steel"),
    "shipyard": Text.of("Shipyard"),
}

SHORT_SQUARES: Mapping[str, Text] = {
    "bank_exit": Text.of("Exit"),
    "market_tip": Text.of("Tip"),
    "share_dividends": Text.of("Dividends"),
    "financial_news": Text.of("News"),
    "branch": Text.of("Branch"),
    "construction": Text.of("Builders"),
    "jail": Text.of("Jail"),
    "bank_entrance": Text.of("Entrance"),
    "banking_hall": Text.of("Banking Hall"),
    "go_to_jail": Text.of("Go to Jail"),
    "pay_dividends": Text.of("Pay dividends"),
    "repay_loan": Text.of("Pay back a loan"),
    "bonds_small_draw": Text.of("Bonds, draw"),
    "bonds": Text.of("Bonds"),
}


def short_name(number: int) -> Text:
    """A square's name as it fits on the board."""
    square = SQUARES[number]
    return SHORT_PROPERTIES[square.property] if square.property else SHORT_SQUARES[square.kind]


def round_trip(view: FinansView) -> Picture:
    """The board with owners, buildings, mortgages, pieces and the open news."""
    shapes: list[Shape] = []
    for number in SQUARES:
        shapes += _square(view, number, _place(number))
    shapes += [*_ways(), *_middle(view)]
    return Picture(
        title=Text.of("The board"),
        width=COLUMNS * WIDE,
        height=ROWS * HIGH,
        shapes=tuple(shapes),
        alt=Text.of(
            "{pieces}.",
            pieces=Listing([_stands(seat, sheet) for seat, sheet in view.players.items() if not sheet.bankrupt]),
        ),
    )


def _stands(seat: Seat, sheet: Sheet) -> Text:
    return Text.of("{who} on {number}", who=Player(seat), number=sheet.square)


@dataclass(frozen=True)
class Field:
    """Where a square lies on the sheet."""

    x: float
    y: float
    width: float = WIDE


def _place(number: int) -> Field:
    """The street clockwise round the edge from 1 in the top row; 35 to 40 down and 41 to 46 up in the middle."""
    if number > BANK_ENTRANCE:
        down = number - BANK_ENTRANCE <= 6
        row = number - BANK_ENTRANCE if down else 47 - number
        return Field(WIDE if down else 3 * WIDE, row * HIGH, 2 * WIDE)
    top = 3
    corners = (COLUMNS - top, COLUMNS - top + ROWS - 1, 2 * COLUMNS - top + ROWS - 2, 2 * COLUMNS - top + 2 * ROWS - 3)
    if number <= corners[0]:
        column, row = top + number - 1, 0
    elif number <= corners[1]:
        column, row = COLUMNS - 1, number - corners[0]
    elif number <= corners[2]:
        column, row = COLUMNS - 1 - (number - corners[1]), ROWS - 1
    elif number <= corners[3]:
        column, row = 0, ROWS - 1 - (number - corners[2])
    else:
        column, row = number - corners[3], 0
    return Field(column * WIDE, row * HIGH)


def _square(view: FinansView, number: int, field: Field) -> Iterator[Shape]:
    square = SQUARES[number]
    lot = view.properties[square.property] if square.property else None
    yield Box(
        x=field.x,
        y=field.y,
        width=field.width,
        height=HIGH,
        paint=_ground(number),
        says=_says(number, lot),
    )
    yield Caption(x=field.x + field.width / 2, y=field.y + 12, text=short_name(number), size=NAME, room=field.width + 2)
    yield Caption(
        x=field.x + field.width - 2, y=field.y + HIGH - 4, text=number, size=SMALL, anchor="end", paint="quiet"
    )
    if lot is not None and square.property is not None:
        yield from _property(view, square.property, lot, field)
    yield from _pieces(view, number, field)


def _ground(number: int) -> Paint:
    """A company group has its colour, the Bank its own."""
    key = SQUARES[number].property
    if key is not None:
        return _tint(list(GROUPS).index(PROPERTIES[key].group))
    return "tint8" if number >= BANK_ENTRANCE or number == BANK_EXIT else "paper"


def _tint(number: int) -> Paint:
    tints: tuple[Paint, ...] = ("tint1", "tint2", "tint3", "tint4", "tint5", "tint6", "tint7")
    return tints[number]


def _strong(view: FinansView, seat: Seat) -> Paint:
    """A player's colour, by his place at the table."""
    seats: tuple[Paint, ...] = ("seat1", "seat2", "seat3", "seat4", "seat5", "seat6")
    return seats[list(view.players).index(seat)]


def _says(number: int, lot: Lot | None) -> Text:
    if lot is None or lot.owner is None:
        return square_title(number)
    return Text.of("{name} ({number}), of {who}", who=Player(lot.owner), **square_words(number))


def _property(view: FinansView, key: str, lot: Lot, field: Field) -> Iterator[Shape]:
    """Its owner's badge, then what stands on it, then its mortgage or that its rent is doubled."""
    if lot.owner is None:
        return
    x, y = field.x + 2, field.y + HIGH - 15
    yield Box(x=x, y=y, width=17, height=13, paint=_strong(view, lot.owner), edge="none", round=2)
    yield Caption(x=x + 8.5, y=y + 10, text=Player(lot.owner), size=SMALL, paint="on seat", bold=True, letters=2)
    if lot.built:
        yield from _building(PROPERTIES[key].group in ("chemistry", "industry"), x + 18, y + 0.5)
    if lot.mortgaged:
        yield Caption(x=x + 36, y=y + 10, text=Text.of("M"), size=SMALL, paint="bad", bold=True)
    elif PROPERTIES[key].group in view.groups:
        yield Caption(x=x + 37.5, y=y + 10, text="×2", size=SMALL, bold=True)


def _building(industry: bool, x: float, y: float) -> Iterator[Shape]:
    """A house, red as printed; or a black works with its chimney."""
    if industry:
        roof = ((0, 12), (0, 4), (4, 7), (4, 4), (8, 7), (8, 0), (11, 0), (11, 12))
        yield Path(points=tuple((x + dx, y + dy) for dx, dy in roof), closed=True, paint="ink", edge="ink")
    else:
        house = ((1, 12), (1, 6), (6, 1), (11, 6), (11, 12))
        yield Path(points=tuple((x + dx, y + dy) for dx, dy in house), closed=True, paint="bad", edge="bad")


def _pieces(view: FinansView, number: int, field: Field) -> Iterator[Shape]:
    """The pieces on a square side by side, closer together the more there are."""
    here = [seat for seat, sheet in view.players.items() if sheet.square == number and not sheet.bankrupt]
    room = field.width - 2 * PIECE - 4
    step = min(2 * PIECE + 1, room / max(1, len(here) - 1))
    for at, seat in enumerate(here):
        yield from _piece(view, seat, field.x + PIECE + 2 + at * step, field.y + STRIP + PIECE)


def _piece(view: FinansView, seat: Seat, x: float, y: float) -> Iterator[Shape]:
    yield Disc(x=x, y=y, radius=PIECE, paint=_strong(view, seat), edge="paper", says=Text.of("{who}", who=Player(seat)))
    yield Caption(x=x, y=y + 3.5, text=Player(seat), size=9.6, paint="on seat", bold=True, letters=2)


def _middle(view: FinansView) -> Iterator[Shape]:
    """Below the Bank: the news that lies open, everybody's cash, and the marks."""
    left, right, top = WIDE + 8, 5 * WIDE - 8, 7 * HIGH
    middle = (left + right) / 2
    yield Caption(x=middle, y=top + 22, text=Text.of("Financial News"), size=11, paint="quiet")
    card = Text.of("No news lies open") if view.face_up is None else NEWS_TITLES[view.face_up]
    yield Caption(x=middle, y=top + 40, text=card, size=LARGE, bold=view.face_up is not None, room=right - left)
    y = top + 68.0
    for seat, sheet in view.players.items():
        if not sheet.bankrupt:
            yield from _piece(view, seat, left + PIECE, y - 4)
            yield Caption(x=left + 22, y=y, text=Player(seat), size=12, anchor="start", room=118)
            yield Caption(x=right, y=y, text=Money(sheet.cash), size=12, anchor="end")
            y += 22
    yield from _marks(left, 12 * HIGH - 26)


def _marks(x: float, y: float) -> Iterator[Shape]:
    """What the marks on properties mean."""
    yield from _building(False, x, y - 11)
    yield from _building(True, x + 15, y - 11)
    yield Caption(x=x + 30, y=y, text=Text.of("built on"), size=SMALL, anchor="start", paint="quiet")
    yield Caption(x=x + 13, y=y + 17, text="×2", size=SMALL, bold=True)
    yield Caption(x=x + 30, y=y + 17, text=Text.of("double rent"), size=SMALL, anchor="start", paint="quiet")
    yield Caption(x=x + 130, y=y, text=Text.of("M"), size=SMALL, paint="bad", bold=True)
    yield Caption(x=x + 140, y=y, text=Text.of("mortgaged"), size=SMALL, anchor="start", paint="quiet")


def _ways() -> Iterator[Shape]:
    """From 34 into the Bank, and from 46 out of it to 1."""
    for x, down in ((2.85 * WIDE, 1), (3.15 * WIDE, -1)):
        points = ((x - 5, HIGH - 3 * down), (x + 5, HIGH - 3 * down), (x, HIGH + 4 * down))
        yield Path(points=points, closed=True, paint="accent", edge="none")
