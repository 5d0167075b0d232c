"""The city as people look at it: its rings, and every bank's credit on their blocks.

Ring I, where everybody starts, lies outermost.  Each of the six sectors of the dice is a sixth of the circle, and a
block is what its sectors take up of its ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, degrees, radians, sin

from judge.core.picture import Box, Caption, Paint, Picture, Ring, Shape
from judge.core.ruleset import Seat
from judge.core.text import Listing, Player, Text, Value
from rulesets.money_maker.names import SECTOR_TITLES, rating_name
from rulesets.money_maker.payments import block_name
from rulesets.money_maker.tables import PRISON, RATINGS, SECTORS, TABLES, Sector, ring_of
from rulesets.money_maker.view import BankView, TableView

WIDTH = 640
CENTRE = 320.0, 266.0
EDGES = (250, 216, 180, 142, 100, 54, 0)
"""Radii: ring I lies between the first two, ring VI between the last two."""

RIM = 8
SIXTH = 360 / len(SECTORS)
PILL = 24
SIZE = 16

_SEATS: tuple[Paint, ...] = ("seat1", "seat2", "seat3", "seat4", "seat5", "seat6")


def paints(view: TableView) -> Mapping[Seat, Paint]:
    """A colour for each bank, in the order of the seats."""
    return dict(zip(view.banks, _SEATS, strict=False))


def city_picture(view: TableView) -> Picture:
    """The rings from above, the prison in a corner, and below whose initials are whose."""
    rows = -(-len(view.banks) // 3)
    return Picture(
        title=Text.of("The city rings"),
        width=WIDTH,
        height=556 + 46 * rows,
        shapes=(*_rings(view.sectors), *_names_of_sectors(view.sectors), *_credit(view), *_prison(view), *_banks(view)),
        alt=city_told(view),
    )


def city_told(view: TableView) -> Text:
    """ "Anna (III): 14 on windmill and ship, 6 on church and fish; …": which credit lies where."""
    told = [
        Text.of("{who} ({rating}): {blocks}", who=Player(seat), rating=rating_told(bank), blocks=_blocks_told(bank))
        for seat, bank in view.banks.items()
    ]
    return Text.of("{banks}.", banks=Text.joined(told, "; "))


def _blocks_told(bank: BankView) -> Value:
    if len(bank.blocks) == 1 and bank.board[0]:
        return bank.board[0]
    placed: list[Value] = [
        Text.of("{count} on {block}", count=count, block=block_name(tuple(sectors)))
        for sectors, count in zip(bank.blocks, bank.board, strict=True)
        if count
    ]
    return Listing(placed) if placed else Text.of("no credit")


def rating_told(bank: BankView) -> Text:
    """The rating in a word."""
    if bank.bankrupt:
        return Text.of("bankrupt")
    return rating_name(bank.rating) if bank.rating else Text.of("prison")


def _rings(faces: list[Sector]) -> Iterator[Shape]:
    """The blocks of all rings, those that the dice hit tinted, and the numbers of the rings."""
    x, y = CENTRE
    for ring in TABLES.ring:
        outer, inner = EDGES[ring.n - 1], EDGES[ring.n]
        for sectors in ring.blocks:
            start, end = _span(sectors)
            yield Ring(
                x=x,
                y=y,
                inner=inner,
                outer=outer,
                start=start,
                end=end,
                paint="tint3" if set(sectors) & set(faces) else ("tint6" if ring.n % 2 else "paper"),
                edge="quiet",
                says=Text.of("Ring {numeral}: {block}", numeral=ring.numeral, block=block_name(sectors)),
            )
    for ring in TABLES.ring:
        middle = (EDGES[ring.n - 1] + EDGES[ring.n]) / 2
        at = _at(middle if ring.n < len(RATINGS) else 30, 0)
        yield Caption(
            x=at[0] + 5, y=at[1] + 6, text=ring.numeral, size=SIZE, anchor="start", bold=True, paint="quiet"
        )  # beside the border at noon


def _span(sectors: tuple[Sector, ...]) -> tuple[float, float]:
    """Where a block begins and ends; its sectors lie side by side."""
    first = SECTORS.index(sectors[0])
    return first * SIXTH, (first + len(sectors)) * SIXTH


def _at(radius: float, angle: float) -> tuple[float, float]:
    x, y = CENTRE
    return x + radius * sin(radians(angle)), y - radius * cos(radians(angle))


def _names_of_sectors(faces: list[Sector]) -> Iterator[Shape]:
    for number, sector in enumerate(SECTORS):
        start, hit = number * SIXTH, sector in faces
        yield Ring(
            x=CENTRE[0],
            y=CENTRE[1],
            inner=EDGES[0],
            outer=EDGES[0] + RIM,
            start=start,
            end=start + SIXTH,
            paint="accent" if hit else "line",
            edge="paper",
        )
        x, y = _at(EDGES[0] + RIM + 6, start + SIXTH / 2)
        yield Caption(
            x=x,
            y=y + 5,
            text=SECTOR_TITLES[sector],
            size=SIZE,
            anchor="start" if start < 180 else "end",
            bold=hit,
            paint="ink",
        )


def _credit(view: TableView) -> Iterator[Shape]:
    """A pill for each bank on each block where it has credit: its initials and how much."""
    colours = paints(view)
    taken: list[tuple[float, float, float]] = []
    for ring in TABLES.ring:
        for place, sectors in enumerate(ring.blocks):
            there = {
                seat: bank.board[place]
                for seat, bank in view.banks.items()
                if ring_of(bank.rating).n == ring.n and bank.board[place] and not bank.bankrupt
            }
            for number, (seat, count) in enumerate(there.items()):
                x, y = _free_place(ring.n, sectors, (number + 0.5) / len(there), _width(count), taken)
                says = Text.of(
                    "{count} credit of {who} on {block}", count=count, who=Player(seat), block=block_name(sectors)
                )
                yield from pill(seat, count, x, y, colours[seat], says)


def _free_place(
    ring: int, sectors: tuple[Sector, ...], along: float, width: float, taken: list[tuple[float, float, float]]
) -> tuple[float, float]:
    """The middle of a pill on a block, as near as can be to where it would lie if it were alone, and covering no other.

    Pills lie level, so beside each other at nine and at three o'clock neighbouring rings are too narrow for them.
    """
    outer, inner = EDGES[ring - 1], EDGES[ring]
    radius = (outer + inner) / 2 if inner else outer * 0.62
    start, end = _span(sectors)
    margin = min(degrees(width / 2 / radius), (end - start) / 2.5)
    wished = start + (end - start) * along
    angles = sorted(range(int(start + margin), int(end - margin) + 1, 3), key=lambda angle: abs(angle - wished))
    places = [_at(radius, angle) for angle in (wished, *angles)]
    free = [
        place
        for place in places
        if all(abs(place[0] - x) >= (width + other) / 2 + 2 or abs(place[1] - y) >= PILL + 1 for x, y, other in taken)
    ]
    x, y = free[0] if free else places[0]
    taken.append((x, y, width))
    return x, y


def _width(count: int | None) -> float:
    return PILL + 8 if count is None else PILL + 15 + 9 * len(str(count))


def pill(seat: Seat, count: int | None, x: float, y: float, paint: Paint, says: Text | None = None) -> Iterator[Shape]:
    """A bank's initials in its colour, and beside them a number, around (x, y)."""
    left = x - _width(count) / 2
    yield Box(
        x=left, y=y - PILL / 2, width=_width(count), height=PILL, paint=paint, edge="paper", round=PILL / 2, says=says
    )
    yield Caption(x=left + 16, y=y + 5.5, text=Player(seat), letters=2, size=SIZE - 1, paint="on seat", bold=True)
    if count is not None:
        yield Caption(x=left + 30, y=y + 5.5, text=count, size=SIZE - 1, anchor="start", paint="on seat")


