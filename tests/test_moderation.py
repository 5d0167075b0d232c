"""What a host may do, and what he can never do; every deed leaves a public line."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from judge.service import access, moderation
from judge.service import table as table_cases
from judge.service.audit import audit_lines
from judge.service.deadlines import Hours
from judge.service.refusal import Refusal
from judge.service.rewinding import rewind
from judge.store import queries
from tests.at_the_table import START, TestTable, sit_down
from tests.toy_ruleset import ruleset as lots


def lines(table: TestTable) -> list[str]:
    with table.judge.store.read() as session:
        return [text.text for _, text in audit_lines(session, table.game_id)]


def statuses(table: TestTable, seat: str) -> list[str]:
    with table.judge.store.read() as session:
        return [row.status for row in queries.submissions(session, table.turn(), seat)]


def test_the_host_extends_a_deadline_once_however_often_he_clicks(table: TestTable) -> None:
    """T056: one request, six clicks, one extension, one line."""
    table.open(deadline=Hours(hours=24))
    for _ in range(6):
        table.do(moderation.extend, table.game_id, timedelta(days=14), request="click")
    assert table.turn().deadline == START + timedelta(hours=24, days=14)
    assert len([line for line in lines(table) if "moved the deadline" in line]) == 1


def test_an_extension_beyond_the_cap_is_refused_with_the_cap(table: TestTable) -> None:
    """T057."""
    table.open(deadline=Hours(hours=24))
    with pytest.raises(Refusal, match="can be moved by") as refused:
        table.do(moderation.extend, table.game_id, timedelta(days=31))
    assert "most" in refused.value.text.values


def test_a_pause_stops_the_clock_and_its_length_is_given_back(table: TestTable) -> None:
    table.open(deadline=Hours(hours=24))
    table.clock.forward(hours=20)
    table.do(moderation.pause, table.game_id)
    table.clock.forward(hours=30)
    table.look()
    assert table.turn().status == "open"
    for seat in ("1", "2", "3", "4"):
        table.order(seat, "pass")
    table.look()
    assert table.turn().status == "open"
    table.do(moderation.resume, table.game_id)
    assert table.turn().deadline == START + timedelta(hours=54)
    table.look()
    assert table.turn(1).status == "resolved"


def test_a_turn_that_is_taken_back_during_a_pause_gets_its_own_time_and_no_more(table: TestTable) -> None:
    """The pause before it was opened is none of its own."""
    table.open(deadline=Hours(hours=24))
    for seat in ("1", "2", "3", "4"):
        table.order(seat, "pass")
    table.look()
    table.do(moderation.pause, table.game_id)
    table.clock.forward(days=10)
    table.do(rewind, table.game_id, 1, "Ben's post was pasted wrongly.")
    table.clock.forward(hours=5)
    table.do(moderation.resume, table.game_id)
    assert table.turn().deadline == table.clock() + timedelta(hours=24)


def test_a_replaced_player_leaves_nothing_behind_that_his_successor_could_read(table: TestTable) -> None:
    """T037: the sealed order is void and logged, the old token lets nobody in."""
    table.open()
    table.do(access.claim_link, table.tokens["1"], "annas-browser")
    table.order("1", "X:9 zu 60")
    token = table.do(moderation.replace_player, table.game_id, "1", "Emil")
    assert statuses(table, "1") == ["void"]
    with table.judge.store.read() as session:
        assert access.access(session, "annas-browser", table.game_id).seat is None
        assert queries.names(session, table.game_id)["1"] == "Emil"
    table.do(access.claim_link, token, "emils-browser")
    with table.judge.store.read() as session:
        assert access.access(session, "emils-browser", table.game_id).seat == "1"
    assert any("takes the seat of" in line for line in lines(table))


def test_a_new_link_voids_the_old_one_and_the_unopened_orders(table: TestTable) -> None:
    table.open()
    table.order("2", "X:2 at 40")
    table.do(moderation.new_link, table.game_id, "2")
    assert statuses(table, "2") == ["void"]
    with pytest.raises(Refusal, match="no longer valid"):
        table.do(access.claim_link, table.tokens["2"], "browser")


def test_a_forced_turn_names_the_host_and_the_absent(table: TestTable) -> None:
    table.open()
    table.order("1", "X:2 at 40")
    assert table.do(moderation.force, table.game_id, 1) is True
    table.look()
    assert table.turn(1).missed == ["2", "3", "4"]
    assert "before its time" in str(table.letters("result")[0].body)


def test_a_bot_takes_a_seat_and_plays_at_once(table: TestTable) -> None:
    table.open()
    for seat in ("1", "2", "3"):
        table.order(seat, "X:2 at 45")
    table.do(moderation.bot_in_seat, table.game_id, "4")
    table.look()
    assert table.turn(1).status == "resolved"


def test_a_bot_that_sits_down_after_the_deadline_does_not_hold_the_game_up(table: TestTable) -> None:
    """The judge looks late, and the seat is handed over before it does: the turn closes without the bot's orders."""
    table.open(deadline={"rule": "hours", "hours": 24})
    table.clock.forward(hours=25)
    table.do(moderation.bot_in_seat, table.game_id, "4")
    table.look()
    assert table.turn(1).status == "resolved"
    assert "4" in table.turn(1).missed


