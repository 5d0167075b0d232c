"""A turn's life: opened, waited for, closed, resolved.

The row is the lock.  Closing and resolving each move its status on in one UPDATE that only one of several can win, so
that a turn has one result however many judges look at it.  Closing fixes the orders and publishes their seals.  The
result and the next opening are one later commit.  A next turn in which nobody has to post closes as it opens and
resolves in a commit of its own; such a run of turns is told in one letter, when somebody is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, update

from judge.core.dice import Dice
from judge.core.notation import write
from judge.core.order_json import dump_orders
from judge.core.orders import Order
from judge.core.record import Resolved, Why
from judge.core.ruleset import JUDGE, AnyRuleset, Event, State, complete_orders, resolve_turn, visible
from judge.core.text import Text
from judge.service import chance, corrections, publishing, records, standing
from judge.service.audit import note
from judge.service.deadlines import RULES, deadline
from judge.service.position import Position, find_game, position
from judge.service.sealing import InForce, contributions, in_force, opened, opens_whole, orders_of
from judge.service.watching import seen_after_deadline, seen_since
from judge.store import queries, seal, wake
from judge.store.tables import GameRow, TurnRow

MOST_TURNS_IN_A_ROW = 100


class RunawayGame(Exception):
    """A game resolves turn after turn and never asks anybody: a fault of its rules."""


# Who is waited for


def awaited(session: Session, where: Position) -> list[str]:
    """The seats that must post: asked, and neither forced nor covered by a standing set."""
    covered = standing.covered(session, where)
    return [seat for seat, ask in where.asks.items() if ask.forced is None and seat not in covered]


def waiting_for(session: Session, where: Position) -> list[str]:
    """The awaited seats without a valid set."""
    posted = queries.counting(session, where.turn)
    return [seat for seat in awaited(session, where) if seat not in posted]


def note_completeness(session: Session, now: datetime, where: Position) -> None:
    """Keeps in the turn's row whether everybody has posted, and wakes the judge if so."""
    complete = not waiting_for(session, where)
    where.turn.complete = now if complete else None
    session.add(where.turn)
    if complete:
        wake(session, where.game.id)


# Opening


def open_turn(
    session: Session, now: datetime, game: GameRow, ruleset: AnyRuleset, state: State, number: int, fresh: bool = False
) -> Position:
    """Opens orders.  Seats that a bot plays are served by the clock after the commit."""
    link = chance.take_link(session, game.id)
    row = TurnRow(
        game_id=game.id,
        number=number,
        version=queries.newest_version(session, game.id, number) + 1,
        chain=link[0],
        link=link[1],
        status="open",
        opened=now,
        deadline=deadline(RULES.validate_python(game.deadline_rule), now, game.zone),
        fresh=fresh,
        public_state=ruleset.view(state, None).model_dump(mode="json"),
        sealed_state=seal(session, state.model_dump(mode="json")),
    )
    session.add(row)
    session.flush()
    where = Position(game, ruleset, row, state, queries.names(session, game.id))
    note_completeness(session, now, where)
    if any(seat.bot for seat in queries.seats(session, game.id)):
        wake(session, game.id)
    return where


def bots_to_play(session: Session, game_id: str) -> list[tuple[str, list[Order]]]:
    """The orders of the bots that have not posted yet.  Each sees only what its seat may see."""
    turn = queries.latest_turn(session, game_id)
    if turn is None or turn.status != "open" or find_game(session, game_id).status != "running":
        return []
    where = position(session, game_id)
    bots = {row.seat for row in queries.seats(session, game_id) if row.bot}
    played: list[tuple[str, list[Order]]] = []
    for seat in waiting_for(session, where):
        if seat in bots:
            dice = chance.bot_dice(session, where.turn, seat)
            view = where.ruleset.view(where.state, seat)
            played.append((seat, list(where.ruleset.bot(view, seat, where.asks[seat], dice))))
    return played


# Reminding


def reminder_due(session: Session, now: datetime, game_id: str, hours: Sequence[int]) -> int | None:
    """The reminder to send now, as hours before the deadline; None if there is none or it has been sent.

    A step that the turn was too short for is left out, and so is one that a later step has overtaken.
    """
    turn = queries.latest_turn(session, game_id)
    game = find_game(session, game_id)
    if turn is None or turn.status != "open" or turn.deadline is None or turn.complete or game.paused is not None:
        return None
    left, length = turn.deadline - now, turn.deadline - turn.opened
    reached = [step for step in hours if timedelta(0) < left <= timedelta(hours=step) < length]
    if not reached or queries.letter(
        session, publishing.letter_key(game_id, publishing.reminder_kind(min(reached)), turn=turn)
    ):
        return None
    return min(reached)


def remind(session: Session, now: datetime, game_id: str, hours: Sequence[int]) -> bool:
    """Reminds the people (bots need none) who have not posted; False if nobody is to be reminded."""
    step = reminder_due(session, now, game_id, hours)
    where = position(session, game_id)
    bots = {row.seat for row in queries.seats(session, game_id) if row.bot}
    people = [seat for seat in waiting_for(session, where) if seat not in bots]
    return step is not None and bool(people) and publishing.write_reminder(session, now, where, step, people)


