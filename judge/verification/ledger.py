"""All that can be checked without the rules: a record's form, order, chain, seals, links and throws."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from judge.core.record import (
    Closed,
    Created,
    Ended,
    Export,
    Record,
    Resolved,
    Rewound,
    Started,
)
from judge.core.seal import ZERO, OrdersPlace, SealedPart
from judge.core.text import Text
from judge.verification.chances import Chains, check_throws, context
from judge.verification.course import Course, TurnKey
from judge.verification.reading import Entry
from judge.verification.seals import check_closed, check_opened, check_salts
from judge.verification.verdict import Counts, DoesNotHold

LateKey = tuple[int, int, str]
"""The turn, version and seat of a part that stayed closed until the end."""

LONGEST_SEAT = 9
"""Digits of a seat's key."""


@dataclass
class Ledger:
    """A game's public record, read and checked entry by entry.

    late      the parts that opened with the end of the game
    hidden    the hidden secrets that opened then, by chain
    standing  which record each hash belongs to
    """

    heading: Export
    counts: Counts = field(default_factory=Counts)
    course: Course = field(default_factory=Course)
    chains: Chains = field(default_factory=Chains)
    records: list[Record] = field(default_factory=list)
    closed: dict[TurnKey, Closed] = field(default_factory=dict)
    resolved: dict[TurnKey, Resolved] = field(default_factory=dict)
    late: dict[LateKey, SealedPart] = field(default_factory=dict)
    hidden: dict[int, bytes] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    hashes: dict[str, int] = field(default_factory=dict)
    seats: list[str] = field(default_factory=list)
    """In seat order; those of a joined game are taken from the head of the export."""
    _previous: bytes = ZERO
    _kept: dict[TurnKey, tuple[TurnKey, tuple[str, ...]]] = field(default_factory=dict)
    """A turn that was opened again: the version that was taken back, and whose orders of it count again."""
    _foreseen: dict[int, str] = field(default_factory=dict)
    _counted: set[LateKey] = field(default_factory=set)

    def read_all(self, entries: Sequence[Entry]) -> DoesNotHold | None:
        """Reads the records up to the first that does not hold, and says why."""
        for entry in entries:
            if isinstance(entry.record, Ended):
                self._foreseen.update(entry.record.hidden)
        for entry in entries:
            try:
                self._read(entry)
            except DoesNotHold as found:
                turn, version = getattr(entry.record, "turn", None), getattr(entry.record, "version", None)
                return found.at(entry.number, turn, version)
        return None

    def _read(self, entry: Entry) -> None:
        if entry.problem is not None:
            raise entry.problem
        record = entry.record
        assert record is not None  # or there would be a problem
        self.course.follow(record)
        match record:
            case Created():
                self._read_created(record)
            case Started():
                self._read_started(record)
            case Closed():
                check_closed(record, self.seats)
                self._demand_keys(record.keys)
                self._check_kept_seats(record)
                self.closed[record.turn, record.version] = record
            case Resolved():
                self._read_resolved(record)
            case Rewound():
                self._read_rewound(record)
            case Ended():
                self._read_ended(record)
        hashed = hashlib.sha256(self._previous + entry.body).hexdigest()
        if hashed != entry.hash:
            raise DoesNotHold(
                Text.of("The hash of this record does not fit: it, or what stands before it, was changed afterwards.")
            )
        self._previous = bytes.fromhex(hashed)
        self.hashes[hashed] = entry.number
        self.records.append(record)
        self._count(record)

    def _count(self, record: Record) -> None:
        self.counts.records += 1
        if isinstance(record, Started | Resolved):
            self.counts.links += 1
            self.counts.throws += len(record.chance.throws)
        if isinstance(record, Resolved):
            self.counts.sets += len(record.sets)
            opened = [part for sealed in record.sets.values() for part in sealed.parts.values()]
            self.counts.lines += sum(len(part.lines) for part in opened)
        if isinstance(record, Ended):
            self.counts.lines += sum(len(part.lines) for key, part in self.late.items() if key not in self._counted)
            self._counted |= self.late.keys()

    def _read_created(self, record: Created) -> None:
        head = self.heading
        named = (head.game, head.ruleset, head.ruleset_version)
        if (record.game, record.ruleset, record.ruleset_version) != named:
            raise DoesNotHold(Text.of("The head of the file names another game or other rules than its first record."))
        self._demand_keys(record.keys)
        self.chains.begin(record.anchors)
        if record.joined is not None:
            self.seats = _in_order(head.names)

    def _read_started(self, record: Started) -> None:
        self.seats = _in_order(record.seats)
        about = context(self.heading.game, (0, 1), record.chance.link, [record.seats[seat] for seat in self.seats])
        self._read_chance(record, about)

    def _read_resolved(self, record: Resolved) -> None:
        turn = (record.turn, record.version)
        closed = self.closed[turn]
        check_opened(self.heading.game, closed, record, self._foreseen_secret(record.chance.chain))
        self._check_kept_orders(record)
        given = [closed.seats[seat].commitment if seat in closed.seats else None for seat in self.seats]
        self._read_chance(record, context(self.heading.game, turn, record.chance.link, given))
        self.resolved[turn] = record

    def _read_chance(self, record: Started | Resolved, about: bytes) -> None:
        self.chains.use(record.chance, record.anchors)
        check_throws(record.chance, about)

    def _read_rewound(self, record: Rewound) -> None:
        for seen in record.undone:
            if set(seen.opened) != set(self.resolved[seen.turn, seen.version].sets):
                raise DoesNotHold(Text.of("It is not named rightly whose orders everybody has seen."))
        after_the_end = isinstance(self.records[-1], Ended)
        if (record.anchors is not None) != after_the_end:
            raise DoesNotHold(Text.of("The next chain is bound too early or too late."))
        if record.anchors is not None:
            self.chains.begin(record.anchors)
        if record.kept:
            undone = next((seen for seen in record.undone if seen.turn == record.turn), None)
            there = () if undone is None else self.resolved[undone.turn, undone.version].sets
            for seat in record.kept:
                if undone is None or seat not in there:
                    raise DoesNotHold(Text.of("Orders are to count again that were never given."), seat)
            if undone is not None:
                self._kept[record.turn, record.version] = ((undone.turn, undone.version), record.kept)

    def _read_ended(self, record: Ended) -> None:
        if record.hidden.keys() != self.chains.anchors.keys():
            raise DoesNotHold(Text.of("A hidden secret of this game is missing, or there is one too many."))
        for chain, secret in record.hidden.items():
            if not self.chains.fits(chain, secret):
                raise DoesNotHold(
                    Text.of("The hidden secret is not the one that was bound before the game: it has been exchanged.")
                )
            self.hidden[chain] = bytes.fromhex(secret)
        awaited = {
            (turn, version, seat): opened.closed["game"]
            for (turn, version), result in self.resolved.items()
            for seat, opened in result.sets.items()
            if "game" in opened.closed
        }
        found: dict[LateKey, SealedPart] = {}
        for one in record.sets:
            key, turn = (one.turn, one.version, one.seat), (one.turn, one.version)
            if key not in awaited or key in found:
                raise DoesNotHold(Text.of("Orders open here that were never sealed."), one.seat, turn=turn)
            place = OrdersPlace(game=self.heading.game, turn=one.turn, version=one.version, seat=one.seat)
            check_salts(self.hidden[self.resolved[turn].chance.chain], place, "game", one.part)
            if one.part.commitment != awaited[key]:
                raise DoesNotHold(
                    Text.of("These orders are not the ones whose seal was published when the turn closed."),
                    one.seat,
                    turn=turn,
                )
            found[key] = one.part
        if missing := sorted(awaited.keys() - found.keys()):
            turn_number, version, seat = missing[0]
            raise DoesNotHold(
                Text.of("Orders that were sealed until the end have not been opened."),
                seat,
                turn=(turn_number, version),
            )
        self.late = found

    def _check_kept_seats(self, closed: Closed) -> None:
        """Orders of a turn that was taken back, which were said to count again, are there."""
        _undone, kept = self._kept.get((closed.turn, closed.version), (None, ()))
        for seat in kept:
            if seat not in closed.void and (seat not in closed.seats or closed.seats[seat].how != "posted"):
                raise DoesNotHold(
                    Text.of("The orders of this seat were to count again when the turn was taken back."), seat
                )

    def _check_kept_orders(self, record: Resolved) -> None:
        """They are the same as before."""
        turn = (record.turn, record.version)
        if turn not in self._kept:
            return
        undone, kept = self._kept[turn]
        for seat in kept:
            before, after = self.resolved[undone].sets[seat].parts, record.sets.get(seat)
            if seat in self.closed[turn].void or after is None:
                continue
            if {name: part.orders for name, part in before.items()} != {
                name: part.orders for name, part in after.parts.items()
            }:
                raise DoesNotHold(
                    Text.of("The orders of this seat were to count again unchanged, and they are others."), seat
                )

    def _foreseen_secret(self, chain: int) -> bytes | None:
        """A hidden secret that a later record opens, if it is the right one."""
        secret = self._foreseen.get(chain)
        return bytes.fromhex(secret) if secret is not None and self.chains.fits(chain, secret) else None

    def _demand_keys(self, keys: Sequence[str]) -> None:
        known = [key.get("kid") for key in self.heading.keys]  # no set: until they are checked, they may be anything
        if missing := [key for key in keys if key not in known]:
            raise DoesNotHold(Text.of("The judge's key {key} is not in the file.", key=missing[0][:60]))
        self.keys.update(keys)


def _in_order(seats: Collection[str]) -> list[str]:
    """Seat order: by number."""
    for seat in seats:
        if not seat.isascii() or not seat.isdigit() or seat.startswith("0") or len(seat) > LONGEST_SEAT:
            raise DoesNotHold(Text.of("There is no such seat in this game."), seat)
    return sorted(seats, key=int)
