"""What is in the box: money, squares, groups, properties, shares and both piles of cards, as finans.toml has them.

Shares of one group and one nominal value are alike, so orders name them together ("Technics 75"); each has a key of its
own in positions.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FOLDER = Path(__file__).parent

BANK_EXIT, BRANCH, BUILDERS, JAIL, BANK_ENTRANCE, REPAY_LOAN, LAST_SQUARE = 1, 11, (17, 40), 24, 34, 43, 46
HEAD_OFFICE = range(35, 47)
CAR = "car"

Kind = Literal[
    "bank_exit",
    "property",
    "market_tip",
    "financial_news",
    "share_dividends",
    "branch",
    "construction",
    "jail",
    "bank_entrance",
    "banking_hall",
    "go_to_jail",
    "pay_dividends",
    "repay_loan",
    "bonds_small_draw",
    "bonds",
]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Money(_Row):
    """Every sum that is printed in the rules, in Crowns."""

    start: int
    car_price: int
    car_resale: int
    bonus_per_pip: int
    loan: int
    loan_interest: int
    bond_price: int
    win_cash: int
    win_groups: int
    loans_per_player: int
    loans_total: int
    redeem_percent: int
    player_dividend_percent: int
    denominations: tuple[int, ...]


class Meeting(_Row):
    """The bounds of a procurement fee, and the Bank's part of it."""

    fee_step: int
    fee_min: int
    fee_max: int
    fee_to_bank: int
    rounding: int


class Sweepstakes(_Row):
    big: tuple[int, int, int]
    small: tuple[int, int, int]
    bonds: int


class Jail(_Row):
    missed_turns: dict[int, int]
    go_on: tuple[int, ...]


class Group(_Row):
    key: str
    name: str
    german: str
    short: str
    german_short: str


class Property(_Row):
    key: str
    name: str
    german: str
    also: tuple[str, ...]
    group: str
    square: int
    price: int
    building: int
    rent_lot: int
    rent_built: int
    mortgage: int
    mortgage_built: int
    repurchase: int
    repurchase_built: int


class Share(_Row):
    key: str
    group: str
    nominal: int
    dividend: int
    repurchase: int

    @property
    def sort(self) -> str:
        """What orders call it: its group and its thousands."""
        return f"{self.group}-{self.nominal // 1000}"


class Square(_Row):
    n: int
    kind: Kind
    property: str | None = None


class News(_Row):
    """`effect` holds what the card does, in the words of finans.toml."""

    id: str
    until_further_notice: bool
    effect: Mapping[str, Any]


class Tip(_Row):
    id: str
    copies: int
    keep: bool
    effect: Mapping[str, Any]


class Box(_Row):
    money: Money
    board_meeting: Meeting
    sweepstakes: Sweepstakes
    jail: Jail
    group: Sequence[Group]
    property: Sequence[Property]
    share: Sequence[Share]
    square: Sequence[Square]
    news: Sequence[News] = Field(min_length=21, max_length=21)
    tip: Sequence[Tip]


_DATA = tomllib.loads((FOLDER / "finans.toml").read_text(encoding="utf-8"))
_DATA["jail"]["missed_turns"] = {int(face): turns for face, turns in _DATA["jail"]["missed_turns"].items()}
BOX = Box.model_validate(_DATA)

MONEY = BOX.money
GROUPS: Mapping[str, Group] = {group.key: group for group in BOX.group}
PROPERTIES: Mapping[str, Property] = {lot.key: lot for lot in BOX.property}
SHARES: Mapping[str, Share] = {share.key: share for share in BOX.share}
SHARE_SORTS: Mapping[str, tuple[Share, ...]] = {
    share.sort: tuple(other for other in BOX.share if other.sort == share.sort) for share in BOX.share
}
SQUARES: Mapping[int, Square] = {square.n: square for square in BOX.square}
NEWS: Mapping[str, News] = {card.id: card for card in BOX.news}
TIPS: Mapping[str, Tip] = {card.id: card for card in BOX.tip}


PAPERS: Mapping[str, tuple[str, ...]] = {
    group: (
        *(lot.key for lot in BOX.property if lot.group == group),
        *(share.key for share in BOX.share if share.group == group),
    )
    for group in GROUPS
}
"""All that belongs to a group: its properties, then its shares, in printed order."""


def tip_pile() -> list[str]:
    """All Market Tip cards."""
    return [card.id for card in BOX.tip for _ in range(card.copies)]
