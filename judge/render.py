"""A report in the four markups, and as data.

First everything is said: texts, money and names become words of the reader's language.  Then a template of
`templates/reports/` lays the words out, and each markup's own escape (`judge.escaping`) is applied to every word that a
template puts in, so names and free text can never break out of their place.

Many forums' BBCode has no tables, and none sets figures in columns; so tables stand there as padded text in `[code]`,
the one tag that keeps spaces everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from judge.chart import Drawing, drawing
from judge.core.picture import Picture
from judge.core.report import Block, Cell, Chart, Heading, Line, Report, Table
from judge.core.text import Moment, Money, Player, Text
from judge.escaping import ESCAPES, plain
from judge.language import Voice, teach
from judge.resources import templates_folder
from judge.svg import Drawn, color, drawn, short

__all__ = ["MarkupName", "plain", "render", "render_blocks", "render_json"]

MarkupName = Literal["txt", "md", "bbcode", "html"]


def render(report: Report, markup: MarkupName, voice: Voice, *, level: int = 2) -> str:
    """The whole report.  In HTML its title is a heading of `level`, its sections are one level below."""
    return _laid_out(voice.say(report.title), report.blocks, markup, voice, level)


def render_blocks(blocks: Sequence[Block], markup: MarkupName, voice: Voice, *, level: int = 2) -> str:
    """Blocks without a title, such as a position on a page.  In HTML their headings are of `level`."""
    return _laid_out("", blocks, markup, voice, level - 1)


def render_json(report: Report, voice: Voice) -> dict[str, Any]:
    """The report as data: numbers and money stay numbers, instants are ISO 8601, everything else is said."""
    return {"title": voice.say(report.title), "blocks": [_block_data(block, voice) for block in report.blocks]}


@dataclass(frozen=True)
class _Grid:
    """A table whose cells are said.  `numbers` tells for each column whether it is set flush right."""

    title: str
    head: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    board: bool = False
    block: str = "table"


@dataclass(frozen=True)
class _Said:
    """A heading, a line or a list of lines."""

    block: str
    text: str = ""
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Chart:
    title: str
    alt: str
    drawing: Drawing | None
    table: _Grid
    block: str = "chart"


@dataclass(frozen=True)
class _Picture:
    title: str
    alt: str
    width: int
    height: int
    shapes: list[Drawn]
    block: str = "picture"


_Words = _Said | _Grid | _Chart | _Picture


def _laid_out(title: str, blocks: Sequence[Block], markup: MarkupName, voice: Voice, level: int) -> str:
    template = _environment(markup).get_template(f"report.{markup}")
    text = template.render(title=title, blocks=_said(blocks, voice), level=level, voice=voice)
    text = re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


@cache
def _environment(markup: MarkupName) -> Environment:
    escape = ESCAPES[markup]
    environment = Environment(
        loader=FileSystemLoader(templates_folder() / "reports"),
        autoescape=markup == "html",
        finalize=partial(_escaped, markup=markup),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    teach(environment)
    environment.filters["padded"] = lambda grid: _padded(grid, escape)
    environment.filters["paint"] = color
    environment.filters["short"] = short
    environment.filters["wide"] = lambda text: _width(escape(text))
    return environment


def _escaped(value: object, *, markup: str) -> object:
    return ESCAPES[markup](value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _said(blocks: Sequence[Block], voice: Voice) -> list[_Words]:
    """The blocks in words, with lines that are items gathered into lists."""
    said: list[_Words] = []
    for block in blocks:
        match block:
            case Heading(text=text):
                said.append(_Said("heading", voice.say(text)))
            case Line(text=text, item=False):
                said.append(_Said("line", voice.say(text)))
            case Line(text=text):
                items: tuple[str, ...] = ()
                if said and isinstance(said[-1], _Said) and said[-1].block == "items":
                    items = said[-1].items
                    said.pop()
                said.append(_Said("items", items=(*items, voice.say(text))))
            case Table():
                said.append(_grid(block, voice))
            case Chart():
                said.append(_chart(block, voice))
            case Picture():
                said.append(_picture(block, voice))
    return said


def _grid(table: Table, voice: Voice) -> _Grid:
    columns = max([len(table.head), *(len(row) for row in table.rows)])
    padding: tuple[Cell, ...] = (None,) * columns
    head = (*table.head, *padding)[:columns]
    rows = [(*row, *padding)[:columns] for row in table.rows]
    return _Grid(
        title=voice.say(table.title),
        head=["" if cell is None else voice.say(cell) for cell in head],
        rows=[[voice.say(cell) for cell in row] for row in rows],
        numbers=[column > 0 and _are_numbers([row[column] for row in rows]) for column in range(columns)],
        board=table.board,
    )


def _are_numbers(cells: list[Cell]) -> bool:
    there = [cell for cell in cells if cell is not None]
    return bool(there) and all(isinstance(cell, int | Money) for cell in there)


def _chart(chart: Chart, voice: Voice) -> _Chart:
    across = [voice.say(name) for name in chart.across]
    names = [voice.say(series.name) for series in chart.series]
    values = [(*series.values, *(None,) * len(across))[: len(across)] for series in chart.series]
    table = Table(
        title=chart.title,
        head=(None, *chart.across),
        rows=tuple((series.name, *line) for series, line in zip(chart.series, values, strict=True)),
        board=True,
    )
    return _Chart(
        title=voice.say(chart.title),
        alt=voice.say(chart.alt),
        drawing=drawing(across, list(zip(names, values, strict=True))),
        table=_grid(table, voice),
    )


def _picture(picture: Picture, voice: Voice) -> _Picture:
    return _Picture(
        title=voice.say(picture.title),
        alt=voice.say(picture.alt),
        width=picture.width,
        height=picture.height,
        shapes=drawn(picture, voice),
    )


def _padded(grid: _Grid, escape: Any) -> list[list[Markup]]:
    """The cells, head first, escaped and filled with spaces to the width of their columns."""
    rows = [[escape(cell) for cell in row] for row in (grid.head, *grid.rows)]
    widths = [max(_width(row[column]) for row in rows) for column in range(len(grid.head))]

    def cell(text: str, column: int) -> Markup:
        spaces = " " * (widths[column] - _width(text))
        return Markup(spaces + text if grid.numbers[column] else text + spaces)

    return [[cell(text, column) for column, text in enumerate(row)] for row in rows]


def _width(text: str) -> int:
    """How many columns a text takes in a fixed-width font."""
    return sum(
        0
        if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf"
        else 2
        if unicodedata.east_asian_width(letter) in "WF"
        else 1
        for letter in text
    )


def _block_data(block: Block, voice: Voice) -> dict[str, Any]:
    match block:
        case Heading(text=text):
            return {"block": "heading", "text": voice.say(text)}
        case Line(text=text, item=item):
            return {"block": "line", "text": voice.say(text), "item": item}
        case Table():
            return {
                "block": "table",
                "title": voice.say(block.title),
                "head": [_cell_data(cell, voice) for cell in block.head],
                "rows": [[_cell_data(cell, voice) for cell in row] for row in block.rows],
                "board": block.board,
            }
        case Chart():
            return {
                "block": "chart",
                "title": voice.say(block.title),
                "across": [_cell_data(name, voice) for name in block.across],
                "series": [{"name": voice.say(line.name), "values": list(line.values)} for line in block.series],
                "alt": voice.say(block.alt),
            }
        case Picture():
            return {"block": "picture", "title": voice.say(block.title), "alt": voice.say(block.alt)}


def _cell_data(cell: Cell, voice: Voice) -> int | str | None:
    match cell:
        case Money(money=amount):
            return amount
        case Moment(moment=instant):
            return instant.isoformat()
        case Player() | Text():
            return voice.say(cell)
    return cell
