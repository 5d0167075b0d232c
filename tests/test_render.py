"""One report in four markups: the same words and numbers, and nothing in them is taken for markup."""

from __future__ import annotations

import re
from typing import get_args
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from hypothesis import example, given
from hypothesis import strategies as st
from markdown import markdown as python_markdown
from markdown_it import MarkdownIt

from judge.core.report import Block, Chart, Heading, Line, Report, Series, Table
from judge.core.text import Money, Player, Text
from judge.language import Voice
from judge.render import MarkupName, render, render_blocks, render_json

MARKUPS: tuple[MarkupName, ...] = get_args(MarkupName)
JOINER = "\N{WORD JOINER}"
GERMAN = Voice("de", names={"1": "Anna", "2": "Ben"})
ENGLISH = Voice("en", names={"1": "Anna", "2": "Ben"})

PRICES = Table(
    title=Text.of("Price board"),
    head=(Text.of("Month"), "X", "F"),
    rows=((Text.of("January"), 40, 1300), (Text.of("February"), 37, None)),
    board=True,
)
CASH = Table(
    title=Text.of("Cash"),
    head=(None, Text.of("Cash"), Text.of("Word")),
    rows=((Player("1"), Money(1234), "yes"), (Player("2"), Money(-50), "no")),
)
CHART = Chart(
    title=Text.of("Prices by month"),
    across=(1, 2, 3, 4),
    series=(
        Series(name=Text.of("X-Fine"), values=(40, 37, None, 41)),
        Series(name="Fine", values=(30, 31, 29, 40)),
        Series(name="New", values=(None, None, None, None)),
    ),
    alt=Text.of("X-Fine rises from {a} to {b}.", a=40, b=41),
)
REPORT = Report(
    title=Text.of("Month {month}", month=7),
    blocks=(
        Line(text=Text.of("{who} pays {price} for {count} units.", who=Player("1"), price=Money(278), count=6)),
        Heading(text=Text.of("Prices")),
        PRICES,
        CHART,
        Heading(text=Player("2")),
        Line(text=Text.of("bid {bid}, market {market}: no X-Fine", bid=38, market=41), item=True),
        Line(text=Text.of("bid {bid}: bought", bid=45), item=True),
        CASH,
    ),
)


def one_line(words: str, player: str = "") -> Report:
    return Report(title=Text.of("Title"), blocks=(Line(text=Text.of("{words}", words=words)),))


def shown(markdown: str) -> list[str]:
    """What two readings of Markdown make of a text: CommonMark with tables, and Python's."""
    common = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    return [common, python_markdown(markdown, extensions=["tables"])]


def numbers(text: str) -> list[str]:
    """Every number, as written, without the line that Markdown or plain text draws."""
    return re.findall(r"−?\$?\d[\d.,]*\d|−?\$?\d", text.replace(JOINER, ""))


@pytest.mark.parametrize("voice", [ENGLISH, GERMAN], ids=["en", "de"])
def test_four_markups_have_the_same_numbers(voice: Voice) -> None:
    """T300: parsed back, each markup holds the same numbers in the same order."""
    page = BeautifulSoup(render(REPORT, "html", voice), "html.parser")
    for drawn in page.select("svg, figure details"):
        drawn.decompose()
    expected = numbers(page.get_text(" "))
    assert len(expected) > 10
    assert numbers(render(REPORT, "txt", voice)) == expected
    assert numbers(render(REPORT, "bbcode", voice)) == expected
    assert numbers(render(REPORT, "md", voice)) == expected
    for reading in shown(render(REPORT, "md", voice)):
        assert numbers(BeautifulSoup(reading, "html.parser").get_text(" ")) == expected


def test_plain_text_reads_as_a_whole() -> None:
    assert render(REPORT, "txt", GERMAN) == (
        "Month 7\n=======\n\n"
        "Anna pays 278 $ for 6 units.\n\n"
        "Prices\n------\n\n"
        "Price board\n\n"
        "Month      X      F\n"
        "--------  --  -----\n"
        "January   40  1.300\n"
        "February  37      –\n\n"
        "Prices by month: X-Fine rises from 40 to 41.\n\n"
        "Ben\n---\n\n"
        "- bid 38, market 41: no X-Fine\n"
        "- bid 45: bought\n\n"
        "Cash\n\n"
        "         Cash  Word\n"
        "----  -------  ----\n"
        "Anna  1.234 $  yes\n"
        "Ben     −50 $  no\n"
    )


def test_bbcode_has_tables_that_need_no_table_tag() -> None:
    text = render(REPORT, "bbcode", ENGLISH)
    assert "[b]Month 7[/b]\n" in text
    assert "[b]Price board[/b]\n[code]\nMonth      X      F\n--------  --  -----\nJanuary   40  1,300\n" in text
    assert set(re.findall(r"\[/?(\w+)", text)) == {"b", "code"}


