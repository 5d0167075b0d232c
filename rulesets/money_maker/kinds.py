"""All kinds of orders of the game, and one type for a line of any of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from judge.core.orders import Order
from rulesets.money_maker.exchanges import DEALS, Accept, Done, Offer
from rulesets.money_maker.orders import Bid, Buy, BuyAction, Open, PayOff, Produce, Sell, StartBid, Trade
from rulesets.money_maker.plays import (
    OWN_TURN,
    TRIGGERS,
    Keep,
    PlayAudit,
    PlayCalm,
    PlayClearing,
    PlayFire,
    PlayFleet,
    PlayGrace,
    PlayLedger,
    PlayNight,
    PlayRaise,
    PlayReroll,
    PlayRumour,
    PlayShopping,
    PlayWind,
)
from rulesets.money_maker.standing import STANDING, Borrow, Lend, Pay, PayDebts, Place, Promote

Line = Annotated[
    StartBid
    | Open
    | Bid
    | PayOff
    | Produce
    | Trade
    | Buy
    | Sell
    | BuyAction
    | PlayFire
    | PlayFleet
    | PlayNight
    | PlayLedger
    | PlayClearing
    | PlayShopping
    | PlayAudit
    | PlayRumour
    | PlayCalm
    | PlayReroll
    | PlayWind
    | PlayRaise
    | PlayGrace
    | Keep
    | Pay
    | PayDebts
    | Place
    | Promote
    | Lend
    | Borrow
    | Offer
    | Accept
    | Done,
    Field(discriminator="kind"),
]

OWN_STEPS: tuple[type[Order], ...] = (Open, PayOff, *OWN_TURN, Produce, Buy, Trade, Sell, BuyAction)
"""What only the bank whose turn it is may order, in the order in which a form's lines are carried out."""

ROUND_STEPS: tuple[type[Order], ...] = (Open, Bid, *OWN_STEPS[1:])
"""The same with bids for the cards of all other turns: what every bank may order with `fast`."""

WAITING: tuple[type[Order], ...] = (*TRIGGERS, Keep)
KINDS: tuple[type[Order], ...] = (StartBid, *ROUND_STEPS, *WAITING, *STANDING, *DEALS, Done)
