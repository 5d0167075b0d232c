"""The thread on the judge's own board: posts hold orders, and what is public tells nothing of them."""

from __future__ import annotations

import pytest

from judge.service import intake, thread
from judge.service.access import Access
from judge.service.refusal import Refusal
from tests.at_the_table import TestTable


def public(table: TestTable) -> str:
    """Everything that a spectator can read in the thread."""
    return "\n".join(f"{post.name}: {post.text} {post.opened} {post.sealed}" for post in table.thread())


def people(table: TestTable, seat: str | None = None) -> list[thread.Shown]:
    return [post for post in table.thread(seat) if post.report is None]


def everybody_passes_but(table: TestTable, *seats: str) -> None:
    for seat in ("1", "2", "3", "4"):
        if seat not in seats:
            table.order(seat, "pass")


def test_order_lines_vanish_from_a_post_and_the_chat_around_them_stays(table: TestTable) -> None:
    table.open()
    slip = table.post("1", "Moin zusammen!\n\nX:3 zu 73\nF:2 zu 41\n\nViel Glück, Ben!").receipt
    assert slip is not None
    assert slip.outcome == "counting"
    [post] = people(table)
    assert post.text == "Moin zusammen!\n\nViel Glück, Ben!"
    assert post.sealed
    assert "73" not in public(table)


def test_near_misses_blocks_and_quotes_of_orders_vanish_too(table: TestTable) -> None:
    table.open()
    table.post("1", "X:3 zu 73,5\n\n[orders]\nF:2 zu 7341\n[/orders]\n\n> S:2 zu 7342\n\nEnde")
    assert "73" not in public(table)
    assert "Ende" in public(table)


def test_a_quote_of_somebody_elses_order_is_no_order(table: TestTable) -> None:
    """T202: the quoted line is not taken, the own one is."""
    table.open()
    slip = table.post("1", "> X:9 zu 99\n\nX:3 zu 40").receipt
    assert slip is not None
    assert [one.line for one in slip.understood] == ["X:3 at 40"]


def test_a_signature_is_no_order(table: TestTable) -> None:
    """T251."""
    table.open()
    assert table.post("1", "Hallo!\n\n-- \nX:9 zu 9").receipt is None


def test_later_posts_show_no_mark_so_that_edits_cannot_be_counted(table: TestTable) -> None:
    """T033: the second and third set of a seat leave no trace."""
    table.open()
    table.post("1", "X:3 zu 40")
    once = [(post.text, post.sealed) for post in people(table)]
    table.post("1", "X:4 zu 41")
    table.post("1", "withdraw")
    table.post("1", "X:5 zu 42")
    assert [(post.text, post.sealed) for post in people(table)] == once
    assert len(people(table, "1")) == 4


def test_a_post_of_nothing_but_orders_shows_only_the_mark(table: TestTable) -> None:
    table.open()
    table.post("1", "X:3 zu 40")
    [post] = people(table)
    assert (post.text, post.sealed) == ("", True)


def test_the_lines_that_count_appear_after_the_turn(table: TestTable) -> None:
    table.open()
    table.post("1", "Guten Morgen\nX:3 zu 40")
    table.post("1", "Doch lieber mehr\nX:4 zu 45")
    everybody_passes_but(table, "1")
    table.look()
    shown = people(table)
    assert [post.opened for post in shown] == [(), ("X:4 at 45",)]
    assert "X:3" not in public(table)


def test_an_edit_that_removes_every_order_line_withdraws_the_set(table: TestTable) -> None:
    table.open()
    posted = table.post("1", "Los!\nX:3 zu 40")
    who = Access(table.game_id, seat="1")
    edited = table.do(thread.edit, who, "", posted.post_id, "Los!")
    assert edited.receipt.outcome == "withdrawn"


def test_an_edit_with_other_lines_replaces_the_set(table: TestTable) -> None:
    table.open()
    posted = table.post("1", "X:3 zu 40")
    who = Access(table.game_id, seat="1")
    edited = table.do(thread.edit, who, "", posted.post_id, "X:5 zu 44")
    assert edited.receipt.outcome == "counting"
    assert [one.line for one in edited.receipt.understood] == ["X:5 at 44"]


