"""Starts the processes of a forum and holds their life: when this process ends, theirs do."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import httpx

from tests.forums import MODERATORS, PASSWORDS, Account, Acts, LiveForum
from tests.forums.environment import fresh_site, python, run, variables

ANSWERING = 60
"""Seconds that a forum may take to answer its first page."""
GIGABYTE = 1 << 30


class Held:
    """Servers kept by a keeper process that watches our end of a pipe."""

    def __init__(self, folder: Path, servers: list[dict[str, Any]], seconds: float, url: str | None = None) -> None:
        self.url, self.folder = url, folder
        self.process = subprocess.Popen(
            [sys.executable, "-I", str(Path(__file__).with_name("keeper.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._say(json.dumps({"folder": str(folder), "servers": servers, "seconds": seconds}))
        self.pids = self._hear()
        if url:
            self._wait_until_it_answers(url)

    def tell(self, word: Literal["up", "down"]) -> None:
        self._say(word)
        self.pids = self._hear()
        if word == "up" and self.url:
            self._wait_until_it_answers(self.url)

    def stop(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        # The keeper has done so already, unless it was killed.
        shutil.rmtree(self.folder, ignore_errors=True)

    def _say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def _hear(self) -> list[int | None]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.stop()
            raise RuntimeError("The forum did not start; its log is above.")
        return list(json.loads(line))

    def _wait_until_it_answers(self, url: str) -> None:
        ends_at = time.monotonic() + ANSWERING
        while True:
            try:
                answer = httpx.get(url, timeout=ANSWERING, follow_redirects=True)
                if answer.status_code == httpx.codes.OK:
                    return
                reason = f"{answer.status_code}: {answer.text[:2000]}"
            except httpx.TransportError as error:
                reason = str(error)
            if time.monotonic() > ends_at:
                self.stop()
                raise RuntimeError(f"{url} does not answer: {reason}")
            time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def server(
    command: list[str],
    port: int,
    environment: Mapping[str, str],
    *,
    user: str | None = None,
    stop_signal: str = "SIGTERM",
    memory: int = GIGABYTE,
) -> dict[str, Any]:
    """One line of a keeper's plan."""
    return {
        "command": command,
        "port": port,
        "environment": dict(environment),
        "user": user,
        "stop_signal": stop_signal,
        "memory": memory,
    }


def make_people(name: str, environment: dict[str, str], folder: Path) -> None:
    """Runs the forum's own script that makes accounts and categories, and keeps what it says beside the site."""
    wanted = json.dumps({"passwords": PASSWORDS, "moderators": MODERATORS})
    script = Path(__file__).with_name("projects") / f"{name}_people.py"
    (folder / "forum.json").write_text(run(name, environment, str(script), say=wanted))


def start_django(
    name: str,
    acts: Callable[[str, str, dict[str, Account], Path], Acts],
    *,
    throttle: bool,
    seconds: float,
    prepare: Callable[[Path], None] | None = None,
    first: Callable[[Path], tuple[list[dict[str, Any]], dict[str, object]]] | None = None,
    path: str = "",
) -> LiveForum:
    """Serves the forum's Django project from a fresh copy of its prepared site.

    `first` gives the servers that it needs before itself, and the variables that its settings need to find them.
    """

    def prepare_on_sqlite(folder: Path) -> None:
        environment = variables(name, folder, throttle=throttle)
        run(name, environment, "-m", "django", "migrate", "--verbosity=0")
        make_people(name, environment, folder)

    folder = fresh_site(name, prepare or prepare_on_sqlite)
    before, more = first(folder) if first else ([], {})
    port = free_port()
    serve = ["-m", "django", "runserver", "--noreload", "--insecure", "--skip-checks", f"127.0.0.1:{port}"]
    environment = variables(name, folder, throttle=throttle, **more)
    url = f"http://127.0.0.1:{port}{path}"
    told = json.loads((folder / "forum.json").read_text())
    servers = [*before, server([str(python(name)), *serve], port, environment)]
    keeper = Held(folder, servers, seconds, f"{url}/")
    accounts = {who: Account(str(number), who, PASSWORDS[who]) for who, number in told["accounts"].items()}
    return LiveForum(
        name=name,
        url=url,
        category=str(told["category"]),
        accounts=accounts,
        throttle=throttle,
        acts=acts(url, str(told["category"]), accounts, folder),
        keeper=keeper,
        held_category=str(told["held_category"]) if "held_category" in told else None,
    )