# Closing


_CLOSED: Mapping[Why, Text] = {
    "complete": Text.of("Turn {number} was closed: everybody had posted."),
    "deadline": Text.of("Turn {number} was closed: its time was up."),
    "forced": Text.of("Turn {number} was closed: nobody had anything to decide."),
}


def due(session: Session, now: datetime, game_id: str) -> Why | None:
    """Why the open turn closes now; None if it does not."""
    game = find_game(session, game_id)
    turn = queries.latest_turn(session, game_id)
    if game.status != "running" or game.paused is not None or turn is None or turn.status != "open":
        return None
    closing = None if turn.complete is None else turn.complete + timedelta(minutes=game.cool_off_minutes)
    if closing is not None and now >= closing and seen_since(session, game, closing):
        return "complete"
    if turn.deadline is not None and now >= turn.deadline and seen_after_deadline(session, game, turn.deadline):
        return "deadline"
    return None


def close(session: Session, now: datetime, turn: TurnRow, why: Why) -> bool:
    """Closes the turn to orders; False if somebody else has.  Whether it was still due is looked at under the lock.

    The seals of the orders that count go into the record, and into the thread unless the turn ran on.
    """
    moved = session.exec(
        update(TurnRow)
        .where(
            col(TurnRow.game_id) == turn.game_id,
            col(TurnRow.number) == turn.number,
            col(TurnRow.version) == turn.version,
            col(TurnRow.status) == "open",
        )
        .values(status="closed", closed=now, why=why)
    )
    session.expire(turn)
    if moved.rowcount != 1:
        return False
    record = records.add_closed(session, now, turn, why)
    if why in _CLOSED:  # the host's own deed is told where it is done
        note(session, now, turn.game_id, _CLOSED[why].model_copy(update={"values": {"number": turn.number}}))
    if not turn.ran_on:
        publishing.write_closing(session, now, find_game(session, turn.game_id), turn, record)
    return True


def close_if_due(session: Session, now: datetime, game_id: str) -> bool:
    """Closes the open turn if it is complete or its deadline has passed."""
    why = due(session, now, game_id)
    turn = queries.latest_turn(session, game_id)
    return why is not None and turn is not None and close(session, now, turn, why)


# Resolving


def resolve(session: Session, now: datetime, game_id: str) -> bool:
    """Resolves the closed turn; False if there is nothing to resolve: somebody else was first.

    If nobody has to post in the next turn, that closes at once and is resolved by the next call.  The letter about all
    of them follows the last one.
    """
    where = position(session, game_id)
    if not _claim(session, now, where):
        return False
    if len(publishing.untold(session, where.turn)) > MOST_TURNS_IN_A_ROW:
        raise RunawayGame(f"{MOST_TURNS_IN_A_ROW} turns in a row")
    state = _resolve_one(session, now, where)
    wake(session, game_id)
    asks = where.ruleset.asks(state)
    if not asks:
        _end(session, now, where, state)
        publishing.write_results(session, now, where.turn, publishing.final_standings(where.ruleset.standings(state)))
        return True
    fresh = _unattended(session, where) and any(ask.forced is None for ask in asks.values())
    following = open_turn(session, now, where.game, where.ruleset, state, where.turn.number + 1, fresh)
    if waiting_for(session, following):
        publishing.write_results(session, now, where.turn, publishing.what_next(following))
        return True
    following.turn.ran_on = True
    only_forced = all(ask.forced is not None for ask in following.asks.values())
    close(session, now, following.turn, "forced" if only_forced else "complete")
    return True


def tell_results(session: Session, now: datetime, game_id: str) -> None:
    """Writes the letter about results that were to be told with later ones, when those will not come."""
    turn = queries.latest_turn(session, game_id)
    if turn is not None and turn.ran_on and turn.status == "closed":
        before = queries.result_before(session, game_id, turn.number)
        if before is not None:
            publishing.write_results(session, now, before, ())


def _unattended(session: Session, where: Position) -> bool:
    """Whether as many turns in a row as the rules allow have resolved without a person's post.

    What bots post does not count, and neither does a turn in which everybody was forced.
    """
    bots = {row.seat for row in queries.seats(session, where.game.id) if row.bot}
    unattended, turn = 0, queries.result_before(session, where.game.id, where.turn.number + 1)
    while turn is not None and unattended < where.ruleset.run_on:
        fixed = in_force(session, turn)
        if not fixed or any(one.how == "posted" and seat not in bots for seat, one in fixed.items()):
            return False
        unattended += any(one.how != "forced" for one in fixed.values())
        turn = queries.result_before(session, where.game.id, turn.number)
    return unattended >= where.ruleset.run_on


