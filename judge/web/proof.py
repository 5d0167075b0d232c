"""What everybody is shown of the seals and the chance of a game: read from its public record, as its export has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from sqlmodel import Session

from judge.core.record import Anchors, Closed, Ended, Entry, OpenedSet, Resolved, Rewound
from judge.core.seal import SealedLine, SealedPart, canonical
from judge.service import chance
from judge.store import queries
from judge.store.tables import RecordRow, TurnRow


@dataclass(frozen=True)
class LineShown:
    """An opened order: as the judge writes it, and the bytes that its seal is made of."""

    written: str
    order: str
    salt: str
    commitment: str


@dataclass(frozen=True)
class SealShown:
    """What was published of one seat at the close, and how it opened."""

    seat: str
    entry: Entry
    opened: OpenedSet | None
    late: SealedPart | None
    """The part that stayed closed until the game ended, once it has."""
    lines: Sequence[LineShown]


@dataclass(frozen=True)
class TurnProof:
    """The records of one turn; `resolved` is None while its seals are closed."""

    closing: RecordRow
    closed: Closed
    result: RecordRow | None
    resolved: Resolved | None
    before: str | None
    """The hash before the newest of the two."""
    seals: Sequence[SealShown]

    @property
    def newest(self) -> RecordRow:
        return self.result or self.closing


def turn_proof(session: Session, turn: TurnRow) -> TurnProof | None:
    """The seals and the chance of a turn that has closed; None in a turn older than the game's record."""
    closing = queries.record_of(session, turn, "closed")
    if closing is None:
        return None
    result = queries.record_of(session, turn, "resolved")
    closed = Closed.model_validate_json(closing.body)
    resolved = None if result is None else Resolved.model_validate_json(result.body)
    newest = result or closing
    before = session.get(RecordRow, (turn.game_id, newest.number - 1))
    late = _late_parts(session, turn)
    seals = [
        SealShown(
            seat=seat,
            entry=entry,
            opened=None if resolved is None else resolved.sets.get(seat),
            late=late.get(seat),
            lines=tuple(_lines(turn, resolved, seat)),
        )
        for seat, entry in sorted(closed.seats.items(), key=lambda pair: int(pair[0]))
    ]
    return TurnProof(closing, closed, result, resolved, before.hash if before else None, seals)


def _late_parts(session: Session, turn: TurnRow) -> dict[str, SealedPart]:
    """By seat: what of this turn was opened at the end of the game."""
    last = queries.last_record(session, turn.game_id)
    if last is None or last.kind != "ended":
        return {}
    sets = Ended.model_validate_json(last.body).sets
    return {one.seat: one.part for one in sets if (one.turn, one.version) == (turn.number, turn.version)}


def _lines(turn: TurnRow, resolved: Resolved | None, seat: str) -> Iterator[LineShown]:
    opened = None if resolved is None else resolved.sets.get(seat)
    if opened is None or "turn" not in opened.parts:
        return
    lines: Sequence[SealedLine] = opened.parts["turn"].lines
    for line, written in zip_longest(lines, turn.opened_lines.get(seat, ())[: len(lines)], fillvalue=""):
        if isinstance(line, SealedLine):
            yield LineShown(str(written), canonical(line.order).decode(), line.salt, line.commitment)


def all_anchors(session: Session, game_id: str) -> list[Anchors]:
    """Every chain that the game's record binds, the oldest first."""
    return [chance.anchors(row) for row in queries.chains(session, game_id)]


@dataclass(frozen=True)
class Entered:
    """One entry of the record in a list: what it is, and its hash."""

    kind: str
    number: int
    turn: int | None
    version: int | None
    hash: str
    anchor: str
    """Its place on the page: "turn-3" for the newest version of a turn's result (or seals), "" for none."""
    undone: bool
    """It belongs to a result that was taken back."""


def entered(session: Session, game_id: str) -> list[Entered]:
    """The whole record by kind and hash, the newest first."""
    listed: list[Entered] = []
    named: set[str] = set()
    undone: set[tuple[int | None, int | None]] = set()
    for row in reversed(queries.records(session, game_id)):
        if row.kind == "rewound":
            undone |= {(seen.turn, seen.version) for seen in Rewound.model_validate_json(row.body).undone}
        of_a_turn = row.kind in ("closed", "resolved")
        anchor = f"turn-{row.turn}" if of_a_turn else ""
        listed.append(
            Entered(
                kind=row.kind,
                number=row.number,
                turn=row.turn,
                version=row.version,
                hash=row.hash,
                anchor="" if anchor in named else anchor,
                undone=of_a_turn and (row.turn, row.version) in undone,
            )
        )
        named.add(anchor)
    return listed
