"""Receipts: what the judge signed for a player, held against what counted.

A receipt is a compact JWS.  Whoever holds the last one of a turn can prove which orders the judge had taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from joserfc import jws
from joserfc.jwk import OKPKey
from pydantic import AwareDatetime, BaseModel, ConfigDict

from judge.core.seal import Hex32, SealedSet, canonical
from judge.core.text import Player, Text
from judge.verification.ledger import Ledger
from judge.verification.verdict import DoesNotHold

ALGORITHM = "Ed25519"
LONGEST_RECEIPT = 1024 * 1024
"""Characters."""

_PUBLIC = {"alg": ALGORITHM, "crv": "Ed25519", "kty": "OKP", "use": "sig"}


class Receipt(BaseModel):
    """What a receipt says; see SEALING.md."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    receipt: Literal[1]
    game: str
    turn: int
    version: int
    seat: str
    received: AwareDatetime
    outcome: Literal["counting", "withdrawn", "refused"]
    commitment: Hex32 | None
    set: SealedSet | None


def public_keys(keys: Iterable[Mapping[str, Any]]) -> dict[str, OKPKey]:
    """The judge's keys by their thumbprint; raises `DoesNotHold` if one is not what it says it is."""
    known: dict[str, OKPKey] = {}
    for jwk in keys:
        if {**_PUBLIC, "kid": jwk.get("kid"), "x": jwk.get("x")} != dict(jwk):
            raise DoesNotHold(Text.of("A key in the file is not a public key of the kind that judges sign with."))
        try:
            key = OKPKey.import_key(dict(jwk))
            thumbprint = key.thumbprint()
        except Exception:  # whatever the library says about what is no key
            raise DoesNotHold(Text.of("A key in the file cannot be read.")) from None
        if thumbprint != jwk["kid"]:
            raise DoesNotHold(Text.of("A key in the file does not fit its name: it has been exchanged."))
        known[thumbprint] = key
    return known


def check_receipts(ledger: Ledger, keys: Mapping[str, OKPKey], tokens: Sequence[str]) -> list[Text]:
    """What each receipt proves; raises `DoesNotHold` for one that contradicts the record or is none."""
    receipts = [_read(ledger, keys, token) for token in tokens]
    last: dict[tuple[int, int, str], Receipt] = {}
    for receipt in sorted(receipts, key=lambda receipt: receipt.received):
        if receipt.outcome != "refused":
            last[receipt.turn, receipt.version, receipt.seat] = receipt
    return [
        _compare(ledger, receipt, newest=last.get((receipt.turn, receipt.version, receipt.seat)))
        for receipt in receipts
    ]


def _read(ledger: Ledger, keys: Mapping[str, OKPKey], token: str) -> Receipt:
    token = "".join(token.split())
    if len(token) > LONGEST_RECEIPT:
        raise DoesNotHold(Text.of("A receipt that was given is none: it is too long."))
    try:
        kid = jws.extract_compact(token.encode()).headers().get("kid")
    except Exception:  # whatever the library says about what is no JWS
        raise DoesNotHold(Text.of("A receipt that was given is none: it is not signed text (JWS).")) from None
    if not isinstance(kid, str) or kid not in keys:
        raise _strange_key()
    try:
        payload = jws.deserialize_compact(token, keys[kid], algorithms=[ALGORITHM]).payload
    except Exception:
        raise DoesNotHold(Text.of("The signature of a receipt does not fit: it has been changed.")) from None
    try:
        content = json.loads(payload or b"")
        receipt = Receipt.model_validate(content)
        written = canonical(content)
    except (ValueError, RecursionError):
        raise DoesNotHold(Text.of("A receipt that was given does not say what receipts say.")) from None
    commitment = None if receipt.set is None else receipt.set.commitment
    place = None if receipt.set is None else receipt.set.place.model_dump()
    here = {"game": receipt.game, "turn": receipt.turn, "version": receipt.version, "seat": receipt.seat}
    if written != payload or commitment != receipt.commitment or place not in (None, here):
        raise DoesNotHold(Text.of("A receipt contradicts itself: its orders are not those of its seal."))
    if receipt.game != ledger.heading.game:
        raise DoesNotHold(Text.of("A receipt is for another game ({game}).", game=receipt.game[:60]))
    if kid not in ledger.keys and (receipt.turn, receipt.version) in ledger.closed:
        raise _strange_key()  # the closing of its turn would name it
    return receipt


def _strange_key() -> DoesNotHold:
    return DoesNotHold(
        Text.of("A receipt is signed with a key that this game's record does not name: it is not this judge's.")
    )


def _compare(ledger: Ledger, receipt: Receipt, newest: Receipt | None) -> Text:
    turn = (receipt.turn, receipt.version)
    about: dict[str, Any] = {
        "player": Player(receipt.seat),
        "number": str(receipt.turn),
        "version": str(receipt.version),
    }
    if receipt.outcome == "refused":
        return Text.of(
            "The receipt of {player} for turn {number}, version {version}: the judge refused these orders, so that it "
            "proves nothing about what counted.",
            **about,
        )
    if newest is not receipt:
        return Text.of(
            "The receipt of {player} for turn {number}, version {version} was replaced by a later one, which is given "
            "too.",
            **about,
        )
    closed = ledger.closed.get(turn)
    if closed is None and turn == ledger.course.turn and ledger.course.phase == "open":
        return Text.of(
            "The receipt of {player} for turn {number}, version {version} is genuine; the turn is still open.", **about
        )
    if closed is None:
        return Text.of(
            "The receipt of {player} for turn {number}, version {version} is genuine; no orders of that version ever "
            "counted, since it is not in the record or was taken back before it closed.",
            **about,
        )
    entry = closed.seats.get(receipt.seat)
    counted = None if entry is None or entry.how != "posted" else entry.commitment
    if counted == receipt.commitment:
        return Text.of(
            "Proved by the receipt of {player} for turn {number}, version {version}: what the judge took is what "
            "counted.",
            **about,
        )
    if receipt.seat in closed.void:
        return Text.of(
            "The receipt of {player} for turn {number}, version {version} is genuine; what was handed in became void "
            "while the turn was open, since the seat got a new player or a new link. The record says so.",
            **about,
        )
    raise DoesNotHold(
        Text.of(
            "The orders that counted are not the ones in this receipt. Either they were changed or withdrawn later, "
            "and there is a later receipt; or the judge has exchanged them, and this receipt proves it."
        ),
        receipt.seat,
        turn=turn,
    )
