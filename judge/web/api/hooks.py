"""Webhooks: a forum says that something happened in a topic, and the judge looks there sooner than it would have."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from judge.core.text import Text
from judge.forum import Refused
from judge.registry import forum_hook
from judge.service.accounts import hook_secret, look_soon
from judge.service.refusal import Refusal
from judge.web.request import judge_of

router = APIRouter(tags=["host"])


@router.post("/forums/{forum}/hook", status_code=202, summary="A forum's webhook, signed with its secret")
async def hook(request: Request, forum: str) -> None:
    """The judge believes nothing that comes with it: it reads the topic itself."""
    body = await request.body()
    await run_in_threadpool(_hear, request, forum, body)


def _hear(request: Request, forum: str, body: bytes) -> None:
    judge = judge_of(request)
    with judge.store.read() as session:
        kind, secret = hook_secret(session, forum)
    called = forum_hook(kind)
    try:
        topic = called(secret, request.headers, body) if called is not None else None
    except Refused as refused:
        raise Refusal("forbidden", Text.of("This was not signed with the secret of the forum.")) from refused
    if topic is not None:
        judge.store.write(lambda session: look_soon(session, judge.clock.now(), forum, topic))
