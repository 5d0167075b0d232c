"""Envelopes: what a player seals is opened by the judge alone, whole or not at all."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwe
from joserfc.jwk import ECKey, OctKey
from pydantic import ValidationError

from judge.envelope import MOST_BYTES, Content, EnvelopeError, find, open_block, seal, write_block

VECTORS = json.loads((Path(__file__).parent / "vectors" / "envelope.json").read_text(encoding="utf-8"))
BID = {"kind": "bid", "grade": "X", "units": 3, "price": 40}
FOR_ANNA: dict[str, Any] = {"game": "abc", "turn": 3, "version": 1, "seat": "1"}


def pair() -> tuple[dict[str, Any], dict[str, Any]]:
    """A public key as the judge offers it, and its private one."""
    made = ECKey.generate_key("P-256")
    kid = made.thumbprint()
    return {**made.as_dict(private=False), "kid": kid}, {**made.as_dict(private=True), "kid": kid}


PUBLIC, PRIVATE = pair()
BLOCK = seal(PUBLIC, Content(**FOR_ANNA, orders=[BID]))


def opened(text: str, *keys: Mapping[str, Any]) -> Content:
    [block] = find(text)
    return open_block(block, keys or (PRIVATE,))


def sealed(plain: bytes, header: Mapping[str, Any] | None = None, algorithms: tuple[str, ...] = ()) -> str:
    """A block that somebody else's program makes."""
    named = {"alg": "ECDH-ES", "enc": "A256GCM", "kid": PUBLIC["kid"], **(header or {})}
    public = {name: value for name, value in PUBLIC.items() if name != "kid"}
    allowed = [str(named["alg"]), str(named["enc"]), *algorithms]
    return write_block(jwe.encrypt_compact(named, plain, ECKey.import_key(public), algorithms=allowed))


def test_what_is_sealed_is_opened_as_it_was() -> None:
    assert opened(BLOCK) == Content(**FOR_ANNA, orders=[BID])
    typed = Content(**FOR_ANNA, text="X:3 zu 40\nF:2 zu 31 – größer 🂡")
    assert opened(seal(PUBLIC, typed)) == typed


def test_a_block_holds_letters_and_digits_only() -> None:
    lines = BLOCK.splitlines()
    assert (lines[0], lines[-1]) == ("[sealed]", "[/sealed]")
    assert {len(line) for line in lines[1:-2]} == {60}
    assert set("".join(lines[1:-1])) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def test_a_pass_and_ten_bids_give_blocks_of_one_length() -> None:
    contents = [Content(**FOR_ANNA, orders=[BID] * number) for number in range(11)]
    contents.append(Content(**FOR_ANNA, text="pass"))
    assert len({len(seal(PUBLIC, content)) for content in contents}) == 1


def test_two_blocks_of_the_same_orders_have_nothing_in_common() -> None:
    """Else whoever sees the second would know that nothing was changed."""
    first, second = (seal(PUBLIC, Content(**FOR_ANNA, orders=[BID])) for _ in range(2))
    same = [one for one, other in zip(first.splitlines()[4:-1], second.splitlines()[4:-1], strict=True) if one == other]
    assert same == []


