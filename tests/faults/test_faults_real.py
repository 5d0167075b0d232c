"""Whatever goes wrong on the way to a real forum, each letter stands there once, and in its order."""

from __future__ import annotations

import pytest

from tests.faults.plans import plans
from tests.faults.scene import Scene, scene
from tests.forums import start

BATCHES, FAULTS = 4, 10
"""Forty faults on each forum; of every ten two kill a judge's process with -9."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_letter_is_lost_or_doubled(at_work: Scene, forum_name: str, batch: int) -> None:
    """T304."""
    for plan in at_work.plans(forum_name, FAULTS, 1 + FAULTS * batch):
        at_work.suffer(plan)
    at_work.check()
    met = at_work.met[-FAULTS:]
    assert [int(fault.split(":")[0].rpartition("/")[2]) for fault in met] == [*range(*_numbers(batch))]
    assert sum("killed" in fault for fault in met) == FAULTS // 5


def test_limits_on_posting_make_nothing_lost_or_doubled(forum_name: str) -> None:
    """T305: faults where the forum also lets nobody post as often as he likes; here the judge waits as it is told."""
    with start(forum_name, throttle=True) as live, scene(live, in_real_time=True) as at_work:
        for plan in plans(f"{forum_name} with limits", 4, private=False):
            at_work.suffer(plan)
        at_work.check()


def _numbers(batch: int) -> tuple[int, int]:
    return 1 + FAULTS * batch, 1 + FAULTS * (batch + 1)
