"""Tests against real forums are collected only where `GAMEJUDGE_FORUMS=1` asks for them; the summary names the rest.

`GAMEJUDGE_FORUMS=spirit,punkweb` asks for these alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forums import CHOSEN, FORUMS


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True keeps a test file from being looked at; None lets others decide.  Some are about one forum alone."""
    about = [name for name in FORUMS if collection_path.name.startswith(f"test_{name}_")] or FORUMS
    return True if collection_path.name.startswith("test_") and not {*about} & {*CHOSEN} else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "forum_name" in metafunc.fixturenames:
        metafunc.parametrize("forum_name", CHOSEN, scope="module")
