"""What an Ask can say about its form: rows in order, parts and sections, lines that need nothing, and sums."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest
from pydantic import Field as Bounded

from judge.core.dice import ScriptedDice
from judge.core.order_json import dump_orders, parse_orders
from judge.core.orders import Ask, Choice, Notation, Order, Part, Problem, Section
from judge.core.sums import Count, Ladder, Limit, Total
from judge.core.text import Text
from judge.language import Voice
from judge.registry import rulesets
from judge.service import intake
from judge.web.forms import OrderForm, order_form, read_form, typed_orders
from judge.web.livesums import live_sums
from tests.at_the_table import TestTable


class Wish(Order):
    """The first of these things that can be had, now or in every turn."""

    kind: Literal["wish"] = "wish"
    notation: ClassVar = Notation(
        write={"en": "{always=always} wish {things}", "de": "{always=immer} wünsche {things}"}
    )
    title: ClassVar = Text.of("Wishes")
    labels: ClassVar = {"things": Text.of("Things"), "keep": Text.of("Keep"), "always": Text.of("Always")}
    always: bool = False
    things: tuple[str, ...] = Bounded(min_length=1, max_length=4)
    keep: int | None = Bounded(default=None, ge=0)


class Numbers(Order):
    """Numbers in the order in which they are wanted."""

    kind: Literal["numbers"] = "numbers"
    notation: ClassVar = Notation(write={"en": "numbers {row}", "de": "Nummern {row}"})
    title: ClassVar = Text.of("Numbers")
    row: tuple[int, ...] = Bounded(min_length=1, examples=[(7, 6)])


class Blow(Order):
    """Can stand without anything filled in."""

    kind: Literal["blow"] = "blow"
    notation: ClassVar = Notation(write={"en": "blow [at {steps}]", "de": "blase [bei {steps}]"})
    title: ClassVar = Text.of("Blow")
    steps: int | None = Bounded(default=None, ge=1, le=9)


class Bid(Order):
    """A maximum, and how much of it in gold."""

    kind: Literal["bid"] = "bid"
    notation: ClassVar = Notation(write={"en": "bid {card} {most} [gold {gold}]", "de": "biete {card} {most}"})
    title: ClassVar = Text.of("Bid")
    subject: ClassVar = ("card",)
    card: str
    most: int = Bounded(ge=1)
    gold: int | None = Bounded(default=None, ge=0)


THINGS = tuple(Choice(value, value.title()) for value in ("ship", "mill", "cart", "barn"))
CARDS = tuple(Choice(value, value.upper()) for value in "xy")
NOW = Section(Text.of("Now"))
LATER = Section(Text.of("Later"), folded=True)
PLAIN = Ask((Wish, Numbers, Blow, Bid), Text.of("Wish."), choices={"things": THINGS, "card": CARDS})
PARTS = (
    Part(Wish, LATER, given={"always": True}),
    Part(Wish, NOW, given={"always": False}, offered={"things": ("mill", "cart")}),
    Part(Bid, NOW, in_order=True),
)
ASK = Ask(PLAIN.kinds, PLAIN.prompt, choices=PLAIN.choices, parts=PARTS)


def sections(form: OrderForm) -> list[tuple[str | None, bool, list[str]]]:
    return [
        (one.section.title.text if one.section else None, one.open, [sheet.key for sheet in one.sheets])
        for one in form.sections
    ]


def test_a_row_keeps_its_order_through_the_form() -> None:
    orders = [Wish(things=("mill", "ship", "cart"), keep=3), Numbers(row=(12, 40, 7)), Blow()]
    typed = typed_orders(PLAIN, orders)
    assert typed["wish.0.things"] == ["mill", "ship", "cart"]
    assert typed["numbers.0.row"] == ["12, 40, 7"]
    assert parse_orders(read_form(PLAIN, typed), PLAIN) == (orders, [])


@pytest.mark.parametrize("text", ["12, 40, 7", "12 40 7", "12;40 and 7", " 12,40 ,und 7 ", "12 + 40 / 7", "12, 40 & 7"])
def test_a_row_of_numbers_is_read_as_people_write_it(text: str) -> None:
    assert read_form(PLAIN, {"numbers.0.row": [text]}) == [{"kind": "numbers", "row": [12, 40, 7]}]


def test_what_is_no_number_in_a_row_is_told_beside_it_and_stays() -> None:
    typed = {"numbers.0.row": ["12, 1.000 and x"]}
    _, problems = parse_orders(read_form(PLAIN, typed), PLAIN)
    cell = order_form(PLAIN, typed, problems).sheets[1].rows[0].cells[0]
    assert cell.value == "12, 1.000 and x"
    assert [problem.quote for problem in cell.problems] == ["1.000", "x"]


def test_places_of_a_row_may_stay_empty() -> None:
    assert read_form(PLAIN, {"wish.0.things": ["", "cart", " ", "ship"]})[0]["things"] == ["cart", "ship"]


def test_a_line_that_needs_nothing_has_a_switch_and_whatever_is_filled_in_gives_it_too() -> None:
    given = order_form(PLAIN, {}).sheets[2].columns[0]
    assert (given.name, given.control) == ("given", "switch")
    assert read_form(PLAIN, {"blow.0.given": ["on"]}) == [{"kind": "blow"}]
    assert read_form(PLAIN, {"blow.0.steps": ["3"]}) == [{"kind": "blow", "steps": 3}]


def test_parts_stand_under_their_headings_and_folded_ones_last() -> None:
    assert sections(order_form(ASK, {})) == [("Now", True, ["wish", "bid"]), ("Later", False, ["wish-always"])]


def test_a_folded_section_opens_for_what_stands_in_it_or_is_wrong_there() -> None:
    typed = {"wish-always.0.keep": ["3"]}
    assert sections(order_form(ASK, typed))[1][1]
    problem = Problem(Text.of("Things is missing."), line=1, field="things")
    form = order_form(ASK, typed, [problem])
    assert form.sections[1].sheets[0].rows[0].cells[0].problems == (problem,)


def test_what_is_for_later_turns_is_left_to_the_whole_form_until_something_stands_in_it() -> None:
    someday = Section(Text.of("Someday"), folded=True, later=True)
    ask = Ask(PLAIN.kinds, PLAIN.prompt, choices=PLAIN.choices, parts=(*PARTS[1:], Part(Numbers, someday)))
    empty = order_form(ask, {})
    assert empty.later == (someday,)
    assert [sheet.key for sheet in empty.without(empty.later).sheets] == ["wish", "bid"]
    assert order_form(ask, {"numbers.0.row": ["3"]}).later == ()


def test_a_kind_is_explained_where_it_stands_first() -> None:
    explained = [(sheet.key, sheet.explained) for one in order_form(ASK, {}).sections for sheet in one.sheets]
    assert explained == [("wish", False), ("bid", False), ("wish-always", True)]


def test_a_part_asks_neither_for_what_is_given_nor_offers_what_makes_no_sense() -> None:
    later, now, _ = order_form(ASK, {}).sheets
    assert [column.name for column in now.columns] == ["things", "keep"]
    assert [choice.value for choice in now.columns[0].choices] == ["mill", "cart"]
    assert len(later.columns[0].choices) == len(THINGS)
    assert read_form(ASK, {"wish-always.0.things": ["ship"], "wish.0.things": ["mill"]}) == [
        {"kind": "wish", "always": True, "things": ["ship"]},
        {"kind": "wish", "always": False, "things": ["mill"]},
    ]


def test_orders_that_fit_no_part_stand_in_the_form_all_the_same() -> None:
    """What came as text or was ordered in an earlier position is never lost when the form is sent again."""
    orders = [Wish(things=("ship",)), Wish(always=True, things=("barn",)), Blow(steps=2), Numbers(row=(3,))]
    typed = typed_orders(ASK, orders)
    keys = [sheet.key for sheet in order_form(ASK, typed).sheets]
    assert keys == ["wish-always", "wish", "bid", "wish-other", "numbers-other", "blow-other"]
    read, problems = parse_orders(read_form(ASK, typed), ASK)
    assert problems == []
    assert sorted(map(str, dump_orders(read))) == sorted(map(str, dump_orders(orders)))


def test_lines_whose_order_counts_are_no_tally() -> None:
    assert order_form(PLAIN, {}).sheets[3].shape == "tally"
    bids = order_form(ASK, {}).sheets[2]
    assert (bids.shape, bids.grows) == ("lines", True)
    typed = {"bid.0.card": ["y"], "bid.0.most": ["3"], "bid.1.card": ["x"], "bid.1.most": ["4"]}
    assert [order["card"] for order in read_form(ASK, typed)] == ["y", "x"]


def test_a_zero_is_something_filled_in() -> None:
    assert read_form(ASK, {"bid.0.gold": ["0"]}) == [{"kind": "bid", "gold": 0}]


def test_limits_see_a_number_that_is_left_out_as_none_and_name_the_line() -> None:
    says = Text.of("{counted} gold; there are 5.")
    limit = Limit(of=("gold",), by="card", weights={"x": 1}, kinds=("bid",), at_most=5, says=says)
    few = [Bid(card="y", most=9, gold=8), Bid(card="x", most=9)]
    assert list(limit.problems(few)) == []
    (problem,) = limit.problems([*few, Bid(card="x", most=9, gold=8)])
    assert (problem.line, problem.field, problem.text.values["counted"]) == (3, "gold", 8)


def test_sums_take_alternatives_the_dearest_and_rows_of_values() -> None:
    bids = [Bid(card="x", most=9, gold=2), Bid(card="y", most=7)]
    assert Count(of=("gold|most",), kinds=("bid",)).counted(bids) == 9
    assert Count(of=("most",), kinds=("bid",), dearest=True).counted(bids) == 9
    wishes = [Wish(things=("ship", "mill")), Wish(always=True, things=("cart",))]
    prices = {"ship": 50, "mill": 30, "cart": 5}
    assert Count(by="things", weights=prices).counted(wishes) == 85
    assert Count(by="things", weights=prices, dearest=True, times=-1).counted(wishes) == -50
    assert Count(by="things", weights=prices, where={"always": True}).counted(wishes) == 5


def test_a_total_stays_within_its_bounds() -> None:
    left = Total(Text.of("Gold left"), of=("most",), start=10, sign=-1, least=0)
    assert left.value([Bid(card="x", most=4)]) == 6
    assert left.value([Bid(card="x", most=14)]) == 0


def test_units_climb_a_ladder_of_prices() -> None:
    ladder = Ladder(kinds=("bid",), by="card", of="most", steps={"x": (2, 3, 3, 5), "y": (1,)}, up_to="gold")
    assert ladder.counted([Bid(card="x", most=2)]) == 5
    assert ladder.counted([Bid(card="x", most=2), Bid(card="x", most=1), Bid(card="y", most=3)]) == 9
    assert ladder.counted([Bid(card="x", most=4, gold=3)]) == 8
    assert Count(kinds=(), also=(ladder,), times=2).counted([Bid(card="y", most=1)]) == 2


def test_the_sums_know_which_lines_of_the_form_end_one_that_stands() -> None:
    """A purchase in every turn ends one that stood; so does what forgets purchases, or everything."""
    game = rulesets()["finans"]
    state = game.setup(("1", "2"), game.Options(), ScriptedDice(bytes(32)))
    ask = game.asks(state)["1"]
    stood = parse_orders(
        [
            {"kind": "buy", "always": True, "things": ["bookshop"]},
            {"kind": "sell", "always": True, "after": True, "things": ["car"]},
        ],
        ask,
    )[0]
    buys, sells = live_sums(ask, order_form(ask, {}), Voice.of(game, "en"), "en", stood)["kept"]
    assert buys["values"] == {"always": True, "things": ["bookshop"], "keep": None}
    assert buys["ends"] == {"buy-always": {}, "forget": {"what": ["everything", "buy"]}}
    assert sells["ends"] == {"sell-always": {"after": [True]}, "forget": {"what": ["everything", "sell"]}}


@pytest.mark.parametrize("ruleset", rulesets().values(), ids=lambda ruleset: ruleset.name)
def test_parts_of_a_game_speak_of_what_can_be_ordered(ruleset) -> None:  # type: ignore[no-untyped-def]
    seats = [str(number) for number in range(1, max(ruleset.seats) + 1)]
    state = ruleset.setup(seats, ruleset.Options(), ScriptedDice(bytes(32)))
    for ask in ruleset.asks(state).values():
        for part in ask.parts:
            assert part.kind in ask.kinds
            assert {*part.given, *part.offered} <= set(part.kind.model_fields)
            for name, values in part.offered.items():
                choices = ask.choices_for(part.kind, name)
                assert choices is not None
                assert set(values) <= {choice.value for choice in choices}
        form = order_form(ask, {})
        keys = [sheet.key for sheet in form.sheets]
        assert len(set(keys)) == len(keys)
        assert live_sums(ask, form, Voice.of(ruleset, "de"), "de")["sheets"]


def test_a_problem_names_the_line_that_was_handed_in_though_standing_lines_come_before_it(table: TestTable) -> None:
    table.open(("Anna", "Ben", "Cem"), ruleset="finans")
    for seat in "123":
        table.order(seat, "bonds 3\nwin when possible")
    table.look()
    wrong = {"kind": "bonds", "numbers": [77]}
    slip = table.do(intake.hand_in, table.game_id, "1", intake.Source("form"), [{"kind": "loan", "count": 1}, wrong])
    assert [(problem.line, problem.field) for problem in slip.problems] == [(2, "numbers")]
