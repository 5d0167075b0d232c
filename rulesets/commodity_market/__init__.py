"""Commodity market: buy raw materials, make goods of them, sell them, and guess what all the others are doing.

Every month prices move by what everybody orders and offers together.  Who bids too little gets nothing; who bids too
much pays what he said.  The modules follow the rulebook: buying, production, selling, ending, with the market between.
"""

from __future__ import annotations

from judge.core.ruleset import Ruleset
from judge.core.text import Text
from rulesets.commodity_market.board import show
from rulesets.commodity_market.bot import bot
from rulesets.commodity_market.ending import standings
from rulesets.commodity_market.orders import Bid, Offer
from rulesets.commodity_market.report import report
from rulesets.commodity_market.state import MarketOptions, MarketState, MarketView, setup, view
from rulesets.commodity_market.tables import FOLDER, TABLES
from rulesets.commodity_market.turns import asks, check, default_orders, resolve

ruleset: Ruleset[MarketState, MarketView, MarketOptions] = Ruleset(
    name="commodity-market",
    title=Text.of("Commodity market"),
    about=Text.of(
        "Buy raw materials, make goods of them, sell them at a profit. Everybody orders in secret, and what all of you "
        "order together makes the prices. 2 to 6 players, no luck, two short posts a month."
    ),
    version=1,
    seats=range(min(TABLES.seating), max(TABLES.seating) + 1),
    folder=FOLDER,
    State=MarketState,
    View=MarketView,
    Options=MarketOptions,
    orders=(Bid, Offer),
    setup=setup,
    asks=asks,
    check=check,
    resolve=resolve,
    view=view,
    show=show,
    report=report,
    standings=standings,
    default_orders=default_orders,
    bot=bot,
)
