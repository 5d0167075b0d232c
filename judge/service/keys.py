"""The judge's own keys: one pair signs receipts, one pair is for the envelopes that players seal.

Public keys stand at `/.well-known/jwks.json`, private ones in sealed columns.  A retired pair makes nothing new; its
signatures still verify, and envelopes that were sealed to it before still open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from joserfc import jws
from joserfc.jwk import ECKey, OKPKey
from sqlmodel import Session, col, select

from judge.core.seal import canonical
from judge.store import seal, unseal
from judge.store.tables import KeyRow

Use = Literal["sig", "enc"]
"""What a pair is for, as in a JWK: signing receipts, or opening envelopes."""

ALGORITHMS: Mapping[Use, str] = {"sig": "Ed25519", "enc": "ECDH-ES"}


def all_keys(session: Session) -> Sequence[KeyRow]:
    """Every pair, the newest of each use first; those in use before the retired ones."""
    rows = session.exec(select(KeyRow).order_by(col(KeyRow.created).desc(), col(KeyRow.kid))).all()
    return sorted(rows, key=lambda row: (row.use, row.retired is not None))


def lacking(session: Session) -> list[Use]:
    """The uses for which there is no pair now."""
    have = {row.use for row in all_keys(session) if row.retired is None}
    return [use for use in ALGORITHMS if use not in have]


def make_keys(session: Session, now: datetime) -> None:
    """Makes the pairs that a judge needs and does not have."""
    for use in lacking(session):
        _make(session, now, use)
    session.flush()


def rotate(session: Session, now: datetime) -> None:
    """A new pair for each use; the ones used until now are retired."""
    for row in all_keys(session):
        if row.retired is None:
            row.retired = now
            session.add(row)
    for use in ALGORITHMS:
        _make(session, now, use)
    session.flush()


def jwks(session: Session) -> list[dict[str, Any]]:
    """The public keys as a JWK Set lists them.

    For new envelopes only the pair in use is offered; for signatures all are, so that old receipts still verify.
    """
    return [row.public for row in all_keys(session) if row.use == "sig" or row.retired is None]


def envelope_key(session: Session) -> dict[str, Any]:
    """The public key to which new envelopes are sealed."""
    return next(row.public for row in all_keys(session) if row.use == "enc" and row.retired is None)


def private_keys(session: Session, use: Use) -> list[dict[str, Any]]:
    """The private JWKs with their `kid`, those of retired pairs among them."""
    return [_private(session, row) for row in all_keys(session) if row.use == use]


def sign(session: Session, payload: Mapping[str, Any]) -> str:
    """A compact JWS (RFC 7515, Ed25519) over the canonical JSON of `payload`."""
    row = next(row for row in all_keys(session) if row.use == "sig" and row.retired is None)
    header = {"alg": ALGORITHMS["sig"], "kid": row.kid}
    key = OKPKey.import_key(_private(session, row))
    return jws.serialize_compact(header, canonical(dict(payload)), key, algorithms=[ALGORITHMS["sig"]])


def signer(signed: str) -> str:
    """The thumbprint of the key with which something was signed."""
    return str(jws.extract_compact(signed.encode()).headers()["kid"])


def _make(session: Session, now: datetime, use: Use) -> None:
    pair = OKPKey.generate_key("Ed25519") if use == "sig" else ECKey.generate_key("P-256")
    kid = pair.thumbprint()
    about = {"kid": kid, "use": use, "alg": ALGORITHMS[use]}
    session.add(
        KeyRow(
            kid=kid,
            use=use,
            public={**pair.as_dict(private=False), **about},
            created=now,
            sealed_private=seal(session, pair.as_dict(private=True)),
        )
    )


def _private(session: Session, row: KeyRow) -> dict[str, Any]:
    return {**unseal(session, row.sealed_private), "kid": row.kid}