@pytest.mark.parametrize("name", ["page", "command"])
def test_both_ways_of_sealing_are_opened_by_the_published_algorithm(name: str) -> None:
    """ECDH on P-256, Concat KDF, AES-GCM: reckoned here without any JOSE library (RFC 7518, 4.6)."""
    block = "\n".join(VECTORS["blocks"][name])
    letters = "".join(VECTORS["blocks"][name][1:-1])
    compact = base64.b32decode(letters + "=" * (-len(letters) % 8)).decode()
    head, no_key, iv, ciphertext, tag = compact.split(".")
    header = json.loads(_decoded(head))
    assert (header["alg"], header["enc"], no_key) == ("ECDH-ES", "A256GCM", "")
    assert header["kid"] == VECTORS["private_key"]["kid"]
    ephemeral = ec.EllipticCurvePublicNumbers(
        _whole(header["epk"]["x"]), _whole(header["epk"]["y"]), ec.SECP256R1()
    ).public_key()
    private = ec.derive_private_key(_whole(VECTORS["private_key"]["d"]), ec.SECP256R1())
    about = b"\0\0\0\x07A256GCM" + bytes(4) + bytes(4) + (256).to_bytes(4, "big")
    key = ConcatKDFHash(SHA256(), 32, about).derive(private.exchange(ec.ECDH(), ephemeral))
    plain = AESGCM(key).decrypt(_decoded(iv), _decoded(ciphertext) + _decoded(tag), head.encode())
    assert len(plain) == 1024
    assert json.loads(plain) == VECTORS["content"]
    assert opened(block, VECTORS["private_key"]) == Content(**VECTORS["content"])


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _whole(part: str) -> int:
    return int.from_bytes(_decoded(part), "big")


