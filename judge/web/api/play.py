"""Seats, orders, receipts and reports."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from judge.core.orders import Ask, kind_of
from judge.core.text import Text
from judge.language import Voice
from judge.render import render_json
from judge.service import intake
from judge.service.access import claim_link, find_link, is_known, new_token
from judge.service.claiming import word_of
from judge.service.intake import Source
from judge.service.receipts import Receipt, Understood
from judge.service.refusal import Refusal
from judge.service.table import take_seat
from judge.web.api.access import Bearer, GameId, TurnNumber
from judge.web.api.models import (
    AskAnswer,
    ChoiceAnswer,
    Claim,
    ClaimAnswer,
    HandIn,
    LinkAnswer,
    OrdersAnswer,
    ReceiptAnswer,
    SealAnswer,
    TakeSeat,
    TurnAnswer,
    UnderstoodAnswer,
    VersionAnswer,
)
from judge.web.failures import problem_answers, problems_json
from judge.web.pages.orders import receipts
from judge.web.pages.turns import find_turn
from judge.web.place import find_place
from judge.web.request import judge_of, now_of, request_key
from judge.web.session import visitor_of

router = APIRouter(tags=["play"])


@router.get("/seat/{token}", summary="What a personal link is good for")
def link(request: Request, token: Annotated[str, Path(max_length=200)]) -> LinkAnswer:
    with judge_of(request).store.read() as session:
        found = find_link(session, token)
        place = find_place(session, request, found.game_id)
        name = place.voice.names.get(found.seat) if found.seat else None
        return LinkAnswer(game=found.game_id, title=place.game.title, seat=found.seat, name=name)


@router.post("/claim", summary="A bearer token for a personal link, which is used up by it")
def claim(request: Request, wish: Claim) -> ClaimAnswer:
    now = now_of(request)

    def work(session: Session) -> ClaimAnswer:
        bearer = _own_token(session, request)
        found = claim_link(session, now, wish.token, bearer, bearer=True)
        return ClaimAnswer(token=bearer, game=found.game_id, seat=found.seat, host=found.host)

    return judge_of(request).store.write(work)


@router.post("/games/{game_id}/seats", summary="Sit down on a free seat; gives a bearer token", status_code=201)
def take(request: Request, game_id: GameId, wish: TakeSeat) -> ClaimAnswer:
    now = now_of(request)

    def work(session: Session) -> ClaimAnswer:
        bearer = _own_token(session, request)
        seat = take_seat(session, now, game_id, wish.name, bearer, wish.seat)
        return ClaimAnswer(token=bearer, game=game_id, seat=seat, host=False)

    return judge_of(request).store.write(work)


def _own_token(session: Session, request: Request) -> str:
    """The token a program shows, if it is one of ours; else a new one, since nobody may choose his own."""
    shown = visitor_of(request).bearer
    return shown if shown is not None and is_known(session, shown) else new_token()


@router.get("/games/{game_id}/orders", summary="What you are asked, and your receipts")
def orders(request: Request, game_id: GameId) -> OrdersAnswer:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        seat, turn = place.access.require_seat(), place.turn
        return OrdersAnswer(
            turn=turn.number if turn else None,
            version=turn.version if turn else None,
            deadline=place.deadline,
            ask=_ask(place.ask, place.voice) if place.ask else None,
            receipts=[receipt_answer(slip, place.voice) for slip in receipts(session, place)],
            forum_word=word_of(session, game_id, seat),
            forum_account=place.forum_account,
        )


@router.post("/games/{game_id}/orders", summary="Hand in a set of orders", response_model=ReceiptAnswer)
def hand_in(request: Request, game_id: GameId, wish: HandIn, bearer: Bearer) -> Response:
    now = now_of(request)
    source = Source("api", request=request_key(request, wish.request))

    def work(session: Session) -> tuple[Receipt, Voice]:
        place = find_place(session, request, game_id)
        seat = place.access.require_seat()
        if (wish.orders is None) == (wish.text is None):
            raise Refusal("invalid", Text.of("Send either “orders” or “text”."), field="orders")
        if wish.text is not None:
            slip = intake.hand_in_text(session, now, game_id, seat, source, wish.text, wish.turn, wish.version)
        else:
            slip = intake.hand_in(session, now, game_id, seat, source, wish.orders, wish.turn, wish.version)
        return slip, place.voice

    slip, voice = judge_of(request).store.write(work)
    return _answered(slip, voice)


@router.delete("/games/{game_id}/orders", summary="Withdraw your orders", response_model=ReceiptAnswer)
def withdraw(
    request: Request,
    game_id: GameId,
    bearer: Bearer,
    turn: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
) -> Response:
    now = now_of(request)

    def work(session: Session) -> tuple[Receipt, Voice]:
        place = find_place(session, request, game_id)
        seat = place.access.require_seat()
        return intake.withdraw(session, now, game_id, seat, Source("api"), turn, version), place.voice

    slip, voice = judge_of(request).store.write(work)
    return _answered(slip, voice)


@router.get("/games/{game_id}/turns/{number}", summary="A turn's report")
def turn(
    request: Request,
    game_id: GameId,
    number: TurnNumber,
    version: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
) -> TurnAnswer:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        shown = find_turn(session, place, number, version)
        closed = shown.turn.closed
        assert closed is not None
        proof = shown.proof
        return TurnAnswer(
            turn=shown.turn.number,
            version=shown.turn.version,
            versions=[VersionAnswer(version=number, undone=undone) for number, undone in shown.versions],
            closed=closed,
            resolved=shown.turn.resolved,
            undone=shown.turn.undone,
            record_hash=proof.newest.hash if proof else None,
            previous_hash=proof.before if proof else None,
            seals=[
                SealAnswer(seat=seal.seat, how=seal.entry.how, commitment=seal.entry.commitment, opened=seal.opened)
                for seal in (proof.seals if proof else ())
            ],
            chance=proof.resolved.chance if proof and proof.resolved else None,
            report=render_json(shown.report, place.voice) if shown.report else None,
            events=shown.turn.events,
            orders={name: list(lines) for name, lines in shown.opened},
            told=render_json(shown.told, place.voice) if shown.told else None,
        )


def receipt_answer(slip: Receipt, voice: Voice) -> ReceiptAnswer:
    def said(lines: tuple[Understood, ...]) -> list[UnderstoodAnswer]:
        return [UnderstoodAnswer(line=one.line, words=voice.say(one.words)) for one in lines]

    return ReceiptAnswer(
        turn=slip.number,
        version=slip.version,
        seat=slip.seat,
        via=slip.via,
        received=slip.received,
        outcome=slip.outcome,
        orders=slip.orders,
        understood=said(slip.understood),
        problems=problem_answers(slip.problems, voice),
        counting=None if slip.counting is None else said(slip.counting),
        then=voice.say(slip.then),
        deadline=slip.deadline,
        commitment=slip.sealed.commitment if slip.sealed else None,
        sealed=slip.sealed,
        signed=slip.signed,
    )


def _answered(slip: Receipt, voice: Voice) -> Response:
    """A refused set is a failure: its receipt stands among the receipts, the answer names the problems."""
    if slip.outcome == "refused":
        return JSONResponse({"problems": problems_json(slip.problems, voice)}, 422)
    return JSONResponse(receipt_answer(slip, voice).model_dump(mode="json"))


def _ask(ask: Ask, voice: Voice) -> AskAnswer:
    return AskAnswer(
        prompt=voice.say(ask.prompt),
        at_hand=None if ask.at_hand is None else voice.say(ask.at_hand),
        kinds={kind_of(kind): kind.model_json_schema() for kind in ask.kinds},
        choices={
            name: [ChoiceAnswer(value=one.value, title=voice.say(one.title), also=list(one.also)) for one in choices]
            for name, choices in ask.choices.items()
        },
    )
