"""Money Maker: banks of old Amsterdam finance companies with gold or credit, and hope that no run comes too early.

Auctions are sealed, a bank's turn is a programme that the judge carries out, and everybody orders at once.  The modules
follow the rulebook: opening, auction, markets, producing, cards, dice, alternative, run, rescue, window,
rating, prison, ending, scoring; paying and meter are used by all of them.
"""

from __future__ import annotations

from judge.core.ruleset import Ruleset
from judge.core.text import Currency, Text
from rulesets.money_maker.asking import asks, check
from rulesets.money_maker.board import show
from rulesets.money_maker.bot import bot
from rulesets.money_maker.figures import figures
from rulesets.money_maker.kinds import KINDS
from rulesets.money_maker.report import report
from rulesets.money_maker.scoring import standings
from rulesets.money_maker.state import TableOptions, TableState, setup
from rulesets.money_maker.tables import FOLDER, TABLES
from rulesets.money_maker.turns import default_orders, resolve
from rulesets.money_maker.view import TableView, view

ruleset: Ruleset[TableState, TableView, TableOptions] = Ruleset(
    name="money-maker",
    title=Text.of("Money Maker"),
    about=Text.of(
        "Finance companies with gold or on credit, sell their goods, and pay your debts before the citizens run to "
        "your bank. 3 to 6 players, sealed auctions and bank runs, one post a turn."
    ),
    version=1,
    seats=range(TABLES.meta["players_min"], TABLES.meta["players_max"] + 1),
    folder=FOLDER,
    State=TableState,
    View=TableView,
    Options=TableOptions,
    orders=KINDS,
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
    figures=figures,
    currency=Currency({"en": "{amount}\N{NO-BREAK SPACE}gold", "de": "{amount}\N{NO-BREAK SPACE}Gold"}),
)
