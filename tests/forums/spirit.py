"""Spirit: HTML forms, Markdown.  A moderator's deletion hides: its text is then for moderators alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

import httpx
from bs4 import BeautifulSoup

from tests.forums import Account, Act, LiveForum, SeenPost
from tests.forums.serving import start_django
from tests.forums.sqlite import execute
from tests.forums.visitor import Visitor, Visitors, done


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    return start_django("spirit", SpiritActs, throttle=throttle, seconds=seconds)


def log_in(visitor: Visitor, account: Account) -> None:
    visitor.page("/user/login/")
    page = visitor.send("/user/login/", {"username": account.name, "password": account.password})
    assert "/user/logout/" in page.text, f"{account.name} was not let in"


class SpiritActs:
    lacks: frozenset[Act] = frozenset({"delete", "hold"})

    def __init__(self, url: str, category: str, accounts: dict[str, Account], folder: Path) -> None:
        self.category, self.accounts, self.folder = category, accounts, folder
        self.visitors = Visitors(url, accounts, log_in)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        fields = {"title": title, "category": category or self.category, "comment": text}
        answer = self.visitors[who].send("/topic/publish/", fields)
        return _one(r"/topic/(\d+)/", answer.url.path, answer)

    def post(self, who: str, topic: str, text: str) -> str:
        answer = self.visitors[who].send(f"/comment/{topic}/publish/", {"comment": text})
        return _one(r"/comment/(\d+)/find/", " ".join(step.url.path for step in answer.history), answer)

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        quoted = self.visitors[who].typed(f"/comment/{topic}/publish/{post}/quote/")
        return self.post(who, topic, f"{quoted}\n\n{text}")

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        self.visitors[who].send(f"/comment/{post}/update/", {"comment": text})

    def hide(self, topic: str, post: str) -> None:
        self.visitors["Moderator"].send(f"/comment/{post}/delete/", {"really": "yes"})

    def delete(self, topic: str, post: str) -> None:
        raise NotImplementedError("Spirit only hides")

    def approve(self, topic: str, post: str) -> NoReturn:
        raise NotImplementedError("Spirit holds nothing")

    def message(self, who: str, to: str, title: str, text: str) -> str:
        answer = self.visitors[who].send("/topic/private/publish/", {"title": title, "comment": text, "users": to})
        return _one(r"/topic/private/(\d+)/", answer.url.path, answer)

    def messages(self, who: str) -> list[str]:
        visitor = self.visitors[who]
        listed = visitor.page("/topic/private/").select('a[href^="/topic/private/"]')
        topics = {found[1] for link in listed if (found := re.match(r"/topic/private/(\d+)/", str(link["href"])))}
        return [
            _unquoted(visitor.typed(f"/comment/{topic}/publish/{comment['data-pk']}/quote/"))
            for topic in sorted(topics, key=int)
            for comment in visitor.page(f"/topic/private/{topic}/").select(".js-comment")
        ]

    def rename(self, who: str, name: str) -> None:
        assert self.visitors[who], "somebody keeps his session under the new name"
        account = self.accounts[who].id
        # People log in whatever the case: Spirit itself writes the names in small letters.
        execute(self.folder, "UPDATE auth_user SET username = ? WHERE id = ?", name.lower(), account)
        execute(self.folder, "UPDATE spirit_user_userprofile SET nickname = ? WHERE user_id = ?", name, account)

    def end_sessions(self) -> None:
        execute(self.folder, "DELETE FROM django_session")
        self.visitors.forget()

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        visitor, seen, number = self.visitors[who], dict[str, SeenPost](), 1
        # The redirect to the address with the title in it forgets which page was asked for.
        path = done(visitor.http.get(f"/topic/{topic}/")).url.path
        while True:
            page = visitor.page(f"{path}?page={number}")
            for comment in page.select(".js-comment"):
                post_id = str(comment["data-pk"])
                removed = comment.select_one(".comments_list__item__info") is not None
                author = comment.select_one('a[href^="/user/"]')
                body = comment.select_one(".js-comment-text, .comments_list__item__comment")
                seen[post_id] = SeenPost(
                    id=post_id,
                    author_id=_one(r"/user/(\d+)/", str(author["href"] if author else "")),
                    text=visitor.typed(f"/comment/{post_id}/update/"),
                    html=body.decode_contents().strip() if body else "",
                    state="hidden" if removed else "visible",
                )
            if not page.select(f'a[href*="page={number + 1}"]'):
                return list(seen.values())
            number += 1


def _unquoted(quoted: str) -> str:
    """What stands behind `> ` of Spirit's quote button, which names the author in a line before."""
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in quoted.split("\n")[1:]).strip()


def _one(pattern: str, text: str, answer: httpx.Response | None = None) -> str:
    """The last id in `text`; without one, what the answer's page complains of."""
    found = re.findall(pattern, text)
    if not found and answer is not None:
        page = BeautifulSoup(answer.text, "html.parser")
        said = [complaint.get_text(" ", strip=True) for complaint in page.select(".messages_error li, .errorlist li")]
        raise AssertionError(f"{answer.url.path}: {said}")
    assert found, f"no {pattern} in {text!r}"
    return str(found[-1])
