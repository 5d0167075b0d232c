"""Answers in the shape that NodeBB 4 documents (its OpenAPI files and source) and that was noted of a running 4.11.

No NodeBB: a few of its routes over a `Site`.  Everybody's password is his token.  Deleted posts stay listed, what waits
for approval is no post yet, single things have an ETag, pages past the end are empty.
"""

from __future__ import annotations

import hashlib
import html
import math
import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.forums import LiveForum
from tests.forums.documented import CATEGORY, MARKDOWN, Person, Site, Thread, Written, serve
from tests.forums.nodebb import NodebbActs

PER_PAGE, PER_ROOM_PAGE, LONGEST_MESSAGE, LONGEST_POST = 20, 50, 1000, 32_767
CODES = {400: "bad-request", 401: "not-authorised", 403: "forbidden", 404: "not-found"}
LIMIT = "As a new user, you can only post once every 120 second(s) until you have earned 3 reputation"


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    site = Site(interval=1 if throttle else 0)
    app = DocumentedNodebb(site).app
    return serve("nodebb", app, site, lambda url, accounts: NodebbActs(url, str(CATEGORY), accounts), throttle=throttle)


Answering = Callable[[Request, Person | None], Awaitable[Response]]


class DocumentedNodebb:
    def __init__(self, site: Site) -> None:
        self.site = site
        pages = {
            "self": self.myself,
            "config": self.config,
            "category/{cid:int}": self.category,
            "topic/{tid:int}": self.topic_page,
            "user/username/{name}": self.user,
            "user/{slug}/topics": self.own_topics,
            "post-queue": self.queue,
        }
        single = [
            ("POST", "topics", self.start_topic),
            ("GET", "topics/{tid:int}", self.topic),
            ("POST", "topics/{tid:int}", self.reply),
            ("POST", "posts/queue/{id}", self.approve),
            ("GET", "posts/{pid:int}", self.post),
            ("PUT", "posts/{pid:int}", self.edit),
            ("GET", "posts/{pid:int}/raw", self.raw),
            ("DELETE", "posts/{pid:int}/state", self.delete),
            ("GET", "posts/{pid:int}/diffs", self.diffs),
            ("GET", "posts/{pid:int}/diffs/{since:int}", self.diff),
            ("GET", "chats", self.rooms),
            ("POST", "chats", self.open_room),
            ("GET", "chats/{room:int}", self.room),
            ("POST", "chats/{room:int}", self.tell),
            ("GET", "chats/{room:int}/messages", self.messages),
            ("GET", "chats/{room:int}/messages/{mid:int}/raw", self.raw_message),
            ("PUT", "users/{uid:int}", self.rename),
        ]
        routes = [self._route(f"/api/{path}", answering) for path, answering in pages.items()]
        routes += [self._route(f"/api/v3/{path}", answering, method) for method, path, answering in single]
        self.app = Starlette(routes=routes, exception_handlers={HTTPException: refuse})

    def _route(self, path: str, answering: Answering, method: str = "GET") -> Route:
        async def endpoint(request: Request) -> Response:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            caller = next((one for one in self.site.people if scheme == "Bearer" and one.password == token), None)
            return await answering(request, caller)

        return Route(path, endpoint, methods=[method], name=f"{method} {path}")

    # Pages

    async def myself(self, request: Request, caller: Person | None) -> Response:
        if caller is None:
            return JSONResponse("not-authorized", 401)
        return JSONResponse({**shown(caller), "email": "", "joindate": 0})

    async def config(self, request: Request, caller: Person | None) -> Response:
        return JSONResponse({"maximumPostLength": LONGEST_POST, "maximumChatMessageLength": LONGEST_MESSAGE})

    async def category(self, request: Request, caller: Person | None) -> Response:
        return JSONResponse({"cid": request.path_params["cid"], "privileges": {"topics:create": caller is not None}})

    async def topic_page(self, request: Request, caller: Person | None) -> Response:
        thread = self._thread(request.path_params["tid"])
        posts, number = listed(thread), int(request.query_params.get("page", 1))
        first = (number - 1) * PER_PAGE
        moderates = caller is not None and caller.moderator
        page = {
            **slim(thread),
            "posts": [entry(post, first + at, caller) for at, post in enumerate(posts[first : first + PER_PAGE])],
            "privileges": {
                "topics:reply": caller is not None and (moderates or not thread.closed),
                "isAdminOrMod": moderates,
                "tid": str(thread.id),
                "uid": caller.id if caller else 0,
            },
            "pagination": {"currentPage": number, "pageCount": pages(len(posts))},
        }
        return JSONResponse(page)

    async def user(self, request: Request, caller: Person | None) -> Response:
        return JSONResponse(shown(self._somebody(request.path_params["name"])))

    async def own_topics(self, request: Request, caller: Person | None) -> Response:
        mine = [
            thread
            for thread in reversed(self.site.threads)
            if thread.between is None and listed(thread) and slug(thread.author.name) == request.path_params["slug"]
        ]
        return JSONResponse({"topics": [slim(thread) for thread in mine[:PER_PAGE]], "nextStart": PER_PAGE})

    async def queue(self, request: Request, caller: Person | None) -> Response:
        if caller is None:
            raise HTTPException(404)
        number = int(request.query_params.get("page", 1))
        waiting = [
            queued(thread, post)
            for thread in self.site.threads
            for post in thread.posts
            if post.state == "held" and (caller.moderator or post.author is caller)
        ]
        posts = waiting[(number - 1) * PER_PAGE : number * PER_PAGE]
        return JSONResponse({"posts": posts, "pagination": {"currentPage": number, "pageCount": pages(len(waiting))}})

    # Topics and posts

    async def start_topic(self, request: Request, caller: Person | None) -> Response:
        body, author = await request.json(), member(caller)
        self._check(author, body["content"])
        thread = self.site.open(body["title"], int(body["cid"]))
        post = self.site.write(thread, author, body["content"])
        if post.state == "held":
            return waits(thread, post)
        return said(request, {**slim(thread), "mainPost": entry(post, 0, author)})

    async def topic(self, request: Request, caller: Person | None) -> Response:
        return said(request, slim(self._thread(request.path_params["tid"])))

    async def reply(self, request: Request, caller: Person | None) -> Response:
        body, author = await request.json(), member(caller)
        thread = self._thread(request.path_params["tid"])
        if thread.closed and not author.moderator:
            raise HTTPException(400, "Topic locked")
        self._check(author, body["content"])
        post = self.site.write(thread, author, body["content"])
        if post.state == "held":
            return waits(thread, post)
        return said(request, entry(post, len(listed(thread)) - 1, author))

    async def approve(self, request: Request, caller: Person | None) -> Response:
        """What is let through becomes a post with an id of its own."""
        moderator(caller)
        for thread in self.site.threads:
            for post in thread.posts:
                if post.state == "held" and queued(thread, post)["id"] == request.path_params["id"]:
                    thread.posts.remove(post)
                    posted = self.site.write(thread, post.author, post.text)
                    posted.state = "visible"
                    return said(request, {"type": "reply", "pid": posted.id, "tid": thread.id})
        raise HTTPException(404, "Post does not exist")

    async def post(self, request: Request, caller: Person | None) -> Response:
        thread, post = self._post(request)
        return said(request, {**entry(post, listed(thread).index(post), caller), "content": post.text})

    async def raw(self, request: Request, caller: Person | None) -> Response:
        _, post = self._post(request)
        if post.state == "deleted":
            raise HTTPException(404, "Post does not exist")
        return said(request, {"content": post.text.rstrip()})

    async def edit(self, request: Request, caller: Person | None) -> Response:
        body, editor = await request.json(), member(caller)
        thread, post = self._post(request)
        if post.author is not editor and not editor.moderator:
            raise HTTPException(403, "You do not have enough privileges for this action.")
        self.site.edit(post, editor, body["content"])
        return said(request, entry(post, listed(thread).index(post), caller))

    async def delete(self, request: Request, caller: Person | None) -> Response:
        moderator(caller)
        self._post(request)[1].state = "deleted"
        return said(request, {})

    async def diffs(self, request: Request, caller: Person | None) -> Response:
        member(caller)
        _, post = self._post(request)
        edits = [(ms(version.until), version.editor) for version in reversed(post.earlier)]
        edits.append((ms(post.created), post.author))
        revisions = [{"timestamp": str(at), "username": who.name, "uid": who.id} for at, who in edits]
        return said(request, {"timestamps": [str(at) for at, _ in edits], "revisions": revisions, "editable": True})

    async def diff(self, request: Request, caller: Person | None) -> Response:
        """What stood there at that moment, drawn."""
        member(caller)
        _, post = self._post(request)
        later = [version.text for version in post.earlier if ms(version.until) > request.path_params["since"]]
        return said(request, {"pid": post.id, "content": MARKDOWN.render(later[0] if later else post.text)})

    # Chats

    async def rooms(self, request: Request, caller: Person | None) -> Response:
        me, start = member(caller), int(request.query_params.get("start", 0))
        count = int(request.query_params.get("perPage", PER_PAGE))
        mine = [one for one in self.site.threads if one.between and me in one.between and one.posts]
        mine.sort(key=lambda room: -room.posts[-1].id)
        rooms = [chat(room, me) for room in mine[start : start + count]]
        return said(request, {"rooms": rooms, "nextStart": start + count})

    async def open_room(self, request: Request, caller: Person | None) -> Response:
        me, body = member(caller), await request.json()
        room = self.site.open("", 0, [me, *(self._somebody(uid) for uid in body["uids"])])
        return said(request, chat(room, me))

    async def room(self, request: Request, caller: Person | None) -> Response:
        return said(request, {**chat(self._room(request, caller), member(caller)), "canReply": True})

    async def tell(self, request: Request, caller: Person | None) -> Response:
        message = (await request.json())["message"]
        if len(message) > LONGEST_MESSAGE:
            raise HTTPException(400, f"Chat message is too long, it can be {LONGEST_MESSAGE} characters at most")
        written = self.site.write(self._room(request, caller), member(caller), message)
        return said(request, line(written))

    async def messages(self, request: Request, caller: Person | None) -> Response:
        """The newest of them, in the order in which they were written."""
        newest = self._room(request, caller).posts[::-1]
        start = int(request.query_params.get("start", 0))
        return said(request, {"messages": [line(one) for one in newest[start : start + PER_ROOM_PAGE][::-1]]})

    async def raw_message(self, request: Request, caller: Person | None) -> Response:
        posts = self._room(request, caller).posts
        return said(request, {"content": next(one.text for one in posts if one.id == request.path_params["mid"])})

    async def rename(self, request: Request, caller: Person | None) -> Response:
        member(caller).name = (await request.json())["username"]
        return said(request, shown(member(caller)))

    # Looking up

    def _thread(self, tid: int) -> Thread:
        thread = self.site.thread(tid)
        if thread is None or thread.between is not None or not listed(thread):
            raise HTTPException(404, "Topic does not exist")
        return thread

    def _post(self, request: Request) -> tuple[Thread, Written]:
        found = self.site.find(request.path_params["pid"])
        if found is None or found[0].between is not None or found[1].state == "held":
            raise HTTPException(404, "Post does not exist")
        return found

    def _somebody(self, who: str | int) -> Person:
        if (person := self.site.person(who)) is None:
            raise HTTPException(404, "User does not exist")
        return person

    def _room(self, request: Request, caller: Person | None) -> Thread:
        room = self.site.thread(request.path_params["room"])
        if room is None or caller is None or caller not in (room.between or []):
            raise HTTPException(403, "You are not allowed in this room")
        return room

    def _check(self, author: Person, text: str) -> None:
        if self.site.wait(author) or len(text) > LONGEST_POST:
            raise HTTPException(400, LIMIT if len(text) <= LONGEST_POST else "Please enter a shorter post.")


