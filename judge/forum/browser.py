"""One account's browser in a forum of HTML pages: it stays logged in, reads pages, and fills in forms.

Everybody reads most pages, so that an ended session shows only in what guests are offered: to log in.  A form is sent
as its page gives it, with all hidden fields, since they hold the tokens.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import httpx
from bs4 import BeautifulSoup
from bs4.element import Tag
from bs4.exceptions import ParserRejectedMarkup

from judge.core.text import Text
from judge.forum import AuthExpired, Changed, ForumError, Member, Refused, Retry
from judge.forum.http import Http, Limits, Unanswered, words
from judge.forum.profile import Form, Profile, found

T = TypeVar("T")

_REFRESH = re.compile(r"url\s*=\s*['\"]?([^'\"]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Page:
    """What stands at an address."""

    url: str
    source: str

    @classmethod
    def of(cls, answer: httpx.Response) -> Page:
        return cls(str(answer.url), words(answer))

    @cached_property
    def soup(self) -> BeautifulSoup:
        for source in (self.source, self.source.replace("<![", "&lt;![")):
            try:
                return BeautifulSoup(source, "html.parser")
            except (ParserRejectedMarkup, AssertionError):
                continue
        raise Changed(Text.of("The forum's page is no HTML."))

    def first(self, selector: str) -> Tag | None:
        return self.soup.select_one(selector) if selector else None

    def all(self, selector: str) -> list[Tag]:
        return list(self.soup.select(selector))

    def address(self, tag: Tag, attribute: str = "href") -> str:
        """Where a link or a form leads."""
        return str(httpx.URL(self.url).join(str(tag.get(attribute) or "")))

    def says(self, selector: str) -> str:
        """The words at a selector; empty if there is nothing."""
        said = [" ".join(tag.get_text(" ").split()) for tag in self.all(selector)] if selector else []
        return "; ".join(dict.fromkeys(word for word in said if word))[:300]


@dataclass(frozen=True)
class Landing:
    """Where a form led: to another page at once, or to one that says what was done and perhaps leads on."""

    to: str
    page: Page | None

    @property
    def at_once(self) -> bool:
        return self.page is None


class Browser:
    """The account of a place's settings."""

    def __init__(self, profile: Profile, settings: Mapping[str, Any]) -> None:
        for name in ("url", "user", "password"):
            if not settings.get(name):
                raise Refused(Text.of("{forum} needs the setting “{name}”.", forum=profile.name, name=name))
        self.profile = profile
        self._credentials = {
            profile.login.user: str(settings["user"]),
            profile.login.password: str(settings["password"]),
        }
        self._user = str(settings["user"])
        self._ripe = float(settings.get("ripe", profile.ripe))
        self._me: Member | None = None
        self.http = Http(
            str(settings["url"]),
            address=str(settings.get("address", "")),
            limits=Limits.of(settings),
            headers={"Accept": "text/html", "Accept-Language": "en"},
        )

    # The session

    @property
    def me(self) -> Member:
        if self._me is None:
            raise AuthExpired(Text.of("The judge's account is not logged in."))
        return self._me

    def signed_in(self, act: Callable[[], T]) -> T:
        """Acts as a member, once more if the session has ended; `act` looks whether it was done before it writes."""

        def act_as_member() -> T:
            try:
                return act()
            except Refused as refused:
                if self._is_guest(Page.of(self.http.get(self.profile.login.home))):
                    raise AuthExpired(refused.text) from refused
                raise

        if self._me is None:
            self._log_in()
        return self.http.signed_in(act_as_member, self._log_in)

    def _log_in(self) -> None:
        login = self.profile.login
        self._me = None
        try:
            landing = self._send(Page.of(self.http.get(login.form.page)), login.form, {}, self._credentials)
        except Unanswered as lost:
            raise Retry(lost.text, self.http.limits.retry) from lost
        home = Page.of(self.http.get(login.home))
        link = home.first(login.account)
        if link is None or self._is_guest(home):
            said = "" if landing.page is None else landing.page.says(self.profile.complaint)
            if not said and landing.to:
                said = Page.of(self.http.get(landing.to)).says(self.profile.complaint)
            if said and (wait := self._hurried(said)):
                raise Retry(said, wait)
            if said and self.profile.again.search(said):
                raise Retry(said, self.http.limits.retry)
            if link is None and not self._is_guest(home):
                raise Changed(Text.of("{forum} does not show who is logged in.", forum=self.profile.name))
            raise AuthExpired(said or Text.of("The forum does not let the judge's account in."))
        number = found(self.profile.member_id, self.http.url(home.address(link)).raw_path.decode())
        if number is None:
            raise Changed(Text.of("{forum} does not show who is logged in.", forum=self.profile.name))
        self._me = Member(number, self._user)

    def _is_guest(self, page: Page) -> bool:
        return page.first(self.profile.login.guest) is not None

    # Pages and forms

    def open(self, path: str) -> Page:
        """A page as a member sees it."""
        page = Page.of(self.http.get(path))
        if self._is_guest(page):
            raise AuthExpired(Text.of("The session has ended."))
        return page

    def form(self, page: Page, form: Form) -> Tag:
        """The form on its page; raises Refused with what the page says instead, or Changed."""
        if (tag := page.first(form.form)) is not None:
            return tag
        raise self._refusal(page.says(self.profile.complaint), page)

    def area(self, form: Form, path: str) -> str:
        """What stands in the text field of a form as it opens."""
        tag = self.form(self.open(path), form)
        area = tag.select_one(f'textarea[name="{form.text}"]')
        if area is None:
            raise Changed(Text.of("{forum} shows a form without its text field.", forum=self.profile.name))
        return typed(area)

    def submit(self, form: Form, gaps: Mapping[str, str], fields: Mapping[str, str]) -> Landing:
        """Fills in a form and sends it; gives where it led if the forum took it.

        A form that comes back without a complaint (somebody has posted meanwhile) is sent once more as it came.
        Raises Unanswered if it may have been taken.
        """
        page = self.open(form.page.format(**gaps))
        for _ in range(2):
            self.form(page, form)
            landing = self._send(page, form, gaps, fields)
            if landing.to.startswith(str(self.http.url(self.profile.login.form.page))):
                raise AuthExpired(Text.of("The session has ended."))
            if landing.to or landing.page is None:
                return landing
            page = landing.page
            if self._is_guest(page):
                raise AuthExpired(Text.of("The session has ended."))
            said = page.says(self.profile.complaint)
            if said and not self.profile.again.search(said):
                raise self._refusal(said, page)
            if page.first(form.form) is None:
                raise Unanswered(Text.of("The forum answers with a page that is neither success nor failure."))
        raise Retry(Text.of("The forum gives the form back again and again."), self.http.limits.retry)

    def _send(self, page: Page, form: Form, gaps: Mapping[str, str], fields: Mapping[str, str]) -> Landing:
        tag = self.form(page, form)
        more = {name.format(**gaps): value.format(**gaps) for name, value in form.more.items()}
        path = page.address(tag, "action") if tag.get("action") else page.url
        if self._ripe:
            time.sleep(self._ripe)
        answer = self.http.send(path, data={**filled(tag), **more, **fields})
        if answer.has_redirect_location:
            return Landing(str(answer.url.join(answer.headers["location"])), None)
        landed = Page.of(answer)
        refresh = landed.first('meta[http-equiv="refresh" i]')
        onward = _REFRESH.search(str(refresh.get("content") or "")) if refresh is not None else None
        return Landing(str(answer.url.join(onward[1])) if onward else "", landed)

    def _refusal(self, said: str, page: Page) -> ForumError:
        if not said:
            return Changed(
                Text.of("{forum} shows no such form at {path}.", forum=self.profile.name, path=_path(page.url))
            )
        wait = self._hurried(said)
        return Retry(said, wait) if wait else Refused(said)

    def _hurried(self, said: str) -> int:
        """The seconds to wait if this is a complaint about posting too often, else 0."""
        match = self.profile.hurry.search(said)
        if match is None:
            return 0
        wait = next((group for group in match.groups() if group), "")
        if not wait:
            return self.http.limits.retry
        return max(1, int(re.sub(r"\D", "", wait)) * (60 if "m" in wait else 1))


