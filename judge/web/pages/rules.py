"""The rules of a game, as its folder tells them, in the visitor's language."""

from __future__ import annotations

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request
from starlette.responses import Response

from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.service.refusal import Refusal
from judge.web.place import ruleset_voice
from judge.web.request import judge_of, may_open
from judge.web.session import visitor_of
from judge.web.template import page

router = APIRouter(include_in_schema=False)


@router.get("/rules/{ruleset}")
def rules(request: Request, ruleset: str) -> Response:
    with judge_of(request).store.read() as session:
        found = find_ruleset(session, ruleset)
    text = rules_text(found, visitor_of(request).language)
    return page(
        request, "rules.html", voice=ruleset_voice(request, found), ruleset=found, text=text, may_open=may_open(request)
    )


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
