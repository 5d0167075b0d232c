"""Finans as stories: what was reckoned by hand from the rulebook stands in the documented public position.

Each story is a playthrough of its own; the numbers here were written before it was played.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.playthrough import replay_json
from rulesets.finans import ruleset

STORIES = Path(__file__).parent / "playthroughs" / "finans"

FORETOLD: dict[str, dict[int, dict[str, Any]]] = {
    "forced-stops": {
        1: {"Anna": {"cash": 105_000, "square": 34, "car": True}, "Ben": {"cash": 85_000, "square": 1, "car": False}},
        2: {"Anna": {"cash": 105_000, "square": 35}, "Ben": {"cash": 35_000, "square": 10, "car": True}},
        3: {"Anna": {"cash": 130_000, "square": 41, "car": False}, "Ben": {"cash": 35_000, "square": 12}},
        4: {"Anna": {"cash": 120_000, "square": 1}, "Ben": {"cash": 60_000, "square": 17, "car": False}},
    },
    "dividends-under-a-ceiling": {
        1: {"Anna": {"cash": 67_500, "square": 41}, "Ben": {"cash": 75_000, "square": 14}, "Cem": {"cash": 107_500}},
    },
    "a-mortgage-taken-over": {
        1: {
            "Anna": {"cash": 143_000, "square": 39},
            "Ben": {"cash": 185_000},
            "Cem": {"cash": 170_000},
            "properties": {
                "bookshop": {"owner": "Anna", "built": True, "mortgaged": False},
                "grocery": {"owner": None},
            },
            "shares": {"business_1": "Anna", "business_2": None, "business_3": "Anna"},
            "groups": {},
        },
    },
    "debts-in-two-orders": {
        1: {
            "Anna": {"cash": 6_000, "square": 33, "loans": 3, "car": True},
            "Ben": {"cash": 219_000, "square": 41},
            "Cem": {"cash": 35_000, "square": 33, "car": False, "loans": 3},
            "properties": {
                "laundry": {"owner": "Anna", "mortgaged": True},
                "paint": {"owner": "Anna", "mortgaged": True},
                "cobbler": {"owner": "Anna", "mortgaged": False},
                "steel": {"owner": "Cem", "mortgaged": False},
            },
            "shares": {"service_1": None, "service_2": None},
            "groups": {"crafts": "Anna"},
            "loans_left": 0,
        },
    },
    "all-is-raised-first": {
        1: {
            "Anna": {"cash": 0, "loans": 0, "bonds": [], "tips": [], "bankrupt": True},
            "Ben": {"cash": 140_500, "bankrupt": False},
            "properties": {"paint": {"owner": None}, "soap": {"owner": None}, "shipyard": {"owner": "Ben"}},
            "loans_left": 6,
            "bonds_left": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            "phase": "over",
            "ending": {"reason": "last player", "winners": ["Ben"], "points": {"Anna": 0, "Ben": 1}},
        },
    },
    "jail-and-square-37": {
        1: {
            "Anna": {"square": 24, "missing": 3, "from_jail": True},
            "Ben": {"square": 24, "missing": 0, "tips": [], "from_jail": True},
            "Cem": {"square": 37, "missing": 0, "from_jail": False},
        },
        3: {"Anna": {"square": 24, "missing": 1}, "Ben": {"square": 34, "cash": 85_000}, "Cem": {"square": 39}},
        4: {"Anna": {"square": 24, "missing": 0}, "Ben": {"square": 37}, "Cem": {"square": 40}},
        5: {"Anna": {"square": 25, "cash": 95_000}, "Ben": {"square": 38, "cash": 85_000}, "Cem": {"cash": 75_000}},
    },
    "two-ones": {
        1: {
            "Anna": {"cash": 174_500, "bonds": [], "square": 9},
            "Ben": {"cash": 100_000, "bonds": []},
            "Cem": {"cash": 124_000, "bonds": [2], "square": 45},
            "bonds_left": [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
            "face_up": None,
        },
    },
    "good-times-at-the-counter": {
        1: {
            "Anna": {"cash": 145_000, "square": 34, "bonds": []},
            "Ben": {"cash": 74_500, "square": 46, "bonds": [7]},
            "Cem": {"cash": 75_000, "square": 9, "bonds": []},
            "Dora": {"cash": 85_000, "square": 34},
            "face_up": "N02",
        },
    },
    "rent-only-if-claimed": {
        1: {"Anna": {"cash": 75_000, "square": 12}, "Ben": {"cash": 75_000}, "groups": {"business": "Ben"}},
        2: {"Anna": {"cash": 75_000, "square": 13}, "Ben": {"cash": 123_000}, "Cem": {"cash": 27_000, "square": 12}},
        3: {"Anna": {"cash": 75_000, "square": 17}, "Ben": {"cash": 133_000}, "Cem": {"cash": 17_000, "square": 13}},
    },
    "rent-waived": {
        1: {"Anna": {"cash": 75_000, "square": 12}, "Ben": {"cash": 85_000}, "Cem": {"cash": 65_000, "square": 13}},
        2: {"Anna": {"cash": 65_000, "square": 13}, "Ben": {"cash": 95_000}, "Cem": {"cash": 65_000, "square": 17}},
    },
    "the-sixth-loan": {
        1: {
            "Anna": {"cash": 15_000, "square": 43, "loans": 2},
            "Ben": {"cash": 135_000, "square": 42, "loans": 3},
            "Cem": {"cash": 110_000, "square": 1, "loans": 1},
            "loans_left": 0,
        },
        2: {
            "Anna": {"cash": 15_000, "square": 44, "loans": 2},
            "Ben": {"cash": 85_000, "square": 46, "loans": 2},
            "Cem": {"cash": 60_000, "square": 6, "loans": 0},
            "loans_left": 2,
        },
    },
    "sold-for-the-million": {
        1: {
            "Anna": {"cash": 1_022_000, "square": 35, "loans": 3},
            "properties": {
                "bookshop": {"owner": None, "built": False, "mortgaged": False},
                "cobbler": {"owner": "Anna", "mortgaged": False},
            },
            "shares": {"technics_2": None, "trust_1": "Anna"},
            "groups": {"crafts": "Anna", "trust": "Anna"},
            "ending": {"reason": "million", "winners": ["Anna"], "points": {"Anna": 1, "Ben": 0}},
        },
    },
    "a-shared-victory": {
        2: {
            "round": 2,
            "phase": "over",
            "ending": {
                "reason": "time",
                "winners": ["Anna", "Ben"],
                "points": {"Anna": 75_000, "Ben": 75_000, "Cem": 75_000},
            },
        },
    },
    "half-price-and-a-worn-permit": {
        1: {"Anna": {"cash": 67_000, "square": 3, "tips": [], "permit_turns": 0}},
        2: {
            "Anna": {"cash": 67_000, "square": 5},
            "Ben": {"cash": 67_000, "square": 19},
            "Cem": {"cash": 75_000, "square": 40},
            "properties": {
                "radio": {"owner": "Anna", "built": True},
                "bookshop": {"owner": "Anna", "built": True},
                "paint": {"owner": "Anna", "built": False, "mortgaged": True},
                "laundry": {"owner": "Ben", "built": True},
            },
            "face_up": "N06",
        },
    },
    "cards-that-move": {
        1: {
            "Anna": {"cash": 110_000, "square": 34},
            "Ben": {"cash": 75_000, "square": 17},
            "Cem": {"square": 24, "missing": 2, "from_jail": True},
        },
        2: {
            "Anna": {"cash": 115_000, "square": 36},
            "Ben": {"cash": 70_000, "square": 19},
            "Cem": {"cash": 75_000, "missing": 1},
        },
    },
    "an-offer-a-raid-and-a-swap": {
        1: {
            "Anna": {"cash": 25_000, "square": 3},
            "Ben": {"cash": 27_000, "square": 14},
            "Cem": {"cash": 123_000, "square": 16},
            "properties": {"bookshop": {"owner": "Ben", "built": True, "mortgaged": False}},
            "shares": {"service_1": "Anna", "crafts_1": "Cem", "technics_1": None},
        },
    },
}


@pytest.mark.parametrize("name", FORETOLD)
def test_a_story_ends_as_foretold(name: str) -> None:
    turns = replay_json((STORIES / f"{name}.txt").read_text(encoding="utf-8"), {"finans": ruleset})["turns"]
    positions = {turn["number"]: turn["state"] for turn in turns}
    for number, foretold in FORETOLD[name].items():
        found = positions[number]
        for key, value in foretold.items():
            place = found["players"] if key in found["players"] else found
            assert _of(place[key], value) == value, (number, key)
    assert max(positions) == max(FORETOLD[name])


def _of(found: Any, wanted: Any) -> Any:
    """The part of a position that was foretold; what is no object of fields, or empty, is compared whole."""
    if not isinstance(wanted, dict) or not wanted:
        return found
    return {key: _of(found[key], value) for key, value in wanted.items()}
