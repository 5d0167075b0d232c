"""Each letter stands in the forum once, whatever the forum says and whenever the judge dies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import Session

from judge.forum import AuthExpired, Caps, Refused, Retry
from judge.service.delivery import Patience, send_again
from judge.service.places import Places
from judge.service.refusal import Refusal
from judge.store import queries
from tests.at_the_table import sit_down
from tests.paper_forum import PATIENCE, Fate, Killed, PaperTable, at_paper
from tests.toy_ruleset import ruleset as lots

NOTICES = ["-/notice-1/thread", "-/notice-2/thread"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PaperTable]:
    """The topic is open, nothing waits."""
    table = at_paper(tmp_path, Caps(dm=True))
    table.write("opening")
    table.deliver()
    table.paper.written.clear()
    yield table
    table.judge.close()


def test_letters_stand_there_in_the_order_they_were_written(table: PaperTable) -> None:
    table.write("notice-1")
    table.write("told", to="2")
    table.write("notice-2")
    assert table.deliver() == 3
    assert table.paper.keys() == NOTICES
    assert table.paper.keys("author Ben") == ["-/told/2"]
    assert [table.letter(kind).post_ids for kind in ("notice-1", "notice-2")] == [["101"], ["102"]]
    assert table.paper.written[0].text.markdown.endswith(f"\n\ngamejudge {table.game_id}/-/notice-1/thread\n")
    assert table.deliver() == 0


def test_the_forums_wait_is_kept_to_the_second(table: PaperTable) -> None:
    """T305: a limit on posting."""
    table.write("notice-1")
    table.paper.next.append(Retry("not so quickly", 39))
    assert table.deliver() == 0
    table.clock.forward(seconds=38)
    assert (table.deliver(), len(table.paper.written)) == (0, 0)
    table.clock.forward(seconds=1)
    assert (table.deliver(), len(table.paper.written)) == (1, 1)
    assert table.letter("notice-1").error is None


def test_waits_grow_and_differ_from_letter_to_letter() -> None:
    waits = [[PATIENCE.after(tries, key).total_seconds() for tries in (1, 2, 3, 4, 99)] for key in "abcdef"]
    assert all(10 <= first < 12.5 and 20 <= second < 25 for first, second, *_ in waits)
    assert all(3600 <= wait < 4500 for _, _, *last in waits for wait in last)
    assert len({wait for first, *_ in waits for wait in [first]}) == len(waits)
    assert PATIENCE.after(1, "a") == PATIENCE.after(1, "a")
    assert Patience((7,)).longest.total_seconds() == 7


@pytest.mark.parametrize("fate", ["lost", "never arrived", "killed before", "killed after"])
def test_a_try_whose_end_is_unknown_is_left_alone_then_looked_for(table: PaperTable, fate: Fate) -> None:
    """T017, T304: it stands there once, whether it had been stored or not; nothing overtakes it."""
    table.write("notice-1")
    table.write("notice-2")
    table.paper.next.append(fate)
    if str(fate).startswith("killed"):
        with pytest.raises(Killed):
            table.deliver()
    else:
        table.deliver()
    stored = len(table.paper.written)
    asked = table.paper.asked
    table.clock.forward(seconds=59)
    table.deliver()
    assert (len(table.paper.written), table.paper.asked) == (stored, asked)
    table.clock.forward(seconds=1)
    assert table.deliver() == 2
    assert table.paper.keys() == NOTICES
    assert table.letter("notice-1").post_ids == ["101"]


def test_two_judges_on_one_database_send_a_letter_once(table: PaperTable, tmp_path: Path) -> None:
    """T009: the second comes while the first is at it; where the first was killed, the second takes over."""
    other = PaperTable(sit_down(tmp_path, games=[lots]).judge, table.clock, paper=table.paper)
    table.write("notice-1")
    table.paper.next.append(other.deliver)
    assert table.deliver() == 1
    assert table.paper.keys() == NOTICES[:1]
    table.write("notice-2")
    table.paper.next.append("killed before")
    with pytest.raises(Killed):
        table.deliver()
    assert other.deliver() == 0
    table.clock.forward(seconds=60)
    assert other.deliver() == 1
    assert table.paper.keys() == NOTICES
    other.judge.close()


def test_what_a_judge_that_was_overtaken_writes_down_changes_nothing(table: PaperTable) -> None:
    """A try took so long that another judge found the letter in the forum."""
    table.write("notice-1")
    places = Places(table.judge.store, lambda kind: table.paper.connect, table.clock)

    def take_for_ever() -> None:
        table.clock.forward(minutes=5)
        assert table.deliver(places) == 1

    table.paper.afterwards = take_for_ever
    table.deliver()
    letter = table.letter("notice-1")
    assert (letter.status, letter.post_ids, table.paper.keys()) == ("sent", ["101"], NOTICES[:1])


def test_what_the_forum_holds_is_told_once_and_not_posted_again(table: PaperTable) -> None:
    """T305: later letters of the thread wait for it, private ones do not; a moderator lets it through."""
    table.write("notice-1")
    table.write("notice-2")
    table.write("told", to="1")
    table.paper.next.append("held")
    assert table.deliver() == 1
    assert table.paper.keys("author Anna") == ["-/told/1"]
    for _ in range(5):
        table.clock.forward(hours=2)
        assert table.deliver() == 0
    assert table.letter("notice-1").status == "held"
    assert table.said()[-1] == "The forum holds “notice-1” back for a moderator to look at."
    assert sum("holds" in line for line in table.said()) == 1
    table.paper.let_through()
    table.clock.forward(hours=2)
    assert table.deliver() == 2
    assert table.paper.keys() == NOTICES
    assert table.letter("notice-1").post_ids == ["101"]


def test_the_host_has_what_a_moderator_deleted_sent_again(table: PaperTable) -> None:
    """T305."""
    table.write("notice-1")
    table.paper.next.append("held")
    table.deliver()
    table.paper.delete("notice-1/thread")
    table.clock.forward(hours=2)
    assert (table.deliver(), table.paper.keys()) == (0, [])
    letter = table.letter("notice-1")
    table.do(send_again, letter.id)
    assert table.deliver() == 1
    assert table.paper.keys() == NOTICES[:1]
    assert table.said()[-1] == "The host has “notice-1” sent again."
    with pytest.raises(Refusal, match="has been sent already"):
        table.do(send_again, letter.id)
    with pytest.raises(Refusal, match="no such letter"):
        table.do(send_again, 9999)


def test_what_is_still_held_when_it_is_sent_again_is_not_posted_twice(table: PaperTable) -> None:
    table.write("notice-1")
    table.paper.next.append("held")
    table.deliver()
    table.do(send_again, table.letter("notice-1").id)
    assert (table.deliver(), len(table.paper.written)) == (0, 1)
    assert table.letter("notice-1").status == "held"


def test_a_topic_that_is_held_is_found_when_it_is_let_through(tmp_path: Path) -> None:
    """T305: an opening; what follows waits for the topic, and whoever deletes it is not answered with another."""
    table = at_paper(tmp_path, Caps(dm=True))
    table.write("opening")
    table.write("notice-1")
    table.paper.next.append("held")
    assert table.deliver() == 0
    table.paper.let_through()
    table.clock.forward(hours=2)
    assert table.deliver() == 2
    assert table.paper.keys() == ["-/opening/thread", "-/notice-1/thread"]
    table.open(("Anna", "Ben"), start=False, ruleset="lots", forum="paper")
    table.write("opening")
    table.paper.next.append("held")
    table.deliver()
    table.paper.delete(f"{table.game_id}/-/opening/thread")
    table.clock.forward(hours=2)
    assert (table.deliver(), len(table.paper.written)) == (0, 2)
    table.do(send_again, table.letter("opening").id)
    assert (table.deliver(), len(table.paper.written)) == (1, 3)
    table.judge.close()


@pytest.mark.parametrize(
    ("no", "line"),
    [
        (Refused("the topic is closed"), "The forum does not take “notice-1”."),
        (AuthExpired("wrong password"), "The forum does not let the judge in: “notice-1” waits."),
    ],
)
def test_a_no_is_told_and_tried_again_each_hour(table: PaperTable, no: Exception, line: str) -> None:
    """T305: a locked thread, an account that is no longer let in; the queue is kept, in its order."""
    table.write("notice-1")
    table.write("notice-2")
    table.paper.next.extend([no] * 3)
    for _ in range(3):
        assert table.deliver() == 0
        table.clock.forward(minutes=59)
        assert table.deliver() == 0
        assert table.letter("notice-1").error == str(no)
        table.clock.forward(minutes=1)
    assert table.letter("notice-1").status == "waiting"
    assert [said for said in table.said() if "notice-1" in said] == [line]
    assert table.deliver() == 2
    assert table.paper.keys() == NOTICES


def test_a_message_that_is_refused_for_good_stays_on_the_page(table: PaperTable) -> None:
    """A player has closed his inbox: nothing waits for it, and the public is not told that he was told something."""
    before = table.said()
    table.write("told-1", to="1")
    table.write("told-2", to="1")
    table.paper.next.append(Refused("this member takes no messages"))
    assert table.deliver() == 2
    kept = table.letter("told-1", "1")
    assert (kept.status, kept.error) == ("kept", "this member takes no messages")
    assert table.paper.keys("author Anna") == ["-/told-2/1"]
    assert table.said() == before


def test_no_message_goes_where_there_are_none_or_to_whom_the_forum_does_not_know(table: PaperTable) -> None:
    table.paper.caps = Caps()
    table.write("told-1", to="1")
    assert (table.deliver(), table.paper.written) == (1, [])
    assert table.letter("told-1", "1").status == "kept"
    table.paper.caps = Caps(dm=True)
    table.judge.store.write(lambda session: _forget_authors(session, table.game_id))
    table.write("told-2", to="2")
    assert (table.deliver(), table.paper.written) == (1, [])
    assert table.letter("told-2", "2").status == "kept"


def test_a_thread_that_is_refused_does_not_keep_back_messages_nor_they_it(table: PaperTable) -> None:
    table.write("notice-1")
    table.write("told-1", to="1")
    table.write("told-2", to="2")
    table.paper.next.extend([Refused("closed"), "lost"])
    assert table.deliver() == 1
    assert table.paper.keys("author Ben") == ["-/told-2/2"]
    table.clock.forward(seconds=60)
    assert table.deliver() == 1
    assert table.paper.keys("author Anna") == ["-/told-1/1"]


def test_a_forum_that_is_away_is_asked_once_a_round_and_others_go_on(tmp_path: Path) -> None:
    table = at_paper(tmp_path, Caps(dm=True), ("paper", "another"))
    first = table.game_id
    second = table.open(("Anna", "Ben"), start=False, ruleset="lots", forum="paper")
    other = table.open(("Anna", "Ben"), start=False, ruleset="lots", forum="another")
    for game in (first, second, other):
        table.write("opening", game_id=game)
    table.paper.next.append(Retry("the forum cannot be reached", 60))
    assert table.deliver() == 1
    assert [post.key for post in table.paper.written] == [f"{other}/-/opening/thread"]
    assert table.deliver() == 1, "the next round goes on with the next letter"
    table.clock.forward(seconds=60)
    assert table.deliver() == 1
    table.judge.close()


def test_a_fault_of_a_connector_keeps_back_no_other_games_letters(table: PaperTable) -> None:
    table.write("notice-1")
    table.paper.next.append(KeyError("X:3 at 7341"))
    other = table.open(("Anna", "Ben"), start=False, ruleset="lots", forum="paper")
    table.write("opening", game_id=other)
    assert table.deliver() == 1
    with table.judge.store.read() as session:
        [stuck] = queries.letters_under_way(session)
    assert stuck.error == "KeyError in the forum's connector"
    table.clock.forward(seconds=60)
    assert table.deliver() == 1


def _forget_authors(session: Session, game_id: str) -> None:
    for row in queries.seats(session, game_id):
        row.author_id = None
        session.add(row)
