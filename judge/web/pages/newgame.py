"""Opening a game: a form made from the ruleset's Options and from what a host decides for every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter, Query
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from judge.core.order_json import validation_problems
from judge.core.orders import Problem
from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.language import LANGUAGES, Voice
from judge.service import table
from judge.service.access import grant
from judge.service.accounts import accounts, topic_for
from judge.service.audit import done, note
from judge.service.places import BOARD
from judge.service.refusal import Refusal
from judge.service.table import Invalid, NewGame, Opened, new_game
from judge.web.fields import Field, fields, whole_number
from judge.web.forms import Typed
from judge.web.pages.preferences import zones
from judge.web.pages.rules import find_ruleset
from judge.web.place import find_place, ruleset_voice
from judge.web.request import Form, SentForm, judge_of, may_open, now_of, request_key
from judge.web.session import visitor_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class OptionCell:
    """One option with what stands in it."""

    field: Field
    typed: Sequence[str]
    problems: Sequence[Problem]


@router.get("/games/new")
def new(request: Request, ruleset: str | None = Query(default=None)) -> Response:
    _require_permission(request)
    with judge_of(request).store.read() as session:
        rulesets = session.info["rulesets"]
        found = find_ruleset(session, ruleset or next(iter(rulesets)))
        return _form_page(request, list(rulesets.values()), found, _defaults(request, found), [])


@router.post("/games/new")
def open_game(request: Request, form: Form = SentForm) -> Response:
    _require_permission(request)
    judge, holder, now = judge_of(request), visitor_of(request).begin_session(), now_of(request)
    key = request_key(request, form.get("request"))

    def work(session: Any) -> Opened:
        if done(session, key):
            raise Refusal("conflict", Text.of("This game has been opened already; it stands in the lobby."))
        opened = new_game(session, now, plan, topic)
        # Whoever opens a game is its host at once; the host's link is for his other browsers.
        grant(session, now, opened.game_id, None, holder)
        note(session, now, opened.game_id, Text.of("Its host opened it on the page for new games."), key)
        return opened

    try:
        with judge.store.read() as session:
            ruleset = find_ruleset(session, form.get("ruleset"))
        plan = read_plan(ruleset, form.typed)
        topic = topic_for(judge.store, judge.places, plan)
        opened = judge.store.write(work)
    except (Invalid, ValidationError) as error:
        problems = error.problems if isinstance(error, Invalid) else validation_problems(error, NewGame)
        with judge_of(request).store.read() as session:
            rulesets = list(session.info["rulesets"].values())
            found = find_ruleset(session, form.get("ruleset"))
            return _form_page(request, rulesets, found, form.typed, problems, status=422)
    with judge_of(request).store.read() as session:
        place = find_place(session, request, opened.game_id)
        address = f"{judge_of(request).settings.address}/seat/"
        links = [(place.voice.names[seat], address + token) for seat, token in opened.seat_tokens.items()]
        host = address + opened.host_token
        return page(request, "opened.html", 201, voice=place.voice, place=place, links=links, host=host)


def read_plan(ruleset: AnyRuleset, typed: Typed) -> NewGame:
    """What was filled in, as a plan; raises ValidationError."""

    def get(name: str, default: str = "") -> str:
        values = typed.get(name, ())
        return values[0] if values else default

    options = {}
    for field in fields(ruleset.Options):
        value = field.read(typed.get(f"options.{field.name}", ()))
        if value is not None:
            options[field.name] = value
    seats = []
    for number in range(1, ruleset.seats.stop):
        who = get(f"seats.{number}.who", "none")
        if who in ("player", "bot"):
            seats.append({"name": get(f"seats.{number}.name"), "bot": who == "bot"})
    deadline: dict[str, Any] = {"rule": get("deadline", "none")}
    if deadline["rule"] == "hours":
        deadline["hours"] = whole_number(get("hours") or "?")
    if deadline["rule"] == "daily":
        deadline["at"] = get("at")
    return NewGame.model_validate(
        {
            "ruleset": ruleset.name,
            "title": get("title") or default_title(ruleset, get("language", "en")),
            "options": options,
            "seats": tuple(seats),
            "language": get("language", "en"),
            "zone": get("zone"),
            "numbers": get("numbers", "neutral"),
            "deadline": deadline,
            "cool_off_minutes": whole_number(get("cool_off_minutes") or "0"),
            "open_orders": get("open_orders", "count"),
            "read_code": bool(typed.get("read_code")),
            "read_spoilers": bool(typed.get("read_spoilers")),
            "forum": get("forum") or BOARD,
            "thread": get("thread").strip() or None,
        }
    )


def default_title(ruleset: AnyRuleset, language: str) -> str:
    """The ruleset's own name, in the game's language."""
    spoken = language if language in LANGUAGES else "en"
    return Voice.of(ruleset, spoken).say(ruleset.title)


def _defaults(request: Request, ruleset: AnyRuleset) -> dict[str, list[str]]:
    """What stands in the form at first: a board game for four, or as near to four as the rules allow."""
    visitor, settings = visitor_of(request), judge_of(request).settings
    usual = min(max(4, ruleset.seats.start), ruleset.seats.stop - 1)
    typed = {
        "language": [visitor.language],
        "zone": [visitor.zone or settings.zone],
        "numbers": ["neutral"],
        "deadline": ["none"],
        "hours": ["24"],
        "at": ["20:00"],
        "cool_off_minutes": ["0"],
        "open_orders": ["count"],
        "forum": [BOARD],
        "read_code": ["on"],
        "read_spoilers": ["on"],
    }
    typed |= {f"options.{field.name}": field.typed(field.default) for field in fields(ruleset.Options)}
    typed |= {f"seats.{n}.who": ["player" if n <= usual else "none"] for n in range(1, ruleset.seats.stop)}
    return typed


def _form_page(
    request: Request,
    rulesets: Sequence[AnyRuleset],
    ruleset: AnyRuleset,
    typed: Typed,
    problems: Sequence[Problem],
    status: int = 200,
) -> Response:
    options = [
        OptionCell(
            field=field,
            typed=typed.get(f"options.{field.name}", ()),
            problems=[problem for problem in problems if problem.field == f"options.{field.name}"],
        )
        for field in fields(ruleset.Options)
    ]
    with judge_of(request).store.read() as session:
        forums = [(row.name, urlsplit(row.settings.get("url", "")).netloc) for row in accounts(session)]
    return page(
        request,
        "newgame.html",
        status,
        voice=ruleset_voice(request, ruleset),
        rulesets=[(other, ruleset_voice(request, other)) for other in rulesets],
        ruleset=ruleset,
        options=options,
        typed=typed,
        problems=problems,
        elsewhere=[problem for problem in problems if not (problem.field or "").startswith("options.")],
        forums=forums,
        zones=zones(),
        longest_name=table.LONGEST_NAME,
    )


def _require_permission(request: Request) -> None:
    if not may_open(request):
        raise Refusal("forbidden", Text.of("On this judge only its operator opens games, by `judge new-game`."))
