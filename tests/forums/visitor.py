"""Somebody with a browser: keeps cookies, follows redirects, fills in forms as a page gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import httpx
from bs4 import BeautifulSoup, Tag

from tests.forums import Account


class Visitor:
    """One account's browser.  Every answer that is not a success is an AssertionError with what the forum said."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, follow_redirects=True, timeout=30, headers={"User-Agent": "people/1"})

    def page(self, path: str) -> BeautifulSoup:
        return BeautifulSoup(done(self.http.get(path)).text, "html.parser")

    def send(self, path: str, fields: Mapping[str, str], *, method: str = "POST") -> httpx.Response:
        """Sends a form with the token that Django wants of every form."""
        token = self.http.cookies.get("csrftoken") or ""
        headers = {"X-CSRFToken": token, "Referer": str(self.http.base_url)}
        return done(self.http.request(method, path, data=dict(fields) if fields else None, headers=headers))

    def typed(self, path: str) -> str:
        """What stands in the page's text field, as its author typed it, less white space around."""
        area = self.page(path).select_one("textarea")
        assert isinstance(area, Tag), f"{path} has no text field"
        return area.get_text().strip()


class Visitors:
    """Everybody's browser, logged in when first needed and anew after sessions ended."""

    def __init__(self, url: str, accounts: Mapping[str, Account], log_in: Callable[[Visitor, Account], None]) -> None:
        self.url, self.accounts, self.log_in = url, accounts, log_in
        self.known: dict[str, Visitor] = {}

    def __getitem__(self, who: str) -> Visitor:
        if who not in self.known:
            visitor = Visitor(self.url)
            self.log_in(visitor, self.accounts[who])
            self.known[who] = visitor
        return self.known[who]

    def forget(self) -> None:
        for visitor in self.known.values():
            visitor.http.close()
        self.known.clear()


def done(answer: httpx.Response) -> httpx.Response:
    assert answer.is_success, f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text[:500]}"
    return answer
