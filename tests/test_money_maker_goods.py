"""Money Maker: buying, producing, trading and selling goods."""

from __future__ import annotations

from typing import Any

import pytest

from judge.language import Voice
from rulesets.money_maker import ruleset
from rulesets.money_maker.events import Bought, NothingBought, NotProduced, Produced, Sold, Traded
from rulesets.money_maker.markets import buying_price, sale_prices, selling_price
from rulesets.money_maker.state import Market
from tests.money_maker_table import QUIET, only, play, problems_of, table, those


def test_figure_5_one_good_from_scale_1_and_one_from_scale_2_cost_3() -> None:
    state = table(markets={"consumer": {"slots": [1, 3, 3, 3, 3, 3, 3, 3]}})
    after, events = play(state, QUIET, Anna="buy 2 consumer\nproduce nothing")
    assert only(events, Bought).prices == (1, 2)
    assert after.banks["Anna"].gold == 12
    assert after.banks["Anna"].goods["consumer"] == 2


def test_figure_7_one_good_to_scale_1_and_one_to_scale_2_earn_3() -> None:
    state = table(markets={"consumer": {"slots": [2, 2, 3, 3, 3, 3, 3, 3]}}, banks={"Anna": {"goods": {"consumer": 2}}})
    after, events = play(state, QUIET, Anna="sell 2 consumer")
    assert only(events, Sold).prices == (1, 2)
    assert after.banks["Anna"].gold == 18
    assert after.reserve == 365 - 3
    assert after.markets["consumer"].slots == [3, 3, 3, 3, 3, 3, 3, 3]


def test_b1_printed_goods_sold_fill_the_cheapest_slots_and_a_full_market_pays_one() -> None:
    market = Market(slots=[3, 2, 0, 3, 3, 3, 3, 1], reserve=0)
    assert sale_prices(market, 8, "low") == [2, 3, 3, 3, 8, 8, 1, 1]
    assert sale_prices(market, 8, "high") == [8, 8, 3, 3, 3, 2, 1, 1]
    assert (buying_price(market), selling_price(market, "low"), selling_price(market, "high")) == (1, 2, 8)


def test_b1_a_saturated_market_sends_the_good_to_its_reserve() -> None:
    after, events = play(table(banks={"Anna": {"goods": {"production": 3}}}), QUIET, Anna="sell 2 production")
    assert only(events, Sold).prices == (1, 1)
    assert after.markets["production"].reserve == 72 - 24 - 1


def test_b1_with_the_option_the_dearest_slot_is_filled_first() -> None:
    state = table(
        options={"sell_to": "high"},
        markets={"consumer": {"slots": [3, 3, 3, 3, 3, 3, 2, 1]}},
        banks={"Anna": {"goods": {"consumer": 4}}},
    )
    after, events = play(state, QUIET, Anna="sell consumer")
    assert only(events, Sold).prices == (8, 8, 7, 1)
    assert after.markets["consumer"].slots == [3] * 8


@pytest.mark.parametrize(
    ("line", "sold"),
    [
        ("sell consumer", 5),
        ("sell 3 consumer", 3),
        ("sell consumer keep 2", 3),
        ("sell consumer at 2 or better", 5),
        ("sell consumer at 3 or better", 0),
        ("sell 1 consumer at 2 or better", 0),
    ],
)
def test_b1_a_sale_line_takes_the_largest_number_whose_average_is_good_enough(line: str, sold: int) -> None:
    """Slots for 1, 1, 2, 3, 3 are empty: five goods bring 10, which is 2 each; one good alone brings 1."""
    state = table(markets={"consumer": {"slots": [1, 2, 1, 3, 3, 3, 3, 3]}}, banks={"Anna": {"goods": {"consumer": 5}}})
    after, _ = play(state, QUIET, Anna=line)
    assert after.banks["Anna"].goods["consumer"] == 5 - sold


def test_b3_goods_may_be_paid_with_credit() -> None:
    after, events = play(table(), QUIET, Anna="buy 4 production\npay with credit on windmill")
    event = only(events, Bought)
    assert (event.payment.gold, event.payment.own) == (0, 5)
    assert after.banks["Anna"].board == [5]


def test_b27_four_goods_a_market_include_those_from_the_reserve() -> None:
    state = table(markets={"consumer": {"slots": [0, 0, 0, 0, 0, 0, 0, 1]}}, banks={"Anna": {"gold": 60}})
    after, events = play(state, QUIET, Anna="buy 5 consumer\nbuy 1 consumer\nbuy 2 production")
    first, second = those(events, Bought)
    assert (first.prices, second.prices) == ((8, 9, 9, 9), (1, 1))
    assert only(events, NothingBought).left == 0
    assert after.markets["consumer"].reserve == state.markets["consumer"].reserve - 3


def test_a_line_buys_each_good_at_its_price_or_less() -> None:
    state = table(markets={"consumer": {"slots": [1, 1, 3, 3, 3, 3, 3, 3]}})
    _, events = play(state, QUIET, Anna="buy 4 consumer up to 2")
    assert only(events, Bought).prices == (1, 2)


