"""What a bank orders for a turn: the starting bid, auctions, the alternative step, buying, producing, selling, step 4.

Bids and openings are read by everybody once the turn is over; the programme of steps 3 and 4 stays closed until the
end of the game, since it tells what lies in a vault.  Action cards are in plays.py, lasting lines in standing.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from judge.core.orders import Ask, Notation, Order
from judge.core.text import Text
from rulesets.money_maker.names import amount_of, goods
from rulesets.money_maker.tables import TABLES, Card, Colour, Sector

MOST = TABLES.gold.total + TABLES.credit.max_issued
"""More than anybody can ever pay; what is allowed is less, and told with what it depends on."""

MOST_GOODS = TABLES.market.goods_per_colour
ALL = "all"
NOTHING = "nothing"
"""What `produce` may name instead of a card."""

_BID = "(bid|biete|i bid|ich biete)"
_OPEN = "(open|eröffne|auction|versteigere|i open|ich eröffne)"
_THE = "[the|die|den|das]"
_GOLD_PART = "[,] [(gold|in gold|gold at most|davon gold|gold höchstens) {gold}]"
_GOLD_AFTER = "[,] [(with|of which|mit|davon) {gold} [in] gold]"
_MAX = "[max|maximum|for|für|at most|up to|höchstens|maximal|bis|bis zu]"


def _with_gold(told: Text, gold: int | None) -> Text:
    if gold is None:
        return told
    return Text.of("{order}, at most {gold} of it in gold, the rest in own credit", order=told, gold=gold)


class StartBid(Order):
    """A sealed maximum for the privilege of the first turn (B25)."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "bid {most} [gold {gold}]", "de": "biete {most} [Gold {gold}]"},
        read=(f"{_BID} {_MAX} {{most}} [gold] {_GOLD_AFTER}", f"{_BID} {_MAX} {{most}} [gold] {_GOLD_PART}"),
        about=Text.of("Your maximum for the first turn. The winner pays one more than the second highest bid."),
    )
    title: ClassVar[Text] = Text.of("Starting bid")
    labels: ClassVar[Mapping[str, Text]] = {"most": Text.of("At most"), "gold": Text.of("Gold at most")}

    kind: Literal["start"] = "start"
    most: int = Field(ge=1, le=MOST, examples=[3])
    gold: int | None = Field(default=None, ge=0, le=TABLES.gold.total)

    def tell(self, ask: Ask) -> Text:
        return _with_gold(Text.of("Bid up to {most} for the first turn", most=self.most), self.gold)


class Open(Order):
    """Open the auction of a card: the opener counts as bidding the opening price (rulebook, "Step 2")."""

    notation: ClassVar[Notation] = Notation(
        write={
            "en": "open {card} max {most} [gold {gold}] [buy out {buyout}]",
            "de": "eröffne {card} höchstens {most} [Gold {gold}] [auskaufen {buyout}]",
        },
        read=(
            (f"{_OPEN} {_THE} {{card}}: [,] {_MAX} {{most}} [gold] {_GOLD_AFTER} [(buy out|auskaufen) {{buyout}}]"),
            f"{_OPEN} {_THE} {{card}}: [,] {_MAX} {{most}} [gold] {_GOLD_PART}",
        ),
        about=Text.of(
            "Open the auction of a card, with your maximum. Several are opened in the order in which they stand, until "
            "you win one."
        ),
    )
    title: ClassVar[Text] = Text.of("Open an auction")
    labels: ClassVar[Mapping[str, Text]] = {
        "card": Text.of("Card"),
        "most": Text.of("At most"),
        "gold": Text.of("Gold at most"),
        "buyout": Text.of("Buy out for at most"),
    }
    subject: ClassVar[tuple[str, ...]] = ("card",)

    kind: Literal["open"] = "open"
    card: Card
    most: int = Field(ge=1, le=MOST, examples=[12])
    gold: int | None = Field(default=None, ge=0, le=TABLES.gold.total)
    buyout: int | None = Field(default=None, ge=1, le=MOST)

    def tell(self, ask: Ask) -> Text:
        told = Text.of("Open {card}, up to {most}", card=ask.named(Open, "card", self.card), most=self.most)
        if self.buyout is not None:
            told = Text.of("{order}; buy it out for up to {most} in all", order=told, most=self.buyout)
        return _with_gold(told, self.gold)


