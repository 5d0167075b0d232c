"""Answers in the shape that Discourse documents in its OpenAPI file and in the source of its controllers.

No Discourse: a few of its routes over a `Site`.  Everybody's password is his API key.  The same words sent twice within
two minutes make one post, an author's edit within five minutes makes no version unless it is long, hidden posts stay,
deleted ones leave the stream, closing a topic is a post of another type.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.forums import Account, LiveForum
from tests.forums.discourse import DiscourseActs
from tests.forums.documented import CATEGORY, MARKDOWN, Person, Site, Thread, Version, Written, serve

CHUNK, PER_LIST, LONGEST_POST = 20, 30, 32_000
MEMOISED = timedelta(seconds=120)
GRACE, LONGEST_QUIET_EDIT = timedelta(seconds=300), 100
REGULAR, SMALL_ACTION = 1, 3
QUOTE = re.compile(r'(?<!\\)\[quote(?:="([^"\]]*)")?\]\n?(.*?)\n?\[/quote\]', re.DOTALL)


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    site = Site(interval=1 if throttle else 0)

    def acts(url: str, accounts: dict[str, Account]) -> DiscourseActs:
        return DiscourseActs(url, str(CATEGORY), accounts)

    return serve("discourse", DocumentedDiscourse(site).app, site, acts, throttle=throttle)


Answering = Callable[[Request, Person], Awaitable[Response]]


class DocumentedDiscourse:
    def __init__(self, site: Site) -> None:
        self.site = site
        self.small_actions: set[int] = set()
        self.created: dict[str, tuple[datetime, dict[str, Any]]] = {}
        routes = [
            ("GET", "session/current.json", self.session),
            ("GET", "user-cards.json", self.cards),
            ("GET", "u/{name}.json", self.profile),
            ("PUT", "users/{name}/preferences/username.json", self.rename),
            ("GET", "topics/created-by/{name}.json", self.own_topics),
            ("GET", "topics/private-messages/{name}.json", self.received),
            ("GET", "topics/private-messages-sent/{name}.json", self.sent),
            ("GET", "t/{topic:int}.json", self.topic),
            ("GET", "t/{topic:int}/posts.json", self.chunk),
            ("PUT", "t/{topic:int}/status.json", self.close),
            ("POST", "posts.json", self.create),
            ("GET", "posts/{name}/pending.json", self.pending),
            ("GET", "posts/{post:int}.json", self.post),
            ("PUT", "posts/{post:int}.json", self.edit),
            ("DELETE", "posts/{post:int}.json", self.delete),
            ("GET", "posts/{post:int}/revisions/{version:int}.json", self.revision),
            ("POST", "post_actions.json", self.hide),
            ("GET", "review.json", self.reviews),
            ("PUT", "review/{post:int}/perform/approve_post.json", self.approve),
        ]
        self.app = Starlette(
            routes=[self._route(f"/{path}", answering, method) for method, path, answering in routes],
            exception_handlers={HTTPException: refuse},
        )

    def _route(self, path: str, answering: Answering, method: str) -> Route:
        async def endpoint(request: Request) -> Response:
            key, name = (request.headers.get(header, "") for header in ("api-key", "api-username"))
            caller = self.site.person(name)
            if caller is None or caller.password != key:
                wrong = "You are not permitted to view the requested resource. The API username or key is invalid."
                raise HTTPException(403, wrong)
            return await answering(request, caller)

        return Route(path, endpoint, methods=[method], name=f"{method} {path}")

    # People

    async def session(self, request: Request, caller: Person) -> Response:
        return JSONResponse({"current_user": shown(caller)})

    async def cards(self, request: Request, caller: Person) -> Response:
        wanted = [self.site.person(int(one)) for one in request.query_params["user_ids"].split(",")]
        return JSONResponse({"users": [shown(person) for person in wanted if person]})

    async def profile(self, request: Request, caller: Person) -> Response:
        return JSONResponse({"user": shown(self._named(request))})

    async def rename(self, request: Request, caller: Person) -> Response:
        moderator(caller)
        self._named(request).name = (await request.json())["new_username"]
        return JSONResponse({"success": "OK"})

    # Lists

    async def own_topics(self, request: Request, caller: Person) -> Response:
        author = self._named(request)
        return self._list(request, lambda thread: thread.between is None and thread.author is author)

    async def received(self, request: Request, caller: Person) -> Response:
        """Those in which somebody else wrote."""
        return self._list(
            request,
            lambda thread: caller in (thread.between or []) and any(post.author is not caller for post in thread.posts),
        )

    async def sent(self, request: Request, caller: Person) -> Response:
        return self._list(
            request,
            lambda thread: caller in (thread.between or []) and any(post.author is caller for post in thread.posts),
        )

    def _list(self, request: Request, wanted: Callable[[Thread], bool]) -> Response:
        page = int(request.query_params.get("page", 0))
        found = [thread for thread in self.site.threads if stream(thread) and wanted(thread)]
        found.sort(key=lambda thread: -stream(thread)[-1].id)
        topics = [listed(thread) for thread in found[page * PER_LIST : (page + 1) * PER_LIST]]
        more = {"more_topics_url": f"{request.url.path}?page={page + 1}"} if len(found) > (page + 1) * PER_LIST else {}
        return JSONResponse({"topic_list": {"per_page": PER_LIST, "topics": topics, **more}})

    # Topics

    async def topic(self, request: Request, caller: Person) -> Response:
        thread = self._thread(request, caller)
        posts = stream(thread)
        if only := request.query_params.get("username_filters"):
            posts = [post for post in posts if post.author.name.lower() in only.lower().split(",")]
        last = stream(thread)[-1]
        held = [post for post in thread.posts if post.state == "held"]
        view = {
            **listed(thread),
            "posts_count": len(stream(thread)),
            "highest_post_number": max(number(thread, post) for post in stream(thread)),
            "last_posted_at": last.created.isoformat(),
            "closed": thread.closed,
            "chunk_size": CHUNK,
            "details": {
                "created_by": shown(thread.author),
                "last_poster": shown(last.author),
                "allowed_users": [shown(person) for person in thread.between or []],
            },
            "post_stream": {
                "stream": [post.id for post in posts],
                "posts": [self._entry(thread, post, caller, request) for post in posts[:CHUNK]],
            },
            "pending_posts": [pending(post) for post in held if post.author is caller],
        }
        return JSONResponse({**view, "queued_posts_count": len(held)} if caller.moderator else view)

    async def chunk(self, request: Request, caller: Person) -> Response:
        thread = self._thread(request, caller)
        wanted = {int(one) for one in request.query_params.getlist("post_ids[]")}
        posts = [post for post in stream(thread) if post.id in wanted][:CHUNK]
        entries = [self._entry(thread, post, caller, request) for post in posts]
        return JSONResponse({"post_stream": {"posts": entries}, "id": thread.id})

    async def close(self, request: Request, caller: Person) -> Response:
        moderator(caller)
        thread = self._thread(request, caller)
        thread.closed = (await request.json())["enabled"] == "true"
        self.small_actions.add(self.site.write(thread, caller, "").id)
        return JSONResponse({"success": "OK"})

    # Posts

    async def create(self, request: Request, caller: Person) -> Response:
        """A post, a topic or a private message; the same once more within two minutes is given back as it is."""
        body = await request.json()
        signature, moment = f"{caller.id} {json.dumps(body, sort_keys=True)}", self.site.now()
        if (known := self.created.get(signature)) and moment - known[0] < MEMOISED:
            return JSONResponse(known[1])
        if wait := math.ceil(self.site.wait(caller)):
            return too_many(wait)
        if len(body["raw"]) > LONGEST_POST:
            raise HTTPException(422, f"Body is limited to {LONGEST_POST} characters; you entered {len(body['raw'])}.")
        if body.get("archetype") == "private_message":
            names = body["target_recipients"].split(",")
            others = [person for name in names if (person := self.site.person(name))]
            if len(others) < len(names):
                raise HTTPException(422, "You must select a valid user.")
            thread = self.site.open(body["title"], 0, [caller, *others])
        elif "topic_id" in body:
            thread = self._readable(int(body["topic_id"]), caller)
            if thread.closed and not caller.moderator:
                raise HTTPException(422, "This topic is closed; it no longer accepts new replies.")
        else:
            thread = self.site.open(body["title"], int(body["category"]))
        post = self.site.write(thread, caller, body["raw"].rstrip())
        made = self._entry(thread, post, caller, request)
        if post.state == "held":
            made = {"action": "enqueued", "success": True, "pending_post": pending(post), "pending_count": 1}
        self.created[signature] = (moment, made)
        return JSONResponse(made)

    async def pending(self, request: Request, caller: Person) -> Response:
        mine = [
            {**pending(post), "raw_text": post.text, "title": thread.title, "topic_id": open_id(thread)}
            for thread in self.site.threads
            for post in thread.posts
            if post.state == "held" and post.author is caller is self._named(request)
        ]
        return JSONResponse({"pending_posts": mine})

    async def post(self, request: Request, caller: Person) -> Response:
        thread, post = self._post(request, caller)
        entry = {**self._entry(thread, post, caller, request), "raw": post.text}
        if version := int(request.query_params.get("version", 0)):
            entry["raw"] = [*(one.text for one in post.earlier), post.text][version - 1]
        return JSONResponse(entry)

    async def edit(self, request: Request, caller: Person) -> Response:
        thread, post = self._post(request, caller)
        changes = (await request.json())["post"]
        if post.author is not caller and not caller.moderator:
            raise HTTPException(403, "You are not permitted to view the requested resource.")
        if changes.get("original_text") not in (None, "", post.text):
            raise HTTPException(409, "That post was edited by another user and your changes can no longer be saved.")
        text, moment = changes["raw"].rstrip(), self.site.now()
        last = post.earlier[-1] if post.earlier else Version("", post.created, post.author)
        quiet = last.editor is caller and moment - last.until <= GRACE
        if quiet and abs(len(text) - len(post.text)) <= LONGEST_QUIET_EDIT:
            post.text = text
        else:
            self.site.edit(post, caller, text)
        return JSONResponse({"post": {**self._entry(thread, post, caller, request), "raw": post.text}})

    async def delete(self, request: Request, caller: Person) -> Response:
        moderator(caller)
        self._post(request, caller)[1].state = "deleted"
        return Response(status_code=200)

    async def revision(self, request: Request, caller: Person) -> Response:
        _, post = self._post(request, caller)
        version = request.path_params["version"]
        if not 2 <= version <= len(post.earlier) + 1:
            raise HTTPException(404, "The requested URL or resource could not be found.")
        before = post.earlier[version - 2]
        change = {"created_at": before.until.isoformat(), "username": before.editor.name.lower()}
        return JSONResponse({**change, "display_username": before.editor.name, "current_revision": version})

    async def hide(self, request: Request, caller: Person) -> Response:
        moderator(caller)
        found = self.site.find(int((await request.json())["id"]))
        assert found is not None
        found[1].state = "hidden"
        return JSONResponse({"id": found[1].id, "hidden": True})

    # What waits for the team

    async def reviews(self, request: Request, caller: Person) -> Response:
        moderator(caller)
        thread = self._readable(int(request.query_params["topic_id"]), caller)
        held = [post for post in thread.posts if post.state == "held"]
        waiting = [
            {
                "id": post.id,
                "type": "ReviewableQueuedPost",
                "topic_id": thread.id,
                "created_at": post.created.isoformat(),
                "target_created_by_id": post.author.id,
                "payload": {"raw": post.text},
            }
            for post in held
        ]
        return JSONResponse({"reviewables": waiting, "users": [shown(post.author) for post in held]})

    async def approve(self, request: Request, caller: Person) -> Response:
        """What is let through becomes a post with an id of its own."""
        moderator(caller)
        found = self.site.find(request.path_params["post"])
        assert found is not None
        thread, held = found
        thread.posts.remove(held)
        post = self.site.write(thread, held.author, held.text)
        post.state = "visible"
        result = {"success": True, "created_post_id": post.id, "created_post_topic_id": thread.id}
        return JSONResponse({"reviewable_perform_result": result})

    # Looking up

    def _entry(self, thread: Thread, post: Written, viewer: Person, request: Request) -> dict[str, Any]:
        shows = post.state != "hidden" or viewer.moderator or viewer is post.author
        hidden = "<p>This post was flagged by the community and is temporarily hidden.</p>"
        typed = {"raw": post.text} if shows and request.query_params.get("include_raw") else {}
        return {
            "id": post.id,
            "topic_id": thread.id,
            "post_number": number(thread, post),
            "post_type": SMALL_ACTION if post.id in self.small_actions else REGULAR,
            "user_id": post.author.id,
            "username": post.author.name,
            "created_at": post.created.isoformat(),
            "updated_at": (post.earlier[-1].until if post.earlier else post.created).isoformat(),
            "version": len(post.earlier) + 1,
            "cooked": cooked(post.text) if shows else hidden,
            "hidden": post.state == "hidden",
            "deleted_at": None,
            "user_deleted": False,
            "can_view_edit_history": True,
            **typed,
        }

    def _named(self, request: Request) -> Person:
        if (person := self.site.person(request.path_params["name"])) is None:
            raise HTTPException(404, "The requested URL or resource could not be found.")
        return person

    def _thread(self, request: Request, caller: Person) -> Thread:
        return self._readable(request.path_params["topic"], caller)

    def _readable(self, topic: int, caller: Person) -> Thread:
        thread = self.site.thread(topic)
        if thread is None or not stream(thread):
            raise HTTPException(404, "The requested URL or resource could not be found.")
        if thread.between is not None and caller not in thread.between:
            raise HTTPException(404, "The requested URL or resource could not be found.")
        return thread

    def _post(self, request: Request, caller: Person) -> tuple[Thread, Written]:
        found = self.site.find(request.path_params["post"])
        if found is None or found[1] not in stream(self._readable(found[0].id, caller)):
            raise HTTPException(404, "The requested URL or resource could not be found.")
        return found


async def refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = {403: "invalid_access", 404: "not_found"}.get(error.status_code, "invalid_parameters")
    return JSONResponse({"errors": [error.detail], "error_type": kind}, error.status_code)


def too_many(seconds: int) -> Response:
    """As Discourse answers whoever does something too often."""
    words = f"You've performed this action too many times, please try again in {seconds} seconds."
    limit = {"errors": [words], "error_type": "rate_limit", "extras": {"wait_seconds": seconds}}
    return JSONResponse(limit, 429, {"Retry-After": str(seconds)})


def moderator(caller: Person) -> None:
    if not caller.moderator:
        raise HTTPException(403, "You are not permitted to view the requested resource.")


def stream(thread: Thread) -> list[Written]:
    return [post for post in thread.posts if post.state not in ("held", "deleted")]


def number(thread: Thread, post: Written) -> int:
    return 1 + [one for one in thread.posts if one.state != "held" or one is post].index(post)


def open_id(thread: Thread) -> int | None:
    """A topic that waits for approval has no id yet."""
    return thread.id if stream(thread) else None


def shown(person: Person) -> dict[str, Any]:
    return {"id": person.id, "username": person.name, "name": person.name, "moderator": person.moderator}


def listed(thread: Thread) -> dict[str, Any]:
    slug = re.sub(r"[^a-z0-9]+", "-", thread.title.lower()).strip("-") or "topic"
    created = thread.posts[0].created.isoformat()
    shown = stream(thread)
    last = {"highest_post_number": len(thread.posts), "last_posted_at": shown[-1].created.isoformat()} if shown else {}
    return {
        "id": thread.id,
        "title": thread.title,
        "slug": slug,
        "created_at": created,
        "category_id": thread.category,
        **last,
    }


def pending(post: Written) -> dict[str, Any]:
    return {"id": post.id, "raw": post.text, "created_at": post.created.isoformat()}


def cooked(text: str) -> str:
    """Markdown with quotes in BBCode, and the typographic dashes that Discourse puts in."""
    parts, at = list[str](), 0
    for quote in QUOTE.finditer(text):
        parts.append(MARKDOWN.render(text[at : quote.start()]))
        parts.append(f'<aside class="quote"><blockquote>{MARKDOWN.render(quote[2])}</blockquote></aside>')
        at = quote.end()
    return "".join([*parts, MARKDOWN.render(text[at:])]).replace(" -- ", " – ")
