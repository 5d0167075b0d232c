"""The table: whose move it is, until when, what happened, what can be done, and how things stand."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from judge.core.report import Block, Report
from judge.service.deadlines import RULES, in_words
from judge.store import queries
from judge.web.pages.orders import order_sheet
from judge.web.place import Place, find_place, private_report, story
from judge.web.proof import all_anchors
from judge.web.request import judge_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id}")
def table(request: Request, game_id: str) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        return page(request, "table.html", voice=place.voice, **table_values(session, place))


def table_values(session: Session, place: Place) -> dict[str, Any]:
    """What stands on the table page."""
    last = queries.turn(session, place.game.id, place.last_resolved) if place.last_resolved else None
    return {
        "place": place,
        "last": last,
        "story": story(Report.model_validate(last.report)) if last is not None and last.report else None,
        "told": private_report(session, last, place.seat) if last is not None else None,
        "sheet": order_sheet(session, place, whole=False),
        "board": board(place),
        "rule": in_words(RULES.validate_python(place.game.deadline_rule), place.game.zone),
        "standings": standings(place),
        "anchors": all_anchors(session, place.game.id),
    }


def board(place: Place) -> list[Block]:
    """The position as the visitor may see it: as his seat, or as everybody."""
    if place.where is None:
        return []
    return list(place.ruleset.show(place.ruleset.view(place.where.state, place.seat)))


def standings(place: Place) -> list[tuple[str, int]]:
    """Names and points, the best first, once the game is over; ties stay in seat order."""
    if place.where is None or place.game.status != "over":
        return []
    points = list(place.ruleset.standings(place.where.state))
    return [(place.voice.names[seat], number) for seat, number in sorted(points, key=lambda pair: -pair[1])]
