"""What is installed: games and forums, found by the entry points that their packages declare.

A package offers a game with

    [project.entry-points."judge.rulesets"]
    noughts-and-crosses = "noughts_and_crosses:ruleset"

and a forum likewise under `judge.forums`.  The games that come with the judge use the same door.
A game goes on in the version it was begun with: beside `ruleset`, its module may hold `versions`, a mapping of version
numbers to older rulesets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType, ModuleType
from typing import Any

from judge.core.ruleset import AnyRuleset, Ruleset
from judge.core.text import Text


class NotInstalledError(LookupError):
    """A game, version or forum that nobody offers here; `text` tells people what there is."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.text.format(**text.values))


@cache
def rulesets() -> Mapping[str, AnyRuleset]:
    """The newest version of every installed game, by name, in alphabetical order."""
    found = {point.name: point.load() for point in _points("judge.rulesets")}
    for name, ruleset in found.items():
        if not isinstance(ruleset, Ruleset) or ruleset.name != name:
            raise TypeError(f"the entry point “{name}” in judge.rulesets does not lead to a ruleset of that name")
    return MappingProxyType(found)


def ruleset(name: str, version: int | None = None) -> AnyRuleset:
    """A game by its name, newest version or the one asked for; raises `NotInstalledError`."""
    newest = rulesets().get(name)
    if newest is None:
        raise unknown_ruleset(name, rulesets())
    if version is None or version == newest.version:
        return newest
    older = _versions(name)
    if version not in older:
        known = ", ".join(str(number) for number in sorted({*older, newest.version}))
        raise NotInstalledError(
            Text.of(
                "The game “{name}” is not installed in version {version}; versions here: {known}.",
                name=name,
                version=str(version),
                known=known,
            )
        )
    return older[version]


def unknown_ruleset(name: str, known: Iterable[str]) -> NotInstalledError:
    """The answer to a name that no game has: what there is, and what was probably meant."""
    names = sorted(known)
    listed = ", ".join(names) or "–"
    near = get_close_matches(name.casefold(), names, n=1)
    if not near:
        return NotInstalledError(Text.of("There is no game “{name}”; games here: {known}.", name=name, known=listed))
    return NotInstalledError(
        Text.of(
            "There is no game “{name}”. Did you mean “{nearest}”? Games here: {known}.",
            name=name,
            nearest=near[0],
            known=listed,
        )
    )


@cache
def forums() -> Mapping[str, Any]:
    """What each installed forum's entry point leads to, by name."""
    return MappingProxyType({point.name: point.load() for point in _points("judge.forums")})


def forums_without_account() -> tuple[str, ...]:
    """The forums at which a game can be played without anything being set up; the others need an account there.

    What a connector needs stands in its module as `SETTINGS`.
    """
    return tuple(name for name in forums() if not forum_settings(name))


def forum_settings(name: str) -> tuple[Any, ...]:
    """What the connector of a kind of forum must or may be told, each a `Setting`; raises `NotInstalledError`."""
    module = _forum_module(name)
    if module is None:
        known = ", ".join(other for other in forums() if forum_settings(other)) or "–"
        raise NotInstalledError(
            Text.of(
                "There is no connector for forums of the kind “{kind}”; there are: {known}.", kind=name, known=known
            )
        )
    settings: tuple[Any, ...] = getattr(module, "SETTINGS", ())
    return settings


def forum_hook(name: str) -> Any:
    """How the webhook of a kind of forum is read (judge.forum.Hook); None if it has none."""
    return getattr(_forum_module(name), "HOOK", None)


def _forum_module(name: str) -> ModuleType | None:
    point = next((point for point in _points("judge.forums") if point.name == name), None)
    return None if point is None else import_module(point.module)


def _points(group: str) -> list[EntryPoint]:
    return sorted(entry_points(group=group), key=lambda point: point.name)


def _versions(name: str) -> Mapping[int, AnyRuleset]:
    """Older versions of a game that its module keeps."""
    point = next(point for point in _points("judge.rulesets") if point.name == name)
    versions: Mapping[int, AnyRuleset] = getattr(import_module(point.module), "versions", {})
    return versions
