"""The application: pages and API on one judge, behind the guards of `protection`."""

from __future__ import annotations

import secrets
from importlib.metadata import version
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from judge.resources import static_folder
from judge.settings import Settings
from judge.web.api import router as api
from judge.web.failures import add_failure_pages, unexpected
from judge.web.pages import (
    export,
    fairness,
    feed,
    forum,
    keys,
    lobby,
    moderation,
    monitoring,
    newgame,
    orders,
    preferences,
    programs,
    rules,
    seats,
    table,
    thread,
    turns,
    verify,
)
from judge.web.protection import Failures, HeadAsGet, RequestLog, SafeHeaders, SizeLimit
from judge.web.request import Judge
from judge.web.session import Visitors
from judge.web.template import environment
from judge.web.verdicts import Verdicts

THEMES = (
    lobby,
    newgame,
    seats,
    orders,
    turns,
    verify,
    export,
    thread,
    moderation,
    forum,
    table,
    feed,
    rules,
    fairness,
    preferences,
    monitoring,
    keys,
    programs,
)

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def create_app(judge: Judge) -> FastAPI:
    """The application for this judge; whoever serves it starts and stops the judge's clock."""
    app = FastAPI(
        title="Gamejudge",
        version=version("gamejudge"),
        description=api.ABOUT,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        openapi_tags=api.TAGS,
    )
    app.state.judge = judge
    app.state.pages = environment()
    app.state.verdicts = Verdicts()
    app.state.failures = 0
    for theme in THEMES:
        app.include_router(theme.router)
    app.include_router(api.router)
    app.mount("/static", VersionedFiles(directory=static_folder()), name="static")
    add_failure_pages(app)
    _add_guards(app, judge.settings)
    return app


def _add_guards(app: FastAPI, settings: Settings) -> None:
    """The last one added is the first that a request meets."""
    secure = settings.address.startswith("https:")
    app.add_middleware(Failures, answer=unexpected, new_id=lambda: secrets.token_hex(4))
    app.add_middleware(HeadAsGet)
    app.add_middleware(SizeLimit, most_bytes=settings.web.max_request_kb * 1024)
    app.add_middleware(Visitors, secure=secure, language=settings.language)
    app.add_middleware(RequestLog)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=_hosts(settings), www_redirect=False)
    app.add_middleware(SafeHeaders, secure=secure)
    app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=settings.web.trusted_proxies)


def _hosts(settings: Settings) -> list[str]:
    """The names under which the judge answers: its own and the machine's; any in a network without a name."""
    own = urlsplit(settings.address).hostname or "127.0.0.1"
    if not settings.web.address and settings.web.host not in ("127.0.0.1", "localhost", "::1"):
        return ["*"]
    return [f"[{own}]" if ":" in own else own, *LOOPBACK]


class VersionedFiles(StaticFiles):
    """Static files; their addresses change with their content, so that browsers need not ask twice."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        versioned = b"v=" in scope.get("query_string", b"")
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if versioned else "no-cache"
        return response
