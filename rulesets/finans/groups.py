"""Company groups: complete when one player owns all properties and all shares (rulebook, "Company Groups").

It does not matter whether the properties are built on; mortgaged ones count as well (A5).
"""

from __future__ import annotations

from judge.core.ruleset import Seat
from rulesets.finans.box import GROUPS, PAPERS, PROPERTIES, SHARES
from rulesets.finans.state import FinansState


def group_of(thing: str) -> str:
    """The group of a property or share."""
    return PROPERTIES[thing].group if thing in PROPERTIES else SHARES[thing].group


def owner_of_group(state: FinansState, group: str) -> Seat | None:
    """Who owns the complete group; None if nobody does."""
    papers = PAPERS[group]
    owner = state.owner(papers[0])
    for paper in papers:
        if state.owner(paper) != owner:
            return None
    return owner


def complete_groups(state: FinansState) -> dict[str, Seat]:
    """Every complete group with its owner."""
    owned = {group: owner_of_group(state, group) for group in GROUPS}
    return {group: owner for group, owner in owned.items() if owner is not None}


def groups_of(state: FinansState, seat: Seat) -> list[str]:
    """The complete groups of a player."""
    return [group for group in GROUPS if owner_of_group(state, group) == seat]


def is_immune(state: FinansState, thing: str) -> bool:
    """Whether a property or share is part of a complete group, which forced transactions spare."""
    return owner_of_group(state, group_of(thing)) is not None
