"""The host's view of a game's forum."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from fastapi import APIRouter
from pydantic import Field, model_validator
from sqlmodel import Session
from starlette.requests import Request

from judge.language import Voice
from judge.service import claiming
from judge.service.traffic import ODD, Reading, look_now, send_letter, send_messages, traffic
from judge.web.api.access import Bearer, GameId
from judge.web.api.models import Answer, DoneAnswer, OneSeat, SeatKey, Wish
from judge.web.place import find_place
from judge.web.request import judge_of, now_of

router = APIRouter(tags=["host"])


class ReadingAnswer(Answer):
    """How a topic or the inbox is read."""

    last: datetime | None
    next: datetime | None = Field(description="null: as soon as may be.")
    failures: int = Field(description="In a row.")
    error: str | None


class StuckAnswer(Answer):
    """A letter to everybody, or private messages to a seat, that are not out yet."""

    letter: int | None = Field(description="Which of the letters to everybody, from 1; null of private messages.")
    seat: str | None
    title: str
    status: str = Field(description="waiting, held (for a moderator), or kept (refused: it stands on the order page).")
    tries: int
    next_try: datetime | None
    error: str | None


class AccountAnswer(Answer):
    """Who posts for a seat in the forum."""

    seat: str
    player: str
    account: str | None = Field(description="The account's immutable id; null: nobody has claimed the seat yet.")
    name: str | None = Field(description="The name that it had then.")


class OddPostAnswer(Answer):
    """A post about which players may ask."""

    why: str
    text: str
    seat: str | None
    position: int = Field(description="In the topic, from 0.")
    created: datetime | None
    seen: datetime


class ForumAnswer(Answer):
    """What goes on between the game and its forum."""

    forum: str
    kind: str
    topic: str | None = Field(description="Address of the topic.")
    reading: ReadingAnswer
    read_whole: datetime | None
    clock_ahead: float | None = Field(description="Seconds by which the forum's clock is ahead of the judge's.")
    alarm: bool = Field(description="The forum's pages are not what they were: nothing resolves.")
    inbox: ReadingAnswer
    letters: list[StuckAnswer]
    accounts: list[AccountAnswer]
    posts: list[OddPostAnswer]


class Send(Wish):
    """Either a letter to everybody or the private messages to a seat."""

    letter: int | None = Field(default=None, ge=1, le=1_000_000)
    seat: SeatKey | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Send:
        if (self.letter is None) == (self.seat is None):
            raise ValueError("name either a letter or a seat")
        return self


@router.get("/games/{game_id}/moderate/forum", summary="What goes on between the game and its forum")
def forum(request: Request, game_id: GameId) -> ForumAnswer:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        place.access.require_host()
        found, say = traffic(session, game_id), place.voice.say
        return ForumAnswer(
            forum=found.account.name,
            kind=found.account.connector,
            topic=place.topic_url,
            reading=_reading(found.topic, place.voice),
            read_whole=found.whole,
            clock_ahead=found.lag,
            alarm=found.alarm,
            inbox=_reading(found.inbox, place.voice),
            letters=[
                StuckAnswer(
                    letter=stuck.place,
                    seat=stuck.seat,
                    title=say(stuck.title),
                    status=stuck.status,
                    tries=stuck.tries,
                    next_try=stuck.next_try,
                    error=None if stuck.error is None else say(stuck.error),
                )
                for stuck in found.stuck
            ],
            accounts=[
                AccountAnswer(seat=row.seat, player=row.name, account=row.author_id, name=row.author_name)
                for row in found.seats
            ],
            posts=[
                OddPostAnswer(
                    why=post.why,
                    text=say(ODD[post.why]),
                    seat=None if post.seat is None else post.seat.seat,
                    position=post.position,
                    created=post.created,
                    seen=post.seen,
                )
                for post in found.odd
            ],
        )


@router.post("/games/{game_id}/moderate/look", summary="Read the topic as soon as may be")
def look(request: Request, game_id: GameId, bearer: Bearer) -> DoneAnswer:
    return _as_host(request, game_id, lambda session: look_now(session, game_id))


@router.post("/games/{game_id}/moderate/send", summary="Send a letter again, or without waiting any longer")
def send(request: Request, game_id: GameId, wish: Send, bearer: Bearer) -> DoneAnswer:
    now = now_of(request)

    def work(session: Session) -> None:
        if wish.seat is not None:
            send_messages(session, now, game_id, wish.seat)
        else:
            send_letter(session, now, game_id, wish.letter or 0)

    return _as_host(request, game_id, work)


@router.post("/games/{game_id}/moderate/free", summary="Take a seat from the forum account that posts for it")
def free(request: Request, game_id: GameId, wish: OneSeat, bearer: Bearer) -> DoneAnswer:
    now = now_of(request)
    return _as_host(request, game_id, lambda session: claiming.set_free(session, now, game_id, wish.seat))


def _as_host(request: Request, game_id: str, work: Any) -> DoneAnswer:
    def guarded(session: Session) -> None:
        find_place(session, request, game_id).access.require_host()
        work(session)

    judge_of(request).store.write(guarded)
    return DoneAnswer(done=True)


def _reading(reading: Reading, voice: Voice) -> ReadingAnswer:
    error = None if reading.error is None else voice.say(reading.error)
    return ReadingAnswer(last=reading.last, next=reading.next, failures=reading.failures, error=error)
