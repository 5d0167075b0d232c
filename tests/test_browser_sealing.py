"""Sealing in a real browser: a player makes a block on his order page and posts it where everybody reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from judge.envelope import Content, find, open_block
from judge.service import keys
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
    """Anna's browser on the order page of a new game of four."""
    table.open(NAMES)
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    claim(page, table, table.tokens[ANNA])
    page.goto(game(table, "/orders"))
    return page


def seal_sheet(page: Page) -> str:
    """Seals what is filled in, copies the block as a player would, and returns what is in the clipboard."""
    page.get_by_text("Seal for a public thread").click()
    page.get_by_role("button", name="Seal the form").click()
    expect(page.get_by_label("Sealed block for a post")).to_be_visible()
    page.get_by_role("button", name="Copy the block").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def write(page: Page, table: TestTable, text: str) -> None:
    """Writes a post in the board's thread, and looks for the receipt."""
    page.goto(game(table, "/thread"))
    page.locator("textarea[name=text]").fill(text)
    page.locator("form:has(textarea[name=text]) button").first.click()
    page.get_by_role("link", name="To the receipt").click()
    page.wait_for_url("**/orders")


def opened(table: TestTable, block: str) -> Content:
    with table.judge.store.read() as session:
        return open_block(find(block)[0], keys.private_keys(session, "enc"))


def in_public(table: TestTable) -> str:
    """All that somebody who has no seat is shown of the game, by page, API and feed."""
    api = f"{table.judge.settings.address}/api/v1/games/{table.game_id}"
    pages = [game(table), game(table, "/thread"), game(table, "/feed.atom"), api, f"{api}/thread", f"{api}/letters"]
    answers = [httpx.get(page) for page in pages]
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.text for answer in answers)


def test_a_block_sealed_in_the_page_and_posted_in_the_thread_resolves(
    anna: Page, table: TestTable, new_page: NewPage
) -> None:
    fill(anna, X=(3, 57))
    sent: list[str] = []
    anna.on("request", lambda request: sent.append(request.url))
    block = seal_sheet(anna)
    assert sent == [], "sealing sends nothing"
    ben = new_page()
    claim(ben, table, table.tokens[BEN])
    write(ben, table, f"Look what I found\n\n{block}")
    expect(ben.locator(".slip")).to_contain_text("was not sealed for your seat")
    expect(ben.locator(".slip")).to_contain_text("Does not count")
    expect(ben.locator(".slip")).not_to_contain_text("57")
    write(anna, table, f"Here is mine.\n\n{block}\n\nGood luck!")
    expect(anna.locator(".slip")).to_contain_text("X:3 at 57")
    expect(anna.locator(".slip")).to_contain_text("Counts")
    before = in_public(table)
    assert "Good luck!" in before
    assert "[sealed]" not in before
    assert "at 57" not in before
    assert block.splitlines()[3] not in before
    for seat in (BEN, CEM, DORA):
        table.order(seat, "pass")
    for _ in range(100):
        if table.turn(1).status == "resolved":
            break
        anna.wait_for_timeout(100)
    assert table.turn(1).opened_lines[ANNA] == ["X:3 at 57"]
    assert table.turn(1).opened_lines[BEN] == []
    anna.goto(game(table, "/thread"))
    expect(anna.locator("main")).to_contain_text("X:3 at 57")


def test_what_the_page_seals_is_what_the_form_would_send(anna: Page, table: TestTable) -> None:
    fill(anna, X=(3, 42), S=(2, 22))
    content = opened(table, seal_sheet(anna))
    assert content.orders == [
        {"kind": "bid", "grade": "X", "units": 3, "price": 42},
        {"kind": "bid", "grade": "S", "units": 2, "price": 22},
    ]
    assert (content.game, content.turn, content.version, content.seat) == (table.game_id, 1, 1, ANNA)


def test_typed_text_is_sealed_as_it_is(anna: Page, table: TestTable) -> None:
    anna.get_by_text("Hand in as text").click()
    anna.locator("#text").fill("X:3 zu 42\nF: 2 @ 31 – größer")
    anna.get_by_text("Seal for a public thread").click()
    anna.get_by_role("button", name="Seal the typed text").click()
    box = anna.get_by_label("Sealed block for a post")
    expect(box).to_be_visible()
    assert opened(table, box.input_value()).text == "X:3 zu 42\nF: 2 @ 31 – größer"


