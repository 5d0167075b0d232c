"""What a verification finds: that a game's record holds, or the first thing in it that does not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from judge.core.text import Player, Text, Value


@dataclass(frozen=True)
class Failure:
    """The first thing that does not hold, and where it is.

    record counts from 1 in the file; `line` from 1 in the part of the set that the sentence names
    """

    text: Text
    record: int | None = None
    turn: int | None = None
    version: int | None = None
    seat: str | None = None
    line: int | None = None

    @property
    def place(self) -> list[Value]:
        """Where it is, from the large to the small."""
        place: list[Value] = []
        if self.record is not None:
            place.append(Text.of("Record {number}", number=str(self.record)))
        if self.turn is not None:
            place.append(Text.of("turn {number}, version {version}", number=str(self.turn), version=str(self.version)))
        if self.seat is not None:
            place.append(Player(self.seat))
        if self.line is not None:
            place.append(Text.of("line {number}", number=str(self.line)))
        return place


class DoesNotHold(Exception):
    """Raised by a check; whoever reads the records adds which one it was."""

    def __init__(
        self,
        text: Text,
        seat: str | None = None,
        line: int | None = None,
        turn: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(text.text)
        number, version = turn or (None, None)
        self.failure = Failure(text, turn=number, version=version, seat=seat, line=line)

    def at(self, record: int, turn: int | None, version: int | None) -> Self:
        """The same, with its place in the file; what the check itself has said about the turn stays."""
        self.failure = replace(self.failure, record=record)
        if self.failure.turn is None:
            self.failure = replace(self.failure, turn=turn, version=version)
        return self


class NotAnExport(Exception):
    """What was given is no export of a game at all."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.text)
        self.text = text


@dataclass
class Counts:
    """How much was checked."""

    records: int = 0
    sets: int = 0
    lines: int = 0
    links: int = 0
    throws: int = 0
    turns: int = 0
    """Turns replayed by the rules, every version of them."""


@dataclass(frozen=True)
class Verdict:
    """The answer to "does this game hold?".

    readable   whether the file is an export at all; if not, `failure` says why
    failure    the first thing that does not hold; None if all does
    unreplayed why the rules could not be asked although the game is open to replay: they are not installed here
    closed     what cannot be checked yet, since it is still secret
    notes      what else a reader must know: where a hash stands, what a receipt proves
    names      who sits where, to say `failure`, `closed` and `notes` with
    """

    readable: bool = True
    failure: Failure | None = None
    game: str = ""
    title: str = ""
    ruleset: str = ""
    ruleset_version: int = 0
    names: dict[str, str] = field(default_factory=dict)
    counts: Counts = field(default_factory=Counts)
    unreplayed: Text | None = None
    closed: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()

    @property
    def ok(self) -> bool:
        """Nothing was found that does not hold."""
        return self.failure is None
