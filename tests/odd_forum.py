"""A server on loopback that answers each path as a test tells it to, as forums do on bad days."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

NOON = "Mon, 07 Sep 2026 12:00:00 GMT"


@dataclass
class Answer:
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"fine"


@dataclass
class OddForum:
    """Answers each path as it is told to; what it was asked is kept."""

    url: str
    answers: dict[str, Answer | Callable[[BaseHTTPRequestHandler], Answer]] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [f"{method} {path}" for method, path, _ in self.asked]


@contextmanager
def odd_forum() -> Iterator[OddForum]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            forum.asked.append((self.command, self.path, dict(self.headers)))
            self.rfile.read(int(self.headers.get("content-length", 0)))
            told = forum.answers.get(self.path, Answer(404))
            answer = told if isinstance(told, Answer) else told(self)
            if answer.status == 0:
                self.close_connection = True
                return
            self.send_response_only(answer.status)
            for name, value in {"Date": NOON, "Content-Length": str(len(answer.body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body)

        do_POST = do_PUT = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        forum = OddForum(f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield forum
        server.shutdown()
