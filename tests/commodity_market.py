"""A commodity market for tests: a position in one line, a turn in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.core.dice import Dice
from judge.core.orders import Order, Problem
from judge.core.ruleset import Event, resolve_turn
from judge.escaping import plain
from judge.language import Voice
from rulesets.commodity_market import ruleset
from rulesets.commodity_market.orders import Bid, Offer
from rulesets.commodity_market.state import MarketState

NO_CHANCE = Dice(bytes(32))
PLAYERS = ("Anna", "Ben", "Cem", "Dora", "Emil", "Frida")


def position(players: int = 4, given: Mapping[str, Any] | None = None, **options: Any) -> MarketState:
    """The set-up for so many players, with `given` merged into it as in a playthrough."""
    state = ruleset.setup(PLAYERS[:players], ruleset.Options(**options), NO_CHANCE)
    return MarketState.model_validate(_merged(state.model_dump(mode="json"), given or {}))


def _merged(base: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    nested = {key: _merged(base[key], value) for key, value in given.items() if isinstance(value, Mapping)}
    return {**base, **given, **nested}


def stock(x: int = 0, f: int = 0, s: int = 0) -> dict[str, Any]:
    """A tally sheet with these certificates, for `given`."""
    return {"stock": {"X": x, "F": f, "S": s}}


def orders(text: str) -> list[Order]:
    """ "X 3 40, A 1 140" as bids and offers."""
    lines = [line.split() for line in text.split(",") if line.strip()]
    return [
        Bid(grade=letter, units=int(units), price=int(price))  # type: ignore[arg-type]  # one of the three
        if letter in "XFS"
        else Offer(good=letter, units=int(units), price=int(price))  # type: ignore[arg-type]
        for letter, units, price in lines
    ]


def turn(state: MarketState, **texts: str) -> tuple[MarketState, list[Event]]:
    """The next position, and what happened."""
    return resolve_turn(ruleset, state, {seat: orders(text) for seat, text in texts.items()}, NO_CHANCE)


def problems(state: MarketState, seat: str, text: str) -> list[Problem]:
    return list(ruleset.check(state, seat, orders(text)))


def voice(language: str = "en") -> Voice:
    return Voice.of(ruleset, language)


def said(found: Sequence[Problem], language: str = "en") -> list[str]:
    return [plain(voice(language).say(problem.text)) for problem in found]


def told(events: Sequence[Event], language: str = "en") -> list[str]:
    return [plain(voice(language).say(event.tell())) for event in events]


def cash(state: MarketState) -> list[int]:
    return [sheet.cash for sheet in state.players.values()]


def prices(state: MarketState, letters: str = "XFSABC") -> list[int]:
    return [state.prices[letter] for letter in letters]  # type: ignore[index]  # the letters are those of the board
