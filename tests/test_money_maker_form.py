"""Money Maker: what the order page says before anybody hands in, and names that could be taken for something else."""

from __future__ import annotations

import pytest

from judge.core.lines import write_value
from judge.core.names import with_names
from judge.core.notation import read
from judge.core.orders import Order
from judge.core.text import Text
from rulesets.money_maker import ruleset
from rulesets.money_maker.plays import PlayRaise
from rulesets.money_maker.standing import OWN, Lend, Pay, Place
from rulesets.money_maker.state import TableState
from tests.money_maker_table import BLUE_10, QUIET, SHIP, orders_of, play, table


def totals_of(state: TableState, seat: str, post: str = "") -> dict[str, int]:
    orders = orders_of(state, seat, post) if post else ()
    return {total.label.text: total.value(orders) for total in ruleset.asks(state)[seat].totals}


def standing(state: TableState, seat: str, *lines: Order) -> TableState:
    """The same position, with lasting lines of earlier turns."""
    after = state.model_copy(deep=True)
    after.plans[seat] = list(lines)  # type: ignore[arg-type]  # lines are orders
    return after


def test_what_a_bank_orders_is_previewed_with_the_gold_and_the_credit_that_are_left() -> None:
    state = table(row=["Sheep Farm", "Sail Loft"], banks={"Anna": {"claims": {"Ben": 7}}})
    assert totals_of(state, "Anna", "open Sail Loft max 9 gold 4\nbuy 2 production\nbuy action card") == {
        "Your bids cost at most, if all win": 9,
        "Your own steps cost, at today's prices": 12,
        "Gold left then, at least": 0,
        "Gold and credit left then, own and others'": 15 + 7 + 380 - 21,
    }


def test_paying_with_credit_that_stands_leaves_all_gold_but_gold_parts_and_debts() -> None:
    state = standing(
        table(row=["Sheep Farm", "Sail Loft"], banks={"Anna": {"rating": 2, "board": [3, 0]}}),
        "Anna",
        Pay(means="credit"),
    )
    bids = totals_of(state, "Anna", "open Sail Loft max 9 gold 4\nbuy 2 production\nbuy action card")
    assert bids["Gold left then, while you pay with credit"] == 15 - 4
    assert bids["Gold and credit left then, own and others'"] == 15 + 377 - 21
    debts = totals_of(state, "Anna", "pay off ship\nbuy action card")
    assert debts["Gold left then, while you pay with credit"] == 15 - 3


def test_a_card_that_is_bought_out_may_take_gold_besides_its_gold_part() -> None:
    state = table(options={"opener_buyout": 5}, row=["Sail Loft"])
    told = totals_of(state, "Anna", "open Sail Loft max 9 gold 2 buy out 14")
    assert told["Gold left then, at least"] == 15 - 14


def test_an_envelope_that_stands_may_raise_a_bid() -> None:
    state = table(row=["Sheep Farm", "Sail Loft"], banks={"Ben": {"actions": ["Late Envelope"]}})
    for waiting in (state, standing(state, "Ben", PlayRaise(card="Sheep Farm", by=4))):
        told = totals_of(waiting, "Ben", "bid Sail Loft 9")
        assert told["Your bids cost at most, if all win"] == 9
    told = totals_of(standing(state, "Ben", PlayRaise(by=4)), "Ben", "bid Sail Loft 9\nbid Sheep Farm 3")
    assert told["Your bids cost at most, if all win"] == 9 + 3 + 4
    assert told["Gold left then, at least"] == 0
    assert totals_of(state, "Ben", "bid Sail Loft 9\nplay Late Envelope by 3")["Gold left then, at least"] == 15 - 12
    nobodys = standing(table(row=["Sail Loft"]), "Ben", PlayRaise(by=4))
    assert totals_of(nobodys, "Ben", "bid Sail Loft 9")["Your bids cost at most, if all win"] == 9


def test_a_tariff_that_stands_is_told_with_the_gold_that_it_may_take() -> None:
    label = "Your tariff may take of it in a bank run, at most"
    assert label not in totals_of(table(), "Ben")
    state = standing(table(), "Ben", Lend(most=10, gold=3, credit=10))
    assert totals_of(state, "Ben")[label] == 10
    assert totals_of(state, "Ben", "rescue up to 4 at 1 for 1")[label] == 4
    assert totals_of(state, "Ben", "rescue up to 100 at 1 for 1")[label] == 15


