"""What people do in a MyBB 1.8 with its default theme, by its pages and forms; and a real one that runs elsewhere.

`GAMEJUDGE_MYBB_URL` names it, `GAMEJUDGE_MYBB_CATEGORY` is the number of a forum to play in and, if posts wait for
approval, `GAMEJUDGE_MYBB_HELD_CATEGORY` one where players' posts do.  The people have accounts there already, all with
the password `GAMEJUDGE_MYBB_PASSWORD`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

from bs4 import Tag

from tests.forums import ELSEWHERE, PASSWORDS, Account, Act, Elsewhere, LiveForum, SeenPost
from tests.forums.visitor import Step, Visitor, Visitors

FORM, TEXT = 'form[name="input"]', "textarea[name=message]"
POST = r"[?&]pid=(\d+)"


def log_in(visitor: Visitor, account: Account) -> None:
    fields = {"username": account.name, "password": account.password}
    form = 'form:has(input[name="username"])'
    step = visitor.fill("/member.php?action=login", form, fields, button={"submit": "Login"})
    assert "action=logout" in visitor.http.get("/index.php").text, f"{account.name} was not let in: {_said(step)}"


class MybbActs:
    def __init__(
        self,
        url: str,
        category: str,
        accounts: Mapping[str, Account],
        lacks: frozenset[Act] = frozenset(),
        *,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        """`end` logs everybody out; nobody can do that to a forum elsewhere."""
        self.category, self.accounts, self.end = category, accounts, end
        self.lacks: frozenset[Act] = lacks | {"hide"}
        self.visitors = Visitors(url, accounts, log_in)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        path, fields = f"/newthread.php?fid={category or self.category}", {"subject": title, "message": text}
        return _one(r"[?&]tid=(\d+)", self.visitors[who].fill(path, FORM, fields, button={"submit": "Post Thread"}))

    def post(self, who: str, topic: str, text: str) -> str:
        path = f"/newreply.php?tid={topic}"
        return _one(POST, self.visitors[who].fill(path, FORM, {"message": text}, button={"submit": "Post Reply"}))

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        visitor, path = self.visitors[who], f"/newreply.php?tid={topic}&replyto={post}"
        fields = {"message": f"{visitor.typed(path, TEXT)}\n{text}"}
        return _one(POST, visitor.fill(path, FORM, fields, button={"submit": "Post Reply"}))

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        fields = {"message": text}
        self.visitors[who].fill(f"/editpost.php?pid={post}", FORM, fields, button={"submit": "Update Post"})

    def hide(self, topic: str, post: str) -> None:
        raise NotImplementedError("MyBB only deletes, and leaves a sign for moderators")

    def delete(self, topic: str, post: str) -> None:
        form = 'form[name="editpost"]'
        self.visitors["Moderator"].fill(f"/editpost.php?pid={post}", form, {"delete": "1"}, button={"submit": "Delete"})

    def approve(self, topic: str, post: str) -> str:
        fields = {f"inlinemod_{post}": "1", "action": "multiapproveposts"}
        self.visitors["Moderator"].fill(f"/showthread.php?tid={topic}", "form#inline_moderation", fields)
        return post

    def message(self, who: str, to: str, title: str, text: str) -> str:
        path, fields = f"/private.php?action=send&uid={self.accounts[to].id}", {"subject": title, "message": text}
        self.visitors[who].fill(path, FORM, fields, button={"submit": "Send Message"})
        sent = self.visitors[who].page("/private.php?fid=2").select_one('td > a[class][href*="action=read"]')
        found = re.search(r"[?&]pmid=(\d+)", str(sent["href"] if sent else ""))
        assert found is not None, f"{title} does not stand among what {who} sent"
        return found[1]

    def messages(self, who: str) -> list[str]:
        visitor, texts = self.visitors[who], []
        for link in reversed(visitor.page("/private.php").select('td > a[class][href*="action=read"]')):
            reply = visitor.page(f"/{link['href']}").select_one("a.postbit_reply_pm")
            assert reply is not None
            found = re.fullmatch(
                r"\[quote[^\]]*\]\n?(.*?)\n?\[/quote\]\s*", visitor.typed(f"/{reply['href']}", TEXT), re.DOTALL
            )
            assert found is not None
            texts.append(found[1].strip())
        return texts

    def rename(self, who: str, name: str) -> None:
        fields = {"username": name, "password": self.accounts[who].password}
        form = 'form:has(input[value="do_changename"])'
        self.visitors[who].fill("/usercp.php?action=changename", form, fields, button={"submit": "Update Username"})

    def end_sessions(self) -> None:
        self.end()
        self.visitors.forget()

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        visitor, seen, number = self.visitors[who], dict[str, SeenPost](), 1
        while True:
            page, known = visitor.page(f"/showthread.php?tid={topic}&page={number}"), len(seen)
            for card in page.select('#posts .post[id^="post_"]'):
                post = _seen(card, visitor)
                seen.setdefault(post.id, post)
            # A page past the end shows the first one.
            if len(seen) == known:
                return list(seen.values())
            number += 1


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    """A MyBB that runs elsewhere, with its own limits and people."""
    url, category = os.environ[ELSEWHERE["mybb"]].rstrip("/"), os.environ["GAMEJUDGE_MYBB_CATEGORY"]
    held, password = os.environ.get("GAMEJUDGE_MYBB_HELD_CATEGORY"), os.environ["GAMEJUDGE_MYBB_PASSWORD"]
    accounts = {name: _account(url, name, password) for name in PASSWORDS}
    lacks = frozenset[Act]({"limit", "outage"} if held else {"limit", "outage", "hold"})
    return LiveForum(
        "mybb", url, category, accounts, throttle, MybbActs(url, category, accounts, lacks), Elsewhere(), held
    )


def _account(url: str, name: str, password: str) -> Account:
    visitor = Visitor(url)
    log_in(visitor, Account("", name, password))
    link = visitor.page("/index.php").select_one('#panel .welcome a[href*="uid="], #panel .welcome a[href*="user-"]')
    assert link is not None
    return Account(_member(link), name, password)


def _seen(card: Tag, visitor: Visitor) -> SeenPost:
    post_id = str(card["id"]).removeprefix("post_")
    author, body = card.select_one(".author_information .largetext a"), card.select_one(".post_body")
    assert author is not None
    assert body is not None
    classes = str(card["class"])
    gone, held = "deleted_post" in classes, "unapproved_post" in classes
    text = None if gone else visitor.typed(f"/editpost.php?pid={post_id}", TEXT)
    state = "hidden" if gone else "held" if held else "visible"
    return SeenPost(post_id, _member(author), text, body.decode_contents().strip(), state)


def _member(link: Tag) -> str:
    found = re.search(r"[?&]uid=(\d+)|user-(\d+)", str(link["href"]))
    assert found is not None
    return found[1] or found[2]


def _one(pattern: str, step: Step) -> str:
    """The id in the last address on the way; without one, what the page complains of."""
    links = " ".join(str(tag.get("content")) for tag in step.page.select('meta[http-equiv="refresh"]'))
    found = re.findall(pattern, f"{step.way if not links else ''} {links}")
    assert found, f"{step.answer.url}: {_said(step)}"
    return str(found[-1])


def _said(step: Step) -> list[str]:
    return [said.get_text(" ", strip=True) for said in step.page.select(".error li, td.trow1")]
