"""For programs: how to talk to this judge, made from the API's own description."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from judge.web.template import page

router = APIRouter(include_in_schema=False)


@router.get("/api")
def programs(request: Request) -> Response:
    schema: dict[str, Any] = request.app.openapi()
    routes = [
        (path, method.upper(), described["summary"], described["tags"][0])
        for path, methods in schema["paths"].items()
        for method, described in methods.items()
    ]
    return page(request, "programs.html", about=schema["info"]["description"], routes=routes, tags=schema["tags"])
