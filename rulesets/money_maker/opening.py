"""Who starts the game: an auction of sealed maxima for the privilege (rulebook, "Who Starts the Game?"; B25)."""

from __future__ import annotations

from collections.abc import Iterator

from judge.core.dice import Dice
from judge.core.ruleset import Event
from rulesets.money_maker.events import StartAuctioned
from rulesets.money_maker.orders import StartBid
from rulesets.money_maker.paying import means, pay
from rulesets.money_maker.plans import last
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import SETUP


def auction_the_start(state: TableState, dice: Dice) -> Iterator[Event]:
    """The winner pays one above the second highest bid, at least 1 and at most his own; ties go by lot (pile `start`).

    If nobody bids, the lot alone decides, and nothing is paid.
    """
    lines = {seat: line for seat in state.seats if (line := last(state, seat, StartBid)) is not None}
    bids = {seat: min(line.most, means(state, seat)) for seat, line in lines.items()}
    highest = max(bids.values(), default=0)
    level = [seat for seat in state.seats if bids.get(seat, 0) == highest]
    winner = dice.lots(level, "start")[0] if len(level) > 1 else level[0]
    payment, price = None, 0
    if bids:
        second = max((bid for seat, bid in bids.items() if seat != winner), default=0)
        price = max(SETUP.start_bid_min, min(highest, second + 1))
        payment = pay(state, winner, price, lines[winner].gold)
    state.start = state.active = winner
    yield StartAuctioned(
        bids=bids, level=tuple(level) if len(level) > 1 else (), winner=winner, price=price, payment=payment
    )
