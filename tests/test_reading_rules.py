"""What counts of a post: the rules for edits, times, authors and absences, on a forum whose manners a test sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.forum import Caps
from tests.topic_on_paper import JUDGE, PaperClub, on_paper, said

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"
HOUR = {"rule": "hours", "hours": 1}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[PaperClub]:
    with on_paper(tmp_path) as club:
        yield club


# Edits


def test_an_old_post_that_is_edited_twice_after_the_close_is_no_order_of_the_next_turn(club: PaperClub) -> None:
    """T241: whatever stands in it, it stands above the letter that opened the turn."""
    club.open()
    post = club.paper.write("Anna", "X:3 zu 40")
    club.pass_all("Anna")
    club.look()
    assert club.table.turn(1).status == "resolved"
    for text in ("A:1 zu 90", "A:1 zu 91", "pass"):
        club.paper.edit(post, text)
        club.look()
        assert club.sights(post)[-1].outcome == "late-edit"
    assert club.receipts(ANNA, turn=2) == []


def test_an_edit_without_any_mark_counts_from_when_it_was_seen(club: PaperClub) -> None:
    """T240: forums edit without a trace; what stood there first is kept."""
    club.paper.marks = False
    club.open()
    post = club.paper.write("Anna", "X:3 zu 40")
    club.look()
    club.clock.forward(seconds=200)
    club.paper.edit(post, "X:4 zu 41")
    club.look()
    assert club.lines(ANNA) == ["X:4 at 41"]
    assert len({sight.hash for sight in club.sights(post)}) == 2


def test_an_edit_after_the_deadline_does_not_count_and_what_stood_there_does(club: PaperClub) -> None:
    """T241: seen before it and after it."""
    club.open(deadline=HOUR)
    post = club.paper.write("Anna", "X:3 zu 40")
    club.look()
    club.clock.forward(hours=1, seconds=-70)
    club.paper.edit(post, "X:9 zu 99")
    club.look(31)
    assert club.table.turn(1).status == "resolved"
    assert club.table.turn(1).opened_lines[ANNA] == ["X:3 at 40"]
    club.pass_all()
    club.look()


@pytest.mark.parametrize(("history", "line"), [(True, ["X:3 at 40"]), (False, [])])
def test_a_post_first_seen_after_the_deadline_counts_as_it_stood_then_if_the_forum_tells(
    tmp_path: Path, history: bool, line: list[str]
) -> None:
    """Nobody gains time by posting early and editing late."""
    with on_paper(tmp_path, caps=Caps(raw=True, history=history)) as club:
        club.open(deadline=HOUR)
        club.clock.forward(hours=1, seconds=-100)
        post = club.paper.write("Anna", "X:3 zu 40")
        club.clock.forward(seconds=60)
        club.paper.edit(post, "X:9 zu 99")
        club.look(60)
        assert club.table.turn(1).status == "resolved"
        assert club.table.turn(1).opened_lines[ANNA] == line


def test_an_edit_into_a_claim_and_away_again_leaves_the_seat_claimed(club: PaperClub) -> None:
    """A word that is edited away has been read; one that was edited away before the judge looked has not."""
    club.open(claim=False)
    seen = club.paper.write("Anna", f"Here: {club.word(ANNA)}")
    gone = club.paper.write("Ben", f"Here: {club.word(BEN)}")
    club.paper.edit(gone, "Here.")
    club.look()
    club.paper.edit(seen, "Here I am.")
    club.look()
    assert (club.author(ANNA), club.author(BEN)) == ("Anna", None)


def test_who_copies_a_word_into_an_older_post_comes_after_whoever_posted_it(club: PaperClub) -> None:
    club.open(claim=False)
    older = club.paper.write("Stranger", "Nice game.")
    club.look()
    club.clock.forward(seconds=5)
    newer = club.paper.write("Stranger", "Very nice.")
    club.paper.write("Anna", f"{club.word(ANNA)}")
    club.clock.forward(seconds=1)
    club.paper.edit(older, f"{club.word(ANNA)}")
    club.paper.edit(newer, f"{club.word(ANNA)}")
    club.look()
    assert club.author(ANNA) == "Anna"


def test_the_first_post_may_be_edited_by_the_host_without_effect(club: PaperClub) -> None:
    """T260: who plays is said in the judge, not in a post."""
    club.open()
    club.paper.edit(club.paper.posts[0].id, "At the table: Anna and Ben. Cem is out. X:9 zu 9", by="Host")
    club.paper.write("Cem", "X:3 zu 40")
    club.look()
    assert club.lines(CEM) == ["X:3 at 40"]
    assert [club.receipts(seat) for seat in (ANNA, BEN, DORA)] == [[], [], []]


# What a forum does to posts


def test_a_post_that_the_forum_joins_to_the_last_one_is_a_new_set(tmp_path: Path) -> None:
    """T243: both are seen under one id; the second replaces the first as a second post would."""
    with on_paper(tmp_path, caps=Caps(raw=True, merges_posts=True)) as club:
        club.open()
        post = club.paper.write("Anna", "X:3 zu 40")
        club.look()
        club.paper.edit(post, "X:3 zu 40\n\n[hr]\nF:2 zu 31")
        club.look()
        assert [slip.understood[0].line for slip in club.receipts(ANNA)] == ["F:2 at 31", "X:3 at 40"]
        club.paper.edit(post, "X:3 zu 40\n\n[hr]\nF:2 zu 31\n\n[hr]\nThat is all.")
        club.look()
        assert club.lines(ANNA) == ["F:2 at 31"], "chat that is joined to orders takes nothing back"
        club.paper.edit(post, "X:1 zu 44\n\n[hr]\nF:2 zu 31")
        club.look()
        assert club.lines(ANNA) == ["X:1 at 44", "F:2 at 31"], "an edit is read whole"


def test_posts_joined_before_the_judge_looked_are_read_as_one(tmp_path: Path) -> None:
    """T243."""
    with on_paper(tmp_path, caps=Caps(raw=True, merges_posts=True)) as club:
        club.open()
        club.paper.write("Anna", "X:3 zu 40\n\n[hr]\nF:2 zu 31")
        club.look()
        assert club.lines(ANNA) == ["X:3 at 40", "F:2 at 31"]


def test_a_post_that_is_hidden_and_shown_again_counts_again(club: PaperClub) -> None:
    """T244."""
    club.open()
    post = club.paper.write("Anna", "X:3 zu 40")
    club.look()
    club.paper.change(post, state="hidden")
    club.look()
    assert club.receipts(ANNA)[0].outcome == "withdrawn"
    club.paper.change(post, state="visible")
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]
    club.paper.change(post, state="hidden")
    club.look()
    club.paper.write("Anna", "X:5 zu 44")
    club.look()
    club.paper.change(post, state="visible")
    club.look()
    assert club.lines(ANNA) == ["X:5 at 44"], "something newer has taken its place"


def test_a_held_post_that_is_let_through_is_taken_by_when_it_was_written(club: PaperClub) -> None:
    club.open()
    first, second = (
        club.paper.write("Anna", "X:3 zu 40", state="held"),
        club.paper.write("Ben", "X:2 zu 40", state="held"),
    )
    club.look()
    assert club.receipts(ANNA) == []
    club.table.order(BEN, "X:1 at 50")
    club.clock.forward(minutes=30)
    club.paper.change(first, state="visible")
    club.paper.change(second, state="visible")
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]
    assert club.lines(BEN) == ["X:1 at 50"], "his form came after that post"
    assert "handed in after it" in said(club.receipts(BEN)[0])


def test_a_post_whose_source_nobody_is_given_is_read_as_it_is_shown(club: PaperClub) -> None:
    club.open()
    club.paper.unquotable.add(club.paper.write("Anna", "X:3 zu 40"))
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]


def test_posts_that_go_above_the_others_make_nobody_absent(club: PaperClub) -> None:
    """T244: positions move up, and what is not listed since it is older is not gone."""
    club.open()
    old = [club.paper.write("Stranger", f"chat {number}") for number in range(3)]
    club.paper.write("Anna", "X:3 zu 40")
    club.pass_all("Anna")
    club.look()
    for turn in (2, 3):
        assert club.table.turn().number == turn
        club.pass_all()
        club.look()
    assert club.table.turn().number == 4
    for post in old:
        club.paper.remove(post)
    club.look()
    assert not [sight for sight in club.sights() if sight.state == "gone"]
    assert not [sight for sight in club.sights() if sight.outcome in ("kept", "withdrawn")]


def test_the_opening_letter_may_be_deleted_and_orders_still_count(club: PaperClub) -> None:
    club.open()
    for post in [post.id for post in club.paper.posts]:
        club.paper.remove(post)
    club.look()
    assert club.watch().failures == 0
    club.paper.write("Anna", "X:3 zu 40")
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]


# What stands in a post


def test_the_judges_own_posts_hold_nobodys_orders(club: PaperClub) -> None:
    """T249: a result quotes every order."""
    club.open()
    club.paper.write("Anna", "X:3 zu 40")
    club.pass_all("Anna")
    club.look()
    results = [post for post in club.paper.posts if post.author_id == JUDGE and "X-Fine: 3 ordered" in post.text]
    assert len(results) == 1
    assert not club.sights(results[0].id)
    assert club.receipts(ANNA, turn=2) == []


def test_a_mention_with_a_link_makes_nobody_elses_order(club: PaperClub) -> None:
    """T265: whose order it is follows from who wrote it, never from a name in it."""
    club.open()
    club.paper.write("Anna", "[@Ben](https://forum.example.org/user/3/ben) X:3 zu 40")
    club.look()
    assert club.receipts(BEN) == []
    assert club.receipts(ANNA)[0].outcome == "refused"


@pytest.mark.parametrize(
    "text", ["everything as last turn", "Wie letzte Runde!", "> X:3 zu 40\n\nalles wie letzten Monat"]
)
def test_orders_as_last_turn_are_told_that_there_are_none(club: PaperClub, text: str) -> None:
    """T269: these rules know no such order."""
    club.open()
    club.paper.write("Anna", text)
    club.look()
    slip = club.receipts(ANNA)[0]
    assert slip.outcome == "refused"
    assert "write out each" in said(slip)


@pytest.mark.parametrize(
    "text",
    [
        "![orders.png](https://forum.example.org/a_(1).png)",
        "[img]https://forum.example.org/a.png[/img]",
        "![image|690x388](upload://abc.png)\n\n",
    ],
)
def test_a_picture_instead_of_orders_is_told_to_be_unreadable(club: PaperClub, text: str) -> None:
    """T270."""
    club.open()
    club.paper.write("Anna", text)
    club.look()
    slip = club.receipts(ANNA)[0]
    assert slip.outcome == "refused"
    assert "Pictures are not read" in said(slip)


def test_chat_with_pictures_is_left_alone(club: PaperClub) -> None:
    """T270: words beside it, or orders that count already, say that it was not meant as one."""
    club.open()
    club.paper.write("Anna", "Look at this: ![cat](https://forum.example.org/cat.png)")
    club.paper.write("Ben", "X:3 zu 40")
    club.look()
    club.paper.write("Ben", "![cat](https://forum.example.org/cat.png)")
    club.paper.write("Stranger", "![cat](https://forum.example.org/cat.png)")
    club.look()
    assert club.receipts(ANNA) == []
    assert len(club.receipts(BEN)) == 1
