"""Standing orders: the lines of a seat that carry over from turn to turn until they are changed.

They are kept beside the state, sealed, and checked anew whenever they are to count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlmodel import Session

from judge.core.order_json import dump_orders, load_orders
from judge.core.orders import Order, standing_after
from judge.service.position import Position
from judge.store import queries, seal, unseal
from judge.store.tables import StandingRow


def kept_lines(session: Session, where: Position) -> Mapping[str, list[Order]]:
    """By seat: the standing lines that can be given in this turn.

    A seat that never gave any, or whose lines do not hold any more, is left out, unless it may be silent; one that has
    none of the kinds asked now has an empty set.
    """
    kept: dict[str, list[Order]] = {seat: [] for seat, ask in where.asks.items() if ask.silent and ask.forced is None}
    for seat, row in queries.standing(session, where.game.id).items():
        ask = where.ask(seat)
        if ask is None or ask.forced is not None:
            continue
        lines = [order for order in _lines(session, where, row) if isinstance(order, ask.kinds)]
        if all(problem.warning for problem in where.check(seat, lines)):
            kept[seat] = lines
    return kept


def covered(session: Session, where: Position) -> set[str]:
    """The seats whose standing set counts as posted in this turn."""
    asks, fresh = where.asks, where.turn.fresh
    return {seat for seat in kept_lines(session, where) if asks[seat].standing and (asks[seat].optional or not fresh)}


def keep(session: Session, now: datetime, where: Position, seat: str, orders: Iterable[Order]) -> None:
    """Keeps the standing lines of a set that counted: a new line replaces that about the same thing, or ends others."""
    row = session.get(StandingRow, (where.game.id, seat))
    lines = standing_after([] if row is None else _lines(session, where, row), orders)
    if not lines:
        if row is not None:
            session.delete(row)
            session.flush()
        return
    sealed = seal(session, dump_orders(lines))
    if row is None:
        row = StandingRow(game_id=where.game.id, seat=seat, since=now, sealed_orders=sealed)
    row.since, row.sealed_orders = now, sealed
    session.add(row)
    session.flush()


def _lines(session: Session, where: Position, row: StandingRow) -> list[Order]:
    return load_orders(unseal(session, row.sealed_orders), where.ruleset.orders)
