"""The shape of the code itself. Arrows of import between our packages are import-linter's (`make lint`)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_LINES = 400
EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "manager", "managers", "base", "misc"}
CLOCK_READERS = {
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("datetime", "today"),
    ("date", "today"),
    ("time", "time"),
}
CHANCE_AND_CLOCK = {"random", "secrets", "time", "uuid"}
OUTSIDE_WORLD = {"asyncio", "http", "socket", "sqlite3", "subprocess", "threading", "urllib"}


def files(*folders: str, suffix: str = "") -> list[Path]:
    """All our own files in these folders of the checkout."""
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*" + suffix)
        if path.is_file() and "__pycache__" not in path.parts
    )


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


MODULES = files("judge", "rulesets", "tests", suffix=".py")
OURS = pytest.mark.parametrize("module", MODULES, ids=place)


def imports(module: Path) -> Iterator[str]:
    """Full names of what a module imports, also inside its functions."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(module)}, line {node.lineno}: a relative import"
            yield node.module or ""


def clock_reads(module: Path) -> list[int]:
    """Lines that ask what time it is."""
    calls = (node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    return [call.lineno for call in calls if tuple(ast.unparse(call.func).split(".")[-2:]) in CLOCK_READERS]


@OURS
def test_a_module_is_short_enough_to_read(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@OURS
def test_a_module_is_named_after_what_it_holds(module: Path) -> None:
    assert not EMPTY_NAMES & {module.stem, *module.relative_to(ROOT).parts}


def test_every_folder_says_what_lives_there() -> None:
    folders = {path.parent for path in files("judge", "rulesets", "templates", "tests", "deploy")}
    explained_by_parent = {"locale", "de", "LC_MESSAGES", "static", "versions", "playthroughs", "exports", "pictures"}
    silent = [
        place(folder)
        for folder in sorted(folders)
        if not explained_by_parent & set(folder.relative_to(ROOT).parts)
        and not any((folder / name).is_file() for name in ("README.md", "RULES.md"))
    ]
    assert silent == [], "folders without a README.md"


def test_time_is_read_only_at_the_edges() -> None:
    reads = {place(module): clock_reads(module) for module in files("judge", "rulesets", suffix=".py")}
    inside = {
        name: lines
        for name, lines in reads.items()
        if lines and not name.startswith(("judge/clock", "judge/cli", "judge/web/"))
    }
    assert inside == {}, "everything else is given `now`"
    assert sum(len(lines) for name, lines in reads.items() if name.startswith("judge/web/")) <= 1


@pytest.mark.parametrize("module", files("judge/core", suffix=".py"), ids=place)
def test_core_needs_only_the_standard_library_pydantic_and_canonical_json(module: Path) -> None:
    packages = {name.split(".")[0] for name in imports(module) if not name.startswith("judge.core")}
    assert packages <= sys.stdlib_module_names | {"pydantic", "pydantic_core", "rfc8785"}
    assert not packages & OUTSIDE_WORLD


@pytest.mark.parametrize("module", files("rulesets", suffix=".py"), ids=place)
def test_a_ruleset_knows_no_clock_no_chance_of_its_own_and_no_world_outside(module: Path) -> None:
    packages = {name.split(".")[0] for name in imports(module) if not name.startswith(("judge.core", "rulesets"))}
    assert packages <= sys.stdlib_module_names | {"pydantic"}
    assert not packages & (OUTSIDE_WORLD | CHANCE_AND_CLOCK)


def test_nothing_in_the_judge_names_a_ruleset() -> None:
    games = [folder.name for folder in (ROOT / "rulesets").iterdir() if (folder / "__init__.py").is_file()]
    assert games
    spellings = {game.replace("_", joint) for game in games for joint in ("_", "-", " ")}
    naming = [
        (place(path), spelling)
        for path in files("judge", "templates")
        if path.suffix != ".md" and path.suffix not in {".png", ".ico", ".woff2"}
        for spelling in spellings
        if spelling in path.read_text(encoding="utf-8").lower()
    ]
    assert naming == []