def _claim(session: Session, now: datetime, where: Position) -> bool:
    """Takes the closed turn for this resolver; one wins."""
    moved = session.exec(
        update(TurnRow)
        .where(
            col(TurnRow.game_id) == where.turn.game_id,
            col(TurnRow.number) == where.turn.number,
            col(TurnRow.version) == where.turn.version,
            col(TurnRow.status) == "closed",
        )
        .values(status="resolved", resolved=now)
    )
    session.expire(where.turn)
    return bool(moved.rowcount == 1)


def _resolve_one(session: Session, now: datetime, where: Position) -> State:
    """Opens the orders that were fixed at the close, runs the rules, and keeps what happened."""
    fixed = in_force(session, where.turn)
    handed_in = {seat: orders_of(where, one.sealed) for seat, one in fixed.items() if one.sealed is not None}
    for seat, one in fixed.items():
        if one.how == "posted":
            standing.keep(session, now, where, seat, handed_in[seat])
    full, forced, missed = complete_orders(where.ruleset, where.state, handed_in)
    if where.turn.decisions:
        full[JUDGE] = [Order(kind=words) for words in where.turn.decisions]
    seats = [row.seat for row in queries.seats(session, where.game.id)]
    dice = chance.turn_dice(session, where.turn, contributions(seats, fixed))
    state: State
    state, events = resolve_turn(where.ruleset, where.state, full, dice)
    turn = where.turn
    turn.forced = forced
    turn.missed = missed
    # of a seat whose orders may stay closed, nobody is told whether there are any
    turn.passed = [seat for seat, ask in where.asks.items() if handed_in.get(seat) == [] and opens_whole(ask)]
    turn.events = [_public(event) for event in visible(events, None)]
    readable = {
        seat: [order for order in orders if order.opens == "turn"] for seat, orders in full.items() if seat is not None
    }
    turn.opened_orders = {seat: dump_orders(orders) for seat, orders in readable.items()}
    turn.opened_lines = {
        seat: [write(order, where.asks[seat], where.game.language) for order in orders]
        for seat, orders in readable.items()
    }
    report = publishing.turn_report(where, state, None, visible(events, None))
    replaced = queries.result_replaced(session, turn.game_id, turn.number, turn.version)
    if replaced is not None:
        report = corrections.corrected(report, where, replaced)
    turn.report = report.model_dump(mode="json")
    private = {
        seat: publishing.turn_report(where, state, seat, visible(events, seat))
        for seat in {event.only for event in events if event.only is not None}
    }
    turn.sealed_private = seal(session, {seat: report.model_dump(mode="json") for seat, report in private.items()})
    session.add(turn)
    session.flush()
    _add_resolved(session, now, where, state, fixed, dice)
    note(session, now, turn.game_id, Text.of("Turn {number} was resolved, and its orders opened.", number=turn.number))
    return state


def _add_resolved(
    session: Session, now: datetime, where: Position, state: State, fixed: Mapping[str, InForce], dice: Dice
) -> None:
    """The record of a result: what opens with it, the link of its chance, what happened."""
    turn = where.turn
    record = Resolved(
        at=now,
        turn=turn.number,
        version=turn.version,
        sets={seat: opened(one.sealed) for seat, one in fixed.items() if one.sealed is not None},
        filled={seat: tuple(turn.opened_orders[seat]) for seat, one in fixed.items() if one.sealed is None},
        chance=chance.used(session, turn.game_id, (turn.chain, turn.link), dice),
        events=tuple(turn.events),
        state=where.ruleset.view(state, None).model_dump(mode="json"),
        anchors=chance.next_anchors(session, where.game),
    )
    records.add(session, turn.game_id, record)


def _public(event: Event) -> dict[str, object]:
    return {"event": type(event).__name__, **event.model_dump(mode="json", exclude={"only"})}


def _end(session: Session, now: datetime, where: Position, state: State) -> None:
    """The game is over: its last position is kept as a turn row that never opens, and its secrets open."""
    where.game.status = "over"
    where.game.ended = now
    session.add(where.game)
    number = where.turn.number + 1
    session.add(
        TurnRow(
            game_id=where.game.id,
            number=number,
            version=queries.newest_version(session, where.game.id, number) + 1,
            status="over",
            opened=now,
            public_state=where.ruleset.view(state, None).model_dump(mode="json"),
            sealed_state=seal(session, state.model_dump(mode="json")),
        )
    )
    session.flush()
    standings = tuple((seat, points) for seat, points in where.ruleset.standings(state))
    records.add_ended(session, now, where.game.id, standings)
    note(session, now, where.game.id, Text.of("The game is over, and all that was sealed in it opened."))


def set_aside(session: Session, now: datetime, game_id: str, alarm: str) -> None:
    """Stops a game whose rules failed, so that it cannot do harm and the other games go on."""
    game = find_game(session, game_id)
    game.status, game.alarm = "aside", alarm
    session.add(game)
    tell_results(session, now, game_id)
    text = Text.of(
        "This game has been set aside: something is wrong with it. "
        "Nothing is lost; the alarm stands on the host's page."
    )
    note(session, now, game_id, text)
    publishing.write_notice(session, now, game, text)
