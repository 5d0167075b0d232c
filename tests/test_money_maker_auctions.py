"""Money Maker: who starts, and auctions of investment cards."""

from __future__ import annotations

import pytest

from rulesets.money_maker.events import Auctioned, NotOpened, StartAuctioned
from tests.money_maker_table import QUIET, only, orders_of, play, problems_of, table, those

ROW = ["Textile Producer", "Sail Loft", "Sheep Farm"]
"""Ask for 2 production goods, 5 production goods, 2 consumer goods."""

FIGURE_4B = [0, 1, 3, 3, 3, 3, 3, 3]
"""One good at price 2, the next at 3."""


def test_figure_2_the_highest_bidder_starts_and_pays_one_above_the_second() -> None:
    """Fig. 2 and B25: 2, then 3, sold."""
    after, events = play(table(phase="start bid", turn=0), Anna="bid 2", Ben="bid 3")
    event = only(events, StartAuctioned)
    assert (event.winner, event.price, event.bids) == ("Ben", 3, {"Anna": 2, "Ben": 3})
    assert (after.active, after.start, after.phase) == ("Ben", "Ben", "turn")
    assert after.banks["Ben"].gold == 12


def test_b25_a_lone_bidder_pays_one_and_level_bids_go_by_lot() -> None:
    start = table(phase="start bid", turn=0)
    _, events = play(start, Ben="bid 9")
    assert only(events, StartAuctioned).price == 1
    after, events = play(start, piles={"start": ["Cem", "Ben"]}, Ben="bid 4", Cem="bid 4")
    event = only(events, StartAuctioned)
    assert (event.winner, event.price, event.level) == ("Cem", 4, ("Ben", "Cem"))
    assert after.active == "Cem"


def test_b25_without_a_bid_the_lot_decides_and_nothing_is_paid() -> None:
    after, events = play(table(phase="start bid", turn=0), piles={"start": ["Cem"]})
    event = only(events, StartAuctioned)
    assert (event.winner, event.price, event.payment) == ("Cem", 0, None)
    assert after.banks["Cem"].gold == 15


def test_figure_4a_credit_is_placed_on_the_ring_of_ones_rating() -> None:
    """Blue puts 3 credit on ring I, which is undivided; orange 5 on a block of ring V."""
    start = table(phase="start bid", turn=0, banks={"Ben": {"rating": 5, "board": [0] * 5}})
    after, _ = play(start, Anna="bid 3, gold 0")
    assert after.banks["Anna"].board == [1]
    after, _ = play(start, Anna="bid 4", Ben="bid 9, gold 0\nplace own credit on church")
    assert after.banks["Ben"].board == [0, 5, 0, 0, 0]


def test_figure_4b_the_opening_bid_is_the_market_value_of_the_goods() -> None:
    """One good from scale 2 and one from scale 3 make 5; afterwards production goods cost 3."""
    state = table(row=ROW, markets={"production": {"slots": FIGURE_4B}})
    after, events = play(state, QUIET, Anna="open Textile Producer max 12")
    event = only(events, Auctioned)
    assert (event.opening, event.price, event.taken, event.winner) == (5, 5, 2, "Anna")
    assert after.markets["production"].slots == [0, 0, 2, 3, 3, 3, 3, 3]
    assert after.banks["Anna"].cards == ["Textile Producer"]


def test_b2_a_card_that_opens_too_dear_is_not_opened_and_the_next_is_tried() -> None:
    state = table(row=ROW, markets={"production": {"slots": FIGURE_4B}})
    after, events = play(state, QUIET, Anna="open Sail Loft max 10\nopen Sheep Farm max 4")
    event = only(events, NotOpened)
    assert (event.card, event.price, event.most, event.reason) == ("Sail Loft", 2 + 3 + 3 + 3 + 4, 10, "maximum")
    assert only(events, Auctioned).card == "Sheep Farm"
    assert after.markets["production"].slots == FIGURE_4B


def test_b2_missing_goods_count_nine_and_do_not_move() -> None:
    state = table(row=ROW, markets={"production": {"slots": [1, 0, 0, 0, 0, 0, 0, 0]}})
    before = state.markets["production"].reserve
    after, events = play(state, QUIET, Anna="open Textile Producer max 12")
    event = only(events, Auctioned)
    assert (event.opening, event.taken) == (10, 1)
    assert after.markets["production"].reserve == before + 1


def test_b4_a_maximum_over_all_means_is_refused_with_the_numbers() -> None:
    state = table(row=ROW, banks={"Ben": {"board": [300]}})
    assert problems_of(state, "Ben", "bid Sail Loft 96") == [
        "A bid of 96 was read; with gold and all credit you can pay 95 at most."
    ]
    assert problems_of(state, "Ben", "bid Sail Loft 20 gold 16") == ["A gold part of 16 was read; you have 15 gold."]


