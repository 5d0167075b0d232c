"""Balance sheets: what each player has, as the Bank would pay for it, and what he owes.

Papers count at their repurchase values, a mortgaged property at what its redemption would leave of it, the car at its
resale; bonds count nothing.  It is the wealth by which a timed game is won (A27).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from judge.core.ruleset import Seat
from judge.core.text import Listing, Player, Text
from rulesets.finans.box import MONEY, SHARES
from rulesets.finans.mortgage import redemption, repurchase_value
from rulesets.finans.names import PROPERTY_TITLES, TIP_TITLES, several, share_title
from rulesets.finans.state import FinansView, Position

MOST_LISTED = 15
"""So many things of the Bank are named one by one; more of them are what nobody owns."""


@dataclass(frozen=True)
class Balance:
    """Amounts that add up to `worth`; `loans` is what is owed, not below 0."""

    cash: int
    properties: int
    shares: int
    car: int
    loans: int

    @property
    def worth(self) -> int:
        return self.cash + self.properties + self.shares + self.car - self.loans


def balance(state: Position, seat: Seat) -> Balance:
    sheet = state.players[seat]
    return Balance(
        cash=sheet.cash,
        properties=sum(lot_value(state, key) for key, lot in state.properties.items() if lot.owner == seat),
        shares=sum(SHARES[key].repurchase for key, owner in state.shares.items() if owner == seat),
        car=MONEY.car_resale * sheet.car,
        loans=MONEY.loan * sheet.loans,
    )


def wealth(state: Position, seat: Seat) -> int:
    """What a player is worth in all."""
    return balance(state, seat).worth


def lot_value(state: Position, key: str) -> int:
    """What a property would bring, its mortgage redeemed first."""
    owed = redemption(state, key) if state.properties[key].mortgaged else 0
    return max(0, repurchase_value(state, key) - owed)


def holdings(view: FinansView) -> Iterator[Text]:
    """A sentence for each player who has anything but cash, and one for what the Bank still sells."""
    nobody = True
    for seat, sheet in view.players.items():
        held = [*_lots(view, seat), *_shares(view, seat)]
        if sheet.car:
            held.append(Text.of("a car"))
        if sheet.bonds:
            numbers = Listing([str(number) for number in sheet.bonds])
            held.append(Text.n("bond {numbers}", "bonds {numbers}", len(sheet.bonds), numbers=numbers))
        for card, count in Counter(sheet.tips).items():
            held.append(several(count, TIP_TITLES[card]))
        if held:
            nobody = False
            yield Text.of("{who}: {things}.", who=Player(seat), things=Listing(held))
    left = [*_lots(view, None), *_shares(view, None)]
    if nobody:
        yield Text.of("Everything is still for sale at the Bank.")
    elif len(left) > MOST_LISTED:
        yield Text.of("Everything else is still for sale at the Bank.")
    elif left:
        yield Text.of("The Bank still sells {things}.", things=Listing(left))


def _lots(view: FinansView, owner: Seat | None) -> Iterator[Text]:
    """Properties, with what stands on them."""
    for key, lot in view.properties.items():
        if lot.owner != owner:
            continue
        name = PROPERTY_TITLES[key]
        if lot.built and lot.mortgaged:
            yield Text.of("{name} (built on, mortgaged)", name=name)
        elif lot.built:
            yield Text.of("{name} (built on)", name=name)
        elif lot.mortgaged:
            yield Text.of("{name} (mortgaged)", name=name)
        else:
            yield name


def _shares(view: FinansView, owner: Seat | None) -> Iterator[Text]:
    """Shares, those that are alike together."""
    for sort, count in Counter(SHARES[key].sort for key, holder in view.shares.items() if holder == owner).items():
        yield several(count, share_title(sort))
