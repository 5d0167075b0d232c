"""The rules show pictures: from a file on the disk, on the page, in both languages, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastapi import FastAPI

from judge.language import LANGUAGES
from judge.registry import rulesets
from judge.web.app import create_app
from judge.web.template import sanitised
from tests.at_the_table import TestTable
from tests.pictures.rules import files_of
from tests.visitors import Visitor

SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)]*)\)")
PICTURED = [name for name, ruleset in rulesets().items() if list(files_of(ruleset))]
every_pictured = pytest.mark.parametrize("name", PICTURED)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def app(table: TestTable) -> FastAPI:
    return create_app(table.judge)


def shown_in(folder: Path, language: str) -> list[tuple[str, str]]:
    """Alternative text and place of each picture in the rules of a language."""
    rules = folder / ("RULES.md" if language == "en" else f"RULES.{language}.md")
    return SHOWN.findall(rules.read_text(encoding="utf-8"))


@every_pictured
def test_the_files_are_as_the_game_would_draw_them_today(name: str) -> None:
    """`make picture` writes them anew."""
    ruleset = rulesets()[name]
    drawn = dict(files_of(ruleset))
    assert set((ruleset.folder / "pictures").iterdir()) == set(drawn)
    for file, content in drawn.items():
        assert file.read_text(encoding="utf-8") == content, f"{file.name}: make picture"


@every_pictured
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_show_each_picture_with_a_text_for_those_who_do_not_see_it(name: str, language: str) -> None:
    folder = rulesets()[name].folder
    pictures = shown_in(folder, language)
    ending = ".svg" if language == "en" else f".{language}.svg"
    there = {file.name for file in (folder / "pictures").iterdir() if file.name.endswith(ending)}
    if language == "en":
        there = {file for file in there if file.count(".") == 1}
    assert {place for _, place in pictures} == {f"pictures/{file}" for file in there}
    assert all(len(alt.split()) > 3 for alt, _ in pictures)


@every_pictured
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_them(app: FastAPI, name: str, language: str) -> None:
    visitor = Visitor(app, language=language)
    images = visitor.get(f"/rules/{name}").select("article img")
    assert [image["alt"] for image in images] == [alt for alt, _ in shown_in(rulesets()[name].folder, language)]
    for image in images:
        answer = visitor.client.get(str(image["src"]))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script" not in policy
        drawing = ElementTree.fromstring(answer.text)
        assert drawing.findtext(f"{SVG}desc")
        assert "prefers-color-scheme: dark" in (drawing.findtext(f"{SVG}style") or "")


@pytest.mark.parametrize("path", ["nothing.svg", "..%2fRULES.md", "%2e%2e%2fmoney_maker.toml", "city.svg%00"])
def test_nothing_but_its_pictures_is_handed_out(app: FastAPI, path: str) -> None:
    answer = Visitor(app).client.get(f"/rules/money-maker/pictures/{path}")
    assert answer.status_code == 404


def test_other_answers_keep_the_policy_of_the_pages(app: FastAPI) -> None:
    assert "default-src 'self'" in Visitor(app).client.get("/rules/money-maker").headers["content-security-policy"]


def test_a_post_shows_no_picture() -> None:
    assert "<img" not in sanitised("![Look](https://example.org/pixel.gif)")
    assert "<img" in sanitised("![Look](/rules/money-maker/pictures/city.svg)", pictures=True)