@given(st.integers(0, len(BLOCK) - 1), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"))
def test_one_changed_letter_opens_nothing(place: int, letter: str) -> None:
    start, end = len("[sealed]"), len(BLOCK) - len("[/sealed]")
    if not start <= place < end or BLOCK[place] in ("\n", letter):
        return
    changed = BLOCK[:place] + letter + BLOCK[place + 1 :]
    if place == end - 2 and _same_bytes(changed):  # the last letter has bits that stand for nothing
        assert opened(changed) == Content(**FOR_ANNA, orders=[BID])
        return
    with pytest.raises(EnvelopeError, match="sealed"):
        opened(changed)


def _same_bytes(changed: str) -> bool:
    was, now = (base64.b32decode(_padded("".join(text.splitlines()[1:-1]))) for text in (BLOCK, changed))
    return was == now


@given(st.integers(9, len(BLOCK) - 11))
def test_a_block_that_was_cut_off_is_told_so(length: int) -> None:
    """Wherever it was cut: without its end, without its beginning, or with a piece missing in the middle."""
    for part in (BLOCK[:length], BLOCK[length:], BLOCK[:9] + BLOCK[length + 1 :]):
        for block in find(part):
            with pytest.raises(EnvelopeError, match=r"not whole|damaged|Nothing sealed|does not open"):
                open_block(block, [PRIVATE])
    assert find(BLOCK[:200])
    assert find(BLOCK[200:])


def test_what_forums_do_to_a_text_does_no_harm() -> None:
    lines = BLOCK.splitlines()
    for changed in (
        BLOCK.lower(),
        BLOCK.replace("\n", "\r\n"),
        " ".join(lines),
        "\n\n".join(lines),
        BLOCK.replace("A", "A\u200b"),
        BLOCK.replace("\n", "\u00ad\n    "),
        BLOCK.replace("[sealed]", "[ SEALED ]").replace("[/sealed]", "［/Sealed］"),
        f"Hello!\n{BLOCK}\nBye.",
        "".join(lines),
    ):
        assert opened(changed) == Content(**FOR_ANNA, orders=[BID])


def test_talk_about_blocks_is_no_block() -> None:
    assert find("Begin with [sealed], says the page. No, really.") == []
    assert find("[/sealed] is the end") == []


def test_a_key_of_another_judge_is_named_as_the_reason() -> None:
    other, its_private = pair()
    block = seal(other, Content(**FOR_ANNA, orders=[]))
    with pytest.raises(EnvelopeError, match="another judge's key"):
        opened(block)
    assert opened(block, PRIVATE, its_private).orders == []


def test_a_forged_name_of_the_key_opens_nothing() -> None:
    other, _ = pair()
    with pytest.raises(EnvelopeError, match="damaged"):
        opened(seal({**other, "kid": PUBLIC["kid"]}, Content(**FOR_ANNA, orders=[])))


@pytest.mark.parametrize(
    "header",
    [
        {"zip": "DEF"},
        {"enc": "A128GCM"},
        {"enc": "A256CBC-HS512"},
        {"alg": "ECDH-ES+A256KW"},
        {"cty": "JWT"},
        {"apu": "QW5uYQ"},
    ],
    ids=str,
)
def test_other_algorithms_and_compressed_envelopes_are_refused(header: dict[str, Any]) -> None:
    with pytest.raises(EnvelopeError, match="does not open"):
        opened(sealed(b"{}", header, algorithms=("DEF",)))


def test_an_envelope_to_a_shared_secret_is_refused() -> None:
    key = OctKey.generate_key(256)
    compact = jwe.encrypt_compact({"alg": "dir", "enc": "A256GCM", "kid": PUBLIC["kid"]}, b"{}", key)
    with pytest.raises(EnvelopeError, match="does not open"):
        opened(write_block(compact))


@pytest.mark.parametrize("epk", [{}, {"kty": "EC"}, {"kty": "EC", "crv": "P-256", "x": "AQ", "y": "AQ"}], ids=str)
def test_a_point_that_is_not_on_the_curve_opens_nothing(epk: dict[str, str]) -> None:
    head, *rest = base64.b32decode(_padded("".join(BLOCK.splitlines()[1:-1]))).decode().split(".")
    forged = json.dumps({**json.loads(_decoded(head)), "epk": epk}).encode()
    encoded = base64.urlsafe_b64encode(forged).decode().rstrip("=")
    with pytest.raises(EnvelopeError, match="damaged"):
        opened(write_block(".".join((encoded, *rest))))


def _padded(letters: str) -> str:
    return letters + "=" * (-len(letters) % 8)


@pytest.mark.parametrize(
    "plain",
    [
        b"",
        b"[]",
        b"X:3 zu 40",
        b"\xff\xfe",
        json.dumps(FOR_ANNA).encode(),
        json.dumps({**FOR_ANNA, "orders": [], "text": "pass"}).encode(),
        json.dumps({**FOR_ANNA, "orders": [], "host": True}).encode(),
        json.dumps({**FOR_ANNA, "turn": "3", "orders": []}).encode(),
        json.dumps({**FOR_ANNA, "orders": ["X:3 zu 40"]}).encode(),
        b"[" * 8000,
    ],
)
def test_what_is_no_set_of_orders_is_refused_in_one_sentence(plain: bytes) -> None:
    with pytest.raises(EnvelopeError, match="not written as orders are"):
        opened(sealed(plain))


def test_sizes_are_bounded_both_ways() -> None:
    most = Content(**FOR_ANNA, text="x" * (MOST_BYTES - 200))
    block = seal(PUBLIC, most)
    assert len(block) < 20_000, "it still fits into one post"
    assert opened(block) == most
    with pytest.raises(EnvelopeError, match="too long"):
        seal(PUBLIC, Content(**FOR_ANNA, text="x" * MOST_BYTES))
    with pytest.raises(EnvelopeError, match="too big"):
        opened(sealed(json.dumps({**FOR_ANNA, "text": "x" * MOST_BYTES}).encode()))
    with pytest.raises(EnvelopeError, match="too big"):
        opened(f"[sealed]{'A' * 1_000_000}[/sealed]")


@pytest.mark.parametrize(
    "key", [{}, {**PUBLIC, "crv": "P-384"}, {**PUBLIC, "x": "AQ"}, {"kty": "OKP", "kid": "x"}, {**PUBLIC, "kid": ""}]
)
def test_nothing_is_sealed_to_what_is_no_key_for_envelopes(key: dict[str, Any]) -> None:
    with pytest.raises(EnvelopeError, match="no key for envelopes"):
        seal(key, Content(**FOR_ANNA, orders=[]))


def test_a_content_says_what_it_is_for_and_holds_one_kind_of_orders() -> None:
    for wrong in ({}, {"orders": [], "text": "pass"}, {"orders": [], "turn": 0}, {"orders": [], "game": ""}):
        with pytest.raises(ValidationError):
            Content(**{**FOR_ANNA, **wrong})
