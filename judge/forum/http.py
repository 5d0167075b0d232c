"""One account's way to a forum over HTTP: cookies, time limits, and failures as the protocol's errors.

Reading may be repeated, writing may not: what was sent and got no clear answer raises `Unanswered`, and whoever sent it
looks for it in the forum before sending it again.  No redirect leads off the forum's host, and neither addresses with
passwords in them nor what was sent and answered ever reach a log.
"""

from __future__ import annotations

import codecs
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import TypeAdapter, ValidationError

from judge.core.text import Text
from judge.forum import AuthExpired, Changed, ForumError, Refused, Retry, Setting
from judge.forum import Missing as Missing

T = TypeVar("T")

# A line for each request is too much for judges that poll, and at its noisiest httpcore logs cookies.
for _library in ("httpx", "httpcore"):
    logging.getLogger(_library).setLevel(logging.WARNING)

URL = Setting("url", Text.of("where the forum is, such as https://forum.example.org"), kind="address")
USER = Setting("user", Text.of("the name of the judge's account there"))
PASSWORD = Setting("password", Text.of("the password of the judge's account"), secret=True)
CATEGORY = Setting(
    "category",
    Text.of("the number of the category where games get their topics; not needed for topics that are there already"),
    optional=True,
    kind="number",
)
ZONE = Setting(
    "zone",
    Text.of("the time zone that the judge's account has there, such as Europe/Berlin; otherwise UTC"),
    optional=True,
    kind="zone",
)
PATIENCE = (
    Setting(
        "timeout",
        Text.of("seconds for a connection and for each piece of an answer, otherwise 20"),
        optional=True,
        kind="number",
    ),
    Setting(
        "retry",
        Text.of("seconds until the next try where the forum names no time, otherwise 60"),
        optional=True,
        kind="number",
    ),
)
"""What every connector over HTTP takes, for the `SETTINGS` of its module."""

REDIRECTS = 5
LONGEST_WAIT = 24 * 3600
REMEMBERED = 64
"""Answers kept so that the forum need only say that they have not changed."""
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Unanswered(ForumError):
    """It was sent, and whether it was done is not known."""


