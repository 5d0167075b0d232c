"""Where a game's chance comes from: bound before anybody orders, mixed with all that counts, opened in time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from judge.core.dice import Dice
from judge.core.record import RECORD, Closed, Created, Ended, Record, Resolved, Started
from judge.core.seal import ZERO, chain_link, name_contribution, throw_context
from judge.service import chance, moderation, table
from judge.service.position import position
from judge.store import queries
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[TestTable]:
    """A game of lots between Anna and Ben that has not begun."""
    seat = sit_down(tmp_path, games=[lots])
    seat.open(names=("Anna", "Ben"), start=False, ruleset="lots", options={"rounds": 9, "only_red": True})
    yield seat
    seat.judge.close()


def records(table: TestTable) -> list[Record]:
    with table.judge.store.read() as session:
        return [RECORD.validate_json(row.body) for row in queries.records(session, table.game_id)]


def bid(table: TestTable, *bids: str) -> None:
    for seat, line in enumerate(bids, 1):
        table.order(str(seat), line)
    table.look()


def closings(table: TestTable) -> list[Closed]:
    return [record for record in records(table) if isinstance(record, Closed)]


def results(table: TestTable) -> list[Resolved]:
    return [record for record in records(table) if isinstance(record, Resolved)]


def test_chance_is_bound_before_anybody_has_sat_down(auction: TestTable) -> None:
    """T322: commit first, then mix."""
    created = records(auction)[0]
    assert isinstance(created, Created)
    auction.do(table.start, auction.game_id)
    started = records(auction)[1]
    assert isinstance(started, Started)
    assert hashlib.sha256(bytes.fromhex(started.chance.secret)).hexdigest() == created.anchors.public
    assert started.seats == {"1": name_contribution("Anna").hex(), "2": name_contribution("Ben").hex()}


def test_each_result_opens_the_link_before_which_all_earlier_ones_lie(auction: TestTable) -> None:
    auction.do(table.start, auction.game_id)
    for _ in range(3):
        bid(auction, "bid 1", "bid 1")
    created = records(auction)[0]
    assert isinstance(created, Created)
    opened = [record.chance for record in records(auction) if isinstance(record, Started | Resolved)]
    assert [one.link for one in opened] == list(range(1, len(opened) + 1))
    for one in opened:
        assert chain_link(bytes.fromhex(one.secret), one.link, 0).hex() == created.anchors.public


def test_throws_come_from_the_link_and_the_seals_of_all_sets_in_seat_order(auction: TestTable) -> None:
    auction.do(table.start, auction.game_id)
    bid(auction, "bid 3", "bid 3")
    closed, resolved = closings(auction)[0], results(auction)[0]
    sealed = [bytes.fromhex(closed.seats[seat].commitment or "") for seat in ("1", "2")]
    context = throw_context(auction.game_id, 1, 1, resolved.chance.link, sealed)
    dice = Dice(bytes.fromhex(resolved.chance.secret), context=context)
    assert len(resolved.chance.throws) >= 2
    for throw in resolved.chance.throws:
        assert throw.throw == "roll"
        assert dice.roll(throw.sides) == throw.threw


def test_the_same_turn_throws_the_same_as_often_as_it_is_asked(auction: TestTable) -> None:
    """T320."""
    auction.do(table.start, auction.game_id)
    bid(auction, "bid 1", "bid 2")
    with auction.judge.store.read() as session:
        turn = queries.turn(session, auction.game_id, 1)
        assert turn is not None
        first, second = (chance.turn_dice(session, turn, [None, None]) for _ in range(2))
        assert [first.roll() for _ in range(20)] == [second.roll() for _ in range(20)]


def test_who_is_absent_or_forced_contributes_zeros(auction: TestTable) -> None:
    auction.do(table.start, auction.game_id)
    auction.order("1", "bid 2")
    auction.do(moderation.force, auction.game_id, 1)
    auction.look()
    closed = closings(auction)[0]
    assert (closed.seats["2"].how, closed.seats["2"].commitment) == ("missed", None)
    painting = closings(auction)[1]
    assert painting.seats["1"].how == "forced"
    resolved = results(auction)[1]
    context = throw_context(auction.game_id, 2, 1, resolved.chance.link, [ZERO, ZERO])
    assert Dice(bytes.fromhex(resolved.chance.secret), context=context).roll(100) == _roll(auction, 2)


def _roll(table: TestTable, number: int) -> int:
    with table.judge.store.read() as session:
        turn = queries.turn(session, table.game_id, number)
        assert turn is not None
        return chance.turn_dice(session, turn, [None, None]).roll(100)


def test_a_replaced_set_contributes_nothing(auction: TestTable) -> None:
    auction.do(table.start, auction.game_id)
    first = auction.order("1", "bid 2")
    last = auction.order("1", "bid 3")
    bid(auction, "bid 3", "bid 1")
    assert first.sealed is not None
    assert last.sealed is not None
    assert first.sealed.commitment != last.sealed.commitment
    assert closings(auction)[0].seats["1"].commitment == last.sealed.commitment


def test_the_same_set_has_the_same_seal_so_that_the_judge_has_no_choice(auction: TestTable) -> None:
    auction.do(table.start, auction.game_id)
    seals = {slip.sealed.commitment for slip in (auction.order("1", "bid 2") for _ in range(3)) if slip.sealed}
    assert len(seals) == 1


def test_a_standing_set_is_sealed_anew_for_its_turn(auction: TestTable) -> None:
    auction.do(table.start, auction.game_id)
    bid(auction, "always 2", "bid 1")
    bid_later = closings(auction)[-1]
    auction.order("2", "bid 1")
    auction.look()
    standing = next(one for one in closings(auction) if one.seats.get("1") and one.seats["1"].how == "standing")
    assert standing.seats["1"].commitment is not None
    assert standing.seats["1"].commitment != closings(auction)[0].seats["1"].commitment
    assert bid_later.turn == 2


def test_a_chain_that_runs_out_is_followed_by_one_whose_anchor_is_published_first(
    auction: TestTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chance, "CHAIN_LENGTH", 3)
    auction.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 9, "only_red": True})
    for _ in range(4):
        bid(auction, "bid 1", "bid 1")
    used = [(one.chance.chain, one.chance.link, one.anchors) for one in results(auction)]
    assert [(chain, link) for chain, link, _ in used][:5] == [(1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]
    assert [anchors.chain for _, link, anchors in used if link == 3 and anchors is not None] == [2, 3, 4]
    assert all(anchors is None for _, link, anchors in used if link < 3)


def test_hidden_secrets_open_when_the_game_ends_and_not_before(auction: TestTable) -> None:
    auction.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 1, "only_red": True})
    created = records(auction)[0]
    assert isinstance(created, Created)
    with auction.judge.store.read() as session:
        hidden = chance.hidden_secret(session, auction.game_id, 1).hex()
        assert all(hidden not in row.body for row in queries.records(session, auction.game_id))
    bid(auction, "bid 2, guess red", "bid 1, guess blue")
    ended = records(auction)[-1]
    assert isinstance(ended, Ended)
    assert ended.hidden == {1: hidden}
    assert hashlib.sha256(bytes.fromhex(hidden)).hexdigest() == created.anchors.hidden
    assert {part.seat: part.part.orders for part in ended.sets} == {
        "1": [{"kind": "guess", "colour": "red"}],
        "2": [{"kind": "guess", "colour": "blue"}],
    }
    assert all("guess" not in str(record) for record in records(auction)[1:-1])


def test_a_game_that_is_older_than_records_has_one_from_now_on(tmp_path: Path) -> None:
    old = sit_down(tmp_path, games=[lots])
    old.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 1, "only_red": True})
    with old.judge.store._engine.begin() as connection:
        for name in ("record", "chain"):
            connection.execute(text(f"DELETE FROM {name}"))
        connection.execute(text("UPDATE turn SET chain = 0, link = 0"))
    old.judge.close()
    new = sit_down(tmp_path, games=[lots])
    new.game_id = old.game_id
    try:
        created = records(new)[0]
        assert isinstance(created, Created)
        assert created.joined is not None
        assert created.joined.turn == 1
        bid(new, "bid 2", "bid 1")
        assert isinstance(records(new)[-1], Ended)
    finally:
        new.judge.close()


def test_a_turn_that_was_closed_by_an_older_judge_resolves_with_a_record(tmp_path: Path) -> None:
    old = sit_down(tmp_path, games=[lots])
    old.open(names=("Anna", "Ben"), ruleset="lots", options={"rounds": 1, "only_red": True})
    old.order("1", "bid 2")
    old.order("2", "bid 1")
    with old.judge.store._engine.begin() as connection:
        for name in ("record", "chain"):
            connection.execute(text(f"DELETE FROM {name}"))
        connection.execute(
            text("UPDATE turn SET chain = 0, link = 0, status = 'closed', closed = opened, why = 'deadline'")
        )
    old.judge.close()
    new = sit_down(tmp_path, games=[lots])
    new.game_id = old.game_id
    try:
        new.look()
        assert [record.record for record in records(new)][:3] == ["created", "closed", "resolved"]
        assert closings(new)[0].why == "deadline", "the record says what really closed it"
        with new.judge.store.read() as session:
            assert position(session, new.game_id).game.status == "over"
    finally:
        new.judge.close()