def test_b4_a_gold_part_is_at_most_that_much_gold_and_the_rest_own_credit() -> None:
    after, events = play(table(row=ROW), QUIET, Anna="open Sail Loft max 20 gold 3", Ben="bid Sail Loft 12 gold 5")
    event = only(events, Auctioned)
    assert (event.opening, event.winner, event.price) == (3 + 2 * 2, "Anna", 13)
    assert (event.payment.gold, event.payment.own) == (3, 10)
    assert (after.banks["Anna"].gold, after.banks["Anna"].board) == (12, [10])


def test_b4_a_maximum_is_cut_to_the_means_that_are_left() -> None:
    """Ben wins the first card on his last credit, and his second maximum shrinks."""
    state = table(row=ROW, banks={"Ben": {"board": [375], "gold": 4}, "Anna": {"gold": 2}})
    after, events = play(
        state, QUIET, Anna="open Sheep Farm max 4\nopen Textile Producer max 9", Ben="bid Sheep Farm 7\nbid Textile 8"
    )
    first, second = those(events, Auctioned)
    assert (first.winner, first.price) == ("Ben", 5)
    assert second.bids == {"Anna": 9, "Ben": 4}
    assert after.banks["Anna"].cards == ["Textile Producer"]


def test_b5_an_outbid_opener_opens_the_next_card_until_he_wins_one() -> None:
    _, events = play(
        table(row=ROW),
        QUIET,
        Anna="open Sheep Farm max 3\nopen Textile Producer max 3\nopen Sail Loft max 20",
        Ben="bid Sheep Farm 9",
    )
    assert [(event.card, event.winner) for event in those(events, Auctioned)] == [
        ("Sheep Farm", "Ben"),
        ("Textile Producer", "Anna"),
    ]


@pytest.mark.parametrize(
    ("anna", "ben", "cem", "winner", "price"),
    [
        (12, 9, 7, "Anna", 10),
        (6, 9, 7, "Ben", 8),
        (2, 9, 9, "Ben", 9),
        (9, 9, 3, "Anna", 9),
        (8, 2, 1, "Anna", 2),
        (2, 3, 2, "Ben", 3),
    ],
)
def test_b26_price_and_ties(anna: int, ben: int, cem: int, winner: str, price: int) -> None:
    """The smaller of the winner's maximum and one above the best rival; ties to the opener, then clockwise.

    The card opens at 2, so who bids 2 or less does not count.
    """
    _, events = play(
        table(row=ROW), QUIET, Anna=f"open Sheep max {anna}", Ben=f"bid Sheep {ben}", Cem=f"bid Sheep {cem}"
    )
    event = only(events, Auctioned)
    assert (event.opening, event.winner, event.price) == (2, winner, price)


def test_b26_with_the_option_the_winner_pays_his_own_maximum() -> None:
    _, events = play(
        table(row=ROW, options={"auction_price": "own"}), QUIET, Anna="open Sheep max 9", Ben="bid Sheep 5"
    )
    assert only(events, Auctioned).price == 9


def test_b26_the_opener_may_buy_out_a_card_that_he_lost() -> None:
    state = table(row=ROW, options={"opener_buyout": 5})
    after, events = play(state, QUIET, Anna="open Sheep max 4 buy out 20", Ben="bid Sheep 9")
    event = only(events, Auctioned)
    assert (event.winner, event.price, event.bought_out, event.buyout) == ("Anna", 5, "Ben", 5)
    assert (after.banks["Anna"].gold, after.banks["Ben"].gold) == (15 - 5 - 5, 20)
    _, events = play(state, QUIET, Anna="open Sheep max 4 buy out 9", Ben="bid Sheep 9")
    assert only(events, Auctioned).winner == "Ben"


def test_a_prisoner_neither_opens_nor_bids() -> None:
    """B17: nobody opens an auction in a prisoner's turn, and he joins no bid in another's."""
    state = table(row=ROW, banks={"Anna": {"rating": 0, "board": [8], "gold": 0}})
    assert problems_of(state, "Anna", "open Sheep max 4")
    state = table(row=ROW, banks={"Ben": {"rating": 0, "board": [8], "gold": 0}})
    assert problems_of(state, "Ben", "bid Sheep 4")
    assert problems_of(state, "Cem", "bid Sheep 4") == []


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("bid Sail Loft 9 gold", "bid Sail Loft 9"),
        ("biete 9 Gold für Sail Loft, davon 4 Gold", "bid Sail Loft 9 gold 4"),
        ("bid Sail Loft 9 gold, gold 4", "bid Sail Loft 9 gold 4"),
    ],
)
def test_gold_may_be_said_behind_an_amount(typed: str, line: str) -> None:
    state = table(row=ROW)
    assert orders_of(state, "Ben", typed) == orders_of(state, "Ben", line)
