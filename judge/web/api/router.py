"""All routes of the API under one prefix, with the failures that every one of them may answer with."""

from __future__ import annotations

from fastapi import APIRouter, Depends

from judge.web.api import forum, games, hooks, hosting, play, proof, talk
from judge.web.api.access import bearer_scheme
from judge.web.api.models import Problems

ABOUT = """Everything that the pages show and do, for programs.

Show a bearer token (`Authorization: Bearer …`); `POST /api/v1/claim` gives one for a personal link. A browser's session
is good for reading too. Sentences come in the language of `Accept-Language`. What cannot be done is answered with
`{"problems": [{"line", "field", "text"}]}`: 422 if something in the request has to be changed, 409 if it comes at the
wrong time, 401, 403, 404 or 410 if it is not for you, not there, or there no more."""

TAGS = [
    {"name": "games", "description": "Which games there are, and how they stand."},
    {"name": "play", "description": "Seats, orders, receipts and reports."},
    {"name": "thread", "description": "Posts and letters."},
    {"name": "proof", "description": "Checking that nobody cheated."},
    {"name": "host", "description": "What a host can do."},
]

FAILURES = {
    401: "A bearer token is missing.",
    403: "Only for a player or the host of this game.",
    404: "There is no such thing.",
    409: "Not at this time; nothing was stored.",
    410: "Not any more.",
    413: "Too large.",
    422: "Something in the request has to be changed; every problem is named.",
    503: "The database cannot be used now.",
}

router = APIRouter(
    prefix="/api/v1",
    dependencies=[Depends(bearer_scheme)],
    responses={status: {"model": Problems, "description": said} for status, said in FAILURES.items()},
)
for theme in (games, play, talk, proof, hosting, forum, hooks):
    router.include_router(theme.router)
