"""Posts of the thread, and the judge's letters."""

from __future__ import annotations

from fastapi import APIRouter
from sqlmodel import Session
from starlette.requests import Request

from judge.language import Voice
from judge.render import render_json
from judge.service import thread
from judge.service.receipts import Receipt
from judge.service.thread import Posted, Shown
from judge.web.api.access import Bearer, GameId, PostId
from judge.web.api.models import EditPost, LetterAnswer, PostAnswer, PostedAnswer, WritePost
from judge.web.api.play import receipt_answer
from judge.web.pages.thread import write_post
from judge.web.pages.turns import copy_texts
from judge.web.place import find_place
from judge.web.request import author_id, judge_of, now_of

router = APIRouter(tags=["thread"])


@router.get("/games/{game_id}/thread", summary="The thread")
def posts(request: Request, game_id: GameId) -> list[PostAnswer]:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        return [_post(post, place.voice) for post in thread.posts(session, place.access, author_id(request))]


@router.post("/games/{game_id}/thread", summary="Write a post; a player's order lines are orders", status_code=201)
def write(request: Request, game_id: GameId, wish: WritePost, bearer: Bearer) -> PostedAnswer:
    def work(session: Session) -> tuple[Posted, Voice]:
        voice = find_place(session, request, game_id).voice
        return write_post(session, request, game_id, wish.text, wish.name, wish.request), voice

    posted, voice = judge_of(request).store.write(work)
    return _posted(posted.post_id, posted.receipt, voice)


@router.put("/games/{game_id}/thread/{post_id}", summary="Rewrite your post")
def edit(request: Request, game_id: GameId, post_id: PostId, wish: EditPost, bearer: Bearer) -> PostedAnswer:
    now = now_of(request)

    def work(session: Session) -> tuple[Posted, Voice]:
        place = find_place(session, request, game_id)
        return thread.edit(session, now, place.access, author_id(request), post_id, wish.text), place.voice

    posted, voice = judge_of(request).store.write(work)
    return _posted(posted.post_id, posted.receipt, voice)


@router.delete("/games/{game_id}/thread/{post_id}", summary="Delete your post")
def delete(request: Request, game_id: GameId, post_id: PostId, bearer: Bearer) -> PostedAnswer:
    now = now_of(request)

    def work(session: Session) -> tuple[Receipt | None, Voice]:
        place = find_place(session, request, game_id)
        return thread.delete(session, now, place.access, author_id(request), post_id), place.voice

    slip, voice = judge_of(request).store.write(work)
    return _posted(post_id, slip, voice)


@router.get("/games/{game_id}/letters", summary="The judge's public letters, as BBCode and Markdown")
def letters(request: Request, game_id: GameId) -> list[LetterAnswer]:
    with judge_of(request).store.read() as session:
        place = find_place(session, request, game_id)
        return [
            LetterAnswer(
                id=text.place,
                kind=text.letter.kind,
                turn=text.letter.number,
                created=text.letter.created,
                title=text.title,
                bbcode=text.bbcode,
                markdown=text.markdown,
            )
            for text in copy_texts(session, place)
        ]


def _post(post: Shown, voice: Voice) -> PostAnswer:
    return PostAnswer(
        id=post.id,
        seat=post.seat,
        name=post.name,
        judge=post.author == "judge",
        created=post.created,
        edited=post.edited,
        text=post.text,
        report=render_json(post.report, voice) if post.report else None,
        sealed=post.sealed,
        opened=list(post.opened),
        source=post.source,
        key=post.key,
    )


def _posted(post_id: int, slip: Receipt | None, voice: Voice) -> PostedAnswer:
    return PostedAnswer(post=post_id, receipt=receipt_answer(slip, voice) if slip else None)
