"""The export of a game: one file with all that is public of it so far, the same for everybody."""

from __future__ import annotations

import hashlib

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.service.export import export_bytes
from judge.web.request import judge_of

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}/export.json")
def export(request: Request, game_id: str) -> Response:
    return export_file(request, game_id)


def export_file(request: Request, game_id: str) -> Response:
    """The file, or 304 for who has it already.  Caches may keep it, and must ask each time whether it still holds."""
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