def test_a_block_tells_by_its_length_nothing_of_what_is_sealed(anna: Page) -> None:
    anna.get_by_text("Seal for a public thread").click()
    lengths = set()
    for bids in ({}, {"X": (3, 40)}, {"X": (3, 49), "F": (3, 39), "S": (3, 29)}):
        fill(anna, **bids)
        anna.get_by_role("button", name="Seal the form").click()
        expect(anna.locator("#seal-said")).not_to_be_empty()
        lengths.add(len(anna.get_by_label("Sealed block for a post").input_value()))
    assert len(lengths) == 1


def test_the_page_seals_nothing_that_the_judge_would_refuse(anna: Page) -> None:
    anna.get_by_text("Seal for a public thread").click()
    said, box = anna.locator("#seal-said"), anna.get_by_label("Sealed block for a post")
    anna.get_by_role("button", name="Seal the typed text").click()
    expect(said).to_contain_text("first")
    anna.locator("[name='bid.X.units']").fill("3")
    anna.get_by_role("button", name="Seal the form").click()
    expect(said).to_contain_text("not complete")
    fill(anna, X=(99, 42))
    anna.get_by_role("button", name="Seal the form").click()
    expect(said).to_contain_text("would refuse")
    expect(box).to_be_hidden()
    fill(anna, X=(3, 42))
    anna.get_by_role("button", name="Seal the form").click()
    expect(box).to_be_visible()
    fill(anna, X=(3, 43))
    expect(box).to_be_hidden()


def test_without_scripts_the_page_gives_the_command(table: TestTable, new_page: NewPage) -> None:
    table.open(NAMES)
    page = new_page(javascript=False, locale="de-DE")
    claim(page, table, table.tokens[BEN])
    page.goto(game(table, "/orders"))
    page.get_by_text("Für einen öffentlichen Thread versiegeln").click()
    expect(page.get_by_role("button", name="Formular versiegeln")).to_be_hidden()
    expect(page.locator("#seal-no-script")).to_be_visible()
    expect(page.locator("#seal-insecure")).to_be_hidden()
    command = page.locator("#seal-command").input_value()
    assert command == f"judge seal {game(table)} --seat 2 'X:3 at 40'"


def test_where_the_connection_is_not_secure_the_page_says_so(anna: Page, table: TestTable, new_page: NewPage) -> None:
    """The same page under an address that browsers do not trust."""
    page = new_page()
    address = table.judge.settings.address
    elsewhere = "http://judge.example"
    cookies = [{"name": one["name"], "value": one["value"], "url": elsewhere} for one in anna.context.cookies()]
    page.context.add_cookies(cookies)

    def forward(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(elsewhere, address)))

    page.route(f"{elsewhere}/**", forward)
    page.goto(game(table, "/orders").replace(address, elsewhere))
    assert page.evaluate("window.isSecureContext") is False
    assert urlsplit(page.url).hostname == "judge.example"
    page.get_by_text("Seal for a public thread").click()
    expect(page.locator("#seal-insecure")).to_contain_text("https")
    expect(page.get_by_role("button", name="Seal the form")).to_be_hidden()
    fill(page, X=(3, 42), F=(2, 31))
    command = page.get_by_label("Command")
    expect(command).to_have_value(f"judge seal {game(table)} --seat 1 'X:3 at 42' 'F:2 at 31'")


def test_sealing_works_with_the_keyboard_alone_and_tells_a_screen_reader(anna: Page) -> None:
    fill(anna, X=(3, 42))
    anna.locator("summary", has_text="Seal for a public thread").focus()
    anna.keyboard.press("Enter")
    anna.keyboard.press("Tab")
    anna.keyboard.press("Enter")
    expect(anna.get_by_role("status").filter(has_text="Sealed.")).to_be_visible()
    expect(anna.get_by_label("Sealed block for a post")).to_be_focused()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sealing_is_accessible_and_fits_on_phones(table: TestTable, new_page: NewPage, width: int, scheme: str) -> None:
    table.open(NAMES)
    page = new_page(width=width, colour_scheme=scheme)
    claim(page, table, table.tokens[ANNA])
    page.goto(game(table, "/orders"))
    page.get_by_text("Seal for a public thread").click()
    page.get_by_role("button", name="Seal the form").click()
    expect(page.get_by_label("Sealed block for a post")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert Axe().run(page).response["violations"] == []
