"""A host takes turns back: in public, with everything kept, and with the next link of the chain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.core.record import RECORD, Closed, Created, Ended, Record, Resolved, Rewound, Started
from judge.core.seal import chain_link
from judge.service import intake, moderation
from judge.service.audit import audit_lines
from judge.service.position import position
from judge.service.refusal import Refusal
from judge.service.rewinding import rewind
from judge.service.turns import waiting_for
from judge.store import queries
from judge.store.tables import TurnRow
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[TestTable]:
    """A game of lots between Anna and Ben."""
    seat = sit_down(tmp_path, games=[lots])
    seat.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 9, "only_red": True})
    yield seat
    seat.judge.close()


@pytest.fixture
def market(table: TestTable) -> TestTable:
    """A commodity market of four that has begun."""
    table.open()
    return table


def records(table: TestTable) -> list[Record]:
    with table.judge.store.read() as session:
        return [RECORD.validate_json(row.body) for row in queries.records(session, table.game_id)]


def versions(table: TestTable, number: int) -> dict[int, TurnRow]:
    with table.judge.store.read() as session:
        rows = {row.version: row for row in queries.turns(session, table.game_id) if row.number == number}
        session.expunge_all()
        return rows


def waiting(table: TestTable) -> list[str]:
    with table.judge.store.read() as session:
        return waiting_for(session, position(session, table.game_id))


def month(table: TestTable, price: int = 42) -> None:
    """Everybody buys and the turn resolves."""
    for seat in ("1", "2", "3", "4"):
        table.order(seat, f"X:3 at {price + int(seat)}, F:3 at 35, S:3 at 25")
    table.look()


def test_a_turn_taken_back_keeps_its_result_and_gets_a_new_one(market: TestTable) -> None:
    """T039: the orders stay marked as seen, the corrected one gives a new version, the old one is kept."""
    month(market)
    assert market.do(rewind, market.game_id, 1, "Ben's post was pasted wrongly.", ["2"]) == 2
    assert waiting(market) == ["2"]
    market.order("2", "X:2 at 50")
    market.look()
    old, new = versions(market, 1)[1], versions(market, 1)[2]
    assert (old.status, new.status) == ("resolved", "resolved")
    assert old.undone is not None
    assert new.undone is None
    assert old.opened_orders["2"][0]["price"] == 44
    assert new.opened_orders["2"][0]["price"] == 50
    assert new.opened_orders["1"] == old.opened_orders["1"]
    assert market.turn().number == 2
    assert market.turn().version == 2
    rewound = next(record for record in records(market) if isinstance(record, Rewound))
    assert rewound.undone[0].opened == ("1", "2", "3", "4")


def test_the_new_version_uses_the_next_unopened_link(market: TestTable) -> None:
    month(market)
    market.do(rewind, market.game_id, 1, "A mistake.", ["2"])
    market.order("2", "pass")
    market.look()
    links = [record.chance.link for record in records(market) if isinstance(record, Started | Resolved)]
    assert links == [1, 2, 3]
    created = records(market)[0]
    assert isinstance(created, Created)
    secret = bytes.fromhex([record.chance.secret for record in records(market) if isinstance(record, Resolved)][-1])
    assert chain_link(secret, 3, 0).hex() == created.anchors.public


def test_a_public_post_says_what_was_taken_back_and_why_and_who_saw_it(market: TestTable) -> None:
    """T038: the rollback is public and lists who saw what."""
    month(market)
    market.do(rewind, market.game_id, 1, "A mistake of mine.")
    market.look()
    post = market.letters("rewound")[0]
    assert "A mistake of mine." in str(post.body)
    assert "Everybody has seen the orders of" in str(post.body)
    assert post.status == "sent"
    with market.judge.store.read() as session:
        said = [str(text) for _, text in audit_lines(session, market.game_id)]
    assert any("A mistake of mine." in line for line in said)
    assert any("Everybody has seen" in line for line in said)


def test_a_player_cannot_take_back_what_has_been_opened(market: TestTable) -> None:
    """T038: an undo after the reveal is refused."""
    month(market)
    with pytest.raises(Refusal) as refused:
        market.do(intake.withdraw, market.game_id, "1", intake.Source("form"), 1)
    assert "turn 1" in refused.value.text.text.format(**refused.value.text.values)
    assert versions(market, 1)[1].opened_orders["1"] != []


def test_whoever_is_not_to_order_anew_cannot_profit_from_what_he_saw(market: TestTable) -> None:
    month(market)
    market.do(rewind, market.game_id, 1, "Ben's post was pasted wrongly.", ["2"])
    with pytest.raises(Refusal) as refused:
        market.order("1", "X:3 at 99")
    assert "count as they were" in refused.value.text.text


def test_everybody_orders_anew_if_nobody_is_named(market: TestTable) -> None:
    month(market)
    market.do(rewind, market.game_id, 1, "The rules were wrong.")
    assert waiting(market) == ["1", "2", "3", "4"]


def test_several_turns_are_taken_back_at_once_and_the_open_one_with_them(market: TestTable) -> None:
    month(market)
    for seat in ("1", "2", "3", "4"):
        market.order(seat, "pass")
    market.look()
    market.order("1", "X:1 at 44")
    market.do(rewind, market.game_id, 1, "From the beginning.")
    assert [(row.number, row.version) for row in (market.turn(),)] == [(1, 2)]
    assert versions(market, 3)[1].status == "dropped"
    month(market)
    assert (market.turn().number, market.turn().version) == (2, 2)
    rewound = next(record for record in records(market) if isinstance(record, Rewound))
    assert [(seen.turn, seen.version) for seen in rewound.undone] == [(1, 1), (2, 1)]


def test_standing_orders_are_again_what_they_were(auction: TestTable) -> None:
    auction.order("1", "always 2")
    auction.order("2", "bid 1")
    auction.look()  # turn 1: bids, turn 2: forced colour
    auction.order("1", "always 3")
    auction.order("2", "bid 1")
    auction.look()
    auction.do(rewind, auction.game_id, 3, "Ben meant something else.", ["2"])
    kept = auction.turn()
    assert kept.kept == ["1"]
    auction.order("2", "bid 4")
    auction.look()
    assert versions(auction, 3)[2].opened_orders["1"] == [{"kind": "always", "amount": 3}]
    auction.do(rewind, auction.game_id, 1, "All of it.")
    with auction.judge.store.read() as session:
        assert queries.standing(session, auction.game_id) == {}


def test_the_orders_of_somebody_who_was_replaced_do_not_count_again(auction: TestTable) -> None:
    auction.order("1", "always 2")
    auction.order("2", "bid 1")
    auction.look()
    auction.do(moderation.replace_player, auction.game_id, "1", "Dora")
    auction.do(rewind, auction.game_id, 1, "Ben meant something else.", ["2"])
    assert waiting(auction) == ["1", "2"]
    assert auction.turn().void == ["1"]


def test_a_finished_game_goes_on_with_a_new_chain_if_nothing_was_hidden(market: TestTable) -> None:
    market.open(options={"months": 1})
    month(market)
    for seat in ("1", "2", "3", "4"):
        market.order(seat, "pass")
    market.look()
    assert isinstance(records(market)[-1], Ended)
    market.do(rewind, market.game_id, 2, "The last sale was wrong.")
    rewound = records(market)[-1]
    assert isinstance(rewound, Rewound)
    assert rewound.anchors is not None
    assert rewound.anchors.chain == 2
    for seat in ("1", "2", "3", "4"):
        market.order(seat, "pass")
    market.look()
    assert isinstance(records(market)[-1], Ended)


def test_a_finished_game_whose_deck_lies_open_stays_finished(tmp_path: Path) -> None:
    seat = sit_down(tmp_path, games=[lots])
    try:
        seat.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 1, "only_red": True})
        seat.order("1", "bid 2")
        seat.order("2", "bid 1")
        seat.look()
        assert isinstance(records(seat)[-1], Ended)
        with pytest.raises(Refusal) as refused:
            seat.do(rewind, seat.game_id, 1, "Too late.")
        assert "has been opened" in refused.value.text.text
    finally:
        seat.judge.close()


@pytest.mark.parametrize(
    ("number", "why", "reopen", "said"),
    [
        (9, "Because.", [], "no turn"),
        (2, "Because.", [], "no result"),
        (1, "   ", [], "Say in"),
        (1, "x" * 501, [], "Say in"),
        (1, "Because.", ["7"], "nothing to decide"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_with_its_reason(
    market: TestTable, number: int, why: str, reopen: list[str], said: str
) -> None:
    month(market)
    before = records(market)
    with pytest.raises(Refusal) as refused:
        market.do(rewind, market.game_id, number, why, reopen)
    assert said in refused.value.text.text
    assert records(market) == before


def test_a_doubled_request_takes_back_once(market: TestTable) -> None:
    month(market)
    for _ in range(2):
        market.do(rewind, market.game_id, 1, "A mistake.", ["2"], "one click")
    assert sorted(versions(market, 1)) == [1, 2]


def test_the_seals_stand_in_the_record_before_anything_is_opened(market: TestTable) -> None:
    month(market)
    kinds = [record.record for record in records(market)]
    assert kinds == ["created", "started", "closed", "resolved"]
    closed = next(record for record in records(market) if isinstance(record, Closed))
    assert {entry.how for entry in closed.seats.values()} == {"posted"}
    keys = [(letter.kind, letter.status) for letter in market.letters("closing") + market.letters("result")]
    assert keys == [("closing", "sent"), ("result", "sent")]
