"""Envelopes: orders that a player seals himself, so that they can stand in a thread that everybody reads.

An envelope is a JWE to the judge's public key (ECDH-ES on P-256, A256GCM; RFC 7516 and 7518).  Inside it says for which
game, turn, version and seat the orders are, so that nobody can use it anywhere else.  It is padded with blanks, so that
its length does not tell a pass from ten bids.

In a post it stands as a block: `[sealed]`, then the JWE in base32 (RFC 4648), then `[/sealed]`.  A JWE's own base64url
would not survive a forum: Markdown takes `_` and `-` for emphasis and lists, typographers join hyphens, and addresses
are found between full stops.  Base32 is letters and digits, their case has no meaning, and any other sign that a forum
or mail program puts between them is passed over.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import ECKey
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from judge.core.text import Text

ALGORITHMS = ("ECDH-ES", "A256GCM")
CURVE = "P-256"
PADDED_TO = 1024
"""What is inside is a multiple of so many bytes long."""
MOST_BYTES = 8 * PADDED_TO
"""More than this is never sealed and never opened; its block still fits into one post."""
LINE_LENGTH = 60

_TAG = re.compile(r"[\[［]\s{0,9}(/?)\s{0,9}sealed\s{0,9}[\]］]", re.IGNORECASE)
_LETTERS = re.compile(r"[A-Za-z2-7]{20}")
_LONGEST_HEADER = 1024
_MOST_CHARACTERS = (_LONGEST_HEADER + (MOST_BYTES + 64) * 4 // 3) * 8 // 5


class EnvelopeError(Exception):
    """It could not be sealed or opened; `text` says to people why."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.text)
        self.text = text


class Content(BaseModel):
    """What an envelope holds: either `orders` as JSON or `text` as in a post, and what they are for."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    game: str = Field(min_length=1, max_length=100)
    turn: int = Field(ge=1, le=1_000_000)
    version: int = Field(ge=1, le=1_000_000)
    seat: str = Field(min_length=1, max_length=100)
    orders: list[dict[str, Any]] | None = None
    text: str | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.orders is None) == (self.text is None):
            raise ValueError("either orders or text")
        return self


class _Header(BaseModel):
    """The protected header.  Nothing else may stand in it: no compression, no extension."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    alg: Literal["ECDH-ES"]
    enc: Literal["A256GCM"]
    kid: str
    epk: dict[str, str]


@dataclass(frozen=True)
class Block:
    """A sealed block in a text, from `start` to before `end`, with what stands between its tags."""

    start: int
    end: int
    body: str
    whole: bool
    """Both tags are there."""


# Sealing


def seal(key: Mapping[str, Any], content: Content) -> str:
    """The block for a post, sealed to the judge's public key (a JWK with its `kid`)."""
    plain = content.model_dump_json(exclude_none=True).encode()
    if len(plain) > MOST_BYTES:
        raise EnvelopeError(
            Text.of(
                "These orders are too long to be sealed: {given} bytes; {most} are possible.",
                given=len(plain),
                most=MOST_BYTES,
            )
        )
    public = _public_key(key)
    header = {"alg": "ECDH-ES", "enc": "A256GCM", "kid": str(key["kid"])}
    padded = plain + b" " * (-len(plain) % PADDED_TO)
    return write_block(jwe.encrypt_compact(header, padded, public, algorithms=ALGORITHMS))


def _public_key(key: Mapping[str, Any]) -> ECKey:
    try:
        if key["crv"] != CURVE or not key["kid"]:
            raise KeyError("crv")
        return ECKey.import_key({name: str(key[name]) for name in ("kty", "crv", "x", "y")})
    except (KeyError, TypeError, ValueError, JoseError) as error:
        raise EnvelopeError(Text.of("This is no key for envelopes: a P-256 key with its “kid” is needed.")) from error


def write_block(compact: str) -> str:
    """A compact JWE as it stands in a post."""
    letters = base64.b32encode(compact.encode()).decode().rstrip("=")
    lines = [letters[start : start + LINE_LENGTH] for start in range(0, len(letters), LINE_LENGTH)]
    return "\n".join(("[sealed]", *lines, "[/sealed]"))


# Finding and opening


def find(text: str) -> list[Block]:
    """The blocks in a text, in its order.  One that lost a tag is told by the letters that are left of it."""
    return list(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    begun: re.Match[str] | None = None
    free = 0
    for tag in _TAG.finditer(text):
        if begun is not None and tag[1]:
            yield Block(begun.start(), tag.end(), text[begun.end() : tag.start()], whole=True)
            begun, free = None, tag.end()
        elif tag[1]:
            if letters := _LETTERS.search(text, free, tag.start()):
                yield Block(letters.start(), tag.end(), "", whole=False)
            free = tag.end()
        else:
            yield from _without_end(text, begun, tag.start())
            begun = tag
    yield from _without_end(text, begun, len(text))


def _without_end(text: str, begun: re.Match[str] | None, end: int) -> Iterator[Block]:
    if begun is not None and _LETTERS.search(text, begun.end(), end):
        yield Block(begun.start(), end, "", whole=False)


def open_block(block: Block, keys: Iterable[Mapping[str, Any]]) -> Content:
    """What stands in a block.  `keys` are the judge's private keys, those that are no longer offered among them."""
    if not block.whole:
        raise EnvelopeError(
            Text.of("The sealed block is not whole: copy it from “[sealed]” to “[/sealed]” and post it again.")
        )
    compact = _compact(block.body)
    header = _header(compact)
    key = next((key for key in keys if key["kid"] == header.kid), None)
    if key is None:
        raise EnvelopeError(
            Text.of("This block was sealed for another judge's key: seal it again with the key of this judge.")
        )
    try:
        plain = jwe.decrypt_compact(compact, ECKey.import_key(dict(key)), algorithms=ALGORITHMS).plaintext
    except (JoseError, ValueError, TypeError, KeyError) as error:  # whatever a forged key or a lost letter leads to
        raise EnvelopeError(_damaged()) from error
    if plain is None or len(plain) > MOST_BYTES:
        raise EnvelopeError(_too_big())
    try:
        return Content.model_validate_json(plain)
    except ValidationError as error:
        raise EnvelopeError(
            Text.of(
                "What is sealed in this block is not written as orders are: seal them on your order page or with "
                "“judge seal”."
            )
        ) from error


def _compact(body: str) -> str:
    """The JWE between the tags, whatever else a forum put there."""
    letters = "".join(sign for sign in body if sign.isascii() and sign.isalnum()).upper()
    if len(letters) > _MOST_CHARACTERS:
        raise EnvelopeError(_too_big())
    if not letters:
        raise EnvelopeError(
            Text.of("Nothing sealed stands between “[sealed]” and “[/sealed]”: your order page makes such blocks.")
        )
    try:
        return base64.b32decode(letters + "=" * (-len(letters) % 8)).decode("ascii")
    except (binascii.Error, ValueError) as error:
        raise EnvelopeError(_damaged()) from error


def _header(compact: str) -> _Header:
    encoded = compact.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise EnvelopeError(_damaged()) from error
    try:
        return _Header.model_validate(header)
    except ValidationError as error:
        raise EnvelopeError(
            Text.of("This block is sealed in a way that the judge does not open: use your order page or “judge seal”.")
        ) from error


def _damaged() -> Text:
    return Text.of(
        "The sealed block is damaged, perhaps cut off or changed on its way: seal your orders again and copy the "
        "block whole."
    )


def _too_big() -> Text:
    return Text.of("The sealed block is too big: {most} bytes of orders are possible.", most=MOST_BYTES)
