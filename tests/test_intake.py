"""Taking orders in: all or nothing, the last valid set counts, and every set is answered."""

from __future__ import annotations

import time

import pytest
from sqlmodel import select

from judge.service import intake, moderation
from judge.service.receipts import Receipt
from judge.service.refusal import Refusal
from judge.store import queries
from judge.store.tables import SubmissionRow
from tests.at_the_table import TestTable


def said(slip: Receipt) -> str:
    return " ".join(str(problem) for problem in slip.problems)


def counting(table: TestTable, seat: str) -> str | None:
    """The receipt's view of what counts for a seat."""
    with table.judge.store.read() as session:
        row = queries.counting(session, table.turn()).get(seat)
        return None if row is None else row.status


def test_the_receipt_repeats_the_order_in_words(table: TestTable) -> None:
    """T200."""
    table.open(language="de")
    slip = table.order("1", "X:3 zu 40")
    assert slip.outcome == "counting"
    assert [one.line for one in slip.understood] == ["X:3 zu 40"]
    assert slip.understood[0].words.values
    assert slip.deadline is None


def test_a_set_with_one_bad_line_of_three_does_not_count_and_all_three_are_told(table: TestTable) -> None:
    """T014, T234: the receipt shows all three lines and what is wrong; the turn waits on."""
    table.open()
    slip = table.order("1", "X:2 at 40\nF:2 at\nS:2 at 30")
    assert slip.outcome == "refused"
    assert [one.line for one in slip.understood] == ["X:2 at 40", "S:2 at 30"]
    assert [(problem.line, problem.quote) for problem in slip.problems if not problem.warning] == [(2, "F:2 at")]
    assert counting(table, "1") is None


def test_a_set_whose_third_line_of_four_is_bad_does_not_count(table: TestTable) -> None:
    """T234."""
    table.open()
    slip = table.post("1", "X:2 at 40\nF:2 at 30\nS:two at 20\nF:3 at 31").receipt
    assert slip is not None
    assert slip.outcome == "refused"
    assert [(problem.line, problem.quote) for problem in slip.problems if not problem.warning] == [(3, "S:two at 20")]
    assert counting(table, "1") is None


def test_every_near_miss_of_a_post_stands_on_its_receipt(table: TestTable) -> None:
    """T231: five of them, and the post does not count as posted."""
    table.open()
    slip = table.post("1", "X:3 at\nF:three at 30\nS:-3 at 20\nX:3 at 1.000\nQ:3 at 40").receipt
    assert slip is not None
    assert slip.outcome == "refused"
    assert [problem.line for problem in slip.problems if not problem.warning] == [1, 2, 3, 4, 5]
    assert counting(table, "1") is None


def test_orders_in_code_that_a_game_does_not_read_are_told(table: TestTable) -> None:
    """T206, T207: alone they are no set, beside other orders they are a warning."""
    table.open(read_code=False)
    for slip in (
        table.do(moderation.paste, table.game_id, "1", "[code]X:3 at 42[/code]", "bbcode"),
        table.post("1", "```\nX:3 at 42\n```").receipt,
    ):
        assert slip.outcome == "refused"
        assert "not read in this game" in said(slip)
    slip = table.post("1", "F:2 at 31\n\n`X:3 at 42`").receipt
    assert slip is not None
    assert slip.outcome == "counting"
    assert [one.line for one in slip.understood] == ["F:2 at 31"]
    assert "not read in this game" in said(slip)


def test_an_edit_into_an_invalid_set_leaves_the_earlier_one_standing(table: TestTable) -> None:
    """T013, T267."""
    table.open()
    table.order("1", "X:2 at 40")
    slip = table.order("1", "X:27 at 60")
    assert slip.outcome == "refused"
    assert "27" in said(slip), "the problem is named"
    assert slip.counting is not None
    assert [one.line for one in slip.counting] == ["X:2 at 40"]
    assert counting(table, "1") == "counting"


def test_the_caps_message_names_the_numbers(table: TestTable) -> None:
    """27 units with four players: what was counted, and that 9 in all are allowed."""
    table.open(language="de")
    slip = table.order("1", "X:9 zu 49, F:9 zu 39, S:9 zu 29")
    assert slip.outcome == "refused"
    assert "27" in said(slip)
    assert "9" in said(slip)


def test_the_later_valid_set_wins_whichever_door_it_came_through(table: TestTable) -> None:
    """T266: web order, then post; the receipt is there on both."""
    table.open()
    table.do(
        intake.hand_in,
        table.game_id,
        "1",
        intake.Source("form"),
        [{"kind": "bid", "grade": "X", "units": 2, "price": 40}],
    )
    table.clock.forward(minutes=10)
    slip = table.post("1", "Moin!\n\nX:4 zu 41").receipt
    assert slip is not None
    assert slip.outcome == "counting"
    with table.judge.store.read() as session:
        rows = queries.submissions(session, table.turn(), "1")
    assert [(row.via, row.status) for row in rows] == [("post", "counting"), ("form", "replaced")]


