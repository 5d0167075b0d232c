"""A turn's life: who is waited for, when it closes, and that it has one result."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from judge.bootstrap import create_judge
from judge.registry import ruleset
from judge.service import intake, moderation, turns
from judge.service.deadlines import Daily, Hours
from judge.service.position import find_game, position
from judge.service.refusal import Refusal
from judge.settings import Settings
from judge.store import queries
from judge.store.tables import LetterRow, SubmissionRow, TurnRow
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots

EVERYBODY = ("1", "2", "3", "4")


def everybody_bids(table: TestTable) -> None:
    for seat in EVERYBODY:
        table.order(seat, "X:2 at 45, F:1 at 35")


def test_the_last_post_resolves_the_turn_and_not_before(table: TestTable) -> None:
    """T001: resolves once, when the last registered player has posted, never before."""
    table.open()
    for seat in EVERYBODY[:3]:
        table.order(seat, "X:2 at 45, F:1 at 35")
        table.look()
        assert table.turn().number == 1
    table.order("4", "X:2 at 45, F:1 at 35")
    table.look()
    assert (table.turn(1).status, table.turn(1).why, table.turn().number) == ("resolved", "complete", 2)
    assert len(table.letters("result")) == 1


def test_the_last_order_wakes_the_judge_at_once(table: TestTable) -> None:
    """No polling interval stands between the last order and the result: the commit itself asks for a look."""
    table.open()
    woken: list[str] = []
    table.judge.store.on_wake = woken.append
    for seat in EVERYBODY[:3]:
        table.order(seat, "pass")
    assert woken == []
    table.order("4", "pass")
    table.judge.store.write(lambda session: None)
    assert woken == [table.game_id]


def test_a_running_clock_publishes_within_a_second_of_the_last_order(table: TestTable) -> None:
    """The clock's own round is an hour away here; the result does not wait for it."""
    table.open()
    table.judge.clock.start(tick_seconds=3600)
    everybody_bids(table)
    for _ in range(100):
        if table.letters("result") and table.letters("result")[0].status == "sent":
            break
        threading.Event().wait(0.05)
    assert [letter.status for letter in table.letters("result")] == ["sent"]


def test_a_change_of_mind_restarts_the_cool_off(table: TestTable) -> None:
    """T002: the new order counts, the old one is kept, and the wait starts again."""
    table.open(cool_off_minutes=10)
    everybody_bids(table)
    table.clock.forward(minutes=9)
    table.order("2", "X:3 at 45")
    table.clock.forward(minutes=9)
    table.look()
    assert table.turn(1).status == "open"
    table.clock.forward(minutes=1)
    table.look()
    assert table.turn(1).status == "resolved"
    assert table.turn(1).opened_orders["2"] == [{"kind": "bid", "grade": "X", "units": 3, "price": 45}]
    with table.judge.store.read() as session:
        kept = queries.submissions(session, table.turn(1), "2")
    assert [row.status for row in kept] == ["counting", "replaced"]


def test_a_game_without_players_never_resolves(table: TestTable) -> None:
    """T003: "all of nobody" is not everybody."""
    table.open(names=("", "", "", ""), start=False)
    assert table.judge.clock.tick() == 0
    assert table.look() == 0
    with table.judge.store.read() as session:
        assert queries.latest_turn(session, table.game_id) is None


def test_a_valid_set_counts_at_the_deadline_without_being_confirmed(table: TestTable) -> None:
    """T004: used, and no miss."""
    table.open(deadline=Hours(hours=24))
    table.order("1", "X:2 at 40")
    table.clock.forward(hours=24)
    table.look()
    resolved = table.turn(1)
    assert resolved.opened_orders["1"] != []
    assert resolved.missed == ["2", "3", "4"]
    assert resolved.why == "deadline"


def test_a_pass_counts_as_posted_and_is_told_as_one(table: TestTable) -> None:
    """T005: an explicit pass is a set like any other; it is not told like an absence or a forced turn."""
    table.open(deadline=Hours(hours=1))
    for seat in EVERYBODY[:3]:
        assert table.order(seat, "passe").outcome == "counting"
    table.clock.forward(hours=1)
    table.look()
    assert (table.turn(1).passed, table.turn(1).missed) == (["1", "2", "3"], ["4"])
    report = str(table.turn(1).report)
    assert "Passed: " in report
    assert "Absent, " in report


@pytest.mark.parametrize("hidden", ["pass", "guess red"])
def test_whether_a_seat_has_lines_that_stay_closed_is_told_to_nobody(tmp_path: Path, hidden: str) -> None:
    """Who gives nothing but a line that opens at the end of the game passes no more and no less than who gives none."""
    table = sit_down(tmp_path, games=[lots])
    table.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 2})
    table.order("1", hidden)
    table.order("2", "pass")
    table.look()
    assert "Passed" not in str(table.turn(1).report)
    table.judge.close()


