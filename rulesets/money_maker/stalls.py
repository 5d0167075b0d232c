"""The two markets with the goods at each price, and below them the way of the bank run chip, as a picture."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.picture import Box, Caption, Disc, Paint, Path, Picture, Shape
from judge.core.text import Text
from rulesets.money_maker.names import sectors_named
from rulesets.money_maker.tables import CIRCLE, SETUP, TABLES, Colour
from rulesets.money_maker.view import MarketView, TableView

WIDTH = 640
COLUMN = 36
GOOD = 20
SIZE = 16

TITLES: dict[Colour, Text] = {
    "production": Text.of("Production market"),
    "consumer": Text.of("Consumer market"),
}
_PAINTS: dict[Colour, Paint] = {"production": "bad", "consumer": "good"}


def markets_picture(view: TableView) -> Picture:
    shapes: list[Shape] = []
    for number, (colour, market) in enumerate(view.markets.items()):
        shapes += _market(colour, market, 12 + 328 * number)
    return Picture(
        title=Text.of("Markets and bankrun-o-meter"),
        width=WIDTH,
        height=252,
        shapes=(*shapes, *_meter(view)),
        alt=meter_told(view),
    )


def meter_told(view: TableView) -> Text:
    """Where the chip and the runs are, what is left of the gold, and what the sector dice of this turn have shown."""
    told = Text.of(
        "The bank run chip is at {steps} of {length}; bank runs: {runs} of {limit}. Gold Reserve: {reserve}.",
        steps=view.meter,
        length=view.meter_length,
        runs=view.runs,
        limit=SETUP.end_bank_runs[view.options.length],
        reserve=view.reserve,
    )
    if not view.sectors:
        return told
    return Text.of("{told} Sector dice: {sectors}.", told=told, sectors=sectors_named(view.sectors))


def _market(colour: Colour, market: MarketView, left: float) -> Iterator[Shape]:
    """Three places over each price, filled from below; the price that the next buyer pays stands out."""
    bottom = 32 + 3 * (GOOD + 3)
    yield Caption(x=left, y=20, text=TITLES[colour], size=SIZE, anchor="start", bold=True)
    yield Caption(
        x=left + 8 * COLUMN,
        y=20,
        text=Text.of("reserve {count}", count=market.reserve),
        size=SIZE,
        anchor="end",
        paint="quiet",
    )
    for number, (slot, count) in enumerate(zip(TABLES.market.slots, market.slots, strict=True)):
        x, next_one = left + number * COLUMN, slot.price == market.buying_price
        for place in range(slot.n):
            yield Box(
                x=x + 2,
                y=bottom - (place + 1) * (GOOD + 3),
                width=COLUMN - 4,
                height=GOOD,
                paint=_PAINTS[colour] if place < count else "none",
                edge="quiet",
                round=3,
                says=Text.of("{count} of {places} at {price}", count=count, places=slot.n, price=slot.price)
                if not place
                else None,
            )
        if next_one:
            yield Box(x=x + 4, y=bottom + 1, width=COLUMN - 8, height=22, paint="none", edge="ink", round=4)
        yield Caption(x=x + COLUMN / 2, y=bottom + 18, text=slot.price, size=SIZE, bold=next_one)
    yield Caption(
        x=left,
        y=bottom + 44,
        text=Text.of("buy at {buying}, sell at {selling}", buying=market.buying_price, selling=market.selling_price),
        size=SIZE,
        anchor="start",
        paint="quiet",
    )


def _meter(view: TableView) -> Iterator[Shape]:
    """The steps from the start to the circle, the chip where it stands, and the runs that have been."""
    limit = SETUP.end_bank_runs[view.options.length]
    top, y = 176, 222
    yield Caption(x=12, y=top + 14, text=Text.of("Bankrun-o-meter"), size=SIZE, anchor="start", bold=True)
    yield Caption(
        x=12 + 328 + 8 * COLUMN,
        y=top + 14,
        text=Text.of(
            "bank runs: {runs} of {limit} · Gold Reserve {reserve}", runs=view.runs, limit=limit, reserve=view.reserve
        ),
        size=SIZE,
        anchor="end",
        paint="quiet",
    )
    gap = 616 / (view.meter_length + limit)
    last = 12 + gap / 2 + gap * (view.meter_length + limit - 1)
    yield Path(points=((12 + gap / 2, y), (last, y)), edge="line", weight=4)
    over = view.phase == "over" and view.runs >= limit
    for step in range(view.meter_length):
        here = step == view.meter and not over
        x = 12 + gap * (step + 0.5)
        yield Disc(x=x, y=y, radius=17 if here else 13, paint="accent" if here else "paper", edge="quiet")
        yield Caption(x=x, y=y + 6, text=step, size=SIZE, bold=here, paint="on seat" if here else "quiet")
    for number, slot in enumerate(CIRCLE[:limit]):
        x, been = 12 + gap * (view.meter_length + number + 0.5), number < view.runs
        yield Box(x=x - 18, y=y - 17, width=36, height=34, paint="bad" if been else "paper", edge="bad", round=4)
        yield Caption(x=x, y=y + 6, text=slot, size=SIZE, bold=been, paint="on seat" if been else "ink")
