"""When a post counts, for which turn and for whom: clocks, deadlines, turns taken back, players who come and go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import update

from judge.forum import Caps, Retry
from judge.service import moderation, rewinding
from judge.service.claiming import set_free
from judge.store.forum_tables import ForumRow
from tests.topic_on_paper import PaperClub, on_paper, said

ANNA, BEN, CEM, DORA = "1", "2", "3", "4"
HOUR = {"rule": "hours", "hours": 1}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[PaperClub]:
    with on_paper(tmp_path) as club:
        yield club


# Times


def test_what_was_written_last_counts_whenever_it_is_read(club: PaperClub) -> None:
    """T266: a post that the judge reads after a form was written before it."""
    club.open()
    club.clock.forward(seconds=5)
    club.paper.write("Anna", "X:3 zu 40")
    club.clock.forward(seconds=5)
    club.table.order(ANNA, "X:4 at 41")
    club.clock.forward(seconds=5)
    club.paper.write("Ben", "X:3 zu 40")
    club.look()
    assert club.lines(ANNA) == ["X:4 at 41"]
    older = club.receipts(ANNA)[0]
    assert (older.outcome, older.via) == ("refused", "post")
    assert "handed in after it" in said(older)
    assert club.lines(BEN) == ["X:3 at 40"]


@pytest.mark.parametrize("minutes", [-7, 7])
def test_a_forum_with_a_wrong_clock_does_not_turn_the_order_of_orders(tmp_path: Path, minutes: int) -> None:
    """T266: its own clock tells by how much it is wrong."""
    with on_paper(tmp_path, fast=timedelta(minutes=minutes)) as club:
        club.open()
        club.table.order(ANNA, "X:4 at 41")
        club.clock.forward(seconds=20)
        club.paper.write("Anna", "X:3 zu 40")
        club.paper.message("Ben", "X:2 zu 40")
        club.clock.forward(seconds=20)
        club.table.order(BEN, "X:4 at 41")
        club.look()
        assert club.lines(ANNA) == ["X:3 at 40"]
        assert club.lines(BEN) == ["X:4 at 41"]


def test_a_forum_that_tells_minutes_only_makes_no_post_too_early(tmp_path: Path) -> None:
    """A message of the minute in which the turn was opened, and a post of that of a form, count."""
    with on_paper(tmp_path, caps=Caps(raw=True, dm=True, precision=timedelta(minutes=1))) as club:
        club.open()
        club.clock.forward(seconds=40)
        whole = club.clock().replace(second=0)
        club.table.order(ANNA, "X:4 at 41")
        club.clock.forward(seconds=5)
        club.paper.write("Anna", "X:3 zu 40", created=whole)
        club.look()
        assert club.lines(ANNA) == ["X:3 at 40"]


def test_an_edit_and_a_newer_post_in_one_look_count_in_the_order_of_their_times(club: PaperClub) -> None:
    club.open()
    first = club.paper.write("Anna", "X:1 zu 40")
    club.look()
    club.paper.write("Anna", "X:2 zu 40")
    club.clock.forward(seconds=9)
    club.paper.edit(first, "X:3 zu 40")
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]
    assert [slip.outcome for slip in club.receipts(ANNA)] == ["counting"] * 3


def test_a_deadline_that_the_clocks_skip_closes_the_turn_once(club: PaperClub) -> None:
    """T050 on a forum: half past two does not come on the night when summer time begins."""
    club.clock.forward(days=26, hours=2)
    club.open(deadline={"rule": "daily", "at": "02:30"}, zone="Europe/Berlin")
    deadline = club.table.turn().deadline
    assert deadline is not None
    assert deadline.isoformat() == "2026-03-29T01:30:00+00:00"
    club.paper.write("Anna", "X:3 zu 40")
    club.clock.time = deadline - timedelta(seconds=1)
    club.paper.write("Ben", "X:2 zu 40")
    club.look(61)
    assert club.table.turn(1).missed == [CEM, DORA]
    assert club.table.turn().number == 2


def test_a_message_of_the_minute_in_which_the_account_was_added_is_read(tmp_path: Path) -> None:
    """Older ones were not meant for this judge."""
    with on_paper(tmp_path, caps=Caps(raw=True, dm=True, precision=timedelta(minutes=1))) as club:
        club.clock.forward(seconds=40)
        club.table.judge.store.write(lambda session: session.exec(update(ForumRow).values(created=club.clock())))
        club.open(claim=False)
        club.paper.message("Anna", f"{club.word(ANNA)}")
        assert club.paper.mail is not None
        whole = club.clock().replace(second=0)
        club.paper.mail[0] = replace(club.paper.mail[0], created=whole)
        club.paper.message("Ben", f"{club.word(BEN)}")
        club.paper.mail[1] = replace(club.paper.mail[1], created=whole - timedelta(minutes=1))
        club.look()
        assert (club.author(ANNA), club.author(BEN)) == ("Anna", None)


# Turns


def test_a_post_above_the_letter_that_opens_a_turn_is_told_so(club: PaperClub) -> None:
    """T015: who posts before the judge has said that a turn is open means the one before, and is told to post again."""
    club.open()
    club.paper.write("Anna", "X:4 zu 45\nF:2 zu 35")
    club.pass_all("Anna")
    club.paper.silent = True
    club.look()
    assert club.table.turn().number == 2
    early = club.paper.write("Anna", "A:1 zu 90")
    club.look()
    slip = club.receipts(ANNA)[0]
    assert slip.outcome == "refused"
    assert "post again below" in said(slip)
    club.paper.silent = False
    club.look()
    club.paper.edit(early, "A:1 zu 91")
    club.look()
    assert club.lines(ANNA) is None
    club.paper.write("Anna", "A:1 zu 92")
    club.look()
    assert club.table.turn(2).opened_lines[ANNA] == ["A:1 at 92"]


def test_a_turn_that_was_taken_back_is_ordered_anew_below_its_letter(club: PaperClub) -> None:
    """T039 on a forum: the posts of its first version stay where they are, and mean nothing."""
    club.open()
    first = club.paper.write("Anna", "X:3 zu 40")
    club.pass_all("Anna")
    club.look()
    assert club.table.turn(1).status == "resolved"
    early = club.paper.write("Ben", "X:1 zu 40")
    club.table.do(rewinding.rewind, club.table.game_id, 1, "Ben was misread.")
    between = club.paper.write("Anna", "X:2 zu 40")
    club.look()
    assert (club.table.turn().number, club.table.turn().version) == (1, 2)
    assert club.lines(ANNA) is None
    assert {club.sights(post)[-1].outcome for post in (early, between)} <= {"late", "nothing"}
    club.paper.edit(first, "X:5 zu 40")
    club.look()
    assert club.lines(ANNA) is None
    assert "stands above" in said(club.receipts(ANNA)[0])
    club.paper.write("Anna", "X:4 zu 40")
    club.look()
    assert club.lines(ANNA) == ["X:4 at 40"]


def test_a_game_that_rests_takes_posts_and_closes_nothing(club: PaperClub) -> None:
    """Paused: what is posted counts when it goes on."""
    club.open(deadline=HOUR)
    club.table.do(moderation.pause, club.table.game_id)
    club.paper.write("Anna", "X:3 zu 40")
    club.look(7200)
    assert club.lines(ANNA) == ["X:3 at 40"]
    assert club.table.turn().status == "open"
    club.table.do(moderation.resume, club.table.game_id)
    club.look(7200)
    assert club.table.turn(1).status == "resolved"
    assert club.table.turn(1).missed == [BEN, CEM, DORA]


def test_the_host_closes_a_turn_though_the_forum_is_away(club: PaperClub) -> None:
    """T248: the judge waits for a forum; its host need not."""
    club.open(deadline=HOUR)
    club.paper.write("Anna", "X:3 zu 40")
    club.look()
    club.paper.trouble = Retry("the forum is being mended", 600)
    club.look(7200)
    assert club.table.turn().status == "open"
    club.table.do(moderation.force, club.table.game_id, 1)
    club.look()
    assert club.table.turn(1).why == "host"
    assert club.table.turn(1).opened_lines[ANNA] == ["X:3 at 40"]
    club.paper.trouble = None
    club.look(7200)
    assert any("X-Fine: 3 ordered" in post.text for post in club.paper.posts)


# People


@pytest.mark.parametrize(
    ("language", "told"), [("en", "shows a word of its own for you"), ("de", "eigenes Losungswort")]
)
def test_the_opening_tells_how_the_judge_learns_who_posts(club: PaperClub, language: str, told: str) -> None:
    """And a game on the judge's own board, where everybody is known, says nothing of it."""
    club.open(language=language)
    assert told in club.paper.posts[0].text
    club.table.open(forum="board", language=language)
    assert "your order page shows a word" not in str(club.table.letters("opening")[0].body)


