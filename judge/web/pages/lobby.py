"""The lobby: which games there are, what each waits for, and whose move it is."""

from __future__ import annotations

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from judge.service.access import games_of
from judge.store import queries
from judge.web.place import Place, find_place, ruleset_voice
from judge.web.request import holder_of, judge_of, may_open
from judge.web.template import page

router = APIRouter(include_in_schema=False)

MOST_SHOWN = 60
"""Of each kind: open, running, over."""


@router.get("/")
def lobby(request: Request) -> Response:
    with judge_of(request).store.read() as session:
        return page(
            request,
            "lobby.html",
            open=listed(session, request, "open"),
            running=listed(session, request, "running", "aside"),
            over=listed(session, request, "over"),
            rulesets=[(ruleset, ruleset_voice(request, ruleset)) for ruleset in session.info["rulesets"].values()],
            may_open=may_open(request),
        )


def listed(session: Session, request: Request, *status: str) -> list[Place]:
    """The games of a kind, the visitor's own first, then the newest."""
    mine = games_of(session, holder_of(request))
    games = [game for game in queries.games(session) if game.status in status]
    shown = sorted(games, key=lambda game: game.id not in mine)[:MOST_SHOWN]
    return [find_place(session, request, game.id) for game in shown]
