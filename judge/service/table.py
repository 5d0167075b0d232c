"""Opening a game, taking seats, starting."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from sqlmodel import Session, col, select

from judge.core.order_json import validation_problems
from judge.core.orders import Problem
from judge.core.ruleset import AnyRuleset
from judge.core.text import Listing, Player, Text
from judge.forum import Topic
from judge.language import LANGUAGES, UnknownZoneError, time_zone
from judge.service import access, chance, publishing, records
from judge.service.audit import note
from judge.service.deadlines import DeadlineRule, NoDeadline
from judge.service.places import known_forums
from judge.service.position import demand_here, find_game, find_seat, ruleset_of
from judge.service.refusal import Refusal
from judge.service.turns import open_turn
from judge.store import queries, wake
from judge.store.tables import GameRow, SeatRow

LONGEST_NAME = 40
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class Invalid(Exception):
    """Some of what was filled in cannot be used; every problem names its field."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.text.text for problem in problems))
        self.problems = list(problems)


class SeatPlan(BaseModel):
    """A place in a new game: for somebody by name, for a bot, or free for whoever comes (no name)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    bot: bool = False


class NewGame(BaseModel):
    """What a host decides when he opens a game."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ruleset: str
    title: str = Field(default="", max_length=80)
    options: dict[str, Any] = Field(default_factory=dict)
    seats: tuple[SeatPlan, ...]
    language: Literal["en", "de"] = "en"
    zone: str = "UTC"
    numbers: Literal["neutral", "de", "en"] = "neutral"
    deadline: DeadlineRule = NoDeadline()
    cool_off_minutes: int = Field(default=0, ge=0, le=24 * 60)
    open_orders: Literal["count", "refuse"] = "count"
    read_code: bool = True
    read_spoilers: bool = True
    forum: str = "board"
    thread: str | None = Field(default=None, max_length=200)
    """A topic on the forum that is there already, by its number or address; None: the judge opens one."""

    @field_validator("title")
    @classmethod
    def _one_line(cls, title: str) -> str:
        return one_line(title)


@dataclass(frozen=True)
class Opened:
    """A new game and its personal links' tokens: shown now, and never again."""

    game_id: str
    host_token: str
    seat_tokens: dict[str, str]


def new_game(session: Session, now: datetime, plan: NewGame, topic: Topic | None = None) -> Opened:
    """Opens a game, in a `topic` that is there already or in one of its own; raises Invalid with every problem.

    Seats with a name get a personal link each; free ones are taken in the lobby.
    """
    ruleset = _ruleset(session, plan.ruleset)
    options, problems = parse_options(ruleset, plan.options)
    problems += _plan_problems(plan, ruleset, known_forums(session))
    if topic is not None and (other := _game_in(session, plan.forum, topic.id)) is not None:
        text = Text.of("Another game is played in this topic: {game}.", game=f"{other.title} ({other.id})")
        problems.append(Problem(text, field="thread", quote=topic.title))
    if problems:
        raise Invalid(problems)
    game = GameRow(
        id="".join(secrets.choice(_ALPHABET) for _ in range(8)),
        title=plan.title or ruleset.title.text,
        ruleset=ruleset.name,
        ruleset_version=ruleset.version,
        options=options,
        language=plan.language,
        zone=plan.zone,
        numbers=plan.numbers,
        deadline_rule=plan.deadline.model_dump(mode="json"),
        cool_off_minutes=plan.cool_off_minutes,
        open_orders=plan.open_orders,
        read_code=plan.read_code,
        read_spoilers=plan.read_spoilers,
        forum=plan.forum,
        thread=plan.thread if topic is None else topic.id,
        thread_url=None if topic is None else topic.url or None,
        status="open",
        created=now,
    )
    session.add(game)
    session.flush()
    records.add_created(session, now, game)
    tokens: dict[str, str] = {}
    for number, place in enumerate(plan.seats, 1):
        name = clean_name(place.name) or (_bot_name(number) if place.bot else "")
        seat = SeatRow(game_id=game.id, seat=str(number), name=name, bot=place.bot, taken=now if name else None)
        session.add(seat)
        session.flush()
        if name and not place.bot:
            tokens[seat.seat] = access.mint_link(session, now, game.id, seat.seat)
    host = access.mint_link(session, now, game.id, None)
    note(session, now, game.id, Text.of("The game was opened."))
    return Opened(game.id, host, tokens)


