"""An honest opponent: collects what it holds most of, gets rid of the rest, and changes its mind when it is stuck.

It sees its own hand, the shouts and the scores.  Sizes of lots vary by chance, since equal habits never meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from judge.core.dice import Dice
from judge.core.orders import Ask, Order
from judge.core.ruleset import Seat
from rulesets.get_rich_quick.cards import GET_RICH_QUICK, PACK, TAXMAN, VALUES, Card
from rulesets.get_rich_quick.orders import Call, Hold, Offer, OfferWilds
from rulesets.get_rich_quick.state import TableView

PATIENCE = 6
"""Bells after which it thinks of collecting something else."""

HOLDING = 3
"""Bells in which it holds at most: later on somebody else is too near."""


def bot(view: TableView, seat: Seat, ask: Ask, dice: Dice) -> Sequence[Order]:
    """Up to three lots, and hold or call with ten cards; always legal."""
    if ask.forced is not None:
        return ask.forced
    hand = Counter(view.hand or ())
    wanted = choose(hand, view.bell, dice)
    orders: list[Order] = list(lots(hand, wanted, dice))
    if len(view.hand or ()) > PACK.cards_of_each:
        worth_it = view.bell <= HOLDING and hand[GET_RICH_QUICK] == 1
        if worth_it != bool(view.holding):
            orders.append(Hold() if worth_it else Call())
    return orders


def choose(hand: Counter[Card], bell: int, dice: Dice) -> Card:
    """What it collects: most cards first, the dearer of equal ones; with growing doubt the longer a round lasts."""
    doubt = min(3, bell // PATIENCE)

    def appeal(card: Card) -> tuple[int, int]:
        return hand[card] + (dice.roll(doubt + 1) - 1 if doubt else 0), VALUES[card]

    return max((card for card in VALUES if hand[card]), key=appeal)


def lots(hand: Counter[Card], wanted: Card, dice: Dice) -> list[Order]:
    """The largest groups of what it does not want, some of them in part; the Taxman rides in one."""
    groups = [(card, count) for card, count in hand.items() if card in VALUES and card != wanted]
    groups.sort(key=lambda group: (-group[1], dice.roll(1000)))
    chosen = groups[: PACK.lots]
    rider = dice.roll(len(chosen)) - 1 if chosen and hand[TAXMAN] else None
    offers: list[Order] = []
    for place, (card, count) in enumerate(chosen):
        some = count if dice.roll(3) > 1 else dice.roll(count)
        offers.append(Offer(count=some, commodity=card, wilds=TAXMAN if place == rider else None))
    if not chosen and hand[TAXMAN]:
        offers.append(OfferWilds(wilds=TAXMAN))
    return offers
