"""What is printed, and what the house adds: setup, markets, rings, dice, investment cards, action cards.

The numbers are in money_maker.toml, each row with its tag (printed, found or house); here they get their shape.
A card, guild or sector is known by its English name in positions, orders and piles.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FOLDER = Path(__file__).parent

Colour = Literal["production", "consumer"]
"""A kind of goods and its market: red goods are for production, green ones for consumers."""

COLOURS: tuple[Colour, ...] = ("production", "consumer")

Tint = Literal["red", "green", "blue"]
"""A side of the credit die: production market, consumer market, bankrun-o-meter."""

Sector = Literal["windmill", "ship", "church", "fish", "cheese", "bridge"]
"""A face of the sector dice, and the symbol on the housing blocks that it hits."""

Card = str
"""The name of an investment card or of an action card."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Tagged(_Row):
    tag: Literal["printed", "found", "house"]
    printed: tuple[str, ...] = ()
    """Fields of a house row that the rulebook does state."""


class Setup(_Row):
    gold_each: int
    open_cards: int
    open_cards_max: int
    start_bid_min: int
    ring: int
    action_price: int
    action_per_turn: int
    buy_limit_per_market: int
    reserve_price: int
    saturated_price: int
    guild_bonus: int
    guild_bonus_from: int
    meter_when_five_open: int
    meter_per_degraded: int
    end_cards: int
    end_bank_runs: Mapping[str, int]
    second_sector_die_from_run: int


class Gold(_Row):
    pieces: tuple[tuple[int, int], ...]
    total: int


class Credit(_Row):
    pieces_per_colour: int
    colours: tuple[str, ...]
    values: tuple[tuple[int, int], ...]
    max_issued: int


class Slot(_Row):
    """So many places for goods at one price."""

    price: int
    n: int


class MarketRow(_Row):
    slots: tuple[Slot, ...]
    goods_per_colour: int
    buy_from: str
    sell_to: str
    price_now: str
    sale_price_now: str


class BankRunRow(_Row):
    chips: int
    circle: tuple[str, ...]
    steps_by_players: Mapping[int, int]


class CreditFace(_Row):
    colour: Tint
    n: int


class DiceRow(_Row):
    sector_faces: tuple[Sector, ...]
    credit_faces: tuple[CreditFace, ...]
    count_if: str


class Ring(_Tagged):
    """A city ring: the sectors that each of its housing blocks carries, what promotion to it takes, what it scores."""

    n: int
    numeral: str
    blocks: tuple[tuple[Sector, ...], ...]
    need: int
    score: int

    def block_of(self, sector: Sector) -> int:
        """The block that carries a sector: exactly one of each ring does."""
        return next(place for place, sectors in enumerate(self.blocks) if sector in sectors)


class Guild(_Tagged):
    key: str
    name: str
    german: str


class Investment(_Tagged):
    """A company: the goods it asks for as an investment, and what it gives each turn."""

    id: str
    name: Card
    german: str
    guild: str
    ask: Colour
    ask_n: int
    mode: Literal["produce", "trade"]
    out: Colour | Literal["either"]
    out_n: int


class Action(_Tagged):
    """A kind of action card; `amount` is the number that its effect names, if it names one."""

    id: str
    name: Card
    german: str
    copies: int
    when: Literal["own_turn", "any_time", "after_dice", "after_bids", "bank_run", "never"]
    effect: Mapping[str, Any]
    words: str

    @property
    def amount(self) -> int:
        return int(self.effect.get("n") or self.effect.get("max") or self.effect.get("steps") or 0)


class Tables(_Row):
    meta: Mapping[str, Any]
    setup: Setup
    gold: Gold
    credit: Credit
    pieces: Mapping[str, int]
    market: MarketRow
    bank_run: BankRunRow
    dice: DiceRow
    options: Mapping[str, Any]
    ring: tuple[Ring, ...]
    guild: tuple[Guild, ...]
    investment: tuple[Investment, ...]
    action: tuple[Action, ...] = Field(min_length=1)


TABLES = Tables.model_validate(tomllib.loads((FOLDER / "money_maker.toml").read_text(encoding="utf-8")))

SETUP = TABLES.setup
CIRCLE = TABLES.bank_run.circle
SECTORS: tuple[Sector, ...] = TABLES.dice.sector_faces
COMPANIES: Mapping[Card, Investment] = {card.name: card for card in TABLES.investment}
ACTIONS: Mapping[Card, Action] = {card.name: card for card in TABLES.action if card.when != "never"}
"""The action cards in play: the Blank Cheques are taken out before the game."""

ACTION: Mapping[str, Action] = {card.id: card for card in ACTIONS.values()}

PRISON = 0
"""The rating of a bank in the Debtors' Prison; its credit lies on city ring I."""

RATINGS = ("I", "II", "III", "IV", "V", "VI")


def ring_of(rating: int) -> Ring:
    """The city ring on which a bank's credit lies: in prison it is ring I."""
    return TABLES.ring[max(rating, SETUP.ring) - 1]


def score_of(rating: int) -> int:
    """The number on the coin of a rating; prison is worth nothing (B17)."""
    return 0 if rating == PRISON else ring_of(rating).score


def cards_in_play() -> list[Card]:
    return list(COMPANIES)


def actions_in_play() -> list[Card]:
    return [name for name, card in ACTIONS.items() for _ in range(card.copies)]
