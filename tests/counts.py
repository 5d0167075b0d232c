"""How often a test that repeats itself does so: fewer times on every run, the full count by `make full`."""

from __future__ import annotations

import os


def times(usual: int, full: int) -> int:
    """`usual`, or `full` where GAMEJUDGE_FULL=1 asks for it."""
    return full if os.environ.get("GAMEJUDGE_FULL") == "1" else usual
