"""A line that begins like an order and names what cannot be chosen now is answered, and never taken for chat."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest
from pydantic import Field

from judge.core.names import with_names
from judge.core.notation import Reading, read
from judge.core.orders import Ask, Choice, Notation, Order
from judge.core.text import Text
from judge.language import Voice
from rulesets.finans import ruleset as finans
from rulesets.get_rich_quick import ruleset as get_rich_quick
from rulesets.money_maker import ruleset as money_maker
from tests import finans_table, money_maker_table
from tests.games import played


class Visit(Order):
    notation: ClassVar[Notation] = Notation(
        write={"en": "visit {place} [for {hours}]", "de": "besuche {place} [für {hours}]"}
    )
    title: ClassVar[Text] = Text.of("Visit")
    labels: ClassVar = {"place": Text.of("Place"), "hours": Text.of("Hours")}

    kind: Literal["visit"] = "visit"
    place: str
    hours: int = Field(default=1, ge=1, le=9)


MUSEUM, PARK = Choice("museum", "Museum"), Choice("park", "City Park", ("Stadtpark",))
ZOO, HARBOUR = Choice("zoo", "Zoo", ("Tierpark",)), Choice("harbour", "Old Harbour", ("Alter Hafen",))
ASK = Ask(
    kinds=(Visit,),
    prompt=Text.of("Where to?"),
    choices={"place": (MUSEUM, PARK)},
    known={"place": (MUSEUM, PARK, ZOO, HARBOUR)},
)


def told(reading: Reading) -> list[str]:
    return [Voice("en").say(problem.text) for problem in reading.problems]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("visit zoo", "Zoo"),
        ("visit Zoo for 3", "Zoo"),
        ("Visit: ZOO", "Zoo"),
        ("besuche Tierpark für 2", "Zoo"),
        ("visit Old Harbour for 2", "harbour (Old Harbour)"),
        ("visit old harb", "harbour (Old Harbour)"),
        ("visit Alter Hafen", "harbour (Old Harbour)"),
        ("visit zoo for 99", "Zoo"),
        ("visit the zoo when possible", "Zoo"),
        ("Hallo zusammen, visit zoo", "Zoo"),
    ],
)
def test_what_cannot_be_chosen_now_is_told_with_what_can(line: str, name: str) -> None:
    reading = read(line, ASK)
    assert reading.intent == "orders"
    assert told(reading) == [f"“Visit” is not possible with {name} now; possible: Museum and park (City Park)."]
    assert reading.problems[0].field == "place"
    assert reading.problems[0].right is not None
    assert reading.problems[0].right.startswith("visit museum")


def test_the_answer_is_german_in_a_german_voice() -> None:
    [problem] = read("besuche Zoo", ASK, language="de").problems
    assert Voice("de").say(problem.text) == "„Visit“ geht mit Zoo jetzt nicht; möglich: Museum und park (City Park)."


@pytest.mark.parametrize(
    "line", ["The zoo is closed today", "Zoo?", "I would rather visit all of you in my own house, and not the zoo"]
)
def test_talk_about_such_things_is_chat(line: str) -> None:
    reading = read(line, ASK)
    assert (reading.intent, told(reading)) == (None, [])


def test_what_can_be_chosen_reads_as_without_it() -> None:
    for line, place in (("visit museum", "museum"), ("visit park for 2", "park"), ("visit city", "park")):
        reading = read(line, ASK)
        assert (reading.is_valid, [order.place for order in reading.orders]) == (True, [place])  # type: ignore[attr-defined]


def test_a_kind_that_is_not_asked_is_told_from_chat_by_such_a_name() -> None:
    ask = Ask(kinds=(), prompt=Text.of("Wait."), choices=ASK.choices, known=ASK.known)
    assert told(read("visit Old Harbour", ask, others=[Visit])) == ["Visit cannot be given now; possible: ."]


def test_players_among_them_are_called_by_their_names() -> None:
    host = Choice("2", "2", seat="2")
    named = with_names(Ask((Visit,), Text.of("Where to?"), {"place": (MUSEUM,)}, {"place": (host,)}), {"2": "Ben"})
    assert "is not possible with" in told(read("visit Ben", named))[0]


def test_a_card_that_is_not_open_is_told_from_talk_in_money_maker() -> None:
    state = money_maker_table.table(row=["Textile Producer", "Sail Loft"])
    possible = "now; possible: Textile Producer and Sail Loft."
    for seat, line, title in (
        ("Anna", "open Dye House 3", "Open an auction"),
        ("Anna", "eröffne Färberei höchstens 3", "Open an auction"),
        ("Ben", "bid Dye House 9", "Bid"),
        ("Ben", "biete 9 für Färberei", "Bid"),
    ):
        ask = money_maker.asks(state)[seat]
        assert told(read(line, ask)) == [f"“{title}” is not possible with Dye House {possible}"]


def test_shares_cannot_be_built_on_in_finans() -> None:
    ask = finans.asks(finans_table.position())["Anna"]
    [answer] = told(read("build Crafts 50", ask))
    assert answer.startswith("“Build” is not possible with crafts-50 (Crafts 50) now; possible:")


def test_a_commodity_that_is_not_in_play_is_told_from_talk_in_get_rich_quick() -> None:
    first = played(get_rich_quick, get_rich_quick.seats[0], "known", most=1)[0].before
    ask = next(iter(get_rich_quick.asks(first).values()))
    missing = ask.known["commodity"][-1]
    assert missing not in ask.choices["commodity"]
    assert "is not possible with" in told(read(f"collect {missing.value}", ask))[0]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("sell Bookshop to Ben for 30000", "After “sell Bookshop” the rest cannot be read: “to Ben for 30000”."),
        ("buy Bookshop from Ben for 20000", "After “buy Bookshop” the rest cannot be read: “from Ben for 20000”."),
        ("buy Bookshop for 20000", "After “buy Bookshop” the rest cannot be read: “for 20000”."),
        ("raid Bookshop from Ben", "After “raid Bookshop” the rest cannot be read: “from Ben”."),
        ("bonds 7 8 6", "After “bonds 7” the rest cannot be read: “8 6”."),
        ("after buy Bookshop", "“mortgage” is missing."),
        ("else meeting", "Company group is missing."),
    ],
)
def test_a_line_that_begins_with_an_order_and_does_not_end_with_it_is_told_in_finans(line: str, answer: str) -> None:
    reading = read(line, finans.asks(finans_table.position())["Anna"])
    assert (reading.orders, told(reading)) == ((), [answer])


@pytest.mark.parametrize(
    "line", ["after that I am broke", "Kaufe nie wieder ein Auto", "I will sell Bookshop to Ben for 30000"]
)
def test_talk_that_begins_like_an_order_is_chat_in_finans(line: str) -> None:
    reading = read(line, finans.asks(finans_table.position())["Anna"])
    assert (reading.intent, told(reading)) == (None, [])


def test_a_card_that_is_played_without_saying_how_is_told_in_money_maker() -> None:
    state = money_maker_table.table(
        row=["Textile Producer", "Sail Loft"], banks={"Anna": {"actions": ["Quiet Ledger"]}}
    )
    asks = money_maker.asks(state)
    assert told(read("play Quiet Ledger", asks["Anna"])) == ["Credit is missing."]
    assert told(read("bid five Textile Producer", asks["Ben"])) == ["At most is missing."]
    assert read("Open question: who takes the Sail Loft?", asks["Anna"]).intent is None
