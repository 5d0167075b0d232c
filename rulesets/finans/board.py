"""What people look at: where the pieces stand, everybody's papers, the company groups, and wealth round by round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.report import Block, Cell, Chart, Line, Series, Table
from judge.core.ruleset import Seat
from judge.core.text import Listing, Money, Player, Text, Value
from rulesets.finans.box import GROUPS, PROPERTIES, SHARES
from rulesets.finans.groups import papers_of
from rulesets.finans.names import GROUP_TITLES, NEWS_TITLES, NEWS_WORDS, PROPERTY_TITLES, share_title, square_title
from rulesets.finans.state import FinansView


def show(view: FinansView) -> Sequence[Block]:
    """The position: where the game stands, the balance sheets, the groups, and the wealth once there is a course."""
    return [Line(text=place(view)), *news(view), balances(view), papers(view), *courses(view)]


def place(view: FinansView) -> Text:
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


def news(view: FinansView) -> Iterator[Block]:
    """The news that lies open."""
    if view.face_up is not None:
        words: dict[str, Value] = {"card": NEWS_TITLES[view.face_up], "words": NEWS_WORDS[view.face_up]}
        yield Line(text=Text.of("News until further notice: {card}. {words}", **words))


def balances(view: FinansView) -> Table:
    """A row a player."""
    rows: list[tuple[Cell, ...]] = []
    for seat, sheet in view.players.items():
        where: Cell = Text.of("bankrupt") if sheet.bankrupt else square_title(sheet.square)
        if sheet.missing:
            where = Text.n("jail, {count} turn to miss", "jail, {count} turns to miss", sheet.missing)
        numbers = Listing([str(number) for number in sheet.bonds])
        rows.append(
            (
                Player(seat),
                where,
                Money(sheet.cash),
                sheet.loans,
                Text.of("yes") if sheet.car else None,
                Text.of("{numbers}", numbers=numbers) if sheet.bonds else None,
                Money(view.wealth[-1][seat]) if view.wealth else None,
            )
        )
    return Table(
        title=Text.of("Balance sheets"),
        head=(
            Text.of("Player"),
            Text.of("Square"),
            Text.of("Cash"),
            Text.of("Loans"),
            Text.of("Car"),
            Text.of("Bonds"),
            Text.of("Wealth"),
        ),
        rows=tuple(rows),
        board=True,
    )


def papers(view: FinansView) -> Table:
    """A row a group: what the Bank has, and what each player has of it."""
    rows: list[tuple[Cell, ...]] = []
    for group in GROUPS:
        cells: list[Cell] = [_held(view, group, None)]
        cells += [_held(view, group, seat) for seat in view.players]
        rows.append((GROUP_TITLES[group], *cells))
    return Table(
        title=Text.of("Company groups"),
        head=(Text.of("Group"), Text.of("Bank"), *(Player(seat) for seat in view.players)),
        rows=tuple(rows),
        board=True,
    )


def _held(view: FinansView, group: str, seat: Seat | None) -> Cell:
    """The papers of a group in one hand."""
    held: list[Text] = []
    for paper in papers_of(group):
        if paper in SHARES and view.shares[paper] == seat:
            held.append(share_title(paper))
        elif paper in PROPERTIES and view.properties[paper].owner == seat:
            lot, name = view.properties[paper], PROPERTY_TITLES[paper]
            if lot.mortgaged:
                held.append(Text.of("{name} (mortgaged)", name=name))
            elif lot.built:
                held.append(Text.of("{name} (built on)", name=name))
            else:
                held.append(name)
    return Text.of("{papers}", papers=Listing(held)) if held else None


def courses(view: FinansView) -> Iterator[Block]:
    """Everybody's wealth after each round."""
    if len(view.wealth) < 2:
        return
    lines = {seat: tuple(row[seat] for row in view.wealth) for seat in view.players}
    yield Chart(
        title=Text.of("Wealth by round"),
        across=tuple(range(1, len(view.wealth) + 1)),
        series=tuple(Series(name=Text.of("{who}", who=Player(seat)), values=lines[seat]) for seat in lines),
        alt=Text.of(
            "{courses}.",
            courses=Listing(
                [
                    Text.of(
                        "{who} from {start} to {end}",
                        who=Player(seat),
                        start=Money(values[0]),
                        end=Money(values[-1]),
                    )
                    for seat, values in lines.items()
                ]
            ),
        ),
    )