def test_an_edit_of_the_chat_alone_leaves_the_set_as_it_is(table: TestTable) -> None:
    table.open()
    posted = table.post("1", "Hi\nX:3 zu 40")
    who = Access(table.game_id, seat="1")
    table.do(thread.edit, who, "", posted.post_id, "Hello\nX:3 zu 40")
    [post] = people(table)
    assert (post.text, post.sealed) == ("Hello", True)


def test_a_deletion_before_the_close_withdraws_and_after_it_changes_nothing(table: TestTable) -> None:
    table.open()
    who = Access(table.game_id, seat="1")
    first = table.post("1", "X:3 zu 40")
    assert table.do(thread.delete, who, "", first.post_id).outcome == "withdrawn"
    second = table.post("1", "X:4 zu 44")
    everybody_passes_but(table, "1")
    table.look()
    assert table.do(thread.delete, who, "", second.post_id) is None
    assert table.turn(1).opened_orders["1"] != []


def test_a_post_with_orders_of_a_closed_turn_cannot_be_rewritten(table: TestTable) -> None:
    table.open()
    posted = table.post("1", "X:3 zu 40")
    everybody_passes_but(table, "1")
    table.look()
    with pytest.raises(Refusal, match="stays as it is"):
        table.do(thread.edit, Access(table.game_id, seat="1"), "", posted.post_id, "X:9 zu 99")


def test_a_guests_lines_are_talk_and_never_orders(table: TestTable) -> None:
    """T237: somebody who is not a player posts something that looks like an order."""
    table.open()
    posted = table.do(thread.post, Access(table.game_id), "browser", "Anna", "X:3 zu 40")
    assert posted.receipt is None
    [post] = people(table)
    assert post.text == "X:3 zu 40"
    assert post.seat is None


def test_nobody_changes_somebody_elses_post(table: TestTable) -> None:
    table.open()
    posted = table.post("1", "Hello")
    for who, holder in (
        (Access(table.game_id, seat="2"), ""),
        (Access(table.game_id), "x"),
        (Access("other", seat="1"), ""),
    ):
        with pytest.raises(Refusal):
            table.do(thread.edit, who, holder, posted.post_id, "Changed")
        with pytest.raises(Refusal):
            table.do(thread.delete, who, holder, posted.post_id)


def test_a_doubled_click_is_one_post(table: TestTable) -> None:
    table.open()
    who = Access(table.game_id, seat="1")
    for _ in range(2):
        table.do(thread.post, who, "", "", "Hello", request="abc")
    assert len(people(table)) == 1


def test_a_post_that_is_empty_or_a_book_is_refused(table: TestTable) -> None:
    table.open()
    with pytest.raises(Refusal, match="empty"):
        table.post("1", " \n ")
    with pytest.raises(Refusal, match="characters"):
        table.post("1", "x" * 20_001)


def test_the_judges_letters_stand_in_the_thread_in_order(table: TestTable) -> None:
    table.open()
    for seat in ("1", "2", "3", "4"):
        table.post(seat, "X:2 zu 45")
    table.look()
    kinds = [post.key.split("/")[2] for post in table.thread() if post.key]
    assert kinds == ["opening", "closing", "result"]


def test_a_sealed_set_by_form_shows_nothing_in_the_thread(table: TestTable) -> None:
    table.open()
    table.do(
        intake.hand_in,
        table.game_id,
        "1",
        intake.Source("form"),
        [{"kind": "bid", "grade": "X", "units": 2, "price": 7341}],
    )
    assert people(table) == []


def test_a_game_that_is_played_elsewhere_by_hand_has_its_thread_here_too(table: TestTable) -> None:
    table.open(("Anna", "Ben"), forum="by-hand")
    for seat in ("1", "2"):
        table.order(seat, "X:1 at 40")
    table.look()
    assert [post.key.split("/")[2] for post in table.thread() if post.key] == ["opening", "closing", "result"]
