"""Reading a topic in which people mean ill, and a forum that answers what no forum should."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest

from judge.forum import Forum, Retry
from judge.service import moderation
from judge.service.claiming import set_free
from judge.service.position import find_game
from tests.topic_on_paper import PaperClub, Visit, judge_at, on_paper, said

ANNA, BEN = "1", "2"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[PaperClub]:
    with on_paper(tmp_path / "here") as club:
        yield club


def status(club: PaperClub) -> str:
    with club.table.judge.store.read() as session:
        return find_game(session, club.table.game_id).status


# Words that claim seats


def test_a_word_that_everybody_has_read_claims_nothing_once_its_seat_is_free(club: PaperClub) -> None:
    club.open(claim=False)
    words = []
    for _ in range(3):
        words.append(club.word(ANNA))
        club.paper.write("Anna", f"{words[-1]}")
        club.look()
        assert club.author(ANNA) == "Anna"
        club.table.do(set_free, club.table.game_id, ANNA)
    for word in words:
        club.paper.write("Stranger", f"{word}")
        club.paper.message("Stranger", f"{word}")
    club.look()
    assert club.author(ANNA) is None
    club.paper.write("Anna", f"{club.word(ANNA)}")
    club.look()
    assert club.author(ANNA) == "Anna"


def test_who_copies_a_posted_word_into_a_message_comes_after_whoever_posted_it(club: PaperClub) -> None:
    """Messages are asked for before the topic is."""
    club.open(claim=False)
    post = club.paper.write("Ben", "Hello.")
    club.look()
    club.clock.forward(seconds=50)
    club.paper.write("Anna", f"{club.word(ANNA)}")
    club.paper.edit(post, f"{club.word(BEN)}")
    club.clock.forward(seconds=5)
    for seat in (ANNA, BEN):
        club.paper.message("Stranger", f"{club.word(seat)}")
    club.look(10)
    assert (club.author(ANNA), club.author(BEN)) == ("Anna", "Ben")


@pytest.mark.parametrize("again", ["Emil", None])
def test_what_a_seats_last_player_was_to_be_told_is_not_told_to_the_next(
    club: PaperClub, monkeypatch: pytest.MonkeyPatch, again: str | None
) -> None:
    """His receipts hold orders that nobody else may see; they waited for a forum that was away."""

    def away(*given: object, **settings: object) -> str:
        raise Retry("not now", 30)

    club.open()
    with monkeypatch.context() as odd:
        odd.setattr(Visit, "send", away)
        club.paper.message("Anna", "X:3 zu 40")
        club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]
    club.clock.forward(seconds=1)
    if again is None:
        club.table.do(moderation.new_link, club.table.game_id, ANNA)
    else:
        club.table.do(moderation.replace_player, club.table.game_id, ANNA, again)
    club.clock.forward(seconds=5)
    club.paper.message("Emil", f"{club.word(ANNA)}")
    for _ in range(3):
        club.look()
    told = [text for to, text in club.paper.told if to == "Emil"]
    assert len(told) == 1
    assert "X:3" not in told[0]


# Posts that are too much


@pytest.mark.parametrize("by", ["post", "message"])
def test_a_post_that_is_too_long_to_be_read_is_told_so_and_holds_nobody_up(club: PaperClub, by: str) -> None:
    club.open()
    much = "X:3 zu 40\n" * 20_000
    if by == "post":
        club.paper.write("Anna", much)
    else:
        club.paper.message("Anna", much)
    club.paper.write("Ben", "X:2 zu 41")
    began = monotonic()
    club.look()
    assert monotonic() - began < 5
    assert "characters" in said(club.receipts(ANNA)[0])
    assert club.lines(BEN) == ["X:2 at 41"]


def test_what_is_quoted_makes_no_post_too_long(club: PaperClub) -> None:
    club.open()
    club.paper.write("Anna", "> what the judge told\n" * 2_000 + "\nX:3 zu 40")
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]


# Two judges


def test_a_judge_that_was_slow_takes_nothing_back_that_another_has_seen(club: PaperClub, tmp_path: Path) -> None:
    """What it has listed is older than what was taken in since."""
    club.open()
    club.paper.write("Anna", "X:3 zu 40")
    club.look()
    second = judge_at(tmp_path / "here", club.clock, club.paper)

    came = list[str]()

    def meanwhile() -> None:
        came.append("Ben")
        club.paper.write("Ben", "X:2 zu 41")
        club.clock.forward(seconds=61)
        second.clock.work(club.table.game_id)

    try:
        club.paper.meanwhile = lambda: setattr(club.paper, "meanwhile", meanwhile)  # the first list is of messages
        club.look()
        assert came
        assert [slip.outcome for slip in club.receipts(BEN)] == ["counting"]
        club.look()
        assert club.lines(BEN) == ["X:2 at 41"]
    finally:
        second.close()


# Answers that no forum should give


@pytest.mark.parametrize("where", ["fetch_posts", "probe", "inbox"])
def test_a_connector_that_stumbles_over_an_answer_sets_no_game_aside(
    club: PaperClub, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """The game waits, its host is told, and it goes on when the forum answers rightly again."""
    club.open(deadline={"rule": "hours", "hours": 1})
    club.look(54 * 60)  # marks are asked for when a deadline is near
    club.paper.write("Anna", "X:3 zu 40")

    def stumbles(*given: object) -> Forum:
        raise OverflowError("X:3 zu 40")

    with monkeypatch.context() as odd:
        odd.setattr(Visit, where, stumbles)
        club.look()
    assert status(club) == "running"
    if where != "inbox":
        assert club.watch().alarm
        assert "X:3" not in str(club.watch().error)
    club.look()
    club.look()
    assert club.lines(ANNA) == ["X:3 at 40"]
    assert not club.watch().alarm


@pytest.mark.parametrize("created", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("fast", [-300, 300])
def test_a_post_of_the_first_or_last_year_is_read(club: PaperClub, created: datetime, fast: int) -> None:
    club.open()
    club.paper.fast = timedelta(seconds=fast)
    club.paper.write("Anna", "X:3 zu 40", created=created)
    club.look()
    assert status(club) == "running"
    assert club.lines(ANNA) == ["X:3 at 40"]


def test_a_flood_of_orders_sends_no_flood_of_receipts(club: PaperClub) -> None:
    """The newest are sent; all of them stand on the order page."""
    club.open()
    for price in range(40, 70):
        club.paper.message("Anna", f"X:3 zu {price}")
    club.look()
    receipts = [letter for letter in club.table.all_letters() if letter.kind.startswith("receipt-")]
    assert len(receipts) == 30
    assert [letter.status for letter in receipts] == ["kept"] * 25 + ["sent"] * 5
    assert club.lines(ANNA) == ["X:3 at 69"]
    assert len(club.receipts(ANNA)) == 30