def test_an_account_that_is_set_free_plays_no_more(club: PaperClub) -> None:
    """T037 on a forum: the seat's next player claims it with a word of his own."""
    club.open()
    word = club.word(ANNA)
    assert word is None
    club.table.do(moderation.replace_player, club.table.game_id, ANNA, "Emil")
    club.table.do(set_free, club.table.game_id, ANNA)
    club.paper.write("Anna", "X:3 zu 40")
    club.look()
    assert club.receipts(ANNA) == []
    club.paper.write("Emil", f"{club.word(ANNA)}\nX:2 zu 40")
    club.look()
    assert club.author(ANNA) == "Emil"
    assert club.lines(ANNA) == ["X:2 at 40"]


def test_orders_from_before_the_claim_are_not_read_and_the_player_is_told(club: PaperClub) -> None:
    """T237."""
    club.open(claim=False)
    club.paper.write("Anna", "X:3 zu 40")
    club.look()
    club.paper.write("Anna", f"{club.word(ANNA)}")
    club.look()
    assert club.receipts(ANNA) == []
    assert "posted again" in "".join(text for to, text in club.paper.told if to == "Anna")


def test_a_forum_that_never_let_the_judge_into_private_messages_keeps_no_turn_open(club: PaperClub) -> None:
    club.paper.mail = None
    club.open()
    club.pass_all()
    club.look()
    club.look()
    assert club.table.turn(1).status == "resolved"


def test_private_messages_that_are_taken_from_the_judge_keep_the_turn_open(club: PaperClub) -> None:
    """T248: an order may stand there that the judge cannot see any more."""
    club.open(deadline=HOUR)
    club.paper.mail = None
    club.look(7200)
    assert club.table.turn().status == "open"
    club.paper.mail = []
    club.look(7200)
    assert club.table.turn(1).status == "resolved"
