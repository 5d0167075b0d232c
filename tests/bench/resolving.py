"""Turns resolved and published in a second in a game of bots, against the rules alone."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from judge.core.dice import Dice
from judge.core.ruleset import complete_orders, resolve_turn
from judge.registry import ruleset
from tests.at_the_table import sit_down

MONTHS = 24


def turns_by_rules_alone() -> float:
    rules = ruleset("commodity-market")
    dice = Dice(b"bench")
    state = rules.setup(["1", "2", "3", "4"], rules.Options(months=MONTHS), dice)
    start, turns = time.perf_counter(), 0
    while asks := rules.asks(state):
        sets = {
            seat: rules.bot(rules.view(state, seat), seat, ask, dice)
            for seat, ask in asks.items()
            if ask.forced is None
        }
        orders, _, _ = complete_orders(rules, state, sets)
        state, _ = resolve_turn(rules, state, orders, dice)
        turns += 1
    return turns / (time.perf_counter() - start)


def turns_by_the_judge() -> float:
    with tempfile.TemporaryDirectory() as folder:
        table = sit_down(Path(folder))
        table.open(names=("bot",) * 4, options={"months": MONTHS})
        start = time.perf_counter()
        table.judge.clock.tick()
        taken = time.perf_counter() - start
        turns = table.turn().number - 1
        table.judge.close()
    return turns / taken


def main() -> None:
    ceiling = turns_by_rules_alone()
    print(f"rules and bots alone:     {ceiling:8.1f} turns a second")
    rate = turns_by_the_judge()
    print(f"stored and published:     {rate:8.1f} turns a second, ratio {rate / ceiling:.2f}")


if __name__ == "__main__":
    main()
