"""Judges that begin at once: a process that has loaded the judge's program, and forks whenever one is wanted.

Each is a process of its own that does what `judge tick` does and can be killed; only the loading, which takes seconds,
is done once.  For each line on its standard input one judge begins: its process id is printed, and when it has ended
its exit code, negative for a signal.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Self

LOADED = ("judge.cli", "judge.cli.serving", "judge.bootstrap", "judge.clock", "judge.registry")


class Nursery:
    """The process, for judges whose database is in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        environment = {**os.environ, "GAMEJUDGE_DATA": str(folder), "PYTHONPATH": str(Path.cwd())}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.nursery"],
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def one_judge(self, born: Callable[[int], object]) -> int:
        """Lets a judge do one round; `born` is called with its process id.  Returns its exit code."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("another\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, self.log.read_text()
        born(int(line))
        return int(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()  # it ends at the end of its input


def main() -> None:
    for name in LOADED:
        import_module(name)
    registry = import_module("judge.registry")
    registry.forums()
    registry.rulesets()
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            os.dup2(2, 1)
            _be_a_judge()
        _tell(pid)
        _tell(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _be_a_judge() -> None:
    sys.argv = ["judge", "tick"]
    try:
        import_module("judge.cli").main()
    except SystemExit as end:
        os._exit(end.code if isinstance(end.code, int) else 1)
    os._exit(0)


if __name__ == "__main__":
    main()
