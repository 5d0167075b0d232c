"""The judge's keys: made once, offered to everybody, replaced under a running judge without losing anything."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc import jws
from joserfc.errors import BadSignatureError
from joserfc.jwk import KeySet, OKPKey, thumbprint
from sqlmodel import Session

from judge.bootstrap import create_judge
from judge.core.seal import canonical
from judge.envelope import Content, find, open_block, seal
from judge.service import keys
from judge.store import KeyFileError, Store, Vault, add_key, count_older, reseal
from judge.store.resealing import sealed_columns
from judge.web.app import create_app
from tests.at_the_command_line import CommandLine, free_port, read_until
from tests.at_the_table import TestTable, sit_down
from tests.visitors import Visitor

JWKS = "/.well-known/jwks.json"


def offered(table: TestTable) -> list[dict[str, Any]]:
    answer = Visitor(create_app(table.judge)).client.get(JWKS)
    assert answer.headers["content-type"] == "application/jwk-set+json"
    assert answer.headers["cache-control"] == "public, max-age=300"
    found: list[dict[str, Any]] = answer.json()["keys"]
    return found


def rotate(table: TestTable) -> None:
    table.clock.forward(hours=1)
    table.judge.store.write(lambda session: keys.rotate(session, table.clock()))


def test_a_judge_has_one_pair_for_each_use_and_keeps_it(tmp_path: Path) -> None:
    first = sit_down(tmp_path)
    before = offered(first)
    first.judge.close()
    again = sit_down(tmp_path)
    assert offered(again) == before
    again.judge.close()
    assert [(key["use"], key["alg"], key["crv"]) for key in before] == [
        ("enc", "ECDH-ES", "P-256"),
        ("sig", "Ed25519", "Ed25519"),
    ]
    for key in before:
        assert "d" not in key, "nothing private is offered"
        assert thumbprint({name: key[name] for name in key if name not in ("kid", "use", "alg")}) == key["kid"]


def test_a_signature_verifies_with_the_offered_keys_and_with_no_other_payload(table: TestTable) -> None:
    payload = {"seat": "1", "turn": 3, "commitment": "ab" * 32}
    with table.judge.store.read() as session:
        signed = keys.sign(session, payload)
    assert [keys.signer(signed)] == [key["kid"] for key in offered(table) if key["use"] == "sig"]
    offer = KeySet.import_key_set({"keys": offered(table)})
    verified = jws.deserialize_compact(signed, offer, algorithms=["Ed25519"])
    assert verified.payload == canonical(payload)
    head, _, signature = signed.split(".")
    forged = jws.serialize_compact(
        {"alg": "Ed25519"}, canonical({**payload, "seat": "2"}), OKPKey.generate_key("Ed25519"), algorithms=["Ed25519"]
    ).split(".")[1]
    with pytest.raises(BadSignatureError):
        jws.deserialize_compact(f"{head}.{forged}.{signature}", offer, algorithms=["Ed25519"])


def test_after_a_rotation_old_receipts_verify_and_old_envelopes_open(table: TestTable) -> None:
    [old, _] = offered(table)
    content = Content(game="abc", turn=1, version=1, seat="1", text="pass")
    block = seal(old, content)
    with table.judge.store.read() as session:
        signed = keys.sign(session, {"turn": 1})
    rotate(table)
    offer = offered(table)
    assert [key["use"] for key in offer] == ["enc", "sig", "sig"]
    assert old["kid"] not in [key["kid"] for key in offer], "nobody seals to a retired key"
    assert jws.deserialize_compact(signed, KeySet.import_key_set({"keys": offer}), algorithms=["Ed25519"])
    with table.judge.store.read() as session:
        assert open_block(find(block)[0], keys.private_keys(session, "enc")) == content
        assert keys.signer(keys.sign(session, {"turn": 2})) == offer[1]["kid"], "the new pair signs"
        assert keys.envelope_key(session) == offer[0]


# The key file


def play(table: TestTable) -> None:
    """Fills every sealed column there is: orders, a post, a private report, standing lines, letters."""
    table.open()
    table.post("1", "Hi\nX:3 zu 57")
    for seat in "234":
        table.order(seat, "F:3 zu 33")
    table.look()
    table.post("2", "And now\npass")


def sealed_values(session: Session) -> list[bytes]:
    return [
        value
        for _, columns in sealed_columns()
        for row in session.connection().execute(columns[0].table.select().with_only_columns(*columns))
        for value in row
        if value is not None
    ]


def test_every_column_that_is_sealed_is_found(table: TestTable) -> None:
    """By its name, whatever table it stands in: a new one cannot be forgotten."""
    named = {(columns[0].table.name, column.name) for _, columns in sealed_columns() for column in columns}
    assert {("submission", "sealed_orders"), ("turn", "sealed_state"), ("post", "sealed_source")} <= named
    assert {("key", "sealed_private"), ("chain", "sealed_secrets"), ("letter", "sealed_body")} <= named


def test_a_rotation_seals_everything_anew_and_the_old_key_is_needed_no_more(table: TestTable) -> None:
    play(table)
    file = table.judge.settings.key_path
    add_key(file)
    with table.judge.store.read() as session:
        old = len(sealed_values(session))
        assert count_older(session) == old > 15
    assert reseal(table.judge.store, batch=3) == old
    new_key, old_key = file.read_bytes().split()
    with table.judge.store.read() as session:
        assert count_older(session) == 0
        for value in sealed_values(session):
            Vault([new_key]).unseal(value)
            with pytest.raises(KeyFileError):
                Vault([old_key]).unseal(value)
    assert reseal(table.judge.store) == 0
    file.write_bytes(new_key + b"\n")
    table.judge.close()
    create_judge(table.judge.settings).close()


def test_the_key_file_stays_its_owners_and_is_whole_at_every_moment(tmp_path: Path) -> None:
    file, link = tmp_path / "real.key", tmp_path / "gamejudge.key"
    Vault.create_file(file)
    link.symlink_to(file)
    before = file.read_bytes()
    (tmp_path / "real.key.new").write_bytes(b"left behind by a rotation that was killed")
    (tmp_path / "real.key.new").chmod(0o644)
    if os.geteuid() == 0:
        os.chown(file, 1234, 1234)
    add_key(link)
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_bytes().endswith(before)
    assert len(file.read_bytes().split()) == 2
    assert not (tmp_path / "real.key.new").exists()
    assert os.geteuid() != 0 or file.stat().st_uid == 1234


def test_a_judge_that_runs_goes_on_while_another_program_rotates(table: TestTable) -> None:
    """What it seals from then on is under the new key, and what the other sealed it opens."""
    play(table)
    other = create_judge(table.judge.settings)
    other.store.write(lambda session: add_key(other.settings.key_path))
    slip = table.order("1", "pass")
    assert slip.outcome == "counting"
    reseal(other.store)
    other.close()
    with table.judge.store.read() as session:
        assert count_older(session) == 0
    assert [post.source for post in table.thread("2") if post.source] == ["And now\npass"]
    for seat in "234":
        table.order(seat, "pass")
    assert table.look() > 0


class Killed(Exception):
    """Stands for a process that ends in the middle."""


class DyingStore(Store):
    """A store whose process dies after so many writes."""

    left = 3

    def write(self, work: Callable[[Session], Any]) -> Any:
        if self.left == 0:
            raise Killed
        self.left -= 1
        return super().write(work)


def test_a_rotation_that_was_killed_loses_nothing_and_is_run_again(table: TestTable) -> None:
    play(table)
    settings = table.judge.settings
    dying = DyingStore(settings.database_url, Vault.open_file(settings.key_path))
    dying.write(lambda session: add_key(settings.key_path))
    with pytest.raises(Killed):
        reseal(dying, batch=2)
    dying.close()
    with table.judge.store.read() as session:
        assert 0 < count_older(session) < len(sealed_values(session)), "it ended in the middle"
        for value in sealed_values(session):
            Vault.open_file(settings.key_path).unseal(value)
    line = CommandLine(settings.data)
    line.config('data = "."\n')
    assert "`judge keys rotate` finishes it" in line("check").out
    assert line("keys", "rotate").code == 0
    assert "older key" not in line("check").out
    with table.judge.store.read() as session:
        assert count_older(session) == 0
    assert len(settings.key_path.read_bytes().split()) == 3


def test_a_key_that_is_taken_away_too_early_is_told(table: TestTable) -> None:
    play(table)
    file = table.judge.settings.key_path
    before = file.read_bytes()
    add_key(file)
    file.write_bytes(file.read_bytes().split()[0] + b"\n")
    table.judge.close()
    line = CommandLine(file.parent)
    line.config('data = "."\n')
    for command in (("games",), ("keys", "rotate"), ("check",)):
        ran = line(*command)
        assert ran.code == 1
        assert "any key that was taken out of it" in ran.out + ran.err
    assert len(file.read_bytes().split()) == 1, "a rotation that cannot be carried out begins nothing"
    file.write_bytes(file.read_bytes() + before)
    assert line("keys", "rotate").code == 0


# The command


@pytest.fixture
def judge(tmp_path: Path) -> CommandLine:
    line = CommandLine(tmp_path)
    line.config(f"[web]\nport = {free_port()}\n")
    assert line("new-game", "--ruleset", "commodity-market", "--seats", "Anna,Ben", "--start").code == 0
    return line


def test_the_command_lists_the_keys_and_rotates_them(judge: CommandLine, tmp_path: Path) -> None:
    before = [line.split()[0] for line in judge("keys").out.splitlines() if "2026" in line or "UTC" in line]
    assert len(before) == 2
    ran = judge("keys", "rotate")
    assert (ran.code, ran.err) == (0, "")
    assert "sealed entries were sealed anew" in ran.out
    assert "var/gamejudge.key" in ran.out
    listed = judge("keys").out
    assert len([line for line in listed.splitlines() if "UTC" in line]) == 4
    assert all(kid in listed for kid in before)
    assert len((tmp_path / "var/gamejudge.key").read_bytes().split()) == 2
    assert judge("check").code == 0
    assert judge("keys", "rotat").code == 2


@pytest.mark.parametrize(
    ("harm", "answer"),
    [
        (Path.unlink, "is missing; without it nothing sealed in the database can be opened"),
        (lambda file: file.write_bytes(b"no key\n"), "holds no key"),
        (lambda file: file.chmod(0o644), "can be read by others (mode 0644): chmod 600"),
        (lambda file: file.unlink() or Vault.create_file(file), "does not fit this database"),
    ],
    ids=["lost", "damaged", "readable by others", "another judge's"],
)
def test_a_key_file_that_cannot_be_used_is_told_and_nothing_is_rotated(
    judge: CommandLine, tmp_path: Path, harm: Callable[[Path], object], answer: str
) -> None:
    file = tmp_path / "var/gamejudge.key"
    harm(file)
    before = file.read_bytes() if file.exists() else None
    for command in (("keys",), ("keys", "rotate"), ("check",)):
        ran = judge(*command)
        assert ran.code == 1
        assert answer in ran.out + ran.err
    assert before == (file.read_bytes() if file.exists() else None)


def test_a_judge_in_another_process_serves_on_after_a_rotation(judge: CommandLine) -> None:
    """A real judge, a real second process: the pages go on, and offer the new key."""
    with judge.running("run") as running:
        address = read_until(running, "serves at").split("serves at ")[1].split()[0]

        def now_offered() -> list[str]:
            return [key["kid"] for key in httpx.get(f"{address}{JWKS}", trust_env=False).json()["keys"]]

        before = now_offered()
        assert judge.process("keys", "rotate").code == 0
        after = now_offered()
        assert set(before) & set(after) == {before[1]}, "the old key for receipts is still there"
        game = json.loads(judge("games", "--json").out)[0]["game"]
        assert httpx.get(f"{address}/games/{game}", trust_env=False).status_code == 200
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 0
