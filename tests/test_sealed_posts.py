"""Sealed blocks on their way in: by post, by paste and as text; only their own player's, and only for their turn."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from judge.envelope import Content, seal
from judge.service import intake, keys, moderation, thread
from judge.service.access import Access
from judge.service.position import position
from judge.service.receipts import Receipt, load_receipt
from judge.store import queries
from judge.web.app import create_app
from tests.at_the_table import NAMES, TestTable
from tests.visitors import Program, Visitor

ANNA, BEN = "1", "2"
BID = {"kind": "bid", "grade": "X", "units": 3, "price": 57}


def block(table: TestTable, seat: str = ANNA, **content: Any) -> str:
    """What a player's own page or command makes."""
    place: dict[str, Any] = {"game": table.game_id, "turn": table.turn().number, "version": 1, "seat": seat}
    if not {"text", "orders"} & content.keys():
        content["orders"] = [BID]
    with table.judge.store.read() as session:
        key = keys.envelope_key(session)
    return seal(key, Content(**{**place, **content}))


def post(table: TestTable, seat: str, text: str) -> Receipt:
    slip = table.post(seat, text).receipt
    assert slip is not None
    return slip


def said(slip: Receipt) -> str:
    return "\n".join(problem.text.text for problem in slip.problems)


def lines(slip: Receipt) -> list[str]:
    return [one.line for one in slip.understood]


def people(table: TestTable, seat: str | None = None) -> list[tuple[str, bool]]:
    return [(one.text, one.sealed) for one in table.thread(seat) if one.report is None]


def pass_all(table: TestTable, *but: str) -> None:
    for seat in table.tokens:
        if seat not in but:
            table.order(seat, "pass")
    table.look()


def test_a_sealed_post_counts_and_leaves_talk_and_a_mark(table: TestTable) -> None:
    table.open()
    slip = post(table, ANNA, f"Moin!\n\n{block(table)}\n\nViel Glück!")
    assert (slip.outcome, lines(slip), slip.public) == ("counting", ["X:3 at 57"], False)
    assert people(table) == [("Moin!\n\nViel Glück!", True)]
    pass_all(table, ANNA)
    assert table.turn(1).opened_lines[ANNA] == ["X:3 at 57"]
    assert [one.opened for one in table.thread() if one.seat == ANNA] == [("X:3 at 57",)]


def test_sealed_text_is_read_as_a_post_is(table: TestTable) -> None:
    table.open(numbers="de")
    slip = post(table, ANNA, block(table, text="Moin,\nX:3 zu 57\nF: 2 @ 31"))
    assert lines(slip) == ["X:3 at 57", "F:2 at 31"]
    assert post(table, ANNA, block(table, text="passe")).outcome == "counting"
    assert post(table, ANNA, block(table, text="withdraw")).outcome == "withdrawn"
    slip = post(table, ANNA, block(table, text="Hello!"))
    assert (slip.outcome, said(slip)) == ("refused", "The sealed text holds no order; seal “pass” if you want none.")


def test_sealed_orders_go_through_the_same_check(table: TestTable) -> None:
    table.open()
    for orders in ([{**BID, "units": 99}], [{**BID, "grade": "Q"}], [{"kind": "offer"}], [{**BID, "price": 10**999}]):
        slip = post(table, ANNA, block(table, orders=orders))
        assert slip.outcome == "refused"
        assert slip.problems
    assert lines(post(table, ANNA, block(table, orders=[{**BID, "price": 40}, BID]))) == ["X:3 at 57"]
    assert post(table, ANNA, block(table, orders=[])).outcome == "counting"


def test_an_envelope_that_somebody_else_copied_is_refused_and_tells_nothing(table: TestTable) -> None:
    table.open()
    slip = post(table, BEN, f"Mine too:\n\n{block(table)}")
    assert slip.outcome == "refused"
    assert said(slip) == "This block was not sealed for your seat: a block counts only when its own player posts it."
    told = slip.model_dump_json()
    assert not any(word in told for word in ("57", "Anna", "X:3"))
    assert post(table, ANNA, block(table)).outcome == "counting"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ({"game": "elsewhere"}, "another game"),
        ({"game": "elsewhere", "seat": BEN, "turn": 9}, "another game"),
        ({"seat": BEN, "turn": 9}, "not sealed for your seat"),
        ({"turn": 2}, "and turn {number} is open now"),
        ({"version": 2}, "taken back"),
    ],
    ids=str,
)
def test_an_envelope_for_something_else_is_refused(table: TestTable, content: dict[str, Any], why: str) -> None:
    table.open()
    slip = post(table, ANNA, block(table, **content))
    assert slip.outcome == "refused"
    assert why in said(slip)
    assert slip.orders == []
    assert people(table) == [("", True)], "the block vanishes all the same"


