"""The command `judge` as people use it: in a folder of its own, in this process, or as a real one where it matters."""

from __future__ import annotations

import contextlib
import io
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.cli import main

COMMAND = [str(Path(sys.executable).parent / "judge")]
SECONDS = 60

# Root may write everything; a process without this right obeys the modes of files as other users do.
OBEYING_MODES = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


@dataclass
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str


@dataclass
class CommandLine:
    """Runs commands in `folder`, where config, database and key file are."""

    folder: Path

    def __call__(self, *arguments: str, stdin: str = "") -> Ran:
        """In this process."""
        out, err, given = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(3))
        given.write(stdin)
        given.seek(0)
        before, sys.stdin = sys.stdin, given
        width = os.environ.pop("COLUMNS", None)  # a terminal's width, which other tests may have set
        try:
            with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(arguments)
        finally:
            sys.stdin = before
            if width is not None:
                os.environ["COLUMNS"] = width
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return Ran(code, *texts)

    def process(
        self, *arguments: str, language: str = "C.UTF-8", within: tuple[str, ...] = (), encoding: str | None = None
    ) -> Ran:
        """As a process of its own, started by the program `within`."""
        done = subprocess.run(
            [*within, *COMMAND, *arguments],
            cwd=self.folder,
            env=environment(language),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            encoding=encoding,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    @contextlib.contextmanager
    def running(self, *arguments: str, language: str = "C.UTF-8") -> Iterator[subprocess.Popen[str]]:
        """A process that serves; it is killed if it has not ended by itself."""
        started = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=self.folder,
            env=environment(language),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield started
        finally:
            started.kill()
            started.communicate()

    def config(self, content: str) -> None:
        (self.folder / "config.toml").write_text(content, encoding="utf-8")


def environment(language: str) -> dict[str, str]:
    """Nothing of this test run's own settings, and the language that the terminal asks for."""
    foreign = ("GAMEJUDGE", "LANG", "LC_", "COLUMNS", "TERM", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {**kept, "LANG": language, "PYTHONUNBUFFERED": "1"}


def read_until(started: subprocess.Popen[str], sign: str) -> str:
    """What a process prints, up to the line that holds `sign`."""
    assert started.stdout is not None
    printed = ""
    give_up = time.monotonic() + SECONDS
    for line in started.stdout:
        printed += line
        if sign in line:
            return printed
        assert time.monotonic() < give_up, printed
    raise AssertionError(f"ended without {sign!r}:\n{printed}\n{started.communicate()[1]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
