"""What the README shows happens: its console blocks are run as a visitor would, in a clone of the checkout.

A block is a session: lines that start with `$ ` are typed (a line ending in a backslash goes on in the next), the lines
below are the output. A command without lines below claims nothing about its output; a line `…` stands for any lines and
`…` inside a line for any text. `make run` serves until it is stopped, so it is read until it says where it serves,
visited once and stopped; its port is chosen by `PORT`, and the README's 8000 is compared as that port. `make test` is
exempt, since it is what runs this.
"""

from __future__ import annotations

import os
import re
import selectors
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXEMPT = {"make test"}
SECONDS = 120


@dataclass
class Typed:
    """One command of a console block, and the output that the README shows for it."""

    command: str
    shown: list[str] = field(default_factory=list)


def console_blocks(markdown: str) -> list[list[Typed]]:
    """The commands of each ```console block; a line before the first command is an error of the README."""
    blocks = []
    for block in re.findall(r"^```console\n(.*?)^```$", markdown, re.MULTILINE | re.DOTALL):
        session: list[Typed] = []
        lines = iter(block.splitlines())
        for line in lines:
            if line.startswith("$ "):
                command = line[2:]
                while command.endswith("\\"):
                    command = f"{command[:-1].rstrip()} {next(lines).lstrip('> ')}"
                session.append(Typed(command))
            else:
                assert session, f"output before any command: {line!r}"
                session[-1].shown.append(line.rstrip())
        blocks.append(session)
    return blocks


def line_pattern(line: str) -> str:
    return ".*".join(map(re.escape, line.split("…"))) + r"[ \t\r]*"


def matches(shown: list[str], printed: str) -> bool:
    """Whether a program printed what the README shows, trailing white space and empty last lines aside."""
    if not shown:
        return True
    pattern = ""
    for line in shown:
        pattern += r"(?:.*\n)*?" if line == "…" else line_pattern(line) + r"\n"
    return re.fullmatch(pattern + r"\n*", printed.rstrip("\n") + "\n") is not None


SESSIONS = console_blocks((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout as it is now; it takes this environment for its own, and for up to date."""
    folder = tmp_path_factory.mktemp("readme") / "gamejudge"
    private = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "var", "config.toml")
    shutil.copytree(ROOT, folder, ignore=private)
    (folder / ".venv").mkdir()
    for part in ("bin", "lib"):
        (folder / ".venv" / part).symlink_to(ROOT / ".venv" / part)
    (folder / ".venv" / "installed").touch()
    return folder


def environment() -> dict[str, str]:
    """A visitor's: nothing of ours is set, and the terminal is as wide as the README."""
    ours = ("GAMEJUDGE", "MAKE", "MFLAGS", "PORT", "PYTEST")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}


def test_the_readme_begins_with_the_two_commands_that_do_everything() -> None:
    commands = [typed.command for session in SESSIONS for typed in session]
    assert "make run" in commands
    assert "make test" in commands


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session[0].command)
def test_the_readme_shows_what_happens(session: list[Typed], clone: Path) -> None:
    for typed in session:
        if typed.command in EXEMPT:
            continue
        if typed.command == "make run":
            port = free_port()
            shown = [line.replace("8000", str(port)) for line in typed.shown]
            assert_shown(shown, run_and_visit(clone, port, sign=shown[-1]))
        else:
            done = subprocess.run(
                ["bash", "-c", typed.command],
                cwd=clone,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
                check=False,
            )
            assert done.returncode == 0, f"$ {typed.command}\n{done.stdout}"
            assert_shown(typed.shown, done.stdout)


def assert_shown(shown: list[str], printed: str) -> None:
    assert matches(shown, printed), "the README shows\n" + "\n".join(shown) + "\nbut this was printed\n" + printed


def run_and_visit(clone: Path, port: int, sign: str) -> str:
    """What `make run` prints up to the line that the README ends with; then the pages must open."""
    started = subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=clone,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        printed = read_until(started, sign)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
            assert answer.status == 200
    finally:
        os.killpg(started.pid, signal.SIGINT)
        try:
            started.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            raise
        finally:
            started.stdout.close()
    return printed


def read_until(started: subprocess.Popen[bytes], sign: str) -> str:
    """A program's output up to and including the line that reads like `sign`."""
    printed = b""
    give_up = time.monotonic() + SECONDS
    with selectors.DefaultSelector() as ready:
        ready.register(started.stdout, selectors.EVENT_READ)
        while not re.search(re.escape(sign).encode() + rb".*\n", printed):
            assert ready.select(give_up - time.monotonic()), f"no {sign} in time:\n{printed.decode()}"
            piece = os.read(started.stdout.fileno(), 65536)
            assert piece, f"ended without {sign}:\n{printed.decode()}"
            printed += piece
    return printed.decode()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


EXAMPLE = """\
Text before.

```console
$ echo one; \\
> echo two
one
two
$ make test
```

```python
$ not a console
```

```console
$ true
```
"""


def test_console_blocks_are_read_as_commands_with_their_output() -> None:
    assert console_blocks(EXAMPLE) == [
        [Typed("echo one; echo two", ["one", "two"]), Typed("make test")],
        [Typed("true")],
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ([], "whatever\n", True),
        (["one", "two"], "one\ntwo\n", True),
        (["one", "two"], "one  \ntwo\n\n", True),
        (["one"], "one\ntwo\n", False),
        (["one", "two"], "one\n", False),
        (["one", "…"], "one\ntwo\nthree\n", True),
        (["…", "three"], "one\ntwo\nthree\n", True),
        (["one", "…", "three"], "one\nthree\n", True),
        (["one", "…", "four"], "one\ntwo\nthree\n", False),
        (["at …, in all (3)"], "at 12:30, in all (3)\n", True),
        (["at …, in all (3)"], "at 12:30, in all (4)\n", False),
    ],
)
def test_output_is_compared_line_by_line_with_gaps(shown: list[str], printed: str, same: bool) -> None:
    assert matches(shown, printed) is same
