"""The host's view of a game's forum: when it was read, what waits to be posted there, and who posts for which seat.

It shows nothing of any order; posts are named by their place in the topic.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from judge.core.text import Span, Text
from judge.service import claiming
from judge.service.refusal import Refusal
from judge.service.traffic import ODD, Traffic, look_now, send_letter, send_messages, traffic
from judge.web.place import Place, find_place
from judge.web.request import Form, SentForm, judge_of, now_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)

SAME_CLOCK = 2.0
"""Seconds: closer together, two clocks are the same to people."""


@router.get("/games/{game_id}/moderate/forum")
def forum(request: Request, game_id: str) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        place.access.require_host()
        return _forum_page(request, session, place)


@router.post("/games/{game_id}/moderate/look")
def look(request: Request, game_id: str, form: Form = SentForm) -> Response:
    """Reads the topic as soon as may be."""

    def work(session: Session, place: Place) -> None:
        look_now(session, game_id)

    return _deed(request, game_id, work)


@router.post("/games/{game_id}/moderate/send")
def send(request: Request, game_id: str, form: Form = SentForm) -> Response:
    """Sends a letter again, or the private messages to a seat."""

    def work(session: Session, place: Place) -> None:
        if seat := form.get("seat"):
            send_messages(session, now_of(request), game_id, seat)
        else:
            letter = form.get("letter")
            send_letter(session, now_of(request), game_id, int(letter) if letter.isdecimal() and len(letter) < 7 else 0)

    return _deed(request, game_id, work)


@router.post("/games/{game_id}/moderate/free")
def free(request: Request, game_id: str, form: Form = SentForm) -> Response:
    """Takes a seat from the forum account that posts for it."""

    def work(session: Session, place: Place) -> None:
        claiming.set_free(session, now_of(request), game_id, form.get("seat"))

    return _deed(request, game_id, work)


def clock_told(lag: float | None) -> Text:
    """How the forum's clock, by which deadlines count, goes beside the judge's."""
    if lag is None:
        return Text.of("unknown")
    if abs(lag) < SAME_CLOCK:
        return Text.of("like the judge's")
    if lag > 0:
        return Text.of("{span} ahead of the judge's", span=Span(round(lag)))
    return Text.of("{span} behind the judge's", span=Span(round(-lag)))


def _deed(request: Request, game_id: str, work: Any) -> Response:
    def guarded(session: Session) -> None:
        place = find_place(session, request, game_id)
        place.access.require_host()
        work(session, place)

    try:
        judge_of(request).store.write(guarded)
    except Refusal as refusal:
        if refusal.reason != "conflict":
            raise
        with judge_of(request).store.read() as session:
            place = find_place(session, request, game_id)
            if place.topic_forum is None:
                raise
            return _forum_page(request, session, place, 409, refusal)
    return RedirectResponse(f"/games/{game_id}/moderate/forum", status_code=303)


def _forum_page(
    request: Request, session: Session, place: Place, status: int = 200, refusal: Refusal | None = None
) -> Response:
    found: Traffic = traffic(session, place.game.id)
    return page(
        request,
        "forum.html",
        status,
        voice=place.voice,
        place=place,
        traffic=found,
        clock=clock_told(found.lag),
        why=ODD,
        refusal=refusal,
    )
