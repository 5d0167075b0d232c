"""PunkwebBB: HTML forms, BBCode, ids that tell no order; no private messages, nothing held, nothing hidden."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

from bs4 import Tag

from tests.forums import Account, Act, LiveForum, SeenPost
from tests.forums.serving import start_django
from tests.forums.sqlite import execute
from tests.forums.visitor import Visitor, Visitors


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    """PunkwebBB has no limits on posting: `throttle` changes nothing there."""
    return start_django("punkweb", PunkwebActs, throttle=throttle, seconds=seconds, path="/forum")


def log_in(visitor: Visitor, account: Account) -> None:
    visitor.page("/login/")
    page = visitor.send("/login/", {"username": account.name, "password": account.password})
    assert "/forum/logout/" in page.text, f"{account.name} was not let in"


class PunkwebActs:
    lacks: frozenset[Act] = frozenset({"hide", "hold", "message"})

    def __init__(self, url: str, category: str, accounts: dict[str, Account], folder: Path) -> None:
        self.category, self.accounts, self.folder = category, accounts, folder
        self.visitors = Visitors(url, accounts, log_in)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        path = f"/subcategory/{category or self.category}/create-thread/"
        answer = self.visitors[who].send(path, {"title": title, "content": text})
        found = re.search(r"/thread/([0-9a-f-]{36})/$", answer.url.path)
        assert found, answer.text[:3000]
        return found[1]

    def post(self, who: str, topic: str, text: str) -> str:
        visitor = self.visitors[who]
        answer = visitor.send(f"/thread/{topic}/create-post/", {"content": text})
        assert answer.url.fragment.startswith("post-"), answer.text[:3000]
        return answer.url.fragment.removeprefix("post-")

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        """There is no quote button: people write the tag that its page of BBCodes shows."""
        seen = next(seen for seen in self.read(topic) if seen.id == post)
        author = next(account.name for account in self.accounts.values() if account.id == seen.author_id)
        return self.post(who, topic, f"[quote={author}]{seen.text}[/quote]\n{text}")

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        self.visitors[who].send(f"/post/{post}/update/", {"content": text})

    def hide(self, topic: str, post: str) -> NoReturn:
        raise NotImplementedError("PunkwebBB only deletes")

    def delete(self, topic: str, post: str) -> None:
        self.visitors["Moderator"].send(f"/post/{post}/delete/", {}, method="DELETE")

    def approve(self, topic: str, post: str) -> NoReturn:
        raise NotImplementedError("PunkwebBB holds nothing")

    def message(self, who: str, to: str, title: str, text: str) -> NoReturn:
        raise NotImplementedError("PunkwebBB has no private messages")

    def messages(self, who: str) -> NoReturn:
        raise NotImplementedError("PunkwebBB has no private messages")

    def rename(self, who: str, name: str) -> None:
        assert self.visitors[who], "somebody keeps his session under the new name"
        execute(self.folder, "UPDATE auth_user SET username = ? WHERE id = ?", name, self.accounts[who].id)

    def end_sessions(self) -> None:
        execute(self.folder, "DELETE FROM django_session")
        self.visitors.forget()

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        visitor, seen, number = self.visitors[who], dict[str, SeenPost](), 1
        while True:
            page = visitor.page(f"/thread/{topic}/?page={number}")
            known = len(seen)
            for card in page.select(".pw-card:has(.thread__content)"):
                post_id = str(card["id"]).removeprefix("post-") if card.has_attr("id") else topic
                form = f"/thread/{post_id}/update/" if post_id == topic else f"/post/{post_id}/update/"
                if post_id not in seen:
                    seen[post_id] = _seen(card, post_id, visitor.typed(form))
            # A page past the last shows the last one again.
            if len(seen) == known:
                return list(seen.values())
            number += 1


def _seen(card: Tag, post_id: str, typed: str) -> SeenPost:
    author, body = card.select_one(".thread__user__username a"), card.select_one(".thread__content")
    assert author is not None
    assert body is not None
    found = re.search(r"/members/(\d+)/", str(author["href"]))
    assert found is not None
    return SeenPost(id=post_id, author_id=found[1], text=typed, html=body.decode_contents().strip())
