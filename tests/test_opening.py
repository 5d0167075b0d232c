"""Opening a game, taking seats, starting."""

from __future__ import annotations

import pytest

from judge.service import table as tables
from judge.service.refusal import Refusal
from judge.store import queries
from tests.at_the_table import TestTable


def test_seats_are_taken_and_the_game_starts_with_those_who_are_there(table: TestTable) -> None:
    table.open(names=("Anna", "", "", "bot"), start=False)
    assert table.do(tables.take_seat, table.game_id, "Ben", "bens-browser") == "2"
    with pytest.raises(Refusal, match="sits at this table already"):
        table.do(tables.take_seat, table.game_id, "anna", "another")
    with pytest.raises(Refusal, match="already have a seat"):
        table.do(tables.take_seat, table.game_id, "Benno", "bens-browser")
    table.do(tables.start, table.game_id)
    with table.judge.store.read() as session:
        assert list(queries.names(session, table.game_id).values()) == ["Anna", "Ben", "Bot 4"]
    assert list(table.view().players) == ["1", "2", "4"]  # type: ignore[attr-defined]
    with pytest.raises(Refusal, match="started already"):
        table.do(tables.take_seat, table.game_id, "Cem", "cems-browser")


def test_a_game_needs_its_players(table: TestTable) -> None:
    table.open(names=("Anna", "", ""), start=False)
    with pytest.raises(Refusal, match="needs"):
        table.do(tables.start, table.game_id)


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        ({"names": ("Anna",)}, "seats"),
        ({"names": ("Anna", "anna")}, "seats.2"),
        ({"names": ("An>na", "Ben")}, "seats.1"),
        ({"names": ("Anna", "1")}, "seats.2"),
        ({"options": {"months": 99}}, "options.months"),
        ({"options": {"monts": 9}}, "options.monts"),
        ({"zone": "Mars/Olympus"}, "zone"),
        ({"ruleset": "chess"}, "ruleset"),
        ({"forum": "nowhere"}, "forum"),
    ],
)
def test_a_plan_with_a_mistake_names_the_field(table: TestTable, plan: dict[str, object], field: str) -> None:
    with pytest.raises(tables.Invalid) as invalid:
        table.open(start=False, **plan)  # type: ignore[arg-type]
    assert field in [problem.field for problem in invalid.value.problems]


def test_a_name_is_one_line_of_visible_characters(table: TestTable) -> None:
    table.open(names=("An\u200bna\n\tMaria", "Ben"), start=False)
    with table.judge.store.read() as session:
        assert queries.names(session, table.game_id)["1"] == "An na Maria"