class Bid(Order):
    """A sealed maximum for a card, should its auction be opened."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "bid {card} {most} [gold {gold}]", "de": "biete {card} {most} [Gold {gold}]"},
        read=(
            f"{_BID} [on|for|auf|für] {_THE} {{card}}: [,] {_MAX} {{most}} [gold] {_GOLD_AFTER}",
            f"{_BID} [on|for|auf|für] {_THE} {{card}}: [,] {_MAX} {{most}} [gold] {_GOLD_PART}",
            f"{_BID} [max|up to|höchstens|bis] {{most}} [gold] (for|on|für|auf) {_THE} {{card}} {_GOLD_PART}",
            f"{_BID} [max|up to|höchstens|bis] {{most}} [gold] (for|on|für|auf) {_THE} {{card}} {_GOLD_AFTER}",
        ),
        about=Text.of(
            "Your maximum for a card, should its auction be opened. The winner pays one more than the best rival."
        ),
    )
    title: ClassVar[Text] = Text.of("Bid")
    labels: ClassVar[Mapping[str, Text]] = {
        "card": Text.of("Card"),
        "most": Text.of("At most"),
        "gold": Text.of("Gold at most"),
    }
    subject: ClassVar[tuple[str, ...]] = ("card",)

    kind: Literal["bid"] = "bid"
    card: Card
    most: int = Field(ge=1, le=MOST, examples=[9])
    gold: int | None = Field(default=None, ge=0, le=TABLES.gold.total)

    def tell(self, ask: Ask) -> Text:
        told = Text.of("Bid up to {most} for {card}", card=ask.named(Bid, "card", self.card), most=self.most)
        return _with_gold(told, self.gold)


class PayOff(Order):
    """The alternative step: pay off all own credit on one housing block, instead of steps 2 and 3 (B15)."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "pay off {sector}", "de": "tilge {sector}"},
        read=(f"(pay off|tilge|zahle ab) {_THE} [block] {{sector}} [block]",),
        about=Text.of(
            "The alternative step: pay off all your credit on the block with this symbol, instead of steps 2 and 3."
        ),
    )
    title: ClassVar[Text] = Text.of("Pay off a block")
    labels: ClassVar[Mapping[str, Text]] = {"sector": Text.of("Block with")}

    kind: Literal["payoff"] = "payoff"
    sector: Sector

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Pay off the block with the {sector}, instead of steps 2 and 3",
            sector=ask.named(PayOff, "sector", self.sector),
        )


class Programme(Order):
    """A line of steps 3 and 4: closed until the end of the game."""

    opens: ClassVar[Literal["turn", "game"]] = "game"


class Produce(Programme):
    """Companies produce once a turn; all do, first of all, unless a line says otherwise."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "produce {card}", "de": "produziere {card}"},
        read=("produce|produziere [with|mit] {card}",),
        about=Text.of(
            "Which companies produce, and when: all, nothing, or a card by name. Left out, all produce first."
        ),
    )
    title: ClassVar[Text] = Text.of("Produce")
    labels: ClassVar[Mapping[str, Text]] = {"card": Text.of("Company")}
    subject: ClassVar[tuple[str, ...]] = ("card",)

    kind: Literal["produce"] = "produce"
    card: Card = Field(examples=[ALL])

    def tell(self, ask: Ask) -> Text:
        return Text.of("Produce: {card}", card=ask.named(Produce, "card", self.card))


class Trade(Programme):
    """A trading card changes its number of goods of one colour into the other (rulebook, "Producing Goods")."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "trade {card} into {into}", "de": "handle {card} in {into}"},
        read=("trade|handle|tausche [with|mit] {card} (into|to|in|zu|gegen|for) {into}",),
        about=Text.of("A trading card turns exactly the number of goods that it names into the other colour."),
    )
    title: ClassVar[Text] = Text.of("Trade with a card")
    labels: ClassVar[Mapping[str, Text]] = {"card": Text.of("Trading card"), "into": Text.of("Into")}
    subject: ClassVar[tuple[str, ...]] = ("card",)

    kind: Literal["trade"] = "trade"
    card: Card
    into: Colour

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Trade with {card} into {goods}", card=ask.named(Trade, "card", self.card), goods=goods(self.into)
        )


