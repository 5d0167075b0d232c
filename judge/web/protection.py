"""What every request and answer goes through: a limit to what is sent in, and headers that keep browsers careful.

Each guard is a small ASGI middleware.  Nothing here knows a game.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

BODY_SECONDS = 30
"""How long a body may take to arrive."""

HEADERS = {
    # Links hold tokens and pages hold orders: nothing of them may reach other sites, frames or caches.
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class SafeHeaders:
    """Puts the headers on every answer; what does not say how long it keeps is not kept at all.

    An answer may bring a policy for its content of its own.
    """

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        self.app = app
        self.headers = dict(HEADERS)
        if secure:
            self.headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-store"
            await send(message)

        await self.app(scope, receive, send_safely if scope["type"] == "http" else send)


class HeadAsGet:
    """Answers HEAD as it would GET, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

        await self.app({**scope, "method": "GET"}, receive, send_head)


class SizeLimit:
    """Refuses bodies that are too big (413), whether they say so or not, and those that never arrive (408)."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self.app = app
        self.most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        arrived = 0
        announced = Headers(scope=scope).get("content-length", "0")
        too_big = announced.isdecimal() and int(announced[:18]) > self.most_bytes
        whole = False

        async def receive_some() -> Message:
            nonlocal arrived, whole
            if too_big:
                raise HTTPException(413)
            if whole:
                return await receive()  # only a disconnect can come, and may take its time
            try:
                message = await asyncio.wait_for(receive(), BODY_SECONDS)
            except TimeoutError:
                raise HTTPException(408) from None
            arrived += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if arrived > self.most_bytes:
                raise HTTPException(413)
            return message

        await self.app(scope, receive_some, send)


class Failures:
    """Answers an unexpected exception with a page that names an id, and logs it under that id.

    The log says what failed and where, never with which values: an exception's own words may hold an order.
    """

    def __init__(
        self, app: ASGIApp, answer: Callable[[Request, str], Awaitable[Response]], new_id: Callable[[], str]
    ) -> None:
        self.app = app
        self.answer = answer
        self.new_id = new_id
        self.count = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_once(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_once)
        except Exception as error:
            failure = self.new_id()
            log.error("%s: %s", failure, without_values(error))
            scope["app"].state.failures += 1
            if started or scope["type"] != "http":
                return
            response = await self.answer(Request(scope), failure)
            await response(scope, receive, send)


def without_values(error: BaseException) -> str:
    """An exception's kind and the lines it went through, and those of its causes, but none of its words."""
    told = []
    cause: BaseException | None = error
    while cause is not None:
        frames = traceback.extract_tb(cause.__traceback__)
        shown = [frame for frame in frames[:-1] if "site-packages" not in frame.filename] + frames[-1:]
        where = " > ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in shown)
        told.append(f"{type(cause).__module__}.{type(cause).__name__} at {where}")
        cause = cause.__cause__ or cause.__context__
    return "; from ".join(told)


class RequestLog:
    """One line a request: the route, not the address, since addresses may hold a personal link's token."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.monotonic()
        status = 0

        async def send_seen(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, send_seen)
        finally:
            route: Any = scope.get("route")
            path = getattr(route, "path", "no such page")
            log.info("%s %s %d %d ms", scope["method"], path, status, round((time.monotonic() - began) * 1000))
