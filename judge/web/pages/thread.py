"""The thread: what players, spectators and the judge say to each other.

Order lines in a player's post are taken as orders and vanish from the public text; see `judge.service.thread`.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from judge.core.text import Text
from judge.service import thread as use_cases
from judge.service.refusal import Refusal
from judge.service.table import clean_name, name_key
from judge.service.thread import Posted, Shown
from judge.service.voices import game_voice
from judge.store import queries
from judge.web.place import Place, find_place, story
from judge.web.request import Form, SentForm, author_id, judge_of, now_of, request_key
from judge.web.template import page

router = APIRouter(include_in_schema=False)

POSTS_A_PAGE = 30


@router.get("/games/{game_id}/thread")
def thread(
    request: Request,
    game_id: str,
    receipt: bool = False,
    number: Annotated[int | None, Query(alias="page")] = None,
) -> Response:
    """The newest posts, unless an older page is asked for."""
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        return _thread_page(request, session, place, number=number, told=receipt and place.seat is not None)


@router.post("/games/{game_id}/thread")
def write(request: Request, game_id: str, form: Form = SentForm) -> Response:
    def work(session: Session) -> Posted:
        return write_post(session, request, game_id, form.get("text"), form.get("name"), form.get("request"))

    try:
        posted = judge_of(request).store.write(work)
    except Refusal as refusal:
        if refusal.reason != "invalid":
            raise
        with judge_of(request).store.read() as session:
            place = find_place(session, request, game_id)
            return _thread_page(
                request, session, place, status=422, refusal=refusal, text=form.get("text"), name=form.get("name")
            )
    return RedirectResponse(_after(game_id, posted), status_code=303)


@router.get("/games/{game_id}/thread/{post_id}/edit")
def edit_form(request: Request, game_id: str, post_id: int) -> Response:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        post = own_post(session, request, place, post_id)
        return page(request, "edit.html", voice=place.voice, place=place, post=post, text=post.source, refusal=None)


@router.post("/games/{game_id}/thread/{post_id}/edit")
def edit(request: Request, game_id: str, post_id: int, form: Form = SentForm) -> Response:
    text, now = form.get("text"), now_of(request)

    def work(session: Session) -> Posted:
        place = find_place(session, request, game_id)
        return use_cases.edit(session, now, place.access, author_id(request), post_id, text)

    try:
        posted = judge_of(request).store.write(work)
    except Refusal as refusal:
        if refusal.reason not in ("invalid", "conflict", "gone"):
            raise
        with judge_of(request).store.read() as session:
            place = find_place(session, request, game_id)
            status = {"invalid": 422, "conflict": 409}.get(refusal.reason, 410)
            values = {"place": place, "post": None, "post_id": post_id, "text": text, "refusal": refusal}
            return page(request, "edit.html", status, voice=place.voice, **values)
    return RedirectResponse(_after(game_id, posted), status_code=303)


@router.post("/games/{game_id}/thread/{post_id}/delete")
def delete(request: Request, game_id: str, post_id: int, form: Form = SentForm) -> Response:
    now = now_of(request)

    def work(session: Session) -> None:
        place = find_place(session, request, game_id)
        use_cases.delete(session, now, place.access, author_id(request), post_id)

    judge_of(request).store.write(work)
    return RedirectResponse(f"/games/{game_id}/thread", status_code=303)


def write_post(session: Session, request: Request, game_id: str, text: str, name: str, key: str) -> Posted:
    """Writes a post as the visitor's seat, or as a guest under a name that nobody at the table has."""
    place = find_place(session, request, game_id)
    if place.seat is None:
        name = _guest_name(session, place, name, judge_of(request).settings.web.spectators_post)
    return use_cases.post(
        session, now_of(request), place.access, author_id(request), name, text, request_key(request, key)
    )


def own_post(session: Session, request: Request, place: Place, post_id: int) -> Shown:
    """A post of the visitor's own."""
    found = next(
        (post for post in use_cases.posts(session, place.access, author_id(request)) if post.id == post_id), None
    )
    if found is None:
        raise Refusal("unknown", Text.of("There is no such post in this thread."))
    if found.source is None:
        raise Refusal("forbidden", Text.of("Only its author can change a post."))
    return found


def _guest_name(session: Session, place: Place, name: str, allowed: bool) -> str:
    if place.access.host:
        return game_voice(session, place.game).say(Text.of("Host"))
    if not allowed:
        raise Refusal("forbidden", Text.of("Only players write in this thread; anybody may read it."))
    cleaned = clean_name(name)
    if not cleaned:
        raise Refusal("invalid", Text.of("A name is needed."), field="name")
    taken = {name_key(other) for other in (*place.voice.names.values(), "Gamejudge", "Host", "Spielleiter")}
    if name_key(cleaned) in taken:
        raise Refusal(
            "invalid", Text.of("“{name}” is somebody else here; choose another name.", name=cleaned), field="name"
        )
    return cleaned


def _thread_page(
    request: Request,
    session: Session,
    place: Place,
    status: int = 200,
    number: int | None = None,
    **values: Any,
) -> Response:
    posts = use_cases.posts(session, place.access, author_id(request))
    may_write = place.topic_forum is None and (
        place.seat is not None or place.access.host or judge_of(request).settings.web.spectators_post
    )
    pages = max(1, -(-len(posts) // POSTS_A_PAGE))
    number = min(max(number or pages, 1), pages)
    shown: dict[str, Any] = {
        "place": place,
        "posts": posts[(number - 1) * POSTS_A_PAGE : number * POSTS_A_PAGE],
        "pages": pages,
        "shown_page": number,
        "may_write": may_write,
        "turn_of": partial(_turn_of, session, place),
        "story": story,
        "told": False,
        "refusal": None,
        "text": "",
        "name": "",
    }
    return page(request, "thread.html", status, voice=place.voice, **shown | values)


def _turn_of(session: Session, place: Place, post: Shown) -> tuple[int, int | None] | None:
    """The turn whose result this post of the judge is, and the version that it replaces: these have pages."""
    match (post.key or "").split("/"):
        case [_, turn, "result", _]:
            number, version = map(int, turn.split("."))
            replaced = queries.result_replaced(session, place.game.id, number, version)
            return number, None if replaced is None else replaced.version
    return None


def _after(game_id: str, posted: Posted) -> str:
    receipt = "" if posted.receipt is None else "?receipt=1"
    return f"/games/{game_id}/thread{receipt}#post-{posted.post_id}"
