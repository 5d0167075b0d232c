"""For whoever keeps the judge running: is it well, and how much is there.  No game's contents."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.requests import Request
from starlette.responses import Response

from judge.store import StoreError, queries
from judge.web.request import judge_of

router = APIRouter(include_in_schema=False)

KNOWN = {
    "game": ("open", "running", "over", "aside"),
    "turn": ("open", "closed", "resolved"),
    "letter": ("waiting", "sent", "held", "kept", "moved"),
}
"""Told even when there are none, so that a graph does not begin with a gap."""


@router.get("/healthz")
def health(request: Request) -> Response:
    try:
        with judge_of(request).store.read() as session:
            queries.count_by_status(session)
    except StoreError as error:
        return JSONResponse({"status": "unavailable", "why": str(error)}, status_code=503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """In Prometheus' text format."""
    with judge_of(request).store.read() as session:
        counted = queries.count_by_status(session)
        at_rest = sum(game.moved is not None and game.status == "aside" for game in queries.games(session))
    lines = []
    for kind, states in KNOWN.items():
        lines += [f"# HELP gamejudge_{kind}s How many {kind}s there are, by status.", f"# TYPE gamejudge_{kind}s gauge"]
        lines += [f'gamejudge_{kind}s{{status="{state}"}} {counted.get((kind, state), 0)}' for state in states]
    problems = counted.get(("game", "aside"), 0) - at_rest + counted.get(("letter", "held"), 0)
    lines += [
        "# HELP gamejudge_problems What needs a person: games set aside and not moved elsewhere, letters held back.",
        "# TYPE gamejudge_problems gauge",
        f"gamejudge_problems {problems}",
        "# HELP gamejudge_failures_total Requests that ended in an unexpected error since the start.",
        "# TYPE gamejudge_failures_total counter",
        f"gamejudge_failures_total {request.app.state.failures}",
    ]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