def test_a_set_can_be_withdrawn_and_the_turn_waits_again(table: TestTable) -> None:
    table.open(names=("Anna", "Ben"))
    table.order("1", "X:2 at 40")
    assert table.order("1", "withdraw").outcome == "withdrawn"
    table.order("2", "pass")
    table.look()
    assert table.turn().number == 1


def test_a_doubled_request_is_one_submission_with_one_receipt(table: TestTable) -> None:
    table.open()
    first = table.order("1", "X:2 at 40", request="abc")
    second = table.order("1", "X:2 at 40", request="abc")
    assert first == second
    with table.judge.store.read() as session:
        assert len(session.exec(select(SubmissionRow)).all()) == 1


def test_one_seats_request_key_does_not_answer_another_seat(table: TestTable) -> None:
    table.open()
    table.order("1", "X:2 at 40", request="abc")
    assert table.order("2", "X:5 at 45", request="abc").seat == "2"


def test_every_door_makes_the_same_set(table: TestTable) -> None:
    """Form, API and text end in the same orders and the same check."""
    table.open()
    by_text = table.order("1", "3x X zu je 40; F=2/30")
    by_json = table.do(
        intake.hand_in,
        table.game_id,
        "2",
        intake.Source("api"),
        [
            {"kind": "bid", "grade": "X", "units": 3, "price": 40},
            {"kind": "bid", "grade": "F", "units": 2, "price": 30},
        ],
    )
    assert by_text.orders == by_json.orders


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ("X:3", None),
        ([{"kind": "offer", "good": "A", "units": 1, "price": 1}], None),
        ([{"kind": "bid", "grade": "Q", "units": 1, "price": 40}], "grade"),
        ([{"kind": "bid", "grade": "X", "units": "three", "price": 40}], "units"),
        ([{"kind": "bid", "grade": "X", "units": 1.5, "price": 40}], "units"),
        ([{"kind": "bid", "grade": "X", "units": True, "price": 40}], "units"),
        ([{"kind": "bid", "grade": "X", "units": 1, "price": 40, "secret": 1}], "secret"),
        ([{"kind": "bid", "grade": "X"}], "units"),
        ([7], None),
        ({"kind": "bid"}, None),
        (None, None),
    ],
)
def test_json_that_is_no_set_is_refused_with_its_field(table: TestTable, data: object, field: str | None) -> None:
    table.open()
    slip = table.do(intake.hand_in, table.game_id, "1", intake.Source("api"), data)
    assert slip.outcome == "refused"
    assert field in [problem.field for problem in slip.problems]
    assert counting(table, "1") is None


def test_a_text_without_an_order_is_answered_with_what_one_looks_like(table: TestTable) -> None:
    table.open()
    slip = table.order("1", "Hello everybody, good luck!")
    assert slip.outcome == "refused"
    assert "X" in said(slip)


def test_nobody_can_order_before_the_start_or_for_a_seat_that_is_not_there(table: TestTable) -> None:
    table.open(start=False)
    with pytest.raises(Refusal, match="not started"):
        table.order("1", "X:2 at 40")
    table.open()
    with pytest.raises(Refusal, match="no seat"):
        table.order("9", "X:2 at 40")
    table.game_id = "nowhere"
    with pytest.raises(Refusal, match="no game"):
        table.order("1", "X:2 at 40")


def test_orders_are_taken_during_a_pause(table: TestTable) -> None:
    table.open()
    table.do(moderation.pause, table.game_id)
    assert table.order("1", "X:2 at 40").outcome == "counting"


def test_a_warning_does_not_keep_a_set_from_counting(table: TestTable) -> None:
    """A set dearer than one's cash is legal: some bids may fail; the receipt warns."""
    table.open()
    slip = table.order("1", "X:9 at 60")
    assert slip.outcome == "counting"
    assert [problem.warning for problem in slip.problems] == [True]


@pytest.mark.parametrize("line", ["X:3 zu 40, ", "<div>", "{n} X\n"])
def test_a_text_longer_than_anybody_writes_is_refused_at_once(table: TestTable, line: str) -> None:
    """By whichever door: to read it would hold up everybody else."""
    table.open()
    text = "".join(line.format(n=number) for number in range(25_000))
    began = time.perf_counter()
    slips = [table.order("1", text)]
    slips += [table.do(moderation.paste, table.game_id, "1", text, markup) for markup in ("bbcode", "html")]
    assert time.perf_counter() - began < 2  # read whole, one of them took ten seconds
    assert [slip.outcome for slip in slips] == ["refused"] * 3
    assert "characters" in said(slips[0])
