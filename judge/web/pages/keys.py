"""The judge's public keys, where programs look for them: receipts verify with these, envelopes are sealed to one."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from starlette.requests import Request
from starlette.responses import Response

from judge.service.keys import jwks
from judge.web.request import judge_of

router = APIRouter(include_in_schema=False)

MAY_BE_KEPT = 300
"""Seconds.  After a rotation an envelope to the old key still opens, so this hurts nobody."""


@router.get("/.well-known/jwks.json")
def public_keys(request: Request) -> Response:
    """A JWK Set (RFC 7517)."""
    with judge_of(request).store.read() as session:
        found = jwks(session)
    headers = {"cache-control": f"public, max-age={MAY_BE_KEPT}"}
    return JSONResponse({"keys": found}, headers=headers, media_type="application/jwk-set+json")