class Buy(Programme):
    """So many goods, each at most at that price (rulebook, "Buying Goods")."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "buy {count} {colour} [up to {price}]", "de": "kaufe {count} {colour} [bis {price}]"},
        read=(
            (
                "buy|kaufe {count} {colour} "
                "[(up to|at|at most|max|for|bis|bis zu|zu|höchstens|für) {price} [gold] [each|je]]"
            ),
        ),
        about=Text.of("Buy so many goods, each at this price or less. What the market lacks costs 9 from the Reserve."),
    )
    title: ClassVar[Text] = Text.of("Buy goods")
    labels: ClassVar[Mapping[str, Text]] = {
        "count": Text.of("Goods"),
        "colour": Text.of("Colour"),
        "price": Text.of("Each at most"),
    }

    kind: Literal["buy"] = "buy"
    count: int = Field(ge=1, le=8, examples=[2])
    colour: Colour
    price: int = Field(default=TABLES.setup.reserve_price, ge=1, le=TABLES.setup.reserve_price, examples=[3])

    def tell(self, ask: Ask) -> Text:
        return Text.of(
            "Buy {goods}, each for {price} or less", goods=amount_of(self.colour, self.count), price=self.price
        )


class Sell(Programme):
    """At most so many, keeping some, at a price or better on average (rulebook, "Selling Goods")."""

    notation: ClassVar[Notation] = Notation(
        write={
            "en": "sell [{count}] {colour} [keep {keep}] [at {price} or better]",
            "de": "verkaufe [{count}] {colour} [behalte {keep}] [zu {price} oder besser]",
        },
        read=(
            (
                "sell|verkaufe [all|alle|alles] {colour} [(keep|but keep|except|behalte|bis auf|außer) {keep}] "
                "[(at|for|from|zu|ab|für) {price} [gold] [or better|oder besser]]"
            ),
            (
                "sell|verkaufe [up to|at most|bis zu|höchstens] {count} {colour} [(keep|behalte) {keep}] "
                "[(at|for|from|zu|ab|für) {price} [gold] [or better|oder besser]]"
            ),
        ),
        about=Text.of(
            "Sell at most so many (without a number: all), keep some back, and take this price or better on average."
        ),
    )
    title: ClassVar[Text] = Text.of("Sell goods")
    labels: ClassVar[Mapping[str, Text]] = {
        "colour": Text.of("Colour"),
        "count": Text.of("At most"),
        "keep": Text.of("Keep"),
        "price": Text.of("On average at least"),
    }

    kind: Literal["sell"] = "sell"
    colour: Colour
    count: int | None = Field(default=None, ge=1, le=MOST_GOODS, examples=[3])
    keep: int | None = Field(default=None, ge=0, le=MOST_GOODS)
    price: int | None = Field(default=None, ge=1, le=8, examples=[2])

    def tell(self, ask: Ask) -> Text:
        told = Text.of("Sell all {goods}", goods=goods(self.colour))
        if self.count is not None:
            told = Text.of("Sell up to {goods}", goods=amount_of(self.colour, self.count))
        if self.keep:
            told = Text.of("{order}, but keep {keep}", order=told, keep=self.keep)
        if self.price is not None:
            told = Text.of("{order}, at {price} or better on average", order=told, price=self.price)
        return told


class BuyAction(Programme):
    """Step 4: an action card for 10 gold or credit."""

    notation: ClassVar[Notation] = Notation(
        write={"en": "buy action card", "de": "kaufe Aktionskarte"},
        read=("buy (an|one) action card", "kaufe eine Aktionskarte", "action card|Aktionskarte"),
        about=Text.of("Step 4: the top card of the action pile, for 10 gold or credit."),
    )
    title: ClassVar[Text] = Text.of("Buy an action card")

    kind: Literal["action"] = "action"

    def tell(self, ask: Ask) -> Text:
        return Text.of("Buy an action card")


STEP_THREE: tuple[type[Order], ...] = (Produce, Trade, Buy, Sell)
