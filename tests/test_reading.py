"""What players post on a forum becomes their orders, by rule; tried on a server in NodeBB's documented shape."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.language import Voice
from tests.at_the_forum import ForumTable, at_the_forum

HOUR = {"rule": "hours", "hours": 1}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[ForumTable]:
    with at_the_forum("documented.nodebb", tmp_path) as forum:
        yield forum


def test_posts_become_orders_and_the_last_one_resolves_the_turn(club: ForumTable) -> None:
    """T200: an order is taken from a post, and its receipt repeats it in words."""
    club.open()
    club.post("Anna", "X:3 zu 40")
    club.look()
    assert club.lines("1") == ["X:3 at 40"]
    assert "3" in str(club.receipts("1")[0].understood[0].words)
    for name in ("Ben", "Cem", "Dora"):
        club.post(name, "pass")
    assert club.table.turn().number == 1
    club.look()
    assert club.table.turn(1).status == "resolved"
    thread = club.read()
    assert "turn 1 is closed" in thread[-2]
    assert "turn 1" in thread[-1]


def test_a_name_proves_nothing(club: ForumTable) -> None:
    """T237, T239: who has not claimed a seat does not play, whatever he is called."""
    club.open(claim=False)
    club.post("Anna", "X:3 zu 40")
    club.post("Stranger", "X:3 zu 40")
    club.look()
    assert club.receipts("1") == []
    club.live.acts.rename("Stranger", "Anna2")
    club.post("Anna", club.word("1"))
    club.look()
    club.post("Stranger", "X:9 zu 90")
    club.look()
    assert club.receipts("1") == []


def test_a_player_who_is_renamed_keeps_the_seat(club: ForumTable) -> None:
    """T238."""
    club.open()
    club.live.acts.rename("Anna", "Ana")
    club.post("Anna", "X:3 zu 40")
    club.look()
    assert club.lines("1") == ["X:3 at 40"]


def test_the_word_works_once(club: ForumTable) -> None:
    club.open(claim=False)
    word = club.word("1")
    club.post("Anna", word)
    club.post("Ben", f"mine too: {word}")
    club.look()
    club.post("Ben", "X:3 zu 40")
    club.look()
    assert club.receipts("1") == []
    assert club.receipts("2") == []


def test_a_claim_and_an_order_can_stand_in_one_post(club: ForumTable) -> None:
    club.open(claim=False)
    club.post("Anna", f"{club.word('1')}\nX:3 zu 40")
    club.look()
    assert club.lines("1") == ["X:3 at 40"]


def test_a_quoted_order_is_nobodys(club: ForumTable) -> None:
    """T202."""
    club.open()
    first = club.post("Anna", "X:3 zu 40")
    club.live.acts.quote("Ben", club.topic, first, "Me too!")
    club.look()
    assert club.receipts("2") == []


def test_an_edit_before_the_close_counts(club: ForumTable) -> None:
    """T240: seen by what the post says, not by the forum's mark."""
    club.open()
    post = club.post("Anna", "X:3 zu 40")
    club.look()
    club.edit("Anna", post, "X:4 zu 41")
    club.look()
    assert club.lines("1") == ["X:4 at 41"]


def test_an_edit_that_takes_every_order_away_withdraws(club: ForumTable) -> None:
    club.open()
    post = club.post("Anna", "X:3 zu 40")
    club.look()
    club.edit("Anna", post, "I am not so sure.")
    club.look()
    assert club.receipts("1")[0].outcome == "withdrawn"


def test_an_edit_into_nonsense_leaves_what_counted(club: ForumTable) -> None:
    """T013."""
    club.open()
    post = club.post("Anna", "X:3 zu 40")
    club.look()
    club.edit("Anna", post, "X:99 zu 40")
    club.look()
    assert club.receipts("1")[0].outcome == "refused"
    assert club.lines("1") == ["X:3 at 40"]


def test_an_edit_after_the_close_is_told_and_does_not_count(club: ForumTable) -> None:
    """T241: it stands at the foot of the next result."""
    club.open()
    post = club.post("Anna", "X:3 zu 40")
    for name in ("Ben", "Cem", "Dora"):
        club.post(name, "pass")
    club.look()
    assert club.table.turn(1).status == "resolved"
    club.edit("Anna", post, "X:9 zu 99")
    club.look()
    assert [sight.outcome for sight in club.sights()][-1] == "late-edit"
    assert len(club.receipts("1")) == 1
    for name in ("Anna", "Ben", "Cem", "Dora"):
        if club.table.position().ask(str("ABCD".index(name[0]) + 1)):
            club.post(name, "pass")
    club.look()
    assert "Anna changed or deleted a post with orders after the close" in club.read()[-1]


