"""What a reader may see: everything but the order of the piles."""

from __future__ import annotations

from judge.core.ruleset import Seat
from rulesets.finans.groups import complete_groups
from rulesets.finans.state import FinansState, FinansView


def view(state: FinansState, seat: Seat | None) -> FinansView:
    """The same for everybody.  A position is never changed once it is there, so sheets and lots are shared with it."""
    return FinansView(
        round=state.round,
        phase="over" if state.over else "orders",
        order=state.order,
        players=state.players,
        properties=state.properties,
        shares=state.shares,
        face_up=state.face_up,
        loans_left=state.loans_left(),
        bonds_left=state.free_bonds(),
        groups=complete_groups(state),
        ending=state.ending,
        wealth=state.wealth,
        options=state.options,
    )
