"""Tests against real forums are collected only where `GAMEJUDGE_FORUMS=1` asks for them; the summary names the rest.

`GAMEJUDGE_FORUMS=spirit,punkweb` asks for these alone.  What every connector must do is always asked of the servers
that answer in a documented shape, and of forums elsewhere where their variables name them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forums import CHOSEN, DOCUMENTED, ELSEWHERE, FORUMS, NAMED

CONTRACT = "test_contract_"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """True keeps a test file from being looked at; None lets others decide.  Some are about one forum alone."""
    file = collection_path.name
    if not file.startswith("test_") or file.startswith(CONTRACT):
        return None
    about = [name for name in (*FORUMS, *ELSEWHERE) if file.startswith(f"test_{name}_")] or FORUMS
    return None if {*about} & {*CHOSEN, *NAMED} else True


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "forum_name" in metafunc.fixturenames:
        names = CHOSEN
        if metafunc.definition.path.name.startswith(CONTRACT):
            names = (*CHOSEN, *NAMED, *DOCUMENTED)
        metafunc.parametrize("forum_name", names, scope="module")
