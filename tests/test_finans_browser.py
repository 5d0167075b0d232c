"""Finans in a real browser: the form offers what the square allows, keeps wish lists in order, and reckons the cash."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from judge.core.order_json import dump_orders, parse_orders
from judge.core.orders import Ask
from rulesets.finans.box import MONEY, PROPERTIES, SHARE_SORTS
from rulesets.finans.names import thing_choices
from rulesets.finans.state import FinansState
from tests.at_the_table import TestTable
from tests.finans_table import position
from tests.site import claim, counting_orders, game, lay_out, reckoned_totals, serving, shown_totals

NewPage = Callable[..., Page]
ANNA, BEN, CEM = "1", "2", "3"
MOST_BYTES = 100_000
IN_THE_BANK = {"square": 40, "cash": 340_000, "loans": 1}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    with serving(tmp_path_factory.mktemp("site")) as running:
        yield running


def open_table(table: TestTable, language: str = "en", anna: dict[str, Any] | None = None) -> None:
    """Anna stands before her throw with the bookshop, a mortgaged grocery, and a share of a group that Ben has too."""
    deadline = {"rule": "hours", "hours": 24}
    table.open(("Anna", "Ben", "Cem"), ruleset="finans", language=language, deadline=deadline)
    laid = position(
        seats=(ANNA, BEN, CEM),
        players={ANNA: IN_THE_BANK if anna is None else anna, BEN: {"square": 12}, CEM: {"square": 12}},
        lots={"bookshop": ANNA, "grocery": {"owner": ANNA, "mortgaged": True}},
        shares={"business_1": ANNA, "business_2": BEN},
    )
    lay_out(table, laid)


def orders_page(table: TestTable, page: Page) -> None:
    claim(page, table, table.tokens[ANNA])
    page.goto(game(table, "/orders"))


def asked(table: TestTable) -> Ask:
    ask = table.position().ask(ANNA)
    assert ask is not None
    return ask


def lists(page: Page, name: str) -> Locator:
    """The lists of a row that are in sight."""
    return page.locator(f"select[name='{name}']:visible")


def test_the_form_keeps_a_wish_list_in_order_reckons_the_cash_and_the_round_follows(
    table: TestTable, new_page: NewPage
) -> None:
    open_table(table)
    page = new_page(width=390, height=844)
    orders_page(table, page)
    assert shown_totals(page) == ["0 Cr", "0 Cr", "340,000 Cr"]
    for place, thing in enumerate(("technics-75", "radio", "car")):
        expect(lists(page, "buy.0.things")).to_have_count(place + 1)
        lists(page, "buy.0.things").nth(place).select_option(thing)
    page.locator("[name='buy.0.keep']").fill("20000")
    page.locator("[name='build.0.properties']").first.select_option("bookshop")
    page.get_by_text("Before everything else: raise cash").click()
    page.locator("[name='loan.0.count']").fill("2")
    page.get_by_text("Lasting orders").click()
    page.locator("[name='bonds.0.numbers']").fill("12; 4 and 7")
    page.get_by_text("a programme for other squares").click()
    page.locator("[name='build-always.0.properties']").first.select_option("grocery")
    text = page.locator("#as-text").input_value()
    assert text.splitlines() == [
        "loan 2",
        f"buy Technics 75, {PROPERTIES['radio'].name}, car keep 20000",
        "build Bookshop",
        f"always build {PROPERTIES['grocery'].name}",
        "bonds 12, 4, 7",
    ]
    previewed, composed = shown_totals(page), page.evaluate("orderSheet.orders()")
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Counts")
    assert page.locator(".slip").first.locator("li .typed").all_inner_texts() == text.splitlines()
    counting = counting_orders(table, ANNA)
    assert [getattr(order, "things", None) for order in counting][1] == ("technics-75", "radio", "car")
    assert previewed == reckoned_totals(table, ANNA, counting)
    spent = 75_000 + PROPERTIES["radio"].price + MONEY.car_price + PROPERTIES["bookshop"].building
    assert previewed == ["100,000 Cr", f"{spent:,} Cr", f"{440_000 - spent:,} Cr"]
    assert dump_orders(parse_orders(composed, asked(table))[0]) == dump_orders(counting), "a seal would hold the same"
    shown = [one.input_value() for one in lists(page, "buy.0.things").all()]
    assert shown == ["technics-75", "radio", "car", ""], "the set that counts stands in the form"
    for seat in (BEN, CEM):
        table.order(seat, "pass")
    table.look()
    state = table.position().state
    assert isinstance(state, FinansState)
    assert state.properties["radio"].owner == ANNA
    assert ANNA in [state.shares[share.key] for share in SHARE_SORTS["technics-75"]]
    page.goto(game(table, "/turns/1"))
    expect(page.locator("main")).to_contain_text("Anna")


def test_the_form_offers_what_is_possible_from_the_square_with_its_price(table: TestTable, new_page: NewPage) -> None:
    open_table(table)
    page = new_page()
    orders_page(table, page)
    things = page.locator("[name='buy.0.things']").first.locator("option").all_inner_texts()
    assert "Bookshop" not in " ".join(things), "she has it"
    assert all("costs: " in thing for thing in things[1:])
    assert page.locator("[name='build.0.properties']").first.locator("option").count() == 2
    assert page.locator("[name='redeem.0.properties']").first.locator("option").count() == 2
    groups = page.locator("[name='meeting.0.group'] option").all_inner_texts()
    assert len(groups) == 2
    assert "the papers cost: " in groups[1]
    everything = page.locator("[name='buy-always.0.things']").first.locator("option")
    assert everything.count() == 1 + len(thing_choices()), "for other turns everything can be named"


def test_on_an_ordinary_square_only_a_car_is_on_offer_and_the_rest_waits_folded(
    table: TestTable, new_page: NewPage
) -> None:
    open_table(table, language="de", anna={"square": 12, "cash": 90_000})
    page = new_page(width=390, height=844, locale="de-DE", colour_scheme="dark")
    orders_page(table, page)
    assert page.locator("[name='buy.0.things']").first.locator("option").count() == 2
    assert page.locator("[name='meeting.0.group']").count() == 0
    assert page.locator("#orders details.part[open]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_without_scripts_the_same_form_takes_a_row_in_its_order(table: TestTable, new_page: NewPage) -> None:
    open_table(table)
    page = new_page(javascript=False)
    orders_page(table, page)
    page.locator("[name='buy.0.things']").nth(0).select_option("radio")
    page.locator("[name='buy.0.things']").nth(1).select_option("cobbler")
    page.get_by_text("Lasting orders").click()
    page.locator("[name='bonds.0.numbers']").fill("99, 3")
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Does not count")
    expect(page.locator("[id='bonds.0.numbers.problem']")).to_contain_text("Bonds have the numbers 1 to")
    assert page.locator("[name='bonds.0.numbers']").input_value() == "99, 3"
    page.locator("[name='bonds.0.numbers']").fill("9, 3")
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Counts")
    buy, bonds = counting_orders(table, ANNA)
    assert (getattr(buy, "things", ()), getattr(bonds, "numbers", ())) == (("radio", "cobbler"), (9, 3))
    expect(page.locator("[name='buy.0.things']")).to_have_count(3)


def test_beside_the_table_stands_what_can_be_done_now_and_the_rest_is_one_press_away(
    table: TestTable, new_page: NewPage
) -> None:
    open_table(table)
    page = new_page(javascript=False)
    claim(page, table, table.tokens[ANNA])
    assert page.locator("[name='buy-always.0.things']").count() == 0
    page.locator("[name='buy.0.things']").first.select_option("radio")
    page.get_by_role("button", name="In every turn: a programme for other squares").click()
    assert page.locator(".slip").count() == 0, "nothing is handed in"
    assert page.locator("[name='buy.0.things']").first.input_value() == "radio"
    page.locator("[name='buy-always.0.things']").first.select_option("grocery")
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Counts")
    page.goto(game(table))
    assert page.locator("[name='buy-always.0.things']").first.input_value() == "grocery", "what stands there is shown"


def test_a_form_for_a_turn_that_is_over_is_not_shown_as_one_for_the_next(table: TestTable, new_page: NewPage) -> None:
    open_table(table)
    page = new_page(javascript=False)
    claim(page, table, table.tokens[ANNA])
    page.locator("[name='buy.0.things']").first.select_option("radio")
    for seat in (ANNA, BEN, CEM):
        table.order(seat, "pass")
    table.look()
    page.get_by_role("button", name="Lasting orders: bonds, tips, debts, rent").click()
    expect(page.locator("main")).to_contain_text("turn 2 is open now")
    expect(page.locator("main")).to_contain_text(f"buy {PROPERTIES['radio'].name}")


def test_the_sums_count_what_stands_of_earlier_rounds_unless_it_is_ended(table: TestTable, new_page: NewPage) -> None:
    open_table(table)
    table.order(ANNA, "always build Bookshop\nalways buy Technics 75 keep 10000")
    for seat in (BEN, CEM):
        table.order(seat, "pass")
    table.look()
    state = position(
        seats=(ANNA, BEN, CEM),
        players={ANNA: IN_THE_BANK, BEN: {"square": 12}, CEM: {"square": 12}},
        lots={"bookshop": ANNA},
    )
    lay_out(table, state)
    page = new_page()
    orders_page(table, page)
    assert shown_totals(page) == ["0 Cr", "95,000 Cr", "245,000 Cr"]
    page.get_by_text("a programme for other squares").click()
    page.locator("[name='buy-always.0.things']").first.select_option("cobbler")
    assert shown_totals(page) == ["0 Cr", "30,000 Cr", "310,000 Cr"]
    page.get_by_text("Lasting orders").click()
    page.locator("[name='forget.0.what']").select_option("build")
    assert shown_totals(page) == ["0 Cr", "10,000 Cr", "330,000 Cr"]


@pytest.mark.parametrize("path", ["", "/orders"])
def test_the_pages_of_six_in_the_bank_are_not_heavy(table: TestTable, new_page: NewPage, path: str) -> None:
    """100 KB without pictures, everything that a browser fetches for the page included."""
    seats = tuple("123456")
    table.open(("Anna", "Ben", "Cem", "Dora", "Emil", "Frida"), ruleset="finans", language="de")
    lots = {key: {"owner": ANNA, "built": key != "radio"} for key in ("bookshop", "grocery", "radio", "paint")}
    state = position(
        seats=seats,
        players={ANNA: {**IN_THE_BANK, "car": True, "tips": ["permit"]}},
        lots={**lots, "laundry": {"owner": ANNA, "mortgaged": True}, "soap": BEN},
        shares={"business_1": ANNA, "crafts_1": ANNA, "chemistry_1": BEN},
    )
    state.wealth = [{seat: 1000 * number * int(seat) for seat in seats} for number in range(60)]
    lay_out(table, state)
    page = new_page()
    claim(page, table, table.tokens[ANNA])
    page.goto("about:blank")
    received: list[bytes] = []
    page.on("response", lambda response: received.append(response.body()) if response.status < 300 else None)
    page.goto(game(table, path), wait_until="networkidle")
    assert any(b"<figure" in body for body in received) == (path == "")
    assert sum(len(re.sub(rb"<svg.*?</svg>", b"", body, flags=re.DOTALL)) for body in received) < MOST_BYTES
