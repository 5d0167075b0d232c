"""One report in BBCode, Markdown, HTML and plain text says the same (T300): parsed back, whole and in parts."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import markdown as python_markdown
from markdown_it import MarkdownIt

from judge.core.report import Report
from judge.core.ruleset import AnyRuleset, visible
from judge.core.text import Text
from judge.forum import Rendered
from judge.language import Voice
from judge.registry import rulesets
from judge.service.letters import rendered, size
from judge.service.parts import in_parts
from tests.games import by_chance, played, seats

RULESETS = rulesets()
HOSTILE = (
    "[/b][/code]",
    "</td><script>",
    "@everyone",
    "a | b",
    "`c` **d**",
    "8) :) :x",
    "[url=http://127.0.0.1/]e[/url]",
    "((c)) (tm)",
    "f\N{ZERO WIDTH SPACE}g\N{ZERO WIDTH JOINER}",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil\N{ARABIC LETTER ALEF}",
    "# 7",
    "1. h",
    "> i",
    "![j](http://127.0.0.1/x.png)",
)
JOINER = "\N{WORD JOINER}"
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def of_html(text: str) -> str:
    page = BeautifulSoup(text, "html.parser")
    assert not page.select("script, img, a, blockquote, del, s, code"), "a name was obeyed"
    for drawn in page.select("figure.picture svg"):  # what it says to whoever does not see it stands in posts
        drawn.replace_with(" ".join(words.text for words in drawn.find_all("desc", recursive=False)))
    for drawn in page.select("svg, figure details"):
        drawn.decompose()
    return page.get_text(" ")


def of_bbcode(text: str) -> str:
    """What a forum shows that knows every tag; nothing but the report's own layout is one."""
    assert set(re.findall(r"\[(/?\w+)[^\]]*\]", text)) <= {"b", "/b", "code", "/code"}
    return re.sub(r"\[/?(b|code)\]", "", text)


def readings(text: Rendered) -> list[str]:
    """The letter as forums of each markup show it, in words with one blank between them."""
    shown = [
        text.text,
        of_bbcode(text.bbcode),
        of_html(text.html),
        of_html(MARKDOWN.render(text.markdown)),
        of_html(python_markdown(text.markdown, extensions=["tables"])),
    ]
    return [" ".join(one.replace(JOINER, "").split()) for one in shown]


def numbers(shown: str) -> list[str]:
    return re.findall(r"−?\d[\d.,]*\d|−?\d", shown)


def reports(ruleset: AnyRuleset, players: int, seed: str) -> list[Report]:
    """What everybody and one player is told of the first turns of a game in which anything legal is ordered."""
    told = []
    for number, turn in enumerate(played(ruleset, players, seed, give=by_chance(ruleset), most=3), 1):
        for reader in (None, seats(ruleset, players)[0]):
            view = ruleset.view(turn.after, reader)
            blocks = (*ruleset.report(view, visible(turn.events, reader)), *ruleset.show(view))
            told.append(Report(title=Text.of("Turn {number}", number=number), blocks=tuple(blocks)))
    return told


@pytest.mark.parametrize("name", RULESETS)
@settings(max_examples=5)
@given(
    seed=st.text("abc", max_size=4),
    names=st.lists(st.sampled_from(HOSTILE), min_size=4, max_size=4, unique=True),
    language=st.sampled_from(["en", "de"]),
)
def test_every_markup_of_a_result_holds_the_same_numbers_and_names(
    name: str, seed: str, names: list[str], language: str
) -> None:
    ruleset = RULESETS[name]
    known = dict(zip(seats(ruleset, 4), names, strict=True))
    voice = Voice(language, names=known, catalogues=(ruleset.folder / "locale",))
    for report in reports(ruleset, 4, seed):
        plain, *others = readings(rendered(report, voice))
        assert numbers(plain)
        for other in others:
            assert numbers(other) == numbers(plain)
            for player in names:
                said = " ".join(voice_of(player).split())
                assert other.count(said) == plain.count(said), player


@pytest.mark.parametrize("name", RULESETS)
@settings(max_examples=2)
@given(seed=st.text("abc", max_size=4), limit=st.integers(1500, 3000))
def test_the_parts_of_a_result_hold_the_numbers_of_the_whole(name: str, seed: str, limit: int) -> None:
    """T303."""
    ruleset = RULESETS[name]
    voice = Voice("en", catalogues=(ruleset.folder / "locale",))
    several = [block for report in reports(ruleset, 5, seed) for block in report.blocks]
    report = Report(title=Text.of("All turns"), blocks=tuple(several))
    parts = in_parts(report, voice, lambda part: size(part, voice, ""), limit)
    assert len(parts) > 1
    for whole, *cut in zip(
        readings(rendered(report, voice)), *(readings(rendered(part, voice)) for part in parts), strict=True
    ):
        told = [re.sub(r"All turns \(\d+/\d+\)", "All turns", part) for part in cut]
        # Heads that are repeated in a table's next part may hold numbers.
        assert set(numbers(whole)) == {number for part in told for number in numbers(part)}
        assert sum(len(numbers(part)) for part in told) >= len(numbers(whole))


def voice_of(name: str) -> str:
    """A name without what nobody sees."""
    return re.sub(r"[\u202a-\u202e]", "", name)
