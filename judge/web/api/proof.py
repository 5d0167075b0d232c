"""By what everybody can check a game."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.core.record import Export
from judge.language import Voice
from judge.verification import Verdict
from judge.web.api.access import GameId
from judge.web.api.models import DocumentAnswer, FailureAnswer, VerdictAnswer
from judge.web.pages.export import export_file
from judge.web.pages.fairness import fairness_text, sealing_text
from judge.web.pages.verify import own_verdict
from judge.web.place import find_place
from judge.web.request import judge_of
from judge.web.session import visitor_of

router = APIRouter(tags=["proof"])


@router.get(
    "/games/{game_id}/export.json",
    summary="All that is public of a game, as one file that anybody can verify",
    response_model=Export,
)
def export(request: Request, game_id: GameId) -> Response:
    return export_file(request, game_id)


@router.get("/games/{game_id}/verify", summary="What the judge finds when it checks its own export")
def verify(request: Request, game_id: GameId) -> VerdictAnswer:
    verdict = own_verdict(request, game_id)
    with judge_of(request).store.read() as session:
        return _answer(verdict, find_place(session, request, game_id).voice)


@router.get("/fairness", summary="How players know that nobody cheated")
def fairness(request: Request) -> DocumentAnswer:
    return DocumentAnswer(text=fairness_text(visitor_of(request).language))


@router.get("/fairness/bytes", summary="What is hashed, sealed and signed, byte for byte")
def sealing() -> DocumentAnswer:
    return DocumentAnswer(text=sealing_text())


def _answer(verdict: Verdict | None, voice: Voice) -> VerdictAnswer:
    if verdict is None:
        return VerdictAnswer(holds=None)
    failure = verdict.failure
    return VerdictAnswer(
        holds=verdict.ok,
        failure=None
        if failure is None
        else FailureAnswer(
            record=failure.record,
            turn=failure.turn,
            version=failure.version,
            seat=failure.seat,
            line=failure.line,
            text=voice.say(failure.text),
        ),
        checked=asdict(verdict.counts),
        unreplayed=None if verdict.unreplayed is None else voice.say(verdict.unreplayed),
        closed=[voice.say(text) for text in verdict.closed],
        notes=[voice.say(text) for text in verdict.notes],
    )
