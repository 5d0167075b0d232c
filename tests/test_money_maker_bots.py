"""Money Maker: what bots do in positions where it is plain what a sensible banker would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from judge.core.dice import Dice
from judge.core.orders import Order
from judge.core.ruleset import resolve_turn
from rulesets.money_maker import ruleset
from rulesets.money_maker.exchanges import Accept, Done, Offer
from rulesets.money_maker.orders import Bid, Buy, BuyAction, Open, PayOff, Produce, Sell
from rulesets.money_maker.plays import (
    Keep,
    Play,
    PlayCalm,
    PlayFire,
    PlayGrace,
    PlayLedger,
    PlayNight,
    PlayReroll,
    PlayRumour,
    PlayWind,
)
from rulesets.money_maker.run_events import Exchanged, RunSettled
from rulesets.money_maker.standing import Borrow, Lend, Pay
from rulesets.money_maker.state import TableOptions, TableState
from rulesets.money_maker.tables import COMPANIES
from tests.games import played, refusals
from tests.money_maker_table import BLUE_10, QUIET, SHIP, only, play, table

O = TypeVar("O", bound=Order)  # noqa: E741 - as in the contract of rulesets

NINE = [card for card in COMPANIES if card != "Sail Loft"][:9]


def said(state: TableState, seat: str) -> Sequence[Order]:
    ask = ruleset.asks(state)[seat]
    return ruleset.bot(ruleset.view(state, seat), seat, ask, Dice(b"whims"))


def lines(state: TableState, seat: str, kind: type[O]) -> list[O]:
    return [line for line in said(state, seat) if isinstance(line, kind)]


@pytest.mark.parametrize(
    "options",
    [
        TableOptions(),
        TableOptions(fast=True),
        TableOptions(player_deals="always", sell_to="high"),
        TableOptions(auction_price="own", opener_buyout=3),
    ],
    ids=["usual", "fast", "deals", "first price"],
)
def test_nothing_that_a_bot_says_is_refused(options: TableOptions) -> None:
    """T139: whatever the option, each line of a bot is of the right form and counts."""
    for players in (3, 6):
        for turn in played(ruleset, players, "legal", options):
            assert isinstance(turn.before, TableState)
            for seat, ask in ruleset.asks(turn.before).items():
                assert refusals(ruleset, turn.before, seat, ask, turn.orders[seat]) == []


def test_a_bank_opens_what_is_worth_its_price_and_the_others_bid() -> None:
    state = table(row=["Sail Loft", "Rope Walk"])
    assert {line.card for line in lines(state, "Anna", Open)} == {"Sail Loft", "Rope Walk"}
    assert {line.card for line in lines(state, "Ben", Bid)} == {"Sail Loft", "Rope Walk"}
    assert lines(state, "Anna", Open)[0].most > 5
    assert lines(state, "Anna", Produce)


def test_a_bank_that_owes_more_than_it_has_bids_for_nothing_and_sells_at_any_price() -> None:
    state = table(row=["Sail Loft"], banks={seat: {"gold": 2, "board": [14]} for seat in ("Anna", "Ben")})
    assert lines(state, "Anna", Open) == []
    assert lines(state, "Anna", BuyAction) == []
    assert lines(state, "Ben", Bid) == []
    assert {line.price for line in lines(state, "Anna", Sell)} == {None}


def test_credit_fills_one_block_until_paying_it_off_promotes() -> None:
    ring_two = {"rating": 2, "gold": 30}
    filling = table(banks={"Anna": {**ring_two, "board": [3, 9]}})
    assert [(line.means, line.sector) for line in lines(filling, "Anna", Pay)] == [("credit", "fish")]
    full = table(banks={"Anna": {**ring_two, "board": [3, 20]}})
    assert [line.sector for line in lines(full, "Anna", PayOff)] == ["fish"]
    assert lines(full, "Anna", Open) == []
    beyond_its_means = table(banks={"Anna": {"rating": 2, "gold": 4, "board": [3, 9]}})
    assert [line.sector for line in lines(beyond_its_means, "Anna", Pay)] == ["windmill"]


def test_a_bank_waits_for_a_run_that_is_about_to_promote_it() -> None:
    owed = {"Anna": {"gold": 30, "board": [12]}}
    assert lines(table(banks=owed), "Anna", PayOff) != []
    assert lines(table(banks=owed, meter=3), "Anna", PayOff) == []


def test_nobody_ends_the_game_with_a_tenth_card_while_he_is_behind() -> None:
    rich = {"rating": 5, "board": [0] * 5}
    behind = table(row=["Sail Loft"], banks={"Anna": {"cards": NINE, "gold": 20}, "Ben": rich, "Cem": rich})
    ahead = table(row=["Sail Loft"], banks={"Anna": {"cards": NINE, "gold": 40}})
    assert lines(behind, "Anna", Open) == []
    assert lines(ahead, "Anna", Open) != []


def test_before_the_end_a_bank_makes_the_goods_dearer_that_its_companies_ask_for() -> None:
    producers = [card for card in NINE if COMPANIES[card].ask == "production"]
    state = table(
        runs=3, meter=3, banks={"Anna": {"cards": producers, "gold": 40, "actions": ["Warehouse Fire"]}}, row=[]
    )
    assert [line.colour for line in lines(state, "Anna", PlayFire)] == ["production"]
    assert "production" in [line.colour for line in lines(state, "Anna", Buy)]
    assert "production" not in [line.colour for line in lines(state, "Anna", Sell)]


IN_DEBT = {"rating": 2, "gold": 5, "board": [16, 2]}
SAFE = {"rating": 2, "gold": 40, "board": [25, 0]}


@pytest.mark.parametrize(
    ("card", "kind", "bank"),
    [
        ("Night Shift", PlayNight, {"cards": ["Sail Loft"]}),
        ("Quiet Ledger", PlayLedger, IN_DEBT),
        ("A Word from the Burgomaster", PlayCalm, IN_DEBT),
        ("Spilled Dice", PlayReroll, IN_DEBT),
        ("Turning Wind", PlayWind, IN_DEBT),
        ("Letter of Grace", PlayGrace, IN_DEBT),
    ],
)
def test_action_cards_are_played_when_they_help(card: str, kind: type[Play], bank: dict[str, Any]) -> None:
    assert lines(table(banks={"Anna": {**bank, "actions": [card]}}), "Anna", kind)
    assert lines(table(banks={"Anna": bank}), "Anna", kind) == []


def test_a_covered_bank_hastens_the_run_that_promotes_it_and_keeps_what_would_hinder_it() -> None:
    state = table(banks={"Ben": {**SAFE, "actions": ["Whispers at the Exchange", "A Word from the Burgomaster"]}})
    assert lines(state, "Ben", PlayRumour) != []
    assert [line.action for line in lines(state, "Ben", Keep)] == ["A Word from the Burgomaster"]


def test_a_bank_lends_what_its_own_debts_leave_and_pays_more_the_deeper_it_would_fall() -> None:
    state = table(banks={"Anna": {"gold": 30, "board": [12]}, "Ben": {"rating": 3, "board": [0, 0, 0]}})
    assert only(said(state, "Anna"), Lend).most == 18
    assert only(said(state, "Anna"), Borrow).credit > only(said(state, "Ben"), Borrow).credit


def in_window(**banks: Any) -> TableState:
    """A run has caught Anna with 9 due; nobody has a tariff."""
    state = table(meter=3, banks={"Anna": {"gold": 4, "board": [13]}, **banks})
    window, _ = play(state, (SHIP, BLUE_10))
    assert window.phase == "rescue"
    return window


def test_a_short_bank_asks_all_who_could_help_offers_more_and_then_gives_up() -> None:
    window = in_window()
    first = lines(window, "Anna", Offer)
    assert {line.bank for line in first} == {"Ben", "Cem"}
    orders = {seat: list(said(window, seat)) if seat == "Anna" else [] for seat in window.seats}
    later, _ = resolve_turn(ruleset, window, orders, Dice(b"round"))
    second = lines(later, "Anna", Offer)
    assert (second[0].give_n or 0) > (first[0].give_n or 0)
    last, _ = resolve_turn(ruleset, later, {"Anna": second}, Dice(b"round"))
    assert lines(last, "Anna", Done) != []


def test_a_solvent_bank_takes_a_fair_offer_if_its_own_debts_stay_covered() -> None:
    window, _ = play(in_window(), Anna="offer Ben: 30 credit for 9 gold")
    assert lines(window, "Ben", Accept) != []
    _, events = resolve_turn(ruleset, window, {"Ben": said(window, "Ben"), "Anna": []}, Dice(b"round"))
    assert only(events, Exchanged).taker == "Ben"
    assert only(events, RunSettled).degraded == ()
    mean, _ = play(in_window(), Anna="offer Ben: 3 credit for 9 gold")
    assert lines(mean, "Ben", Accept) == []


def test_a_short_bank_takes_help_that_covers_its_debts_and_refuses_a_little() -> None:
    saved, _ = play(in_window(), Ben="offer Anna: 9 gold for 20 credit")
    assert [line.number for line in lines(saved, "Anna", Accept)] == [1]
    little, _ = play(in_window(), Ben="offer Anna: 2 gold for 20 credit")
    assert lines(little, "Anna", Accept) == []


def test_with_deals_in_every_turn_a_bank_takes_what_is_worth_more_than_it_gives() -> None:
    state = table(options={"player_deals": "always"}, banks={"Ben": {"cards": ["Sail Loft"], "gold": 40}})
    posts = {"Anna": "offer Ben: 60 credit for Sail Loft", "Cem": "offer Ben: 9 gold for Sail Loft"}
    offered, _ = play(state, QUIET, **posts)
    assert [(offer.number, offer.maker) for offer in offered.offers] == [(1, "Anna"), (2, "Cem")]
    assert [line.number for line in lines(offered, "Ben", Accept)] == [1]
