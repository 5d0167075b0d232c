"""What all tests share: a browser, a PostgreSQL server, and a last word about what could not run.

Without Chromium or PostgreSQL the tests that need them are skipped and the summary says how to get them; where
everything must run (`CI=true` or `GAMEJUDGE_REQUIRE_ALL=1`) they fail instead.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn
from uuid import uuid4

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, sync_playwright
from sqlalchemy import create_engine, make_url, text

from judge.web.app import create_app
from tests.at_the_table import TestTable, sit_down
from tests.forums import CHOSEN, ELSEWHERE, FORUMS, NAMED

# How long an example takes tells about the machine; what must be fast has tests of its own.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

LACKING = "not on this machine: "
QUIET_CHROMIUM = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_configure() -> None:
    """A run in a shell's background ignores Ctrl-C, and so would every program that its tests stop by it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the judge's lines of playthroughs anew")


@pytest.hookimpl(tryfirst=True)  # before the groups are looked at
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is asked of one forum in one file runs on one processor, so that the forum is started once for it."""
    for item in items:
        forum = (
            item.callspec.params.get("forum_name")
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else None
        )
        if forum is not None:
            item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {forum}"))


def lacking(what: str, remedy: str) -> NoReturn:
    """Skip this test since `what` is not installed, or fail it where everything must run."""
    message = f"{LACKING}{what} ({remedy})"
    if os.environ.get("CI") == "true" or os.environ.get("GAMEJUDGE_REQUIRE_ALL") == "1":
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name in plain words what could not run, and how to get it."""
    reasons: dict[str, int] = {}
    for report in terminalreporter.getreports("skipped"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if LACKING in reason:
            reason = reason.split(LACKING, 1)[1]
            reasons[reason] = reasons.get(reason, 0) + 1
    left = [name for name in FORUMS if name not in CHOSEN]
    unnamed = {name: variable for name, variable in ELSEWHERE.items() if name not in NAMED}
    if left or unnamed:
        terminalreporter.section("real forums")
    if left:
        terminalreporter.line(f"not run: {', '.join(left)} (GAMEJUDGE_FORUMS=1 runs them)")
    if unnamed:
        terminalreporter.line(f"not run: {', '.join(unnamed)} (their variables name one that runs elsewhere:")
        terminalreporter.line(f"  {', '.join(unnamed.values())};")
        terminalreporter.line("  servers that answer in a documented shape are not the real thing and do not count)")
    if reasons:
        terminalreporter.section("what could not run here")
        for reason, tests in sorted(reasons.items()):
            terminalreporter.line(f"{tests} test{'s' if tests > 1 else ''} for lack of {reason}")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    """A judge at work with a set clock; no game is open yet."""
    seat = sit_down(tmp_path)
    yield seat
    seat.judge.close()


@pytest.fixture
def app(table: TestTable) -> FastAPI:
    """The pages and the API of the table's judge; tests run its clock themselves (`table.look()`)."""
    return create_app(table.judge)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium. Kept for one module: while it lives, no test can start an event loop in this thread."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        lacking("Chromium", "apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=QUIET_CHROMIUM)
        yield running
        running.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages of fresh visitors: `new_page(width=360, colour_scheme="dark", locale="de-DE", javascript=False)`."""
    contexts = []

    def open_page(
        *,
        width: int = 1280,
        height: int = 900,
        colour_scheme: str = "light",
        locale: str = "en-GB",
        javascript: bool = True,
        **options: object,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=colour_scheme,
            locale=locale,
            java_script_enabled=javascript,
            **options,
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A private PostgreSQL server, as the SQLAlchemy URL of its first database."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not programs:
        lacking("a PostgreSQL server", "apt-get install postgresql")
    bin_folder = programs[-1].parent
    with tempfile.TemporaryDirectory(prefix="gamejudge-postgres-") as folder:
        as_user = _unprivileged(folder)
        data, port = f"{folder}/data", _free_port()
        server = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        initialise = ["initdb", "-D", data, "-U", "judge", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"]
        start = ["pg_ctl", "-D", data, "-o", server, "-l", f"{folder}/log", "-w", "start"]
        stop = ["pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"]

        def run(program: str, *arguments: str) -> None:
            # A file, not a pipe: the server inherits it and would keep a pipe open for ever.
            with (Path(folder) / "output").open("w+b") as output:
                command = [*as_user, bin_folder / program, *arguments]
                done = subprocess.run(command, cwd="/", stdout=output, stderr=output, check=False)
                output.seek(0)
                assert done.returncode == 0, output.read().decode()

        run(*initialise)
        run(*start)
        yield f"postgresql+psycopg://judge@127.0.0.1:{port}/postgres"
        run(*stop)


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The SQLAlchemy URL of a fresh, empty PostgreSQL database."""
    name = f"judge_{uuid4().hex}"
    engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(postgres).set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def _unprivileged(folder: str) -> list[str]:
    """PostgreSQL refuses to run as root: give its folder to another user, and say how to run a command as that user."""
    if os.geteuid() != 0:
        return []
    user = next(user for user in ("postgres", "nobody") if any(known.pw_name == user for known in pwd.getpwall()))
    shutil.chown(folder, user)
    return ["runuser", "-u", user, "--"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
