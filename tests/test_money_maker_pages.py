"""What people see of Money Maker: rules that can be played from, the board as pictures, reports that can be posted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import pytest
from fastapi import FastAPI

from judge.core.dice import ScriptedDice
from judge.core.notation import read
from judge.core.orders import Ask
from judge.core.picture import Box, Caption, Picture
from judge.core.report import Report
from judge.core.ruleset import Event, visible
from judge.core.text import Text
from judge.language import LANGUAGES, Voice
from judge.render import MarkupName, render
from rulesets.money_maker import ruleset
from rulesets.money_maker.city import PILL, city_picture
from rulesets.money_maker.run_events import DebtsCalled
from rulesets.money_maker.stalls import markets_picture
from rulesets.money_maker.state import TableState
from rulesets.money_maker.tables import ACTIONS, COMPANIES
from rulesets.money_maker.tally import run_table, tallied
from rulesets.money_maker.view import TableView, view
from tests.at_the_table import TestTable, fix_chance
from tests.games import Turn, played
from tests.money_maker_table import BLUE_10, GREEN_10, SHIP, WINDMILL, play, table
from tests.visitors import Visitor, words

MARKUPS: tuple[MarkupName, ...] = ("txt", "md", "bbcode", "html")
GOLD = 137
"""An amount that lies in a vault, and stands nowhere else."""

TITLE = Text.of("Turn")


def rules(language: str) -> str:
    name = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return (ruleset.folder / name).read_text(encoding="utf-8")


def post(after: TableState, events: Sequence[Event], markup: MarkupName = "txt", language: str = "en") -> str:
    """The report for everybody, as it is posted."""
    blocks = tuple(ruleset.report(view(after, None), visible(events, None)))
    return render(Report(title=TITLE, blocks=blocks), markup, Voice.of(ruleset, language))


@pytest.fixture(scope="module")
def game() -> list[Turn]:
    return played(ruleset, 3, "what people see", ruleset.Options(length="short"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_name_every_company_and_every_action_card(language: str) -> None:
    text = rules(language)
    for card in (*COMPANIES.values(), *ACTIONS.values()):
        assert (card.name if language == "en" else card.german) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_order_in_the_rules_is_read_as_it_stands_there(language: str) -> None:
    """T130: in its language, and no kind of order is left out."""
    text = rules(language).split("## Option")[0]
    shown = [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    shown += re.findall(r"`([^`]+)`", re.sub(r"```\n.*?```", "", text, flags=re.DOTALL))
    asks, kinds = list(positions()), set()
    for line in (" ".join(line.split()) for line in shown):
        if line.startswith("…") or line in ("keep", "behalte"):
            continue
        good = (reading for ask in asks if (reading := read(line, ask)).intent and reading.is_valid)
        reading = next(good, None)
        assert reading is not None, line
        kinds |= {type(order) for order in reading.orders}
    assert kinds == set(ruleset.orders)


def positions() -> Iterator[Ask]:
    """Anna's turn, for her and for Cem; a rescue window, before and after an offer; the starting auction."""
    anna = {"gold": 60, "actions": list(ACTIONS), "board": [5, 5], "rating": 2, "claims": {"Ben": 20, "Cem": 0}}
    for owned in (["Cloth Hall", "Rope Walk"], ["Cloth Hall", "Dye House"]):
        row = [card for card in ("Textile Producer", "Dye House", "Sail Loft") if card not in owned]
        turn = table(banks={"Anna": {**anna, "cards": owned}}, row=row, options={"opener_buyout": 2})
        yield from (ruleset.asks(turn)[seat] for seat in ("Anna", "Cem"))
    short = {"gold": 3, "board": [20], "cards": ["Sail Loft"], "goods": {"production": 0, "consumer": 2}}
    window, _ = play(table(meter=3, banks={"Anna": short, "Ben": {"gold": 40, "board": [20]}}), (SHIP, BLUE_10))
    yield ruleset.asks(window)["Anna"]
    window, _ = play(window, Ben="offer Anna: 3 gold for 10 credit")
    yield ruleset.asks(window)["Anna"]
    yield ruleset.asks(ruleset.setup(["Anna", "Ben", "Cem"], ruleset.Options(), ScriptedDice(bytes(32))))["Anna"]


def crowded() -> TableState:
    """Six banks on the two outer rings, with credit on every block of theirs."""
    seats = ["Anna", "Ben", "Cem", "Dora", "Emil", "Fritz"]
    boards = {
        seat: {"rating": 1 + number % 2, "board": [111] if number % 2 == 0 else [99, 8]}
        for number, seat in enumerate(seats)
    }
    return table(", ".join(seats), banks=boards)


