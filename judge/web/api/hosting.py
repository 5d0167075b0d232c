"""What a host can do to a game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from judge.core.text import Text
from judge.language import Voice
from judge.service import moderation, rewinding, table
from judge.service.audit import audit_lines
from judge.service.publishing import THREAD
from judge.service.receipts import Receipt
from judge.store import queries
from judge.store.tables import LetterRow
from judge.web.api.access import Bearer, GameId
from judge.web.api.models import (
    AuditAnswer,
    Decision,
    DoneAnswer,
    Extend,
    HostAnswer,
    NewPlayer,
    OneSeat,
    OneTurn,
    Paste,
    Rewind,
    RewoundAnswer,
    TokenAnswer,
    WaitingLetter,
    WhichSeat,
)
from judge.web.failures import problems_json
from judge.web.place import Place, find_place
from judge.web.request import judge_of, now_of, request_key

router = APIRouter(tags=["host"])

T = TypeVar("T")


@router.get("/games/{game_id}/moderate", summary="What was done, and (for the host) what waits to be sent")
def overview(request: Request, game_id: GameId) -> HostAnswer:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        host = place.access.host
        waiting = [row for row in queries.letters(session, game_id, THREAD) if row.status in queries.UNDER_WAY]
        return HostAnswer(
            audit=[AuditAnswer(at=at, text=place.voice.say(text)) for at, text in audit_lines(session, game_id)],
            letters=[
                WaitingLetter(
                    kind=row.kind, turn=row.number, status=row.status, tries=row.tries, error=_trouble(row, place.voice)
                )
                for row in waiting
                if host
            ],
            alarm=place.game.alarm if host else None,
        )


@router.post("/games/{game_id}/moderate/start", summary="Begin the game")
def start(request: Request, game_id: GameId, bearer: Bearer) -> DoneAnswer:
    _as_host(request, game_id, lambda session, place: table.start(session, now_of(request), game_id))
    return DoneAnswer(done=True)


@router.post("/games/{game_id}/moderate/paste", summary="Hand in a player's post", response_model=DoneAnswer)
def paste(request: Request, game_id: GameId, wish: Paste, bearer: Bearer) -> Response:
    def work(session: Session, place: Place) -> tuple[Receipt, Voice]:
        key = request_key(request, wish.request)
        slip = moderation.paste(session, now_of(request), game_id, wish.seat, wish.text, wish.markup, wish.private, key)
        return slip, place.voice

    slip, voice = _as_host(request, game_id, work)
    if slip.outcome == "refused":
        return JSONResponse({"problems": problems_json(slip.problems, voice)}, 422)
    return JSONResponse({"done": True})


@router.post("/games/{game_id}/moderate/extend", summary="Move the deadline of the open turn")
def extend(request: Request, game_id: GameId, wish: Extend, bearer: Bearer) -> DoneAnswer:
    by, key = timedelta(hours=wish.hours), request_key(request, wish.request)
    _as_host(request, game_id, lambda session, place: moderation.extend(session, now_of(request), game_id, by, key))
    return DoneAnswer(done=True)


@router.post("/games/{game_id}/moderate/pause", summary="Stop the clock")
def pause(request: Request, game_id: GameId, bearer: Bearer) -> DoneAnswer:
    _as_host(request, game_id, lambda session, place: moderation.pause(session, now_of(request), game_id))
    return DoneAnswer(done=True)


@router.post("/games/{game_id}/moderate/resume", summary="Let the clock run again")
def resume(request: Request, game_id: GameId, bearer: Bearer) -> DoneAnswer:
    _as_host(request, game_id, lambda session, place: moderation.resume(session, now_of(request), game_id))
    return DoneAnswer(done=True)


@router.post("/games/{game_id}/moderate/force", summary="Close a turn now; false if it had been resolved already")
def force(request: Request, game_id: GameId, wish: OneTurn, bearer: Bearer) -> DoneAnswer:
    def work(session: Session, place: Place) -> bool:
        return moderation.force(session, now_of(request), game_id, wish.turn)

    return DoneAnswer(done=_as_host(request, game_id, work))


@router.post("/games/{game_id}/moderate/decide", summary="Decide what the rules leave to the host")
def decide(request: Request, game_id: GameId, wish: Decision, bearer: Bearer) -> DoneAnswer:
    now = now_of(request)
    _as_host(request, game_id, lambda session, place: moderation.decide(session, now, game_id, wish.words))
    return DoneAnswer(done=True)


@router.post("/games/{game_id}/moderate/rewind", summary="Take back a turn and what followed; it opens again")
def rewind(request: Request, game_id: GameId, wish: Rewind, bearer: Bearer) -> RewoundAnswer:
    now, key = now_of(request), request_key(request, wish.request)

    def work(session: Session, place: Place) -> int:
        return rewinding.rewind(session, now, game_id, wish.turn, wish.why, wish.reopen, key)

    return RewoundAnswer(turn=wish.turn, version=_as_host(request, game_id, work))


@router.post("/games/{game_id}/moderate/replace", summary="Give a seat to somebody else")
def replace(request: Request, game_id: GameId, wish: NewPlayer, bearer: Bearer) -> TokenAnswer:
    def work(session: Session, place: Place) -> str:
        return moderation.replace_player(session, now_of(request), game_id, wish.seat, wish.name)

    return TokenAnswer(token=_as_host(request, game_id, work))


@router.post("/games/{game_id}/moderate/bot", summary="Let a bot play a seat")
def bot(request: Request, game_id: GameId, wish: OneSeat, bearer: Bearer) -> DoneAnswer:
    _as_host(
        request, game_id, lambda session, place: moderation.bot_in_seat(session, now_of(request), game_id, wish.seat)
    )
    return DoneAnswer(done=True)


@router.post("/games/{game_id}/moderate/link", summary="A new personal link for a seat, or for the host")
def link(request: Request, game_id: GameId, wish: WhichSeat, bearer: Bearer) -> TokenAnswer:
    def work(session: Session, place: Place) -> str:
        return moderation.new_link(session, now_of(request), game_id, wish.seat)

    return TokenAnswer(token=_as_host(request, game_id, work))


def _trouble(letter: LetterRow, voice: Voice) -> str | None:
    return None if letter.trouble is None else voice.say(Text.model_validate(letter.trouble))


def _as_host(request: Request, game_id: str, work: Callable[[Session, Place], T]) -> T:
    def guarded(session: Session) -> T:
        place = find_place(session, request, game_id)
        place.access.require_host()
        return work(session, place)

    return judge_of(request).store.write(guarded)
