"""A changed byte anywhere is found, and no file, however odd, makes the verifier stumble."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.core.seal import canonical
from judge.verification.reading import MOST_BYTES
from tests.counts import times
from tests.forging import Forgery, check, finished_auction, market, small_auction, told


@settings(max_examples=times(150, 2000))
@given(where=st.floats(0, 1, exclude_max=True), bits=st.integers(1, 255), which=st.sampled_from(["lots", "market"]))
def test_a_changed_byte_anywhere_is_found(where: float, bits: int, which: str) -> None:
    """T035: one changed byte fails."""
    data = bytearray(finished_auction() if which == "lots" else market(months=2))
    data[int(where * len(data))] ^= bits
    assert not check(bytes(data)).ok


def test_every_single_byte_of_a_small_game_counts() -> None:
    data = small_auction()
    assert check(data).ok
    for where in range(0, len(data), times(23, 1)):
        changed = bytearray(data)
        changed[where] ^= 1
        assert not check(bytes(changed)).ok, (where, bytes(data[where - 40 : where + 40]))


@settings(max_examples=times(60, 1000))
@given(cut=st.floats(0, 1, exclude_max=True), more=st.binary(max_size=5))
def test_a_file_that_is_cut_or_goes_on_is_found(cut: float, more: bytes) -> None:
    data = small_auction()
    assert not check(data[: int(cut * len(data))] + more).ok
    if more:
        assert not check(data + more).ok


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The ways to every number, word and empty thing in a JSON value."""
    if isinstance(value, dict) and value:
        return [way for key in value for way in leaves(value[key], (*path, key))]
    if isinstance(value, list) and value:
        return [way for place, item in enumerate(value) for way in leaves(item, (*path, place))]
    return [path]


HARMLESS = {"at", "deadline", "opened", "void", "keys", "game", "length", "options"}
"""What may be changed without a contradiction (options: if they made no difference); posts and `--expect` bind it."""

NAMES = (1, "seats")
"""What the players' names contribute to the set-up: in a game without a draw at its set-up nothing follows from it."""


def changed(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if len(value) == 64:
            return ("1" if value[0] == "0" else "0") + value[1:]
        case str():
            return value + "x"
        case None:
            return 0
    return [0] if isinstance(value, list) else {"0": 0}


@settings(max_examples=times(150, 800))
@given(data=st.data())
def test_a_changed_fact_is_found_though_all_hashes_are_made_anew(data: st.DataObject) -> None:
    """Whatever one fact of a finished game is changed to: seals, links, throws or the rules contradict it."""
    which = data.draw(st.sampled_from(["lots", "market"]))
    forged = Forgery(finished_auction() if which == "lots" else market(months=2))
    ways = [way for way in leaves(forged.records) if not HARMLESS & set(way) and way[:2] != NAMES]
    way = data.draw(st.sampled_from(ways))
    fact: Any = forged.records
    for step in way[:-1]:
        fact = fact[step]
    fact[way[-1]] = changed(fact[way[-1]])
    assert not check(forged.written()).ok, way


# Files that are none


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe{}",
        b"\xef\xbb\xbf{}",
        b"NaN",
        b'{"gamejudge":NaN}',
        b'{"gamejudge":1e999,"records":[{}]}',
        b'{"gamejudge":true,"records":[{}]}',
        b'{"gamejudge":2,"records":[{}]}',
        DEEP,
        b'{"gamejudge":1,"records":' + DEEP,
        b'{"gamejudge":1,"records":' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"gamejudge":' + b"9" * 100_000 + b"}",
        b'{"gamejudge":1,"records":[{"hash":"","record":' + b"9" * 100 + b"}]}",
        b"x" * (MOST_BYTES + 1),
    ],
)
def test_what_is_no_export_is_answered_with_a_sentence(data: bytes) -> None:
    verdict = check(data)
    assert not verdict.ok
    assert told(verdict)


def test_a_file_of_fifty_megabytes_is_not_even_read() -> None:
    assert "larger than 16 MB" in told(check(b" " * 50_000_000))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'"gamejudge":1', b'"gamejudge":1,"gamejudge":1'),
        (b'"language":"en"', b'"language":"\\ud800"'),
        (b'"title":"', b'"\\udfff":1,"title":"'),
        (b'"ruleset_version":1', b'"ruleset_version":1.0'),
        (b'"ruleset_version":1', b'"ruleset_version":true'),
        (b'"ruleset_version":1', b'"ruleset_version":99999999999999999999'),
        (b'"link":2', b'"link":99999999999999999999'),
        (b'"link":2', b'"link":"2"'),
        (b'"turn":1,"version":1', b'"turn":-1,"version":1'),
        (b'"rounds":1', b'"rounds":1e400'),
        (b'"kind":"bid"', b'"kind":"\\ud800"'),
        (b'"amount":2', b'"amount":2.5'),
        (b'"kind":"bid"', b'"kind":["bid"]'),
        (b'"length":1000', b'"length":0'),
        (b'"sides":6', b'"sides":0'),
        (b'"sides":6', b'"faces":6'),
        (b'"kid":', b'"kid":[],"was":'),
        (b'"kid":', b'"kid":{},"was":'),
    ],
)
def test_odd_json_is_answered_with_a_sentence(before: bytes, after: bytes) -> None:
    assert before in small_auction()
    data = small_auction().replace(before, after)
    assert told(check(data))
    try:
        hashed = Forgery(data).written()
    except ValueError:  # it has no canonical form, so that nobody can hash it
        return
    verdict = check(hashed)
    assert verdict.ok or told(verdict)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=times(200, 1500))
@given(data=st.data(), odd=JSON)
def test_whatever_stands_anywhere_is_answered(data: st.DataObject, odd: Any) -> None:
    """Types, sizes and shapes that no judge writes, with hashes that fit if they can be made: never a traceback."""
    which = data.draw(st.sampled_from(["lots", "market"]))
    forged = Forgery(small_auction() if which == "lots" else market(months=2))
    ways = [way[:depth] for way in leaves(forged.content) for depth in range(1, len(way) + 1)]
    way = data.draw(st.sampled_from(ways))
    place: Any = forged.content
    for step in way[:-1]:
        place = place[step]
    place[way[-1]] = odd
    try:
        written = forged.written()
    except (ValueError, TypeError, AttributeError, KeyError):  # it cannot be hashed
        written = json.dumps(forged.content).encode()
    verdict = check(written)
    if not verdict.ok:
        assert told(verdict)


def test_a_throw_of_millions_of_lots_does_not_take_for_ever() -> None:
    forged = Forgery(small_auction())
    throws = forged.find("resolved", 1)["chance"]["throws"]
    throws.append({"throw": "lots", "order": list(range(1_000_000))})
    assert "is not what the secret" in told(check(forged.written()))


@settings(max_examples=times(50, 500))
@given(st.binary(max_size=200))
@example(canonical({"gamejudge": 1, "records": [1]}))
def test_bytes_by_chance_are_answered(data: bytes) -> None:
    assert told(check(data))
