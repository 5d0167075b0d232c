"""Answers in the shape that was noted of a running MyBB 1.8.37 and that its default theme has.

No MyBB: a few of its pages over a `Site`.  With its pitfalls: what somebody posts within a minute of his own post is
added to it (unless he is of the team), success is a page that leads on, times are told in words and to the minute, a
page past the end is the first one, `(c)` becomes a sign, deleted posts stay for moderators.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.forums import Account, LiveForum
from tests.forums.documented import CATEGORY, Person, Site, Thread, Written, serve
from tests.forums.documented._pages import COOKIE, Pages, Visits, drawn
from tests.forums.mybb import MybbActs

PER_PAGE, LONGEST_POST, LONGEST_SUBJECT = 20, 65_535, 85
MERGED_WITHIN = timedelta(minutes=1)
KEY = "Authorization code mismatch. Are you accessing this function correctly? Please go back and try again."
SOON = "You are trying to post too quickly after posting a previous message. Please wait {wait} more second(s)."


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    site = Site(interval=1 if throttle else 0)
    documented = DocumentedMybb(site)

    def acts(url: str, accounts: dict[str, Account]) -> MybbActs:
        return MybbActs(url, str(CATEGORY), accounts, end=documented.visits.end_all)

    return serve("mybb", documented.app, site, acts, throttle=throttle)


@dataclass
class Mail:
    """A private message in somebody's folder; the sender's copy has an id of its own."""

    id: int
    owner: Person
    folder: int
    subject: str
    message: Written
    to: list[Person]


class DocumentedMybb:
    def __init__(self, site: Site) -> None:
        self.site, self.visits = site, Visits(site)
        self.mails: list[Mail] = []
        self.keys: dict[int, str] = {}
        self.pages = Pages("mybb", drawn=lambda text: drawn(text, signs=True), when=self._when, key=self._key)
        both = ["GET", "POST"]
        self.app = Starlette(
            routes=[
                Route("/index.php", self.index),
                Route("/member.php", self.log_in, methods=both),
                Route("/forumdisplay.php", self.forum),
                Route("/showthread.php", self.thread),
                Route("/newthread.php", self.new_thread, methods=both),
                Route("/newreply.php", self.reply, methods=both),
                Route("/editpost.php", self.edit, methods=both),
                Route("/moderation.php", self.moderate, methods=["POST"]),
                Route("/private.php", self.private, methods=both),
                Route("/usercp.php", self.rename, methods=both),
            ]
        )

    # Pages

    async def index(self, request: Request) -> Response:
        return self._show(request, "index")

    async def log_in(self, request: Request) -> Response:
        if request.method == "GET":
            return self._show(request, "login")
        form = await request.form()
        person = self.site.person(str(form["username"]))
        if person is None or person.password != form["password"]:
            return self._show(request, "login", errors=["You have entered an invalid username/password combination."])
        answer = self._lead(request, "index.php")
        answer.set_cookie(COOKIE, self.visits.begin(person))
        return answer

    async def forum(self, request: Request) -> Response:
        caller, number = self.visits.caller(request), int(request.query_params["fid"])
        threads = [thread for thread in self.site.threads if thread.category == number and self._seen(thread, caller)]
        threads.sort(key=lambda thread: thread.posts[-1].created, reverse=True)
        return self._show(request, "forum", threads=threads[:PER_PAGE])

    async def thread(self, request: Request) -> Response:
        caller, found = self.visits.caller(request), self._asked(request)
        posts = self._seen(found, caller) if found else []
        if found is None or not posts:
            return self._error(request, "The specified thread does not exist.")
        pages, number = ceil(len(posts) / PER_PAGE), int(request.query_params.get("page", 1))
        at = next((at for at, post in enumerate(posts) if str(post.id) == request.query_params.get("pid")), None)
        here = at // PER_PAGE + 1 if at is not None else number if 1 <= number <= pages else 1
        first = (here - 1) * PER_PAGE
        shown = list(enumerate(posts[first : first + PER_PAGE], start=first + 1))
        return self._show(request, "thread", thread=found, posts=shown, here=here, pages=pages)

    # Posting

    async def new_thread(self, request: Request) -> Response:
        caller, form = self.visits.caller(request), await _form(request)
        if caller is None:
            return self._error(
                request, "You are either not logged in or do not have permission to view this page.", 403
            )
        number = int(request.query_params["fid"])
        if form is None:
            return self._editor(request, "do_newthread")
        if errors := self._wrong(caller, form):
            return self._editor(request, "do_newthread", form, errors=errors)
        thread = self.site.open(str(form["subject"]), number)
        post = self.site.write(thread, caller, _typed(form))
        held = post.state == "held"
        return self._lead(request, f"forumdisplay.php?fid={number}" if held else f"showthread.php?tid={thread.id}")

    async def reply(self, request: Request) -> Response:
        caller, form, thread = self.visits.caller(request), await _form(request), self._asked(request)
        if caller is None:
            return self._error(
                request, "You are either not logged in or do not have permission to view this page.", 403
            )
        if thread is None:
            return self._error(request, "The specified thread does not exist.")
        if thread.closed and not caller.moderator:
            return self._error(request, "You may not reply to this thread: it is closed.")
        if form is None:
            quoted = self.site.find(int(request.query_params.get("replyto", 0)))
            text = ""
            if quoted and (quoted[1].state == "visible" or caller.moderator):
                text = f"[quote=\"{quoted[1].author.name}\" pid='{quoted[1].id}' dateline='1795982094']\n"
                text += f"{quoted[1].text}\n[/quote]\n\n"
            return self._editor(request, "do_newreply", subject=f"RE: {thread.title}", text=text)
        last, text = thread.posts[-1], _typed(form)
        soon = last.author is caller and self.site.now() - last.created < MERGED_WITHIN
        if soon and not caller.moderator and form["my_post_key"] == self._key(caller) and last.state == "visible":
            last.text += f"\n[hr]\n{text}"
            return self._lead(request, _link(thread, last))
        if errors := self._wrong(caller, form):
            return self._editor(request, "do_newreply", form, errors=errors)
        post = self.site.write(thread, caller, text)
        return self._lead(request, f"showthread.php?tid={thread.id}" if post.state == "held" else _link(thread, post))

    async def edit(self, request: Request) -> Response:
        caller, form = self.visits.caller(request), await _form(request)
        found = self.site.find(int((form or {}).get("pid") or request.query_params["pid"]))
        if caller is None or found is None or (found[1].author is not caller and not caller.moderator):
            return self._error(request, "You do not have permission to access this page.", 403)
        thread, post = found
        if form is None:
            return self._editor(request, "do_editpost", subject=thread.title, text=post.text, post=post)
        if form["action"] == "deletepost":
            post.state = "deleted"
            return self._lead(request, f"showthread.php?tid={thread.id}")
        if errors := self._wrong(caller, form, hurries=False):
            return self._editor(request, "do_editpost", form, post=post, errors=errors)
        self.site.edit(post, caller, _typed(form))
        return self._lead(request, _link(thread, post))

    async def moderate(self, request: Request) -> Response:
        caller, form = self.visits.caller(request), await request.form()
        if caller is None or not caller.moderator or form["my_post_key"] != self._key(caller):
            return self._error(request, KEY)
        for name in form:
            if name.startswith("inlinemod_") and (found := self.site.find(int(name.removeprefix("inlinemod_")))):
                found[1].state = "visible"
        return self._lead(request, "index.php")

    # Private messages and names

    async def private(self, request: Request) -> Response:
        caller, form, asked = self.visits.caller(request), await _form(request), request.query_params
        if caller is None:
            return self._error(
                request, "You are either not logged in or do not have permission to view this page.", 403
            )
        if form is not None:
            return self._send(request, caller, form)
        mine = [mail for mail in reversed(self.mails) if mail.owner is caller]
        if asked.get("action") == "send":
            to, quoted = self.site.person(asked.get("uid", "")), self._mail(mine, request)
            text = f'[quote="{quoted.message.author.name}"]\n{quoted.message.text}\n[/quote]\n' if quoted else ""
            return self._editor(request, "do_send", text=text, to=to.name if to else "", name="compose")
        if asked.get("action") == "read":
            mail = self._mail(mine, request)
            return self._show(request, "mail", mail=mail) if mail else self._error(request, "The message is invalid.")
        folder, number = int(asked.get("fid", 1)), int(asked.get("page", 1))
        mails = [mail for mail in mine if mail.folder == folder]
        shown, more = mails[(number - 1) * PER_PAGE : number * PER_PAGE], len(mails) > number * PER_PAGE
        return self._show(request, "folder", mails=shown, folder=folder, next=number + 1 if more else 0)

    def _mail(self, mine: list[Mail], request: Request) -> Mail | None:
        return next((mail for mail in mine if str(mail.id) == request.query_params.get("pmid")), None)

    def _send(self, request: Request, caller: Person, form: FormData) -> Response:
        to = [self.site.person(name.strip()) for name in str(form["to"]).split(",")]
        people = [one for one in to if one is not None]
        errors = self._wrong(caller, form, hurries=False)
        if len(people) < len(to) or not people:
            errors.append("The following recipients do not exist.")
        if errors:
            return self._editor(request, "do_send", form, to=str(form["to"]), name="compose", errors=errors)
        message = Written(0, caller, _typed(form), self.site.now())
        owners = [(person, 1) for person in people] + ([(caller, 2)] if "options[savecopy]" in form else [])
        for owner, folder in owners:
            self.mails.append(Mail(len(self.mails) + 501, owner, folder, str(form["subject"]), message, people))
        return self._lead(request, "private.php")

    async def rename(self, request: Request) -> Response:
        caller, form = self.visits.caller(request), await _form(request)
        if caller is not None and form is not None and form["password"] == caller.password:
            caller.name = str(form["username"])
            return self._lead(request, "usercp.php?action=changename")
        return self._show(request, "changename")

    # What pages are made of

    def _show(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        return self.pages.show(name, status, me=self.visits.caller(request), **values)

    def _error(self, request: Request, said: str, status: int = 200) -> Response:
        return self._show(request, "error", status, said=said)

    def _lead(self, request: Request, to: str) -> Response:
        return self._show(request, "redirect", to=to)

    def _editor(self, request: Request, action: str, form: FormData | None = None, **values: Any) -> Response:
        if form is not None:
            values = {"subject": str(form["subject"]), "text": _typed(form), **values}
        where = f"{request.url.path.lstrip('/')}?{request.url.query}"
        return self._show(request, values.pop("name", "editor"), action=action, where=where, **values)

    def _wrong(self, caller: Person, form: FormData, *, hurries: bool = True) -> list[str]:
        text, wait = _typed(form), self.site.wait(caller)
        errors = []
        if form["my_post_key"] != self._key(caller):
            errors.append(KEY)
        if not text:
            errors.append("The message is missing. Please enter a message.")
        if len(text.encode()) > LONGEST_POST:
            errors.append(f"The message is too long. Please enter a message shorter than {LONGEST_POST} characters.")
        if len(str(form["subject"])) > LONGEST_SUBJECT:
            errors.append("The subject is too long. Please enter a subject shorter than 85 characters.")
        if hurries and wait > 0:
            errors.append(SOON.format(wait=ceil(wait)))
        return errors

    def _key(self, person: Person | None) -> str:
        return self.keys.setdefault(person.id if person else 0, secrets.token_hex(16))

    def _when(self, post: Written) -> tuple[str, str]:
        """In words, and what their title says."""
        age = (self.site.now() - post.created).total_seconds()
        words = "Less than 1 minute ago" if age < 60 else f"{int(age // 60)} minutes ago"
        return words, post.created.strftime("%m-%d-%Y, %I:%M %p")

    def _asked(self, request: Request) -> Thread | None:
        found = self.site.find(int(request.query_params.get("pid", 0)))
        return found[0] if found else self.site.thread(int(request.query_params.get("tid", 0)))

    def _seen(self, thread: Thread, caller: Person | None) -> list[Written]:
        """Moderators see all, an author his own that wait, as the forum is set for the judge."""
        moderates = caller is not None and caller.moderator
        return [
            post
            for post in thread.posts
            if post.state == "visible" or moderates or (post.state == "held" and post.author is caller)
        ]


async def _form(request: Request) -> FormData | None:
    return await request.form() if request.method == "POST" else None


def _typed(form: FormData) -> str:
    return str(form["message"]).replace("\r\n", "\n").strip()


def _link(thread: Thread, post: Written) -> str:
    return f"showthread.php?tid={thread.id}&pid={post.id}#pid{post.id}"
