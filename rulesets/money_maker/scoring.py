"""The score sheet, line by line (rulebook, "Counting Scores & Determining the Winner")."""

from __future__ import annotations

from judge.core.ruleset import Seat
from rulesets.money_maker.markets import buying_price
from rulesets.money_maker.run_events import ScoreSheet
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import COMPANIES, score_of


def score_sheet(state: TableState, seat: Seat) -> ScoreSheet:
    """What a bank is worth now: cards at the buying price (B22), credit of bankrupt banks at nothing (B24)."""
    bank = state.banks[seat]
    if bank.bankrupt:
        return ScoreSheet(seat=seat, bankrupt=True)
    return ScoreSheet(
        seat=seat,
        gold=bank.gold,
        goods=sum(bank.goods.values()),
        cards=sum(COMPANIES[card].ask_n * buying_price(state.markets[COMPANIES[card].ask]) for card in bank.cards),
        claims=sum(n for issuer, n in bank.claims.items() if not state.banks[issuer].bankrupt),
        rating=score_of(bank.rating),
        on_board=bank.debt + (state.run.due.get(seat, 0) if state.run is not None else 0),
        to_others=state.held_by_others(seat),
    )


def in_sight(state: TableState) -> dict[Seat, int]:
    """What everybody can see of each bank's richness: all of the score sheet but the gold and goods in its vault."""
    sheets = {seat: score_sheet(state, seat) for seat in state.seats}
    return {seat: sheet.total - sheet.gold - sheet.goods for seat, sheet in sheets.items()}


def standings(state: TableState) -> list[tuple[Seat, int]]:
    """Richness, the most first; equal ones by gold, then by rating (B28).

    Whoever is bankrupt is out of the game and ranks behind every other bank: one point below the poorest, or at 0.
    """
    sheets = {seat: score_sheet(state, seat).total for seat in state.alive}
    lowest = min(0, min(sheets.values(), default=1) - 1)
    points = {seat: sheets.get(seat, lowest) for seat in state.seats}

    def rank(seat: Seat) -> tuple[bool, int, int, int]:
        bank = state.banks[seat]
        return (bank.bankrupt, -points[seat], -bank.gold, -bank.rating)

    return [(seat, points[seat]) for seat in sorted(state.seats, key=rank)]


def winners(state: TableState) -> list[Seat]:
    """The richest; equal in points, gold and rating, they share the victory.  Nobody, if all are bankrupt."""
    ranked = [(seat, points) for seat, points in standings(state) if not state.banks[seat].bankrupt]
    if not ranked:
        return []

    def key(seat: Seat, points: int) -> tuple[int, int, int]:
        return points, state.banks[seat].gold, state.banks[seat].rating

    return [seat for seat, points in ranked if key(seat, points) == key(*ranked[0])]
