"""Choices about players: in orders people are named as they are at the table, whatever their seats are called."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.core.names import Names, with_names
from judge.core.notation import read, write
from judge.core.orders import Ask
from judge.core.tokens import normalise, tokenise
from rulesets.money_maker import ruleset
from rulesets.money_maker.exchanges import Offer
from tests.money_maker_table import table

NAMES = {"1": "Anna", "2": "Ben Müller", "3": "Cem"}


def ask_of_anna(names: Mapping[str, str] = NAMES) -> Ask:
    state = table("1, 2, 3", options={"player_deals": "always"}, banks={"1": {"cards": ["Sail Loft"]}})
    return with_names(ruleset.asks(state)["1"], names)


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


@pytest.mark.parametrize(
    "name", ["own", "Ówn", "O-wn", "gold", "nothing", "credit", "Sail Loft", "bank 1", "none", "windmill"]
)
def test_a_player_who_is_called_like_a_thing_is_written_so_that_it_is_read_back(name: str) -> None:
    ask = ask_of_anna(NAMES | {"2": name})
    about = [(row, choice) for row in ask.choices.values() for choice in row if choice.seat == "2"]
    assert len(about) > 3
    for row, choice in about:
        for said in choice.written.values():
            tokens = tokenise(normalise(said))
            whole = [fit.values for fit in Names(row).at(tokens, 0) if fit.end == len(tokens)]
            assert whole == [(choice.value,)], said
