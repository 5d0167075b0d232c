"""What goes wrong, told to people on a page and to programs as JSON: the same sentence, the same status.

Programs get one shape for every failure: `{"problems": [{"line", "field", "text"}]}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from judge.core.orders import Problem
from judge.core.text import Text
from judge.language import Voice
from judge.service.refusal import Refusal
from judge.service.table import Invalid
from judge.store import KeyFileError, StoreError
from judge.web.api.access import TokenMissing
from judge.web.api.models import ProblemAnswer
from judge.web.session import visitor_of
from judge.web.template import page

STATUS = {"unknown": 404, "forbidden": 403, "conflict": 409, "gone": 410, "invalid": 422}

TITLES = {
    400: Text.of("This request cannot be read"),
    401: Text.of("Who is asking?"),
    403: Text.of("Not for you"),
    404: Text.of("Nothing is here"),
    405: Text.of("This cannot be done here"),
    408: Text.of("That took too long"),
    409: Text.of("Not now"),
    410: Text.of("Not any more"),
    413: Text.of("Too much at once"),
    422: Text.of("Something does not fit yet"),
    500: Text.of("The judge stumbled"),
    503: Text.of("The judge cannot write just now"),
}

SENTENCES = {
    400: Text.of("Something in it is broken; go back, reload the page and send it again."),
    404: Text.of("There is no page at this address. Check it, or look for your game in the lobby."),
    405: Text.of("This address does not take such a request; go back and use the page's own buttons."),
    408: Text.of("Your request did not arrive in time; nothing was stored. Send it again."),
    413: Text.of("What you sent is larger than the judge takes; nothing was stored. Shorten it and send it again."),
}


def add_failure_pages(app: FastAPI) -> None:
    """Answers every expected failure; see `protection.Failures` for the unexpected ones."""
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(Invalid, _invalid)
    app.add_exception_handler(StoreError, _store_refuses)
    app.add_exception_handler(KeyFileError, _store_refuses)
    app.add_exception_handler(TokenMissing, _nobody)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)


async def unexpected(request: Request, failure: str) -> Response:
    """The answer to a fault of ours.  `failure` is the id under which it stands in the log."""
    text = Text.of(
        "That is a fault of the judge, not yours. Whether your last step was stored you see when you go back. "
        "Tell the operator this number: {id}.",
        id=failure,
    )
    return await answer(request, 500, [Problem(text)])


async def answer(
    request: Request, status: int, problems: Iterable[Problem], headers: dict[str, str] | None = None
) -> Response:
    """A failure as this visitor reads it."""
    told = list(problems)
    response: Response
    if request.url.path.startswith("/api/"):
        response = JSONResponse({"problems": problems_json(told, api_voice(request))}, status)
    else:
        title = TITLES.get(status, TITLES[400])
        response = await run_in_threadpool(page, request, "failure.html", status, title=title, problems=told)
    response.headers.update(headers or {})
    return response


def problems_json(problems: Iterable[Problem], voice: Voice) -> list[dict[str, Any]]:
    """Problems for programs."""
    return [one.model_dump() for one in problem_answers(problems, voice)]


def problem_answers(problems: Iterable[Problem], voice: Voice) -> list[ProblemAnswer]:
    return [
        ProblemAnswer(
            line=one.line,
            field=one.field,
            text=voice.say(one.text),
            quote=one.quote,
            right=one.right,
            warning=one.warning,
        )
        for one in problems
    ]


def api_voice(request: Request) -> Voice:
    """The voice for programs that ask about no game in particular."""
    return Voice(visitor_of(request).language)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return await answer(request, STATUS[error.reason], [Problem(error.text, field=error.field)])


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, Invalid)
    return await answer(request, 422, error.problems)


async def _nobody(request: Request, error: Exception) -> Response:
    return await answer(request, 401, [TokenMissing.problem], {"www-authenticate": "Bearer"})


async def _store_refuses(request: Request, error: Exception) -> Response:
    assert isinstance(error, StoreError | KeyFileError)
    text = Text.of("{why}. Nothing was stored.", why=error.text)
    return await answer(request, 503, [Problem(text)], {"retry-after": "30"})


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    in_address = any(detail["loc"][0] == "path" for detail in error.errors())
    if in_address or not request.url.path.startswith("/api/"):
        return await answer(request, 404, [Problem(SENTENCES[404])])
    return await answer(request, 422, [_request_problem(detail) for detail in error.errors()])


def _request_problem(detail: Any) -> Problem:
    """What FastAPI found in a request.  The value itself is not repeated: it may be an order."""
    field = ".".join(str(part) for part in detail["loc"][1:]) or None
    if detail["type"] == "json_invalid":
        return Problem(Text.of("This is no JSON: {why}.", why=str(detail["ctx"].get("error", "?"))), field=None)
    if detail["type"] == "missing":
        return Problem(Text.of("{label} is missing.", label=field or "body"), field=field)
    return Problem(Text.of("{label}: this value cannot be used here.", label=field or "body"), field=field)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = SENTENCES.get(error.status_code, SENTENCES[400])
    return await answer(request, error.status_code, [Problem(text)], dict(error.headers or {}))