async def refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if not request.url.path.startswith("/api/v3"):
        page = {"path": request.url.path, "title": f"[[global:{error.status_code}.title]]"}
        return JSONResponse(page, error.status_code)
    status = {"code": CODES[error.status_code], "message": error.detail}
    return JSONResponse({"status": status, "response": {}}, error.status_code)


def said(request: Request, what: object) -> Response:
    """A single thing in its envelope, or that it has not changed."""
    answer = JSONResponse({"status": {"code": "ok", "message": "OK"}, "response": what})
    tag = f'W/"{hashlib.sha1(answer.body).hexdigest()}"'
    if request.method == "GET" and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    answer.headers["ETag"] = tag
    return answer


def waits(thread: Thread, post: Written) -> Response:
    held = queued(thread, post)
    answer = {"id": held["id"], "type": held["type"], "queued": True, "message": "[[success:post-queued]]"}
    return JSONResponse({"status": {"code": "accepted", "message": "Accepted"}, "response": answer}, 202)


def member(caller: Person | None) -> Person:
    if caller is None:
        raise HTTPException(401, "A valid login session was not found.")
    return caller


def moderator(caller: Person | None) -> Person:
    if not member(caller).moderator:
        raise HTTPException(403, "You do not have enough privileges for this action.")
    return member(caller)


