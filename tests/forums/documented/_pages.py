"""What servers that answer in HTML pages and forms share: sessions, pages from templates, and BBCode drawn as HTML."""

from __future__ import annotations

import html
import re
import secrets
from pathlib import Path

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from tests.forums.documented import Person, Site

COOKIE = "session"
TEMPLATES = Path(__file__).with_name("templates")
SMILIES = (":)", ";)", ":D", "8)", ":x", ":P", "<3", ":smile:")


class Visits:
    """Who is logged in, by the cookie of his browser."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.sessions: dict[str, Person] = {}

    def caller(self, request: Request) -> Person | None:
        return self.sessions.get(request.cookies.get(COOKIE, ""))

    def begin(self, person: Person) -> str:
        session = secrets.token_hex(8)
        self.sessions[session] = person
        return session

    def end_all(self) -> None:
        self.sessions.clear()


class Pages:
    """The pages of one forum, from `templates/<forum>_<name>.html`."""

    def __init__(self, forum: str, **always: object) -> None:
        loader = jinja2.FunctionLoader(lambda name: (TEMPLATES / f"{forum}_{name}.html").read_text())
        self.environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
        self.environment.globals.update(always)

    def show(self, name: str, status: int = 200, **values: object) -> HTMLResponse:
        return HTMLResponse(self.environment.get_template(name).render(**values), status)


def drawn(text: str, *, signs: bool = False) -> str:
    """A post in BBCode as a forum draws it: quotes, code, smilies, links, and with `signs` MyBB's `(c)` as ©."""
    kept: list[str] = []

    def keep(piece: str) -> str:
        kept.append(piece)
        return f"\x00{len(kept) - 1}\x00"

    text = html.escape(text, quote=False)
    text = re.sub(
        r"\[code\]\n?(.*?)\[/code\]", lambda m: keep(f"<pre><code>{m[1]}</code></pre>"), text, flags=re.DOTALL
    )
    opening, closing = r"\[quote(?:=(?:\"([^\"]*)\"|([^\s\]]*)))?[^\]]*\]\n?", r"\n?\[/quote\]\n?"
    quote = re.compile(f"{opening}((?:(?!\\[quote).)*?){closing}", re.DOTALL)
    while quote.search(text):
        text = quote.sub(lambda m: keep(_quoted(m[1] or m[2], m[3])), text)
    for tag, element in (("b", "strong"), ("i", "em"), ("u", "u"), ("s", "s")):
        text = re.sub(rf"\[{tag}\](.*?)\[/{tag}\]", rf"<{element}>\1</{element}>", text, flags=re.DOTALL)
    text = re.sub(r"\[img\](\S+?)\[/img\]", lambda m: keep(f'<img src="{m[1]}" alt="Image">'), text)
    text = re.sub(r"\[url=([^\]\s]+)\](.*?)\[/url\]", lambda m: keep(f'<a href="{m[1]}">{m[2]}</a>'), text)
    text = re.sub(r"https?://[^\s<\x00]+", lambda m: keep(f'<a href="{m[0]}">{m[0]}</a>'), text)
    for smiley in SMILIES:
        sign = html.escape(smiley, quote=False)
        text = re.sub(rf"(?<!\S){re.escape(sign)}(?!\S)", lambda m: keep(f'<img class="smilies" alt="{m[0]}">'), text)
    text = text.replace("[hr]", "<hr>")
    if signs:
        text = text.replace("(c)", "&copy;").replace("(r)", "&reg;").replace("(tm)", "&trade;")
    text = text.replace("\n", "<br>\n")
    while "\x00" in text:
        text = re.sub(r"\x00(\d+)\x00", lambda m: kept[int(m[1])], text)
    return text


def _quoted(who: str | None, what: str) -> str:
    cite = f"<cite>{who} wrote:</cite>" if who else ""
    return f"<blockquote><div>{cite}{what.replace(chr(10), '<br>')}</div></blockquote>"