def test_what_happens_while_nobody_sits_there_is_refused(table: TestTable) -> None:
    table.open(names=("Anna", "Ben", ""), start=False)
    with pytest.raises(Refusal, match="not running"):
        table.do(moderation.pause, table.game_id)
    with pytest.raises(Refusal, match="Nobody sits there"):
        table.do(moderation.new_link, table.game_id, "3")
    with pytest.raises(Refusal, match="no seat"):
        table.do(moderation.new_link, table.game_id, "7")


def test_a_host_has_no_door_to_sealed_orders(table: TestTable) -> None:
    """T040: nothing a host can do returns or publishes an order before its turn."""
    table.open()
    table.order("1", "X:2 at 7341")
    table.do(moderation.pause, table.game_id)
    table.do(moderation.resume, table.game_id)
    table.do(moderation.extend, table.game_id, timedelta(hours=1))
    said = str(lines(table)) + str([letter.body for letter in table.letters("opening")])
    assert "7341" not in said


def test_nobody_takes_the_seat_of_who_has_won(table: TestTable) -> None:
    table.open(options={"months": 1})
    for seat in "1234":
        table.order(seat, "pass")
    table.look()
    with pytest.raises(Refusal, match="over"):
        table.do(moderation.replace_player, table.game_id, "1", "Emil")


def test_names_that_look_the_same_are_the_same(table: TestTable) -> None:
    """Capitals, full-width letters and accents written apart make no second Zoë."""
    table.open(names=("Zoe\u0308", "Ben", "Cem", ""), start=False)
    for name in ("Zo\u00eb", "ZOE\u0308", "\uff22en", "BEN"):
        with pytest.raises(Refusal, match="sits at this table already"):
            table.do(table_cases.take_seat, table.game_id, name, "browser")


def test_a_host_cannot_probe_a_hand_by_pasting(tmp_path: Path) -> None:
    """T040: where a seat knows what others do not, the host sees only whether its post counts."""
    seat = sit_down(tmp_path, games=[lots])
    try:
        seat.open(names=("Anna", "Ben"), ruleset="lots", options={"free_cards": True})
        for text, outcome in (("bid 3", "counting"), ("bid 99", "refused")):
            slip = seat.do(moderation.paste, seat.game_id, "1", text, "bbcode")
            assert slip.outcome == outcome
            assert (slip.orders, slip.understood, slip.counting, slip.sealed) == ([], (), None, None)
            assert "99" not in str(slip.problems)
    finally:
        seat.judge.close()


def test_nobody_takes_a_seat_over_between_the_close_of_a_turn_and_its_result(table: TestTable) -> None:
    """What was fixed at the close would otherwise go on as the successor's standing orders."""
    table.open()
    table.do(moderation.force, table.game_id, 1)
    for deed in (moderation.replace_player, moderation.new_link, moderation.bot_in_seat):
        name = ("Dora T.",) if deed is moderation.replace_player else ()
        with pytest.raises(Refusal) as refused:
            table.do(deed, table.game_id, "2", *name)
        assert "closed and has no result yet" in refused.value.text.text
    table.look()
    table.do(moderation.replace_player, table.game_id, "2", "Dora T.")
