"""Finans: shares and properties, board meetings, and a million in cash with two complete company groups.

The modules follow the rulebook: movement, buying, building, rent, mortgage, loans, bonds, news, tips, dividends, jail,
bankruptcy, groups, meetings, winning.  `table` is a round while it is played, `turns` its course; `debts` raises cash,
`trades` is what some tips allow.
"""

from __future__ import annotations

from judge.core.ruleset import Ruleset
from judge.core.text import Currency, Text
from rulesets.finans.board import show
from rulesets.finans.bot import bot
from rulesets.finans.box import FOLDER
from rulesets.finans.policies import KINDS
from rulesets.finans.report import report
from rulesets.finans.state import FinansOptions, FinansState, FinansView, setup
from rulesets.finans.tally import figures
from rulesets.finans.turns import RUN_ON, asks, check, default_orders, resolve
from rulesets.finans.viewing import view
from rulesets.finans.winning import standings

ruleset: Ruleset[FinansState, FinansView, FinansOptions] = Ruleset(
    name="finans",
    title=Text.of("Finans"),
    about=Text.of(
        "Buy properties and shares, take company groups over, and be the first with a million in cash. Played round by "
        "round; standing orders do what you want when you are not there. 2 to 6 players."
    ),
    version=1,
    seats=range(2, 7),
    folder=FOLDER,
    State=FinansState,
    View=FinansView,
    Options=FinansOptions,
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
    run_on=RUN_ON,
    figures=figures,
    currency=Currency({"en": "{amount}\N{NO-BREAK SPACE}Cr", "de": "{amount}\N{NO-BREAK SPACE}Kr"}),
)
