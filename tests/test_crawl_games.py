"""What players of Money Maker and Finans order by form shows nowhere but to themselves, open turn or resolved.

Their lines stay closed until the game ends, so a turn that has resolved opens nothing of them.  The addresses and the
readers are those of the crawl.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.language import LANGUAGES
from judge.web.app import create_app
from tests.at_the_table import fix_chance, sit_down
from tests.test_crawl import RANDOM, Scene, addresses, everything, seated
from tests.visitors import Visitor

CANARIES = {"1": "373", "2": "367", "3": "379"}
"""By seat: a number that stands in its orders and nowhere else; primes that no sum on the pages comes to."""

ONLOOKERS = ("anonymous", "host", "2")
"""Who has only one kind of secret to see, or none: what the crawl of the market shows of all others holds here, too."""

FIELDS = {
    "money-maker": ("borrow.0.credit", "borrow at {number} a gold"),
    "finans": ("buy-always.0.keep", "always buy car keep {number}"),
}


@pytest.fixture(params=FIELDS)
def scene(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """Everybody's orders are in by form, and nobody's turn has come yet."""
    fix_chance(monkeypatch, 6)
    table = sit_down(tmp_path)
    app = create_app(table.judge)
    table.open(("Anna", "Ben", "Cem"), ruleset=request.param, deadline={"rule": "hours", "hours": 24})
    readers = seated(app, table)
    path = f"/games/{table.game_id}/orders"
    field, _ = FIELDS[request.param]
    for seat, number in CANARIES.items():
        visitor = Visitor(app)
        visitor.client = readers[seat]
        more = {"buy-always.0.things": "car"} if request.param == "finans" else {}
        visitor.submit(path, {field: number, **more}, page=path, door="form")
    yield Scene(table, app, readers, 1, [])
    table.judge.close()


def leaks(reader: str, said: str) -> list[str]:
    text = RANDOM.sub("", said)
    others = {seat: number for seat, number in CANARIES.items() if seat != reader}
    return [f"{number} of seat {seat}" for seat, number in others.items() if re.search(rf"\b{number}\b", text)]


def test_nobody_else_sees_what_a_form_handed_in_before_or_after_its_turn(scene: Scene) -> None:
    game = scene.table.position().game
    line = FIELDS[game.ruleset][1]
    for seat, number in CANARIES.items():
        assert line.format(number=number) in scene.readers[seat].get(f"/games/{game.id}/orders").text
    crawl(scene)
    scene.table.look()
    assert scene.table.turn().number > 1
    for seat, number in CANARIES.items():
        shown = scene.readers[seat].get(f"/games/{game.id}/orders").text
        assert line.format(number=number) in shown, "what stands is shown to whoever said it"
    crawl(scene)


def crawl(scene: Scene) -> None:
    for number, reader in enumerate(ONLOOKERS):
        client = scene.readers[reader]
        client.headers["accept-language"] = LANGUAGES[number % len(LANGUAGES)]
        for path in addresses(scene):
            answer = client.get(path)
            assert answer.status_code != 500, path
            assert leaks(reader, everything(answer)) == [], f"{path} as {reader}"


def test_a_reader_is_told_apart_from_the_owner() -> None:
    """Else the crawl would find nothing because it cannot."""
    table_of_leaks = {reader: leaks(reader, "credit: 373, keep 367") for reader in ("1", "2", "host")}
    assert table_of_leaks == {
        "1": ["367 of seat 2"],
        "2": ["373 of seat 1"],
        "host": ["373 of seat 1", "367 of seat 2"],
    }