def test_markdown_has_headings_lists_and_tables() -> None:
    for reading in shown(render(REPORT, "md", ENGLISH)):
        page = BeautifulSoup(reading, "html.parser")
        assert [heading.get_text() for heading in page.select("h2, h3")] == ["Month 7", "Prices", "Ben"]
        assert [item.get_text() for item in page.select("li")] == ["bid 38, market 41: no X-Fine", "bid 45: bought"]
        assert [cell.get_text() for cell in page.select("table")[0].select("td")] == [
            "January",
            "40",
            "1,300",
            "February",
            "37",
            "–",
        ]
        assert "right" in str(page.select("table")[0].select("td")[1])


def test_page_names_rows_and_columns_for_screen_readers() -> None:
    """T307: tables have captions and headers; cards on a phone know their labels."""
    page = BeautifulSoup(render(REPORT, "html", ENGLISH, level=3), "html.parser")
    assert [heading.name for heading in page.select("h1, h2, h3, h4, h5")] == ["h3", "h4", "h4"]
    board, cards = page.select("table.board")[0], page.select("table.cards")[0]
    assert board.caption is not None
    assert board.caption.get_text() == "Price board"
    assert [head.get_text() for head in board.select("thead th[scope=col]")] == ["Month", "X", "F"]
    assert [head.get_text() for head in board.select("tbody th[scope=row]")] == ["January", "February"]
    assert [(cell["data-label"], cell.get("class")) for cell in cards.select("tbody td")][:2] == [
        ("Cash", ["number"]),
        ("Word", None),
    ]
    assert board.parent is not None
    assert board.parent["tabindex"] == "0"
    assert not page.select("th:empty")


def test_chart_is_a_picture_with_words_and_its_numbers() -> None:
    page = render_blocks([CHART], "html", GERMAN)
    picture = re.search(r"<svg.*</svg>", page, re.DOTALL)
    assert picture
    svg = ElementTree.fromstring(picture[0])
    assert svg.attrib["role"] == "img"
    assert [svg.findtext("title"), svg.findtext("desc")] == ["Prices by month", "X-Fine rises from 40 to 41."]
    lines = svg.findall(".//g[@class='series series-1']/polyline")
    assert len(lines) == 2, "a month without a value leaves a gap"
    dashes = {line.get("stroke-dasharray") for line in svg.iter("polyline")}
    marks = {mark.get("d") for mark in svg.iter("path")}
    assert (len(dashes), len(marks)) == (2, 2), "lines differ by dashes and marks, not by colour"
    names = {text.text: float(text.attrib["y"]) for text in svg.iter("text") if text.text in ("X-Fine", "Fine")}
    assert abs(names["X-Fine"] - names["Fine"]) >= 16, "names at the lines' ends do not cover each other"
    assert not re.search(r"style=|<script|<style| on\w+=|#[0-9a-f]{3}", page)
    table = BeautifulSoup(page, "html.parser").select_one("details table")
    assert table is not None
    assert [cell.get_text() for cell in table.select("tbody tr")[0].select("td")] == ["40", "37", "–", "41"]


@given(st.lists(st.lists(st.none() | st.integers(-(10**6), 10**6), min_size=1, max_size=30), min_size=1, max_size=9))
def test_any_chart_stays_on_its_sheet(lines: list[list[int | None]]) -> None:
    across = tuple(range(max(map(len, lines))))
    series = tuple(Series(name="name" * number, values=tuple(line)) for number, line in enumerate(lines))
    chart = Chart(title=Text.of("Chart"), across=across, series=series, alt=Text.of("Words."))
    picture = re.search(r"<svg.*</svg>", render_blocks([chart], "html", ENGLISH), re.DOTALL)
    assert (picture is None) == all(value is None for line in lines for value in line)
    if picture:
        svg = ElementTree.fromstring(picture[0])
        width, height = map(float, svg.attrib["viewBox"].split()[2:])
        points = [point for line in svg.iter("polyline") for point in line.attrib["points"].split()]
        places = [(x, y) for x, _, y in (point.partition(",") for point in points)]
        places += [(text.attrib["x"], text.attrib["y"]) for text in svg.iter("text")]
        assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in places)


PLAIN_TAGS = {"h2", "h3", "p", "ul", "li", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "strong"}
HOSTILE = [
    "[b]x[/b]",
    "[/code][img]http://x[/img]",
    "[url=javascript:alert(1)]x[/url]",
    "*a* _b_ __c__ `d` ~~e~~ \\f",
    "<script>alert(1)</script>",
    "<b>&amp;</b> &lt;",
    "a | b || c",
    "![x](http://x) [y](z) <http://z>",
    "# x",
    "1. x",
    "- x",
    "+ x",
    "> x",
    "---",
    "===",
    "{{ x }} {% x %} %(x)s {x}",
    "a\nb\r\nc\u2028d",
    "日本 ｘ",
    "e\u0301",
]


