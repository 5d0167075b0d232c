"""A database without its key file tells nothing that is not public: neither its files, nor a backup, nor a log.

A game of Lots gets sets through every door, each with an amount of its own.  Before the turn resolves none of them may
stand anywhere on the disk; of those that never counted, and of the judge's own secrets, nothing ever may.
"""

from __future__ import annotations

import base64
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import LargeBinary, create_engine, select, text

from judge.envelope import Content, seal
from judge.service import intake, keys, moderation
from judge.service.luggage import gather
from judge.service.receipts import load_receipt
from judge.store import unseal
from judge.store.columns import Table
from judge.store.tables import ChainRow, SubmissionRow
from tests.at_the_forum import at_the_forum
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots

COUNTING = {"1": 731, "2": 742, "3": 753}
"""By seat: the amount of the set that counts; it opens with its turn."""
STANDING = 775
NEVER = {"replaced": 816, "withdrawn": 827, "refused": 838, "unreadable": 1849}
"""Amounts in sets that never counted, so they never open."""

SEALED = re.compile(rb"gAAAA[\w-]{40,}={0,2}")


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestTable]:
    database = str(request.getfixturevalue("postgres_url")) if request.param == "postgresql" else ""
    seated = sit_down(tmp_path, database, games=[lots])
    seated.open(("Anna", "Ben", "Cem", "Dora"), ruleset="lots", options={"purse": 1000, "rounds": 2})
    seated.look()
    yield seated
    seated.judge.close()


def hand_in_by_every_door(table: TestTable) -> None:
    table.order("1", f"bid {NEVER['replaced']}")
    table.do(intake.hand_in, table.game_id, "1", intake.Source("api"), [{"kind": "bid", "amount": NEVER["withdrawn"]}])
    table.do(intake.withdraw, table.game_id, "1", intake.Source("form"))
    table.order("1", f"bid {COUNTING['1']}\nguess blue")
    table.post("1", f"bid {NEVER['unreadable']}")
    table.post("2", f"Good luck to all!\n\n> bid {NEVER['refused']}\n\nbid {NEVER['refused']}, blid 3")
    table.post("2", f"Good luck to all!\n\nbid {COUNTING['2']}\nguess red")
    with table.judge.store.read() as session:
        key = keys.envelope_key(session)
    inside = Content(game=table.game_id, turn=1, version=1, seat="3", text=f"bid {COUNTING['3']}")
    table.post("3", f"Under seal:\n\n{seal(key, inside)}")
    table.do(moderation.paste, table.game_id, "4", f"always {STANDING}", "markdown", True)


def disk(table: TestTable) -> dict[str, bytes]:
    """Everything that whoever stole the database would hold, by where he found it."""
    url = table.judge.settings.database_url
    if not url.startswith("sqlite"):
        engine = create_engine(url)
        with engine.connect() as connection:
            dumped = {
                name: "\n".join(connection.execute(text(f'SELECT t::text FROM "{name}" t')).scalars()).encode()
                for name in Table.metadata.tables
            }
        engine.dispose()
        return dumped
    folder = table.judge.settings.data
    with sqlite3.connect(folder / "gamejudge.db") as live, sqlite3.connect(folder / "backup.db") as backup:
        live.backup(backup)
    dump = "\n".join(backup.iterdump()).encode()
    live.close()
    backup.close()
    found = {path.name: path.read_bytes() for path in folder.iterdir() if ".key" not in path.suffixes}
    assert {"gamejudge.db", "gamejudge.db-wal", "backup.db"} <= set(found)
    return {**found, "dump": dump}


