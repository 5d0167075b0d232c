"""What a reader may see: everything but the order of the piles."""

from __future__ import annotations

from judge.core.ruleset import Seat
from rulesets.finans.groups import complete_groups
from rulesets.finans.state import FinansState, FinansView


def view(state: FinansState, seat: Seat | None) -> FinansView:
    """The same for everybody."""
    return FinansView(
        round=state.round,
        phase="over" if state.over else "orders",
        order=state.order,
        players={seat: sheet.model_copy(deep=True) for seat, sheet in state.players.items()},
        properties={key: lot.model_copy() for key, lot in state.properties.items()},
        shares=dict(state.shares),
        face_up=state.face_up,
        loans_left=state.loans_left(),
        bonds_left=state.free_bonds(),
        groups=dict(complete_groups(state)),
        ending=state.ending,
        wealth=[dict(row) for row in state.wealth],
        options=state.options,
    )
