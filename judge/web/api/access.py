"""Who a program is."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path
from fastapi.security import HTTPBearer
from starlette.requests import Request

from judge.core.orders import Problem
from judge.core.text import Text
from judge.web.session import visitor_of

bearer_scheme = HTTPBearer(auto_error=False, description="From `POST /api/v1/claim`.")
"""Says in the OpenAPI document how programs prove who they are; `request.holder_of` reads the token."""

GameId = Annotated[str, Path(pattern="^[0-9a-z-]{1,40}$", description="The game's id, as in its address.")]
TurnNumber = Annotated[int, Path(ge=1, le=1_000_000, description="The turn, counted from 1.")]
PostId = Annotated[int, Path(ge=1, le=2**53, description="The post's id.")]


class TokenMissing(Exception):
    """Something is to be changed, and nobody says who asks."""

    problem = Problem(
        Text.of(
            "Show a bearer token to change something: “Authorization: Bearer …”. "
            "POST /api/v1/claim gives one for a personal link."
        )
    )


def require_bearer(request: Request) -> str:
    """The bearer token; a browser's cookie is not enough to change something, since other sites' pages could use it."""
    bearer = visitor_of(request).bearer
    if bearer is None:
        raise TokenMissing
    return bearer


Bearer = Annotated[str, Depends(require_bearer)]
