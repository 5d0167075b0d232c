"""What people look at: the price board with every month's prices, the price chart, and the tally sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Cell, Chart, Series, Table
from judge.core.text import Listing, Money, Player, Text
from rulesets.commodity_market.ending import profits
from rulesets.commodity_market.state import MarketView
from rulesets.commodity_market.tables import GRADES, LETTERS, Letter


def show(view: MarketView) -> Sequence[Block]:
    """The position: board, chart once there is something to see, tally sheets."""
    return [price_board(view), *price_chart(view), tally_sheets(view)]


def price_board(view: MarketView) -> Table:
    """A row a month; beside each price where it came from."""
    last: dict[Letter, int] = {}
    rows: list[tuple[Cell, ...]] = []
    for month, column in sorted(view.history.items()):
        row: list[Cell] = [month or Text.of("Opening")]
        row += [_moved(column.get(letter), last.get(letter)) for letter in LETTERS]
        rows.append(tuple(row))
        last.update(column)
    return Table(
        title=Text.of("Price board"),
        head=(Text.of("Month"), *(view.names[letter] for letter in LETTERS)),
        rows=tuple(rows),
        board=True,
    )


def _moved(price: int | None, before: int | None) -> Cell:
    if price is None or before is None:
        return price
    if price == before:
        return Text.of("{price} =", price=price)
    if price > before:
        return Text.of("{price} ↑{change}", price=price, change=price - before)
    return Text.of("{price} ↓{change}", price=price, change=before - price)


def price_chart(view: MarketView) -> Iterator[Chart]:
    """Six lines over the months; nothing yet while only the opening prices stand."""
    months = sorted(view.history)
    if len(months) == 1:
        return
    lines = {letter: tuple(view.history[month].get(letter) for month in months) for letter in LETTERS}
    yield Chart(
        title=Text.of("Prices by month"),
        across=tuple(months),
        series=tuple(Series(name=view.names[letter], values=lines[letter]) for letter in LETTERS),
        alt=Text.of("{courses}.", courses=Listing([_course(view.names[letter], lines[letter]) for letter in LETTERS])),
    )


def _course(name: str, line: Sequence[int | None]) -> Text:
    """ "Fine from 30 to 25 (between 22 and 31)"; the span only where it says more than the ends."""
    known = [price for price in line if price is not None]
    first, last, low, high = known[0], known[-1], min(known), max(known)
    if low == high:
        return Text.of("{name} still {price}", name=name, price=last)
    if {low, high} == {first, last}:
        return Text.of("{name} from {first} to {last}", name=name, first=first, last=last)
    return Text.of(
        "{name} from {first} to {last} (between {low} and {high})",
        name=name,
        first=first,
        last=last,
        low=low,
        high=high,
    )


def tally_sheets(view: MarketView) -> Table:
    """A row a player: money, certificates, loans if the game has them; the profit once all is settled."""
    over = view.phase == "over"
    profit = profits(view)
    head: list[Cell] = [Text.of("Player"), Text.of("Cash")]
    head += [Text.of("Profit")] if over else [view.names[grade] for grade in GRADES]
    if view.options.loans and not over:
        head.append(Text.of("Loans"))
    rows: list[tuple[Cell, ...]] = []
    for seat, sheet in view.players.items():
        row: list[Cell] = [Player(seat), Money(sheet.cash)]
        row += [Money(profit[seat])] if over else [sheet.stock[grade] for grade in GRADES]
        if view.options.loans and not over:
            row.append(Money(sheet.debt))
        rows.append(tuple(row))
    return Table(title=Text.of("Tally sheets"), head=tuple(head), rows=tuple(rows))
