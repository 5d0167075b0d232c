"""A game moves to another judge: one sealed file, and it goes on there as if it had stayed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from judge.core.seal import canonical, digest
from judge.service import access, keys, moderation, moving, thread
from judge.service import table as table_cases
from judge.service.access import Access
from judge.service.audit import audit_lines
from judge.service.deadlines import Hours
from judge.service.export import export
from judge.service.refusal import Refusal
from judge.store import Vault, queries
from judge.store.tables import GameRow, PostRow, SubmissionRow
from tests.at_the_table import START, TestTable, sit_down
from tests.toy_ruleset import ruleset as lots

AWAY = timedelta(hours=5)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[TestTable]:
    table = sit_down(tmp_path / "here", games=[lots])
    yield table
    table.judge.close()


@pytest.fixture
def there(tmp_path: Path) -> Iterator[TestTable]:
    table = sit_down(tmp_path / "there", games=[lots])
    yield table
    table.judge.close()


def key_of(table: TestTable) -> Vault:
    return Vault.open_file(table.judge.settings.key_path)


def begun(table: TestTable) -> str:
    """Three turns in, with everything that a game can hold: posts, standing and late orders, cards, a bearer token."""
    game_id = table.open(("Anna", "Ben", "Cem"), ruleset="lots", deadline=Hours(hours=24))
    table.do(access.claim_link, table.tokens["1"], "annas-program", bearer=True)
    table.post("1", "Good luck!\n\nbid 3")
    table.post("2", "bid 3")
    table.order("3", "always 2")
    table.look()
    winner = next(iter(table.position().asks))
    table.order(winner, "paint blue")
    table.look()
    table.post("1", "Once more.\n\nbid 4\nguess red")
    return game_id


def packed(table: TestTable) -> bytes:
    file: bytes = table.do(moving.pack, table.game_id)
    return file


def arrive(table: TestTable, file: bytes, key: Vault | None = None) -> moving.Arrived:
    arrived: moving.Arrived = table.do(moving.bring_in, file, key)
    table.game_id = arrived.game_id
    return arrived


def moved(here: TestTable, there: TestTable) -> bytes:
    """The game leaves here and arrives there five hours later."""
    file = packed(here)
    there.clock.time = here.clock.time + AWAY
    arrive(there, file, key_of(here))
    there.tokens = here.tokens
    return file


def records(table: TestTable) -> list[tuple[str, str]]:
    with table.judge.store.read() as session:
        return [(row.hash, row.body) for row in queries.records(session, table.game_id)]


def everything(table: TestTable, read: Callable[[Any], Any]) -> Any:
    with table.judge.store.read() as session:
        return read(session)


def play_on(table: TestTable) -> None:
    """The rest of the game, the same wherever it is played."""
    table.order("2", "bid 4")
    while table.position().asks:
        table.look()
        for seat in table.position().asks:
            with_colour = table.turn().public_state["phase"] == "paint"
            table.order(seat, "paint red" if with_colour else "bid 1")
    table.look()


def test_a_moved_game_ends_as_it_would_have_where_it_began(here: TestTable, there: TestTable) -> None:
    """Same dice, same cards, same salts: the new judge publishes the very seals and throws that the old one would."""
    begun(here)
    moved(here, there)
    before = records(here)
    assert records(there) == before
    there.clock.time = here.clock.time
    here.do(moderation.resume, here.game_id)  # what must never be done to a game that arrived
    play_on(here)
    play_on(there)

    def told(table: TestTable) -> list[dict[str, Any]]:
        said = [json.loads(body) for _, body in records(table)]
        return [{**one, "deadline": None, "keys": []} for one in said]

    assert told(there) == told(here)
    assert json.loads(records(there)[-1][1])["record"] == "ended"


def test_orders_posts_and_receipts_come_along_under_the_new_judges_key(here: TestTable, there: TestTable) -> None:
    other = there.open(("Dora", "Emil"), ruleset="lots")  # so that free numbers are taken already
    there.post("1", "bid 2")
    begun(here)
    mine = here.thread("1")
    moved(here, there)
    posts = [post for post in there.thread("1") if post.key is None or "arrived" not in post.key]
    assert [(post.text, post.source, post.opened, post.sealed) for post in posts] == [
        (post.text, post.source, post.opened, post.sealed) for post in mine
    ]
    assert posts[0].opened == ("bid 3",)
    with there.judge.store.read() as session:
        for row in session.exec(select(SubmissionRow).where(SubmissionRow.via == "post")):
            assert session.get_one(PostRow, int(row.post_id or 0)).game_id == row.game_id
        assert access.access(session, "annas-program", there.game_id).seat == "1"
        assert queries.seats(session, other)[0].name == "Dora"
    latest = next(post for post in there.thread("1") if post.source and "bid 4" in post.source)
    withdrawn = there.do(thread.delete, Access(there.game_id, seat="1"), "", latest.id)
    assert withdrawn.outcome == "withdrawn", "the judge still knows which post these orders came in"
    there.post("1", "bid 1")
    there.order("2", "pass")
    there.order("3", "pass")
    there.look()
    assert there.turn(3).opened_orders["1"] == [{"kind": "bid", "amount": 1}]


def test_the_deadline_moves_by_the_time_on_the_way(here: TestTable, there: TestTable) -> None:
    begun(here)
    moved(here, there)
    assert there.turn().deadline == START + timedelta(hours=24) + AWAY
    there.look()
    assert "The turn closes" in there.thread()[-1].report.blocks[0].text.text  # type: ignore[union-attr]


def test_a_paused_game_stays_paused_and_loses_no_time(here: TestTable, there: TestTable) -> None:
    begun(here)
    here.do(moderation.pause, here.game_id)
    moved(here, there)
    there.clock.forward(hours=1)
    there.do(moderation.resume, there.game_id)
    assert there.turn().deadline == START + timedelta(hours=24) + AWAY + timedelta(hours=1)


def test_the_game_rests_where_it_was(here: TestTable, there: TestTable) -> None:
    """Nothing is taken, resolved or sent here any more; what stands here can still be read."""
    begun(here)
    moved(here, there)
    here.clock.forward(days=3)
    here.look()
    assert here.turn().status == "open"
    game = everything(here, lambda session: session.get(GameRow, here.game_id))
    assert (game.status, game.alarm) == ("aside", moving.ALARM)
    assert "another judge" in here.thread()[-1].report.blocks[0].text.text  # type: ignore[union-attr]
    for deed in (
        lambda: here.post("2", "bid 5"),
        lambda: here.order("2", "bid 5"),
        lambda: here.do(access.claim_link, here.tokens["2"], "somebody"),
        lambda: packed(here),
    ):
        with pytest.raises(Refusal, match="another judge"):
            deed()


def test_waiting_letters_are_sent_by_the_new_judge_and_sent_ones_by_nobody(here: TestTable, there: TestTable) -> None:
    begun(here)
    sent = {post.key for post in here.thread() if post.key}
    here.do(moderation.extend, here.game_id, timedelta(hours=1))
    waiting = everything(here, lambda session: {row.key for row in queries.letters_under_way(session)})
    moved(here, there)
    here.look()
    there.look()
    assert {post.key for post in here.thread() if post.key} - sent == {f"{here.game_id}/-/moved-1/thread"}
    posts = [post.key for post in there.thread() if post.key]
    assert len(posts) == len(set(posts))
    assert set(posts) - sent == {*waiting, f"{here.game_id}/-/arrived-1/thread"}
    assert len(waiting) == 1


def test_both_ends_say_in_public_what_was_done(here: TestTable, there: TestTable) -> None:
    """T324: exported with all secrets, imported."""
    begun(here)
    moved(here, there)
    lines = everything(there, lambda session: [text.text for _, text in audit_lines(session, there.game_id)])
    assert lines[-2:] == [
        "The game was exported with all that is sealed, for another judge.",
        "The game came from another judge.",
    ]
    assert lines[:-1] == everything(here, lambda session: [text.text for _, text in audit_lines(session, here.game_id)])


def test_old_receipts_verify_and_old_envelopes_open_at_the_new_judge(here: TestTable, there: TestTable) -> None:
    """The pairs of the judge it left are there as retired ones; with its signing key nothing can be signed."""
    begun(here)
    old = everything(here, keys.all_keys)
    moved(here, there)
    with there.judge.store.read() as session:
        found = {row.kid: row for row in keys.all_keys(session)}
        for row in old:
            assert found[row.kid].retired is not None
            assert found[row.kid].public == row.public
        private = {key["kid"]: key for key in keys.private_keys(session, "enc")}
        assert all("d" in private[row.kid] for row in old if row.use == "enc")
        signing = {key["kid"]: key for key in keys.private_keys(session, "sig")}
        assert all("d" not in signing[row.kid] for row in old if row.use == "sig")
        assert {row.kid for row in old if row.use == "sig"} <= {
            key["kid"] for key in export(session, there.game_id).keys
        }


def test_a_game_that_is_here_already_is_refused(here: TestTable, there: TestTable) -> None:
    begun(here)
    file = moved(here, there)
    with pytest.raises(Refusal, match="is here already"):
        arrive(there, file, key_of(here))


def test_a_game_may_come_back_with_what_was_played_elsewhere(here: TestTable, there: TestTable) -> None:
    begun(here)
    moved(here, there)
    there.order("2", "bid 4")
    there.order("3", "always 1")
    there.look()
    told = records(there)
    file = packed(there)
    here.clock.time = there.clock.time
    assert arrive(here, file, key_of(there)).back
    assert records(here) == told
    assert here.turn().number == there.turn().number
    lines = everything(here, lambda session: [text.text for _, text in audit_lines(session, here.game_id)])
    assert lines[-1] == "The game came back from another judge."
    assert len([line for line in lines if "exported" in line]) == 2
    play_on_until_over(here)
    assert json.loads(records(here)[-1][1])["record"] == "ended"
    with pytest.raises(Refusal, match="is here already"):
        arrive(here, file, key_of(there))


def play_on_until_over(table: TestTable) -> None:
    while table.position().asks:
        for seat in table.position().asks:
            table.order(seat, "pass")
        table.look()


def test_an_older_file_does_not_overwrite_what_was_played_since(here: TestTable, there: TestTable) -> None:
    begun(here)
    first = moved(here, there)
    there.order("2", "bid 4")  # not in any record yet
    arrive(here, packed(there), key_of(there))
    with pytest.raises(Refusal, match="does not continue"):
        arrive(there, first, key_of(here))


def test_a_move_that_failed_is_taken_back_by_the_host_or_by_the_file_itself(here: TestTable) -> None:
    begun(here)
    file = packed(here)
    here.clock.forward(hours=1)
    here.do(moderation.resume, here.game_id)
    assert here.turn().deadline == START + timedelta(hours=25)
    assert here.order("2", "bid 4").outcome == "counting"
    packed(here)
    with pytest.raises(Refusal, match="does not continue"):
        arrive(here, file)
    here.do(moderation.resume, here.game_id)
    again = packed(here)
    assert arrive(here, again).status == "running"
    here.order("3", "pass")
    here.look()
    assert here.turn(3).opened_orders["2"] == [{"kind": "bid", "amount": 4}]


def test_open_and_finished_games_move_too(here: TestTable, there: TestTable) -> None:
    here.open(("Anna", "", "bot"), start=False, ruleset="lots")
    moved(here, there)
    there.do(table_cases.take_seat, there.game_id, "Ben", "bens-browser")
    there.do(table_cases.start, there.game_id)
    there.order("1", "pass")
    with pytest.raises(Refusal, match="another judge"):
        here.do(table_cases.take_seat, here.game_id, "Cem", "cems-browser")
    begun(here)
    play_on(here)
    moved(here, there)
    for table in (here, there):
        assert everything(table, lambda session: export(session, here.game_id)).status == "over"
    assert records(here) == records(there)


def test_a_file_of_an_older_version_is_taken_with_what_came_later_as_new(here: TestTable, there: TestTable) -> None:
    """T328: rows without columns that later versions have; a column that is not known here is a newer version's."""
    begun(here)
    label, inside = opened_up(here, packed(here))
    for values in inside["rows"]["turn"]:
        del values["void"]
    for values in inside["rows"]["submission"]:
        del values["request"]
    assert arrive(there, closed_again(here, label, inside), key_of(here)).status == "running"
    play_on(there)
    assert json.loads(records(there)[-1][1])["record"] == "ended"