def test_a_moderators_edit_is_no_order_of_the_player(club: ForumTable) -> None:
    """T242."""
    club.open()
    post = club.post("Anna", "X:3 zu 40")
    club.look()
    club.edit("Moderator", post, "X:9 zu 9")
    club.look()
    assert club.lines("1") == ["X:3 at 40"]
    assert [sight.outcome for sight in club.sights()][-1] == "moderated"


def test_a_deleted_post_withdraws_its_orders_before_the_close_only(club: ForumTable) -> None:
    """T244."""
    club.open()
    first, second = club.post("Anna", "X:3 zu 40"), club.post("Ben", "X:2 zu 45")
    club.look()
    club.live.acts.delete(club.topic, first)
    club.look()
    assert club.receipts("1")[0].outcome == "withdrawn"
    for name in ("Anna", "Cem", "Dora"):
        club.post(name, "pass")
    club.look()
    assert club.table.turn(1).status == "resolved"
    club.live.acts.delete(club.topic, second)
    club.look()
    assert [sight.outcome for sight in club.sights()][-1] == "kept"


def test_what_was_posted_in_time_counts_though_it_was_read_later(club: ForumTable) -> None:
    """T065: the forum's clock decides, and the receipt tells both times."""
    club.open(deadline=HOUR)
    club.post("Anna", "X:3 zu 40")
    deadline = club.table.turn().deadline
    assert deadline is not None
    club.clock.ahead += deadline - club.clock()
    club.clock.forward(seconds=10)
    club.work()
    slip = club.receipts("1")[0]
    assert slip.outcome == "counting"
    assert slip.written is not None
    assert slip.written < deadline < slip.received
    assert club.table.turn().status == "open"
    club.look(seconds=31)
    assert club.table.turn(1).status == "resolved"
    assert club.table.turn(1).why == "deadline"


def test_what_was_posted_after_the_deadline_is_told_so(club: ForumTable) -> None:
    """T019 at a forum."""
    club.open(deadline=HOUR)
    club.table.judge.store.write(club.end_time)
    club.post("Anna", "X:3 zu 40")
    club.look()
    assert club.table.turn(1).status == "resolved"
    slip = club.receipts("1")[0]
    assert (slip.outcome, slip.number) == ("refused", 1)
    assert "closed" in Voice("en").say(slip.problems[0].text)


def test_a_forum_that_is_away_keeps_the_turn_open(club: ForumTable) -> None:
    """T248: nobody is absent because the judge could not see him."""
    club.open(deadline=HOUR)
    club.post("Anna", "X:3 zu 40")
    club.live.go_away()
    club.look(hours=2)
    assert club.table.turn().number == 1
    assert club.watch().failures == 1
    assert club.watch().error
    club.live.come_back()
    club.look(minutes=20)
    assert club.table.turn(1).status == "resolved"
    assert club.table.turn(1).missed == ["2", "3", "4"]


def test_an_order_in_a_private_message_is_sealed(club: ForumTable) -> None:
    """T268."""
    club.open()
    club.live.acts.message("Anna", "Judge", "My bid", "X:3 zu 40")
    club.look()
    slip = club.receipts("1")[0]
    assert slip.outcome == "counting"
    assert not slip.public
    assert slip.via == "message"
    club.look()
    assert len(club.receipts("1")) == 1


def test_a_seat_can_be_claimed_by_a_private_message(club: ForumTable) -> None:
    club.open(claim=False)
    club.live.acts.message("Anna", "Judge", "Hello", f"Here I am: {club.word('1')}")
    club.look()
    club.post("Anna", "X:3 zu 40")
    club.look()
    assert club.lines("1") == ["X:3 at 40"]


def test_receipts_come_as_private_messages(club: ForumTable) -> None:
    club.open()
    club.post("Anna", "X:3 zu 40\nF:2 zu blau")
    club.look()
    told = "\n".join(club.live.acts.messages("Anna"))
    assert "X:3 at 40" in told
    assert "blau" in told
    assert "blau" not in "\n".join(club.live.acts.messages("Ben"))


def test_an_order_by_form_after_a_post_counts_and_both_have_receipts(club: ForumTable) -> None:
    """T266, T267."""
    club.open()
    club.post("Anna", "X:3 zu 40")
    club.look()
    club.table.order("1", "X:4 at 41")
    assert club.lines("1") == ["X:4 at 41"]
    club.table.order("1", "X:99 at 41")
    assert club.lines("1") == ["X:4 at 41"]
    club.post("Anna", "X:2 zu 50")
    club.look()
    assert club.lines("1") == ["X:2 at 50"]
