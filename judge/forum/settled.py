"""Private conversations that need not be read again: what a forum's list shows of them is what it showed before.

The judge writes to many players and hears from few, so that most looks into its messages find conversations in which
nobody else has said anything.
"""

from __future__ import annotations

from collections.abc import Hashable


class Settled:
    """What conversations looked like in the list when they were last read and nothing new waited in them."""

    def __init__(self) -> None:
        self._known = dict[str | int, tuple[Hashable, int]]()

    def newest(self, conversation: str | int, shown: Hashable) -> int | None:
        """The id of its newest message; None if it has to be read.  `shown` is None if the list does not tell."""
        known, newest = self._known.get(conversation, (None, 0))
        return newest if shown is not None and shown == known else None

    def note(self, conversation: str | int, shown: Hashable, newest: int, *, waiting: bool) -> None:
        """It was read after the list had shown this.  `waiting`: whether something in it was not there before."""
        if waiting:
            self._known.pop(conversation, None)
        else:
            self._known[conversation] = (shown, newest)