def test_whoever_has_no_choice_is_neither_waited_for_nor_blamed(table: TestTable) -> None:
    """T007, T008: a seller who can make nothing passes by force, marked so, without a miss or a reminder."""
    table.open(deadline=Hours(hours=48))
    table.order("1", "X:4 at 50, F:2 at 40")
    for seat in EVERYBODY[1:]:
        table.order(seat, "pass")
    table.look()
    with table.judge.store.read() as session:
        where = position(session, table.game_id)
        assert turns.waiting_for(session, where) == ["1"]
    with pytest.raises(Refusal, match="nothing to decide"):
        table.order("2", "A:1 at 100")
    table.clock.forward(hours=25)
    table.look()
    (reminder,) = table.letters("reminder-24h")
    assert [seat for seat in EVERYBODY if f"'{seat}'" in str(reminder.body)] == ["1"]
    table.order("1", "A:1 at 100")
    table.look()
    assert table.turn(2).forced == ["2", "3", "4"]
    assert table.turn(2).missed == []


def test_a_turn_in_which_everybody_is_forced_resolves_in_the_same_run_with_one_letter(table: TestTable) -> None:
    table.open()
    for seat in EVERYBODY:
        table.order(seat, "pass")
    table.look()
    assert [table.turn(number).status for number in (1, 2, 3)] == ["resolved", "resolved", "open"]
    assert table.turn(2).why == "forced"
    assert [letter.number for letter in table.letters("result")] == [2]


def test_two_resolvers_give_one_resolution(tmp_path: Path) -> None:
    """T009: two judges on one database see "due" at the same moment; one resolution, one result post."""
    first = sit_down(tmp_path)
    first.open()
    second = create_judge(Settings(data=tmp_path), now=first.clock)
    everybody_bids(first)
    start = threading.Barrier(2)

    def work(judge: object) -> None:
        start.wait()
        judge.clock.work(first.game_id)  # type: ignore[attr-defined]

    with ThreadPoolExecutor(2) as both:
        list(both.map(work, [first.judge, second]))
    with first.judge.store.read() as session:
        assert len(session.exec(select(TurnRow).where(TurnRow.status == "resolved")).all()) == 1
        assert len(session.exec(select(LetterRow).where(LetterRow.kind == "result")).all()) == 1
    assert len([post for post in first.thread() if post.key and "result" in post.key]) == 1
    second.close()
    first.judge.close()


def test_an_order_in_the_deadlines_second_is_in_or_refused_never_lost(table: TestTable) -> None:
    """T010, T019: at the deadline itself the turn is closed, even if nobody has looked yet; the answer has the time."""
    table.open(deadline=Hours(hours=1))
    table.clock.forward(seconds=3599)
    assert table.order("1", "X:2 at 40").outcome == "counting"
    table.clock.forward(seconds=1)
    with pytest.raises(Refusal, match="closed") as late:
        table.order("2", "X:2 at 40")
    assert late.value.text.values["now"].moment == table.clock()  # type: ignore[union-attr]
    table.look()
    assert table.turn(1).missed == ["2", "3", "4"]


def test_five_players_submit_at_once_and_all_are_stored(table: TestTable) -> None:
    """T011: none is rejected as stale."""
    table.open(names=("Anna", "Ben", "Cem", "Dora", "Emil"))
    with ThreadPoolExecutor(5) as crowd:
        slips = list(crowd.map(lambda seat: table.order(seat, "X:2 at 40"), ("1", "2", "3", "4", "5")))
    assert [slip.outcome for slip in slips] == ["counting"] * 5
    table.look()
    assert table.turn(1).status == "resolved"


def test_orders_for_another_turn_are_never_applied_to_this_one(table: TestTable) -> None:
    """T015: a form made for turn 1 arrives when turn 2 is open."""
    table.open()
    everybody_bids(table)
    table.look()
    with pytest.raises(Refusal, match="made for turn"):
        table.do(intake.hand_in, table.game_id, "1", intake.Source("form"), [], number=1)
    with table.judge.store.read() as session:
        assert queries.counting(session, table.turn(2)) == {}


def test_processing_a_turn_again_does_nothing(table: TestTable) -> None:
    """T016: the host forces turn 1 after it has run."""
    table.open()
    everybody_bids(table)
    table.look()
    assert table.do(moderation.force, table.game_id, 1) is False
    table.look()
    assert table.turn().number == 2


def test_a_crash_between_state_and_post_publishes_the_result_once(tmp_path: Path) -> None:
    """T017: the result is committed, the judge dies before it is posted; the next judge posts it, once."""
    before = sit_down(tmp_path)
    before.open()
    before.look()
    everybody_bids(before)
    store, clock = before.judge.store, before.clock
    store.write(lambda session: turns.close_if_due(session, clock(), before.game_id))
    store.write(lambda session: turns.resolve(session, clock(), before.game_id))
    before.judge.close()
    after = TestTable(create_judge(Settings(data=tmp_path), now=clock), clock, before.game_id)
    assert [letter.status for letter in after.letters("result")] == ["waiting"]
    after.judge.clock.tick()
    after.judge.clock.tick()
    assert len([post for post in after.thread() if post.key and "result" in post.key]) == 1
    after.judge.close()


