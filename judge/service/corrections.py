"""A result that takes the place of one that was taken back: where that one is read, and what is different now.

What is compared are the figures that both show to everybody, table by table.  What happened may have been told with
other throws: that is for reading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlmodel import Session

from judge.core.report import Block, Cell, Line, Report, Table, parted
from judge.core.text import Text
from judge.service.position import Position
from judge.store import queries
from judge.store.tables import TurnRow

MOST = 40
"""Differences that are listed.  Who wants them all reads both results."""

TITLE = Text.of("What is different")

_MARKUP = re.compile(r"[^A-Za-z0-9:/?#@!$&'()+,;=.%-]")


class _Figure(NamedTuple):
    """A cell of a table, under the names of its row and its column."""

    row: Cell
    what: Text
    value: Cell


def where_it_stands(session: Session, replaced: Sequence[TurnRow]) -> Iterator[Block]:
    """The posts with the results of these turns, if they have addresses of their own."""
    letters = [queries.result_letter(session, turn) for turn in replaced]
    for address in dict.fromkeys(letter.address for letter in letters if letter is not None):
        if address and address.startswith(("https://", "http://")):
            yield Line(text=Text.of("The result that was taken back: {address}", address=_in_any_markup(address)))


def corrected(report: Report, where: Position, replaced: TurnRow) -> Report:
    """The report of a turn whose earlier result was taken back, with what is different from that."""
    happened, stands = parted(report.blocks)
    what = Text.of(
        "This is version {version} of turn {number}: the result before it was taken back.",
        version=where.turn.version,
        number=where.turn.number,
    )
    different = differences(Report.model_validate(replaced.report), report)
    return report.model_copy(update={"blocks": (*happened, Line(text=what), *different, *stands)})


def differences(before: Report, after: Report) -> Sequence[Block]:
    """Figures that are not what they were, then and now."""
    then, now = _figures(before), _figures(after)
    spots = [*now, *(spot for spot in then if spot not in now)]
    changed = [spot for spot in spots if spot not in now or spot not in then or then[spot].value != now[spot].value]
    if not changed:
        return [Line(text=Text.of("All its tables are the same as in that result."))]
    rows = []
    for spot in changed[:MOST]:
        row, what, _ = now.get(spot) or then[spot]
        rows.append((row, what, *(at[spot].value if spot in at else None for at in (then, now))))
    table = Table(
        title=TITLE,
        head=(Text.of("Row"), Text.of("Column"), Text.of("Then"), Text.of("Now")),
        rows=tuple(rows),
    )
    left = len(changed) - len(rows)
    more = Text.n("There is one more difference.", "There are {count} more differences.", left)
    return [table, Line(text=more)] if left else [table]


def _figures(report: Report) -> dict[tuple[str, ...], _Figure]:
    """Every cell by the names of its table, row and column; what has the same name is counted through."""
    figures: dict[tuple[str, ...], _Figure] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for table in report.blocks:
        if isinstance(table, Table) and table.title != TITLE:
            for row in table.rows:
                for column, value in zip(table.head[1:], row[1:], strict=False):
                    names = (table.title.model_dump_json(), repr(row[0]), repr(column))
                    seen[names] += 1
                    figures[*names, str(seen[names])] = _Figure(row[0], _named(table.title, column), value)
    return figures


def _named(table: Text, column: Cell) -> Text:
    return table if column is None else Text.of("{table}: {column}", table=table, column=column)


def _in_any_markup(address: str) -> str:
    """The same address without characters that a markup could take for its own."""
    return _MARKUP.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), address)
