"""Money Maker: whole games of bots and of chance against the law of pieces; what is hidden; one post a round."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from judge.cli import simulation
from judge.core.orders import kind_of
from rulesets.money_maker import ruleset
from rulesets.money_maker.exchanges import Accept, Done, Offer
from rulesets.money_maker.kinds import KINDS
from rulesets.money_maker.run_events import RunStarted
from rulesets.money_maker.state import TableOptions, TableState
from tests.counts import times
from tests.games import by_chance, played
from tests.laws import LAWS
from tests.money_maker_table import QUIET, play, problems_of, table, those

LENGTHS = ("average", "short", "average", "long")
"""Half of all games are of average length."""


@pytest.mark.parametrize("players", ruleset.seats)
def test_bots_finish_games_and_no_piece_is_lost(players: int) -> None:
    """T140: 100 games of every size and all lengths; the law is looked at in every step."""
    endings: Counter[str | None] = Counter()
    for number in range(times(100, 1000)):
        options = TableOptions.model_validate({"length": LENGTHS[number % len(LENGTHS)]})
        game = played(ruleset, players, f"bots {number}", options)
        for turn in game:
            LAWS[ruleset.name](turn)
        last = game[-1].after
        assert isinstance(last, TableState)
        assert last.phase == "over"
        endings[last.ending] += 1
    assert None not in endings
    assert {"ten cards", "runs"} <= set(endings)
    assert endings["one left"] + endings["all bankrupt"] < sum(endings.values()) / 4


@pytest.mark.parametrize(
    ("ending", "players", "number", "length"),
    [
        ("last bank run", 6, 0, "short"),
        ("last bank run", 6, 1, "average"),
        ("last bank run", 6, 5, "long"),
        ("ten cards", 5, 1, "average"),
        ("last card", 5, 14, "average"),
        ("single bank left", 3, 7, "average"),
        ("everybody went bankrupt", 3, 620, "average"),
    ],
)
def test_bots_reach_every_ending(ending: str, players: int, number: int, length: str) -> None:
    """Games out of those that `judge bots money-maker` plays: the rare ones are one in hundreds."""
    secret = sha256(f" money-maker {players} {number}".encode()).digest()
    over = simulation.play(ruleset, simulation.Game(ruleset.name, {"length": length}, players, secret))
    assert isinstance(over, simulation.Ended)
    [reached] = [label.text for label, values in over.figures if label.text.startswith("Games") and values == [1]]
    assert ending in reached


@pytest.mark.parametrize(
    "options",
    [
        TableOptions(fast=True),
        TableOptions(player_deals="always", sell_to="high", length="long"),
        TableOptions(auction_price="own", opener_buyout=3, length="short"),
    ],
    ids=["fast", "deals", "first price"],
)
def test_random_orders_lose_no_piece_under_any_option(options: TableOptions) -> None:
    for number in range(3):
        for give in (None, by_chance(ruleset)):
            game = played(ruleset, 3 + number, f"any {number}", options, give, most=120)
            for turn in game:
                LAWS[ruleset.name](turn)


def test_a_fast_round_has_one_opening_and_shows_its_cards_ahead() -> None:
    state = table(options={"fast": True}, phase="start bid", turn=0)
    state, _ = play(state, Ben="bid 2")
    assert (state.phase, state.round, state.active) == ("round", 1, "Ben")
    view = ruleset.view(state, None)
    assert view.forecast == state.pile[:3]
    card = state.pile[0]
    assert problems_of(state, "Cem", f"bid {card} 3\nopen {card} 9\nproduce all") == []
    after, events = play(state, (*QUIET, *QUIET, *QUIET), Ben=f"open {card} max 20 gold 9")
    assert after.banks["Ben"].cards == [card]
    assert (after.turn, after.round, after.phase) == (3, 2, "round")
    assert those(events, RunStarted) == []


def test_in_a_fast_round_a_card_is_open_from_its_own_turn_on() -> None:
    """Anna plays before the second card of the forecast is drawn, Ben after it."""
    state = table(options={"fast": True}, phase="round")
    second = state.forecast()[1]
    after, _ = play(state, (*QUIET, *QUIET, *QUIET), Anna=f"open {second} max 25", Ben=f"open {second} max 25")
    assert (after.banks["Anna"].cards, after.banks["Ben"].cards) == ([], [second])


def test_only_the_owner_sees_a_vault() -> None:
    state = table(banks={"Anna": {"gold": 9, "goods": {"consumer": 2}, "actions": ["Kermis Fair"]}})
    public, own = ruleset.view(state, None), ruleset.view(state, "Anna")
    assert public.vault is None
    assert own.vault is not None
    assert (own.vault.gold, own.vault.actions) == (9, ["Kermis Fair"])
    assert "Kermis Fair" not in public.model_dump_json()
    assert "Kermis Fair" not in ruleset.view(state, "Ben").model_dump_json()


def test_every_kind_but_bids_and_open_talk_stays_closed_until_the_end() -> None:
    opened = {kind_of(kind) for kind in KINDS if kind.opens == "turn"}
    assert opened == {"start", "open", "bid", "payoff", *map(kind_of, (Offer, Accept, Done))}
