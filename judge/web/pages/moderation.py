"""What a host can do to a game, and the public record of what was done.

The record can be read by everybody; the deeds are the host's.  A host cannot look at sealed orders; only of a post that
he pastes himself he is told the problems, once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from judge.core.text import Text
from judge.service import moderation, rewinding, table
from judge.service.audit import audit_lines
from judge.service.publishing import THREAD
from judge.service.receipts import Receipt
from judge.service.refusal import Refusal
from judge.store import queries
from judge.web.pages.turns import newest_copy_texts
from judge.web.place import Place, find_place
from judge.web.request import Form, SentForm, judge_of, now_of, request_key
from judge.web.template import page

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class TakeBack:
    """What stands in the form that takes a turn back."""

    number: str = ""
    why: str = ""
    reopen: tuple[str, ...] = ()


@router.get("/games/{game_id}/moderate")
def moderate(request: Request, game_id: str) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        return _host_page(request, session, place)


@router.post("/games/{game_id}/moderate/start")
def start(request: Request, game_id: str, form: Form = SentForm) -> Response:
    _as_host(request, game_id, lambda session, place: table.start(session, now_of(request), game_id))
    return RedirectResponse(f"/games/{game_id}", status_code=303)


@router.post("/games/{game_id}/moderate/paste")
def hand_in_for(request: Request, game_id: str, form: Form = SentForm) -> Response:
    """A player's post, handed in by the host: he sees its problems this once, the player gets the receipt."""
    seat, text = form.get("seat"), form.get("text")

    def work(session: Session, place: Place) -> Receipt:
        key = request_key(request, form.get("request"))
        private = bool(form.get("private"))
        return moderation.paste(session, now_of(request), game_id, seat, text, _markup(form), private, key)

    try:
        slip = _as_host(request, game_id, work)
    except Refusal as refusal:
        if refusal.reason not in ("conflict", "gone"):
            raise
        return _refused(request, game_id, refusal, text=text, pasted_for=seat)
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        refused = slip.outcome == "refused"
        values = {"pasted": slip, "pasted_for": seat, "text": text if refused else ""}
        return _host_page(request, session, place, 422 if refused else 200, **values)


def _markup(form: Form) -> Literal["markdown", "bbcode", "html"]:
    match form.get("markup"):
        case "markdown":
            return "markdown"
        case "html":
            return "html"
    return "bbcode"


@router.post("/games/{game_id}/moderate/extend")
def extend(request: Request, game_id: str, form: Form = SentForm) -> Response:
    hours = form.get("hours").strip()
    if not hours.isdecimal() or len(hours) > 6:
        text = Text.of("Hours: a whole number is needed, “{given}” was read.", given=hours[:20])
        return _refused(request, game_id, Refusal("invalid", text, field="hours"))
    by, key = timedelta(hours=int(hours)), request_key(request, form.get("request"))
    return _deed(request, game_id, lambda session, place: moderation.extend(session, now_of(request), game_id, by, key))


@router.post("/games/{game_id}/moderate/pause")
def pause(request: Request, game_id: str, form: Form = SentForm) -> Response:
    return _deed(request, game_id, lambda session, place: moderation.pause(session, now_of(request), game_id))


@router.post("/games/{game_id}/moderate/resume")
def resume(request: Request, game_id: str, form: Form = SentForm) -> Response:
    return _deed(request, game_id, lambda session, place: moderation.resume(session, now_of(request), game_id))


@router.post("/games/{game_id}/moderate/force")
def force(request: Request, game_id: str, form: Form = SentForm) -> Response:
    number = form.get("number")

    def work(session: Session, place: Place) -> None:
        turn = int(number) if number.isdecimal() and len(number) < 7 else 0
        if not moderation.force(session, now_of(request), game_id, turn):
            raise Refusal(
                "conflict", Text.of("Turn {number} has been resolved already: nothing was done.", number=turn)
            )

    return _deed(request, game_id, work)


@router.post("/games/{game_id}/moderate/decide")
def decide(request: Request, game_id: str, form: Form = SentForm) -> Response:
    """What the game's rules leave to the host, such as its last round."""
    now, words = now_of(request), form.get("words")
    return _deed(request, game_id, lambda session, place: moderation.decide(session, now, game_id, words))


