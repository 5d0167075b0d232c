"""Money Maker in the numbered cases T130 to T144 that every game answers, each by its own rules."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from judge.core.dice import ScriptedDice
from judge.core.order_json import dump_orders, load_orders, parse_orders
from judge.core.orders import Problem
from judge.core.ruleset import resolve_turn
from judge.language import Voice
from rulesets.money_maker import ruleset
from rulesets.money_maker.card_events import CreditCounted
from rulesets.money_maker.events import Auctioned, Bought, StartAuctioned
from rulesets.money_maker.run_events import Exchanged, OfferMade
from rulesets.money_maker.state import TableState
from tests.money_maker_table import QUIET, RED_10, WINDMILL, only, orders_of, play, table, those

ROW = ["Sheep Farm", "Textile Producer", "Sail Loft"]
"""With full markets they open at 2, 2 and 7."""

VOICE = Voice.of(ruleset, "en")


def test_bids_that_are_affordable_each_and_not_together_are_cut_to_what_is_left() -> None:
    """T131, B4: with 10 Ben can pay each of his bids, and not all of them."""
    state = table(row=ROW, banks={"Ben": {"gold": 6, "board": [376]}})
    _, events = play(
        state,
        QUIET,
        Anna="open Sheep Farm max 2\nopen Textile Producer max 2\nopen Sail Loft max 10",
        Ben="bid Sheep Farm 9\nbid Textile Producer 9\nbid Sail Loft 9",
        Cem="bid Sheep Farm 5",
    )
    first, second, third = those(events, Auctioned)
    assert (first.winner, first.price, second.winner, second.price) == ("Ben", 6, "Ben", 3)
    assert (third.winner, third.opening, third.bids) == ("Anna", 1 + 2 + 2 + 2 + 3, {"Anna": 10, "Ben": 1})


def test_whoever_bids_more_than_the_price_pays_one_above_the_best_rival() -> None:
    """T132, B26."""
    _, events = play(table(row=ROW), QUIET, Anna="open Sheep Farm max 12", Ben="bid Sheep Farm 4")
    assert (only(events, Auctioned).bids["Anna"], only(events, Auctioned).price) == (12, 5)


def test_a_bid_that_loses_pays_nothing_and_the_goods_have_left_the_market_all_the_same() -> None:
    """T133, B2: they leave as the auction opens, whoever wins."""
    after, events = play(table(row=ROW), QUIET, Anna="open Sheep Farm max 3\nproduce nothing", Ben="bid Sheep Farm 9")
    assert only(events, Auctioned).winner == "Ben"
    assert (after.banks["Anna"].gold, after.banks["Anna"].board) == (15, [0])
    assert after.markets["consumer"].slots[0] == 1


def test_exactly_at_the_threshold_nothing_counts() -> None:
    """T134: strictly more than 10 credit (B6), and a bid of strictly more than the opening price (B26)."""
    _, events = play(table(banks={"Anna": {"board": [10]}}), (WINDMILL, RED_10))
    assert (only(events, CreditCounted).over, only(events, CreditCounted).goods) == ((), 0)
    _, events = play(table(row=ROW), QUIET, Anna="open Sheep Farm max 9", Ben="bid Sheep Farm 2")
    assert (only(events, Auctioned).price, only(events, Auctioned).winner) == (2, "Anna")


def test_a_bank_without_gold_is_asked_and_pays_with_credit() -> None:
    """T136."""
    state = table(banks={"Anna": {"gold": 0}})
    ask = ruleset.asks(state)["Anna"]
    assert (ask.forced, ask.standing, ask.optional) == (None, False, False)
    _, events = play(state, QUIET, Anna="buy 2 consumer\nproduce nothing")
    assert (only(events, Bought).payment.gold, only(events, Bought).payment.own) == (0, 2)


def test_an_exchange_that_only_one_side_wants_does_not_happen_and_everybody_sees_the_offer() -> None:
    """T138, B19: Ben has offered and Anna says nothing, or offers something else herself."""
    state, events = play(table(options={"player_deals": "always"}), QUIET, Ben="offer Anna: 3 gold for 4 credit")
    assert (only(events, OfferMade).only, only(events, OfferMade).taker) == (None, "Anna")
    for said in ("pass", "offer Ben: 4 credit for 3 gold"):
        after, events = play(state, QUIET, Anna=said)
        assert those(events, Exchanged) == []
        assert [bank.gold for bank in after.banks.values()] == [15, 15, 15]
        assert sum(after.banks["Ben"].claims.values()) == 0


def test_who_posted_first_makes_no_difference() -> None:
    """T141, B26: three bids that are level go to the opener, then clockwise, in whatever order they came."""
    state = table(row=ROW)
    posts = {
        "Anna": "open Sheep Farm max 5\nopen Sail Loft max 9",
        "Ben": "bid Sheep Farm 7",
        "Cem": "bid Sheep Farm 7",
    }
    orders = {seat: orders_of(state, seat, post) for seat, post in posts.items()}
    found = [
        resolve_turn(ruleset, state, {seat: orders[seat] for seat in row}, ScriptedDice(bytes(32), throws=QUIET))
        for row in permutations(orders)
    ]
    assert all(one == found[0] for one in found)
    assert [(event.card, event.winner) for event in those(found[0][1], Auctioned)] == [
        ("Sheep Farm", "Ben"),
        ("Sail Loft", "Anna"),
    ]


def test_level_bids_for_the_start_do_not_go_to_who_was_first() -> None:
    """T141, B25: the lot is a throw of the turn, and the same for every order of arrival."""
    state = table(phase="start bid", turn=0)
    bids = {seat: orders_of(state, seat, "bid 4") for seat in ("Anna", "Ben", "Cem")}
    winners = {
        only(resolve_turn(ruleset, state, dict(row), ScriptedDice(bytes(32)))[1], StartAuctioned).winner
        for row in permutations(bids.items())
    }
    assert len(winners) == 1


def test_a_run_that_stands_still_goes_on_from_what_was_stored() -> None:
    """T143: agenda, plans and window are JSON there and back."""
    banks = {"Anna": {"gold": 60, "board": [11]}, "Ben": {"gold": 0, "board": [12], "goods": {"consumer": 3}}}
    window, _ = play(table(meter=3, banks=banks), (WINDMILL, 5), Anna="sell consumer\nproduce nothing")
    window, _ = play(window, Ben="offer Cem: 3 consumer plus 4 credit for 12 gold")
    stored = TableState.model_validate_json(window.model_dump_json())
    assert stored == window
    lines = load_orders(dump_orders(orders_of(window, "Cem", "accept offer 1")), ruleset.orders)
    orders = {"Cem": lines, "Ben": orders_of(window, "Ben", "pass")}
    one = resolve_turn(ruleset, stored, orders, ScriptedDice(bytes(32)))
    assert one == resolve_turn(ruleset, window, orders, ScriptedDice(bytes(32)))
    assert one[0].phase == "turn"


def found(state: TableState, seat: str, line: dict[str, Any]) -> list[Problem]:
    """What keeps a line of JSON from counting, as the judge looks at it."""
    ask = ruleset.asks(state)[seat]
    orders, problems = parse_orders([line], ask)
    problems += [problem for problem in ruleset.check(state, seat, orders) if not problem.warning]
    return problems


@pytest.mark.parametrize(
    ("seat", "line", "field", "reason"),
    [
        ("Ben", {"kind": "bid", "card": "Dye House", "most": 9}, "card", "Textile Producer"),
        ("Ben", {"kind": "bid", "card": "Sail Loft", "most": 0}, "most", "at least 1"),
        ("Ben", {"kind": "bid", "card": "Sail Loft", "most": 396}, "most", "395 at most"),
        ("Ben", {"kind": "bid", "card": "Sail Loft", "most": 20, "gold": 16}, "gold", "15"),
        ("Ben", {"kind": "open", "card": "Sail Loft", "most": 9}, None, "possible kinds"),
        ("Anna", {"kind": "buy", "count": 9, "colour": "consumer"}, "count", "at most 8"),
        ("Anna", {"kind": "buy", "count": 1, "colour": "purple"}, "colour", "production"),
        ("Anna", {"kind": "buy", "count": 1, "colour": "consumer", "price": 10}, "price", "at most 9"),
        ("Anna", {"kind": "sell", "colour": "consumer", "count": -1}, "count", "at least 1"),
        ("Anna", {"kind": "payoff", "sector": "windmill"}, "sector", "no credit"),
        ("Anna", {"kind": "open", "card": "Sail Loft", "most": 9, "buyout": 20}, "buyout", "bought out"),
        ("Ben", {"kind": "rescue", "most": 10, "gold": 0, "credit": 3}, "gold", "at least 1"),
        ("Ben", {"kind": "place", "bank": "Ben", "sector": "ship"}, "bank", "Anna"),
        ("Ben", {"kind": "promote", "rating": "VII"}, "rating", "VI"),
        ("Ben", {"kind": "done"}, None, "possible kinds"),
    ],
)
def test_illegal_orders_are_refused_with_field_and_reason(
    seat: str, line: dict[str, Any], field: str | None, reason: str
) -> None:
    """T144."""
    problems = found(table(row=ROW), seat, line)
    assert {problem.field for problem in problems} == {field}
    assert reason in VOICE.say(problems[0].text)


def test_in_a_window_nobody_offers_or_takes_what_is_not_there() -> None:
    """T144."""
    banks = {"Anna": {"gold": 60, "board": [21]}, "Ben": {"gold": 2, "board": [12]}}
    window, _ = play(table(meter=3, banks=banks), (WINDMILL, 6), Anna="produce nothing")
    thing = {"give": "gold", "give_n": 1, "get": "credit", "get_n": 3}
    for line, field in (
        ({"kind": "offer", "bank": "Anna", **thing}, "give"),
        ({"kind": "offer", "bank": "Ben", **thing}, "bank"),
        ({"kind": "accept", "number": 1}, "number"),
        ({"kind": "bid", "card": "Sail Loft", "most": 3}, None),
    ):
        problems = found(window, "Ben", line)
        assert [problem.field for problem in problems] == [field], line
