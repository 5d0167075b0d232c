"""The course of a game: which record may follow which, and how turns are numbered, also when some were taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from judge.core.record import Closed, Created, Ended, Record, Resolved, Rewound, Started
from judge.core.text import Text
from judge.verification.verdict import DoesNotHold

TurnKey = tuple[int, int]
"""A turn's number and version."""

LAST_NUMBER = 2**32 - 1
"""Numbers go into the dice as four bytes."""


@dataclass
class Course:
    """Where a game stands after the records read so far.

    phase    what the newest record left: a game without players, an open or closed turn, or the end
    turn     the turn that is open or closed; after the end, the number that the last position has
    results  the results that count, by turn number
    """

    phase: Literal["new", "created", "open", "closed", "ended"] = "new"
    turn: TurnKey = (0, 1)
    results: dict[int, TurnKey] = field(default_factory=dict)
    just_resolved: bool = False
    _opened: dict[int, int] = field(default_factory=dict)
    """How often a turn of each number has been opened."""

    def follow(self, record: Record) -> None:
        """Goes on by one record; raises `DoesNotHold` if it cannot stand here."""
        resolved_before, self.just_resolved = self.just_resolved, False
        match record:
            case Created() if self.phase == "new":
                self.phase = "created"
                if record.joined is not None:
                    self._join((record.joined.turn, record.joined.version))
            case Started() if self.phase == "created":
                self._open(1)
            case Closed() if self.phase == "open":
                self._demand_turn(record)
                self.phase = "closed"
            case Resolved() if self.phase == "closed":
                self._demand_turn(record)
                self.results[record.turn] = self.turn
                self.just_resolved = True
                self._open(record.turn + 1)
            case Ended() if resolved_before:
                self.phase = "ended"
            case Rewound() if self.phase in ("open", "closed", "ended"):
                self._rewind(record)
            case _:
                raise DoesNotHold(
                    Text.of(
                        "A record of the kind “{kind}” cannot stand here: one has been left out, added or moved.",
                        kind=record.record,
                    )
                )

    def _join(self, turn: TurnKey) -> None:
        if not all(1 <= number < LAST_NUMBER for number in turn):
            raise DoesNotHold(Text.of("There is no such turn."))
        self._opened[turn[0]] = turn[1]
        self.phase, self.turn = "open", turn

    def _open(self, number: int) -> None:
        self._opened[number] = self._opened.get(number, 0) + 1
        self.phase, self.turn = "open", (number, self._opened[number])

    def _demand_turn(self, record: Closed | Resolved) -> None:
        if (record.turn, record.version) != self.turn:
            raise DoesNotHold(
                Text.of(
                    "Turn {number} in version {version} is due here: a record has been left out, added or moved.",
                    number=str(self.turn[0]),
                    version=str(self.turn[1]),
                )
            )

    def _rewind(self, record: Rewound) -> None:
        """Back to a turn with a result that counts: it is open again, and no later result counts either."""
        if record.turn not in self.results:
            raise DoesNotHold(Text.of("A turn is taken back that has not been played."))
        undone = [turn for number, turn in sorted(self.results.items()) if number >= record.turn]
        if [(seen.turn, seen.version) for seen in record.undone] != undone:
            raise DoesNotHold(Text.of("The results that were taken back are not named rightly."))
        for number, _version in undone:
            del self.results[number]
        self._open(record.turn)
        if record.version != self.turn[1]:
            raise DoesNotHold(
                Text.of("The turn that is open again must have the version {version} here.", version=str(self.turn[1]))
            )
