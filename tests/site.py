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
from sqlmodel import Session

from judge.bootstrap import create_judge
from judge.core.orders import Order
from judge.core.ruleset import AnyRuleset, State
from judge.core.text import Money
from judge.language import Voice
from judge.service.position import position, stored_orders
from judge.settings import Settings, Web
from judge.store import queries, seal
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


def lay_out(table: TestTable, state: State) -> None:
    """Puts a position on the table: the open turn of the game is played from it."""

    def work(session: Session) -> None:
        row = queries.latest_turn(session, table.game_id)
        assert row is not None
        row.sealed_state = seal(session, state.model_dump(mode="json"))
        session.add(row)

    table.judge.store.write(work)


def shown_totals(page: Page) -> list[str]:
    """The sums under the order form."""
    return [shown.replace("\N{NO-BREAK SPACE}", " ") for shown in page.locator(".sums dd").all_inner_texts()]


def reckoned_totals(table: TestTable, seat: str, orders: Sequence[Order]) -> list[str]:
    """The same sums as the judge reckons them from the orders, in the game's language."""
    where = table.position()
    ask = where.ask(seat)
    assert ask is not None
    voice = Voice.of(where.ruleset, where.game.language)
    values = [(total.value(orders), total.money) for total in ask.totals]
    said = [voice.say(Money(value) if money else value) for value, money in values]
    return [value.replace("\N{NO-BREAK SPACE}", " ") for value in said]


def counting_orders(table: TestTable, seat: str) -> list[Order]:
    """The set of a seat that counts in the open turn."""
    with table.judge.store.read() as session:
        where = position(session, table.game_id)
        return stored_orders(session, where, queries.counting(session, where.turn)[seat])


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
