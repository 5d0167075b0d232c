"""Ending the game: unused certificates go back to the Broker, loans are repaid, and the most profit wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.core.ruleset import Event, Seat
from rulesets.commodity_market.events import CertificatesSold, GameEnded, LoansRepaid, lots
from rulesets.commodity_market.state import MarketState, MarketView, TallySheet
from rulesets.commodity_market.tables import GRADES, TABLES, Letter


def end_month(state: MarketState) -> Iterator[Event]:
    """The next month opens with its buying; after the last one everything is settled (rulebook, "Ending the game")."""
    if state.month < state.options.months:
        state.month += 1
        state.phase = "buy"
        return
    for seat in state.players:
        yield from settle(state, seat)
    state.phase = "over"
    yield GameEnded(profits=profits(state))


def settle(state: MarketState, seat: Seat) -> Iterator[Event]:
    """Certificates at the final month's market price, then the loans; cash may end below zero."""
    sheet = state.players[seat]
    value, repayment = certificates_value(sheet, state.prices), repaid(sheet.debt)
    if any(sheet.stock.values()):
        yield CertificatesSold(seat=seat, certificates=lots(sheet.stock, state.names), amount=value)
    if sheet.debt:
        yield LoansRepaid(seat=seat, debt=sheet.debt, amount=repayment)
    sheet.cash += value - repayment
    sheet.stock = dict.fromkeys(GRADES, 0)
    sheet.debt = 0


def certificates_value(sheet: TallySheet, prices: Mapping[Letter, int]) -> int:
    return sum(units * prices[grade] for grade, units in sheet.stock.items())


def repaid(debt: int) -> int:
    """What the Broker collects at the end for loans of so much."""
    return debt * TABLES.loan.repaid // TABLES.loan.step


def profits(state: MarketState | MarketView) -> dict[Seat, int]:
    """What everybody has made since the start, as if the game ended now."""
    return {
        seat: sheet.cash + certificates_value(sheet, state.prices) - repaid(sheet.debt) - state.start_cash
        for seat, sheet in state.players.items()
    }


def standings(state: MarketState) -> Sequence[tuple[Seat, int]]:
    """Profits, the highest first; equal ones in the order of the seats."""
    return sorted(profits(state).items(), key=lambda entry: -entry[1])
