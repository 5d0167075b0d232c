"""Orders, the deadline and two resolvers in every order: nothing depends on who was faster but what was in time."""

from __future__ import annotations

import contextlib
import random
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session

from judge.service import intake, turns
from judge.service.deadlines import Hours
from judge.service.position import position
from judge.service.refusal import Refusal
from judge.store import queries
from tests.at_the_table import START, TestTable

EVERYBODY = ("1", "2", "3", "4")


@pytest.mark.parametrize("part", range(4))
def test_every_interleaving_of_last_order_and_deadline_ends_the_same(table: TestTable, part: int) -> None:
    """T010: interleavings of four orders, the deadline's second and two resolvers, 1,000 of them.

    Every order is in the result or was refused, and the same orders in time give the same state.
    """
    table.open(deadline=Hours(hours=1))
    chance = random.Random(part)
    states: dict[frozenset[str], set[str]] = {}
    for _ in range(250):
        steps = [*EVERYBODY, "deadline", "resolver", "resolver"]
        chance.shuffle(steps)
        accepted, opened, state = table.judge.store.write(
            lambda session, steps=steps: _interleaved(session, table, steps)
        )
        assert {seat for seat, orders in opened.items() if orders} == accepted
        states.setdefault(frozenset(accepted), set()).add(state)
    assert len(states) > 8
    assert all(len(found) == 1 for found in states.values())


def _interleaved(session: Session, table: TestTable, steps: list[str]) -> tuple[set[str], dict[str, Any], str]:
    """Plays the steps and takes them back: which seats were accepted, what was opened, and the state after."""
    now = START + timedelta(minutes=59, seconds=59)
    accepted: set[str] = set()
    attempt = session.begin_nested()
    for step in [*steps, "deadline", "resolver"]:
        if step == "deadline":
            now = START + timedelta(hours=1)
        elif step == "resolver":
            turns.close_if_due(session, now, table.game_id)
            while turns.resolve(session, now, table.game_id):
                pass
        else:
            bid = [{"kind": "bid", "grade": "X", "units": int(step), "price": 50}]
            with contextlib.suppress(Refusal):
                intake.hand_in(session, now, table.game_id, step, intake.Source("api"), bid, number=1)
                accepted.add(step)
    after = position(session, table.game_id).state.model_dump_json()
    resolved = queries.turn(session, table.game_id, 1)
    assert resolved is not None
    opened = dict(resolved.opened_orders)
    attempt.rollback()
    session.expire_all()
    return accepted, opened, after
