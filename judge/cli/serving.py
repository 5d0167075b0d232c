"""`judge run` and `judge tick`: the judge at work, all the time or for one round."""

from __future__ import annotations

import errno
import logging
import signal
import socket
from typing import Annotated

import typer
import uvicorn

from judge.bootstrap import Judge
from judge.cli.terminal import FailureError, _, call_of, tell, whole_number
from judge.core.text import Text
from judge.settings import Settings

Host = Annotated[
    str | None, typer.Option(metavar="HOST", help=_("Serve on this host or address, whatever the config says."))
]
Port = Annotated[
    int | None,
    typer.Option(
        metavar="PORT", parser=whole_number(1, 65535), help=_("Serve on this port, whatever the config says.")
    ),
]

QUIET = ("apscheduler", "alembic", "uvicorn")
"""Libraries that tell more of their doings than an operator wants to read."""

SECONDS_TO_FINISH = 10
"""How long requests under way may take when the judge is stopped."""


def run(context: typer.Context, host: Host = None, port: Port = None) -> None:
    settings = call_of(context).settings(host, port)
    write_log(settings)
    listener = listen(settings)
    with call_of(context).judge(settings) as judge:
        serve(judge, listener)


def tick(context: typer.Context) -> None:
    settings = call_of(context).settings()
    write_log(settings)
    with call_of(context).judge(settings) as judge:
        done = judge.clock.tick()
        if judge.clock.last_round is None:
            raise FailureError(
                Text.of("The round was broken off; the line above says why. Nothing is lost: try again.")
            )
    tell(Text.n("{count} thing was due and has been done.", "{count} things were due and have been done.", done))


def write_log(settings: Settings) -> None:
    """What happens is told on stderr; requests are not, since personal links are in their addresses."""
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def listen(settings: Settings) -> socket.socket:
    """The socket to serve on, held from now on, so that a port in use shows before anything else is done."""
    host, port = settings.web.host, settings.web.port
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        raise FailureError(_why_not_served(error, host, str(port))) from error
    return listener


def _why_not_served(error: OSError, host: str, port: str) -> Text:
    if error.errno == errno.EADDRINUSE:
        return Text.of(
            "Port {port} on {host} is in use, perhaps by another judge. Stop that program, or choose another port: "
            "--port {other} (make run PORT={other}), or “port” under [web] in the config.",
            port=port,
            host=host,
            other=str(int(port) % 65535 + 1),
        )
    if error.errno == errno.EACCES:
        return Text.of(
            "This user may not serve on port {port}: ports below 1024 belong to root. Choose another, for example "
            "--port 8000, and put a web server before it (deploy/README.md).",
            port=port,
        )
    return Text.of(
        "The judge cannot serve on {host}: {reason}. Use an address of this machine, for example --host 127.0.0.1.",
        host=host,
        reason=error.strerror or str(error),
    )


class _Server(uvicorn.Server):
    """Says where it serves once it really does."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tell(Text.of("The judge serves at {address} (stop it with Ctrl+C).", address=self._address))


def serve(judge: Judge, listener: socket.socket) -> None:
    """Serves and lets the clock tick until SIGINT or SIGTERM; requests under way are finished first."""
    from judge.web.app import create_app  # the pages take a second to import, and only this needs them

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = uvicorn.Config(
        create_app(judge),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the application itself knows which proxies to believe
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    server = _Server(config, judge.settings.address)
    judge.clock.start(judge.settings.clock.tick_seconds)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        # uvicorn has shut down and hands the signal on.
        tell(Text.of("Stopped. Everything that was handed in is stored."))
        return
    if not server.started:
        raise FailureError(Text.of("The pages could not be served; the lines above say why."))
