"""What handlers ask of a request: the judge, the time, who acts, and the form that was sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from urllib.parse import urlsplit

from fastapi import Depends
from starlette.requests import Request

from judge.service.access import digest
from judge.service.places import Places
from judge.settings import Settings
from judge.store import Store
from judge.web.session import visitor_of

MOST_FIELDS = 2000


class Clock(Protocol):
    @property
    def now(self) -> Callable[[], datetime]: ...


class Judge(Protocol):
    """The judge at work, as `judge.bootstrap` puts it together."""

    @property
    def settings(self) -> Settings: ...

    @property
    def store(self) -> Store: ...

    @property
    def places(self) -> Places: ...

    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True)
class Form:
    """A form that our own page made for this visitor."""

    typed: Mapping[str, Sequence[str]]

    def get(self, name: str, default: str = "") -> str:
        values = self.typed.get(name, ())
        return values[0] if values else default


async def sent_form(request: Request) -> Form:
    """The form of a POST.  Refusal if it was not made by one of our pages for this visitor."""
    typed = await typed_form(request)
    form = Form(typed)
    visitor_of(request).check_form(form.get("form_token"), request.headers, own_hosts(request))
    return form


async def typed_form(request: Request) -> dict[str, list[str]]:
    """What stands in a form, wherever it came from.  Files are no part of any form here."""
    typed: dict[str, list[str]] = {}
    async with request.form(max_files=0, max_fields=MOST_FIELDS) as sent:
        for name, value in sent.multi_items():
            if isinstance(value, str):
                typed.setdefault(name, []).append(value.replace("\r\n", "\n").replace("\0", ""))
    return typed


SentForm = Depends(sent_form)


def judge_of(request: Request) -> Judge:
    judge: Judge = request.app.state.judge
    return judge


def now_of(request: Request) -> datetime:
    """The time of this request, in UTC."""
    return judge_of(request).clock.now()


def holder_of(request: Request) -> str | None:
    """The token that this request acts with: a bearer token if it has one, else the browser's session."""
    visitor = visitor_of(request)
    return visitor.bearer or visitor.session


def author_id(request: Request) -> str:
    """An immutable id for a guest's browser: his session, so hashed that it opens nothing."""
    return digest(f"author {holder_of(request) or ''}")[:32]


def request_key(request: Request, key: str) -> str | None:
    """The key of a repeated request, made the holder's own: nobody meets another one's by chance or on purpose."""
    if not key:
        return None
    return hashlib.sha256(f"{holder_of(request)} {request.url.path} {key}".encode()).hexdigest()


def own_hosts(request: Request) -> set[str]:
    return {request.url.netloc, urlsplit(judge_of(request).settings.address).netloc}


def may_open(request: Request) -> bool:
    """Whether visitors of the pages may open games."""
    return judge_of(request).settings.web.new_games == "anyone"
