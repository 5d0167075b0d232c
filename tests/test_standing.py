"""Standing orders, forced seats, private news and the judge's orders, on a toy game that has them all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.service import moderation
from judge.service.letters import letter_report
from judge.service.position import position
from judge.service.refusal import Refusal
from judge.service.turns import waiting_for
from judge.store import queries
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[TestTable]:
    """A game of lots between Anna and Ben."""
    seat = sit_down(tmp_path, games=[lots])
    seat.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 9, "only_red": True})
    yield seat
    seat.judge.close()


def awaited(table: TestTable) -> list[str]:
    with table.judge.store.read() as session:
        return waiting_for(session, position(session, table.game_id))


def test_a_standing_set_counts_as_posted_in_later_turns(auction: TestTable) -> None:
    auction.order("1", "always 2")
    auction.order("2", "bid 1")
    auction.look()
    assert auction.turn().number == 3
    assert awaited(auction) == ["2"]


def test_a_line_replaces_the_standing_one_and_another_kind_leaves_it(auction: TestTable) -> None:
    auction.order("1", "always 2")
    auction.order("2", "bid 1")
    auction.look()
    slip = auction.order("1", "bid 5")
    assert [one.line for one in slip.understood] == ["always 2", "bid 5"]
    assert [one.line for one in auction.order("1", "always 3").understood] == ["always 3"]


def test_a_standing_line_of_a_set_that_was_replaced_is_not_kept(auction: TestTable) -> None:
    auction.order("1", "always 9")
    auction.order("1", "bid 1")
    auction.order("2", "bid 2")
    auction.look()
    assert awaited(auction) == ["1", "2"]


def test_turns_run_on_by_standing_orders_until_the_limit_and_one_letter_tells_of_all(auction: TestTable) -> None:
    """Two rounds on standing orders alone, then everybody is asked for a fresh post."""
    auction.order("1", "always 2")
    auction.order("2", "always 1")
    auction.look()
    assert auction.turn().fresh
    assert awaited(auction) == ["1", "2"]
    assert len(auction.letters("result")) == 1
    assert auction.turn().number == 7


def test_whoever_misses_the_deadline_plays_his_standing_set(auction: TestTable) -> None:
    auction.order("1", "always 2")
    auction.order("2", "always 1")
    auction.look()
    before = auction.view().points  # type: ignore[attr-defined]
    auction.do(moderation.force, auction.game_id, auction.turn().number)
    auction.look()
    assert auction.view().points["1"] > before["1"]  # type: ignore[attr-defined]


def test_a_standing_set_that_no_longer_holds_is_waited_for_again(auction: TestTable) -> None:
    """T020: it is checked anew at the opening; 9 of the purse of 10 are gone after the first round."""
    auction.order("1", "always 9")
    auction.order("2", "bid 1")
    auction.look()
    assert awaited(auction) == ["1", "2"]


def test_private_news_reach_their_seat_alone(auction: TestTable) -> None:
    auction.order("1", "bid 2")
    auction.order("2", "bid 1")
    auction.look()
    [told] = auction.letters("told")
    assert (told.recipient, told.body) == ("1", None)
    with auction.judge.store.read() as session:
        assert "You draw the card" in str(letter_report(session, told))
        assert b"You draw" not in (told.sealed_body or b"")
    assert "You draw" not in str(auction.letters("result")[0].body)


def test_the_host_calls_the_last_round(auction: TestTable) -> None:
    with pytest.raises(Refusal, match="cannot decide"):
        auction.do(moderation.decide, auction.game_id, "first round")
    auction.do(moderation.decide, auction.game_id, "last round")
    auction.order("1", "bid 2")
    auction.order("2", "bid 1")
    auction.look()
    with auction.judge.store.read() as session:
        assert session.get_one(type(queries.games(session)[0]), auction.game_id).status == "over"


def test_a_replaced_players_standing_orders_are_void(auction: TestTable) -> None:
    auction.order("1", "always 2")
    auction.order("2", "bid 1")
    auction.look()
    auction.do(moderation.replace_player, auction.game_id, "1", "Cem")
    assert awaited(auction) == ["1", "2"]


def test_bots_that_post_do_not_let_turns_run_on_past_a_person(tmp_path: Path) -> None:
    """After two rounds on her standing bid alone Anna is asked, although the bot has posted in each."""
    seat = sit_down(tmp_path, games=[lots])
    try:
        seat.open(names=("Anna", "bot"), ruleset="lots", options={"rounds": 9, "only_red": True, "purse": 1000})
        seat.order("1", "always 2")
        seat.look()
        assert seat.turn().number == 7
        assert awaited(seat) == ["1"]
    finally:
        seat.judge.close()