def opened_up(table: TestTable, file: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    outside = json.loads(file)
    return outside, key_of(table).unseal(outside["sealed"].encode())


def closed_again(table: TestTable, outside: dict[str, Any], inside: dict[str, Any]) -> bytes:
    rest = {**outside, "sealed": key_of(table).seal(inside).decode()}
    del rest["hash"]
    return canonical({**rest, "hash": digest(rest)}) + b"\n"


# What is refused


def refused(table: TestTable, file: bytes, key: Vault | None = None) -> str:
    with pytest.raises(Refusal) as refusal:
        table.do(moving.bring_in, file, key)
    assert everything(table, queries.games) == [], "nothing of it is left"
    return refusal.value.text.text


def test_the_file_opens_with_the_key_of_the_judge_that_wrote_it(here: TestTable, there: TestTable) -> None:
    begun(here)
    file = packed(here)
    assert "--key" in refused(there, file)
    assert "--key" in refused(there, file, Vault.generate())
    assert arrive(there, file, key_of(here)).title == lots.title.text


def test_without_the_key_nothing_of_the_game_can_be_read(here: TestTable) -> None:
    begun(here)
    file = packed(here)
    outside = json.loads(file)
    assert set(outside) == {"gamejudge_private", "game", "title", "sealed", "hash"}
    inside = key_of(here).unseal(outside["sealed"].encode())
    for word in ('"Anna"', '"guess"', '"seed"', '"deck"', '"sealed_orders"'):
        assert word in json.dumps(inside)
        assert word not in file.decode()


def test_every_changed_byte_is_found(here: TestTable, there: TestTable) -> None:
    begun(here)
    file = packed(here)
    for place in (*range(0, len(file), len(file) // 40), len(file) - 1, len(file) - 2):
        for other in (file[place] ^ 1, file[place] ^ 0x20):
            changed = file[:place] + bytes([other]) + file[place + 1 :]
            assert refused(there, changed, key_of(here))
    for cut in (file[:-1], file[: len(file) // 2], b"", file + b"\n", b"[" * 100_000, b"\xff\xfe"):
        assert "damaged" in refused(there, cut, key_of(here))


def test_no_label_can_be_put_on_another_games_content(here: TestTable, there: TestTable) -> None:
    begun(here)
    label, inside = opened_up(here, packed(here))
    for content, title in ((inside, "Another"), ([], label["title"]), ({"bid": 3}, label["title"])):
        forged = closed_again(here, {**label, "title": title}, content)
        assert "damaged" in refused(there, forged, key_of(here))


def test_public_exports_newer_files_and_missing_rules_are_told_apart(here: TestTable, tmp_path: Path) -> None:
    game_id = begun(here)
    there = sit_down(tmp_path / "without lots")
    public = everything(here, lambda session: export(session, game_id)).model_dump_json().encode()
    assert "holds nothing sealed" in refused(there, public)
    assert "newer version" in refused(there, b'{"gamejudge_private": 2}')
    begun(here)
    label, inside = opened_up(here, packed(here))
    for name, values in (("comet", []), ("seat", [{**inside["rows"]["seat"][0], "comet": 1}])):
        newer = closed_again(here, label, {**inside, "rows": {**inside["rows"], name: values}})
        assert "newer version" in refused(there, newer, key_of(here))
    begun(here)
    assert "not installed here" in refused(there, packed(here), key_of(here))
    there.judge.close()
