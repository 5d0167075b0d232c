"""Pages: Jinja templates from `templates/pages`, spoken in the visitor's language.

Every template gets the `voice` that it speaks with, a voice in the visitor's own zone alone (`here_and_now`, for times
that have passed), the `visitor`, and `now`.  Autoescape is always on; what is HTML
already comes as Markup from `judge.render` or from `sanitised`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import nh3
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markdown import markdown
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from judge.core.report import Block
from judge.core.seal import canonical
from judge.core.text import Listing
from judge.language import Voice, teach
from judge.render import render_blocks
from judge.resources import static_folder, templates_folder
from judge.web.request import judge_of, now_of
from judge.web.session import new_request_key, visitor_of

_TAGS = {
    "a", "blockquote", "br", "code", "dd", "del", "dl", "dt", "em", "h2", "h3", "h4", "h5", "hr", "li", "ol", "p",
    "pre", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip


@cache
def environment() -> Environment:
    """The templates, with what all of them may use."""
    pages = Environment(
        loader=FileSystemLoader(templates_folder() / "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    teach(pages)
    pages.policies["json.dumps_kwargs"] = {"sort_keys": True, "separators": (",", ":")}
    pages.globals |= {"static": static_address, "request_key": new_request_key, "Listing": Listing}
    pages.filters |= {"markdown": sanitised, "blocks": _blocks, "canonical": lambda value: canonical(value).decode()}
    return pages


def page(
    request: Request, template: str, /, status: int = 200, voice: Voice | None = None, **values: Any
) -> HTMLResponse:
    """A page.  Without a `voice` of a game it is spoken in the visitor's language and zone."""
    visitor = visitor_of(request)
    judge = judge_of(request)
    spoken = voice or Voice(visitor.language, judge.settings.zone, own_zone=visitor.zone)
    common = {
        "voice": spoken,
        "here_and_now": replace(spoken, zone=visitor.zone or spoken.zone, own_zone=None),
        "visitor": visitor,
        "now": now_of(request),
        "path": request.url.path,
        "judge_address": judge.settings.address,
    }
    content = request.app.state.pages.get_template(template).render(values | common)
    return HTMLResponse(content, status_code=status)


def report_html(blocks: Sequence[Block], voice: Voice, level: int = 2) -> Markup:
    """Parts of a report as HTML; `judge.render` has escaped what is in it."""
    return Markup(render_blocks(blocks, "html", voice, level=level))


@pass_context
def _blocks(context: Context, blocks: Sequence[Block], level: int = 3) -> Markup:
    return report_html(blocks, context["voice"], level)


def sanitised(source: str, breaks: bool = True, pictures: bool = False) -> Markup:
    """Markdown that somebody typed, as HTML that can do no harm: no scripts, no styles, and `pictures` in rules only.

    In posts a new line is a new line (`breaks`), as in most forums.
    """
    made = markdown(
        source,
        extensions=["fenced_code", "tables", "sane_lists", *(["nl2br"] if breaks else [])],
        extension_configs={"tables": {"use_align_attribute": True}},
        output_format="html",
    )
    cleaned = nh3.clean(
        made.replace("<h1>", "<h2>").replace("</h1>", "</h2>"),
        tags=_TAGS | {"img"} if pictures else _TAGS,
        attributes={"a": {"href"}, "th": {"align"}, "td": {"align"}, "img": {"src", "alt"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )
    # A wide table scrolls in a frame that the keyboard reaches; an empty head cell is no head.
    framed = cleaned.replace("<table>", '<div class="table-frame" tabindex="0"><table>').replace(
        "</table>", "</table></div>"
    )
    return Markup(framed.replace("<th></th>", "<td></td>"))


@cache
def static_address(name: str) -> str:
    """Where a static file is; the address changes with its content, so that browsers may keep it for good."""
    content = (static_folder() / name).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:12]}"