def test_a_crash_between_closing_and_resolving_resolves_at_the_next_start(tmp_path: Path) -> None:
    """T019: an order that comes in between, while the turn is being resolved, is told so and is not in it."""
    before = sit_down(tmp_path)
    before.open()
    everybody_bids(before)
    before.judge.store.write(lambda session: turns.close_if_due(session, before.clock(), before.game_id))
    with pytest.raises(Refusal, match="closed"):
        before.order("1", "X:1 at 99")
    before.judge.close()
    after = TestTable(create_judge(Settings(data=tmp_path), now=before.clock), before.clock, before.game_id)
    after.judge.clock.tick()
    assert after.turn(1).status == "resolved"
    after.judge.close()


def test_a_clock_set_back_does_not_resolve_a_turn_twice(table: TestTable) -> None:
    """T060: two hours back after a resolve."""
    table.open(deadline=Hours(hours=1))
    table.clock.forward(hours=1)
    table.look()
    state = table.view()
    table.clock.forward(hours=-2)
    table.judge.clock.tick()
    assert table.view() == state
    assert len(table.letters("result")) == 1


def test_a_judge_that_slept_over_the_deadline_resolves_when_it_wakes(table: TestTable) -> None:
    """T063: nobody visits; the next round of the clock does it, and the notices go out."""
    table.open(deadline=Hours(hours=24))
    table.clock.forward(days=3)
    table.judge.clock.tick()
    assert table.turn(1).status == "resolved"
    assert [letter.status for letter in table.letters("result")] == ["sent"]


def test_an_early_resolution_stays_on_the_daily_grid(table: TestTable) -> None:
    """T053: all in by noon; the next deadline is tomorrow at 20:00 in Berlin."""
    table.open(deadline=Daily(at="20:00"), zone="Europe/Berlin")
    everybody_bids(table)
    table.look()
    deadline = table.turn(2).deadline
    assert deadline is not None
    assert deadline - table.turn(2).opened == timedelta(days=1, hours=7)


def test_reminders_go_out_once_a_step_to_those_who_have_not_posted(table: TestTable) -> None:
    """T118: run twice, sent once; whoever has posted is not named."""
    table.open(deadline=Hours(hours=48))
    table.order("1", "pass")
    table.clock.forward(hours=25)
    table.look()
    table.look()
    table.clock.forward(hours=20)
    table.look()
    reminders = table.letters("reminder-24h") + table.letters("reminder-4h")
    assert [letter.status for letter in reminders] == ["sent", "sent"]
    assert "'1'" not in str(reminders[0].body)
    assert "'2'" in str(reminders[0].body)


def test_bots_play_and_the_game_ends_with_standings(table: TestTable) -> None:
    table.open(names=("bot", "bot", "bot"), options={"months": 2})
    table.judge.clock.tick()
    with table.judge.store.read() as session:
        game = find_game(session, table.game_id)
        played = session.exec(select(SubmissionRow.via).distinct()).all()
    assert game.status == "over"
    assert played == ["bot"]
    last = table.letters("result")[-1]
    assert "Final standings" in str(last.body)
    with pytest.raises(Refusal, match="over"):
        table.order("1", "pass")


def test_a_running_game_keeps_the_rules_it_began_with(tmp_path: Path) -> None:
    """T143: a newer version is installed in mid-game; the game resolves by its own, a new one begins with the new."""
    old = ruleset("commodity-market")
    before = sit_down(tmp_path, games=[old])
    before.open()
    everybody_bids(before)
    before.judge.close()

    def changed(state: object, orders: object, dice: object) -> object:
        raise AssertionError("the newer rules resolved an older game")

    newer = replace(old, version=old.version + 1, resolve=changed)
    after = TestTable(
        create_judge(Settings(data=tmp_path), now=before.clock, games=[old, newer]), before.clock, before.game_id
    )
    after.look()
    assert after.turn(1).status == "resolved"
    game_id = after.open()
    with after.judge.store.read() as session:
        assert find_game(session, before.game_id).ruleset_version == old.version
        assert find_game(session, game_id).ruleset_version == newer.version
    after.judge.close()


def test_a_fault_in_the_rules_sets_one_game_aside_and_leaves_the_others(table: TestTable) -> None:
    broken = table.open()
    everybody_bids(table)
    with table.judge.store.read() as session:
        info = session.info
    find = info["ruleset"]

    def fails(state: object, orders: object, dice: object) -> object:
        raise ZeroDivisionError("7341")

    table.judge.store._info["ruleset"] = lambda name, version: replace(find(name, version), resolve=fails)
    table.look()
    table.judge.store._info["ruleset"] = find
    with table.judge.store.read() as session:
        game = find_game(session, broken)
        assert game.status == "aside"
        assert "ZeroDivisionError" in (game.alarm or "")
        assert "7341" not in (game.alarm or "")
    table.do(moderation.resume, broken)
    table.look()
    assert table.turn(1).status == "resolved"