def parse_options(ruleset: AnyRuleset, given: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """A ruleset's options, checked; fields of problems are named `options.NAME`."""
    try:
        options: dict[str, Any] = ruleset.Options.model_validate(given).model_dump(mode="json")
    except ValidationError as error:
        found = validation_problems(error, ruleset.Options)
        return {}, [
            Problem(one.text, field=f"options.{one.field}" if one.field else "options", quote=one.quote)
            for one in found
        ]
    return options, []


def take_seat(session: Session, now: datetime, game_id: str, name: str, holder: str, seat: str | None = None) -> str:
    """Sits somebody down on a free seat; his browser (or program) may act for it from now on.  Returns the seat."""
    game = find_game(session, game_id)
    demand_here(game)
    if game.status != "open":
        raise Refusal("conflict", Text.of("This game has started already: its seats are taken."))
    if access.access(session, holder, game_id).seat is not None:
        raise Refusal("conflict", Text.of("You already have a seat in this game."))
    rows = queries.seats(session, game_id)
    free = [row for row in rows if row.taken is None and seat in (None, row.seat)]
    if not free:
        raise Refusal("conflict", Text.of("That seat has just been taken."))
    row = free[0]
    row.name = _new_name(rows, name, row.seat)
    row.taken = now
    session.add(row)
    access.grant(session, now, game_id, row.seat, holder)
    note(session, now, game_id, Text.of("{player} took a seat.", player=Player(row.seat)))
    return row.seat


def fill_with_bot(session: Session, now: datetime, game_id: str, seat: str) -> None:
    """Lets a bot play the seat.  A person who sat there loses it."""
    game = find_game(session, game_id)
    demand_here(game)
    row = find_seat(session, game_id, seat)
    if row.bot:
        return
    before = row.name
    row.bot, row.taken, row.author_id = True, row.taken or now, None
    if not before:
        row.name = _new_name(queries.seats(session, game_id), _bot_name(int(seat)), seat)
    session.add(row)
    access.void_access(session, now, game_id, seat)
    text = Text.of("A bot plays for {player} from now on.", player=Player(seat))
    note(session, now, game_id, text)
    if game.status == "running":
        publishing.write_notice(session, now, game, text)
    wake(session, game_id)


def start(session: Session, now: datetime, game_id: str) -> None:
    """Starts the game with those who are there; seats nobody took are removed."""
    game = find_game(session, game_id)
    demand_here(game)
    if game.status != "open":
        raise Refusal("conflict", Text.of("This game has started already."))
    ruleset = ruleset_of(session, game)
    rows = queries.seats(session, game_id)
    taken = [row for row in rows if row.taken is not None]
    if len(taken) not in ruleset.seats:
        raise Refusal(
            "conflict",
            Text.of(
                "This game needs {least} to {most} players; {there} are there.",
                least=ruleset.seats.start,
                most=ruleset.seats.stop - 1,
                there=len(taken),
            ),
        )
    for row in rows:
        if row.taken is None:
            session.delete(row)
    session.flush()
    game.status, game.started = "running", now
    session.add(game)
    options = ruleset.Options.model_validate(game.options)
    link = chance.take_link(session, game.id)
    dice = chance.set_up_dice(session, game, link, [row.name for row in taken])
    state = ruleset.setup([row.seat for row in taken], options, dice)
    records.add_started(session, now, game, taken, chance.used(session, game.id, link, dice), ruleset.view(state, None))
    where = open_turn(session, now, game, ruleset, state, 1, fresh=True)
    note(
        session,
        now,
        game_id,
        Text.of("The game began with {players}.", players=Listing([Player(row.seat) for row in taken])),
    )
    publishing.write_opening(session, now, where)
    wake(session, game_id)


def one_line(text: str) -> str:
    """What somebody typed, on one line and without characters that cannot be seen (but may turn what follows)."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def clean_name(name: str) -> str:
    """A name on one line, without characters that cannot be seen."""
    return one_line(name)[:LONGEST_NAME]


def name_key(name: str) -> str:
    """The same for names that look the same: capitals, full-width letters, accents written apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def rename(session: Session, row: SeatRow, name: str) -> None:
    """Gives a seat's player another name; it must be free in this game."""
    row.name = _new_name(queries.seats(session, row.game_id), name, row.seat)
    session.add(row)


def _new_name(rows: Sequence[SeatRow], name: str, seat: str) -> str:
    cleaned = clean_name(name)
    problem = _name_problem(cleaned)
    if problem is not None:
        raise Refusal("invalid", problem, field="name")
    if name_key(cleaned) in {name_key(row.name) for row in rows if row.seat != seat}:
        raise Refusal(
            "invalid", Text.of("“{name}” sits at this table already; choose another name.", name=cleaned), field="name"
        )
    return cleaned


def _name_problem(name: str) -> Text | None:
    if not name:
        return Text.of("A name is needed.")
    if re.search(r"[,:>()]", name):
        return Text.of("A name cannot hold any of these characters: , : > ( )")
    if not any(character.isalpha() for character in name):  # in an order it would be a number, or somebody else's seat
        return Text.of("A name needs a letter.")
    return None


def _plan_problems(plan: NewGame, ruleset: AnyRuleset, forums: Sequence[str]) -> list[Problem]:
    problems: list[Problem] = []
    if plan.forum not in forums:
        text = Text.of("There is no forum “{name}”; possible: {known}.", name=plan.forum, known=", ".join(forums))
        problems.append(Problem(text, field="forum", quote=plan.forum))
    if len(plan.seats) not in ruleset.seats:
        text = Text.of(
            "{game} is for {least} to {most} players; {given} seats were given.",
            game=ruleset.title,
            least=ruleset.seats.start,
            most=ruleset.seats.stop - 1,
            given=len(plan.seats),
        )
        problems.append(Problem(text, field="seats"))
    seen: set[str] = set()
    for number, place in enumerate(plan.seats, 1):
        name = clean_name(place.name)
        if name and (bad := _name_problem(name)):
            problems.append(Problem(bad, field=f"seats.{number}", quote=name))
        if name and name_key(name) in seen:
            problems.append(
                Problem(
                    Text.of("“{name}” is there twice; each player needs a name of his own.", name=name),
                    field=f"seats.{number}",
                )
            )
        seen.add(name_key(name))
    try:
        time_zone(plan.zone)
    except UnknownZoneError as unknown:
        problems.append(Problem(unknown.text, field="zone", quote=plan.zone))
    if plan.language not in LANGUAGES:
        problems.append(Problem(Text.of("This language is not spoken here."), field="language"))
    return problems


def _game_in(session: Session, forum: str, thread: str) -> GameRow | None:
    """The unfinished game that is played in a topic."""
    query = select(GameRow).where(GameRow.forum == forum, GameRow.thread == thread, GameRow.status != "over")
    return session.exec(query.where(col(GameRow.moved).is_(None))).first()


def _ruleset(session: Session, name: str) -> AnyRuleset:
    ruleset: AnyRuleset | None = session.info["rulesets"].get(name)
    if ruleset is None:
        known = ", ".join(session.info["rulesets"])
        raise Invalid(
            [
                Problem(
                    Text.of("There is no game “{name}”; games here: {known}.", name=name, known=known), field="ruleset"
                )
            ]
        )
    return ruleset


def _bot_name(number: int) -> str:
    return f"Bot {number}"
