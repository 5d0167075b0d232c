"""Playthroughs: games as text files that are story, input and expected output at once.

`replay` fills in what the judge says, so the test of a ruleset is `replay(text) == text`.  The format is described in
`tests/playthroughs/README.md`.  Nothing here needs a database, a key or the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.core.ruleset import AnyRuleset
from judge.playthrough.game import played
from judge.playthrough.script import PlaythroughError

__all__ = ["PlaythroughError", "replay", "replay_json"]


def replay(script: str, rulesets: Mapping[str, AnyRuleset]) -> str:
    """The playthrough with the judge's lines filled in anew; raises `PlaythroughError`."""
    return "\n".join(played(script, rulesets).output) + "\n"


def replay_json(script: str, rulesets: Mapping[str, AnyRuleset]) -> dict[str, Any]:
    """What happened, as data: the public events and position of each turn, and the standings once the game is over."""
    game = played(script, rulesets)
    return {
        "game": game.ruleset.name,
        "seats": list(game.seats),
        "turns": game.turns,
        "over": game.over,
        "standings": game.standings() if game.over else [],
    }
