"""Answers in the shape that was noted of a running phpBB 3.3.15 and that its style prosilver has.

No phpBB: a few of its pages over a `Site`.  With its pitfalls: a form that comes too soon or after somebody else's post
comes back unsent, a page past the end is the last one, an edit of the last post leaves no sign, what is held is told on
a page that leads on, deleted posts stay for moderators, a message waits in the outbox until it is read.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tests.forums import Account, LiveForum
from tests.forums.documented import CATEGORY, Person, Site, Thread, Written, serve
from tests.forums.documented._pages import COOKIE, Pages, Visits, drawn
from tests.forums.phpbb import PhpbbActs

PER_PAGE, MESSAGES_PER_PAGE, LONGEST_POST = 10, 25, 60_000
RIPE = 0.02
"""Seconds that a form must be old here; phpBB counts whole ones."""
INVALID = "The submitted form was invalid. Try submitting again."
SOON = "You cannot make another post so soon after your last."
LOCKED = "This topic is locked, you cannot edit posts or make further replies."


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    site = Site(interval=1 if throttle else 0)
    documented = DocumentedPhpbb(site)

    def acts(url: str, accounts: dict[str, Account]) -> PhpbbActs:
        return PhpbbActs(url, str(CATEGORY), accounts, patience=RIPE, end=documented.visits.end_all)

    live = serve("phpbb", documented.app, site, acts, throttle=throttle)
    return replace(live, settings={"ripe": RIPE})


@dataclass
class Mail:
    id: int
    subject: str
    message: Written
    to: list[Person]
    read_by: list[Person] = field(default_factory=list)


class DocumentedPhpbb:
    def __init__(self, site: Site) -> None:
        self.site, self.visits = site, Visits(site)
        self.mails: list[Mail] = []
        self.tokens: dict[str, datetime] = {}
        self.pages = Pages("phpbb", drawn=drawn, token=self._token)
        self.app = Starlette(
            routes=[
                Route("/index.php", self.index),
                Route("/viewforum.php", self.forum),
                Route("/viewtopic.php", self.topic),
                Route("/posting.php", self.posting, methods=["GET", "POST"]),
                Route("/ucp.php", self.ucp, methods=["GET", "POST"]),
                Route("/mcp.php", self.approve, methods=["POST"]),
            ]
        )

    # Pages

    async def index(self, request: Request) -> Response:
        return self._show(request, "index")

    async def forum(self, request: Request) -> Response:
        caller, number = self.visits.caller(request), int(request.query_params["f"])
        threads = [thread for thread in self.site.threads if thread.category == number and self._seen(thread, caller)]
        threads.sort(key=lambda thread: thread.posts[-1].created, reverse=True)
        return self._show(request, "forum", threads=threads[:PER_PAGE])

    async def topic(self, request: Request) -> Response:
        caller, found = self.visits.caller(request), self._asked(request)
        posts = self._seen(found, caller) if found else []
        if found is None or not posts:
            return self._say(request, "The requested topic does not exist.", 404)
        post_id = int(request.query_params.get("p", 0))
        index = next((at for at, post in enumerate(posts) if post.id == post_id), 0)
        first = min(int(request.query_params.get("start", index)), len(posts) - 1)
        first -= first % PER_PAGE
        shown, count = posts[first : first + PER_PAGE], (len(posts) - 1) // PER_PAGE + 1
        links = [(number + 1, number * PER_PAGE) for number in range(count)] if count > 1 else []
        last = posts[-1]
        return self._show(
            request, "topic", thread=found, posts=shown, links=links, here=first // PER_PAGE + 1, last=last
        )

    # Posting

    async def posting(self, request: Request) -> Response:
        caller, mode = self.visits.caller(request), request.query_params.get("mode", "")
        if caller is None:
            return self._show(request, "login", error="")
        form = await request.form() if request.method == "POST" else None
        thread, post = self._asked(request), self._post(request)
        if mode == "post":
            return self._write(request, caller, form, None)
        if thread is None:
            return self._say(request, "The requested topic does not exist.", 404)
        if thread.closed and not caller.moderator:
            return self._say(request, LOCKED)
        if mode == "reply":
            return self._write(request, caller, form, thread)
        if post is None or (mode == "quote" and post.state != "visible" and not caller.moderator):
            return self._say(request, "The requested post does not exist.", 404)
        if mode == "quote":
            quoted = f"[quote={post.author.name} post_id={post.id} time=1795982094 user_id={post.author.id}]\n"
            return self._write(request, caller, form, thread, f"{quoted}{post.text}\n[/quote]\n")
        if caller is not post.author and not caller.moderator:
            return self._say(request, "You can only edit your own posts.", 403)
        if mode == "delete":
            return self._confirmed(request, form, partial(self._delete, post), "Are you sure?")
        return self._edit(request, form, thread, post)

    def _write(
        self, request: Request, caller: Person, form: FormData | None, thread: Thread | None, text: str = ""
    ) -> Response:
        last = thread.posts[-1].id if thread else 0
        if form is None:
            subject = f"Re: {thread.title}" if thread else ""
            return self._form(request, subject, text, last)
        subject, text = str(form["subject"]), _typed(form)
        again = partial(self._form, request, subject, text, last)
        if error := self._refused(form, text):
            return again(error=error)
        if thread and str(form["topic_cur_post_id"]) != str(last):
            return again(review=True)
        if self.site.wait(caller) > 0:
            return again(error=SOON)
        opened = thread or self.site.open(subject[:120], int(request.query_params["f"]))
        post = self.site.write(opened, caller, text)
        if post.state == "held":
            return self._say(
                request, "It must be approved by a moderator.", onward=f"./viewforum.php?f={opened.category}"
            )
        return _to(f"./viewtopic.php?p={post.id}#p{post.id}" if thread else f"./viewtopic.php?t={opened.id}")

    def _edit(self, request: Request, form: FormData | None, thread: Thread, post: Written) -> Response:
        if form is None:
            return self._form(request, thread.title, post.text, thread.posts[-1].id)
        text = _typed(form)
        if error := self._refused(form, text):
            return self._form(request, str(form["subject"]), text, thread.posts[-1].id, error=error)
        editor = self.visits.caller(request)
        assert editor is not None
        self.site.edit(post, editor, text)
        return _to(f"./viewtopic.php?p={post.id}#p{post.id}")

    def _delete(self, post: Written) -> str:
        post.state = "deleted"
        return "./index.php"

    async def approve(self, request: Request) -> Response:
        """As mcp.php?i=queue: asked once, and once more whether one is sure."""
        form, caller = await request.form(), self.visits.caller(request)
        found = self.site.find(int(str(form.get("post_id_list[]") or request.query_params.get("p", 0))))
        if caller is None or not caller.moderator or found is None:
            return self._say(request, "You are not authorised to do this.", 403)

        def let_through() -> str:
            found[1].state = "visible"
            return f"./viewtopic.php?p={found[1].id}"

        return self._confirmed(request, form, let_through, "Approve this post?", more=f"&p={found[1].id}")

    def _confirmed(
        self, request: Request, form: FormData | None, act: Callable[[], str], question: str, more: str = ""
    ) -> Response:
        if form is None or "confirm" not in form:
            action = f".{request.url.path}?{request.url.query}{more}"
            return self._show(request, "confirm", question=question, action=action)
        return self._say(request, "It has been done.", onward=act())

    # The control panel

    async def ucp(self, request: Request) -> Response:
        asked, form = request.query_params, await request.form() if request.method == "POST" else None
        caller = self.visits.caller(request)
        if asked.get("mode") == "login":
            return self._log_in(request, form)
        if caller is None:
            return self._show(request, "login", error="")
        if asked.get("i") == "ucp_profile":
            return self._profile(request, caller, form)
        if asked.get("mode") == "compose":
            return self._compose(request, caller, form)
        if asked.get("mode") == "view":
            return self._mail(request, caller)
        return self._folder(request, caller)

    def _log_in(self, request: Request, form: FormData | None) -> Response:
        if form is None:
            return self._show(request, "login", error="")
        person = self.site.person(str(form["username"]))
        if not self._ripe(form):
            return self._show(request, "login", error=INVALID)
        if person is None or person.password != form["password"]:
            return self._show(request, "login", error="You have specified an incorrect password.")
        answer = _to("./index.php")
        answer.set_cookie(COOKIE, self.visits.begin(person))
        return answer

    def _profile(self, request: Request, caller: Person, form: FormData | None) -> Response:
        if form is not None and form["cur_password"] == caller.password and self._ripe(form):
            caller.name = str(form["username"])
        return self._show(request, "profile", caller=caller)

    def _folder(self, request: Request, caller: Person) -> Response:
        folder, start = request.query_params.get("folder", "inbox"), int(request.query_params.get("start", 0))
        mails = [mail for mail in reversed(self.mails) if caller in self._holders(mail, folder)]
        more = start + MESSAGES_PER_PAGE if len(mails) > start + MESSAGES_PER_PAGE else 0
        return self._show(request, "folder", mails=mails[start : start + MESSAGES_PER_PAGE], folder=folder, more=more)

    def _holders(self, mail: Mail, folder: str) -> list[Person]:
        if folder == "inbox":
            return mail.to
        return [mail.message.author] if (folder == "sentbox") == bool(mail.read_by) else []

    def _mail(self, request: Request, caller: Person) -> Response:
        number = int(request.query_params["p"])
        mail = next((one for one in self.mails if one.id == number and caller in (one.message.author, *one.to)), None)
        if mail is None:
            return self._say(request, "The requested message does not exist.", 404)
        if caller in mail.to:
            mail.read_by.append(caller)
        return self._show(request, "mail", mail=mail)

    def _compose(self, request: Request, caller: Person, form: FormData | None) -> Response:
        if form is None:
            quoted = next((one for one in self.mails if str(one.id) == request.query_params.get("p")), None)
            text = f"[quote={quoted.message.author.name}]\n{quoted.message.text}\n[/quote]\n" if quoted else ""
            return self._form(request, "", text, 0, private=True)
        to = [
            self.site.person(name[len("address_list[u][") : -1]) for name in form if name.startswith("address_list[u]")
        ]
        people, text = [one for one in to if one is not None], _typed(form)
        error = self._refused(form, text) or ("" if people else "You must specify at least one recipient.")
        if error:
            return self._form(request, str(form["subject"]), text, 0, private=True, error=error)
        message = Written(len(self.mails) + 301, caller, text, self.site.now())
        self.mails.append(Mail(message.id, str(form["subject"])[:120], message, people))
        return self._say(request, "This message has been sent.", onward="./ucp.php?i=pm&folder=inbox")

    # What pages are made of

    def _show(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        return self.pages.show(name, status, me=self.visits.caller(request), **values)

    def _say(self, request: Request, said: str, status: int = 200, onward: str = "") -> Response:
        return self._show(request, "message", status, said=said, onward=onward)

    def _form(self, request: Request, subject: str, text: str, last: int, **values: Any) -> Response:
        action = f".{request.url.path}?{request.url.query}"
        return self._show(request, "posting", subject=subject, text=text, last=last, action=action, **values)

    def _token(self) -> str:
        token = secrets.token_hex(8)
        self.tokens[token] = self.site.now()
        return token

    def _ripe(self, form: FormData) -> bool:
        given = self.tokens.get(str(form.get("form_token")))
        return given is not None and (self.site.now() - given).total_seconds() >= RIPE

    def _refused(self, form: FormData, text: str) -> str:
        if not self._ripe(form):
            return INVALID
        if not text:
            return "You must enter a message when posting."
        if len(text) > LONGEST_POST:
            return f"Your message contains {len(text)} characters. The maximum number is {LONGEST_POST}."
        return ""

    def _asked(self, request: Request) -> Thread | None:
        found = self.site.find(int(request.query_params.get("p", 0)))
        return found[0] if found else self.site.thread(int(request.query_params.get("t", 0)))

    def _post(self, request: Request) -> Written | None:
        found = self.site.find(int(request.query_params.get("p", 0)))
        return found[1] if found else None

    def _seen(self, thread: Thread, caller: Person | None) -> list[Written]:
        """Moderators see all, an author his own that wait."""
        moderates = caller is not None and caller.moderator
        return [
            post
            for post in thread.posts
            if post.state == "visible" or moderates or (post.state == "held" and post.author is caller)
        ]


def _typed(form: FormData) -> str:
    return str(form["message"]).replace("\r\n", "\n").strip()


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 302)
