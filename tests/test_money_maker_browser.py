"""Money Maker in a real browser: what a bank most likely decides comes first, and the form says what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from rulesets.money_maker.auction import opening_price
from rulesets.money_maker.markets import prices_of
from rulesets.money_maker.orders import Open, Sell
from rulesets.money_maker.plays import PlayRaise
from rulesets.money_maker.standing import Lend, Pay
from rulesets.money_maker.state import TableState
from tests import money_maker_table
from tests.at_the_table import TestTable
from tests.site import claim, counting_orders, game, lay_out, reckoned_totals, serving, shown_totals

NewPage = Callable[..., Page]
ANNA, BEN, CEM = "1", "2", "3"
GOLD = 14


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    with serving(tmp_path_factory.mktemp("site")) as running:
        yield running


def open_table(table: TestTable, language: str = "en") -> TableState:
    """Anna's first turn, with goods and two action cards in her vault."""
    deadline = {"rule": "hours", "hours": 24}
    table.open(("Anna", "Ben", "Cem"), ruleset="money-maker", language=language, deadline=deadline)
    vault = {"gold": GOLD, "actions": ["Night Shift", "Spilled Dice"], "goods": {"production": 2, "consumer": 3}}
    laid = money_maker_table.table(
        "1, 2, 3",
        banks={ANNA: vault},
        row=["Textile Producer", "Map Printer"],
        markets={"production": {"slots": money_maker_table.FULL}},
    )
    lay_out(table, laid)
    return laid


def orders_page(table: TestTable, page: Page, seat: str) -> None:
    claim(page, table, table.tokens[seat])
    page.goto(game(table, "/orders"))


def test_the_active_bank_orders_its_turn_sees_what_it_costs_and_the_turn_follows(
    table: TestTable, new_page: NewPage
) -> None:
    state = open_table(table)
    page = new_page(width=390, height=844)
    orders_page(table, page, ANNA)
    headings = page.locator("#orders section.part h3").all_inner_texts()
    assert headings == ["Auctions", "Action cards in your vault", "Production, markets and an action card"]
    assert page.locator("#orders details.part[open]").count() == 0
    for line, (card, most) in enumerate((("Map Printer", "9"), ("Textile Producer", "12"))):
        page.locator(f"[name='open.{line}.card']").select_option(card)
        page.locator(f"[name='open.{line}.most']").fill(most)
    expect(page.locator("[name='open.2.card']")).to_be_visible()
    page.locator("[name='open.0.gold']").fill("99")
    expect(page.locator("#wrong")).to_have_text(f"A gold part of 99 was read; you have {GOLD} gold.")
    page.locator("[name='open.0.gold']").fill("2")
    expect(page.locator("#wrong")).to_be_empty()
    page.locator("[name='produce.0.card']").select_option("all")
    page.locator("[name='buy.0.count']").fill("2")
    page.locator("[name='buy.0.colour']").select_option("production")
    page.locator("[name='sell.0.colour']").select_option("consumer")
    page.locator("[name='sell.0.keep']").fill("0")
    page.locator("[name='sell.1.colour']").select_option("production")
    page.locator("[name='sell.1.price']").fill("8")
    page.locator("[name='action.0.given']").check()
    page.locator("[name='reroll.0.given']").check()
    text = page.locator("#as-text").input_value()
    assert text.splitlines() == [
        "open Map Printer max 9 gold 2",
        "open Textile Producer max 12",
        "produce all",
        "buy 2 production",
        "sell consumer keep 0",
        "sell production at 8 or better",
        "buy action card",
        "play Spilled Dice",
    ]
    goods = sum(prices_of(state.markets["production"], 2))
    assert shown_totals(page)[:3] == ["12", str(goods + 10), str(max(0, GOLD - 12 - goods - 10))]
    previewed = shown_totals(page)
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Counts")
    counting = counting_orders(table, ANNA)
    assert [order.card for order in counting if isinstance(order, Open)] == ["Map Printer", "Textile Producer"]
    assert [order.colour for order in counting if isinstance(order, Sell)] == ["consumer", "production"]
    assert previewed == reckoned_totals(table, ANNA, counting)
    for seat in (BEN, CEM):
        table.order(seat, "pass")
    table.look()
    after = table.position().state
    assert isinstance(after, TableState)
    assert "Map Printer" in after.banks[ANNA].cards
    page.goto(game(table, "/turns/1"))
    expect(page.locator("main")).to_contain_text("Map Printer")
    page.goto(game(table, "/orders"))
    expect(page.locator(".kept")).to_contain_text("play Spilled Dice")


def test_everybody_else_finds_a_tally_of_the_cards_with_opening_prices(table: TestTable, new_page: NewPage) -> None:
    state = open_table(table, language="de")
    page = new_page(width=390, height=844, locale="de-DE", colour_scheme="dark")
    orders_page(table, page, BEN)
    rows = page.locator("table.tally tbody tr th").all_inner_texts()
    assert len([row for row in rows if "Kartendrucker" in row or "Textil" in row]) == 2
    assert str(opening_price(state, "Map Printer")) in " ".join(rows)
    page.locator("[name='bid.Map Printer.most']").fill("7")
    page.locator("[name='bid.Textile Producer.most']").fill("9")
    page.locator("[name='bid.Textile Producer.gold']").fill("3")
    assert shown_totals(page)[:2] == ["16", "5"]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("main button.main").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Gilt")
    assert shown_totals(page) == reckoned_totals(table, BEN, counting_orders(table, BEN))


def test_cards_that_may_be_drawn_wait_in_a_folded_section_that_opens_for_what_is_wrong(
    table: TestTable, new_page: NewPage
) -> None:
    open_table(table)
    page = new_page()
    orders_page(table, page, ANNA)
    folded = page.locator("details.part", has_text="Action cards that you may draw")
    assert folded.get_attribute("open") is None
    folded.locator("summary").click()
    page.locator("[name='ledger.0.amount']").fill("5")
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Does not count")
    expect(folded).to_have_attribute("open", "")
    expect(page.locator("[id='ledger.0.to.problem']")).to_be_visible()
    assert page.locator("[name='ledger.0.amount']").input_value() == "5"


def test_what_lasting_lines_take_is_told_while_bids_are_typed(table: TestTable, new_page: NewPage) -> None:
    laid = open_table(table)
    laid.banks[BEN].actions = [laid.action_pile.pop(laid.action_pile.index("Late Envelope"))]
    laid.plans[BEN] = [Lend(most=10, gold=3, credit=10), Pay(means="credit"), PlayRaise(by=4)]
    lay_out(table, laid)
    page = new_page()
    orders_page(table, page, BEN)
    assert shown_totals(page) == ["0", "15", "395", "10"]
    page.locator("[name='bid.Map Printer.most']").fill("7")
    page.locator("[name='bid.Map Printer.gold']").fill("2")
    assert shown_totals(page) == ["11", "13", "384", "10"]
    page.locator("details.part", has_text="Lasting orders").locator("summary").click()
    for field, number in (("most", "20"), ("gold", "1"), ("credit", "2")):
        page.locator(f"[name='rescue.0.{field}']").fill(number)
    assert shown_totals(page) == ["11", "13", "384", "15"]
