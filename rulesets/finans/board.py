"""What people look at: the board as a picture, balance sheets, company groups, who has what, and wealth round by round.

The tables say everything that the picture shows, since most forums show no picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.report import Block, Cell, Chart, Line, Series, Table
from judge.core.ruleset import Seat
from judge.core.text import Listing, Money, Player, Text, Value
from rulesets.finans.balance import balance, holdings
from rulesets.finans.box import GROUPS, PAPERS, PROPERTIES
from rulesets.finans.names import GROUP_TITLES, NEWS_TITLES, NEWS_WORDS
from rulesets.finans.roundtrip import round_trip, short_name
from rulesets.finans.state import FinansView, Sheet

MOST_POINTS = 30
"""So many rounds stand side by side in the chart of wealth; of a longer game every second one, every third …"""


def show(view: FinansView) -> Sequence[Block]:
    """The position: how far the game is, the news that lies open, the board, and what everybody has."""
    return [Line(text=stage(view)), *position(view, {})]


def position(view: FinansView, changes: Mapping[Seat, int]) -> Iterator[Block]:
    """How things stand; with what the last round has changed in everybody's cash, if it is told."""
    yield from news(view)
    yield round_trip(view)
    yield balances(view, changes)
    yield groups(view)
    yield from (Line(text=text, item=True) for text in holdings(view))
    yield from courses(view)


def stage(view: FinansView) -> Text:
    """How far the game is, and how it is won."""
    if view.ending is not None:
        return Text.n("The game is over after one round.", "The game is over after {count} rounds.", view.round)
    values: dict[str, Value] = {"round": view.round, "cash": Money(view.options.win_cash)}
    if view.options.turns_each:
        return Text.of("Round {round} of {rounds}.", rounds=view.options.turns_each, **values)
    return Text.n(
        "Round {round}. {cash} in cash and {count} complete group win.",
        "Round {round}. {cash} in cash and {count} complete groups win.",
        view.options.win_groups,
        **values,
    )


def news(view: FinansView) -> Iterator[Line]:
    """The news that lies open."""
    if view.face_up is not None:
        words: dict[str, Value] = {"card": NEWS_TITLES[view.face_up], "words": NEWS_WORDS[view.face_up]}
        yield Line(text=Text.of("News until further notice: {card}. {words}", **words))


def balances(view: FinansView, changes: Mapping[Seat, int]) -> Table:
    """A row a player; columns for cars, loans and changes only where there are any."""
    sheets = {seat: balance(view, seat) for seat in view.players}
    columns: dict[Text, list[Cell]] = {
        Text.of("Square"): [_where(sheet) for sheet in view.players.values()],
        Text.of("Cash"): [sheet.cash for sheet in sheets.values()],
    }
    if any(changes.values()):
        columns[Text.of("This round")] = [changes.get(seat, 0) for seat in sheets]
    columns[Text.of("Worth")] = [sheet.worth for sheet in sheets.values()]
    columns[Text.of("Properties")] = [sheet.properties for sheet in sheets.values()]
    columns[Text.of("Shares")] = [sheet.shares for sheet in sheets.values()]
    if any(sheet.car for sheet in sheets.values()):
        columns[Text.of("Car")] = [sheet.car for sheet in sheets.values()]
    if any(sheet.loans for sheet in sheets.values()):
        columns[Text.of("Loans")] = [-sheet.loans for sheet in sheets.values()]
    return Table(
        title=Text.of("Balance sheets, in Crowns"),
        head=(Text.of("Player"), *columns),
        rows=tuple((Player(seat), *cells) for seat, *cells in zip(sheets, *columns.values(), strict=True)),
        board=True,
    )


def _where(sheet: Sheet) -> Cell:
    """Where a piece stands, by number and short name."""
    if sheet.bankrupt:
        return Text.of("bankrupt")
    values: dict[str, Value] = {"number": sheet.square, "name": short_name(sheet.square)}
    if sheet.missing:
        return Text.n(
            "{number} {name}, {count} turn to miss", "{number} {name}, {count} turns to miss", sheet.missing, **values
        )
    return Text.of("{number} {name}", **values)


def groups(view: FinansView) -> Table:
    """A row a group: how many of its properties and of its shares each player and the Bank have."""
    rows: list[tuple[Cell, ...]] = []
    for group in GROUPS:
        cells: list[Cell] = [_part(view, group, seat) for seat in (*view.players, None)]
        rows.append((GROUP_TITLES[group], *cells))
    return Table(
        title=Text.of("Company groups: properties + shares (✓ complete)"),
        head=(Text.of("Group"), *(Player(seat) for seat in view.players), Text.of("Bank")),
        rows=tuple(rows),
        board=True,
    )


def _part(view: FinansView, group: str, owner: Seat | None) -> Cell:
    """What one hand holds of a group; nothing is an empty cell."""
    papers = PAPERS[group]
    lots = sum(view.properties[paper].owner == owner for paper in papers if paper in PROPERTIES)
    shares = sum(view.shares[paper] == owner for paper in papers if paper not in PROPERTIES)
    if not lots + shares:
        return None
    if lots + shares == len(papers) and owner is not None:
        return Text.of("{lots} + {shares} ✓", lots=lots, shares=shares)
    return Text.of("{lots} + {shares}", lots=lots, shares=shares)


def courses(view: FinansView) -> Iterator[Chart]:
    """Everybody's wealth after each round, or of a long game after every so many."""
    count = len(view.wealth)
    if count < 2:
        return
    last = view.round if view.ending is not None else view.round - 1
    step = -(-(count - 1) // (MOST_POINTS - 1))
    shown = list(range(count - 1, -1, -step))[::-1]
    lines = {seat: tuple(view.wealth[at][seat] for at in shown) for seat in view.players}
    yield Chart(
        title=Text.of("Wealth by round"),
        across=tuple(last - count + 1 + at for at in shown),
        series=tuple(Series(name=Text.of("{who}", who=Player(seat)), values=lines[seat]) for seat in lines),
        alt=Text.of("{courses}.", courses=Listing([_course(seat, values) for seat, values in lines.items()])),
    )


def _course(seat: Seat, values: Sequence[int]) -> Text:
    if values[0] == values[-1]:
        return Text.of("{who} still {worth}", who=Player(seat), worth=Money(values[-1]))
    return Text.of("{who} from {start} to {end}", who=Player(seat), start=Money(values[0]), end=Money(values[-1]))