def test_an_envelope_of_the_turn_before_gets_a_receipt(table: TestTable) -> None:
    table.open()
    late = block(table)
    pass_all(table)
    slip = post(table, ANNA, f"Sorry!\n{late}")
    assert (slip.outcome, slip.number) == ("refused", table.turn().number)
    assert "sealed for turn {made_for}" in said(slip)
    assert people(table) == [("Sorry!", True)]


def test_an_envelope_that_comes_too_late_gets_a_receipt(table: TestTable) -> None:
    """T019: after the deadline, before the clock has looked."""
    table.open(deadline={"rule": "hours", "hours": 24})
    sealed = block(table)
    table.clock.forward(hours=25)
    slip = post(table, ANNA, sealed)
    assert (slip.outcome, slip.public) == ("refused", False)
    assert "closed" in said(slip)
    assert people(table) == [("", True)]


def test_a_damaged_block_is_answered_and_what_counted_still_does(table: TestTable) -> None:
    table.open()
    post(table, ANNA, block(table))
    whole = block(table)
    for broken, why in (
        (whole.replace(whole[100], "7"), "damaged"),
        (whole[:500], "not whole"),
        (whole[500:], "not whole"),
        ("[sealed]\nX:3 zu 57\n[/sealed]", "damaged"),
        ("[sealed][/sealed]", "Nothing sealed"),
    ):
        slip = post(table, ANNA, broken)
        assert slip.outcome == "refused", broken
        assert why in said(slip)
        assert slip.counting is not None
    assert "57" not in str(people(table))


def test_of_two_blocks_the_last_one_counts(table: TestTable) -> None:
    table.open()
    first, last = block(table), block(table, orders=[{**BID, "price": 44}])
    slip = post(table, ANNA, f"{first}\n\nNo, rather\n\n{last}")
    assert (slip.outcome, lines(slip)) == ("counting", ["X:3 at 44"])
    assert [problem.warning for problem in slip.problems] == [True]
    assert people(table) == [("No, rather", True)]


def test_order_lines_beside_a_block_do_not_count_and_are_not_shown(table: TestTable) -> None:
    table.open()
    slip = post(table, ANNA, f"F:3 zu 31\n\n{block(table)}\n\nS:3 zu 22")
    assert (slip.outcome, lines(slip)) == ("counting", ["X:3 at 57"])
    assert [problem.warning for problem in slip.problems] == [True]
    assert people(table) == [("", True)]


def test_a_quoted_block_is_nothing_and_leaves_no_trace(table: TestTable) -> None:
    """T202, for envelopes."""
    table.open()
    quoted = "\n".join(f"> {line}" for line in block(table).splitlines())
    assert table.post(ANNA, f"{quoted}\n\nThat was mine").receipt is None
    assert table.post(ANNA, f"[quote]{block(table)}[/quote]\n\nHm").receipt is None
    assert [text for text, _ in people(table)] == ["That was mine", "Hm"]


@pytest.mark.parametrize(
    "wrapped",
    ["```\n{}\n```", "[code]{}[/code]", "[spoiler]\n{}\n[/spoiler]", "**{}**", "[b]{}[/b]", "~~~\n{}\n~~~"],
)
def test_a_block_may_stand_in_code_or_a_spoiler_in_every_game(table: TestTable, wrapped: str) -> None:
    table.open(read_code=False, read_spoilers=False)
    slip = post(table, ANNA, wrapped.format(block(table)))
    assert (slip.outcome, slip.problems) == ("counting", ())
    assert people(table) == [("", True)]


def test_later_sealed_posts_show_nothing_and_edits_leave_no_trace(table: TestTable) -> None:
    """T033, for envelopes: neither their number nor an edit can be seen."""
    table.open()
    first = table.post(ANNA, f"Hi\n{block(table)}")
    before = table.thread()
    table.clock.forward(hours=1)
    post(table, ANNA, f"```\n{block(table)}\n```")
    table.do(thread.edit, Access(table.game_id, seat=ANNA), "", first.post_id, f"Hi\n{block(table, orders=[])}")
    assert table.thread() == before
    assert len(people(table, ANNA)) == 2
    edited = table.do(thread.edit, Access(table.game_id, seat=ANNA), "", first.post_id, "Hi")
    assert edited.receipt.outcome == "withdrawn"
    assert table.thread() == before


