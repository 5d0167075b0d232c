"""A game's own money, wherever a reader meets it: pages, letters, problems, the live sums of a form."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from judge.core.orders import Ask
from judge.core.report import Report
from judge.core.text import Money, Text
from judge.language import Voice
from judge.playthrough import replay
from judge.registry import rulesets
from judge.render import render
from judge.web.forms import order_form
from judge.web.livesums import live_sums
from tests.at_the_table import TestTable
from tests.visitors import Visitor, words


def test_pages_write_crowns_as_the_readers_language_does(app: FastAPI, table: TestTable) -> None:
    table.open(("Anna", "Ben", "Cem"), ruleset="finans")
    for language, cash in (("en", "75,000 Cr"), ("de", "75.000 Kr")):
        visitor = Visitor(app, language)
        visitor.client.cookies.clear()
        said = words(str(visitor.get(f"/games/{table.game_id}"))).replace("\N{NO-BREAK SPACE}", " ")
        assert cash in said
        assert "$" not in said


def test_letters_and_reports_write_crowns(table: TestTable) -> None:
    table.open(("Anna", "Ben", "Cem"), ruleset="finans")
    for seat in ("1", "2", "3"):
        table.order(seat, "pass")
    table.look()
    report = Report.model_validate(table.letters("result")[-1].body)
    for markup in ("txt", "bbcode", "md"):
        said = render(report, markup, Voice.of(rulesets()["finans"], "en", names={"1": "Anna", "2": "Ben", "3": "Cem"}))
        assert " Cr" in said.replace("\N{NO-BREAK SPACE}", " ")
        assert "$" not in said


@pytest.mark.parametrize(
    ("game", "language", "written"),
    [
        ("commodity-market", "en", "−$1,300"),
        ("commodity-market", "de", "−1.300 $"),
        ("finans", "en", "−1,300 Cr"),
        ("finans", "de", "−1.300 Kr"),
        ("money-maker", "en", "−1,300 gold"),
        ("money-maker", "de", "−1.300 Gold"),
        ("get-rich-quick", "en", "−$1,300"),
    ],
)
def test_every_game_has_its_money(game: str, language: str, written: str) -> None:
    assert Voice.of(rulesets()[game], language).say(Money(-1300)).replace("\N{NO-BREAK SPACE}", " ") == written


@pytest.mark.parametrize(
    ("language", "money", "below"), [("en", "{amount} Cr", "−{amount} Cr"), ("de", "{amount} Kr", "−{amount} Kr")]
)
def test_sums_that_are_done_while_a_form_is_filled_in_are_written_so_too(language: str, money: str, below: str) -> None:
    ask = Ask(kinds=(), prompt=Text.of("Order."))
    sums = live_sums(ask, order_form(ask, {}), Voice.of(rulesets()["finans"], language), language)
    assert [sums[name].replace("\N{NO-BREAK SPACE}", " ") for name in ("money", "below")] == [money, below]


def test_problems_of_a_replay_are_told_in_the_games_money() -> None:
    script = (
        "Too dear.\n\ngame finans\nseats Anna, Ben\n\n== 1\n"
        "Anna> meeting Business Centre fee 15000\nAnna> pass\nBen> pass\n"
    )
    answer = replay(script, rulesets())
    assert "  ! " in answer
    assert "$" not in answer


@pytest.mark.parametrize("order", ["buy Bookshop keep 20,000 Cr", "kaufe Bookshop behalte 20.000 Kronen"])
def test_crowns_may_stand_in_orders(order: str, table: TestTable) -> None:
    style = "en" if "," in order else "de"
    table.open(("Anna", "Ben", "Cem"), ruleset="finans", numbers=style)
    slip = table.order("1", order)
    assert [one.line for one in slip.understood] == ["buy Bookshop keep 20000"]
