"""Misago: a JSON API, Markdown with BBCode quotes, moderation queue, history; on a private PostgreSQL cluster."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg

from tests.forums import Account, Act, LiveForum, SeenPost
from tests.forums.environment import run, variables
from tests.forums.serving import Held, free_port, make_people, server, start_django
from tests.forums.visitor import Visitor, Visitors, done

STARTING = 120
"""Seconds that preparing the database may take."""


def start(*, throttle: bool = False, seconds: float = 3600) -> LiveForum:
    return start_django(
        "misago", MisagoActs, throttle=throttle, seconds=seconds, prepare=_prepare, first=_cluster_of_site
    )


def _prepare(folder: Path) -> None:
    """Makes the cluster, its tables and the people, where PostgreSQL's user may, and keeps them in `folder`."""
    making = Path(tempfile.mkdtemp(prefix="gamejudge-misago-making-"))
    try:
        _initialise(making)
        plan, more = _cluster(making)
        keeper = Held(making, plan, STARTING * 2)
        try:
            environment = variables("misago", making, throttle=False, **more)
            run("misago", environment, "-m", "django", "migrate", "--verbosity=0")
            make_people("misago", environment, folder)
            keeper.tell("down")
            shutil.copytree(making / "data", folder / "data", symlinks=True)
        finally:
            keeper.stop()
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _initialise(folder: Path) -> None:
    user = _database_user()
    if user:
        shutil.chown(folder, user)
    done = subprocess.run(
        [_postgres("initdb"), "-D", folder / "data", "-U", "forum", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"],
        user=user,
        group=user,
        extra_groups=[] if user else None,
        cwd="/",
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=STARTING,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)


def _cluster_of_site(folder: Path) -> tuple[list[dict[str, Any]], dict[str, object]]:
    data, user = folder / "data", _database_user()
    data.chmod(0o700)
    if user:
        for path in (data, *data.rglob("*")):
            shutil.chown(path, user)
    plan, more = _cluster(folder)
    (folder / "database_port").write_text(str(more["database_port"]))
    return plan, more


def _cluster(folder: Path) -> tuple[list[dict[str, Any]], dict[str, object]]:
    """PostgreSQL in the foreground; SIGINT is its fast shutdown, which waits for nobody."""
    port = free_port()
    options = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "fsync": "off",
        "shared_buffers": "16MB",
        "max_connections": "50",
        "autovacuum": "off",
    }
    command = [_postgres("postgres"), "-D", str(folder / "data"), "-p", str(port)]
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    environment = {"PATH": os.defpath, "LANG": "C.UTF-8"}
    plan = server(command, port, environment, user=_database_user(), stop_signal="SIGINT")
    return [plan], {"database_port": port}


def _connect(port: int) -> psycopg.Connection[tuple[Any, ...]]:
    return psycopg.connect(host="127.0.0.1", port=port, user="forum", dbname="postgres", autocommit=True)


