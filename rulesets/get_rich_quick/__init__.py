"""Get Rich Quick: everybody shouts how many cards he wants to swap, and hopes for the right ones.

Shouting is a bell here: lots are sealed, opened together, and lots of equal size are swapped blind.  Who first holds
all nine cards of a commodity calls it.  The modules follow the rulebook: dealing, trading, sets, scoring.
"""

from __future__ import annotations

from judge.core.ruleset import Ruleset
from judge.core.text import Text
from rulesets.get_rich_quick.bot import bot
from rulesets.get_rich_quick.cards import FOLDER
from rulesets.get_rich_quick.floor import show
from rulesets.get_rich_quick.orders import KINDS
from rulesets.get_rich_quick.report import report
from rulesets.get_rich_quick.scoring import figures, standings
from rulesets.get_rich_quick.state import TableOptions, TableState, TableView, setup, view
from rulesets.get_rich_quick.turns import LAST_ROUND, asks, check, default_orders, resolve

ruleset: Ruleset[TableState, TableView, TableOptions] = Ruleset(
    name="get-rich-quick",
    title=Text.of("Get Rich Quick"),
    about=Text.of(
        "Swap cards blind until you hold all nine of a commodity, and do not be caught with the Taxman. "
        "Everybody trades at once in sealed bells. 3 to 8 players, quick and loud, a short post a bell."
    ),
    version=1,
    seats=range(3, 9),
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
    run_on=3,
    judge_orders=(LAST_ROUND,),
    figures=figures,
)