@pytest.mark.parametrize("words", HOSTILE)
def test_what_people_type_is_shown_and_not_obeyed(words: str) -> None:
    """Names and free text never break out of their place, in lines, headings and tables."""
    voice = Voice("en", names={"1": words})
    blocks: tuple[Block, ...] = (
        Line(text=Text.of("{words}", words=words)),
        Heading(text=Player("1")),
        Line(text=Text.of("{words}", words=words), item=True),
        Table(title=Text.of("Table"), head=(words, "B"), rows=((Player("1"), words), ("last", 1))),
    )
    report = Report(title=Text.of("{words}", words=words), blocks=blocks)
    typed = re.sub(r"[\n\r\u2028]+", " ", words)

    for reading in [render(report, "html", voice), *shown(render(report, "md", voice))]:
        page = BeautifulSoup(reading, "html.parser")
        assert {tag.name for tag in page.find_all()} <= PLAIN_TAGS, reading
        cells = [cell.get_text().replace(JOINER, "") for cell in page.select("tr > *")]
        assert cells == [typed, "B", typed, typed, "last", "1"]
        assert page.h2 is not None
        assert page.h2.get_text().replace(JOINER, "") == typed
        assert [item.get_text().replace(JOINER, "") for item in page.select("li")] == [typed]

    bbcode = render(report, "bbcode", voice)
    assert re.findall(r"\[[^\]\u2060 ]*\]", bbcode) == [*["[b]", "[/b]"] * 3, "[code]", "[/code]"]
    assert bbcode.replace(JOINER, "").count(typed) >= 7
    assert render(report, "txt", voice).count(typed) >= 7


@pytest.mark.parametrize(
    "words",
    [
        "(A:8)",
        "8)",
        "price (8)",
        ":x",
        "B :x 3",
        ":)",
        ";-)",
        "=)",
        ":-3",
        ":smile:",
        "(c)",
        "(TM)",
        "<3",
        "@Ben",
        ">:(",
        "8):x:",
    ],
)
@pytest.mark.parametrize("markup", ["bbcode", "md"])
def test_no_picture_or_notice_by_accident(words: str, markup: MarkupName) -> None:
    """Forums make pictures of `8)`, signs of `(c)` and notices of `@name`: a joiner without width stands between."""
    text = render(one_line(words), markup, ENGLISH)
    assert JOINER in text
    assert not re.search(r"(?<!\d)8\)|:x|[:;=]-?[)D3]|:\w+:|\((?:c|TM)\)|<3|@\w|:\(", text)
    read = text if markup == "bbcode" else BeautifulSoup(shown(text)[0], "html.parser").get_text()
    assert words in read.replace(JOINER, "")


@pytest.mark.parametrize(
    "words",
    [
        "X:3 at 40",
        "F:12 zu 30",
        "20:00",
        "it is 48)",
        "https://example.org/a",
        "(X 8, F 3)",
        "40 → 37",
        "a: b",
        "name=Dora",
    ],
)
@pytest.mark.parametrize("markup", ["bbcode", "md"])
def test_what_people_copy_holds_nothing_unseen(words: str, markup: MarkupName) -> None:
    assert words in render(one_line(words), markup, ENGLISH)


@given(st.text(), st.sampled_from(MARKUPS))
@example("\x00\x1b[31m\u202eevil", "txt")
def test_any_words_give_one_line_without_unseen_commands(words: str, markup: MarkupName) -> None:
    text = render(Report(title=Text.of("T"), blocks=(Line(text=Text.of("A{words}Z", words=words)),)), markup, ENGLISH)
    assert re.search(r"A[^\n]*Z", text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)


def test_wide_letters_keep_columns_straight() -> None:
    table = Table(title=Text.of("T"), head=("Name", "N"), rows=(("日本", 1), ("Zoë", 22), ("e\u0301", 3)))
    rows = render_blocks([table], "txt", ENGLISH).splitlines()[2:]
    assert rows == ["Name   N", "----  --", "日本   1", "Zoë   22", "e\u0301      3"]


def test_short_and_empty_tables_are_laid_out() -> None:
    ragged = Table(title=Text.of("T"), head=("A",), rows=(("a", 1), ("b",)))
    empty = Table(title=Text.of("T"), head=("A", "B"), rows=())
    for markup in MARKUPS:
        assert "b" in render_blocks([ragged], markup, ENGLISH)
        assert "B" in render_blocks([empty], markup, ENGLISH)


def test_report_as_data_keeps_numbers() -> None:
    data = render_json(REPORT, GERMAN)
    assert data["title"] == "Month 7"
    assert [block["block"] for block in data["blocks"]][:4] == ["line", "heading", "table", "chart"]
    assert data["blocks"][2]["rows"] == [["January", 40, 1300], ["February", 37, None]]
    assert data["blocks"][3]["series"][0] == {"name": "X-Fine", "values": [40, 37, None, 41]}
    assert data["blocks"][7]["rows"][0] == ["Anna", 1234, "yes"]
