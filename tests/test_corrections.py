"""A result that was taken back and played anew: the new post leads to the old one and says what is different."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.core.report import Block, Line, Report, Table
from judge.core.text import Player, Text
from judge.service import rewinding
from judge.service.corrections import MOST, differences
from judge.web.app import create_app
from tests.at_the_table import TestTable
from tests.topic_on_paper import ADDRESS, PaperClub, on_paper
from tests.visitors import Visitor

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[PaperClub]:
    with on_paper(tmp_path) as club:
        yield club


def play_turn(table: TestTable, bens: str) -> None:
    for seat in (ANNA, CEM, DORA):
        table.order(seat, "pass")
    table.order(BEN, bens)


def newest_result(club: PaperClub) -> str:
    return next(post.text for post in reversed(club.paper.posts) if "/result/" in post.text)


def test_a_corrected_result_links_the_old_one_and_says_what_changed(club: PaperClub) -> None:
    """T306."""
    club.open()
    play_turn(club.table, "X:3 at 60")
    club.look()
    old = next(post for post in club.paper.posts if "1.1/result/" in post.text)
    assert "is different" not in old.text
    where = f"The result that was taken back: {ADDRESS.replace('_', '%5F')}{old.id}"

    club.table.do(rewinding.rewind, club.table.game_id, 1, "Ben was misread.", (BEN,))
    club.look()
    announced = next(post.text for post in club.paper.posts if "1.2/rewound/" in post.text)
    assert "Ben was misread." in announced
    assert where in announced

    club.table.order(BEN, "X:4 at 60")
    club.look()
    new = newest_result(club)
    assert "version 2 of turn 1" in new
    assert where in new
    assert "What is different" in new
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in new.splitlines() if line.startswith("| Ben ")]
    assert ["Ben", "Tally sheets: X-Fine", "3", "4"] in rows
    assert ["Ben", "Tally sheets: Cash", "$270", "$210"] in rows


def test_a_correction_that_changes_no_figure_says_so(club: PaperClub) -> None:
    """T306."""
    club.open()
    play_turn(club.table, "pass")
    club.look()
    club.table.do(rewinding.rewind, club.table.game_id, 1, "A slip.", (BEN,))
    club.table.order(BEN, "pass")
    club.look()
    assert "All its tables are the same as in that result." in newest_result(club)
    assert "What is different" not in newest_result(club)


def test_a_second_correction_is_compared_with_the_first(club: PaperClub) -> None:
    """What the first said of differences is no figure of the game."""
    club.open()
    play_turn(club.table, "X:3 at 60")
    club.look()
    for bens in ("X:4 at 60", "X:4 at 60"):
        club.table.do(rewinding.rewind, club.table.game_id, 1, "Ben was misread.", (BEN,))
        club.table.order(BEN, bens)
        club.look()
    assert "version 3 of turn 1" in newest_result(club)
    assert "All its tables are the same as in that result." in newest_result(club)


def test_on_the_board_the_new_post_leads_to_the_old_result(table: TestTable) -> None:
    """T306: and the page that it leads to says that it counts no more."""
    table.open()
    play_turn(table, "X:3 at 60")
    table.look()
    visitor = Visitor(create_app(table.judge))
    thread = f"/games/{table.game_id}/thread"
    assert "The result that was taken back" not in visitor.client.get(thread).text
    table.do(rewinding.rewind, table.game_id, 1, "Ben was misread.", (BEN,))
    table.order(BEN, "X:4 at 60")
    table.look()
    old = f"/games/{table.game_id}/turns/1?version=1"
    assert visitor.client.get(thread).text.count(f'<a href="{old}">The result that was taken back</a>') == 1
    assert "taken back" in visitor.client.get(old).text
    assert "What is different" in visitor.client.get(f"/games/{table.game_id}/turns/1").text


def report(*blocks: Block) -> Report:
    return Report(title=Text.of("Turn {number}", number=1), blocks=blocks)


def board(**gold: int) -> Table:
    rows = tuple((Player(seat), amount) for seat, amount in gold.items())
    return Table(title=Text.of("Standings"), head=(None, Text.of("Points")), rows=rows)


def test_rows_that_came_or_went_are_differences_too() -> None:
    [table] = differences(report(board(a=1, b=2)), report(board(a=1, c=3)))
    assert isinstance(table, Table)
    assert [(row[0], *row[2:]) for row in table.rows] == [(Player("c"), None, 3), (Player("b"), 2, None)]


def test_rows_of_one_name_are_told_apart_by_their_order() -> None:
    head = (None, Text.of("Points"))
    before = Table(title=Text.of("Standings"), head=head, rows=(("Sail", 1), ("Sail", 2)))
    after = before.model_copy(update={"rows": (("Sail", 1), ("Sail", 5))})
    [table] = differences(report(before), report(after))
    assert isinstance(table, Table)
    assert [row[2:] for row in table.rows] == [(2, 5)]


def test_many_differences_are_counted_and_not_listed() -> None:
    seats = [str(seat) for seat in range(MOST + 2)]
    before, after = (report(board(**dict.fromkeys(seats, amount))) for amount in (1, 2))
    table, more = differences(before, after)
    assert isinstance(table, Table)
    assert len(table.rows) == MOST
    assert isinstance(more, Line)
    assert more.text.values == {"count": 2}
