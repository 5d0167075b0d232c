"""How pages look to everybody: axe finds nothing, nothing scrolls sideways on a phone, and no page is heavy.

`GAMEJUDGE_SCREENSHOTS=folder` keeps a picture of every page in every look.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from judge.service.access import mint_link
from judge.store import queries
from tests.at_the_table import NAMES, TestTable
from tests.site import claim, fill, game, serving

NewPage = Callable[..., Page]
ANNA, BEN, CEM, DORA = "1", "2", "3", "4"
PHONE, DESKTOP = 360, 1280
LOOKS = [("light", PHONE, "de-DE"), ("dark", PHONE, "en-GB"), ("light", DESKTOP, "en-GB"), ("dark", DESKTOP, "de-DE")]
MOST_BYTES = 100_000


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestTable]:
    """A judge with a game in its third turn (opened last), one over, and one with free seats."""
    with serving(tmp_path_factory.mktemp("site")) as running:
        running.open(("Anna", "bot", ""), start=False, title="Seats free")
        running.open(("bot", "bot", "bot"), options={"months": 6}, title="Bots only")
        running.open(NAMES, deadline={"rule": "daily", "at": "20:00"}, zone="Europe/Berlin", title="Friday round")
        for orders in (
            ("X:3 at 42", "F:3 at 33", "F:4 at 34", "X:3 at 41"),
            ("A:1 at 150", "pass", "C:1 at 88", "A:1 at 99"),
        ):
            for seat, text in zip((ANNA, BEN, CEM, DORA), orders, strict=True):
                running.order(seat, text)
            running.look()
        running.post(BEN, "Good evening! *Exciting*, isn't it?\n\nX:2 at 41\n\n> said Cem")
        running.order(ANNA, "X:3 zu")
        running.order(ANNA, "X:3 at 39, F:2 at 30")
        yield running


PAGES = {
    "lobby": "/",
    "table": "GAME",
    "orders": "GAME/orders",
    "refused": "GAME/orders",
    "report": "GAME/turns/2",
    "thread": "GAME/thread",
    "desk": "GAME/moderate",
    "verify": "GAME/verify",
    "verify a game that is over": "OVER/verify",
    "fairness": "/fairness",
    "byte for byte": "/fairness/bytes",
    "new game": "/games/new",
    "rules": "/rules/commodity-market",
    "preferences": "/preferences",
    "for programs": "/api",
    "nothing there": "/games/nothing",
    "over": "OVER",
    "free seats": "FREE",
    "link": "/seat/TOKEN",
}


def address(table: TestTable, name: str) -> str:
    games = {row["title"]: row["id"] for row in _games(table)}
    path = PAGES[name].replace("GAME", f"/games/{table.game_id}").replace("OVER", f"/games/{games['Bots only']}")
    path = path.replace("FREE", f"/games/{games['Seats free']}").replace("TOKEN", table.tokens[DORA])
    return table.judge.settings.address + path


def _games(table: TestTable) -> list[dict[str, str]]:
    with table.judge.store.read() as session:
        return [{"title": row.title, "id": row.id} for row in queries.games(session)]


@pytest.mark.parametrize(("scheme", "width", "locale"), LOOKS, ids=str)
def test_every_page_is_good_for_everybody(
    table: TestTable, new_page: NewPage, scheme: str, width: int, locale: str
) -> None:
    links = {
        who: table.judge.store.write(lambda session, seat=seat: mint_link(session, table.clock(), table.game_id, seat))
        for who, seat in (("player", ANNA), ("host", None))
    }
    browsers: dict[str, Page] = {}
    for who, token in links.items():
        browsers[who] = new_page(width=width, colour_scheme=scheme, locale=locale, timezone_id="Europe/Berlin")
        claim(browsers[who], table, token)
    problems = []
    for name in PAGES:
        page = browsers["host" if name in ("desk", "new game") else "player"]
        page.goto(address(table, name))
        if name == "refused":
            fill(page, X=(99, 1), F=("two", 30))
            page.locator("button[value=form]").click()
        for summary in page.locator("summary").all():
            summary.click()
        _keep_picture(page, f"{name}-{scheme}-{width}-{locale[:2]}")
        for violation in Axe().run(page).response["violations"]:
            problems.append(f"{name}: {violation['id']}: {[node['html'] for node in violation['nodes']][:3]}")
        across = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if across > 0:
            problems.append(f"{name} scrolls sideways by {across} pixels")
        small = page.evaluate(SMALL_TARGETS)
        if small:
            problems.append(f"{name}: targets under 44 pixels: {small}")
    assert not problems, "\n".join(problems)


SMALL_TARGETS = """() => [...document.querySelectorAll(
    "button:not(.plain), .button, input:not([type=hidden], [type=checkbox], [type=radio]), select, .tabs a, summary"
  )].filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_heavy(table: TestTable, new_page: NewPage, name: str) -> None:
    page = new_page()
    received: list[int] = []
    page.on("response", lambda response: received.append(len(response.body())) if response.status < 300 else None)
    page.goto(address(table, name), wait_until="networkidle")
    assert sum(received) < MOST_BYTES


def test_pages_load_nothing_from_elsewhere_and_log_no_errors(table: TestTable, new_page: NewPage) -> None:
    page = new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    for name in PAGES:
        if name != "nothing there":
            page.goto(address(table, name))
    assert [url for url in asked if not url.startswith(table.judge.settings.address)] == []
    assert [text for text in said if "403" not in text] == []


def test_reports_print_without_menus_and_forms(table: TestTable, new_page: NewPage) -> None:
    page = new_page()
    page.goto(address(table, "report"))
    page.emulate_media(media="print")
    assert page.locator("article.report").is_visible()
    assert not page.locator("nav").first.is_visible()
    assert not page.locator("footer.bottom").is_visible()


def test_nothing_moves_while_a_page_loads(table: TestTable, new_page: NewPage) -> None:
    page = new_page(width=PHONE)
    claim(page, table, table.tokens[CEM])
    page.add_init_script(
        "window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => { shift += e.value; }))"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(game(table), wait_until="networkidle")
    assert page.evaluate("shift") < 0.02


def _keep_picture(page: Page, name: str) -> None:
    folder = os.environ.get("GAMEJUDGE_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name.replace(' ', '-')}.png", full_page=True)
