"""`judge new-game`, `judge games` and `judge link`: a host's work at the command line."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import datetime, time
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich import box
from rich.markup import escape
from rich.table import Table
from sqlmodel import Session

from judge.cli.terminal import LANGUAGE, FailureError, _, call_of, named_values, one_of, say, show, tell
from judge.core.order_json import validation_problems
from judge.core.text import Text
from judge.language import LANGUAGES, Voice
from judge.registry import NotInstalledError, rulesets
from judge.service import moderation, table, turns
from judge.service.accounts import topic_for
from judge.service.deadlines import Daily, Hours, NoDeadline
from judge.service.position import find_game, position
from judge.service.refusal import Refusal
from judge.store import queries
from judge.store.tables import GameRow


def _deadline(given: str) -> NoDeadline | Hours | Daily:
    if given == "none":
        return NoDeadline()
    try:
        if hours := re.fullmatch(r"([0-9]{1,5}) ?h", given):
            return Hours(hours=int(hours[1]))
        if clock := re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", given):
            return Daily(at=time(int(clock[1]), int(clock[2])))
    except ValueError:  # a number out of range, pydantic's included
        pass
    text = Text.of(
        "“{given}” is no deadline: write none, or hours after the opening such as 24h, or a daily time such as 20:00.",
        given=given,
    )
    raise typer.BadParameter(say(text))


def _seats(given: str) -> tuple[table.SeatPlan, ...]:
    places = [place.strip() for place in given.split(",")]
    return tuple(
        table.SeatPlan(bot=True) if place == "bot" else table.SeatPlan(name="" if place == "free" else place)
        for place in places
    )


def new_game(
    context: typer.Context,
    seats: Annotated[
        str,
        typer.Option(
            metavar="LIST",
            help=_(
                "Who plays, such as Anna,Ben,bot,free: a name gets a personal link, a free seat is taken in the lobby."
            ),
        ),
    ],
    ruleset: Annotated[
        str | None, typer.Option(metavar="NAME", help=_("The game's rules; may be left out if only one is installed."))
    ] = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help=_("What the game is called; otherwise as its rules are."))
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help=_("An option of the game, such as months=6; can be repeated.")),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(LANGUAGES),
            parser=one_of(*LANGUAGES),
            help=_("The language of the judge's posts; otherwise the terminal's."),
        ),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(
            metavar="ZONE",
            help=_("The time zone of its deadlines, such as Europe/Berlin; otherwise the configured one."),
        ),
    ] = None,
    deadline: Annotated[
        Any,
        typer.Option(
            metavar="RULE",
            parser=_deadline,
            help=_("none, or hours after the opening such as 24h, or a daily time such as 20:00."),
        ),
    ] = "none",
    numbers: Annotated[
        str,
        typer.Option(
            metavar="neutral|de|en",
            parser=one_of("neutral", "de", "en"),
            help=_("How 1.000 and 1,000 are read in posts; neutral asks back."),
        ),
    ] = "neutral",
    forum: Annotated[
        str,
        typer.Option(
            metavar="FORUM",
            help=_(
                "Where it is played: the judge's own board, a forum that was added, or by-hand: the host copies posts."
            ),
        ),
    ] = "board",
    thread: Annotated[
        str | None,
        typer.Option(
            metavar="TOPIC",
            help=_("A topic that is there already, by its number or address; otherwise the judge opens one."),
        ),
    ] = None,
    start: Annotated[bool, typer.Option("--start", help=_("Start at once with those who are there."))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print addresses and links as one JSON object."))] = False,
) -> None:
    settings = call_of(context).settings()
    given = {
        "ruleset": ruleset or _only_ruleset(),
        "title": title,
        "options": named_values(option or ()),
        "seats": _seats(seats),
        "language": language or LANGUAGE,
        "zone": zone or settings.zone,
        "numbers": numbers,
        "deadline": deadline,
        "forum": forum,
        "thread": thread,
    }
    try:
        plan = table.NewGame.model_validate(given)
    except ValidationError as error:
        raise table.Invalid(validation_problems(error, table.NewGame)) from error

    with call_of(context).judge(settings) as judge:
        topic = topic_for(judge.store, judge.places, plan)

        def open_game(session: Session) -> table.Opened:
            opened = table.new_game(session, judge.clock.now(), plan, topic)
            if start:
                table.start(session, judge.clock.now(), opened.game_id)
            return opened

        opened = judge.store.write(open_game)
        if start:
            judge.clock.work(opened.game_id)
        with judge.store.read() as session:
            names = queries.names(session, opened.game_id)
    address = settings.address
    links = {names[seat]: f"{address}/seat/{token}" for seat, token in opened.seat_tokens.items()}
    game, host = f"{address}/games/{opened.game_id}", f"{address}/seat/{opened.host_token}"
    if as_json:
        answer = {"game": opened.game_id, "address": game, "host": host, "seats": links}
        typer.echo(json.dumps(answer, ensure_ascii=False))
        return
    tell(Text.of("The game is open: {address}", address=game))
    tell(Text.of("Personal links. Each works once and is shown this once only, so pass them on now:"))
    width = max(len(name) for name in (_("Host"), *links))
    for name, link in {_("Host"): host, **links}.items():
        tell(f"  {name:{width}}  {link}")


def _only_ruleset() -> str:
    if len(rulesets()) == 1:
        return next(iter(rulesets()))
    raise FailureError(
        Text.of("--ruleset is missing; games here: {known}.", known=", ".join(rulesets()) or "–"), code=2
    )


def games(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print a JSON list."))] = False,
) -> None:
    settings = call_of(context).settings()
    with call_of(context).judge(settings) as judge, judge.store.read() as session:
        found = [_facts(session, game, settings.address) for game in queries.games(session)]
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
    elif not found:
        tell(Text.of("There is no game yet. `judge new-game --help` tells how to open one."))
    else:
        show(_table(found))


def _facts(session: Session, game: GameRow, address: str) -> dict[str, Any]:
    turn = queries.latest_turn(session, game.id)
    running = game.status == "running" and turn is not None and turn.status == "open"
    names = queries.names(session, game.id)
    waiting: list[str] = []
    if running:
        with suppress(NotInstalledError):  # listed all the same; `judge check` says what is missing
            waiting = [names[seat] for seat in turns.waiting_for(session, position(session, game.id))]
    return {
        "game": game.id,
        "title": game.title,
        "ruleset": game.ruleset,
        "players": list(names.values()),
        "status": _status(game),
        "turn": turn.number if running and turn is not None else None,
        "waiting": waiting,
        "deadline": turn.deadline.isoformat() if running and turn is not None and turn.deadline else None,
        "zone": game.zone,
        "address": f"{address}/games/{game.id}",
    }


def _status(game: GameRow) -> str:
    if game.moved is not None and game.status != "over":
        return "moved"
    return "paused" if game.paused is not None and game.status == "running" else game.status


def _table(found: list[dict[str, Any]]) -> Table:
    words = {
        "open": _("seats are free"),
        "running": _("running"),
        "paused": _("paused"),
        "over": _("over"),
        "aside": _("set aside"),
        "moved": _("at another judge"),
    }
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column(_("Game"), no_wrap=True)
    for title in (_("Title"), _("Players"), _("State"), _("Waits for"), _("Until")):
        shown.add_column(title, overflow="fold")
    for facts in found:
        voice = Voice(LANGUAGE, zone=facts["zone"])
        state = words.get(facts["status"], facts["status"])
        if facts["turn"] is not None:
            state = say(Text.of("{state}, turn {number}", state=state, number=facts["turn"]))
        shown.add_row(
            facts["game"],
            escape(facts["title"]),
            escape(", ".join(name or _("(free)") for name in facts["players"])),
            state,
            escape(", ".join(facts["waiting"])),
            voice.moment(datetime.fromisoformat(facts["deadline"])) if facts["deadline"] else "",
        )
    return shown


def link(
    context: typer.Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME", show_default=False, help=_("The game's id, as `judge games` lists it."))
    ],
    seat: Annotated[
        str | None,
        typer.Argument(metavar="SEAT", show_default=False, help=_("The player's name, or the seat's number.")),
    ] = None,
    host: Annotated[bool, typer.Option("--host", help=_("A link for the host instead of a seat."))] = False,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print the link as a JSON object."))] = False,
) -> None:
    if host == (seat is not None):
        raise FailureError(Text.of("Name either a seat or --host."), code=2)
    settings = call_of(context).settings()
    with call_of(context).judge(settings) as judge:

        def mint(session: Session) -> str:
            place = None if seat is None else seat_key(session, game, seat)
            return moderation.new_link(session, judge.clock.now(), game, place)

        address = f"{settings.address}/seat/{judge.store.write(mint)}"
    if as_json:
        typer.echo(json.dumps({"link": address}))
    else:
        tell(address)


def seat_key(session: Session, game: str, wanted: str) -> str:
    """The seat of a player's name, whatever its case, or a seat's own number."""
    find_game(session, game)
    names = queries.names(session, game)
    for key, name in names.items():
        if wanted == key or wanted.casefold() == name.casefold():
            return key
    known = ", ".join(f"{key} {name}".strip() for key, name in names.items())
    raise Refusal("unknown", Text.of("This game has no seat “{seat}”; its seats: {known}.", seat=wanted, known=known))
