"""Nothing that everybody can read of a post tells an order, however and whenever it was written."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from judge.service import moderation, thread, turns
from judge.service.access import Access
from judge.service.refusal import Refusal
from tests.at_the_table import TestTable


def words(table: TestTable, seat: str | None = None) -> str:
    return "\n".join(post.text for post in table.thread(seat) if post.report is None)


HIDDEN = {
    "struck": "Hi\n~~X:3 zu 47~~\nX:4 zu 41",
    "struck in chat": "Hi ~~X:3 zu 47~~ no\nX:4 zu 41",
    "struck by tag": "Hi\n<del>X:3 zu 47</del>\nX:4 zu 41",
    "comment": "Hi\n<!-- X:3 zu 47 -->",
    "comment over lines": "Hi\n<!--\nX:3 zu 47\n-->",
    "link title": 'Hi [there](http://example.org "X:3 zu 47")',
    "link reference": 'Hi [there]\n\n[there]: http://example.org "X:3 zu 47"',
    "link query": "http://example.org/?o=X:3%20zu%2047",
    "footnote": "Hi[^1]\n\n[^1]: X:3 zu 47",
    "quote by tag": "<blockquote>X:3 zu 47</blockquote>\nX:4 zu 41",
    "quote in BBCode": "[quote=Anna]X:3 zu 47[/quote]\nX:4 zu 41",
    "quote in a list": "* > X:3 zu 47",
    "quote of a quote": ">> X:3 zu 47\n\nHi",
    "quote by another sign": "＞X:3 zu 47\n\nHi",
    "summary": "<details><summary>X:3 zu 47</summary>Hi</details>",
    "attribute": '<a title="X:3 zu 47">Hi</a>',
    "script": "<script>X:3 zu 47</script>",
    "signature": "X:4 zu 41\n-- \nX:3 zu 47",
    "over lines": "X\n3\nzu\n47",
    "a near miss and its rest": "X:3\nzu 47",
    "a list of parts": "- X: 3\n- Preis: 47",
    "table": "| Ware | Stück | Preis |\n|---|---|---|\n| X | 3 | 47 |",
    "block with a value": '[orders="x"]\nat most 47\n[/orders]',
    "block with blanks": "[ Orders ]\n> at most 47\n[ /Orders ]",
    "block never closed": "[ORDERS]\nat most 47",
    "unseen characters": "X\u200b:3 z\u200bu 4\u200b7",
    "another line end": "Hi\x85X:3 zu 47\u2028bye",
    "character references": "X&#58;3 zu &#52;7",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_what_resembles_an_order_is_not_public_whether_it_counts_or_not(table: TestTable, text: str) -> None:
    table.open()
    table.post("1", text)
    assert "7" not in words(table)


CHAT = (
    "Hallo zusammen, ich bin erst um 20:00 wieder da.\n",
    "See [the rules](http://example.org/rules/3?page=2) and (page 4)",
    "Das war knapp! 40 zu 37, wer hätte das gedacht.",
    '1. Frage: wie teuer ist X?\n2. Frage: wann ist Schluss?\n\nSay "pass" when you are out :)',
    "| Monat | X | F |\n|---|---|---|\n| 1 | 40 | 30 |",
    "20 Minuten noch\nBen fehlt\n3 sind da",
)


@pytest.mark.parametrize("text", CHAT)
def test_talk_stays_as_it_was_typed_and_can_be_edited_in_a_later_turn(table: TestTable, text: str) -> None:
    table.open()
    posted = table.post("1", text)
    assert posted.receipt is None
    assert words(table) == text
    for seat in "1234":
        table.order(seat, "pass")
    table.look()
    table.do(thread.edit, Access(table.game_id, seat="1"), "", posted.post_id, "Later")
    assert words(table) == "Later"


def test_orders_that_come_too_late_vanish_and_the_receipt_says_why(table: TestTable) -> None:
    """T019: after the deadline, before the clock has looked, a post is as late as a form."""
    table.open(deadline={"rule": "hours", "hours": 24})
    table.clock.forward(hours=25)
    slip = table.post("1", "Sorry!\n\nX:3 zu 47").receipt
    assert slip is not None
    assert slip.outcome == "refused"
    assert "closed" in slip.problems[0].text.text
    assert words(table) == "Sorry!"
    table.look()
    assert table.turn(1).missed == ["1", "2", "3", "4"]


def test_orders_in_a_game_set_aside_vanish_too(table: TestTable) -> None:
    table.open()
    table.do(turns.set_aside, table.game_id, "alarm")
    slip = table.post("1", "X:3 zu 47").receipt
    assert slip is not None
    assert slip.outcome == "refused"
    assert words(table) == ""


def test_an_edit_of_orders_alone_leaves_no_trace(table: TestTable) -> None:
    """T033: neither the time of the edit nor the mark tells that something was changed."""
    table.open()
    who = Access(table.game_id, seat="1")
    first = table.post("1", "Hi\nX:3 zu 47")
    second = table.post("1", "And F\nF:1 zu 20")
    before = table.thread()
    table.clock.forward(hours=1)
    table.do(thread.edit, who, "", first.post_id, "Hi\nX:4 zu 48")
    table.do(thread.edit, who, "", second.post_id, "And F\nF:2 zu 21")
    table.do(thread.edit, who, "", first.post_id, "Hi")
    assert table.thread() == before


def test_numbers_of_posts_do_not_tell_how_many_are_hidden(table: TestTable) -> None:
    """T033: what is shown of two posts is not how many lie between them."""
    table.open()
    ids = [table.post("1", f"X:3 zu {price}").post_id for price in range(40, 60)]
    steps = {later - earlier for earlier, later in pairwise(ids)}
    assert len(steps) == len(ids) - 1
    assert min(map(abs, steps)) > 1000


def test_whoever_takes_a_seat_over_reads_nothing_of_what_was_typed_there(table: TestTable) -> None:
    """T037: not in this turn's posts, and not in those of earlier ones, withdrawn sets included."""
    table.open()
    table.post("1", "X:3 zu 47")
    table.post("1", "withdraw")
    for seat in "1234":
        table.order(seat, "pass")
    table.look()
    table.post("1", "Hi\nX:3 zu 47")
    table.do(moderation.replace_player, table.game_id, "1", "Emil")
    assert "47" not in str([post.source for post in table.thread("1")])


def test_what_somebody_wrote_stays_his_when_another_takes_the_seat(table: TestTable) -> None:
    """T037: his name stays on it, and his successor can neither change nor delete it."""
    table.open()
    posted = table.post("1", "I leave, good luck")
    table.clock.forward(hours=1)
    table.do(moderation.replace_player, table.game_id, "1", "Emil")
    [post] = [post for post in table.thread("1") if post.report is None]
    assert (post.name, post.source) == ("Anna", None)
    emil = Access(table.game_id, seat="1")
    with pytest.raises(Refusal, match="Only its author"):
        table.do(thread.edit, emil, "", posted.post_id, "I stay")
    with pytest.raises(Refusal, match="Only its author"):
        table.do(thread.delete, emil, "", posted.post_id)


@pytest.mark.parametrize("line", ["X\n", "{n}\n", "X:{n} zu\n", "> X:3 zu {n}\n", "lorem {n} ipsum {n} X\n", "<a {n}"])
def test_a_post_as_long_as_may_be_does_not_hold_up_everybody_else(table: TestTable, line: str) -> None:
    table.open()
    text = "".join(line.format(n=number) for number in range(9999))[:20_000]
    began = time.perf_counter()
    table.post("1", text)
    assert time.perf_counter() - began < 10  # where each line was read by itself it took a minute