def _postgres(program: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"), key=lambda path: int(path.parts[-3]))
    if not found:
        raise RuntimeError("Misago needs a PostgreSQL server: apt-get install postgresql")
    return str(found[-1])


def _database_user() -> str | None:
    """PostgreSQL refuses to run as root: another user does, who owns nothing else here."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return next(user for user in ("postgres", "nobody") if user in known)


def log_in(visitor: Visitor, account: Account) -> None:
    done(visitor.http.get("/"))
    call(visitor, "POST", "/api/auth/", {"username": account.name, "password": account.password})


def call(visitor: Visitor, method: str, path: str, body: object = None) -> Any:
    """One call of the JSON API, with the token that every writing call needs."""
    token = visitor.http.cookies.get("csrftoken") or ""
    answer = done(visitor.http.request(method, path, json=body, headers={"X-CSRFToken": token}))
    return answer.json() if answer.content else None


class MisagoActs:
    lacks: frozenset[Act] = frozenset()

    def __init__(self, url: str, category: str, accounts: Mapping[str, Account], folder: Path) -> None:
        self.category, self.accounts, self.folder = category, accounts, folder
        self.visitors = Visitors(url, accounts, log_in)

    def start_topic(self, who: str, title: str, text: str, category: str | None = None) -> str:
        body = {"category": int(category or self.category), "title": title, "post": text}
        return str(call(self.visitors[who], "POST", "/api/threads/", body)["id"])

    def post(self, who: str, topic: str, text: str) -> str:
        return str(call(self.visitors[who], "POST", f"/api/threads/{topic}/posts/", {"post": text})["id"])

    def quote(self, who: str, topic: str, post: str, text: str) -> str:
        """As the reply button does: the raw text within a quote that names the author and the post."""
        visitor = self.visitors[who]
        quoted = call(visitor, "GET", f"/api/threads/{topic}/posts/reply_editor/?reply={post}")
        head = f'[quote="@{quoted["poster"]}"]'
        return self.post(who, topic, f"{head}\n{quoted['post']}\n[/quote]\n\n{text}")

    def edit(self, who: str, topic: str, post: str, text: str) -> None:
        call(self.visitors[who], "PUT", f"/api/threads/{topic}/posts/{post}/", {"post": text})

    def hide(self, topic: str, post: str) -> None:
        self._moderate(topic, post, "is-hidden", True)

    def delete(self, topic: str, post: str) -> None:
        call(self.visitors["Moderator"], "DELETE", f"/api/threads/{topic}/posts/{post}/")

    def approve(self, topic: str, post: str) -> str:
        self._moderate(topic, post, "is-unapproved", False)
        return post

    def _moderate(self, topic: str, post: str, path: str, value: bool) -> None:
        change = [{"op": "replace", "path": path, "value": value}]
        call(self.visitors["Moderator"], "PATCH", f"/api/threads/{topic}/posts/{post}/", change)

    def message(self, who: str, to: str, title: str, text: str) -> str:
        body = {"title": title, "post": text, "to": [to]}
        return str(call(self.visitors[who], "POST", "/api/private-threads/", body)["id"])

    def messages(self, who: str) -> list[str]:
        visitor = self.visitors[who]
        topics = call(visitor, "GET", "/api/private-threads/")["results"]
        return [
            call(visitor, "GET", f"/api/private-threads/{topic}/posts/reply_editor/?reply={post['id']}")["post"]
            for topic in sorted(topic["id"] for topic in topics)
            for post in call(visitor, "GET", f"/api/private-threads/{topic}/posts/")["post_set"]["results"]
            if not post["is_event"]
        ]

    def rename(self, who: str, name: str) -> None:
        account = self.accounts[who]
        call(self.visitors[who], "POST", f"/api/users/{account.id}/username/", {"username": name})

    def end_sessions(self) -> None:
        with _connect(int((self.folder / "database_port").read_text())) as database:
            database.execute("DELETE FROM django_session")
        self.visitors.forget()

    def read(self, topic: str, who: str = "Moderator") -> list[SeenPost]:
        visitor, seen, number = self.visitors[who], dict[str, SeenPost](), 1
        while True:
            page = call(visitor, "GET", f"/api/threads/{topic}/posts/?page={number}")["post_set"]
            for post in page["results"]:
                if not post["is_event"]:
                    seen[str(post["id"])] = self._seen(visitor, topic, post)
            if number >= page["pages"]:
                return list(seen.values())
            number += 1

    def _seen(self, visitor: Visitor, topic: str, post: dict[str, Any]) -> SeenPost:
        typed = call(visitor, "GET", f"/api/threads/{topic}/posts/{post['id']}/post_editor/")["post"]
        return SeenPost(
            id=str(post["id"]),
            author_id=str(post["poster"]["id"]),
            text=typed,
            html=post["content"] or "",
            state="held" if post["is_unapproved"] else "hidden" if post["is_hidden"] else "visible",
        )