def listed(thread: Thread) -> list[Written]:
    return [post for post in thread.posts if post.state != "held"]


def pages(posts: int) -> int:
    return max(1, math.ceil(posts / PER_PAGE))


def ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def slug(words: str) -> str:
    return re.sub(r"\W+", "-", words.lower()).strip("-")


def shown(person: Person) -> dict[str, Any]:
    return {"uid": person.id, "username": person.name, "userslug": slug(person.name), "displayname": person.name}


def slim(thread: Thread) -> dict[str, Any]:
    posts = listed(thread)
    return {
        "tid": thread.id,
        "cid": thread.category,
        "uid": thread.author.id,
        "mainPid": posts[0].id,
        "timestamp": ms(posts[0].created),
        "title": html.escape(thread.title),
        "titleRaw": thread.title,
        "slug": f"{thread.id}/{slug(thread.title)}",
        "postcount": len(posts),
        "lastposttime": ms(posts[-1].created),
        "locked": int(thread.closed),
        "deleted": 0,
    }


def entry(post: Written, index: int, caller: Person | None) -> dict[str, Any]:
    gone = post.state == "deleted" and not (caller and (caller.moderator or caller is post.author))
    last = post.earlier[-1] if post.earlier else None
    return {
        "pid": post.id,
        "uid": post.author.id,
        "content": "[[topic:post-is-deleted]]" if gone else MARKDOWN.render(post.text),
        "timestamp": ms(post.created),
        "edited": ms(last.until) if last else 0,
        "editor": shown(last.editor) if last else None,
        "deleted": int(post.state == "deleted"),
        "index": index,
        "user": shown(post.author),
    }


def queued(thread: Thread, post: Written) -> dict[str, Any]:
    kind = "reply" if listed(thread) else "topic"
    where = {"tid": thread.id} if kind == "reply" else {"cid": thread.category, "title": html.escape(thread.title)}
    typed = {"content": MARKDOWN.render(post.text), "rawContent": html.escape(post.text), "timestamp": ms(post.created)}
    identity = {"id": f"{kind}-{ms(post.created)}", "uid": post.author.id, "type": kind, "user": shown(post.author)}
    return {**identity, "data": {**where, **typed}}


def chat(room: Thread, viewer: Person) -> dict[str, Any]:
    others = [shown(person) for person in room.between or [] if person is not viewer]
    teaser = next((line(message) for message in reversed(room.posts) if message.state != "deleted"), None)
    return {"roomId": room.id, "groupChat": len(others) > 1, "public": False, "users": others, "teaser": teaser}


def line(message: Written) -> dict[str, Any]:
    return {
        "messageId": message.id,
        "mid": message.id,
        "fromuid": message.author.id,
        "fromUser": shown(message.author),
        "content": MARKDOWN.render(message.text),
        "timestamp": ms(message.created),
        "deleted": 0,
        "system": 0,
    }