def filled(form: Tag) -> dict[str, str | list[str]]:
    """The fields of a form as a browser would send them, without any button."""
    values = dict[str, str | list[str]]()
    for tag in form.select("input[name], textarea[name], select[name]"):
        kind = str(tag.get("type") or "text").lower() if tag.name == "input" else tag.name
        if tag.has_attr("disabled") or kind in ("submit", "button", "image", "reset", "file"):
            continue
        if kind in ("checkbox", "radio") and not tag.has_attr("checked"):
            continue
        values[str(tag["name"])] = _value(tag)
    return values


def typed(area: Tag) -> str:
    """What stands in a text field.  A line that ends with its opening tag is not of it."""
    return area.get_text().replace("\r\n", "\n").removeprefix("\n")


def _value(tag: Tag) -> str | list[str]:
    if tag.name == "textarea":
        return typed(tag)
    if tag.name == "select":
        chosen = tag.select("option[selected]") or ([] if tag.has_attr("multiple") else tag.select("option")[:1])
        values = [str(option.get("value", option.get_text())) for option in chosen]
        return values if tag.has_attr("multiple") else "".join(values[:1])
    return str(tag.get("value", "on" if tag.get("type") in ("checkbox", "radio") else ""))


def _path(url: str) -> str:
    return httpx.URL(url).path
