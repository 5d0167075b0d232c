"""Webhooks: a forum says that something happened in a topic, and the judge looks there sooner than it would have."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from judge.service.accounts import hear, look_soon
from judge.web.api.models import DoneAnswer
from judge.web.request import judge_of

router = APIRouter(tags=["host"])


@router.post("/forums/{forum}/hook", status_code=202, summary="A forum's webhook, signed with its secret")
async def hook(request: Request, forum: str) -> DoneAnswer:
    """The judge believes nothing that comes with it: it reads the topic itself."""
    body = await request.body()
    return DoneAnswer(done=await run_in_threadpool(_hear, request, forum, body))


def _hear(request: Request, forum: str, body: bytes) -> bool:
    """Whether it was about a topic."""
    judge = judge_of(request)
    with judge.store.read() as session:
        topic = hear(session, forum, request.headers, body)
    if topic is not None:
        judge.store.write(lambda session: look_soon(session, judge.clock.now(), forum, topic))
    return topic is not None