def _prison(view: TableView) -> Iterator[Shape]:
    """In the corner below the rings; whoever sits there has his debts on ring I."""
    inside = [seat for seat, bank in view.banks.items() if bank.rating == PRISON and not bank.bankrupt]
    top = 470
    yield Box(x=4, y=top, width=118, height=64, paint="tint6" if inside else "paper", edge="quiet", round=4)
    yield Caption(x=63, y=top + 20, text=Text.of("Prison"), size=SIZE, paint="quiet")
    for number, seat in enumerate(inside):
        yield from pill(seat, None, 63 + 36 * (number - (len(inside) - 1) / 2), top + 44, paints(view)[seat])


def _banks(view: TableView) -> Iterator[Shape]:
    """Initials, name and rating of each bank, three in a row."""
    for number, (seat, bank) in enumerate(view.banks.items()):
        x, y = 8 + (number % 3) * 212, 574 + 46 * (number // 3)
        yield from pill(seat, None, x + 16, y, paints(view)[seat])
        yield Caption(x=x + 38, y=y - 2, text=Player(seat), size=SIZE, anchor="start", bold=True, room=168)
        yield Caption(x=x + 38, y=y + 17, text=told_briefly(bank), size=SIZE, anchor="start", paint="quiet", room=168)


def told_briefly(bank: BankView) -> Text:
    if bank.bankrupt:
        return rating_told(bank)
    return Text.of("{rating} · {credit} credit", rating=rating_told(bank), credit=bank.credit_on_board)
