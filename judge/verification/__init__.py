"""Nobody has to trust the judge: a finished or running game is checked from its export alone.

`verify` needs the file and the rules, neither database nor network.  It follows core/SEALING.md: the file, the chain of
records, every seal, every link and throw; then it plays the game again.  It never raises for what a file holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from judge.core.record import Created
from judge.core.ruleset import AnyRuleset
from judge.core.text import Text
from judge.registry import NotInstalledError
from judge.verification.ledger import Ledger
from judge.verification.outlook import check_heading, still_closed
from judge.verification.reading import ExportFile, read_export
from judge.verification.receipts import check_receipts, public_keys
from judge.verification.replaying import Replay
from judge.verification.verdict import Counts, DoesNotHold, Failure, NotAnExport, Verdict

__all__ = ["Counts", "Failure", "Rulesets", "Verdict", "verify"]

Rulesets = Callable[[str, int], AnyRuleset]
"""Finds a version of a game's rules; raises `NotInstalledError`.  `judge.registry.ruleset` is one."""


def verify(data: bytes, rulesets: Rulesets, expect: str | None = None, receipts: Sequence[str] = ()) -> Verdict:
    """Whether an export holds, and what was checked.

    `expect` is the hash of a record that the file must contain, from a post of the judge; `receipts` are compact JWS,
    to be held against the orders that counted.
    """
    try:
        file = read_export(data)
    except NotAnExport as none:
        return Verdict(readable=False, failure=Failure(none.text))
    except DoesNotHold as found:
        return Verdict(failure=found.failure)
    return _Verification(file, rulesets).verdict(expect, receipts)


class _Verification:
    """One file under examination.  What is wrong in a record is told rather than what is wrong with the whole file."""

    def __init__(self, file: ExportFile, rulesets: Rulesets) -> None:
        self.file = file
        self.ledger = Ledger(file.heading)
        self.rulesets = rulesets
        self.unreplayed: Text | None = None
        self.closed: list[Text] = []
        self.notes: list[Text] = []

    def verdict(self, expect: str | None, receipts: Sequence[str]) -> Verdict:
        found = self._records()
        failure = None if found is None else found.failure
        if failure is None:
            try:
                self._surroundings(expect, receipts)
            except DoesNotHold as outside:
                failure = outside.failure
        head = self.file.heading
        return Verdict(
            failure=failure,
            game=head.game,
            title=head.title,
            ruleset=head.ruleset,
            ruleset_version=head.ruleset_version,
            names=head.names,
            counts=self.ledger.counts,
            unreplayed=self.unreplayed,
            closed=tuple(self.closed),
            notes=tuple(self.notes),
        )

    def _records(self) -> DoesNotHold | None:
        """The first record that does not hold: by itself, or because the rules say otherwise."""
        found = self.ledger.read_all(self.file.entries)
        replay = self._replay()
        against_the_rules = None if replay is None else replay.play(complete=found is None)
        if against_the_rules is not None:
            return against_the_rules
        if found is None:
            self.closed += still_closed(self.ledger, replay)
            try:
                check_heading(self.ledger, replay)
            except DoesNotHold as wrong:
                return self.file.problem or wrong
        return found

    def _replay(self) -> Replay | None:
        created = self.ledger.records[0] if self.ledger.records else None
        if not isinstance(created, Created):
            return None
        if created.joined is not None:
            number = str(created.joined.turn)
            self.notes.append(
                Text.of(
                    "This game is older than its record, which begins with turn {number}: it is checked, but it cannot "
                    "be played again.",
                    number=number,
                )
            )
            return None
        try:
            return Replay(self.rulesets(created.ruleset, created.ruleset_version), self.ledger)
        except NotInstalledError as unknown:
            self.unreplayed = unknown.text
            return None

    def _surroundings(self, expect: str | None, receipts: Sequence[str]) -> None:
        """The file as a whole, its keys, and what the reader brought along."""
        if self.file.problem is not None:
            raise self.file.problem
        keys = public_keys(self.file.heading.keys)
        if expect is not None:
            self.notes.append(self._standing(expect))
        self.notes += check_receipts(self.ledger, keys, receipts)

    def _standing(self, expect: str) -> Text:
        """Where the expected hash stands."""
        wanted = expect.strip().lower()
        if not re.fullmatch("[0-9a-f]{64}", wanted):
            raise DoesNotHold(Text.of("The expected hash is none: it needs 64 digits from 0 to 9 and a to f."))
        number = self.ledger.hashes.get(wanted)
        if number is None:
            raise DoesNotHold(
                Text.of(
                    "The expected hash is in no record of this file: it belongs to another game, or this file tells "
                    "another story than the posts of the judge."
                )
            )
        record = self.ledger.records[number - 1]
        turn = getattr(record, "turn", None)
        if turn is None:
            return Text.of("The expected hash is that of record {record}.", record=str(number))
        return Text.of(
            "The expected hash is that of record {record}: it stands at turn {number}.",
            record=str(number),
            number=str(turn),
        )
