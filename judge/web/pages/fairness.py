"""How players know that nobody cheated, in plain words; and, for writers of verifiers, byte for byte."""

from __future__ import annotations

import re

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.core.text import Text
from judge.resources import fairness_folder, sealing_file
from judge.web.session import visitor_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)

_FILE_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|/)[^)]+\)")
"""A link to a file beside this one: it leads somewhere in a checkout only."""


@router.get("/fairness")
def fairness(request: Request) -> Response:
    text = fairness_text(visitor_of(request).language)
    title = Text.of("How do I know that nobody cheated?")
    return page(request, "fairness.html", title=title, text=_without_title(text), in_english=False)


@router.get("/fairness/bytes")
def sealing(request: Request) -> Response:
    text = sealing_text()
    title = Text.of("Seals, byte for byte")
    return page(request, "fairness.html", title=title, text=_without_title(text), in_english=True)


def sealing_text() -> str:
    """SEALING.md, without the ways to other files."""
    return _FILE_LINK.sub(r"`\1`", sealing_file().read_text(encoding="utf-8"))


def fairness_text(language: str) -> str:
    """FAIRNESS.md in this language; the English one if there is none."""
    translated = fairness_folder() / f"FAIRNESS.{language}.md"
    file = translated if translated.is_file() else fairness_folder() / "FAIRNESS.md"
    return file.read_text(encoding="utf-8").replace("](../../core/SEALING.md)", "](/fairness/bytes)")


def _without_title(text: str) -> str:
    """A document without its first heading, which the page has of its own."""
    return re.sub(r"\A# [^\n]*\n+", "", text)
