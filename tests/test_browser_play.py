"""Playing in a real browser: with and without scripts, with a mouse and with nothing but a keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.at_the_table import NAMES, TestTable
from tests.site import claim, fill, game, serving

NewPage = Callable[..., Page]
ANNA, BEN, CEM, DORA = "1", "2", "3", "4"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    with serving(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture
def anna(table: TestTable, new_page: NewPage) -> Page:
    """Anna's browser at the table of a new game of four."""
    table.open(NAMES, deadline={"rule": "hours", "hours": 24})
    page = new_page()
    claim(page, table, table.tokens[ANNA])
    return page


@pytest.mark.parametrize("javascript", [True, False])
def test_four_players_play_a_turn_by_forms(table: TestTable, new_page: NewPage, javascript: bool) -> None:
    table.open(NAMES, title="Friday round")
    bids = {ANNA: {"X": (3, 42)}, BEN: {"F": (3, 33)}, CEM: {"S": (2, 22)}, DORA: {"X": (1, 44), "S": (3, 21)}}
    browsers = {seat: new_page(javascript=javascript) for seat in bids}
    for seat, page in browsers.items():
        claim(page, table, table.tokens[seat])
        expect(page.locator("section.move h2")).to_have_text("It is your move")
        fill(page, **bids[seat])
        page.get_by_role("button", name="Hand in").first.click()
        page.wait_for_url("**/orders")
    page = browsers[ANNA]
    page.goto(game(table, "/turns/1"))
    for _ in range(50):
        if page.get_by_role("heading", name="The orders").count():
            break
        page.wait_for_timeout(100)
        page.reload()
    orders = page.locator("section", has=page.get_by_role("heading", name="The orders"))
    expect(orders).to_contain_text("X:1 at 44, S:3 at 21")
    page.goto(game(table))
    expect(page.locator("section.move")).to_contain_text("Everything about turn 1")


def test_the_sheet_does_its_sums_while_it_is_filled_in(anna: Page) -> None:
    fill(anna, X=(3, 42))
    totals = anna.locator("dl.sums dd")
    expect(totals).to_have_text(["6", "$126", "$324"])
    expect(anna.locator("[id='bid.X.price.least']")).to_have_text("from 33")
    expect(anna.locator("[id='bid.X.room']")).to_have_text("6 left")
    expect(anna.locator("#wrong")).to_be_empty()
    fill(anna, F=(9, 20))
    expect(totals).to_have_text(["−3", "$306", "$144"])
    expect(anna.locator("#wrong")).to_contain_text("at most 9")


def test_the_page_says_what_is_wrong_in_the_judges_own_sentences(anna: Page) -> None:
    fill(anna, X=(9, 10), F=(9, 49), S=(9, 29))
    live = anna.locator("#wrong").inner_text()
    anna.get_by_role("button", name="Hand in").first.click()
    expect(anna.locator("#orders .problem").first).to_be_visible()
    for problem in anna.locator("#orders .note .problem, #orders td .problem").all_inner_texts():
        assert problem.strip() in live


def test_the_page_writes_the_orders_as_the_judge_does(anna: Page, table: TestTable) -> None:
    fill(anna, X=(3, 42), S=(2, 22))
    anna.get_by_text("The same as text, for a post").click()
    text = anna.locator("#as-text").input_value()
    anna.get_by_role("button", name="Hand in").first.click()
    lines = anna.locator(".slip li .typed").all_inner_texts()
    assert text.splitlines() == lines == ["X:3 at 42", "S:2 at 22"]
    assert table.order(BEN, text).outcome == "counting"


def test_a_double_click_gives_one_receipt(anna: Page) -> None:
    fill(anna, X=(3, 42))
    anna.get_by_role("button", name="Hand in").first.dblclick()
    expect(anna.locator(".slip")).to_have_count(1)  # the second click may break off the first one's page
    anna.wait_for_load_state("networkidle")
    anna.reload()
    expect(anna.locator(".slip")).to_have_count(1)


