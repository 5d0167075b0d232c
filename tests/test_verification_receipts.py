"""A player holds the judge's signed receipt against what counted: it proves the order, or the swap."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from joserfc import jws
from joserfc.jwk import OKPKey

from judge.core.seal import canonical
from judge.service import keys, moderation
from tests import forging
from tests.at_the_table import TestTable
from tests.forging import Forgery, check, exported, place, rewound, sentences, told


@pytest.fixture
def table() -> Iterator[TestTable]:
    """Lots between Anna and Ben; turn 1 is open."""
    with forging.at_a_table() as table:
        forging.auction(table, "open-lots", rounds=2)
        yield table


def test_a_receipt_proves_that_what_was_taken_is_what_counted(table: TestTable) -> None:
    slip = table.order("1", "bid 3\nguess red")
    table.order("2", "bid 1")
    table.look()
    verdict = check(exported(table), receipts=[slip.signed])
    assert verdict.ok, told(verdict)
    assert "Proved by the receipt of Anna for turn 1, version 1" in sentences(verdict.notes)


def test_an_exchanged_order_is_proved_by_its_receipt(table: TestTable) -> None:
    """The judge changes an order and makes all seals and hashes anew: the signature convicts him."""
    slip = table.order("1", "bid 3")
    table.order("2", "bid 1")
    table.look()
    forged = Forgery(exported(table))
    forged.order(1, "1")["amount"] = 2
    forged.seal_again(1, "1")
    data = forged.written()
    assert check(data).ok  # while the hidden secret is closed nobody else can tell
    verdict = check(data, receipts=[slip.signed])
    assert "not the ones in this receipt" in told(verdict)
    assert place(verdict) == (1, "1", None)


def test_an_order_that_was_dropped_is_proved_by_its_receipt(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    table.clock.forward(hours=24)
    table.look()
    forged = Forgery(exported(table))
    forged.find("closed", 1)["seats"]["1"] = {"how": "missed", "commitment": None}
    del forged.find("resolved", 1)["sets"]["1"]
    forged.find("resolved", 1)["filled"]["1"] = []
    verdict = check(forged.written(), receipts=[slip.signed])
    assert not verdict.ok


def test_of_several_receipts_of_a_turn_the_last_counts(table: TestTable) -> None:
    first = table.order("1", "bid 3")
    table.clock.forward(minutes=1)
    second = table.order("1", "bid 4")
    table.order("2", "bid 1")
    table.look()
    data = exported(table)
    verdict = check(data, receipts=[second.signed, first.signed])
    assert verdict.ok, told(verdict)
    assert "was replaced by a later one" in sentences(verdict.notes)
    alone = check(data, receipts=[first.signed])
    assert "there is a later receipt" in told(alone)


def test_a_withdrawal_and_a_refusal_have_receipts_too(table: TestTable) -> None:
    table.order("1", "bid 3")
    table.clock.forward(minutes=1)
    taken_back = table.order("1", "withdraw")
    table.clock.forward(minutes=1)
    refused = table.order("1", "bid 11")
    table.order("2", "bid 1")
    table.clock.forward(hours=24)
    table.look()
    verdict = check(exported(table), receipts=[taken_back.signed, refused.signed])
    assert verdict.ok, told(verdict)
    assert "Proved by the receipt of Anna" in sentences(verdict.notes)
    assert "proves nothing about what counted" in sentences(verdict.notes)


def test_a_receipt_of_the_open_turn_is_genuine(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    verdict = check(exported(table), receipts=[slip.signed])
    assert verdict.ok, told(verdict)
    assert "is genuine; the turn is still open" in sentences(verdict.notes)


def test_a_receipt_of_somebody_who_lost_the_seat_is_void_in_public(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    table.do(moderation.replace_player, table.game_id, "1", "Cem")
    table.order("1", "bid 2")
    table.order("2", "bid 1")
    table.look()
    verdict = check(exported(table), receipts=[slip.signed])
    assert verdict.ok, told(verdict)
    assert "became void while the turn was open" in sentences(verdict.notes)


def test_a_receipt_of_a_version_that_was_taken_back_still_proves(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    table.order("2", "bid 1")
    table.look()
    rewound(table, 1)
    late = table.order("1", "bid 4")
    rest = exported(table)
    verdict = check(rest, receipts=[slip.signed, late.signed])
    assert verdict.ok, told(verdict)
    assert "turn 1, version 1: what the judge took" in sentences(verdict.notes)
    assert "turn 1, version 2 is genuine; the turn is still open" in sentences(verdict.notes)


def test_receipts_of_rotated_keys_hold(table: TestTable) -> None:
    first = table.order("1", "bid 3")
    table.order("2", "bid 1")
    table.look()
    table.do(keys.rotate)
    [seat] = table.position().asks
    second = table.order(seat, "paint red")
    table.look()
    verdict = check(exported(table), receipts=[first.signed, second.signed])
    assert verdict.ok, told(verdict)
    assert sentences(verdict.notes).count("Proved by") == 2


def test_a_receipt_signed_between_two_rotations_of_one_turn_holds(table: TestTable) -> None:
    """The closing names every key that signed in its turn; until then nobody is told that the judge is another."""
    table.do(keys.rotate)
    slip = table.order("1", "bid 3")
    verdict = check(exported(table), receipts=[slip.signed])
    assert verdict.ok, told(verdict)
    assert "is genuine; the turn is still open" in sentences(verdict.notes)
    table.do(keys.rotate)
    table.order("2", "bid 1")
    table.look()
    verdict = check(exported(table), receipts=[slip.signed])
    assert verdict.ok, told(verdict)
    assert "Proved by" in sentences(verdict.notes)


def test_a_key_of_the_file_that_signed_nothing_here_proves_nothing_against_the_judge(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    table.do(keys.rotate)
    table.order("2", "bid 1")
    table.look()
    table.do(keys.rotate)
    _head, payload = parts(slip.signed)
    with table.judge.store.read() as session:
        late = keys.sign(session, {**payload, "commitment": None, "set": None, "outcome": "withdrawn"})
    assert "does not name" in told(check(exported(table), receipts=[late]))


# What is no receipt of this game


def parts(token: str) -> list[dict[str, Any]]:
    return [json.loads(urlsafe_b64decode(part + "==")) for part in token.split(".")[:2]]


def with_payload(token: str, payload: dict[str, Any]) -> str:
    head, _payload, signature = token.split(".")
    return f"{head}.{urlsafe_b64encode(canonical(payload)).decode().rstrip('=')}.{signature}"


def test_a_changed_receipt_has_no_signature(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    _head, payload = parts(slip.signed)
    assert payload["set"]["parts"]["turn"]["lines"][0]["order"]["amount"] == 3
    payload["set"]["parts"]["turn"]["lines"][0]["order"]["amount"] = 9
    verdict = check(exported(table), receipts=[with_payload(slip.signed, payload)])
    assert "The signature of a receipt does not fit" in told(verdict)


def test_a_receipt_of_another_judge_is_none(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    head, payload = parts(slip.signed)
    other = OKPKey.generate_key("Ed25519")
    for kid in (other.thumbprint(), head["kid"]):
        token = jws.serialize_compact({"alg": "Ed25519", "kid": kid}, canonical(payload), other, algorithms=["Ed25519"])
        assert not check(exported(table), receipts=[token]).ok


def test_a_receipt_without_a_signature_or_with_another_algorithm_is_none(table: TestTable) -> None:
    """The public key is no password: HMAC with it is not a signature."""
    slip = table.order("1", "bid 3")
    head, _payload = parts(slip.signed)
    for algorithm in ("none", "HS256", "EdDSA"):
        header = urlsafe_b64encode(json.dumps({**head, "alg": algorithm}).encode()).decode().rstrip("=")
        token = ".".join([header, *slip.signed.split(".")[1:]])
        assert "signature of a receipt does not fit" in told(check(exported(table), receipts=[token]))


def test_a_receipt_of_another_game_says_so(table: TestTable) -> None:
    slip = table.order("1", "bid 3")
    forging.auction(table, "open-lots", rounds=2)
    assert "A receipt is for another game" in told(check(exported(table), receipts=[slip.signed]))


def test_a_receipt_that_the_judge_signed_against_itself_is_found(table: TestTable) -> None:
    """A signature over a seal that is not that of the orders beside it."""
    slip = table.order("1", "bid 3")
    _head, payload = parts(slip.signed)
    for change in ({"commitment": "ab" * 32}, {"turn": 2}, {"seat": "2"}, {"receipt": 2}, {"more": 1}, {"set": 5}):
        token = table.judge.store.write(lambda session, change=change: keys.sign(session, {**payload, **change}))
        assert "receipt" in told(check(exported(table), receipts=[token])), change


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "....", "ä", "\udcff", "e30.e30.e30", "x" * 2_000_000])
def test_what_is_no_receipt_is_answered_with_a_sentence(table: TestTable, token: str) -> None:
    assert "A receipt" in told(check(exported(table), receipts=[token]))


def test_an_exchanged_key_in_the_file_is_found(table: TestTable) -> None:
    forged = Forgery(exported(table))
    forged.content["keys"][0]["x"] = OKPKey.generate_key("Ed25519").as_dict(private=False)["x"]
    assert "does not fit its name" in told(check(forged.written()))
    forged.content["keys"][0]["d"] = forged.content["keys"][0]["x"]
    assert "not a public key of the kind" in told(check(forged.written()))
    forged.content["keys"] = []
    assert "is not in the file" in told(check(forged.written()))
