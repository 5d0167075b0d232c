"""Logs never hold an order: at the noisiest level, and with faults provoked wherever orders are at hand.

A real judge in a process of its own is tested as operators run it; the database library's own log, which no setting of
the judge turns on, is tested in this process.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import Session

from judge.core.ruleset import AnyRuleset
from judge.service.access import grant
from judge.service.refusal import Refusal
from judge.store import StoreError
from judge.web.app import create_app
from tests.at_the_table import TestTable, sit_down
from tests.test_at_rest import COUNTING, NEVER, STANDING, hand_in_by_every_door
from tests.test_crawl import Collector
from tests.test_survival import EVERYBODY, Served, until
from tests.toy_ruleset import ruleset as lots
from tests.visitors import Program

AMOUNTS = (*COUNTING.values(), STANDING, *NEVER.values())


def telling(lines: Sequence[str], *numbers: int) -> list[str]:
    """The lines that hold one of these numbers."""
    wanted = re.compile(rf"(?<![0-9a-z])(?:{'|'.join(map(str, numbers))})(?![0-9a-z])", re.IGNORECASE)
    return [line for line in lines if wanted.search(line)]


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """Every line that anything logs, with arguments and tracebacks; the database library's included."""
    collector, root, library = Collector(), logging.getLogger(), logging.getLogger("sqlalchemy")
    before = root.level, library.level
    root.addHandler(collector)
    root.setLevel(logging.DEBUG)
    library.setLevel(logging.DEBUG)
    yield collector.lines
    root.removeHandler(collector)
    root.setLevel(before[0])
    library.setLevel(before[1])


def seated(folder: Path, game: AnyRuleset = lots) -> TestTable:
    table = sit_down(folder, games=[game])
    table.open(("Anna", "Ben", "Cem", "Dora"), ruleset="lots", options={"purse": 1000, "rounds": 1})
    table.look()
    return table


def test_a_whole_game_with_the_databases_log_turned_on(tmp_path: Path, logged: list[str]) -> None:
    table = seated(tmp_path)
    hand_in_by_every_door(table)
    assert any("INSERT INTO submission" in line for line in logged)
    assert any("gAAAA" in line for line in logged), "what is sealed goes by, sealed"
    assert telling(logged, *AMOUNTS) == []
    while table.position().asks:
        table.look()
        for seat in table.position().asks:
            table.order(seat, "pass")
    assert telling(logged, *COUNTING.values()), "once they are open, the database's log shows them as any page does"
    assert telling(logged, *NEVER.values()) == []
    table.judge.close()


def breaking(kind: type[Exception]) -> Any:
    """A function of the rules that fails with the orders in its words."""

    def fail(*given: Any) -> Any:
        held = [one for one in given if isinstance(one, Mapping | Sequence)]
        try:
            raise ValueError(f"inside: {held}")
        except ValueError as inner:
            raise kind(f"outside: {held}") from inner

    return fail


@pytest.mark.parametrize("kind", [ValueError, KeyError, AssertionError, RecursionError])
def test_rules_that_fail_with_orders_in_their_words_are_logged_without_them(
    tmp_path: Path, logged: list[str], kind: type[Exception]
) -> None:
    table = seated(tmp_path, replace(lots, resolve=breaking(kind)))
    hand_in_by_every_door(table)
    table.look()
    assert any("is set aside" in line and kind.__name__ in line for line in logged)
    assert telling(logged, *AMOUNTS) == []
    with table.judge.store.read() as session:
        alarm = session.execute(text("SELECT alarm FROM game")).scalar()
    assert str(alarm).startswith(f"{kind.__name__} at ")
    assert telling([str(alarm)], *AMOUNTS) == []
    table.judge.close()


def test_a_page_that_fails_over_an_order_tells_neither_log_nor_visitor(tmp_path: Path, logged: list[str]) -> None:
    table = seated(tmp_path, replace(lots, check=breaking(ValueError)))
    app = create_app(table.judge)
    table.judge.store.write(
        lambda session: grant(session, table.clock(), table.game_id, "1", "annas-program", bearer=True)
    )
    program = Program(app, "annas-program")
    orders = [{"kind": "bid", "amount": COUNTING["1"]}]
    said = [program.call("POST", f"/games/{table.game_id}/orders", {"orders": orders}, 500)]
    said += [program.call("POST", f"/games/{table.game_id}/thread", {"text": f"bid {COUNTING['1']}"}, 500)]
    assert any("builtins.ValueError" in line for line in logged)
    assert telling([*logged, str(said)], *AMOUNTS) == []
    table.judge.close()


def test_a_database_that_fails_over_an_order_tells_nothing_of_it(tmp_path: Path, logged: list[str]) -> None:
    table = seated(tmp_path)

    def break_it(session: Session) -> None:
        session.execute(text("ALTER TABLE submission RENAME TO elsewhere"))

    table.judge.store.write(break_it)
    with pytest.raises((StoreError, Refusal)) as refused:
        table.order("1", f"bid {COUNTING['1']}")
    table.look()
    assert telling([*logged, str(refused.value)], *AMOUNTS) == []
    table.judge.close()


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setenv("GAMEJUDGE_LOG_LEVEL", "debug")
    judge = Served(tmp_path)
    judge.start()
    yield judge
    judge.kill()
    judge.client.close()


def test_a_judge_at_level_debug_logs_a_whole_game_without_an_order(served: Served) -> None:
    """Orders that count, that are refused, that cannot be read, and that come as posts."""
    served.open(months=1)
    prices = {seat: 734_150 + int(seat) for seat in EVERYBODY}
    game = f"/games/{served.game}"
    served.call("POST", f"{game}/thread", place="1", json={"text": f"Hello!\n\nX:1 at {prices['1']}"})
    bid = {"kind": "bid", "grade": "X", "units": 1, "price": prices["2"]}
    broken: list[Any] = [{"orders": [{**bid, "units": 99}]}, {"orders": [{**bid, "colour": "red"}]}, [bid], {"x": bid}]
    for body in broken:
        headers = {"Authorization": f"Bearer {served.bearers['2']}"}
        answer = served.client.post(f"{game}/orders", json=body, headers=headers)
        assert answer.status_code in (200, 422), answer.text
    for seat in EVERYBODY[1:]:
        served.bid(seat, prices[seat])
    served.client.get("/games/nothing")
    until(lambda: len(served.result_posts()) == 1)
    log = (served.folder / "log").read_text(encoding="utf-8")
    assert "POST /games/{game_id}/orders 422" in log
    assert "DEBUG" in log
    assert telling(log.splitlines(), *prices.values()) == []
