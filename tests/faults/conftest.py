"""The forums at which letters meet faults: the real ones that are asked for, and always the documented shapes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.scene import Scene, scene
from tests.forums import CHOSEN, DOCUMENTED, start

REAL = "test_faults_real.py"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True keeps a test file from being looked at; None lets others decide."""
    return True if collection_path.name == REAL and not CHOSEN else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "forum_name" in metafunc.fixturenames:
        names = CHOSEN if metafunc.definition.path.name == REAL else DOCUMENTED
        metafunc.parametrize("forum_name", names, scope="module")


@pytest.fixture(scope="module")
def at_work(forum_name: str) -> Iterator[Scene]:
    with start(forum_name) as live, scene(live) as at_work:
        yield at_work
