"""Get Rich Quick in a real browser: the form counts cards and writes lots as the judge does, in German too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from rulesets.get_rich_quick.cards import VALUES
from rulesets.get_rich_quick.state import TableState
from tests.at_the_table import NAMES, TestTable
from tests.site import claim, game, serving

NewPage = Callable[..., Page]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    with serving(tmp_path_factory.mktemp("site")) as running:
        yield running


def test_the_form_counts_cards_and_writes_lots_as_the_judge_does(table: TestTable, new_page: NewPage) -> None:
    table.open(NAMES, ruleset="get-rich-quick", language="de", deadline={"rule": "hours", "hours": 24})
    state = table.position().state
    assert isinstance(state, TableState)
    seat = next(seat for seat, hand in state.hands.items() if not {"Taxman", "Get Rich Quick"} <= set(hand))
    held = Counter(state.hands[seat])
    wilds = next((wild for wild in ("Taxman", "Get Rich Quick") if held[wild]), "")
    card = next(card for card in VALUES if held[card])
    page = new_page()
    claim(page, table, table.tokens[seat])
    page.goto(game(table, "/orders"))
    page.locator("[name='offer.0.commodity']").select_option(card)
    page.locator("[name='offer.0.count']").fill("10")
    expect(page.locator("#wrong")).to_have_text(f"Your lots hold 10 {card}; you have {held[card]}.")
    page.locator("[name='offer.0.count']").fill("1")
    expect(page.locator("#wrong")).to_be_empty()
    missing = "Taxman" if wilds != "Taxman" else "Get Rich Quick"
    page.locator("[name='offer.0.wilds']").select_option(missing)
    expect(page.locator("#wrong")).to_have_text(f"You offer {missing} and do not have it.")
    page.locator("[name='offer.0.wilds']").select_option(wilds)
    page.locator("[name='collect.0.commodity']").select_option("Oil")
    page.locator("[name='hold.0.given']").check()
    text = page.locator("#as-text").input_value()
    page.get_by_role("button", name="Hand in").first.click()
    expect(page.locator(".slip .stamp").first).to_have_text("Counts")
    lines = page.locator(".slip li .typed").all_inner_texts()
    assert text.splitlines() == lines
    assert lines[0].startswith("biete 1 ")
    assert lines[1:] == ["sammle Öl", "halte"]


@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", ("In your hand: ", "Taxman")), ("de-DE", ("Auf der Hand: ", "Steuermann"))]
)
def test_on_a_phone_the_own_hand_stays_in_sight_while_the_form_is_filled_in(
    table: TestTable, new_page: NewPage, locale: str, words: tuple[str, str]
) -> None:
    """Whoever reaches a field by finger or by key sees the field and his cards."""
    table.open(NAMES, ruleset="get-rich-quick", language=locale[:2], deadline={"rule": "hours", "hours": 24})
    state = table.position().state
    assert isinstance(state, TableState)
    seat = next(seat for seat, hand in state.hands.items() if "Taxman" in hand)
    page = new_page(width=390, height=844, locale=locale, reduced_motion="reduce")
    claim(page, table, table.tokens[seat])
    page.goto(game(table, "/orders"))
    hand = page.locator(".at-hand")
    expect(hand).to_contain_text(words[0])
    expect(hand).to_contain_text(words[1])
    for card, count in Counter(state.hands[seat]).items():
        if card in VALUES:
            expect(hand).to_contain_text(f"{count} ")
    fields = page.locator("#orders :is(input:not([type=hidden]), select, button):visible")
    last, first = fields.count() - 1, 0
    for place in (*range(first, last + 1), *range(last, first - 1, -1)):
        fields.nth(place).focus()
        below = hand.evaluate("hand => Math.round(hand.getBoundingClientRect().bottom)")
        above = fields.nth(place).evaluate("field => Math.round(field.getBoundingClientRect().top)")
        expect(hand).to_be_in_viewport(ratio=1)
        expect(fields.nth(place)).to_be_in_viewport(ratio=0.9)
        assert below <= above, f"field {place} hides behind the hand"
