"""What people see of Finans: rules in which everything can be looked up and ordered, and letters about rounds."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.core.notation import read
from judge.core.order_json import choice_problems
from judge.core.orders import Ask
from judge.core.report import Heading, Report, Table
from judge.language import LANGUAGES, Voice
from judge.render import render
from rulesets.finans import ruleset
from rulesets.finans.names import NEWS_TITLES, NEWS_WORDS, PROPERTY_TITLES, TIP_TITLES, TIP_WORDS, share_title
from rulesets.finans.state import FinansState
from tests.at_the_table import TestTable, sit_down
from tests.finans_table import A, position
from tests.games import played, seats

every_language = pytest.mark.parametrize("language", LANGUAGES)
DATA = tomllib.loads((ruleset.folder / "finans.toml").read_text(encoding="utf-8"))


def rules(language: str) -> str:
    name = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return (ruleset.folder / name).read_text(encoding="utf-8")


def rows(language: str) -> list[list[str]]:
    """The cells of every row of every table."""
    found = [line for line in rules(language).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found]


def amounts(cell: str) -> list[int]:
    return [int(re.sub(r"[.,]", "", amount)) for amount in re.split(r"\s/\s", cell)]


@every_language
def test_the_rules_print_every_property_with_its_numbers(language: str) -> None:
    voice, printed = Voice.of(ruleset, language), {row[1]: row for row in rows(language) if len(row) == 8}
    for lot in DATA["property"]:
        row = printed[voice.say(PROPERTY_TITLES[lot["key"]])]
        assert row[0] == str(lot["square"])
        assert [amounts(cell) for cell in row[2:]] == [
            [lot["price"]],
            [lot["building"]],
            [lot["rent_lot"]],
            [lot["rent_built"]],
            [lot["mortgage"], lot["mortgage_built"]],
            [lot["repurchase"], lot["repurchase_built"]],
        ]


@every_language
def test_the_rules_print_every_share_with_its_numbers(language: str) -> None:
    voice, printed = Voice.of(ruleset, language), {row[0]: row for row in rows(language) if len(row) == 5}
    for share in DATA["share"]:
        row = printed[voice.say(share_title(share["key"]))]
        alike = [other for other in DATA["share"] if share_title(other["key"]) == share_title(share["key"])]
        same = [other for other in alike if (other["group"], other["nominal"]) == (share["group"], share["nominal"])]
        assert row[1] == str(len(same))
        assert [amounts(cell)[0] for cell in row[2:]] == [share["nominal"], share["dividend"], share["repurchase"]]


@every_language
def test_the_rules_print_every_card_with_its_words(language: str) -> None:
    voice, printed = Voice.of(ruleset, language), [row for row in rows(language) if len(row) == 3]
    for card in DATA["news"]:
        title, words = voice.say(NEWS_TITLES[card["id"]]), voice.say(NEWS_WORDS[card["id"]])
        assert any(row[0].startswith(title) and row[1] == words for row in printed), title
    for card in DATA["tip"]:
        title, words = voice.say(TIP_TITLES[card["id"]]), voice.say(TIP_WORDS[card["id"]])
        assert [title, str(card["copies"]), words] in printed


def examples(language: str) -> Iterator[str]:
    """Every order of the table of orders, and every whole programme."""
    text = rules(language)
    begins = text.index("## Orders" if language == "en" else "## Befehle")
    table = [line for line in text[begins:].splitlines() if line.startswith("| `")]
    for line in table:
        yield from re.findall(r"`([^`]+)`", line.split("|")[1])
    for programme in re.findall(r"(?:^    [^{\s].*\n)+", text, re.MULTILINE):
        yield re.sub(r"^    ", "", programme, flags=re.MULTILINE)


def asked() -> Ask:
    """What somebody is asked who stands in the Bank of a game in which rent must be claimed."""
    state = position({A: {"square": 40, "cash": 500_000}}, options={"rent": "claimed"})
    return ruleset.asks(state)[A]


@every_language
def test_every_order_of_the_rules_can_be_ordered(language: str) -> None:
    state, ask = position({A: {"square": 40}}, options={"rent": "claimed"}), asked()
    kinds: set[str] = set()
    for text in examples(language):
        reading = read(text, ask, language=language)
        assert reading.problems == (), (text, reading.problems)
        assert reading.orders or text in ("pass", "passe"), text
        assert [problem for order in reading.orders for problem in choice_problems(order, ask)] == [], text
        assert [problem.text.text for problem in ruleset.check(state, A, reading.orders)] == [], text
        kinds |= {order.kind for order in reading.orders}
    assert kinds == {str(kind.model_fields["kind"].default) for kind in ruleset.orders}


def test_the_german_rules_send_nobody_to_the_english_ones() -> None:
    assert "RULES.md" not in rules("de")
    assert rules("de").count("\n## ") == rules("en").count("\n## ")


# Letters


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    """Anna has a programme, bots play the others."""
    seat = sit_down(tmp_path, games=[ruleset])
    seat.open(names=("Anna", "bot", "bot", "bot"), ruleset="finans", options={"turns_each": 20})
    for _ in range(30):
        if seat.turn().status == "over":
            break
        if "1" in seat.position().asks:
            seat.order("1", "always buy Bookshop, Crafts 50 keep 10000")
        seat.look()
    yield seat
    seat.judge.close()


def letters(table: TestTable) -> list[Report]:
    return [Report.model_validate(letter.body) for letter in table.letters("result")]


def test_a_letter_about_several_rounds_tells_each_and_shows_the_position_once(table: TestTable) -> None:
    found = letters(table)
    several = [letter for letter in found if sum(_begins_a_turn(block) for block in letter.blocks) > 1]
    assert several
    for letter in found:
        assert sum(isinstance(block, Heading) and block.position for block in letter.blocks) == 1
        titles = [block.title.text for block in letter.blocks if isinstance(block, Table)]
        assert titles.count("Balance sheets, in Crowns") == 1


def _begins_a_turn(block: object) -> bool:
    return isinstance(block, Heading) and getattr(block.text, "text", "") == "Turn {number}"


def test_a_round_of_six_reads_well_as_a_post() -> None:
    """In every markup and language: short enough for any forum, no gap left open, no table too wide for its frame."""
    game = played(ruleset, 6, "a post")
    names = dict(zip(seats(ruleset, 6), ("Anna", "Ben", "Cem", "Dora", "Emil", "Frida"), strict=True))
    for turn in game[::4]:
        assert isinstance(turn.after, FinansState)
        blocks = tuple(ruleset.report(ruleset.view(turn.after, None), turn.events))
        for language in LANGUAGES:
            voice = Voice.of(ruleset, language, names=names)
            for markup in ("txt", "md", "bbcode"):
                post = render(Report(title=ruleset.title, blocks=blocks), markup, voice)
                assert len(post) < 9_000
                assert not re.search(r"\{\w+\}", post)
            frames = re.findall(
                r"\[code\](.*?)\[/code\]",
                render(Report(title=ruleset.title, blocks=blocks), "bbcode", voice),
                re.DOTALL,
            )
            assert frames
            assert max(len(line) for frame in frames for line in frame.splitlines()) <= 120
