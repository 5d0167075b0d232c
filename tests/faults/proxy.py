"""A proxy on loopback between the judge and a forum, that loses, delays or doubles what passes, or kills the judge.

It knows the request that posts a letter by the key in it; what comes before is search, what comes after reading back.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import urlsplit

Step = Literal["search", "send", "read back"]
STEPS: tuple[Step, ...] = ("search", "send", "read back")
Action = Literal[
    "request lost",
    "request late",
    "request twice",
    "answer lost",
    "answer cut off",
    "answer late",
    "answer never",
    "answer twice",
    "502 instead of the request",
    "502 instead of the answer",
    "503 instead of the request",
    "503 instead of the answer",
    "killed before the request",
    "killed with the request on its way",
    "killed before the answer",
    "killed after the answer",
]
LATE, VERY_LATE = 0.15, 0.5
"""Seconds; a judge that begins anew has had time to look in the forum when something very late arrives there."""
NEVER = 20.0
SHORTEST_KEY = b"gamejudge"


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong once, at the request number `index` of a step."""

    step: Step
    action: Action
    index: int = 0

    @property
    def kills(self) -> bool:
        return self.action.startswith("killed")

    def ways(self) -> Iterator[Fault]:
        """This one; where its step has fewer requests, at the first of them; where it has none, at the sending."""
        yield self
        yield Fault(self.step, self.action)
        yield Fault("send", "answer lost" if self.action == "request twice" else self.action)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list[tuple[str, str]]
    body: bytes


def nothing() -> None:
    """What `Proxy.kill` does where no judge is to be killed."""


class Proxy:
    """Passes on what comes, and does once what it was told with `arm`."""

    def __init__(self, target: str) -> None:
        self.target = urlsplit(target)
        self.kill: Callable[[], None] = nothing
        self.fired: str | None = None
        """The request that met the fault."""
        self.counts: dict[Step, int] = dict.fromkeys(STEPS, 0)
        """Requests of each step since `arm`."""
        self._fault: Fault | None = None
        self._step: Step = "search"
        self._guard = threading.Lock()
        self._late: list[threading.Thread] = []
        self._given_up = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}{self.target.path}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def arm(self, fault: Fault | None) -> None:
        """From now on a letter's way begins anew."""
        with self._guard:
            self._fault, self._step, self.fired = fault, "search", None
            self.counts = dict.fromkeys(STEPS, 0)

    def settle(self) -> None:
        """Waits until all that is late has arrived."""
        while self._late:
            self._late.pop().join()

    def close(self) -> None:
        self._given_up.set()
        self.settle()
        self._server.shutdown()
        self._server.server_close()

    def meets(self, line: str, body: bytes) -> Action | None:
        """What happens to this request."""
        with self._guard:
            step: Step = self._step
            if SHORTEST_KEY in body:
                step = "send"
                self._step = "read back"
            number = self.counts[step]
            self.counts[step] += 1
            fault = self._fault
            if fault is None or fault.step != step or fault.index != number:
                return None
            self._fault, self.fired = None, line
            return fault.action

    def forward(self, method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> Answer:
        assert self.target.hostname is not None
        connection = http.client.HTTPConnection(self.target.hostname, self.target.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                if name.lower() not in _OF_THE_WAY:
                    connection.putheader(name, value)
            connection.putheader("Connection", "close")
            connection.endheaders(body or None)
            answer = connection.getresponse()
            kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in _OF_THE_WAY_BACK]
            return Answer(answer.status, kept, answer.read())
        finally:
            connection.close()

    def later(self, act: Callable[[], object], seconds: float) -> None:
        """Does it when whoever asked has given up."""
        late = threading.Timer(seconds, act)
        late.start()
        self._late.append(late)

    def wait_for_ever(self) -> None:
        self._given_up.wait(NEVER)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = list(self.headers.items())
                self.close_connection = True
                _pass_on(
                    self,
                    proxy,
                    proxy.meets(f"{self.command} {self.path}", body),
                    lambda: proxy.forward(self.command, self.path, headers, body),
                )

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET  # noqa: N815 - the server's names

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler


_OF_THE_WAY = frozenset({"connection", "keep-alive"})
_OF_THE_WAY_BACK = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})


def _pass_on(asker: BaseHTTPRequestHandler, proxy: Proxy, action: Action | None, forward: Callable[[], Answer]) -> None:
    """One request and its answer, or what becomes of them."""
    match action:
        case None:
            _say(asker, forward())
        case "request lost":
            pass
        case "request late":
            proxy.later(forward, LATE)
        case "request twice":
            forward()
            _say(asker, forward())
        case "answer lost":
            forward()
        case "answer cut off":
            _say(asker, forward(), share=0.5)
        case "answer late":
            answer = forward()
            threading.Event().wait(LATE)
            _say(asker, answer)
        case "answer never":
            forward()
            proxy.wait_for_ever()
        case "answer twice":
            answer = forward()
            _say(asker, answer)
            _say(asker, answer)
        case "502 instead of the request":
            _say(asker, Answer(502, [], b"Bad gateway"))
        case "502 instead of the answer":
            forward()
            _say(asker, Answer(502, [], b"Bad gateway"))
        case "503 instead of the request":
            _say(asker, Answer(503, [("Retry-After", "3")], b"Busy"))
        case "503 instead of the answer":
            forward()
            _say(asker, Answer(503, [("Retry-After", "3")], b"Busy"))
        case "killed before the request":
            proxy.kill()
        case "killed with the request on its way":
            proxy.kill()
            proxy.later(forward, VERY_LATE)
        case "killed before the answer":
            forward()
            proxy.kill()
        case "killed after the answer":
            _say(asker, forward())
            proxy.kill()


def _say(asker: BaseHTTPRequestHandler, answer: Answer, share: float = 1) -> None:
    """Gives the answer, or a share of it; whoever asked may be gone."""
    try:
        asker.send_response_only(answer.status)
        for name, value in answer.headers:
            asker.send_header(name, value)
        asker.send_header("Content-Length", str(len(answer.body)))
        asker.send_header("Connection", "close")
        asker.end_headers()
        if asker.command != "HEAD":
            asker.wfile.write(answer.body[: int(len(answer.body) * share)])
        asker.wfile.flush()
    except ConnectionError:
        pass
