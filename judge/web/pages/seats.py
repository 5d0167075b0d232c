"""Coming to the table: by a personal link, which is shown once and claimed once, or on a free seat."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from judge.service.access import claim_link, find_link
from judge.service.table import take_seat
from judge.web.place import find_place
from judge.web.request import Form, SentForm, judge_of, now_of
from judge.web.session import visitor_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)


@router.get("/seat/{token}")
def link(request: Request, token: str) -> Response:
    """Shows a button only: programs that look at links in mails and messages must not use them up."""
    with judge_of(request).store.read() as session:
        found = find_link(session, token)
        place = find_place(session, request, found.game_id)
        return page(request, "seat.html", voice=place.voice, place=place, link=found)


@router.post("/seat/{token}")
def claim(request: Request, token: str, form: Form = SentForm) -> Response:
    holder, now = visitor_of(request).begin_session(), now_of(request)
    access = judge_of(request).store.write(lambda session: claim_link(session, now, token, holder))
    return RedirectResponse(f"/games/{access.game_id}", status_code=303)


@router.post("/games/{game_id}/seats")
def take(request: Request, game_id: str, form: Form = SentForm) -> Response:
    holder, now = visitor_of(request).begin_session(), now_of(request)
    seat, name = form.get("seat") or None, form.get("name")
    judge_of(request).store.write(lambda session: take_seat(session, now, game_id, name, holder, seat))
    return RedirectResponse(f"/games/{game_id}", status_code=303)
