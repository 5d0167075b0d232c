"""The export of a game: one file with all that is public of it so far, the same for everybody."""

from __future__ import annotations

import hashlib

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.service.export import export_bytes
from judge.web.api.access import GameId
from judge.web.request import judge_of

router = APIRouter(tags=["games"])


@router.get(
    "/games/{game_id}/export.json",
    summary="All that is public of a game, as one file that anybody can verify",
    response_class=Response,
    responses={
        200: {
            "content": {"application/json": {}},
            "description": "See /fairness/bytes.",
        },
        304: {"description": "It is still the file that you have (`If-None-Match`)."},
    },
)
def export(request: Request, game_id: GameId) -> Response:
    with judge_of(request).store.read() as session:
        content = export_bytes(session, game_id)
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    headers = {
        "etag": tag,
        "cache-control": "public, no-cache",
        "content-disposition": f'inline; filename="{game_id}.json"',
    }
    if _has(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="application/json", headers=headers)


def _has(given: str, tag: str) -> bool:
    """Whether an If-None-Match header names this version (RFC 9110, 13.1.2)."""
    return given.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in given.split(","))
