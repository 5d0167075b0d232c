"""Pictures: plain shapes become SVG that no word breaks out of, and words where no picture can stand."""

from __future__ import annotations

import re
from typing import get_args
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from judge.core.picture import Box, Caption, Disc, Paint, Path, Picture, Ring, Shape
from judge.core.report import Report
from judge.core.text import Money, Player, Text
from judge.language import Voice
from judge.render import MarkupName, render_blocks, render_json
from judge.resources import static_folder
from judge.svg import color

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</svg><script>alert("1")</script>'
GERMAN = Voice("de", names={"1": HOSTILE, "2": "Ben"})


def picture(*shapes: Shape) -> Picture:
    alt = Text.of("Two players on {count} squares.", count=46)
    return Picture(title=Text.of("The board"), width=400, height=300, shapes=shapes, alt=alt)


def drawn(*shapes: Shape) -> ElementTree.Element:
    """The SVG of a picture, as the page has it."""
    page = render_blocks([picture(*shapes)], "html", GERMAN)
    found = re.search(r"<svg.*</svg>", page, re.DOTALL)
    assert found
    return ElementTree.fromstring(found[0].replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"'))


def test_every_shape_is_drawn_in_its_order() -> None:
    svg = drawn(
        Box(x=1, y=2, width=30, height=40, paint="tint2", round=3),
        Disc(x=50, y=50, radius=12.345, paint="seat1", edge="none"),
        Ring(x=100, y=100, inner=20, outer=40, start=0, end=90),
        Path(points=((0, 0), (10, 5.55), (0, 10)), closed=True, paint="bad"),
        Path(points=((0, 0), (-0.01, 5)), weight=2),
        Caption(x=9, y=9, text=Money(1200), anchor="end", bold=True),
    )
    tags = [element.tag.removeprefix(SVG) for element in svg]
    assert tags == ["title", "desc", "rect", "circle", "path", "polygon", "polyline", "text"]
    assert (svg[2].get("fill"), svg[2].get("rx")) == ("var(--paint-tint2)", "3")
    assert (svg[3].get("r"), svg[3].get("stroke")) == ("12.3", "none")
    assert (
        svg[4].get("d")
        == "M100,60A40,40,0,0,1,128.3,71.7A40,40,0,0,1,140,100L120,100A20,20,0,0,0,114.1,85.9A20,20,0,0,0,100,80Z"
    )
    assert svg[6].get("points") == "0,0 0,5"
    assert (svg[7].text, svg[7].get("font-weight")) == ("1.200\N{NO-BREAK SPACE}$", "700")


def test_names_cannot_break_out_of_a_picture() -> None:
    svg = drawn(Caption(x=0, y=0, text=Player("1"), says=Text.of("{who} is here", who=Player("1"))))
    group = svg[2]
    assert [element.text for element in group] == [f"{HOSTILE} is here", HOSTILE]


def test_words_that_do_not_fit_are_cut_and_told_in_full_to_whoever_points_at_them() -> None:
    svg = drawn(
        Caption(x=0, y=0, text="Bookshop at the corner", size=10, room=58),
        Caption(x=0, y=0, text=Player("2"), letters=1),
        Caption(x=0, y=0, text="Car", size=10, room=58),
    )
    assert [[element.text for element in shape] for shape in svg[2:4]] == [
        ["Bookshop at the corner", "Bookshop …"],
        ["Ben", "B"],
    ]
    assert svg[4].text == "Car"


@pytest.mark.parametrize("markup", ["txt", "md", "bbcode"])
def test_in_a_post_words_stand_for_the_picture(markup: MarkupName) -> None:
    text = render_blocks([picture(Box(x=0, y=0, width=9, height=9))], markup, GERMAN)
    assert "The board" in text
    assert "Two players on 46 squares" in text.replace("\N{WORD JOINER}", "")
    assert "svg" not in text


def test_the_page_tells_a_picture_in_words_too() -> None:
    page = BeautifulSoup(render_blocks([picture(Box(x=0, y=0, width=9, height=9))], "html", GERMAN), "html.parser")
    assert [desc.text for desc in page.select("svg[role=img] desc")] == ["Two players on 46 squares."]
    shown = render_json(Report(title=Text.of("Round"), blocks=(picture(),)), GERMAN)
    assert shown["blocks"] == [{"block": "picture", "title": "The board", "alt": "Two players on 46 squares."}]


def test_every_paint_is_in_the_style_sheet() -> None:
    sheet = (static_folder() / "style.css").read_text()
    for paint in get_args(Paint):
        assert paint == "none" or re.search(rf"{color(paint)[4:-1]}:", sheet), paint
