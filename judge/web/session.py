"""Who is looking: a browser's session, a program's bearer token, the visitor's language and time zone.

A session is a random token in a cookie; it belongs to nobody until a personal link is claimed with it.  Forms carry a
token made from it (HMAC), so that another site's form cannot speak for the visitor; the browser's own word about where
a request comes from is asked as well.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from http.cookies import SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from judge.core.text import Text
from judge.language import LANGUAGES, UnknownZoneError, negotiated, time_zone
from judge.service.access import new_token
from judge.service.refusal import Refusal

SESSION_DAYS = 400
"""The longest that browsers keep a cookie; every visit begins it anew."""


class Visitor:
    """One request's visitor."""

    def __init__(self, headers: Headers, secure: bool, default_language: str) -> None:
        cookies = _cookies(headers)
        # The prefix keeps other hosts of the same domain from planting a session.
        self.cookie = "__Host-session" if secure else "session"
        self.session = _plausible_token(cookies.get(self.cookie))
        self.fresh = False
        self.bearer = _bearer(headers)
        chosen = cookies.get("language")
        self.language = (
            chosen if chosen in LANGUAGES else negotiated(headers.get("accept-language", ""), default_language)
        )
        self.zone = _known_zone(cookies.get("zone"))

    def begin_session(self) -> str:
        """The browser's session; one is begun if there is none."""
        if self.session is None:
            self.session, self.fresh = new_token(), True
        return self.session

    @property
    def form_token(self) -> str:
        """What a form of this visitor must carry."""
        return hmac.new(self.begin_session().encode(), b"form", hashlib.sha256).hexdigest()

    def check_form(self, given: str, headers: Headers, hosts: set[str]) -> None:
        """Refuses a form that does not come from a page made for this visitor."""
        if self.session is None or not hmac.compare_digest(given.encode(), self.form_token.encode()):
            raise Refusal(
                "forbidden",
                Text.of(
                    "This form was not made for this browser, or its cookie is gone: nothing was stored. "
                    "Go back, reload the page and send it again; cookies must be allowed here."
                ),
            )
        check_origin(headers, hosts)


def check_origin(headers: Headers, hosts: set[str]) -> None:
    """Refuses what the browser itself says comes from another site.

    Our pages send no referrer, so `Origin` may be the word "null"; then `Sec-Fetch-Site` and the form's token decide.
    """
    site = headers.get("sec-fetch-site", "same-origin")
    origin = headers.get("origin", "null")
    foreign = origin != "null" and urlsplit(origin).netloc not in hosts
    if site not in ("same-origin", "none") or foreign:
        raise Refusal("forbidden", Text.of("This form was sent from another site: nothing was stored."))


def visitor_of(request: Request) -> Visitor:
    visitor: Visitor = request.state.visitor
    return visitor


class Visitors:
    """Middleware that finds out who is looking, and keeps the session's cookie alive."""

    def __init__(self, app: ASGIApp, secure: bool, language: str) -> None:
        self.app = app
        self.secure = secure
        self.language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visitor = Visitor(Headers(scope=scope), self.secure, self.language)
        scope.setdefault("state", {})["visitor"] = visitor

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and visitor.session is not None:
                headers = MutableHeaders(scope=message)
                if visitor.fresh or headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", self._cookie(visitor.cookie, visitor.session))
            await send(message)

        await self.app(scope, receive, send_with_cookie)

    def _cookie(self, name: str, value: str) -> str:
        return cookie(name, value, secure=self.secure, days=SESSION_DAYS, hidden=True)


def cookie(name: str, value: str, *, secure: bool, days: int, hidden: bool) -> str:
    """A Set-Cookie header's value; `hidden` keeps it from scripts."""
    jar: SimpleCookie = SimpleCookie({name: value})
    jar[name] |= {"path": "/", "max-age": days * 24 * 3600, "samesite": "Lax"}
    jar[name] |= {"httponly": hidden, "secure": secure}
    return jar[name].OutputString()


def new_request_key() -> str:
    """A key that makes a form that is sent twice the same request."""
    return secrets.token_urlsafe(16)


def _cookies(headers: Headers) -> Mapping[str, str]:
    return cookie_parser("; ".join(headers.getlist("cookie")))


def _plausible_token(token: str | None) -> str | None:
    """Tokens are ours alone: what cannot be one is no session."""
    return token if token is not None and len(token) == len(new_token()) and token.isascii() else None


def _bearer(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def _known_zone(name: str | None) -> str | None:
    try:
        return time_zone(name).key if name else None
    except UnknownZoneError:
        return None
