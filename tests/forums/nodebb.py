"""What people do in a NodeBB, by the API with a token for each of them; and a real one that runs elsewhere.

`GAMEJUDGE_NODEBB_URL` names it, `GAMEJUDGE_NODEBB_TOKEN` is a master token, `GAMEJUDGE_NODEBB_CATEGORY` the number of a
category to play in and, if posts are to wait for approval, `GAMEJUDGE_NODEBB_HELD_CATEGORY` one with a post queue.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from typing import Any

from tests.forums import ELSEWHERE, MODERATORS, PASSWORDS, Account, Act, Elsewhere, LiveForum, SeenPost
from tests.forums.visitor import Visitor, Visitors, done


def log_in(visitor: Visitor, account: Account) -> None:
    visitor.http.headers["Authorization"] = f"Bearer {account.password}"


def call(visitor: Visitor, method: str, path: str, body: object = None) -> Any:
    """One call of the API; what the envelope of `/api/v3` holds."""
    answer = done(visitor.http.request(method, path, json=body)).json()
    return answer["response"] if path.startswith("/api/v3") else answer


class NodebbActs:
    def __init__(
        self, url: str, category: str, accounts: Mapping[str, Account], lacks: frozenset[Act] = frozenset()
    ) -> None:
        self.category, self.accounts = category, accounts
        self.lacks: frozenset[Act] = lacks | {"hide"}
        self.visitors = Visitors(url, accounts, log_in)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        body = {"cid": int(category or self.category), "title": title, "content": text}
        return str(call(self.visitors[who], "POST", "/api/v3/topics", body)["tid"])

    def post(self, who: str, topic: str, text: str) -> str:
        posted = call(self.visitors[who], "POST", f"/api/v3/topics/{topic}", {"content": text})
        return str(posted["id"] if posted.get("queued") else posted["pid"])

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        """As the reply button does: who said it and where, and each line behind a `>`."""
        visitor = self.visitors[who]
        quoted = call(visitor, "GET", f"/api/v3/posts/{post}/raw")["content"]
        page = call(visitor, "GET", f"/api/topic/{topic}")
        author = next(one["user"]["username"] for one in page["posts"] if str(one["pid"]) == post)
        lines = "\n".join(f"> {line}" for line in quoted.splitlines())
        return self.post(who, topic, f"@{author} said in [{page['titleRaw']}](/post/{post}):\n{lines}\n\n{text}")

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        call(self.visitors[who], "PUT", f"/api/v3/posts/{post}", {"content": text})

    def hide(self, topic: str, post: str) -> None:
        raise NotImplementedError("NodeBB only deletes, and leaves a sign")

    def delete(self, topic: str, post: str) -> None:
        call(self.visitors["Moderator"], "DELETE", f"/api/v3/posts/{post}/state")

    def approve(self, topic: str, post: str) -> str:
        call(self.visitors["Moderator"], "POST", f"/api/v3/posts/queue/{post}")
        return self.read(topic)[-1].id

    def message(self, who: str, to: str, title: str, text: str) -> str:
        room = call(self.visitors[who], "POST", "/api/v3/chats", {"uids": [int(self.accounts[to].id)]})["roomId"]
        call(self.visitors[who], "POST", f"/api/v3/chats/{room}", {"message": text})
        return str(room)

    def messages(self, who: str) -> list[str]:
        visitor = self.visitors[who]
        rooms = call(visitor, "GET", "/api/v3/chats?start=0&page=1&perPage=100")["rooms"]
        return [
            call(visitor, "GET", f"/api/v3/chats/{room}/messages/{message['messageId']}/raw")["content"]
            for room in sorted(room["roomId"] for room in rooms)
            for message in call(visitor, "GET", f"/api/v3/chats/{room}/messages")["messages"]
            if not message.get("system")
        ]

    def rename(self, who: str, name: str) -> None:
        account = self.accounts[who]
        body = {"username": name, "password": account.password}
        call(self.visitors[who], "PUT", f"/api/v3/users/{account.id}", body)

    def end_sessions(self) -> None:
        """Tokens know no sessions."""

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        visitor, seen = self.visitors[who], dict[str, SeenPost]()
        for number in count(1):
            page = call(visitor, "GET", f"/api/topic/{topic}?page={number}&sort=oldest_to_newest")
            for post in page["posts"]:
                raw = f"/api/v3/posts/{post['pid']}/raw"
                text = None if post["deleted"] else call(visitor, "GET", raw)["content"]
                hidden = "hidden" if post["deleted"] else "visible"
                seen[str(post["pid"])] = SeenPost(str(post["pid"]), str(post["uid"]), text, post["content"], hidden)
            if number >= page["pagination"]["pageCount"]:
                break
        return list(seen.values())


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    """A NodeBB that runs elsewhere, with its own limits; the people are made there if they are not yet."""
    url, category = os.environ[ELSEWHERE["nodebb"]].rstrip("/"), os.environ["GAMEJUDGE_NODEBB_CATEGORY"]
    held = os.environ.get("GAMEJUDGE_NODEBB_HELD_CATEGORY")
    admin = Visitor(url)
    admin.http.headers["Authorization"] = f"Bearer {os.environ['GAMEJUDGE_NODEBB_TOKEN']}"
    accounts = {name: _account(admin, name, password) for name, password in PASSWORDS.items()}
    for name in MODERATORS:
        call(admin, "PUT", f"/api/v3/groups/global-moderators/membership/{accounts[name].id}", {"_uid": 1})
    lacks = frozenset[Act]({"limit", "outage"} if held else {"limit", "outage", "hold"})
    acts = NodebbActs(url, category, accounts, lacks)
    return LiveForum("nodebb", url, category, accounts, throttle, acts, Elsewhere(), held)


def _account(admin: Visitor, name: str, password: str) -> Account:
    found = admin.http.get(f"/api/user/username/{name}", params={"_uid": 1})
    if found.is_success:
        uid = found.json()["uid"]
    else:
        body = {"_uid": 1, "username": name, "password": password, "email": f"{name.lower()}@example.org"}
        uid = call(admin, "POST", "/api/v3/users", body)["uid"]
    token = call(admin, "POST", "/api/v3/admin/tokens", {"_uid": 1, "uid": uid, "description": "tests"})["token"]
    return Account(str(uid), name, token)
