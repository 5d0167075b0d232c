"""A game on PostgreSQL: two judges on one database, and the last orders arriving through both."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlmodel import select

from judge.bootstrap import create_judge
from judge.settings import Settings
from judge.store.tables import LetterRow, SubmissionRow, TurnRow
from tests.at_the_table import TestTable, sit_down

EVERYBODY = ("1", "2", "3", "4")


@pytest.fixture
def tables(tmp_path: Path, postgres_url: str) -> Iterator[tuple[TestTable, TestTable]]:
    """Two judges, each with its own writer, at one game."""
    first = sit_down(tmp_path, postgres_url)
    second = TestTable(create_judge(Settings(data=tmp_path, database=postgres_url), now=first.clock), first.clock)
    second.game_id = first.open(options={"months": 3})
    yield first, second
    second.judge.close()
    first.judge.close()


def test_two_judges_take_orders_at_once_and_give_one_result_a_turn(tables: tuple[TestTable, TestTable]) -> None:
    """T009, T011: every turn has one resolution and one result post, whichever judge was faster."""
    first, second = tables
    for month in range(3):
        for orders in ("X:2 at 60, F:1 at 50", "A:1 at 100"):
            with ThreadPoolExecutor(4) as crowd:
                work = zip(EVERYBODY, (first, second, first, second), strict=True)
                slips = list(crowd.map(lambda pair: pair[1].order(pair[0], orders), work))  # noqa: B023 - run at once
            assert [slip.outcome for slip in slips] == ["counting"] * 4, month
            with ThreadPoolExecutor(2) as both:
                list(both.map(TestTable.look, tables))
    with first.judge.store.read() as session:
        resolved = session.exec(
            select(TurnRow.number).where(TurnRow.status == "resolved").order_by(TurnRow.number)
        ).all()
        results = session.exec(select(LetterRow).where(LetterRow.kind == "result")).all()
        assert len(session.exec(select(SubmissionRow).where(SubmissionRow.status == "counting")).all()) == 24
    assert resolved == [1, 2, 3, 4, 5, 6]
    assert [letter.status for letter in results] == ["sent"] * 6
    posts = [post.key for post in first.thread() if post.key and "/result/" in post.key]
    assert len(posts) == len(set(posts)) == 6
