"""Games and forums are found by entry points; an older version goes on beside the newest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge import registry
from judge.language import Voice
from judge.registry import NotInstalledError, forums, forums_without_account, ruleset, rulesets


@pytest.fixture
def another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that offers the toy game in version 3 and keeps version 2."""
    (tmp_path / "lots_game.py").write_text(
        "from dataclasses import replace\n"
        "from tests.toy_ruleset import ruleset as first\n"
        "ruleset = replace(first, version=3)\n"
        "versions = {2: replace(first, version=2)}\n"
    )
    info = tmp_path / "lots_game-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lots-game\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[judge.rulesets]\nlots = lots_game:ruleset\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.rulesets.cache_clear()
    yield
    sys.modules.pop("lots_game", None)
    registry.rulesets.cache_clear()


def test_games_that_come_with_the_judge_use_the_same_door() -> None:
    assert rulesets()
    assert all(ruleset(name) is found and found.name == name for name, found in rulesets().items())
    assert list(rulesets()) == sorted(rulesets())


@pytest.mark.usefixtures("another_package")
def test_game_of_another_package_is_found_in_each_version_that_it_keeps() -> None:
    """T143: a stored game stays on the version of the rules that it was begun with."""
    assert ruleset("lots").version == 3
    assert ruleset("lots", 3) is ruleset("lots")
    assert ruleset("lots", 2).version == 2
    with pytest.raises(NotInstalledError, match="version 1; versions here: 2, 3"):
        ruleset("lots", 1)


@pytest.mark.usefixtures("another_package")
def test_unknown_name_is_answered_with_what_there_is_and_the_nearest() -> None:
    with pytest.raises(NotInstalledError, match=r"“Lost”\. Did you mean “lots”") as found:
        ruleset("Lost")
    assert "Meinst Du „lots“?" in Voice("de").say(found.value.text)
    with pytest.raises(NotInstalledError, match=r"no game “xyz”; games here: .*lots"):
        ruleset("xyz")


def test_entry_point_with_another_name_than_its_game_is_a_fault(
    another_package: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = tmp_path / "lots_game-1.0.dist-info" / "entry_points.txt"
    entry.write_text("[judge.rulesets]\nplots = lots_game:ruleset\n")
    registry.rulesets.cache_clear()
    with pytest.raises(TypeError, match="“plots”"):
        rulesets()


def test_built_in_board_is_a_forum_like_any_other() -> None:
    assert "board" in forums()


def test_forums_that_need_an_account_are_not_offered_without_one() -> None:
    assert "misago" in forums()
    assert "misago" not in forums_without_account()
    assert "board" in forums_without_account()
