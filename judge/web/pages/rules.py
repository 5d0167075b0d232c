"""The rules of a game, as its folder tells them, in the visitor's language, with the pictures beside them.

`RULES.md` shows a picture as any Markdown does, `![what it shows](pictures/rings.svg)`, from the folder `pictures` of
its game; so it can be seen where the file is read on a disk, too.
"""

from __future__ import annotations

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.service.refusal import Refusal
from judge.web.place import ruleset_voice
from judge.web.request import judge_of, may_open
from judge.web.session import visitor_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)

PICTURE_HEADERS = {
    "cache-control": "no-cache",
    # An SVG brings its colours for light and dark pages as a style of its own, and needs nothing else.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
}


@router.get("/rules/{ruleset}")
def rules(request: Request, ruleset: str) -> Response:
    with judge_of(request).store.read() as session:
        found = find_ruleset(session, ruleset)
    text = with_pictures(rules_text(found, visitor_of(request).language), ruleset)
    return page(
        request, "rules.html", voice=ruleset_voice(request, found), ruleset=found, text=text, may_open=may_open(request)
    )


@router.get("/rules/{ruleset}/pictures/{picture}")
def rules_picture(request: Request, ruleset: str, picture: str) -> Response:
    with judge_of(request).store.read() as session:
        found = find_ruleset(session, ruleset)
    files = {file.name: file for file in (found.folder / "pictures").glob("*.svg")}
    if picture not in files:
        raise Refusal("unknown", Text.of("The rules have no picture “{name}”.", name=picture))
    return FileResponse(files[picture], media_type="image/svg+xml", headers=PICTURE_HEADERS)


def find_ruleset(session: Session, name: str) -> AnyRuleset:
    found: AnyRuleset | None = session.info["rulesets"].get(name)
    if found is None:
        known = ", ".join(session.info["rulesets"])
        raise Refusal("unknown", Text.of("There is no game “{name}”; games here: {known}.", name=name, known=known))
    return found


def rules_text(ruleset: AnyRuleset, language: str) -> str:
    """RULES.md in this language; the English one if there is none."""
    translated = ruleset.folder / f"RULES.{language}.md"
    file = translated if translated.is_file() else ruleset.folder / "RULES.md"
    return file.read_text(encoding="utf-8")


def with_pictures(text: str, name: str) -> str:
    """Rules whose pictures are found from the page, which has an address of its own."""
    return text.replace("](pictures/", f"](/rules/{name}/pictures/")
