"""The language of shapes, shown on orders as many games have them; what is written is read back as the same order."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from judge.core.notation import example, read, write
from judge.core.orders import Ask, Choice, Notation, Order, latest
from judge.core.text import Text
from tests.market import Bid, Offer, bid, buying, plain, selling
from tests.order_strategies import orders_for


class Trade(Order):
    notation: ClassVar[Notation] = Notation(
        {"en": "offer {count} {good} [+ {extra}]", "de": "biete {count} {good} [+ {extra}]"},
        read=("offer|biete {count} {good} [+|plus|und|and {extra}]",),
    )
    title: ClassVar[Text] = Text.of("Trade")
    kind: Literal["trade"] = "trade"
    count: int = Field(ge=1, le=9)
    good: str
    extra: Literal["taxman", "wild"] | None = None


class Collect(Order):
    notation: ClassVar[Notation] = Notation({"en": "collect {good}", "de": "sammle {good}"})
    title: ClassVar[Text] = Text.of("Collect")
    kind: Literal["collect"] = "collect"
    good: str


class Hold(Order):
    notation: ClassVar[Notation] = Notation({"en": "hold", "de": "halte"})
    title: ClassVar[Text] = Text.of("Hold")
    kind: Literal["hold"] = "hold"


class Auction(Order):
    notation: ClassVar[Notation] = Notation(
        {"en": "open {card} [max {most}]", "de": "eröffne {card} [höchstens {most}]"},
        read=("open|eröffne {card} [(up to|bis zu) {most}]",),
        by_title=("card",),
    )
    title: ClassVar[Text] = Text.of("Auction")
    kind: Literal["auction"] = "auction"
    card: str
    most: int | None = Field(default=None, ge=0)


class Raise(Order):
    notation: ClassVar[Notation] = Notation({"en": "bid {card} {price}"}, by_title=("card",))
    title: ClassVar[Text] = Text.of("Raise")
    kind: Literal["raise"] = "raise"
    card: str
    price: int = Field(ge=1)


class Sale(Order):
    notation: ClassVar[Notation] = Notation({"en": "sell {units} {market} at {price} {rising=or better|oder besser}"})
    title: ClassVar[Text] = Text.of("Sale")
    kind: Literal["sale"] = "sale"
    units: int = Field(ge=1)
    market: Literal["consumer", "production"]
    price: int = Field(ge=1)
    rising: bool = False


class Pay(Order):
    notation: ClassVar[Notation] = Notation({"en": "pay {credit=with credit|auf Kredit} on {card}"})
    title: ClassVar[Text] = Text.of("Pay")
    kind: Literal["pay"] = "pay"
    card: str
    credit: bool = False


class Rescue(Order):
    notation: ClassVar[Notation] = Notation({"en": "rescue up to {most} at {rate} for {price}"})
    title: ClassVar[Text] = Text.of("Rescue")
    kind: Literal["rescue"] = "rescue"
    most: int = Field(ge=1)
    rate: int = Field(ge=0)
    price: int = Field(ge=1)


class Meeting(Order):
    notation: ClassVar[Notation] = Notation({"en": "meeting {group} fee {fee} [at most {most}]"}, by_title=("group",))
    title: ClassVar[Text] = Text.of("Meeting")
    kind: Literal["meeting"] = "meeting"
    group: str
    fee: int = Field(ge=20_000, le=120_000)
    most: int | None = None


class Bonds(Order):
    notation: ClassVar[Notation] = Notation({"en": "bonds {numbers}"})
    title: ClassVar[Text] = Text.of("Bonds")
    kind: Literal["bonds"] = "bonds"
    numbers: tuple[int, ...] = Field(min_length=1)


class Draft(Order):
    notation: ClassVar[Notation] = Notation({"en": "draft {goods} {money}"})
    title: ClassVar[Text] = Text.of("Draft")
    kind: Literal["draft"] = "draft"
    goods: tuple[str, ...] = Field(min_length=1)
    money: int = Field(ge=0)


GOODS = (
    Choice("diamonds", "Diamonds", ("Diamanten",)),
    Choice("oil", "Oil", ("Öl",)),
    Choice("mining", "Mining", ("Minen",)),
)
CARDS = (
    Choice("c1", "Textile Producer"),
    Choice("c2", "Textile Trader"),
    Choice("c3", "Sail Loft"),
    Choice("c4", "Windmill", ("Windmühle",)),
    Choice("c5", "Oil Mill 2"),
)
GROUPS = (Choice("business", "Business Centre"), Choice("technics", Text.of("Technics {number}", number=1)))
EXTRAS = (Choice("taxman", "Taxman", ("Steuermann",)), Choice("wild", "Get Rich Quick"))
ASK = Ask(
    (Trade, Collect, Hold, Auction, Raise, Sale, Pay, Rescue, Meeting, Bonds, Draft),
    Text.of("Everything"),
    {"good": GOODS, "goods": GOODS, "card": CARDS, "group": GROUPS, "extra": EXTRAS},
)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("offer 2 Diamonds + Taxman", Trade(count=2, good="diamonds", extra="taxman")),
        ("biete 3 Minen + Steuermann", Trade(count=3, good="mining", extra="taxman")),
        ("Offer: 2 Dia and taxm", Trade(count=2, good="diamonds", extra="taxman")),
        ("offer 2 oil", Trade(count=2, good="oil")),
        ("collect Oil", Collect(good="oil")),
        ("Sammle Öl!", Collect(good="oil")),
        ("hold", Hold()),
        ("Halte.", Hold()),
        ("open Textile Producer max 12", Auction(card="c1", most=12)),
        ("eröffne textile-prod bis zu 12", Auction(card="c1", most=12)),
        ("open Text P up to $12", Auction(card="c1", most=12)),
        ("open Oil Mill 2", Auction(card="c5")),
        ("bid Sail Loft 9", Raise(card="c3", price=9)),
        ("bid Oil Mill 2 9", Raise(card="c5", price=9)),
        ("sell 3 consumer at 2 or better", Sale(units=3, market="consumer", price=2, rising=True)),
        ("sell 3 units of consumer at 2 each", Sale(units=3, market="consumer", price=2)),
        ("pay with credit on windmill", Pay(card="c4", credit=True)),
        ("pay auf Kredit on Windmuhle", Pay(card="c4", credit=True)),
        ("pay on Windmühle", Pay(card="c4")),
        ("rescue up to 10 at 3 for 10", Rescue(most=10, rate=3, price=10)),
        ("meeting Business Centre fee 80000 at most 140000", Meeting(group="business", fee=80000, most=140000)),
        ("meeting business fee 80 000", Meeting(group="business", fee=80000)),
        ("bonds 3, 7, 12", Bonds(numbers=(3, 7, 12))),
        ("bonds 3,7,12", Bonds(numbers=(3, 7, 12))),
        ("bonds 3, 7 und 12.", Bonds(numbers=(3, 7, 12))),
        ("bonds 4", Bonds(numbers=(4,))),
        ("draft oil, Minen 5", Draft(goods=("oil", "mining"), money=5)),
    ],
)
def test_orders_of_many_games_are_read_by_their_shapes(line: str, order: Order) -> None:
    reading = read(line, ASK)
    assert [plain(problem.text) for problem in reading.problems] == []
    assert reading.orders == (order,)


def test_different_orders_share_a_line() -> None:
    reading = read("hold, bonds 3, 7, collect oil; open Windmill max 5 und bid Sail Loft 9", ASK)
    assert [order.kind for order in reading.orders] == ["hold", "bonds", "collect", "auction", "raise"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("collect Oill", "“Oill” is not known here; the nearest is Oil; possible: Diamonds, Oil, Mining."),
        ("collect", "good is missing."),
        ("open Textile max 12", "“Textile” is not clear; it can mean c1 (Textile Producer), c2 (Textile Trader)."),
        ("bid Sail Loft", "price is missing."),
        ("offer zwei Oil", "“zwei” is not read as a number: write it in digits."),
        ("meeting Business Centre fee 10000", "fee: 10000 was read, at least 20000 is needed."),
        ("meeting Business Centre fee 80.000", "“80.000” can mean 80000 or 80: write it without point or comma."),
        ("rescue up to 10 for 3", None),
        ("bonds 3, sieben", None),
        ("bonds 1,000", None),
    ],
)
def test_near_misses_of_many_games_are_told(line: str, said: str | None) -> None:
    """T231"""
    reading = read(line, ASK)
    assert not reading.is_valid
    assert reading.problems[0].right
    if said is not None:
        assert [plain(problem.text) for problem in reading.problems] == [said]


@pytest.mark.parametrize(
    "line",
    [
        "hold on a sec",
        "collect your stuff, everybody",
        "bid more, guys!",
        "open question: who is next",
        "meeting at 8?",
        "pay attention",
        "sell me a beer",
        "rescue me!",
        "I hold my breath",
        "Oil is running out",
    ],
)
def test_keywords_in_chat_are_chat(line: str) -> None:
    """T231"""
    reading = read(line, ASK)
    assert (reading.intent, [plain(problem.text) for problem in reading.problems]) == (None, [])


class Bare(Order):
    notation: ClassVar[Notation] = Notation({"en": "{grade} {units} {price}"}, read=("{grade} {units}",))
    title: ClassVar[Text] = Text.of("Bare")
    kind: Literal["bare"] = "bare"
    grade: Literal["X", "F"]
    units: int
    price: int | None = None


def test_a_line_that_reads_in_two_ways_is_asked_back_about() -> None:
    """T226: one thousand, or three and nothing."""
    ask = Ask((Bare,), Text.of("Buy"))
    (problem,) = read("X 3 000", ask).problems
    assert plain(problem.text) == "“X 3 000” can be read in two ways: “X 3 0” or “X 3000”."
    assert read("X 3 0", ask).orders == (Bare(grade="X", units=3, price=0),)
    assert read("X 3000", ask).orders == (Bare(grade="X", units=3000),)


@given(st.data())
@pytest.mark.parametrize(
    "ask", [buying(), selling(), buying("Eisen", "Öl", "Titanium 2"), ASK], ids=["buy", "sell", "named", "all"]
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_written_is_read_back(ask: Ask, language: str, data: st.DataObject) -> None:
    """T200"""
    wanted = data.draw(st.lists(orders_for(ask), min_size=1, max_size=5))
    lines = [write(order, ask, language) for order in wanted]
    reading = read("\n".join(lines), ask, language=language)
    assert reading.is_valid, [plain(problem.text) for problem in reading.problems]
    assert [line.orders for line in reading.lines] == [(order,) for order in wanted]
    assert list(reading.orders) == latest(wanted)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_example_is_a_right_line(language: str) -> None:
    for ask in (ASK, buying(), selling()):
        for kind in ask.kinds:
            line = example(kind, ask, language)
            reading = read(line, ask)
            assert reading.is_valid, line
            assert [type(order) for order in reading.orders] == [kind]


def test_a_field_written_by_its_title_is_written_so_where_that_is_clear() -> None:
    assert write(Raise(card="c3", price=9), ASK, "en") == "bid Sail Loft 9"
    twice = Ask((Raise,), Text.of("Bid"), {"card": (Choice("c1", "Mill"), Choice("c2", "Mill"))})
    assert write(Raise(card="c2", price=9), twice, "en") == "bid c2 9"


@pytest.mark.parametrize("template", ["{grade", "{units} [max {price}", "units]", "{nothing} here", "{}"])
def test_a_broken_shape_fails_at_once(template: str) -> None:
    class Broken(Bid):
        notation: ClassVar[Notation] = Notation({"en": template})

    with pytest.raises((ValueError, TypeError)):
        read("X:3 zu 40", Ask((Broken,), Text.of("Buy"), buying().choices))


def test_orders_of_two_kinds_may_look_alike_when_their_names_differ() -> None:
    ask = Ask((Bid, Offer), Text.of("Trade"), buying().choices)
    assert read("X:3 zu 40\nA:2 zu 140", ask).orders == (bid("X", 3, 40), Offer(good="A", units=2, price=140))
