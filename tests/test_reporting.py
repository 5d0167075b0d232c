"""On a machine without a browser or a PostgreSQL server the tests say so in their last lines."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import lacking

NEEDS_BROWSER = "def test_page(new_page):\n    new_page()\n"


def run_without_chromium(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one browser test under our conftest where no program can be found."""
    shutil.copy(Path(__file__).parent / "conftest.py", folder)
    (folder / "test_page.py").write_text(NEEDS_BROWSER, encoding="utf-8")
    outer = ("CI", "GAMEJUDGE", "PYTEST")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(outer)}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", folder, folder],
        env={**ours, "PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_missing_browser_is_named_with_its_remedy_in_the_last_lines(tmp_path: Path) -> None:
    done = run_without_chromium(tmp_path)
    assert done.returncode == 0
    assert "1 test for lack of Chromium (apt-get install chromium)" in done.stdout.splitlines()[-5:]


@pytest.mark.parametrize(("variable", "value"), [("CI", "true"), ("GAMEJUDGE_REQUIRE_ALL", "1")])
def test_where_everything_must_run_what_is_missing_is_a_failure(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(pytest.fail.Exception, match="not on this machine: Chromium"):
        lacking("Chromium", "apt-get install chromium")