@router.post("/games/{game_id}/moderate/rewind")
def rewind(request: Request, game_id: str, form: Form = SentForm) -> Response:
    """Takes a turn back, and what followed it; what the host typed stays if it cannot be done."""
    number, why, reopen = form.get("number"), form.get("why"), tuple(form.typed.get("reopen", ()))

    def work(session: Session, place: Place) -> None:
        turn = int(number) if number.isdecimal() and len(number) < 7 else 0
        key = request_key(request, form.get("request"))
        rewinding.rewind(session, now_of(request), game_id, turn, why, reopen, key)

    return _deed(request, game_id, work, rewind=TakeBack(number, why, reopen))


@router.post("/games/{game_id}/moderate/replace")
def replace(request: Request, game_id: str, form: Form = SentForm) -> Response:
    seat, name = form.get("seat"), form.get("name")

    def work(session: Session, place: Place) -> str:
        row = next((row for row in place.seats if row.seat == seat), None)
        if row is not None and row.taken is None:
            return moderation.name_free_seat(session, now_of(request), game_id, seat, name)
        return moderation.replace_player(session, now_of(request), game_id, seat, name)

    return _link_page(request, game_id, seat, work)


@router.post("/games/{game_id}/moderate/bot")
def bot(request: Request, game_id: str, form: Form = SentForm) -> Response:
    seat = form.get("seat")
    return _deed(
        request, game_id, lambda session, place: moderation.bot_in_seat(session, now_of(request), game_id, seat)
    )


@router.post("/games/{game_id}/moderate/link")
def link(request: Request, game_id: str, form: Form = SentForm) -> Response:
    seat = form.get("seat")
    return _link_page(
        request, game_id, seat, lambda session, place: moderation.new_link(session, now_of(request), game_id, seat)
    )


def _as_host(request: Request, game_id: str, work: Callable[[Session, Place], Any]) -> Any:
    """Runs a deed for the host of the game; Refusal for anybody else."""

    def guarded(session: Session) -> Any:
        place = find_place(session, request, game_id)
        place.access.require_host()
        return work(session, place)

    return judge_of(request).store.write(guarded)


def _deed(request: Request, game_id: str, work: Callable[[Session, Place], Any], **values: Any) -> Response:
    """A deed after which the desk is shown again; if it is refused, with the `values` that were typed."""
    try:
        _as_host(request, game_id, work)
    except Refusal as refusal:
        if refusal.reason not in ("invalid", "conflict"):
            raise
        return _refused(request, game_id, refusal, **values)
    return RedirectResponse(f"/games/{game_id}/moderate", status_code=303)


def _link_page(request: Request, game_id: str, seat: str, work: Callable[[Session, Place], str]) -> Response:
    """A new personal link, shown this once."""
    try:
        token = _as_host(request, game_id, work)
    except Refusal as refusal:
        if refusal.reason not in ("invalid", "conflict"):
            raise
        return _refused(request, game_id, refusal)
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        address = f"{judge_of(request).settings.address}/seat/{token}"
        return _host_page(request, session, place, link=address, link_for=place.voice.names.get(seat, seat))


def _refused(request: Request, game_id: str, refusal: Refusal, **values: Any) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        place.access.require_host()
        return _host_page(
            request, session, place, 422 if refusal.reason == "invalid" else 409, refusal=refusal, **values
        )


def _host_page(request: Request, session: Session, place: Place, status: int = 200, **values: Any) -> Response:
    host = place.access.host
    letters = [row for row in queries.letters(session, place.game.id, THREAD) if row.status in queries.UNDER_WAY]
    shown: dict[str, Any] = {
        "place": place,
        "audit": list(reversed(audit_lines(session, place.game.id))),
        "letters": letters if host else [],
        "troubles": {row.id: Text.model_validate(row.trouble) for row in letters if row.trouble},
        "copies": newest_copy_texts(session, place) if host else [],
        "refusal": None,
        "pasted": None,
        "pasted_for": None,
        "text": "",
        "link": None,
        "link_for": None,
        "results": queries.resolved_numbers(session, place.game.id) if host else [],
        "rewind": TakeBack(),
    }
    return page(request, "moderate.html", status, voice=place.voice, **shown | values)
