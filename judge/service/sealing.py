"""Seals of orders: what a receipt holds, what is fixed when a turn closes, and what opens when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter
from sqlmodel import Session

from judge.core.order_json import dump_orders, load_orders
from judge.core.orders import Ask, Order, kind_of
from judge.core.record import Entry, How, OpenedSet
from judge.core.seal import Opens, OrdersPlace, SealedSet, seal_set
from judge.service import standing
from judge.service.chance import hidden_secret
from judge.service.position import Position
from judge.store import queries, seal, unseal
from judge.store.tables import TurnRow


class InForce(BaseModel):
    """Where the orders of a seat come from when its turn closes; sealed unless they are forced or the default."""

    model_config = ConfigDict(frozen=True)

    how: How
    sealed: SealedSet | None = None

    @property
    def entry(self) -> Entry:
        return Entry(how=self.how, commitment=None if self.sealed is None else self.sealed.commitment)


_IN_FORCE = TypeAdapter(dict[str, InForce])


def parts_of(ask: Ask, orders: Iterable[Mapping[str, Any]]) -> dict[Opens, list[Mapping[str, Any]]]:
    """A set's lines by when they open.  A part without lines is there if the seat could have given some."""
    opens = {kind_of(kind): kind.opens for kind in ask.kinds}
    parts: dict[Opens, list[Mapping[str, Any]]] = {when: [] for when in sorted(set(opens.values()), reverse=True)}
    for order in orders:
        parts[opens[order["kind"]]].append(order)
    return parts


def opens_whole(ask: Ask) -> bool:
    """Whether all that a seat could give opens with its turn, so that nothing of its set stays closed."""
    return all(kind.opens == "turn" for kind in ask.kinds)


def sealed_set(session: Session, where: Position, seat: str, orders: Iterable[Order]) -> SealedSet:
    """A set of this turn under the seal of its game."""
    hidden = hidden_secret(session, where.game.id, where.turn.chain)
    place = OrdersPlace(game=where.game.id, turn=where.turn.number, version=where.turn.version, seat=seat)
    return seal_set(hidden, place, parts_of(where.asks[seat], dump_orders(orders)))


def fix(session: Session, where: Position) -> dict[str, InForce]:
    """Fixes, in the row of a turn that has just closed, whose orders count and where they come from.

    A seat that posted nothing plays its standing set, if it has one.
    """
    kept = {
        seat: lines for seat, lines in standing.kept_lines(session, where).items() if lines or where.asks[seat].standing
    }
    posted = queries.counting(session, where.turn)
    fixed: dict[str, InForce] = {}
    for seat, ask in where.asks.items():
        if ask.forced is not None:
            fixed[seat] = InForce(how="forced")
        elif seat in posted:
            orders = load_orders(unseal(session, posted[seat].sealed_orders), where.ruleset.orders)
            fixed[seat] = InForce(how="posted", sealed=sealed_set(session, where, seat, orders))
        elif seat in kept:
            fixed[seat] = InForce(how="standing", sealed=sealed_set(session, where, seat, kept[seat]))
        else:
            fixed[seat] = InForce(how="missed")
    where.turn.sealed_sets = seal(session, _IN_FORCE.dump_python(fixed, mode="json"))
    session.add(where.turn)
    session.flush()
    return fixed


def in_force(session: Session, turn: TurnRow) -> dict[str, InForce]:
    """What was fixed when the turn closed, by seat."""
    return {} if turn.sealed_sets is None else _IN_FORCE.validate_python(unseal(session, turn.sealed_sets))


def orders_of(where: Position, sealed: SealedSet) -> list[Order]:
    """The orders in a sealed set: first those that open with their turn."""
    lines = [order for part in _in_order(sealed).values() for order in part.orders]
    return load_orders(lines, where.ruleset.orders)


def opened(sealed: SealedSet) -> OpenedSet:
    """A set as it is public once its turn has resolved."""
    return OpenedSet(
        parts={opens: part for opens, part in sealed.parts.items() if opens == "turn"},
        closed={opens: part.commitment for opens, part in sealed.parts.items() if opens != "turn"},
    )


def contributions(seats: Sequence[str], fixed: Mapping[str, InForce]) -> list[str | None]:
    """What each seat adds to the turn's chance, in seat order."""
    return [fixed[seat].entry.commitment if seat in fixed else None for seat in seats]


def _in_order(sealed: SealedSet) -> dict[Opens, Any]:
    return dict(sorted(sealed.parts.items(), reverse=True))
