"""What people do in a Discourse, by the API with a key for each of them; and a real one that runs elsewhere.

`GAMEJUDGE_DISCOURSE_URL` names it, `GAMEJUDGE_DISCOURSE_TOKEN` is an API key for all users of an administrator called
`GAMEJUDGE_DISCOURSE_ADMIN`, `GAMEJUDGE_DISCOURSE_CATEGORY` the number of a category to play in and, if posts are to
wait for approval, `GAMEJUDGE_DISCOURSE_HELD_CATEGORY` one whose topics and replies moderators approve.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from tests.forums import ELSEWHERE, MODERATORS, PASSWORDS, Account, Act, Elsewhere, LiveForum, SeenPost
from tests.forums.visitor import Visitor, Visitors, done

CHUNK = 20
SPAM = 8
REVIEW = "review-"
"""Begins what the judge calls a post that waits for approval."""


def log_in(visitor: Visitor, account: Account) -> None:
    visitor.http.headers.update({"Api-Key": account.password, "Api-Username": account.name})


def call(visitor: Visitor, method: str, path: str, body: object = None) -> Any:
    answer = done(visitor.http.request(method, path, json=body))
    return answer.json() if answer.content else None


class DiscourseActs:
    def __init__(
        self, url: str, category: str, accounts: Mapping[str, Account], lacks: frozenset[Act] = frozenset()
    ) -> None:
        self.category, self.accounts = category, accounts
        self.lacks: frozenset[Act] = lacks | {"trace"}
        self.visitors = Visitors(url, accounts, log_in)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        body = {"title": title, "raw": text, "category": int(category or self.category)}
        return str(call(self.visitors[who], "POST", "/posts.json", body)["topic_id"])

    def post(self, who: str, topic: str, text: str) -> str:
        posted = call(self.visitors[who], "POST", "/posts.json", {"topic_id": int(topic), "raw": text})
        if posted.get("action") == "enqueued":
            return f"{REVIEW}{posted['pending_post']['id']}"
        return str(posted["id"])

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        """As the reply button does."""
        quoted = call(self.visitors[who], "GET", f"/posts/{post}.json")
        head = f'[quote="{quoted["username"]}, post:{quoted["post_number"]}, topic:{topic}"]'
        return self.post(who, topic, f"{head}\n{quoted['raw']}\n[/quote]\n\n{text}")

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        call(self.visitors[who], "PUT", f"/posts/{post}.json", {"post": {"raw": text}})

    def hide(self, topic: str, post: str) -> None:
        """As a moderator does who flags it and takes action at once."""
        body = {"id": int(post), "post_action_type_id": SPAM, "take_action": "true"}
        call(self.visitors["Moderator"], "POST", "/post_actions.json", body)

    def delete(self, topic: str, post: str) -> None:
        call(self.visitors["Moderator"], "DELETE", f"/posts/{post}.json")

    def approve(self, topic: str, post: str) -> str:
        path = f"/review/{post.removeprefix(REVIEW)}/perform/approve_post.json?version=0"
        return str(call(self.visitors["Moderator"], "PUT", path)["reviewable_perform_result"]["created_post_id"])

    def close(self, topic: str) -> None:
        """A moderator closes the topic, which leaves an event among the posts."""
        call(self.visitors["Moderator"], "PUT", f"/t/{topic}/status.json", {"status": "closed", "enabled": "true"})

    def message(self, who: str, to: str, title: str, text: str) -> str:
        body = {"title": title, "raw": text, "archetype": "private_message", "target_recipients": to}
        return str(call(self.visitors[who], "POST", "/posts.json", body)["topic_id"])

    def messages(self, who: str) -> list[str]:
        visitor = self.visitors[who]
        name = visitor.http.headers["Api-Username"]
        lists = [f"/topics/private-messages{sent}/{name}.json" for sent in ("", "-sent")]
        topics = {one["id"] for path in lists for one in call(visitor, "GET", path)["topic_list"]["topics"]}
        return [post["raw"] for topic in sorted(topics) for post in self._posts(visitor, str(topic))]

    def rename(self, who: str, name: str) -> None:
        visitor = self.visitors[who]
        old = visitor.http.headers["Api-Username"]
        path = f"/users/{old}/preferences/username.json"
        call(self.visitors["Moderator"], "PUT", path, {"new_username": name})
        visitor.http.headers["Api-Username"] = name

    def end_sessions(self) -> None:
        """Keys know no sessions."""

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        return [
            SeenPost(
                id=str(post["id"]),
                author_id=str(post["user_id"]),
                text=post["raw"],
                html=post["cooked"],
                state="hidden" if post["hidden"] else "visible",
            )
            for post in self._posts(self.visitors[who], topic)
            if post["post_type"] == 1
        ]

    def _posts(self, visitor: Visitor, topic: str) -> Iterator[dict[str, Any]]:
        stream = call(visitor, "GET", f"/t/{topic}.json")["post_stream"]["stream"]
        for at in range(0, len(stream), CHUNK):
            wanted = "&".join(f"post_ids[]={post}" for post in stream[at : at + CHUNK])
            chunk = call(visitor, "GET", f"/t/{topic}/posts.json?{wanted}&include_raw=true")
            yield from chunk["post_stream"]["posts"]


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    """A Discourse that runs elsewhere, with its own limits; the people are made there if they are not yet."""
    url, category = os.environ[ELSEWHERE["discourse"]].rstrip("/"), os.environ["GAMEJUDGE_DISCOURSE_CATEGORY"]
    held, key = os.environ.get("GAMEJUDGE_DISCOURSE_HELD_CATEGORY"), os.environ["GAMEJUDGE_DISCOURSE_TOKEN"]
    admin = Visitor(url)
    log_in(admin, Account("", os.environ["GAMEJUDGE_DISCOURSE_ADMIN"], key))
    accounts = {name: Account(_id(admin, name, password), name, key) for name, password in PASSWORDS.items()}
    for name in MODERATORS:
        call(admin, "PUT", f"/admin/users/{accounts[name].id}/grant_moderation.json")
    lacks = frozenset[Act]({"limit", "outage"} if held else {"limit", "outage", "hold"})
    acts = DiscourseActs(url, category, accounts, lacks)
    return LiveForum("discourse", url, category, accounts, throttle, acts, Elsewhere(), held)


def _id(admin: Visitor, name: str, password: str) -> str:
    found = admin.http.get(f"/u/{name}.json")
    if not found.is_success:
        account = {"username": name, "name": name, "email": f"{name.lower()}@example.org", "password": password}
        call(admin, "POST", "/users.json", {**account, "active": True, "approved": True})
        found = done(admin.http.get(f"/u/{name}.json"))
    return str(found.json()["user"]["id"])
