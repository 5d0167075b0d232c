"""Seals: how the judge binds itself to what it keeps secret, byte for byte.

Four small things, described for writers of other verifiers in SEALING.md beside this file:

* a *commitment* hides an order line and fixes it: SHA-256(salt ‖ canonical JSON);
* a *sealed set* is what one seat handed in for one turn, as a tree of commitments with one hash at its root;
* a *chain* of secrets, each the SHA-256 of the next, whose anchor is public before the first one is used;
* a *record hash* chains what is public of a game: SHA-256(previous ‖ canonical JSON).

Canonical JSON is RFC 8785: sorted keys, no blanks, UTF-8, one way to write everything.  All numbers are integers.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import rfc8785
from pydantic import BaseModel, ConfigDict, Field

Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
"""32 bytes in lower-case hexadecimal."""

Opens = Literal["turn", "game"]
"""When a sealed line may be read by everybody: with its turn, or at the end of the game."""

ZERO = bytes(32)
"""What a seat without a sealed set contributes to chance, and what comes before the first record."""


def canonical(value: Any) -> bytes:
    """A JSON value as RFC 8785 writes it.  ValueError for what has no such form: a lone surrogate, a huge int."""
    return rfc8785.dumps(value)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def commitment(salt: bytes, value: Any) -> str:
    """SHA-256(salt ‖ canonical JSON): fixes the value, and tells nothing about it while the salt is unknown."""
    return hashlib.sha256(salt + canonical(value)).hexdigest()


def record_hash(previous: bytes, record: Mapping[str, Any]) -> str:
    """SHA-256(previous ‖ canonical JSON of the record)."""
    return hashlib.sha256(previous + canonical(record)).hexdigest()


# Sealed sets


class _Sealed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SealedLine(_Sealed):
    """One order with the salt that hides it."""

    salt: Hex32
    order: dict[str, Any]

    @property
    def commitment(self) -> str:
        return commitment(bytes.fromhex(self.salt), self.order)


class SealedPart(_Sealed):
    """The lines of a set that open together, in the order in which they count.

    Its own salt hides how many there are.
    """

    salt: Hex32
    lines: tuple[SealedLine, ...]

    @property
    def commitment(self) -> str:
        return commitment(bytes.fromhex(self.salt), [line.commitment for line in self.lines])

    @property
    def orders(self) -> list[dict[str, Any]]:
        return [line.order for line in self.lines]


class OrdersPlace(_Sealed):
    """Whose orders, and for which turn: it goes into the set's commitment, so that no set can pass for another."""

    game: str
    turn: int
    version: int
    seat: str


class SealedSet(_Sealed):
    """What one seat handed in for one turn.

    A part is there if the seat could give such lines, even if it gave none.
    """

    place: OrdersPlace
    parts: dict[Opens, SealedPart]

    @property
    def commitment(self) -> str:
        return set_commitment(self.place, {opens: part.commitment for opens, part in self.parts.items()})


def set_commitment(place: OrdersPlace, parts: Mapping[Opens, str]) -> str:
    """The root of a set: SHA-256 of the canonical JSON of its place and its parts' commitments."""
    return digest({**place.model_dump(), "parts": dict(parts)})


def seal_set(hidden: bytes, place: OrdersPlace, parts: Mapping[Opens, Sequence[Mapping[str, Any]]]) -> SealedSet:
    """Seals orders (as JSON) by the game's hidden secret.

    The salts follow from the secret and from what they hide: HMAC-SHA-256(HMAC-SHA-256(hidden, "salts"), canonical
    JSON).  So the judge has no free choice that it could use to steer the dice, and the same set has the same seal.
    """
    key = hmac.digest(hidden, b"salts", hashlib.sha256)

    def salt(**about: Any) -> str:
        return hmac.digest(key, canonical({**place.model_dump(), **about}), hashlib.sha256).hex()

    return SealedSet(
        place=place,
        parts={
            opens: SealedPart(
                salt=salt(part=opens, orders=list(orders)),
                lines=tuple(
                    SealedLine(salt=salt(part=opens, line=number, order=order), order=dict(order))
                    for number, order in enumerate(orders, 1)
                ),
            )
            for opens, orders in parts.items()
        },
    )


# The chain of secrets

CHAIN_LENGTH = 1000
"""Links of a new chain: far more turns than a game has; when it runs out, the next anchor is published first."""


def chain_link(seed: bytes, length: int, number: int) -> bytes:
    """Link `number` (1 to `length`) of the chain, or its anchor (0): the seed hashed `length − number` times.

    The seed is the last link.  Who knows a link knows all earlier ones and no later one.
    """
    if not 0 <= number <= length:
        raise ValueError(f"a chain of {length} links has no link {number}")
    secret = seed
    for _ in range(length - number):
        secret = hashlib.sha256(secret).digest()
    return secret


def throw_context(game: str, turn: int, version: int, link: int, contributions: Iterable[bytes]) -> bytes:
    """What ties chance to one resolution of one turn.

    game (UTF-8) ‖ 0x00 ‖ turn ‖ version ‖ link (4 bytes each, big-endian) ‖ 32 bytes for each seat, in seat order: the
    commitment of its sealed set, or zeros.
    """
    numbers = b"".join(number.to_bytes(4, "big") for number in (turn, version, link))
    return game.encode() + b"\0" + numbers + b"".join(contributions)


def name_contribution(name: str) -> bytes:
    """What a seat contributes to the set-up, before there are any orders: the SHA-256 of its player's name."""
    return hashlib.sha256(name.encode()).digest()
