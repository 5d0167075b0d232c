"""Which games there are, and how each stands."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from judge.core.orders import kind_of
from judge.core.report import Report
from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.language import Voice
from judge.render import render_json
from judge.service.accounts import topic_for
from judge.service.refusal import Refusal
from judge.service.table import NewGame, new_game
from judge.store import queries
from judge.web.api.access import GameId
from judge.web.api.models import GameAnswer, GameSummary, OpenedAnswer, RulesetAnswer, SeatAnswer
from judge.web.pages.lobby import listed
from judge.web.pages.rules import find_ruleset, rules_text
from judge.web.pages.table import board, standings
from judge.web.place import Place, find_place, ruleset_voice
from judge.web.proof import all_anchors
from judge.web.request import judge_of, may_open, now_of
from judge.web.session import visitor_of

router = APIRouter(tags=["games"])


@router.get("/games", summary="All games")
def games(request: Request) -> list[GameSummary]:
    with judge_of(request).store.read() as session:
        places = listed(session, request, "open", "running", "aside", "over")
        return [GameSummary(**summary(place)) for place in places]


@router.post("/games", summary="Open a game", status_code=201)
def open_game(request: Request, plan: NewGame) -> OpenedAnswer:
    if not may_open(request):
        raise Refusal("forbidden", Text.of("On this judge only its operator opens games, by `judge new-game`."))
    now, judge = now_of(request), judge_of(request)
    topic = topic_for(judge.store, judge.places, plan)
    opened = judge.store.write(lambda session: new_game(session, now, plan, topic))
    return OpenedAnswer(id=opened.game_id, host_token=opened.host_token, seat_tokens=opened.seat_tokens)


@router.get("/games/{game_id}", summary="A game's table")
def game(request: Request, game_id: GameId) -> GameAnswer:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        last = queries.last_record(session, game_id)
        return GameAnswer(
            **summary(place),
            **position(place),
            anchors=all_anchors(session, game_id),
            record_hash=last.hash if last else None,
            forum=place.game.forum,
            topic=place.topic_url,
        )


@router.get("/rulesets", summary="The games that can be played here, with their options")
def rulesets(request: Request) -> list[RulesetAnswer]:
    with judge_of(request).store.read() as session:
        found: list[AnyRuleset] = list(session.info["rulesets"].values())
    return [RulesetAnswer(**described(ruleset, ruleset_voice(request, ruleset))) for ruleset in found]


@router.get("/rules/{ruleset}", summary="A game's rules")
def rules(request: Request, ruleset: str) -> RulesetAnswer:
    with judge_of(request).store.read() as session:
        found = find_ruleset(session, ruleset)
    text = rules_text(found, visitor_of(request).language)
    return RulesetAnswer(**described(found, ruleset_voice(request, found)), rules=text)


def summary(place: Place) -> dict[str, Any]:
    return {
        "id": place.game.id,
        "title": place.game.title,
        "ruleset": place.game.ruleset,
        "status": place.game.status,
        "paused": place.game.paused is not None,
        "turn": place.turn.number if place.turn and place.game.status != "over" else None,
        "deadline": place.deadline,
        "waits_for": place.waits_for,
        "seats": [
            SeatAnswer(seat=row.seat, name=row.name, bot=row.bot, status=place.posts[row.seat]) for row in place.seats
        ],
        "you": place.seat,
        "host": place.access.host,
    }


def position(place: Place) -> dict[str, Any]:
    where = place.where
    view = None
    if where is not None and place.seat is not None:
        view = place.ruleset.view(where.state, place.seat).model_dump(mode="json")
    blocks = Report(title=Text.of("Position"), blocks=tuple(board(place)))
    return {
        "version": where.turn.version if where else None,
        "options": place.game.options,
        "language": place.game.language,
        "zone": place.game.zone,
        "deadline_rule": place.game.deadline_rule,
        "state": where.turn.public_state if where else None,
        "view": view,
        "board": render_json(blocks, place.voice)["blocks"],
        "standings": standings(place),
        "last_turn": place.last_resolved,
    }


def described(ruleset: AnyRuleset, voice: Voice) -> dict[str, Any]:
    return {
        "name": ruleset.name,
        "title": voice.say(ruleset.title),
        "about": voice.say(ruleset.about),
        "version": ruleset.version,
        "least_seats": ruleset.seats.start,
        "most_seats": ruleset.seats.stop - 1,
        "options": ruleset.Options.model_json_schema(),
        "orders": {kind_of(kind): kind.model_json_schema() for kind in ruleset.orders},
    }
