"""Where forums live on disk: an environment each, installed once from pinned hashes, and a prepared site each.

Both are kept in `build/forums/<name>/`, made under a lock, and made anew when what they are made of has changed.  A run
works on a copy of the prepared site in a folder of its own, so that runs know nothing of each other.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECTS = Path(__file__).parent / "projects"
BUILD = Path(__file__).parents[2] / "build" / "forums"
INSTALLING = 900
"""Seconds that installing one forum may take."""
PREPARING = 180


def fresh_site(name: str, prepare: Callable[[Path], None]) -> Path:
    """A copy of the forum's prepared site in a new folder of the machine's temporary files."""
    home = BUILD / name
    with _locked(home):
        _install(name)
        prepared = home / f"prepared-{_digest(*sorted(PROJECTS.glob(f'{name}*')), PROJECTS.parent / f'{name}.py')}"
        if not prepared.is_dir():
            for old in home.glob("prepared-*"):
                shutil.rmtree(old)
            making = Path(tempfile.mkdtemp(prefix="making-", dir=home))
            prepare(making)
            making.rename(prepared)
        folder = Path(tempfile.mkdtemp(prefix=f"gamejudge-{name}-"))
        shutil.copytree(prepared, folder, symlinks=True, dirs_exist_ok=True)
        # PostgreSQL's own user must get through to its data.
        folder.chmod(0o755)
    return folder


def python(name: str) -> Path:
    """The Python of the forum's own environment."""
    return BUILD / name / "environment" / "bin" / "python"


def variables(name: str, folder: Path, **more: object) -> dict[str, str]:
    """All that the programs of a forum see of the environment."""
    return {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(PROJECTS),
        "DJANGO_SETTINGS_MODULE": f"{name}_settings",
        "FORUM_FOLDER": str(folder),
        **{f"FORUM_{key.upper()}": str(value) for key, value in more.items()},
    }


def run(name: str, environment: dict[str, str], *arguments: str, say: str = "") -> str:
    """Runs the forum's Python once, with `say` as its input; returns what it prints, or raises RuntimeError with it."""
    command = [str(python(name)), *arguments]
    done = subprocess.run(
        command, env=environment, cwd="/", input=say, capture_output=True, text=True, timeout=PREPARING, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def _install(name: str) -> None:
    pins = PROJECTS / f"{name}.txt"
    home = BUILD / name / "environment"
    stamp = home / "installed"
    wanted = f"{_digest(pins)} {sys.version}"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    shutil.rmtree(home, ignore_errors=True)
    sys.stderr.write(f"installing {name} …\n")
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    for command in (
        [sys.executable, "-m", "venv", str(home)],
        [str(python(name)), "-m", "pip", "install", *quiet, "--no-deps", "--require-hashes", "-r", str(pins)],
    ):
        subprocess.run(command, check=True, timeout=INSTALLING, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    stamp.write_text(wanted)


def _digest(*paths: Path) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths if path.is_file())).hexdigest()[:16]


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    """One process at a time; the lock goes with its holder, however he ends."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
