"""The wheel, built from the sdist and installed without the checkout, is the whole judge; the lock file fits it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import metadata, packages_distributions
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parent.parent
DEBIAN_PYTHON = "3.11.2"
PARTS = {"markupsafe": "jinja2", "pydantic-core": "pydantic", "starlette": "fastapi"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def files_in(folder: str) -> set[str]:
    """Paths of a folder's files, as they stand in the checkout."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with sdist and wheel, as `make wheel` builds them."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel, and sees this one's dependencies but not the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, next(dist.glob("*.whl"))], check=True, capture_output=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def run(program: Path, *arguments: str | Path, cwd: Path) -> str:
    """What an installed program prints; it must succeed, far away from the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GAMEJUDGE"))}
    done = subprocess.run(
        [program, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_sdist_holds_all_that_the_project_is_made_of(dist: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        inside = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    expected = set().union(*(files_in(folder) for folder in ("judge", "rulesets", "templates", "tests", "deploy")))
    expected |= {"LICENSE", "Makefile", "README.md", "pyproject.toml", "requirements.lock"}
    assert expected - inside == set()


def test_the_wheel_holds_templates_rulesets_catalogues_and_migrations(dist: Path) -> None:
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as archive:
        inside = set(archive.namelist())
    expected = files_in("judge") | files_in("rulesets") | {f"judge/{path}" for path in files_in("templates")}
    assert expected - inside == set()
    for kind in (
        r"judge/templates/pages/.*\.html",
        r"judge/locale/de/.*\.po",
        r"judge/store/migrations/versions/.*\.py",
        r"judge/web/static/.*\.css",
        r"judge/web/fairness/FAIRNESS\.de\.md",
        r"judge/core/SEALING\.md",
        r"rulesets/\w+/RULES\.md",
        r"rulesets/\w+/locale/de/.*\.po",
        r"rulesets/\w+/.*\.toml",
    ):
        assert any(re.fullmatch(kind, path) for path in inside), kind
    assert not [path for path in inside if path.startswith(("tests/", "deploy/", "templates/"))]


def test_an_installed_judge_is_complete_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    where = run(
        installed / "python", "-c", "import judge, rulesets; print(judge.__file__, rulesets.__file__)", cwd=tmp_path
    )
    assert str(ROOT) not in where
    folders = "templates_folder", "locale_folder", "migrations_folder", "static_folder", "fairness_folder"
    question = f"from judge import resources; print(*(getattr(resources, name)().is_dir() for name in {folders}))"
    assert run(installed / "python", "-c", question, cwd=tmp_path) == "True True True True True\n"


def test_an_installed_judge_explains_itself(installed: Path, tmp_path: Path) -> None:
    shown = run(installed / "judge", "--help", cwd=tmp_path)
    for command in ("run", "tick", "demo", "new-game", "games", "link", "replay", "bots", "check"):
        assert re.search(rf"\b{command}\b", shown), command


@pytest.mark.parametrize("ruleset", PROJECT["entry-points"]["judge.rulesets"])
def test_an_installed_judge_replays_a_playthrough(ruleset: str, installed: Path, tmp_path: Path) -> None:
    playthrough = min((ROOT / "tests" / "playthroughs" / ruleset).glob("*.txt"))
    shown = run(installed / "judge", "replay", playthrough, cwd=tmp_path)
    assert shown == playthrough.read_text(encoding="utf-8")


def spelled(distribution: str) -> str:
    return distribution.lower().replace("_", "-")


def names_in(requirements: list[str]) -> set[str]:
    return {spelled(re.split(r"[^\w.-]", line)[0]) for line in requirements}


def imported(module: Path) -> set[str]:
    """Top-level packages from outside that a module imports."""
    names = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"judge", "rulesets"}


def test_whatever_is_imported_is_a_declared_dependency() -> None:
    declared = names_in(PROJECT["dependencies"])
    owners = {
        package: {PARTS.get(spelled(owner), spelled(owner)) for owner in distributions}
        for package, distributions in packages_distributions().items()
    }
    undeclared = [
        (module.relative_to(ROOT).as_posix(), package)
        for folder in ("judge", "rulesets")
        for module in (ROOT / folder).rglob("*.py")
        for package in imported(module)
        if not owners.get(package, set()) & declared
    ]
    assert undeclared == []


def test_the_lock_file_pins_everything_by_hash_and_names_no_address() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = [block for block in re.split(r"\n(?=\S)", lock) if not block.startswith("#")]
    assert pins
    assert all(re.match(r"[a-z0-9.-]+(\[\w+\])?==\S+ \\\n    --hash=sha256:[0-9a-f]{64}", pin) for pin in pins)
    assert not re.search(r"://|^--|find-links|index-url| /", lock, re.MULTILINE)
    extras = PROJECT["optional-dependencies"]
    wanted = names_in([*PROJECT["dependencies"], *extras["dev"], *extras["postgres"]])
    assert wanted - {pin.split("==")[0].split("[")[0] for pin in pins} == set()


def test_everything_in_the_lock_file_installs_with_the_python_of_debian_12() -> None:
    pinned = re.findall(r"^([a-z0-9.-]+)\S*==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    needs = {name: metadata(name)["Requires-Python"] or "" for name in pinned}
    assert {name: need for name, need in needs.items() if DEBIAN_PYTHON not in SpecifierSet(need)} == {}
