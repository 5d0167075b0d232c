"""What people do in a phpBB 3.3 with its style prosilver, by its pages and forms; and a real one that runs elsewhere.

`GAMEJUDGE_PHPBB_URL` names it, `GAMEJUDGE_PHPBB_CATEGORY` is the number of a forum to play in and, if posts are to wait
for approval, `GAMEJUDGE_PHPBB_HELD_CATEGORY` one where players' posts do.  The people have accounts there already, all
with the password `GAMEJUDGE_PHPBB_PASSWORD`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping

from bs4 import Tag

from tests.forums import ELSEWHERE, PASSWORDS, Account, Act, Elsewhere, LiveForum, SeenPost
from tests.forums.visitor import Step, Visitor, Visitors

FORM, TEXT, SUBMIT = "form#postform", "textarea[name=message]", {"post": "Submit"}
PATIENCE = 1.1


def log_in(visitor: Visitor, account: Account) -> None:
    fields = {"username": account.name, "password": account.password}
    step = visitor.fill("/ucp.php?mode=login", "form#login", fields, button={"login": "Login"})
    assert "mode=logout" in visitor.http.get("/index.php").text, f"{account.name} was not let in: {_said(step)}"


class PhpbbActs:
    def __init__(
        self,
        url: str,
        category: str,
        accounts: Mapping[str, Account],
        lacks: frozenset[Act] = frozenset(),
        *,
        patience: float = PATIENCE,
        end: Callable[[], None] = lambda: None,
    ) -> None:
        """`end` logs everybody out; nobody can do that to a forum elsewhere."""
        self.category, self.accounts, self.end = category, accounts, end
        self.lacks: frozenset[Act] = lacks | {"hide"}
        self.visitors = Visitors(url, accounts, log_in, patience)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        path = f"/posting.php?mode=post&f={category or self.category}"
        return _one(
            r"[?&]t=(\d+)", self.visitors[who].fill(path, FORM, {"subject": title, "message": text}, button=SUBMIT)
        )

    def post(self, who: str, topic: str, text: str) -> str:
        path = f"/posting.php?mode=reply&t={topic}"
        return _one(r"[?&]p=(\d+)", self.visitors[who].fill(path, FORM, {"message": text}, button=SUBMIT))

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        visitor = self.visitors[who]
        quoted = visitor.typed(f"/posting.php?mode=quote&p={post}", TEXT)
        step = visitor.fill(f"/posting.php?mode=quote&p={post}", FORM, {"message": f"{quoted}\n{text}"}, button=SUBMIT)
        return _one(r"[?&]p=(\d+)", step)

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        self.visitors[who].fill(f"/posting.php?mode=edit&p={post}", FORM, {"message": text}, button=SUBMIT)

    def hide(self, topic: str, post: str) -> None:
        raise NotImplementedError("phpBB only deletes, and leaves a sign for moderators")

    def delete(self, topic: str, post: str) -> None:
        path = f"/posting.php?mode=delete&p={post}"
        self.visitors["Moderator"].fill(path, "form#confirm", {}, button={"confirm": "Yes"})

    def approve(self, topic: str, post: str) -> str:
        moderator = self.visitors["Moderator"]
        form = f"#p{post} form.mcp_approve"
        asked = moderator.fill(f"/viewtopic.php?p={post}", form, {}, button={"action[approve]": "Approve"})
        moderator.fill_in(asked.answer, "form#confirm", {}, button={"confirm": "Yes"})
        return post

    def message(self, who: str, to: str, title: str, text: str) -> str:
        fields = {f"address_list[u][{self.accounts[to].id}]": "to", "subject": title, "message": text}
        self.visitors[who].fill("/ucp.php?i=pm&mode=compose", FORM, fields, button=SUBMIT)
        sent = self.visitors[who].page("/ucp.php?i=pm&folder=outbox").select_one('a.topictitle[href*="mode=view"]')
        found = re.search(r"[?&]p=(\d+)", str(sent["href"] if sent else ""))
        assert found is not None, f"{title} does not stand among what {who} sent"
        return found[1]

    def messages(self, who: str) -> list[str]:
        visitor = self.visitors[who]
        links = visitor.page("/ucp.php?i=pm&folder=inbox").select('a.topictitle[href*="mode=view"]')
        texts = []
        for link in reversed(links):
            quote = visitor.page(_below(link)).select_one(".quote-icon a")
            assert quote is not None
            texts.append(_unquoted(visitor.typed(_below(quote), TEXT)))
        return texts

    def rename(self, who: str, name: str) -> None:
        fields = {"username": name, "cur_password": self.accounts[who].password}
        path = "/ucp.php?i=ucp_profile&mode=reg_details"
        self.visitors[who].fill(path, "form#ucp", fields, button={"submit": "Submit"})

    def end_sessions(self) -> None:
        self.end()
        self.visitors.forget()

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        visitor, seen = self.visitors[who], dict[str, SeenPost]()
        while True:
            page, known = visitor.page(f"/viewtopic.php?t={topic}&start={len(seen)}"), len(seen)
            for card in page.select('div.post[id^="p"]'):
                post = _seen(card, visitor)
                seen.setdefault(post.id, post)
            if len(seen) == known:
                return list(seen.values())


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    """A phpBB that runs elsewhere, with its own limits and people."""
    url, category = os.environ[ELSEWHERE["phpbb"]].rstrip("/"), os.environ["GAMEJUDGE_PHPBB_CATEGORY"]
    held, password = os.environ.get("GAMEJUDGE_PHPBB_HELD_CATEGORY"), os.environ["GAMEJUDGE_PHPBB_PASSWORD"]
    accounts = {name: _account(url, name, password) for name in PASSWORDS}
    lacks = frozenset[Act]({"limit", "outage"} if held else {"limit", "outage", "hold"})
    acts = PhpbbActs(url, category, accounts, lacks)
    return LiveForum("phpbb", url, category, accounts, throttle, acts, Elsewhere(), held)


def _account(url: str, name: str, password: str) -> Account:
    visitor = Visitor(url, PATIENCE)
    log_in(visitor, Account("", name, password))
    link = visitor.page("/index.php").select_one('#username_logged_in a[href*="mode=viewprofile"]')
    assert link is not None
    found = re.search(r"[?&]u=(\d+)", str(link["href"]))
    assert found is not None
    return Account(found[1], name, password)


def _seen(card: Tag, visitor: Visitor) -> SeenPost:
    post_id = str(card["id"]).removeprefix("p")
    author, body = (
        card.select_one(".postprofile a.username, .postprofile a.username-coloured"),
        card.select_one(".content"),
    )
    assert author is not None
    assert body is not None
    found = re.search(r"[?&]u=(\d+)", str(author["href"]))
    assert found is not None
    gone, held = card.select_one(".post-notice.deleted"), card.select_one(".post-notice.unapproved")
    text = None if gone else visitor.typed(f"/posting.php?mode=edit&p={post_id}", TEXT)
    return SeenPost(
        post_id, found[1], text, body.decode_contents(), "hidden" if gone else "held" if held else "visible"
    )


def _below(link: Tag) -> str:
    return "/" + str(link["href"]).removeprefix("./")


def _unquoted(text: str) -> str:
    found = re.fullmatch(r"\[quote[^\]]*\]\n?(.*?)\n?\[/quote\]\s*", text, re.DOTALL)
    assert found is not None, text
    return found[1].strip()


def _one(pattern: str, step: Step) -> str:
    """The id in the last address on the way; without one, what the page complains of."""
    links = " ".join(str(tag.get("content")) for tag in step.page.select('meta[http-equiv="refresh"]'))
    found = re.findall(pattern, f"{step.way} {links}")
    assert found, f"{step.answer.url}: {_said(step)}"
    return str(found[-1])


def _said(step: Step) -> list[str]:
    return [said.get_text(" ", strip=True) for said in step.page.select(".error, #message p")]
