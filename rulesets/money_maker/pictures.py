"""The pictures of RULES.md: a position in the middle of a game, drawn as the pages draw it."""

from __future__ import annotations

from collections.abc import Mapping

from judge.core.dice import Dice
from judge.core.picture import Picture
from rulesets.money_maker.city import city_picture
from rulesets.money_maker.stalls import markets_picture
from rulesets.money_maker.state import TableOptions, TableState, setup
from rulesets.money_maker.view import TableView, view


def _position() -> TableView:
    """Four banks on three rings; the windmill has been thrown, and the chip is two steps from the circle."""
    state = setup(("Anna", "Ben", "Cem", "Dora"), TableOptions(), Dice(b"the pictures of the rules"))
    banks, markets = state.banks, state.markets
    banks["Anna"].rating, banks["Anna"].board = 3, [14, 6, 0]
    banks["Ben"].rating, banks["Ben"].board = 2, [21, 4]
    banks["Cem"].board = [12]
    banks["Dora"].board = [7]
    markets["production"].slots = [0, 2, 3, 3, 3, 3, 3, 3]
    markets["consumer"].slots = [0, 0, 0, 1, 3, 3, 3, 3]
    state.facts.faces = ["windmill"]
    state.phase, state.turn, state.runs, state.meter = "turn", 9, 1, 3
    return view(TableState.model_validate(state.model_dump()), None)


PICTURES: Mapping[str, Picture] = {"city": city_picture(_position()), "markets": markets_picture(_position())}