@dataclass(frozen=True)
class Limits:
    """How long to wait, in seconds, and how much to read, in bytes."""

    timeout: float = 20
    """For a connection, and for each piece of an answer."""
    whole: float = 60
    """For a whole answer."""
    retry: int = 60
    """Until the next try, where the forum names no time."""
    body: int = 8 << 20

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Those that a host has set, as `timeout` and `retry`."""
        usual = cls()
        return cls(timeout=float(settings.get("timeout", usual.timeout)), retry=int(settings.get("retry", usual.retry)))


Meaning = Callable[[httpx.Response], ForumError | None]
"""What a forum means by an answer; None where it is what was asked for, or where the status says all."""


class Http:
    """A session with one forum at `url`, whose pages may begin below a path."""

    def __init__(
        self,
        url: str,
        *,
        meaning: Meaning = lambda answer: None,
        address: str = "",
        limits: Limits | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`address` is where the judge can be found, for the forum's operators.  Raises Refused for an odd `url`."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise Refused(
                Text.of("The forum's address must be one such as https://forum.example.org, without a password in it.")
            )
        self.base = httpx.URL(url.rstrip("/"))
        self.limits = limits or Limits()
        self.served: datetime | None = None
        self._meaning = meaning
        self._known: OrderedDict[httpx.URL, httpx.Response] = OrderedDict()
        agent = f"gamejudge/{version('gamejudge')}" + (f" (+{address})" if address else "")
        self._client = httpx.Client(headers={"User-Agent": agent, **(headers or {})}, timeout=self.limits.timeout)

    def url(self, path: str) -> httpx.URL:
        """The address of a path below the forum's; a whole address is taken if it is on the forum's host.

        A path that begins with the forum's own, as forums write them into their pages, is not put below it again.
        """
        if "://" not in path:
            own = self.base.path.rstrip("/")
            path = path if own and path.startswith(f"{own}/") else f"{own}/{path.lstrip('/')}"
        url = self.base.join(path)
        upgraded = (self.base.scheme, url.scheme, url.port) == ("http", "https", None)
        same = (url.scheme, url.port) == (self.base.scheme, self.base.port)
        if url.host != self.base.host or not (same or upgraded):
            where = f"{url.scheme}://{url.netloc.decode()}"
            raise Refused(Text.of("The forum leads to another address, {address}.", address=where))
        return url

    def cookie(self, name: str) -> str:
        """The newest cookie of that name; empty if there is none."""
        return next(
            (cookie.value or "" for cookie in reversed(list(self._client.cookies.jar)) if cookie.name == name), ""
        )

    def forget(self) -> None:
        """Drops all cookies, as a new browser has none, and what was remembered for them."""
        self._client.cookies.clear()
        self._known.clear()

    def get(
        self, path: str, params: Mapping[str, str | int] | None = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Reads, through redirects on the host.  An answer that has not changed is given as it was."""
        url = self.url(path).copy_merge_params(params) if params else self.url(path)
        for _ in range(REDIRECTS):
            known = self._known.get(url)
            answer = self._ask("GET", url, headers={**(headers or {}), **_unless_changed(known)})
            if answer.status_code == httpx.codes.NOT_MODIFIED and known is not None:
                return known
            if answer.has_redirect_location:
                url = self.url(str(url.join(answer.headers["location"])))
                continue
            self._check(answer, sent=False)
            self._remember(url, answer)
            return answer
        raise Changed(Text.of("The forum leads from page to page without an end."))

    def send(
        self,
        path: str,
        *,
        method: str = "POST",
        json: object = None,
        data: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Writes, once.  A redirect is given back and not followed; `get` takes its `location`.

        Raises Unanswered if it may have been done.
        """
        url = self.url(path)
        headers = {"Referer": str(self.base), "Origin": f"{url.scheme}://{url.netloc.decode()}", **(headers or {})}
        answer = self._ask(method, url, headers=headers, json=json, data=data)
        self._check(answer, sent=True)
        return answer

    def signed_in(self, act: Callable[[], T], log_in: Callable[[], object]) -> T:
        """Acts; if it turns out that the session has ended, logs in and acts once more.

        `act` must leave nothing behind when it raises AuthExpired.
        """
        try:
            return act()
        except AuthExpired:
            self.forget()
            log_in()
            return act()

    def close(self) -> None:
        self._client.close()

    def _ask(self, method: str, url: httpx.URL, **request: Any) -> httpx.Response:
        """One request and its whole answer."""
        safe = method == "GET"
        ends_at = time.monotonic() + self.limits.whole
        try:
            with self._client.stream(method, url, follow_redirects=False, **request) as answer:
                body = b""
                for piece in answer.iter_bytes():
                    body += piece
                    if len(body) > self.limits.body:
                        raise _unclear(safe, Changed(Text.of("The forum's answer is longer than any page should be.")))
                    if time.monotonic() > ends_at:
                        slow = Retry(Text.of("The forum takes too long to answer."), self.limits.retry)
                        raise _unclear(safe, slow)
        except NOT_SENT as error:
            away = Text.of("The forum cannot be reached: {reason}", reason=_said(error))
            raise Retry(away, self.limits.retry) from error
        except (httpx.TransportError, httpx.DecodingError) as error:
            silent = Text.of("The forum did not answer: {reason}", reason=_said(error))
            raise _unclear(safe, Retry(silent, self.limits.retry)) from error
        self.served = _date(answer.headers.get("date")) or self.served
        kept = [(name, value) for name, value in answer.headers.multi_items() if name not in _OF_THE_WIRE]
        return httpx.Response(answer.status_code, headers=kept, content=body, request=answer.request)

    def _check(self, answer: httpx.Response, *, sent: bool) -> None:
        """Raises what the answer means, unless it is what was asked for."""
        status = answer.status_code
        if error := self._meaning(answer):
            raise error
        if answer.is_success or answer.has_redirect_location:
            return
        said = answered(answer)
        if status in (408, 425, 429) or (status == 503 and "retry-after" in answer.headers):
            raise Retry(said, self.wait(answer))
        if status == 401:
            raise AuthExpired(said)
        if status in (404, 410):
            raise Missing(said)
        if answer.is_client_error:
            raise Refused(said)
        raise _unclear(not sent, Retry(said, self.wait(answer)))

    def wait(self, answer: httpx.Response) -> int:
        """The seconds that a forum asks to wait for."""
        asked = answer.headers.get("retry-after", "")
        until = None if asked.isdigit() else _date(asked)
        if asked.isdigit():
            seconds = int(asked[:9])
        elif until is not None and self.served is not None:
            seconds = int((until - self.served).total_seconds())
        else:
            seconds = self.limits.retry
        return max(1, min(seconds, LONGEST_WAIT))

    def _remember(self, url: httpx.URL, answer: httpx.Response) -> None:
        self._known.pop(url, None)
        if _unless_changed(answer):
            self._known[url] = answer
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def checked(kind: type[T], answer: httpx.Response) -> T:
    """An answer in JSON; raises Changed if it is not what the connector knows the forum to say."""
    try:
        return TypeAdapter(kind).validate_json(words(answer))
    except ValidationError as error:
        where = sorted({".".join(str(part) for part in detail["loc"]) or "JSON" for detail in error.errors()})
        odd = Text.of("The forum's answer is not as it is known to be: {where}", where=", ".join(where)[:200])
        raise Changed(odd) from error


def words(answer: httpx.Response) -> str:
    """What an answer says.  Forums call pages UTF-8 that are not, or not everywhere: such bytes are Windows-1252."""
    declared = (answer.charset_encoding or "utf-8").lower()
    if declared in ("utf-8", "utf8"):
        return answer.content.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors=_WINDOWS)
    return answer.text


def _as_windows_does(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


_WINDOWS = "gamejudge.windows"
codecs.register_error(_WINDOWS, _as_windows_does)


def answered(answer: httpx.Response) -> Text:
    """What a forum said by the status of its answer alone."""
    return Text.of("The forum answers {status}.", status=f"{answer.status_code} {answer.reason_phrase}".strip())


def _unclear(safe: bool, otherwise: ForumError) -> ForumError:
    """What is not known to have been done, unless it changes nothing."""
    return otherwise if safe else Unanswered(otherwise.text)


def _unless_changed(known: httpx.Response | None) -> dict[str, str]:
    if known is None:
        return {}
    marks = {"If-None-Match": known.headers.get("etag"), "If-Modified-Since": known.headers.get("last-modified")}
    return {name: mark for name, mark in marks.items() if mark}


def _date(text: str | None) -> datetime | None:
    """An HTTP date in UTC."""
    try:
        date = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__
