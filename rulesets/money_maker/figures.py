"""What simulations count in a game that is over: how long it was, what befell the banks, how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from judge.core.text import Text
from rulesets.money_maker.scoring import standings
from rulesets.money_maker.state import TableState

_ENDINGS = {
    "runs": Text.of("Games ended by the last bank run"),
    "ten cards": Text.of("Games ended by ten cards of one bank"),
    "no cards": Text.of("Games ended with the last card"),
    "one left": Text.of("Games ended with a single bank left"),
    "all bankrupt": Text.of("Games in which everybody went bankrupt"),
}


def figures(state: TableState) -> Sequence[tuple[Text, Sequence[int]]]:
    """Labels and numbers; an ending counts 1 in a game that ended so, hence its mean is its share of all games."""
    points = [score for seat, score in standings(state) if not state.banks[seat].bankrupt]
    return [
        (Text.of("Turns in a game"), [state.turn]),
        (Text.of("Rounds in a game"), [state.round]),
        (Text.of("Bank runs in a game"), [state.runs]),
        (Text.of("Bankrupt banks in a game"), [len(state.seats) - len(state.alive)]),
        (Text.of("Companies of a bank"), [len(state.banks[seat].cards) for seat in state.alive]),
        (Text.of("Points of the winner"), points[:1]),
        (Text.of("From the winner to the last bank"), [points[0] - points[-1]] if points else []),
        *((words, [int(state.ending == ending)]) for ending, words in _ENDINGS.items()),
    ]