def test_of_two_tabs_the_later_one_counts_and_both_receipts_are_there(anna: Page, table: TestTable) -> None:
    second = anna.context.new_page()
    second.goto(game(table))
    fill(anna, X=(3, 42))
    anna.get_by_role("button", name="Hand in").first.click()
    anna.wait_for_url("**/orders")
    fill(second, F=(2, 31))
    second.get_by_role("button", name="Hand in").first.click()
    second.wait_for_url("**/orders")
    expect(second.locator(".slip").first).to_contain_text("F:2 at 31")
    expect(second.locator(".slip")).to_have_count(2)
    anna.goto(game(table, "/orders"))
    expect(anna.locator("[name='bid.F.units']")).to_have_value("2")
    expect(anna.locator("[name='bid.X.units']")).to_have_value("")


def test_a_page_of_yesterday_keeps_what_was_typed(anna: Page, table: TestTable) -> None:
    """T015"""
    fill(anna, X=(3, 42))
    for seat in (ANNA, BEN, CEM, DORA):
        table.order(seat, "X:3 at 43")
    for _ in range(100):
        if table.turn().number > 1:
            break
        anna.wait_for_timeout(100)
    anna.get_by_role("button", name="Hand in").first.click()
    expect(anna.locator("#kept")).to_have_value("X:3 at 42")
    expect(anna.get_by_role("alert")).to_contain_text("were not stored")


def test_a_turn_can_be_played_with_the_keyboard_alone(anna: Page, table: TestTable) -> None:
    anna.goto(game(table))
    anna.keyboard.press("Tab")
    expect(anna.locator(".skip")).to_be_focused()
    anna.keyboard.press("Enter")

    def tab_to(name: str) -> None:
        for _ in range(40):
            anna.keyboard.press("Tab")
            if anna.evaluate("document.activeElement.name") == name:
                return
        raise AssertionError(f"{name} cannot be reached")

    tab_to("bid.X.units")
    anna.keyboard.type("3")
    tab_to("bid.X.price")
    anna.keyboard.type("42")
    outline = anna.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "what has the focus can be seen"
    anna.keyboard.press("Enter")
    anna.wait_for_url("**/orders")
    expect(anna.locator(".slip")).to_contain_text("X:3 at 42")


def test_texts_can_be_copied_with_one_click(anna: Page, table: TestTable, new_page: NewPage) -> None:
    host = new_page(permissions=["clipboard-read", "clipboard-write"])
    claim(host, table, table.opened.host_token if table.opened else "")
    host.goto(game(table, "/moderate"))
    host.locator("details summary").filter(has_text="begins").click()
    button = host.get_by_role("button", name="Copy as BBCode").first
    button.click()
    expect(host.get_by_role("button", name="Copied").first).to_be_visible()
    assert host.evaluate("navigator.clipboard.readText()") == host.locator("textarea[id^=bbcode]").first.input_value()


def test_the_browsers_own_zone_is_taken_up_and_the_countdown_runs(table: TestTable, new_page: NewPage) -> None:
    """T061"""
    table.open(NAMES, deadline={"rule": "hours", "hours": 24}, zone="Europe/Berlin")
    page = new_page(timezone_id="Asia/Tokyo")
    page.goto(game(table))
    page.goto(game(table))
    expect(page.locator(".until")).to_contain_text("(Tokyo); in Berlin")
    left = page.locator(".until [data-until]")
    expect(left).to_have_text("in 23 hours")
    assert left.get_attribute("title")


def test_the_language_can_be_switched_on_every_page(table: TestTable, new_page: NewPage) -> None:
    table.open(NAMES)
    page = new_page(locale="en-GB", javascript=False)
    page.goto(game(table))
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert page.url == game(table)
    expect(page.get_by_role("heading", name="Am Tisch")).to_be_visible()
