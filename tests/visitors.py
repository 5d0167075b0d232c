"""People (and programs) in front of the real application, through HTTP and the forms of its own pages.

`visitor.submit("/games/abc/orders", {"bid.X.units": "3"}, page="/games/abc")` fills in the form that the page shows
and sends it with everything hidden in it, as a browser without scripts does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bs4 import BeautifulSoup, Tag
from fastapi import FastAPI
from starlette.testclient import TestClient

ADDRESS = "http://127.0.0.1:8000"


class Visitor:
    """One browser."""

    def __init__(self, app: FastAPI, language: str = "en", zone: str | None = None) -> None:
        self.client = TestClient(app, base_url=ADDRESS, follow_redirects=False, raise_server_exceptions=True)
        self.client.headers["accept-language"] = language
        if zone:
            self.client.cookies.set("zone", zone)

    def get(self, path: str, status: int = 200, **headers: str) -> BeautifulSoup:
        response = self.client.get(path, headers=headers)
        assert response.status_code == status, f"{path}: {response.status_code}\n{words(response.text)}"
        return BeautifulSoup(response.text, "html.parser")

    def form(self, action: str, page: str, **marks: str) -> dict[str, Any]:
        """Everything that stands in a page's form; `door="text"` chooses the form with such a button."""
        for form in self.get(page).find_all("form"):
            if (form.get("action") or page) == action and all(
                form.find(attrs={"name": name, "value": value}) for name, value in marks.items()
            ):
                return _filled(form)
        raise AssertionError(f"{page} has no form for {action}")

    def submit(
        self, action: str, values: Mapping[str, Any] | None = None, *, page: str, status: int = 303, **marks: str
    ) -> BeautifulSoup:
        """Fills in and sends a form; follows a redirect to the page that a person would see next."""
        response = self.send(action, {**self.form(action, page, **marks), **marks, **(values or {})})
        assert response.status_code == status, f"{action}: {response.status_code}\n{words(response.text)}"
        if status == 303:
            return self.get(response.headers["location"])
        return BeautifulSoup(response.text, "html.parser")

    def send(self, action: str, form: Mapping[str, Any], **headers: str) -> Any:
        return self.client.post(action, data=dict(form), headers=headers)

    def claim(self, token: str) -> None:
        self.submit(f"/seat/{token}", page=f"/seat/{token}")


class Program:
    """One program with a bearer token."""

    def __init__(self, app: FastAPI, token: str | None = None, language: str = "en") -> None:
        self.client = TestClient(app, base_url=ADDRESS, raise_server_exceptions=True)
        self.client.headers["accept-language"] = language
        if token:
            self.client.headers["authorization"] = f"Bearer {token}"

    def call(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        response = self.client.request(method, f"/api/v1{path}", json=body)
        assert response.status_code == status, f"{method} {path}: {response.status_code} {response.text}"
        return response.json()

    def claim(self, token: str) -> None:
        bearer = self.call("POST", "/claim", {"token": token})["token"]
        self.client.headers["authorization"] = f"Bearer {bearer}"


def words(html: str) -> str:
    """What a page says."""
    return " ".join(BeautifulSoup(html, "html.parser").get_text(" ").split())


def _filled(form: Tag) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in form.find_all(["input", "select", "textarea"]):
        name = field.get("name")
        if not name:
            continue
        if field.name == "select":
            chosen = field.find("option", selected=True) or field.find("option")
            values[name] = chosen.get("value") if chosen else ""
        elif field.name == "textarea":
            values[name] = field.text
        elif field.get("type") not in ("checkbox", "radio"):
            values[name] = field.get("value", "")
        elif field.has_attr("checked"):
            values[name] = field.get("value", "on")
    return values
