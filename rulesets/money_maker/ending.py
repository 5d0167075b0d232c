"""The seven ways in which the game ends (rulebook, "End of the Game")."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.ruleset import Event
from rulesets.money_maker.run_events import GameEnded, Reason
from rulesets.money_maker.scoring import in_sight, score_sheet, standings, winners
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import SETUP


def end_after_run(state: TableState) -> Iterator[Event]:
    """At once: the third, fourth or fifth run is over, or one bank or none is left (B16, B23)."""
    if not state.alive:
        yield from _end(state, "all bankrupt")
    elif len(state.alive) == 1:
        yield from _end(state, "one left")
    elif state.runs >= state.run_limit:
        yield from _end(state, "runs")


def end_of_turn(state: TableState) -> Iterator[Event]:
    """At the end of a turn: ten cards in one vault, or no investment card left in pile and row (B8, B23)."""
    if any(len(bank.cards) >= SETUP.end_cards for bank in state.banks.values()):
        yield from _end(state, "ten cards")
    elif not state.pile and not state.row:
        yield from _end(state, "no cards")


def _end(state: TableState, reason: Reason) -> Iterator[Event]:
    state.phase, state.agenda, state.offers = "over", [], []
    state.ending = reason
    state.winners = winners(state)
    note_worth(state)
    yield from (score_sheet(state, seat) for seat in state.seats)
    yield GameEnded(reason=reason, runs=state.runs, winners=tuple(state.winners), points=dict(standings(state)))


def note_worth(state: TableState) -> None:
    """What each bank is worth at the end of a turn: a secret until the game is over, but for what everybody can see."""
    state.worth.append({seat: score_sheet(state, seat).total for seat in state.seats})
    state.in_sight.append(in_sight(state))
