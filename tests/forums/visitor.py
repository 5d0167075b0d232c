"""Somebody with a browser: keeps cookies, follows redirects, fills in forms as a page gives them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx
from bs4 import BeautifulSoup, Tag

from tests.forums import Account


class Visitor:
    """One account's browser.  Every answer that is not a success is an AssertionError with what the forum said."""

    def __init__(self, url: str, patience: float = 0) -> None:
        """`patience` is how many seconds somebody takes to fill in a form."""
        self.patience = patience
        self.http = httpx.Client(base_url=url, follow_redirects=True, timeout=30, headers={"User-Agent": "people/1"})

    def page(self, path: str) -> BeautifulSoup:
        return BeautifulSoup(done(self.http.get(path)).text, "html.parser")

    def send(self, path: str, fields: Mapping[str, str], *, method: str = "POST") -> httpx.Response:
        """Sends a form with the token that Django wants of every form."""
        token = self.http.cookies.get("csrftoken") or ""
        headers = {"X-CSRFToken": token, "Referer": str(self.http.base_url)}
        return done(self.http.request(method, path, data=dict(fields) if fields else None, headers=headers))

    def fill(self, path: str, form: str, fields: Mapping[str, str], *, button: Mapping[str, str] | None = None) -> Step:
        """Opens a page, fills in the form at the selector and presses a button of it."""
        return self.fill_in(done(self.http.get(path)), form, fields, button=button)

    def fill_in(
        self, shown: httpx.Response, form: str, fields: Mapping[str, str], *, button: Mapping[str, str] | None = None
    ) -> Step:
        tag = BeautifulSoup(shown.text, "html.parser").select_one(form)
        assert tag is not None, f"{shown.url} has no {form}: {shown.text[:2000]}"
        given = {
            str(one["name"]): _value(one) for one in tag.select("[name]:not([type=submit], [type=button])") if _on(one)
        }
        # Some forums refuse what comes in the second in which they gave the form out.
        time.sleep(self.patience)
        where = shown.url.join(str(tag.get("action") or ""))
        answer = done(self.http.request("POST", where, data={**given, **fields, **(button or {})}))
        return Step(answer, " ".join(str(step.url) for step in (*answer.history, answer)))

    def typed(self, path: str, field: str = "textarea") -> str:
        """What stands in the page's text field, as its author typed it, less white space around."""
        area = self.page(path).select_one(field)
        assert isinstance(area, Tag), f"{path} has no text field"
        return area.get_text().strip()


@dataclass(frozen=True)
class Step:
    """Where a form led: the page in the end, and the addresses on the way to it."""

    answer: httpx.Response
    way: str

    @property
    def page(self) -> BeautifulSoup:
        return BeautifulSoup(self.answer.text, "html.parser")


class Visitors:
    """Everybody's browser, logged in when first needed and anew after sessions ended."""

    def __init__(
        self,
        url: str,
        accounts: Mapping[str, Account],
        log_in: Callable[[Visitor, Account], None],
        patience: float = 0,
    ) -> None:
        self.url, self.accounts, self.log_in, self.patience = url, accounts, log_in, patience
        self.known: dict[str, Visitor] = {}

    def __getitem__(self, who: str) -> Visitor:
        if who not in self.known:
            visitor = Visitor(self.url, self.patience)
            self.log_in(visitor, self.accounts[who])
            self.known[who] = visitor
        return self.known[who]

    def forget(self) -> None:
        for visitor in self.known.values():
            visitor.http.close()
        self.known.clear()


def _on(tag: Tag) -> bool:
    return tag.get("type") not in ("checkbox", "radio") or tag.has_attr("checked")


def _value(tag: Tag) -> str:
    if tag.name == "textarea":
        return tag.get_text().removeprefix("\n")
    return str(tag.get("value", "on" if tag.get("type") == "checkbox" else ""))


def done(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:500]}"
    return answer
