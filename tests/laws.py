"""The law of each game: what can neither appear nor vanish in a turn.

A law looks at one turn and raises if it is broken.  Every installed ruleset has one here; it is written from the
rulebook and the events, not from the ruleset's own sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise

from rulesets.commodity_market import events as market
from rulesets.commodity_market.state import MarketState
from rulesets.get_rich_quick import events as trade
from rulesets.get_rich_quick.state import TableState
from rulesets.money_maker import state as bank_state
from tests import money_maker_credit, money_maker_ledger
from tests import toy_ruleset as lots
from tests.finans_law import finans
from tests.games import Turn


def commodity_market(turn: Turn) -> None:
    """Money moves between a player and the Broker, certificates are bought, used or sold: as the events say."""
    before, after = turn.before, turn.after
    assert isinstance(before, MarketState)
    assert isinstance(after, MarketState)
    moved = [event for event in turn.events if isinstance(event, market.PriceMoved)]
    assert [event.good for event in moved] == (["X", "F", "S"] if before.phase == "buy" else ["A", "B", "C"])
    for event in moved:
        change = event.units - 10 if before.phase == "buy" else 11 - 2 * event.units
        assert (event.before, event.price) == (before.prices[event.good], max(1, event.before + change))
        assert after.prices[event.good] == event.price
    for seat, sheet in before.players.items():
        cash, stock, debt = sheet.cash, dict(sheet.stock), sheet.debt
        for event in turn.events:
            match event:
                case market.PlayerEvent() if event.seat != seat:
                    pass
                case market.Bought() | market.PartlyBought():
                    cash -= event.units * event.price
                    stock[event.good] += event.units
                case market.LoanTaken():
                    assert event.amount % 100 == 0
                    cash += event.amount
                    debt += event.amount
                case market.Sold() | market.PartlySold():
                    cash += event.units * event.price
                case market.CertificatesUsed() | market.CertificatesSold():
                    for lot in event.certificates:
                        stock[lot.good] -= lot.units
                    if isinstance(event, market.CertificatesSold):
                        cash += event.amount
                case market.LoansRepaid():
                    cash -= event.amount
                    debt -= event.debt
        sold = sum(
            event.units
            for event in turn.events
            if isinstance(event, market.Sold | market.PartlySold) and event.seat == seat
        )
        used = sum(
            lot.units
            for event in turn.events
            if isinstance(event, market.CertificatesUsed) and event.seat == seat
            for lot in event.certificates
        )
        assert used == 3 * sold
        assert after.players[seat].model_dump() == {"cash": cash, "stock": stock, "debt": debt}
        assert all(units >= 0 for units in stock.values())
        assert cash >= 0 or after.phase == "over"


def lots_law(turn: Turn) -> None:
    """What leaves the purses becomes points; each card is in one hand or in the deck."""
    before, after = turn.before, turn.after
    assert isinstance(before, lots.LotsState)
    assert isinstance(after, lots.LotsState)
    held = [sorted([card for hand in state.cards.values() for card in hand] + state.deck) for state in (before, after)]
    wealth = [sum(state.purses.values()) + sum(state.points.values()) for state in (before, after)]
    assert all(one == other for row in (held, wealth) for one, other in pairwise(row))


def get_rich_quick(turn: Turn) -> None:
    """Every card is in one hand; hands change by published swaps only; scores change by calls and fines only."""
    before, after = turn.before, turn.after
    assert isinstance(before, TableState)
    assert isinstance(after, TableState)
    players = len(before.scores)
    for state in (before, after):
        cards = Counter(card for hand in state.hands.values() for card in hand)
        assert cards["Taxman"] == cards["Get Rich Quick"] == 1
        assert sorted(cards.values()) == [1, 1, *[9] * players]
        assert sorted(map(len, state.hands.values())) == [*[9] * (players - 2), 10, 10]
    hands = {seat: Counter(hand) for seat, hand in before.hands.items()}
    sizes: list[tuple[str, int]] = []
    for event in turn.events:
        match event:
            case trade.LotSwapped():
                assert len(event.gave) == len(event.got)
                assert Counter(event.gave) <= hands[event.only or ""]
                hands[event.only or ""] += Counter(event.got)
                hands[event.only or ""] -= Counter(event.gave)
                sizes.append((event.only or "", len(event.gave)))
            case trade.HandChanged():
                assert Counter(event.after) == hands[event.only or ""]
            case trade.HandDealt():
                hands[event.only or ""] = Counter(event.hand)
    assert {seat: Counter(hand) for seat, hand in after.hands.items()} == hands
    public = [(seat, swap.cards) for swap in turn.events if isinstance(swap, trade.Swapped) for seat in swap.seats]
    assert public == sizes
    scores = dict(before.scores)
    for event in turn.events:
        match event:
            case trade.RoundWon():
                scores[event.seat] += event.points
            case trade.Fined():
                assert event.points == 25
                scores[event.seat] -= event.points
    assert after.scores == scores


def money_maker(turn: Turn) -> None:
    """Gold, goods, cards and credit are all somewhere; gold and credit change hands as the events say."""
    for state in (turn.before, turn.after):
        assert isinstance(state, bank_state.TableState)
        bank_conservation(state)
    before, after = turn.before, turn.after
    assert isinstance(before, bank_state.TableState)
    assert isinstance(after, bank_state.TableState)
    counted = money_maker_ledger.counted(before, turn.events)
    assert {seat: bank.gold for seat, bank in after.banks.items()} == counted.gold
    assert {seat: dict(bank.goods) for seat, bank in after.banks.items()} == counted.goods
    assert {seat: sorted(bank.cards) for seat, bank in after.banks.items()} == counted.cards
    money_maker_credit.counted(before, turn.events).holds(after)


def bank_conservation(state: bank_state.TableState) -> None:
    """The pieces of the box, counted."""
    banks = state.banks.values()
    assert state.reserve >= 0
    assert state.reserve + sum(bank.gold for bank in banks) == 410
    for colour, goods in state.markets.items():
        held = sum(bank.goods[colour] for bank in banks)
        assert sum(goods.slots) + goods.reserve + held + state.removed_goods[colour] == 72
        assert all(0 <= count <= 3 for count in goods.slots)
        assert goods.reserve >= 0
    cards = [card for bank in banks for card in bank.cards] + state.row + state.pile + state.removed["cards"]
    assert len(cards) == len(set(cards)) == 36
    actions = [card for bank in banks for card in bank.actions] + state.action_pile + state.action_discard
    assert len(actions) + len(state.removed["actions"]) == 22
    for seat, bank in state.banks.items():
        out = sum(bank.board) + sum(other.claims.get(seat, 0) for other in banks)
        out += state.run.due[seat] if state.run is not None and seat in state.run.due else 0
        assert 0 <= out <= 380
        assert min([0, bank.gold, *bank.board, *bank.claims.values(), *bank.goods.values()]) == 0


LAWS: Mapping[str, Callable[[Turn], None]] = {
    "commodity-market": commodity_market,
    "finans": finans,
    "get-rich-quick": get_rich_quick,
    "lots": lots_law,
    "money-maker": money_maker,
}
