"""What goes wrong on the way to servers that answer in a documented shape, which are not the real thing."""

from __future__ import annotations

from tests.faults.scene import Scene

FAULTS = 10


def test_no_letter_is_lost_or_doubled(at_work: Scene, forum_name: str) -> None:
    """T304: ten faults, of which two kill a judge's process with -9."""
    for plan in at_work.plans(forum_name, FAULTS):
        at_work.suffer(plan)
    at_work.check()
    assert len(at_work.met) == FAULTS
    assert sum("killed" in fault for fault in at_work.met) == FAULTS // 5
