"""Choices about players: in orders people are named as they are at the table, whatever their seats are called."""

from __future__ import annotations

from judge.core.names import with_names
from judge.core.notation import read, write
from judge.core.orders import Ask
from rulesets.money_maker import ruleset
from rulesets.money_maker.exchanges import Offer
from tests.money_maker_table import table

NAMES = {"1": "Anna", "2": "Ben Müller", "3": "Cem"}


def ask_of_anna() -> Ask:
    state = table("1, 2, 3", options={"player_deals": "always"})
    return with_names(ruleset.asks(state)["1"], NAMES)


def test_a_player_is_read_by_name_in_both_languages() -> None:
    wanted = Offer(bank="2", give_n=3, give="gold", get_n=10, get="credit of 3")
    for post in ("offer Ben Müller: 3 gold for 10 credit of Cem", "biete ben mueller 3 Gold für 10 Kredit von Cem"):
        assert read(post, ask_of_anna()).orders == (wanted,)


def test_a_player_is_written_by_name() -> None:
    offer = Offer(bank="2", give_n=3, give="gold", get_n=10, get="credit of 3")
    assert write(offer, ask_of_anna(), "en") == "offer Ben Müller: 3 gold for 10 credit of Cem"
    assert write(offer, ask_of_anna(), "de") == "biete Ben Müller: 3 gold für 10 Kredit von Cem"


def test_an_ask_without_players_stays_as_it_is() -> None:
    state = table("1, 2, 3", phase="start bid", turn=0)
    ask = ruleset.asks(state)["1"]
    assert with_names(ask, {}) is ask