def test_a_block_can_be_handed_in_as_text_by_form_and_program(table: TestTable) -> None:
    table.open()
    assert lines(table.order(ANNA, block(table))) == ["X:3 at 57"]
    app = create_app(table.judge)
    ben = Program(app)
    ben.claim(table.tokens[BEN])
    answer = ben.call("POST", f"/games/{table.game_id}/orders", {"text": block(table, BEN)})
    assert [one["line"] for one in answer["understood"]] == ["X:3 at 57"]
    ben.call("POST", f"/games/{table.game_id}/orders", {"text": block(table, ANNA)}, status=422)


@pytest.mark.parametrize("markup", ["markdown", "bbcode", "html"])
@pytest.mark.parametrize("open_orders", ["count", "refuse"])
def test_a_pasted_envelope_was_never_public(table: TestTable, markup: str, open_orders: str) -> None:
    """T041: a sealed block in a public post is a sealed order, whatever the game does with plain ones."""
    table.open(forum="by-hand", open_orders=open_orders)
    text = f"Moin!\n\n{block(table)}\n\nGruß"
    if markup == "html":
        text = "<p>Moin!</p><p>" + block(table).replace("\n", "<br>\n") + "</p><p>Gruß</p>"
    slip = table.do(moderation.paste, table.game_id, ANNA, text, markup)
    assert (slip.outcome, slip.public, slip.problems) == ("counting", False, ())
    assert (slip.understood, slip.orders, slip.sealed, slip.signed) == ((), [], None, ""), "the host reads none of it"
    with table.judge.store.read() as session:
        counting = queries.counting(session, position(session, table.game_id).turn)[ANNA]
        assert lines(load_receipt(session, counting)) == ["X:3 at 57"]


def test_the_host_who_pastes_an_envelope_does_not_learn_why_it_is_refused(table: TestTable) -> None:
    """T040: the reason would quote what is inside."""
    table.open(forum="by-hand")
    slip = table.do(moderation.paste, table.game_id, ANNA, block(table, text="X:99 at 57"), "bbcode")
    assert slip.outcome == "refused"
    assert [problem.text.text for problem in slip.problems] == [
        "The player reads on the order page why: it could tell you something that is secret."
    ]
    with table.judge.store.read() as session:
        turn = position(session, table.game_id).turn
        told = load_receipt(session, queries.submissions(session, turn, ANNA)[0])
        assert "99" in str(told.problems)


@pytest.mark.parametrize("open_orders", ["count", "refuse"])
def test_a_plain_order_in_a_public_post_is_told_to_be_public(table: TestTable, open_orders: str) -> None:
    """T041: the game's policy decides whether it counts; it never passes for a secret silently."""
    table.open(forum="by-hand", open_orders=open_orders)
    slip = table.do(moderation.paste, table.game_id, ANNA, "X:3 zu 57", "bbcode")
    assert slip.public
    assert slip.outcome == ("counting" if open_orders == "count" else "refused")
    assert ("This post is public" in said(slip)) == (open_orders == "refuse")
    player = Visitor(create_app(table.judge))
    player.claim(table.tokens[ANNA])
    page = player.get(f"/games/{table.game_id}/orders")
    assert "This post is public: everybody could read your orders." in page.get_text()


def test_an_envelope_to_a_retired_key_still_opens(table: TestTable) -> None:
    table.open()
    sealed = block(table)
    table.judge.store.write(lambda session: keys.rotate(session, table.clock()))
    assert block(table) != sealed
    assert lines(post(table, ANNA, sealed)) == ["X:3 at 57"]


def test_a_replaced_players_envelope_is_void_with_his_seat(table: TestTable) -> None:
    """T037: what Anna sealed and posted does not count for whoever follows her, and he cannot read it."""
    table.open()
    post(table, ANNA, block(table))
    table.clock.forward(hours=1)
    table.do(moderation.replace_player, table.game_id, ANNA, "Emil")
    with table.judge.store.read() as session:
        assert queries.counting(session, table.turn()) == {}
    assert [one.source for one in table.thread(ANNA) if one.report is None] == [None]


def test_nothing_of_an_envelope_is_logged(table: TestTable, caplog: pytest.LogCaptureFixture) -> None:
    """T030: neither its letters nor what is in it."""
    caplog.set_level(logging.DEBUG)
    table.open(NAMES)
    sealed = block(table, text="X:3 zu 7341")
    for text in (sealed, sealed.replace(sealed[100], "7"), f"{sealed}\n{sealed}"):
        post(table, ANNA, text)
    post(table, BEN, sealed)
    table.order(ANNA, sealed)
    table.do(intake.withdraw, table.game_id, ANNA, intake.Source("form"))
    logged = "\n".join(record.getMessage() + repr(record.args) for record in caplog.records)
    assert "7341" not in logged
    assert sealed.splitlines()[3] not in logged
