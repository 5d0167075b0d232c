"""Takes the README's picture: the table of a game in its fifth month, as one of its players sees it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from judge.core.dice import Dice
from judge.core.notation import write
from tests.at_the_table import TestTable
from tests.conftest import QUIET_CHROMIUM
from tests.site import claim, fill, serving

WIDTH, HEIGHT = 1100, 2060
PLAYED = 8


def some_months(table: TestTable) -> None:
    """Four months as bots would play them; in the fifth, Ben and Dora have posted."""
    table.open(deadline={"rule": "daily", "at": "20:00"}, zone="Europe/Berlin", title="Friday round")
    for _ in range(PLAYED):
        for seat, orders in _bots_orders(table):
            table.order(seat, orders or "pass")
        table.look()
    for seat, orders in _bots_orders(table):
        if seat in ("2", "4"):
            table.order(seat, orders or "pass")


def _bots_orders(table: TestTable) -> list[tuple[str, str]]:
    where = table.position()
    return [
        (
            seat,
            ", ".join(
                write(order, ask, "en")
                for order in where.ruleset.bot(where.ruleset.view(where.state, seat), seat, ask, Dice(seat.encode()))
            ),
        )
        for seat, ask in where.asks.items()
        if ask.forced is None
    ]


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is needed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as table, sync_playwright() as playwright:
        some_months(table)
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET_CHROMIUM)
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB", timezone_id="Europe/Berlin"
        )
        claim(page, table, table.tokens["1"])
        page.goto(f"{table.judge.settings.address}/games/{table.game_id}")
        fill(page, X=(3, 44), F=(4, 30))
        page.screenshot(path=Path(__file__).parent / "table.png")
        browser.close()


if __name__ == "__main__":
    main()