def forms(secret: bytes) -> Iterator[bytes]:
    """A secret as it is, in JSON within JSON, in hex, and in base64 wherever in a longer text it begins."""
    yield secret
    yield secret.replace(b'"', b'\\"')
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + secret)
        inner = encoded[(0, 2, 3)[before] : (before + len(secret)) * 8 // 6]
        yield inner
        yield inner.replace(b"+", b"-").replace(b"/", b"_")


def phrases(amount: int) -> Iterator[bytes]:
    """How a bid can stand somewhere."""
    yield from (f"{kind} {amount}".encode() for kind in ("bid", "always"))
    yield from (f'"amount":{blank}{amount}'.encode() for blank in ("", " "))


def own_secrets(table: TestTable) -> set[bytes]:
    """What the judge itself must keep: seeds of chains, private keys, and what stands on receipts alone."""
    found: set[bytes] = set()
    with table.judge.store.read() as session:
        for chain in session.execute(select(ChainRow)).scalars():
            seed = unseal(session, chain.sealed_secrets)["seed"]
            found |= {seed.encode(), bytes.fromhex(seed)}
        for use in ("sig", "enc"):
            found |= {key["d"].encode() for key in keys.private_keys(session, use)}
        for row in session.execute(select(SubmissionRow)).scalars():
            slip = load_receipt(session, row)
            found.add(slip.signed.encode())
            if row.status != "counting" and slip.sealed is not None:
                found |= {part.salt.encode() for part in slip.sealed.parts.values()}
                found.add(slip.sealed.commitment.encode())
    return found


def seals_and_hidden_secrets(table: TestTable) -> set[bytes]:
    """What opens later: the commitments and salts of counting sets, and the secret behind shuffles and salts."""
    found: set[bytes] = set()
    with table.judge.store.read() as session:
        for chain in session.execute(select(ChainRow)).scalars():
            hidden = unseal(session, chain.sealed_secrets)["hidden"]
            found |= {hidden.encode(), bytes.fromhex(hidden)}
        for row in session.execute(select(SubmissionRow).where(SubmissionRow.status == "counting")).scalars():
            sealed = load_receipt(session, row).sealed
            assert sealed is not None
            found |= {sealed.commitment.encode(), *(part.salt.encode() for part in sealed.parts.values())}
    return found


def found_on_disk(table: TestTable, secrets: set[bytes]) -> list[str]:
    return [
        f"{secret!r} in {place}"
        for place, content in disk(table).items()
        for secret in secrets
        if any(form in content for form in forms(secret))
    ]


def in_open_columns(table: TestTable, *amounts: int) -> list[str]:
    """Columns that are not sealed and hold one of these numbers, or a guess, in any row."""
    wanted = re.compile(rf"(?<![0-9a-z])(?:{'|'.join(map(str, amounts))})(?![0-9a-z])", re.IGNORECASE)
    found = []
    with table.judge.store.read() as session:
        for own in Table.metadata.sorted_tables:
            for column in own.columns:
                if not isinstance(column.type, LargeBinary):
                    values = session.execute(select(column)).scalars()
                    found += [f"{column}: {value}" for value in values if wanted.search(json.dumps(value, default=str))]
    return found


def test_an_open_turn_is_nowhere_on_the_disk(table: TestTable) -> None:
    """T030, at rest: no set, whichever door it came through, no seal of it, no secret of the judge."""
    hand_in_by_every_door(table)
    assert len(table.turn().complete.isoformat()) > 0  # type: ignore[union-attr]  # everybody has posted
    amounts = {*COUNTING.values(), STANDING, *NEVER.values()}
    assert in_open_columns(table, *amounts) == []
    words = {phrase for amount in amounts for phrase in phrases(amount)} | {b"guess blue", b'"guess"', b'"deck"'}
    assert found_on_disk(table, words | own_secrets(table) | seals_and_hidden_secrets(table)) == []


def test_a_closed_turn_shows_seals_and_no_order(table: TestTable) -> None:
    """Between the close and the result the commitments are public; what they fix is not."""
    hand_in_by_every_door(table)
    assert table.do(moderation.force, table.game_id, 1)
    amounts = {*COUNTING.values(), STANDING, *NEVER.values()}
    assert in_open_columns(table, *amounts) == []
    words = {phrase for amount in amounts for phrase in phrases(amount)}
    assert found_on_disk(table, words | own_secrets(table)) == []


def test_what_never_counted_and_what_nobody_else_is_told_never_opens(table: TestTable) -> None:
    """T034's other half: a game later, sets that were replaced, withdrawn or refused are as sealed as ever."""
    hand_in_by_every_door(table)
    while table.position().asks:
        table.look()
        for seat in table.position().asks:
            table.order(seat, "pass")
    assert in_open_columns(table, COUNTING["3"]) != [], "what counted is open by now, so the search would find it"
    assert in_open_columns(table, *NEVER.values()) == []
    words = {phrase for amount in NEVER.values() for phrase in phrases(amount)} | {b'"deck"', b"You draw the card"}
    assert found_on_disk(table, words | own_secrets(table)) == []


def test_the_search_finds_what_is_there(table: TestTable) -> None:
    """Else nothing would be found because nothing is looked for: opened, all of it is there."""
    hand_in_by_every_door(table)
    with table.judge.store.read() as session:
        opened = json.dumps(gather(session, table.game_id)).encode()
    for amount in (*COUNTING.values(), STANDING, *NEVER.values()):
        assert any(form in opened for phrase in phrases(amount) for form in forms(phrase)), amount
    assert b'"guess"' in opened
    assert b'"deck"' in opened
    kept = {secret for secret in own_secrets(table) if secret in opened}
    assert len(kept) >= 8, "a seed, a private key, receipts, salts"
    for secret in (b"bid 731", b'"amount":731'):
        for coded in (
            base64.b64encode(b"x" + secret + b"y"),
            secret.hex().encode(),
            json.dumps([secret.decode()]).encode(),
        ):
            assert any(form in coded for form in forms(secret))


def test_the_length_of_what_is_sealed_does_not_tell_a_pass_from_an_order(table: TestTable) -> None:
    for orders in ("pass", "bid 9", "bid 731\nguess blue", f"always {STANDING}\nguess red"):
        table.order("1", orders)
    with table.judge.store.read() as session:
        lengths = {len(sealed) for sealed in session.execute(select(SubmissionRow.sealed_orders)).scalars()}
    assert len(lengths) == 1


AT_A_FORUM = {"forum.sealed_settings", "sight.sealed_text", "letter.sealed_parts"}
"""Columns that only a game on a forum fills; the parts of a long private letter only where posts are short."""


def test_every_column_for_secrets_is_sealed_and_used(table: TestTable) -> None:
    """Bytes stand in columns called `sealed_…` and nowhere else, each under the vault, and the game has filled them."""
    hand_in_by_every_door(table)
    table.look()
    assert sealed_columns(table) - AT_A_FORUM == {name for name in sealed_columns(table) if filled(table, name)}


def test_what_is_secret_at_a_forum_is_sealed(tmp_path: Path) -> None:
    """The account's token, and what was typed in posts."""
    with at_the_forum("documented.nodebb", tmp_path) as club:
        club.open()
        club.post("Anna", "X:3 zu 40")
        club.look()
        for name in ("forum.sealed_settings", "sight.sealed_text"):
            assert filled(club.table, name), name
        token = club.live.accounts["Judge"].password.encode()
        assert not any(token in file.read_bytes() for file in tmp_path.iterdir())


def sealed_columns(table: TestTable) -> set[str]:
    """The columns with bytes, which are those so named."""
    every = [column for own in Table.metadata.sorted_tables for column in own.columns]
    for column in every:
        assert isinstance(column.type, LargeBinary) == column.name.startswith("sealed_"), column
    return {str(column) for column in every if isinstance(column.type, LargeBinary)}


def filled(table: TestTable, name: str) -> bool:
    """Whether rows fill this column, each under the vault."""
    own, _, column = name.partition(".")
    with table.judge.store.read() as session:
        every = session.execute(select(Table.metadata.tables[own].columns[column])).scalars()
        values = [bytes(value) for value in every if value is not None]
    assert all(SEALED.fullmatch(value) for value in values), name
    return bool(values)
