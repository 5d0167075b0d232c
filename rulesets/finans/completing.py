"""A group that has just become complete is told, since its rents are doubled from now on."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event
from rulesets.finans.events import GroupCompleted
from rulesets.finans.groups import complete_groups
from rulesets.finans.table import Table


def completed(table: Table) -> Iterator[Event]:
    """What has become complete since this was last looked at."""
    now = complete_groups(table.state)
    for group, owner in now.items():
        if table.known_groups.get(group) != owner:
            yield GroupCompleted(seat=owner, group=group)
    table.known_groups = now
