"""Whole games of Get Rich Quick against an independent reckoning: each hand, swap, call, fine and deal, and the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat, State, resolve_turn, visible
from judge.playthrough import replay, replay_json
from judge.playthrough.game import played
from judge.registry import rulesets
from rulesets.get_rich_quick import ruleset
from rulesets.get_rich_quick.orders import Call, Collect, Hold, Offer, OfferWilds
from rulesets.get_rich_quick.state import TableOptions, TableState
from tests.bell_oracle import RICH, TAXMAN, Bell, Exchange, Numbers, Said
from tests.bell_stories import story
from tests.counts import times
from tests.games import by_bot, by_chance, seats

RULESETS = rulesets()


def said(orders: Sequence[Order]) -> Said:
    """A set of orders in the oracle's words."""
    its = Said()
    lots = []
    for order in orders:
        match order:
            case Offer() | OfferWilds():
                commodity = [order.commodity] * order.count if isinstance(order, Offer) else []
                lots.append(commodity + [wild for wild in (TAXMAN, RICH) if wild in (order.wilds or "")])
            case Collect():
                its.collect = order.commodity
            case Hold() | Call():
                its.hold = isinstance(order, Hold)
    its.lots = lots or None if orders else []
    return its


def given(state: TableState, seat: Seat, ask: Ask, chooser: Random) -> list[Order]:
    """Orders of a bot, of chance, or lots cut from the hand; with `hold` now and then."""
    way = chooser.random()
    dice = Dice(chooser.randbytes(32))
    if way < 0.4:
        return list(by_bot(ruleset)(state, seat, ask, dice))
    if way < 0.5:
        return list(by_chance(ruleset)(state, seat, ask, dice))
    orders: list[Order] = [Collect(commodity=chooser.choice(state.hands[seat][:9]))] if way < 0.8 else []
    orders = [order for order in orders if isinstance(order, Collect) and order.commodity not in (TAXMAN, RICH)]
    if way < 0.9 and chooser.random() < 0.4:
        orders.append(Hold() if chooser.random() < 0.7 else Call())
    return orders


def as_dealt(exchange: Exchange, hidden: Numbers) -> list[str]:
    deck = exchange.deck()
    return [deck[place] for place in hidden.order(len(deck))]


def assert_game_comes_out_as_reckoned(seed: str, most_turns: int) -> None:
    chooser = Random(seed)
    names = seats(ruleset, chooser.randint(3, 8))
    options = TableOptions(goal=chooser.choice([1, 150, 300, 500, 1000]), rounds=chooser.choice([0, 0, 1, 2, 5]))
    secret, hidden = chooser.randbytes(32), chooser.randbytes(32)
    state = ruleset.setup(names, options, Dice(secret, hidden, b"set-up"))
    exchange = Exchange(
        names, names[Numbers(secret, "public", b"set-up").below(len(names))], options.goal, options.rounds
    )
    exchange.deal(as_dealt(exchange, Numbers(hidden, "hidden", b"set-up")))
    assert_same(state, exchange, None)
    for turn in range(most_turns):
        asks = ruleset.asks(state)
        if not asks:
            break
        exchange.collecting = {}
        handed_in: dict[str, Sequence[Order]] = {}
        for seat, ask in asks.items():
            if ask.forced is None and chooser.random() < 0.9:
                handed_in[seat] = given(state, seat, ask, chooser)
        orders: dict[str | None, Sequence[Order]] = {
            seat: handed_in[seat] if seat in handed_in else ruleset.default_orders(state, seat) for seat in asks
        }
        if chooser.random() < 0.01:
            orders[None] = [Order(kind="last round")]
            exchange.last = True
        context = turn.to_bytes(4, "big")
        bell = reckoned(
            exchange,
            {seat: said(lines) for seat, lines in handed_in.items()},
            Numbers(secret, "public", context),
            Numbers(hidden, "hidden", context),
        )
        state, events = resolve_turn(ruleset, state, orders, Dice(secret, hidden, context))
        assert_same(state, exchange, bell)
        for seat in names:
            swapped = [event for event in visible(events, seat) if type(event).__name__ == "LotSwapped"]
            assert [event.model_dump(exclude={"only"}) for event in swapped] == list(own_swaps(bell, seat))
    assert state.over == exchange.over


def reckoned(exchange: Exchange, posts: dict[str, Said], public: Numbers, hidden: Numbers) -> Bell | None:
    """A turn of the oracle: the bell, the call, and the next deals."""
    bell = None
    ended = exchange.call_from_the_deal()
    if not ended:
        lots = exchange.take(posts)
        bell, going = exchange.ring(lots, public.order(len(lots)))
        ended = not going
    while ended and not exchange.over:
        exchange.deal(as_dealt(exchange, hidden))
        ended = exchange.call_from_the_deal()
    return bell


def own_swaps(bell: Bell | None, seat: str) -> Any:
    for first, second in bell.swaps if bell else []:
        for own, other in ((first, second), (second, first)):
            assert bell
            if bell.lots[own][0] == seat:
                partner, got = bell.lots[other]
                yield {"partner": partner, "gave": tuple(bell.lots[own][1]), "got": tuple(got)}


def assert_same(state: State, exchange: Exchange, bell: Bell | None) -> None:
    """Public position, all hands, and who holds."""
    assert isinstance(state, TableState)
    assert ruleset.view(state, None).model_dump(mode="json") == exchange.public(bell)
    assert hands(state.hands) == hands(exchange.hands)
    if not exchange.over:
        assert {seat for seat, held in state.holding.items() if held} == exchange.holding
        waited = [seat for seat, ask in ruleset.asks(state).items() if ask.forced is None]
        assert waited == ([] if exchange.dealt_complete() else exchange.seats)
    else:
        assert [list(entry) for entry in ruleset.standings(state)] == exchange.standings()


def hands(cards: dict[str, list[str]]) -> dict[str, Counter[str]]:
    return {seat: Counter(hand) for seat, hand in cards.items()}


@pytest.mark.parametrize("part", range(times(2, full=40)))
def test_games_come_out_as_reckoned(part: int) -> None:
    """Bots, chance and silence at one table, with every option; hidden cards are compared too."""
    for number in range(times(20, full=100)):
        assert_game_comes_out_as_reckoned(f"bells {part} {number}", most_turns=120)


@pytest.mark.parametrize("part", range(times(2, full=40)))
def test_told_games_come_out_as_reckoned(part: int) -> None:
    """As playthroughs: posts in both languages, refusals, standing orders, misses, scripted deals and bells."""
    for number in range(times(8, full=100)):
        script, turns, made = story(Random(f"told {part} {number}"))
        told = replay_json(script, RULESETS)
        for turn, reckoned_turn in zip(told["turns"], turns, strict=True):
            assert (turn["number"], set(turn["problems"])) == (reckoned_turn.number, reckoned_turn.refused), script
            assert turn["state"] == reckoned_turn.state, script
        assert (told["seats"], told["over"], told["standings"]) == (made.seats, made.over, made.standings()), script
        state = played(script, RULESETS).state
        assert isinstance(state, TableState)
        assert hands(state.hands) == hands(made.hands), script
        if number % 5 == 0:
            assert replay_json(replay(script, RULESETS), RULESETS) == told, script