def test_the_rescue_window_says_whom_a_tariff_helps_and_what_its_end_means() -> None:
    state = table(meter=3, banks={"Anna": {"gold": 3, "board": [12]}})
    window, _ = play(state, (SHIP, BLUE_10))
    short, *others = ruleset.asks(window).values()
    assert isinstance(short.at_hand, Text)
    assert short.at_hand.values["due"] == 9
    assert not any(isinstance(ask.at_hand, Text) and "due" in ask.at_hand.values for ask in others)
    for ask in (short, *others):
        assert "only a short bank that will “borrow” at its price" in ask.prompt.text
        assert "Whoever is still short when the window closes is degraded." in ask.prompt.text


@pytest.mark.parametrize("post", ["place bank own credit on fish", "place credit of bank own on the fish"])
@pytest.mark.parametrize("seat", [OWN, "2"])
def test_a_bank_that_is_called_own_can_have_its_credit_placed(seat: str, post: str) -> None:
    """By its seat, or by the name of who sits there."""
    state = table(f"Anna, {seat}, Cem", banks={"Anna": {"claims": {seat: 8}}})
    ask = with_names(ruleset.asks(state)["Anna"], {seat: "own"})
    (line,) = read(post, ask).orders
    assert isinstance(line, Place)
    assert line.bank != OWN
    assert write_value(Place, "bank", line.bank, ask, "en") == "bank own"
    (mine,) = read("place own credit on fish", ask).orders
    assert isinstance(mine, Place)
    assert mine.bank == OWN


def test_credit_of_a_bank_that_is_called_own_lies_where_its_payer_says() -> None:
    state = table(
        "Anna, own, Cem",
        row=["Sheep Farm"],
        banks={"Anna": {"rating": 2, "board": [0, 0], "claims": {"own": 2}}, "own": {"rating": 2, "board": [0, 0]}},
    )
    after, _ = play(state, QUIET, Anna="open Sheep Farm max 2\nplace bank own credit on fish\nplace own credit on ship")
    assert after.banks["own"].board == [0, 2]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("bid on the Sail Loft: 9 gold", "bid Sail Loft 9"),
        ("biete 9 auf die Segelmacherei", "bid Sail Loft 9"),
        ("borrow at 4 per gold", "borrow at 4 a gold"),
        ("borrow up to 4 credit a gold", "borrow at 4 a gold"),
        ("leihe zu 4 Kredit pro Gold", "borrow at 4 a gold"),
        ("place Cem's credit on ship", "place Cem credit on ship"),
        ("place credit of Cem on the ship", "place Cem credit on ship"),
        ("offer Anna: 3 of Cem's credit for 1 gold", "offer Anna: 3 credit of Cem for 1 gold"),
        ("offer Anna: 10 of my credit for 3 gold", "offer Anna: 10 credit for 3 gold"),
    ],
)
def test_lines_may_be_written_as_people_say_them(typed: str, line: str) -> None:
    state = table(options={"player_deals": "always"}, row=["Sail Loft"], banks={"Ben": {"claims": {"Cem": 5}}})
    assert orders_of(state, "Ben", typed) == orders_of(state, "Ben", line)


@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        ({"Anna": "offer Ben: Cloth Hall for 1 gold"}, {"Ben": "accept offer 1\ntrade Cloth Hall into consumer"}),
        ({"Ben": "offer Anna: 1 gold for Cloth Hall"}, {"Anna": "accept 1", "Ben": "trade Cloth Hall into consumer"}),
    ],
    ids=["accepted", "offered"],
)
def test_a_trading_card_that_an_exchange_brings_can_be_used_at_once(
    offer: dict[str, str], answer: dict[str, str]
) -> None:
    state = table(
        options={"player_deals": "always"},
        banks={"Anna": {"cards": ["Cloth Hall"]}, "Ben": {"goods": {"production": 2}}},
    )
    state, _ = play(state, QUIET, **offer)
    after, _ = play(state, QUIET, **answer)
    assert after.banks["Ben"].goods == {"production": 0, "consumer": 2}
