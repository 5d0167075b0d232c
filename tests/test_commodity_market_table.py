"""What players see and choose: options, names, the report with its reasons, the board, the bot's figures."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from judge.core.notation import read
from judge.core.order_json import validation_problems
from judge.core.report import Chart, Report, Table
from judge.core.text import Text
from judge.playthrough import PlaythroughError, replay
from judge.render import render
from rulesets.commodity_market import ruleset
from rulesets.commodity_market.market import changed
from rulesets.commodity_market.orders import Bid
from rulesets.commodity_market.state import MarketOptions, MarketState
from rulesets.commodity_market.tables import GOODS, TABLES
from tests.commodity_market import position, stock, turn, voice
from tests.games import played


def refused(**options: object) -> str:
    with pytest.raises(ValidationError) as caught:
        MarketOptions.model_validate(options)
    return voice().say(validation_problems(caught.value, MarketOptions)[0].text)


def report(state: MarketState, language: str = "en", **texts: str) -> str:
    after, events = turn(state, **texts)
    blocks = tuple(ruleset.report(ruleset.view(after, None), events))
    return render(Report(title=Text.of("Turn"), blocks=blocks), "txt", voice(language))


def test_months_are_one_to_24() -> None:
    assert refused(months=0) == "Months: 0 was read, at least 1 is needed."
    assert refused(months=25) == "Months: 25 was read, at most 24 is allowed."


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ('{"month": 13}', "line 3: Month 13 is not played: the game has 12."),
        ('{"month": 0}', "at least 1 is needed"),
        ('{"prices": {"S": 0}}', "at least 1 is needed"),
        ('{"players": {"Ben": {"stock": {"X": -1}}}}', "at least 0 is needed"),
        ('{"players": {"Ben": {"debt": 150}}}', "“150” cannot be used here"),
    ],
)
def test_a_position_that_no_game_reaches_cannot_be_given(given: str, reason: str) -> None:
    with pytest.raises(PlaythroughError) as caught:
        replay(f"game commodity-market\nseats Anna, Ben\ngiven {given}\n", {ruleset.name: ruleset})
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["", "3 Titan", "Titan 2", "<b>", "Titan, Stahl", "X:3", "a" * 21, " Titan", "Ti\ntan", "Erz-", "Stk.", "a_b"],
)
def test_a_name_that_could_be_misread_is_refused(name: str) -> None:
    assert "cannot name a good" in refused(name_X=name)


@pytest.mark.parametrize("name", ["Titan", "Schwert+2", "König's Erz", "Roh-Öl", "N.N", "铁", "Stück", "zu"])
def test_sensible_names_are_taken_and_read(name: str) -> None:
    state = position(2, name_X=name)
    reading = read(f"{name}: 3 at 40", ruleset.asks(state)["Anna"])
    assert reading.orders == (Bid(grade="X", units=3, price=40),)


@given(st.text("aäßBzéx+-.'2 ", min_size=1, max_size=20))
@settings(deadline=None)
def test_every_name_that_is_taken_can_be_read(name: str) -> None:
    try:
        state = position(2, name_F=name)
    except ValidationError:
        return
    ask = ruleset.asks(state)["Anna"]
    for line in (f"{name}:3 zu 40", f"3x {name} zu je 40", f"{name} 3 @ 40"):
        assert read(line, ask, language="de").orders == (Bid(grade="F", units=3, price=40),), line


def test_names_must_not_collide() -> None:
    assert refused(name_X="F") == "“F” cannot name X: it already means F."
    assert refused(name_A="Sword", name_B="sword") == "“sword” cannot name B: it already means A."
    assert refused(name_X="Roh-Stoff", name_F="rohstoff") == "“rohstoff” cannot name F: it already means X."


def test_letters_stay_valid_beside_names() -> None:
    ask = ruleset.asks(position(2, name_S="Eisen", name_F="Stahl"))["Anna"]
    assert [order.model_dump()["grade"] for order in read("Eisen 2 zu 20, F 1 zu 30", ask, language="de").orders] == [
        "S",
        "F",
    ]


def test_the_report_gives_a_reason_for_every_line() -> None:
    text = report(position(), Anna="X 5 38, F 2 30", Ben="X 6 50, F 9 70, S 1 20", Cem="S 1 20")
    assert "- Bid 38, market 41: no X-Fine." in text
    assert "- Bid 30, market 31: no Fine." in text
    assert "- Bid 50, market 41: 6 X-Fine would have been $300." in text
    assert "- $950 to pay and only $450 in hand: nothing bought this month." in text
    assert "- Bid 20, market 12: 1 Standard for $20." in text
    assert "- Paid $20 in all; cash now $430." in text
    assert "- Ordered nothing." in text


def test_the_report_tells_the_story_first() -> None:
    text = report(position(), Anna="X 5 38", Ben="X 6 50", Cem="S 1 20")
    story = text.split("Market\n")[0]
    assert "Month 1 of 12: buying" in story
    assert "X-Fine rose to 41, Fine fell to 20 and Standard fell to 11." in story
    assert "Ben bought most, for $300. Anna went away empty-handed." in story


def test_the_last_report_begins_with_the_winner() -> None:
    state = position(2, {"phase": "sell", "month": 12, "players": {"Anna": stock(2, 1)}})
    text = report(state, "de", Anna="A 1 149")
    assert "Monat 12 von 12: Verkauf" in text
    assert "\nDie Partie ist aus: Anna siegt mit einem Gewinn von 149 $. " in text
    assert "- Konnte keine einzige Einheit herstellen: gezwungen gepasst." in text
    assert "- Kasse am Ende 1.049 $, Gewinn 149 $." in text


def test_the_report_of_selling_names_its_month_and_what_was_handed_in() -> None:
    state = position(2, {"phase": "sell", "month": 3, "players": {"Anna": stock(1, 2, 0)}}, name_X="Iron")
    text = report(state, Anna="C 1 95")
    assert "Month 3 of 12: selling" in text
    assert "- Handed in 1 Iron and 2 Fine, of these 1 X as F and 2 F as S." in text


def test_the_board_shows_every_month_with_its_moves() -> None:
    state, _ = turn(position(2), Anna="X 12 45")
    state, _ = turn(state)
    state, _ = turn(state, Anna="F 10 60")
    board, chart, sheets = ruleset.show(ruleset.view(state, None))
    assert isinstance(board, Table)
    assert board.board
    assert [[voice().say(cell) for cell in row] for row in board.rows] == [
        ["Opening", "40", "30", "20", "140", "115", "90"],
        ["1", "42 ↑2", "20 ↓10", "10 ↓10", "151 ↑11", "126 ↑11", "101 ↑11"],
        ["2", "32 ↓10", "20 =", "1 ↓9", "–", "–", "–"],
    ]
    assert isinstance(chart, Chart)
    assert chart.series[0].values == (40, 42, 32)
    assert chart.series[3].values == (140, 151, None)
    assert voice().say(chart.alt).startswith("X-Fine from 40 to 32 (between 32 and 42), Fine from 30 to 20,")
    assert isinstance(sheets, Table)


def test_there_is_no_chart_of_opening_prices_alone() -> None:
    assert not any(isinstance(block, Chart) for block in ruleset.show(ruleset.view(position(), None)))


def test_loans_stand_on_the_tally_sheets_only_if_the_game_has_them() -> None:
    def columns(state: MarketState) -> int:
        sheets = ruleset.show(ruleset.view(state, None))[-1]
        assert isinstance(sheets, Table)
        return len(sheets.head)

    assert columns(position(loans=True)) == columns(position()) + 1


def test_the_form_is_told_what_the_judge_knows() -> None:
    ask = ruleset.asks(position(given={"players": {"Anna": stock(3, 1)}}))["Anna"]
    assert [(voice().say(label), voice().say(value)) for label, value in ask.facts["X"]] == [
        ("Last price", "$40"),
        ("In stock", "3"),
    ]
    assert [minimum.least(Bid(grade="X", units=4, price=1)) for minimum in ask.minimums if minimum.subject == "X"] == [
        34
    ]


def test_the_view_is_a_copy() -> None:
    state = position()
    ruleset.view(state, "Anna").players["Anna"].cash = 0
    assert state.players["Anna"].cash == 450


@pytest.mark.parametrize(("players", "low", "high"), [(2, 2000, 4500), (4, 1000, 2000), (6, 600, 1500)])
def test_bots_earn_what_the_rules_promise(players: int, low: int, high: int) -> None:
    """RULES.md, "What to expect": margins live, and nobody is ruined."""
    ends = [played(ruleset, players, f"{players}{number}")[-1].after for number in range(4)]
    cash = [sheet.cash for state in ends for sheet in state.players.values()]
    assert low < sum(cash) / len(cash) < high
    assert min(cash) > 300


def rules(language: str) -> str:
    name = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return (ruleset.folder / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_spellings_in_the_rules_are_the_same_order(language: str) -> None:
    """T200, T201."""
    block = next(part for part in rules(language).split("\n\n") if part.startswith("    X:3"))
    ask = ruleset.asks(position())["Anna"]
    lines = block.split("\n")
    assert len(lines) == 8
    for line in lines:
        assert read(line, ask, language=language).orders == (Bid(grade="X", units=3, price=40),), line


@pytest.mark.parametrize("line", ["Ich kaufe 3 X zu 40", "I buy 3 X-Fine at $40", "kaufe X: 3 zu 40", "3×X für 40 $"])
def test_bids_are_read_as_people_say_them(line: str) -> None:
    ask = ruleset.asks(position())["Anna"]
    assert read(line, ask).orders == (Bid(grade="X", units=3, price=40),)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_tables_in_the_rules_are_those_of_the_game(language: str) -> None:
    rows = [
        line.strip("|").replace("−", "-").replace("$", "").split("|")
        for line in rules(language).splitlines()
        if "|" in line
    ]
    numbers = {tuple(map(int, row[1:])) for row in rows if all(re.fullmatch(r" *[+-]?\d+ *", cell) for cell in row[1:])}
    assert tuple(TABLES.seating) in numbers
    assert tuple(seating.cash for seating in TABLES.seating.values()) in numbers
    assert tuple(seating.order for seating in TABLES.seating.values()) in numbers
    for letter, units in (("X", range(0, 25, 2)), ("A", (*range(11), 12, 14, 16))):
        assert tuple(units) in numbers
        assert tuple(changed(letter, 100, count) - 100 for count in units) in numbers
    for good in GOODS:
        (row,) = (row[1:] for row in rows if row[0].strip() == f"**{good}**" and len(row) == 4)
        assert [int(cell.strip() or 0) for cell in row] == list(TABLES.production[good].values())
