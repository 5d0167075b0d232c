"""The judge as it really runs: a server on a port of its own, its clock ticking, people with browsers."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Page

from judge.bootstrap import create_judge
from judge.core.ruleset import AnyRuleset
from judge.settings import Settings, Web
from judge.web.app import create_app
from tests.at_the_table import SetClock, TestTable

STARTS_WITHIN = 20.0


@contextmanager
def serving(folder: Path, games: Sequence[AnyRuleset] | None = None) -> Iterator[TestTable]:
    """A judge that serves its pages; the time stands still at the moment it began, so that deadlines stay away."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    clock = SetClock(datetime.now(UTC).replace(microsecond=0))
    judge = create_judge(Settings(data=folder, web=Web(port=port)), now=clock, games=games)
    config = uvicorn.Config(create_app(judge), host="127.0.0.1", port=port, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    began = time.monotonic()
    while not server.started:
        assert time.monotonic() - began < STARTS_WITHIN, "the server does not start"
        thread.join(0.05)
    judge.clock.start(1)
    yield TestTable(judge, clock)
    server.should_exit = True
    thread.join()
    judge.close()


def claim(page: Page, table: TestTable, token: str) -> None:
    """Opens a personal link and presses its button."""
    page.goto(f"{table.judge.settings.address}/seat/{token}")
    page.locator("main button.main").click()
    page.wait_for_url("**/games/*")


def game(table: TestTable, path: str = "") -> str:
    """The address of a page of the game that was opened last."""
    return f"{table.judge.settings.address}/games/{table.game_id}{path}"


def fill(page: Page, **bids: tuple[Any, Any]) -> None:
    """Fills in the tally sheet: `X=(3, 42)` is three units at 42."""
    kind = "bid" if page.locator("[name^='bid.']").count() else "offer"
    for subject, (units, price) in bids.items():
        page.locator(f"[name='{kind}.{subject}.units']").fill(str(units))
        page.locator(f"[name='{kind}.{subject}.price']").fill(str(price))
