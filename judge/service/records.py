"""The public record of a game, written entry by entry, each chained to the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import TypeAdapter
from sqlmodel import Session

from judge.core.record import Chance, Closed, Created, Ended, Joined, LatePart, Record, Started, Why
from judge.core.ruleset import View
from judge.core.seal import ZERO, canonical, name_contribution, record_hash
from judge.service import chance
from judge.service.keys import signer
from judge.service.position import position
from judge.service.sealing import fix, in_force
from judge.store import queries, unseal
from judge.store.tables import GameRow, RecordRow, SeatRow, TurnRow

_WHY: TypeAdapter[Why] = TypeAdapter(Why)


def add(session: Session, game_id: str, record: Record) -> RecordRow:
    """Appends an entry; whoever calls it is in the same commit as what the entry is about."""
    before = queries.last_record(session, game_id)
    body = record.model_dump(mode="json")
    row = RecordRow(
        game_id=game_id,
        number=1 if before is None else before.number + 1,
        kind=record.record,
        turn=getattr(record, "turn", None),
        version=getattr(record, "version", None),
        body=canonical(body).decode(),
        hash=record_hash(ZERO if before is None else bytes.fromhex(before.hash), body),
    )
    session.add(row)
    session.flush()
    return row


def add_created(session: Session, now: datetime, game: GameRow, joined: Joined | None = None) -> RecordRow:
    """The first entry: rules, options, and the anchors of the game's chance, before anybody has sat down."""
    record = Created(
        at=now,
        game=game.id,
        ruleset=game.ruleset,
        ruleset_version=game.ruleset_version,
        options=game.options,
        anchors=chance.begin_chain(session, game),
        keys=_signing_keys(session),
        joined=joined,
    )
    return add(session, game.id, record)


def add_started(
    session: Session, now: datetime, game: GameRow, seats: Sequence[SeatRow], used: Chance, view: View
) -> RecordRow:
    """Everybody is there: what their names contributed to the set-up, and the position that came of it."""
    record = Started(
        at=now,
        seats={row.seat: name_contribution(row.name).hex() for row in seats},
        chance=used,
        state=view.model_dump(mode="json"),
        anchors=chance.next_anchors(session, game),
    )
    return add(session, game.id, record)


def add_closed(session: Session, now: datetime, turn: TurnRow, why: Why) -> RecordRow:
    """The seals of the orders that count, published before anything is opened.  From now on they are fixed."""
    fixed = fix(session, position(session, turn.game_id, turn.number, turn.version))
    record = Closed(
        at=now,
        turn=turn.number,
        version=turn.version,
        opened=turn.opened,
        deadline=turn.deadline,
        why=why,
        seats={seat: one.entry for seat, one in fixed.items()},
        decisions=tuple(turn.decisions),
        void=tuple(turn.void),
        keys=_signing_keys(session, turn),
    )
    return add(session, turn.game_id, record)


def add_ended(session: Session, now: datetime, game_id: str, standings: tuple[tuple[str, int], ...]) -> RecordRow:
    """The last entry: what was still closed opens, of undone results too."""
    late = [
        LatePart(turn=turn.number, version=turn.version, seat=seat, part=one.sealed.parts["game"])
        for turn in queries.turns(session, game_id)
        if turn.status == "resolved"
        for seat, one in in_force(session, turn).items()
        if one.sealed is not None and "game" in one.sealed.parts
    ]
    hidden = chance.open_hidden(session, now, game_id)
    return add(session, game_id, Ended(at=now, hidden=hidden, sets=tuple(late), standings=standings))


def begin_for_older_games(session: Session, now: datetime) -> None:
    """Games that began before records were kept have one from now on."""
    for game in queries.games(session):
        if game.status == "over" or queries.chains(session, game.id):
            continue
        turn = queries.latest_turn(session, game.id)
        if turn is None:
            add_created(session, now, game)
        else:
            joined = Joined(turn=turn.number, version=turn.version, state=turn.public_state)
            add_created(session, now, game, joined)
            turn.chain, turn.link = chance.take_link(session, game.id)
            session.add(turn)
            if turn.status == "closed":
                add_closed(session, now, turn, _WHY.validate_python(turn.why))


def _signing_keys(session: Session, turn: TurnRow | None = None) -> tuple[str, ...]:
    """The thumbprints of the keys that sign receipts now, and of those that signed a receipt of the turn.

    These may have been retired while it was open, or be those of a judge that had the game meanwhile.
    """
    submissions = () if turn is None else queries.all_submissions(session, turn)
    receipts = [unseal(session, row.sealed_receipt).get("signed") for row in submissions]
    used = {signer(receipt) for receipt in receipts if receipt}
    return tuple(row.kid for row in queries.keys(session, "sig") if row.retired is None or row.kid in used)