def test_figure_6_companies_produce_and_two_of_a_guild_give_one_more_each() -> None:
    state = table(banks={"Anna": {"cards": ["Textile Producer", "Dye House", "Hop Yard"]}})
    after, events = play(state, QUIET, Anna="produce all")
    outputs = {output.card: (output.colour, output.count) for output in only(events, Produced).outputs}
    assert outputs == {
        "Textile Producer": ("consumer", 2),
        "Dye House": ("consumer", 3),
        "Hop Yard": ("production", 1),
    }
    assert after.banks["Anna"].goods == {"consumer": 5, "production": 1}


def test_a_company_produces_once_a_turn() -> None:
    state = table(banks={"Anna": {"cards": ["Dye House", "Hop Yard"]}})
    after, events = play(state, QUIET, Anna="produce Dye House\nproduce all")
    assert [[output.card for output in event.outputs] for event in those(events, Produced)] == [
        ["Dye House"],
        ["Hop Yard"],
    ]
    assert after.banks["Anna"].goods == {"consumer": 2, "production": 1}


def test_b20_a_short_reserve_gives_what_it_has_in_the_order_of_the_cards() -> None:
    state = table(banks={"Anna": {"cards": ["Dye House", "Harbour Brewery"]}, "Ben": {"goods": {"consumer": 45}}})
    assert state.markets["consumer"].reserve == 3
    after, events = play(state, QUIET, Anna="produce all")
    assert [output.count for output in only(events, Produced).outputs] == [2, 1]
    assert after.markets["consumer"].reserve == 0


def test_b20_a_trading_card_gives_all_its_input_for_what_is_there() -> None:
    state = table(
        banks={"Anna": {"cards": ["Cloth Hall"], "goods": {"production": 2}}, "Ben": {"goods": {"consumer": 47}}}
    )
    after, events = play(state, QUIET, Anna="trade Cloth Hall into consumer")
    assert only(events, Traded).output.count == 1
    assert after.banks["Anna"].goods == {"production": 0, "consumer": 1}


def test_b21_trading_goes_either_way_with_the_exact_number_and_one_more_by_the_bonus() -> None:
    state = table(banks={"Anna": {"cards": ["Cloth Hall", "Dye House"], "goods": {"consumer": 1, "production": 1}}})
    after, events = play(state, QUIET, Anna="produce all\ntrade Cloth Hall into production")
    event = only(events, Traded)
    assert (event.given, event.count, event.output.count) == ("consumer", 2, 3)
    assert after.banks["Anna"].goods == {"consumer": 1 + 3 - 2, "production": 1 + 3}
    _, events = play(state, QUIET, Anna="trade Cloth Hall into consumer")
    refused = only(events, NotProduced)
    assert (refused.only, refused.needed, refused.held) == ("Anna", 2, 1)


@pytest.mark.parametrize(
    ("bank", "line", "why"),
    [
        ({}, "buy 1 consumer up to 3", "and your line says 3 at most."),
        ({"gold": 3, "board": [380]}, "buy 1 consumer", "and you cannot pay that."),
    ],
)
def test_whoever_buys_nothing_is_told_why(bank: dict[str, Any], line: str, why: str) -> None:
    state = table(markets={"consumer": {"slots": [0, 0, 0, 3, 3, 3, 3, 3]}}, banks={"Anna": bank})
    _, events = play(state, QUIET, Anna=line)
    event = only(events, NothingBought)
    assert event.only == "Anna"
    assert Voice.of(ruleset, "en").say(event.tell()) == f"You buy no consumer goods: the next costs 4, {why}"


def test_goods_bought_in_the_same_turn_can_be_traded() -> None:
    state = table(banks={"Anna": {"cards": ["Cloth Hall"]}})
    after, _ = play(state, QUIET, Anna="buy 2 production\ntrade Cloth Hall into consumer\nsell consumer")
    assert after.banks["Anna"].goods == {"consumer": 0, "production": 0}
    assert after.banks["Anna"].gold == 15 - 2 + 2


def test_whoever_says_nothing_produces_all_and_sells_what_is_over_four() -> None:
    state = table(banks={"Anna": {"cards": ["Dye House"], "goods": {"consumer": 4, "production": 5}}})
    after, _ = play(state, QUIET)
    assert after.banks["Anna"].goods == {"consumer": 4, "production": 4}
    assert after.banks["Anna"].gold == 15 + 3


def test_b15_the_alternative_step_leaves_no_room_for_goods_or_auctions() -> None:
    state = table(banks={"Anna": {"board": [5]}}, row=["Sail Loft"])
    assert problems_of(state, "Anna", "pay off windmill\nsell consumer")
    assert problems_of(state, "Anna", "pay off windmill\nopen Sail Loft 12")
    assert problems_of(state, "Anna", "pay off windmill\nbuy action card") == []
