"""Taking turns back: a mistake is put right in public, and nothing is erased.

The results that are taken back stay, marked; what was seen through them stays marked as seen.  The turn opens again in
a new version, with the position and the standing orders that it had, and with the next link of the chain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlmodel import Session

from judge.core.order_json import dump_orders
from judge.core.orders import Order, standing_after
from judge.core.record import Ended, Rewound, Seen
from judge.core.text import Listing, Player, Text
from judge.service import chance, publishing, records, turns
from judge.service.audit import done, note
from judge.service.intake import Source, hand_in
from judge.service.position import Position, demand_here, find_game, position
from judge.service.refusal import Refusal
from judge.service.sealing import in_force, orders_of
from judge.service.table import one_line
from judge.store import queries, seal, unseal, wake
from judge.store.tables import GameRow, StandingRow, TurnRow

LONGEST_REASON = 500


def rewind(
    session: Session,
    now: datetime,
    game_id: str,
    number: int,
    why: str,
    reopen: Sequence[str] = (),
    request: str | None = None,
) -> int:
    """Takes back turn `number` and all later ones, and opens it again; returns its new version.

    `reopen` names the seats that order anew; the orders of the others count as they were, so that nobody profits from
    what he has seen.  If it is empty, everybody orders anew.  The same `request` asked again is carried out once.
    """
    game = find_game(session, game_id)
    if done(session, request):
        return queries.newest_version(session, game_id, number)
    demand_here(game)
    target = _target(session, game, number)
    reason = one_line(why)
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise Refusal(
            "invalid",
            Text.of("Say in 1 to {most} characters why: everybody will read it.", most=LONGEST_REASON),
            field="why",
        )
    turns.tell_results(session, now, game_id)
    before = position(session, game_id, target.number, target.version)
    _demand_asked(before, reopen)
    anchors = chance.begin_chain(session, game) if _secrets_are_open(session, game) else None
    undone = [turn for turn in queries.turns(session, game_id) if turn.undone is None and turn.number >= number]
    void = {seat for turn in undone for seat in turn.void}
    for turn in undone:
        _undo(session, now, turn)
    _restore_standing(session, now, before, void)
    game.status, game.ended, game.alarm = "running", None, None
    session.add(game)

    where = turns.open_turn(session, now, game, before.ruleset, before.state, number, fresh=True)
    kept = _kept_sets(session, before, reopen, void)
    for seat, orders in kept.items():
        hand_in(session, now, game_id, seat, Source("kept"), dump_orders(orders))
    where.turn.kept, where.turn.void = list(kept), sorted(void)
    session.add(where.turn)
    record = Rewound(
        at=now,
        turn=number,
        version=where.turn.version,
        why=reason,
        undone=tuple(_seen(session, turn) for turn in undone if turn.status == "resolved"),
        kept=tuple(kept),
        anchors=anchors,
    )
    row = records.add(session, game_id, record)
    publishing.write_rewound(session, now, where, record, row)
    text = Text.of(
        "The host took back turn {number} and what followed: {why} It is open again, in version {version}.",
        number=number,
        why=reason,
        version=where.turn.version,
    )
    note(session, now, game_id, text, request)
    for seen in record.undone:
        note(session, now, game_id, publishing.seen_by(seen))
    wake(session, game_id)
    return where.turn.version


def _target(session: Session, game: GameRow, number: int) -> TurnRow:
    """The result that is to be taken back."""
    turn = queries.turn(session, game.id, number)
    if game.status == "open" or turn is None or turn.status == "over":
        raise Refusal("unknown", Text.of("This game has no turn {number}.", number=number), field="number")
    if turn.undone is not None or turn.status != "resolved":
        raise Refusal(
            "conflict",
            Text.of("Turn {number} has no result that counts, so there is nothing to take back.", number=number),
            field="number",
        )
    if turn.chain == 0:
        raise Refusal(
            "conflict",
            Text.of("Turn {number} is older than the record of this game: it cannot be taken back.", number=number),
            field="number",
        )
    return turn


def _demand_asked(before: Position, reopen: Sequence[str]) -> None:
    asked = [seat for seat, ask in before.asks.items() if ask.forced is None]
    for seat in reopen:
        if seat not in asked:
            raise Refusal(
                "invalid",
                Text.of(
                    "Seat {seat} has nothing to decide in turn {number}; asked are: {asked}.",
                    seat=seat,
                    number=before.turn.number,
                    asked=Listing([Player(other) for other in asked]),
                ),
                field="reopen",
            )


def _secrets_are_open(session: Session, game: GameRow) -> bool:
    """Whether the game had ended, so that its hidden secrets are known.  If something was hidden, that is too late."""
    if game.status != "over":
        return False
    last = queries.last_record(session, game.id)
    ended = None if last is None or last.kind != "ended" else Ended.model_validate_json(last.body)
    if (ended is not None and ended.sets) or any(chain.drawn for chain in queries.chains(session, game.id)):
        raise Refusal(
            "conflict",
            Text.of("This game is over, and everything that was hidden in it has been opened: it cannot go on."),
        )
    return True


def _undo(session: Session, now: datetime, turn: TurnRow) -> None:
    """Marks a turn as taken back; one that has not resolved leaves its link to the next."""
    turn.undone = now
    if turn.status in ("open", "closed"):
        turn.status = "dropped"
        chance.give_back_link(session, turn)
    session.add(turn)
    session.flush()


def _restore_standing(session: Session, now: datetime, before: Position, void: set[str]) -> None:
    """The standing orders that there were when the turn was opened first, but for seats that have changed hands."""
    kept: dict[str, list[Order]] = {}
    for turn in queries.turns(session, before.game.id):
        if turn.undone is not None or turn.status != "resolved" or turn.number >= before.turn.number:
            continue
        for seat in turn.void:
            kept.pop(seat, None)
        where = position(session, turn.game_id, turn.number, turn.version)
        for seat, one in in_force(session, turn).items():
            if one.how == "posted" and one.sealed is not None:
                kept[seat] = standing_after(kept.get(seat, ()), orders_of(where, one.sealed))
    for row in queries.standing(session, before.game.id).values():
        session.delete(row)
    session.flush()
    for seat, lines in kept.items():
        if lines and seat not in void:
            sealed = seal(session, dump_orders(lines))
            session.add(StandingRow(game_id=before.game.id, seat=seat, since=now, sealed_orders=sealed))
    session.flush()


def _kept_sets(
    session: Session, before: Position, reopen: Sequence[str], void: set[str]
) -> Mapping[str, Sequence[Order]]:
    """The sets of the undone turn that count again: those of seats that are not to order anew."""
    if not reopen:
        return {}
    return {
        seat: orders_of(before, one.sealed)
        for seat, one in in_force(session, before.turn).items()
        if one.sealed is not None and seat not in reopen and seat not in void
    }


def _seen(session: Session, turn: TurnRow) -> Seen:
    """What became known through a result that was taken back."""
    told = {} if turn.sealed_private is None else unseal(session, turn.sealed_private)
    return Seen(
        turn=turn.number,
        version=turn.version,
        opened=tuple(seat for seat, one in in_force(session, turn).items() if one.sealed is not None),
        told=tuple(sorted(told)),
    )
