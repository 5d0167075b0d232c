"""The law of Finans: every crown, paper, bond, loan and card is accounted for, as the events tell."""

from __future__ import annotations

from collections import Counter

from rulesets.finans.events import GameEnded
from rulesets.finans.state import FinansState
from tests.finans_books import DATA, LOTS, PAPERS, SHARES, Books
from tests.finans_ledger import Ledger
from tests.games import Turn

TIPS = Counter({row["id"]: row["copies"] for row in DATA["tip"]})
NEWS = Counter(row["id"] for row in DATA["news"])


def finans(turn: Turn) -> None:
    before, after = turn.before, turn.after
    assert isinstance(before, FinansState)
    assert isinstance(after, FinansState)
    assert_papers_are_there_once(after)
    books = Ledger.of(before)
    books.enter(turn.events)
    books.compare(Books.of(after))
    for event in turn.events:
        if isinstance(event, GameEnded):
            assert_the_winner_has_won(event, after, books)


def assert_papers_are_there_once(state: FinansState) -> None:
    """20 properties, 20 shares, 12 bonds, 6 loans, 21 news, 42 tips: each is in one place."""
    assert set(state.properties) == set(LOTS)
    assert set(state.shares) == set(SHARES)
    out = {seat for seat, sheet in state.players.items() if sheet.bankrupt}
    owners = [lot.owner for lot in state.properties.values()] + list(state.shares.values())
    assert not out & set(owners)
    for lot in state.properties.values():
        assert lot.owner is not None or not (lot.built or lot.mortgaged)
    bonds = [number for sheet in state.players.values() for number in sheet.bonds]
    assert len(set(bonds)) == len(bonds)
    assert set(bonds) <= set(range(1, 13))
    kept = [card for sheet in state.players.values() for card in sheet.tips]
    assert Counter([*state.tips, *kept]) == TIPS
    assert Counter([*state.news, *filter(None, [state.face_up])]) == NEWS
    for seat in out:
        sheet = state.players[seat]
        assert (sheet.cash, sheet.loans, sheet.car, sheet.bonds, sheet.tips) == (0, 0, False, [], [])


def assert_the_winner_has_won(event: GameEnded, state: FinansState, books: Books) -> None:
    """A million and two groups, nobody else left, or the most of all when time is up."""
    options, alive = state.options, [seat for seat in books.cash if seat not in books.bankrupt]
    match event.reason:
        case "million":
            (winner,) = event.winners
            shown = books.cash[winner] - 50_000 * books.loans[winner] * options.loans_count_against_win
            groups = [group for group in PAPERS if books.holder(group) == winner]
            assert shown >= options.win_cash
            assert len(groups) >= options.win_groups
        case "last player":
            assert alive == list(event.winners)
        case "time":
            riches = {seat: (books.wealth(seat), books.cash[seat]) for seat in alive}
            assert set(event.winners) == {seat for seat in alive if riches[seat] == max(riches.values())}
            assert all(event.wealth[seat] == riches[seat][0] for seat in alive)
