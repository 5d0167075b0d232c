"""Every playthrough in `playthroughs/` is what the judge makes of it; `pytest --rewrite` writes what it makes now."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.playthrough import replay, replay_json
from judge.registry import rulesets
from tests.toy_ruleset import ruleset as lots

pytest_plugins = ["pytester"]

FOLDER = Path(__file__).parent / "playthroughs"
RULESETS = {**rulesets(), lots.name: lots}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*/*.txt")), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_playthrough_is_its_own_replay(file: Path, pytestconfig: pytest.Config) -> None:
    script = file.read_text(encoding="utf-8")
    played = replay(script, RULESETS)
    if pytestconfig.getoption("rewrite") and played != script:
        file.write_text(played, encoding="utf-8")
        script = played
    assert played == script
    assert replay_json(script, RULESETS)["game"] == file.parent.name


def test_example_in_the_readme_is_its_own_replay() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    example = readme[readme.index("    Over-eager") : readme.index("\n\n## The head")] + "\n"
    assert replay(example, RULESETS) == example


@pytest.mark.parametrize("name", RULESETS)
def test_no_ruleset_lacks_a_playthrough(name: str) -> None:
    assert list((FOLDER / name).glob("*.txt")), f"write a first game in tests/playthroughs/{name}/"


def test_every_folder_of_playthroughs_belongs_to_a_ruleset() -> None:
    assert {folder.name for folder in FOLDER.iterdir() if folder.is_dir()} <= set(RULESETS)


def test_one_playthrough_of_each_ruleset_reaches_the_end() -> None:
    for name in RULESETS:
        ends = [
            replay_json(file.read_text(encoding="utf-8"), RULESETS)["over"] for file in (FOLDER / name).glob("*.txt")
        ]
        assert any(ends), f"no playthrough of {name} ends"


def test_rewriting_keeps_what_the_author_wrote(pytester: pytest.Pytester) -> None:
    """A file with stale and missing lines of the judge fails, is rewritten on request, and then stands."""
    here = Path(__file__).parent
    pytester.makeconftest('def pytest_addoption(parser): parser.addoption("--rewrite", action="store_true")')
    pytester.makepyfile(test_copy=(here / "test_playthroughs.py").read_text(encoding="utf-8"))
    file = FOLDER / "lots" / "a-tie-and-a-hidden-card.txt"
    copy = pytester.mkdir("playthroughs") / "lots" / file.name
    copy.parent.mkdir()
    good = file.read_text(encoding="utf-8")
    stale = "\n".join(line for line in good.splitlines() if not line.startswith("all: Anna"))
    copy.write_text(stale.replace("Du hast 1", "Du hast 5") + "\n", encoding="utf-8")
    only = ("-k", "playthrough_is_its_own_replay", "-p", "no:cacheprovider")
    pytester.runpytest_inprocess(*only).assert_outcomes(failed=1)
    assert copy.read_text(encoding="utf-8") != good
    pytester.runpytest_inprocess(*only, "--rewrite").assert_outcomes(passed=1)
    assert copy.read_text(encoding="utf-8") == good
