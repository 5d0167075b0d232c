"""Draws the pictures of the rules: what a game's module `pictures` describes, as SVG files, one for each language.

A file has the colours of the pages in it, for light and for dark, so that it looks the same wherever RULES.md is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from judge.core.picture import Picture
from judge.core.ruleset import AnyRuleset
from judge.language import LANGUAGES, Voice
from judge.registry import rulesets
from judge.render import render_blocks
from judge.resources import static_folder

FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif'


def pictures_of(ruleset: AnyRuleset) -> Mapping[str, Picture]:
    """By the names of their files; none if the game has no module `pictures`."""
    name = f"rulesets.{ruleset.folder.name}.pictures"
    found: Mapping[str, Picture] = import_module(name).PICTURES if find_spec(name) else {}
    return found


def files_of(ruleset: AnyRuleset) -> Iterator[tuple[Path, str]]:
    """Every picture of a game's rules as a file: where it lies, and what is in it."""
    for name, picture in pictures_of(ruleset).items():
        for language in LANGUAGES:
            voice = Voice.of(ruleset, language)
            ending = "" if language == "en" else f".{language}"
            yield ruleset.folder / "pictures" / f"{name}{ending}.svg", svg(picture, voice)


def svg(picture: Picture, voice: Voice) -> str:
    """The picture as it stands in a page, as a document of its own."""
    page = render_blocks([picture], "html", voice)
    drawing = re.search(r"<svg (.*?)>(.*)</svg>", page, re.DOTALL)
    assert drawing is not None
    opened = f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture.width}" height="{picture.height}" {drawing[1]}>'
    return f"{opened}\n<style>\n{colours(page)}</style>{drawing[2]}</svg>\n"


def colours(page: str) -> str:
    """Of the pages' style sheet the colours, light and dark, that stand in this picture."""
    sheet = (static_folder() / "style.css").read_text(encoding="utf-8")
    paints = _named(sheet, _used(page))
    light, dark = (
        _named(block, _used("".join(paints.values())))
        for block in re.findall(r":root \{([^}]*--paper[^}]*)\}", sheet)[:2]
    )
    return "\n".join(
        [
            f"svg {{ {_declared(light | paints)} font-family: {FONT}; font-variant-numeric: tabular-nums; }}",
            f"@media (prefers-color-scheme: dark) {{ svg {{ {_declared(dark)} }} }}",
            "",
        ]
    )


def _used(text: str) -> set[str]:
    return set(re.findall(r"var\((--[\w-]+)\)", text))


def _named(block: str, names: set[str]) -> dict[str, str]:
    """The custom properties of these names that a part of the style sheet gives a value."""
    return {name: value for name, value in re.findall(r"(--[\w-]+): ([^;]+);", block) if name in names}


def _declared(properties: Mapping[str, str]) -> str:
    return " ".join(f"{name}: {value};" for name, value in sorted(properties.items()))


def main() -> None:
    for ruleset in rulesets().values():
        for file, content in files_of(ruleset):
            file.parent.mkdir(exist_ok=True)
            file.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
