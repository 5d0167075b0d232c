"""Seals hide and fix: what is published while a turn is open tells nothing, and afterwards nothing can be changed."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.dice import Dice
from judge.core.record import Chance, Closed, Entry
from judge.core.seal import (
    OrdersPlace,
    SealedLine,
    SealedPart,
    canonical,
    chain_link,
    commitment,
    name_contribution,
    record_hash,
    seal_set,
    set_commitment,
    throw_context,
)
from tests.counts import times
from tests.reckoned_seals import vectors

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "seals.json").read_text(encoding="utf-8"))
"""Values for writers of other verifiers, made without the judge's code."""

PLACE = OrdersPlace(game="g", turn=1, version=1, seat="1")


def sealed(amount: int, hidden: bytes = bytes(32), place: OrdersPlace = PLACE) -> SealedPart:
    return seal_set(hidden, place, {"turn": [{"kind": "bid", "amount": amount}]}).parts["turn"]


# Test vectors


def test_the_vectors_are_what_a_second_reckoning_gives() -> None:
    assert vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["canonical"], ids=str)
def test_canonical_json_is_as_in_the_vectors(vector: dict[str, Any]) -> None:
    assert canonical(json.loads(vector["json"])).hex() == vector["utf8"]


def test_lines_parts_and_sets_are_as_in_the_vectors() -> None:
    given = VECTORS["set"]
    made = seal_set(bytes.fromhex(given["hidden"]), OrdersPlace.model_validate(given["place"]), given["orders"])
    assert made.model_dump(mode="json")["parts"] == given["parts"]
    assert {name: [line.commitment for line in part.lines] for name, part in made.parts.items()} == given["lines"]
    assert {name: part.commitment for name, part in made.parts.items()} == given["part_commitments"]
    assert made.commitment == given["commitment"]


def test_the_chain_is_as_in_the_vectors() -> None:
    given = VECTORS["chain"]
    seed = bytes.fromhex(given["seed"])
    assert [chain_link(seed, given["length"], number).hex() for number in range(given["length"] + 1)] == given["links"]


def test_throws_are_as_in_the_vectors() -> None:
    given = VECTORS["throws"]
    contributions = [bytes.fromhex(one) for one in given["contributions"]]
    context = throw_context(given["game"], given["turn"], given["version"], given["link"], contributions)
    assert context.hex() == given["context"]
    dice = Dice(bytes.fromhex(given["secret"]), bytes.fromhex(given["hidden"]), context)
    for throw in given["public"]:
        if throw["throw"] == "roll":
            assert dice.roll(throw["sides"]) == throw["threw"]
        else:
            assert dice.lots(range(len(throw["order"]))) == throw["order"]
    chance = Chance(chain=1, link=1, secret=given["secret"], throws=tuple(dice.thrown))
    assert chance.model_dump(mode="json")["throws"] == given["public"]
    assert dice.shuffled(range(len(given["shuffled"]))) == given["shuffled"]
    assert [dice.pick(range(given["picked_of"])) for _ in given["picked"]] == given["picked"]


def test_names_and_record_hashes_are_as_in_the_vectors() -> None:
    for name, contributed in VECTORS["names"].items():
        assert name_contribution(name).hex() == contributed
    previous = bytes(32)
    for entry in VECTORS["records"]:
        assert record_hash(previous, entry["record"]) == entry["hash"]
        previous = bytes.fromhex(entry["hash"])


# Hiding


def test_a_commitment_is_not_found_by_trying_all_bids() -> None:
    """T034: with bids 1 to 100 sealed, somebody who tries every bid without the salts matches none."""
    hidden = hashlib.sha256(b"the hidden secret of a game").digest()
    published = {sealed(amount, hidden).lines[0].commitment for amount in range(1, 101)}
    assert len(published) == 100
    for amount in range(1, 101):
        order = {"kind": "bid", "amount": amount}
        tried = [commitment(salt, order) for salt in (b"", bytes(16), bytes(32), PLACE.game.encode(), b"1")]
        tried += [line.commitment for line in sealed(amount).lines]
        assert not published & set(tried)


def test_salts_have_256_bits_and_differ_from_line_to_line() -> None:
    """T034: also for the same order in another line, turn or game."""
    hidden = hashlib.sha256(b"another secret").digest()
    bid = {"kind": "bid", "amount": 5}
    elsewhere: list[dict[str, Any]] = [{}, {"turn": 2}, {"version": 2}, {"seat": "2"}, {"game": "h"}]
    made = [seal_set(hidden, PLACE.model_copy(update=place), {"turn": [bid, bid]}) for place in elsewhere]
    salts = [line.salt for one in made for line in one.parts["turn"].lines]
    assert len(set(salts)) == 10
    assert all(len(bytes.fromhex(salt)) == 32 for salt in salts)


def test_how_many_lines_a_set_has_does_not_show() -> None:
    hidden = hashlib.sha256(b"a third secret").digest()
    for count in range(4):
        made = seal_set(hidden, PLACE, {"turn": [{"kind": "bid", "amount": 5}] * count})
        assert len(made.commitment) == 64
        entry = Entry(how="posted", commitment=made.commitment)
        assert set(entry.model_dump()) == {"how", "commitment"}
    assert "lines" not in Closed.model_fields


def test_the_place_belongs_to_the_seal() -> None:
    """A set cannot pass for one of another game, turn, version or seat."""
    parts = {"turn": sealed(5).commitment}
    roots = {
        set_commitment(PLACE.model_copy(update=change), parts)
        for change in ({}, {"turn": 2}, {"version": 2}, {"seat": "2"}, {"game": "h"})
    }
    assert len(roots) == 5


@given(
    where=st.integers(0, 10_000),
    bit=st.integers(0, 7),
)
def test_one_changed_byte_of_salt_or_order_gives_another_seal(where: int, bit: int) -> None:
    """T035."""
    line = SealedLine(salt="5a" * 32, order={"kind": "bid", "grade": "X", "units": 3, "price": 42})
    data = bytearray(bytes.fromhex(line.salt) + canonical(line.order))
    data[where % len(data)] ^= 1 << bit
    assert hashlib.sha256(data).hexdigest() != line.commitment


@given(order=st.dictionaries(st.text(max_size=3), st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=3)))
def test_canonical_json_is_one_for_one_value(order: dict[str, Any]) -> None:
    written = canonical(order)
    assert json.loads(written) == order
    assert canonical(json.loads(written)) == written
    assert canonical(dict(reversed(order.items()))) == written


def test_a_chain_is_walked_back_and_never_forward() -> None:
    seed, length = hashlib.sha256(b"seed").digest(), times(50, 1000)
    links = [chain_link(seed, length, number) for number in range(length + 1)]
    assert links[length] == seed
    for before, after in pairwise(links):
        assert hashlib.sha256(after).digest() == before
    for number in (-1, length + 1):
        with pytest.raises(ValueError, match="has no link"):
            chain_link(seed, length, number)
