"""What a visitor prefers: language and time zone, kept in cookies of his browser and nowhere else.

These forms carry no token: changing a language by a foreign form does no harm, and pages without any other form then
need no session.  The browser's own word about where a form comes from is still asked.
"""

from __future__ import annotations

from zoneinfo import available_timezones

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from judge.core.orders import Problem
from judge.language import LANGUAGES, UnknownZoneError, time_zone
from judge.web.request import judge_of, own_hosts, typed_form
from judge.web.session import check_origin, cookie
from judge.web.template import page

router = APIRouter(include_in_schema=False)

A_YEAR = 365


@router.get("/preferences")
def preferences(request: Request, back: str = "/") -> Response:
    return page(request, "preferences.html", back=_own_path(back), zones=zones(), problems=[])


@router.post("/preferences")
async def prefer(request: Request) -> Response:
    check_origin(request.headers, own_hosts(request))
    typed = await typed_form(request)
    sent = {name: values[0] for name, values in typed.items()}
    back = _own_path(sent.get("back", "/"))
    answer = RedirectResponse(back, status_code=303)
    secure = judge_of(request).settings.address.startswith("https:")
    if sent.get("language") in LANGUAGES:
        answer.headers.append(
            "set-cookie", cookie("language", sent["language"], secure=secure, days=A_YEAR, hidden=True)
        )
    if "zone" in sent:
        try:
            zone = time_zone(sent["zone"].strip().replace(" ", "_")).key
        except UnknownZoneError as unknown:
            problems = [Problem(unknown.text, field="zone")]
            return await run_in_threadpool(
                page, request, "preferences.html", 422, back=back, zones=zones(), problems=problems
            )
        answer.headers.append("set-cookie", cookie("zone", zone, secure=secure, days=A_YEAR, hidden=False))
    return answer


def zones() -> list[str]:
    """The names of places, without the historical and technical ones."""
    return sorted(name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/")))


def _own_path(back: str) -> str:
    """Where to go back to: a page of ours, never another site."""
    plain = back.isascii() and back.isprintable() and "\\" not in back
    return back if plain and back.startswith("/") and not back.startswith("//") else "/"
