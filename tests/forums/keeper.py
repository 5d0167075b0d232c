"""Keeps the processes of one forum alive for as long as somebody holds the other end of its standard input.

It reads a plan (JSON, one line), starts the servers in their order, each once the one before answers on its port, and
says `up` with their process ids.  Then it obeys: `down` stops the last server, `up` starts it again.  When its input
ends, however its owner died, it stops all servers in reverse order, asks each by signal and kills what does not obey,
removes the run's folder and ends.  It needs the standard library alone.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PATIENCE = 60
"""Seconds that a server may take to answer on its port."""
GRACE = 5
"""Seconds between asking a server to stop and killing it."""
ON_OWNERS_DEATH = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class Server:
    """One process: how to start it, the port it answers on, the signal that stops it."""

    def __init__(self, plan: dict[str, Any], log: Path) -> None:
        self.command: list[str] = plan["command"]
        self.environment: dict[str, str] = plan["environment"]
        self.user: str | None = plan["user"]
        self.port: int = plan["port"]
        self.stop_signal = signal.Signals[plan["stop_signal"]]
        self.memory: int = plan["memory"]
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self.process is not None:
            return
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=self.environment,
                cwd="/",
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=self.bound,  # noqa: PLW1509 - this process has one thread
            )
        for _ in range(PATIENCE * 20):
            if self.process.poll() is not None:
                break
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise SystemExit(f"{self.command[0]} did not start:\n{self.log.read_text(errors='replace')[-4000:]}")

    def bound(self) -> None:
        """No server outlives a keeper that was killed, or eats the machine."""
        ctypes.CDLL(None).prctl(ON_OWNERS_DEATH, signal.SIGKILL)
        resource.setrlimit(resource.RLIMIT_DATA, (self.memory, self.memory))

    def stop(self) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None


def keep(plan: dict[str, Any]) -> None:
    folder = Path(plan["folder"])
    servers = [Server(server, folder / "log") for server in plan["servers"]]
    ends_at = time.monotonic() + plan["seconds"]
    try:
        for server in servers:
            server.start()
        said = b""
        say(servers)
        while (left := ends_at - time.monotonic()) > 0:
            if not select.select([0], [], [], left)[0] or not (heard := os.read(0, 4096)):
                return
            *words, said = (said + heard).split(b"\n")
            for word in words:
                servers[-1].start() if word == b"up" else servers[-1].stop()
                say(servers)
    finally:
        for server in reversed(servers):
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def say(servers: list[Server]) -> None:
    os.write(1, json.dumps([server.process and server.process.pid for server in servers]).encode() + b"\n")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    line = b""
    while not line.endswith(b"\n"):
        letter = os.read(0, 1)
        if not letter:
            sys.exit(0)
        line += letter
    keep(json.loads(line))
