"""Tests against real forums are collected only where `GAMEJUDGE_FORUMS=1` asks for them; the summary names the rest.

`GAMEJUDGE_FORUMS=spirit,punkweb` asks for these alone.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.forums import FORUMS

WANTED = os.environ.get("GAMEJUDGE_FORUMS", "")
CHOSEN = FORUMS if WANTED == "1" else tuple(name for name in FORUMS if name in WANTED.split(","))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True keeps a test file from being looked at; None lets others decide."""
    return True if not CHOSEN and collection_path.name.startswith("test_") else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "forum_name" in metafunc.fixturenames:
        metafunc.parametrize("forum_name", CHOSEN, scope="module")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if left := [name for name in FORUMS if name not in CHOSEN]:
        terminalreporter.section("real forums")
        terminalreporter.line(f"not run: {', '.join(left)} (GAMEJUDGE_FORUMS=1 runs them)")
