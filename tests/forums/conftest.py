"""Tests against real forums are collected only where `GAMEJUDGE_FORUMS=1` asks for them; the summary names the rest.

`GAMEJUDGE_FORUMS=spirit,punkweb` asks for these alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forums import CHOSEN


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True keeps a test file from being looked at; None lets others decide."""
    return True if not CHOSEN and collection_path.name.startswith("test_") else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "forum_name" in metafunc.fixturenames:
        metafunc.parametrize("forum_name", CHOSEN, scope="module")