def test_no_banks_credit_covers_anothers() -> None:
    pills = [shape for shape in city_picture(view(crowded(), None)).shapes if isinstance(shape, Box) and shape.says]
    assert len(pills) == 3 + 2 * 3
    for one, other in combinations(pills, 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert beside or abs(one.y - other.y) >= PILL


@pytest.mark.parametrize("draw", [city_picture, markets_picture])
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_words_of_a_picture_stand_on_its_sheet_and_can_be_read_on_a_phone(
    draw: Callable[[TableView], Picture], language: str
) -> None:
    """A fortieth of the width is nine pixels on the smallest phones."""
    picture = draw(view(crowded(), None))
    voice = Voice.of(ruleset, language)
    for caption in (shape for shape in picture.shapes if isinstance(shape, Caption)):
        said = voice.say(caption.text)[: caption.letters]
        wide = min(len(said) * 0.58 * caption.size, caption.room or picture.width)
        left = caption.x - {"start": 0, "middle": wide / 2, "end": wide}[caption.anchor]
        assert left >= 0, said
        assert left + wide <= picture.width, said
        assert caption.size >= picture.width / 43
        assert caption.size <= caption.y <= picture.height


def test_the_text_of_the_city_says_which_credit_lies_where() -> None:
    state = table(banks={"Anna": {"rating": 3, "board": [14, 0, 6]}, "Ben": {"board": [9]}, "Cem": {"rating": 0}})
    told = Voice.of(ruleset, "en").say(city_picture(view(state, None)).alt)
    assert (
        told == "Anna (III): 14 on windmill and ship and 6 on cheese and bridge; Ben (I): 9; Cem (prison): no credit."
    )


@pytest.mark.parametrize("markup", MARKUPS)
def test_what_lies_in_a_vault_is_drawn_and_told_to_its_owner_only(markup: MarkupName) -> None:
    """T131."""
    state = table(banks={"Anna": {"gold": GOLD, "actions": ["Kermis Fair"]}})
    for reader in (None, "Ben", "Anna"):
        blocks = tuple(ruleset.show(view(state, reader)))
        shown = render(Report(title=TITLE, blocks=blocks), markup, Voice.of(ruleset, "en"))
        shown = words(shown) if markup == "html" else shown
        assert (str(GOLD) in shown, "Kermis Fair" in shown) == (reader == "Anna", reader == "Anna")


def test_an_auction_is_told_with_all_bids_and_its_story_first() -> None:
    bids = {"Anna": "open Sail Loft max 9", "Ben": "bid Sail Loft 12", "Cem": "bid Sail Loft 8"}
    told = post(*play(table(row=["Sail Loft"]), (WINDMILL, GREEN_10), **bids))
    assert told.split("\n\n")[2] == "Ben takes Sail Loft for 10, from under the nose of Anna."
    auction = [
        "- Anna opens Sail Loft at 7; the market loses 5 production goods.",
        "- Bids: Ben 12, Anna 9 and Cem 8.",
        "- Ben wins it for 10 gold.",
    ]
    assert "\n".join(auction) in told
    assert told.index("Auctions\n--------") < told.index("Dice\n----") < told.index("The table\n---------")


def test_a_story_ends_with_who_looks_for_help() -> None:
    window, events = play(
        table(meter=3, banks={"Anna": {"gold": 40, "board": [20]}, "Ben": {"board": [18]}}), (SHIP, BLUE_10)
    )
    assert post(window, events).split("\n\n")[2].endswith("Anna rises to rating II. Ben is short and looks for help.")
    window, events = play(window, Ben="offer Anna: 9 credit for 3 gold")
    assert post(window, events).split("\n\n")[2] == "Ben is short and looks for help."


def test_the_numbers_of_a_run_add_up(game: list[Turn]) -> None:
    """Due = gold + others' credit + help + unpaid, for every bank in every run of a game."""
    rows = [
        row
        for turn in game
        if any(isinstance(event, DebtsCalled) for event in turn.events)
        for grid in run_table(turn.events)
        for row in grid.rows
    ]
    assert rows
    for _, due, gold, credit, helped, unpaid, _ in rows:
        assert due == gold + credit + helped + unpaid  # type: ignore[operator]  # cells of numbers
        assert unpaid >= 0  # type: ignore[operator]


def test_the_gold_that_moved_is_the_gold_in_the_vaults(game: list[Turn]) -> None:
    """What the report tallies from public events is what has changed in every vault; a bankrupt's is taken away."""
    for turn in game:
        tally = tallied(turn.events)
        assert isinstance(turn.before, TableState)
        assert isinstance(turn.after, TableState)
        for seat, bank in turn.after.banks.items():
            if not bank.bankrupt:
                assert tally.earned[seat] - tally.spent[seat] == bank.gold - turn.before.banks[seat].gold


@pytest.mark.parametrize("language", LANGUAGES)
def test_posts_are_short_and_narrow(game: list[Turn], language: str) -> None:
    """No table is wider than a forum's column, and nobody has to read hundreds of lines."""
    lengths = []
    for turn in game:
        assert isinstance(turn.after, TableState)
        told = post(turn.after, turn.events, "bbcode", language)
        tables = re.findall(r"\[code\]\n(.*?)\[/code\]", told, re.DOTALL)
        assert max(len(line) for grid in tables for line in grid.splitlines()) <= 80
        lengths.append(len(told.splitlines()))
    assert sorted(lengths)[len(lengths) // 2] < 85
    assert max(lengths) < 130


@pytest.fixture
def visitor(app: FastAPI, table: TestTable, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    fix_chance(monkeypatch, seed=3)
    table.open(("Anna", "Ben", "Cem"), ruleset="money-maker", deadline={"rule": "hours", "hours": 24})
    for seat in table.tokens:
        table.order(seat, "bid 2")
    table.look()
    return Visitor(app)


def test_the_table_page_shows_both_pictures_with_their_texts(visitor: Visitor, table: TestTable) -> None:
    page = visitor.get(f"/games/{table.game_id}")
    drawings = page.select("figure.picture svg[role=img]")
    assert [words(str(drawing.title)) for drawing in drawings] == ["Markets and bankrun-o-meter", "The city rings"]
    assert all(drawing.desc and words(str(drawing.desc)) for drawing in drawings)


def test_the_page_of_a_turn_tells_it_in_german(app: FastAPI, visitor: Visitor, table: TestTable) -> None:
    page = Visitor(app, language="de").get(f"/games/{table.game_id}/turns/1")
    told = words(str(page.select_one("article")))
    assert "Die Startauktion" in told
    assert "Die Stadtringe" in told
    assert not re.search(r"\b(the|and|of|bids|credit)\b", told)
