"""Numbers and words that everybody sees of the judge's letters: they count nothing private and break no reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from judge.core.report import Report
from judge.core.text import Text
from judge.service import moderation, publishing
from judge.service.audit import audit_lines
from judge.service.position import find_game
from judge.service.rewinding import rewind
from judge.store import queries
from judge.store.tables import LetterRow
from judge.web.app import create_app
from tests.at_the_table import TestTable, sit_down
from tests.toy_ruleset import ruleset as lots
from tests.visitors import Program, Visitor

UNSEEN = "\x01\x08\x1b[2J\u202e\u2066\ufffe\uffff\x7f"


@pytest.fixture
def auction(tmp_path: Path) -> Iterator[TestTable]:
    """Lots between Anna and Ben; one of them has won the first and was told of a card."""
    table = sit_down(tmp_path, games=[lots])
    table.open(names=("Anna", "Ben"), ruleset="lots", title=f"Lots{UNSEEN} of Anna", options={"only_red": True})
    table.order("1", "bid 3")
    table.order("2", "bid 2")
    table.look()
    assert table.letters("told")
    yield table
    table.judge.close()


def public_letters(table: TestTable) -> Sequence[LetterRow]:
    with table.judge.store.read() as session:
        return queries.letters(session, table.game_id, publishing.THREAD)


def test_nobody_can_count_the_letters_to_seats_by_the_numbers_of_public_ones(auction: TestTable) -> None:
    """How many were told something of their own is theirs to know."""
    auction.do(moderation.pause, auction.game_id)
    app = create_app(auction.judge)
    letters = Program(app).call("GET", f"/games/{auction.game_id}/letters")
    assert [letter["id"] for letter in letters] == list(range(len(letters), 0, -1))
    feed = Visitor(app).client.get(f"/games/{auction.game_id}/feed.atom").text
    assert re.findall(r"#letter-(\d+)", feed) == [str(letter["id"]) for letter in letters]
    assert [letter.kind for letter in auction.letters(f"notice-{len(letters) - 1}")], "the pause is the only notice"


def test_the_metrics_count_no_letter_that_a_seat_was_sent(auction: TestTable) -> None:
    metrics = Visitor(create_app(auction.judge)).client.get("/metrics").text
    counted = re.findall(r"gamejudge_letters\{.*\} (\d+)", metrics)
    assert sum(map(int, counted)) == len(public_letters(auction))


def test_a_notice_is_never_lost_to_the_number_of_an_older_one(auction: TestTable) -> None:
    """An older judge counted all letters, so that a number that comes now may have been given before."""
    public = len(public_letters(auction))
    with auction.judge.store.read() as session:
        game = find_game(session, auction.game_id)
        session.expunge(game)
    kind = f"notice-{public + 1}"
    auction.do(publishing.write_letter, game, kind, Report(title=Text.of("An older notice"), blocks=()))
    auction.do(moderation.pause, auction.game_id)
    assert len(public_letters(auction)) == public + 2


def test_what_people_type_cannot_break_the_feed_or_turn_what_others_read(auction: TestTable) -> None:
    auction.do(rewind, auction.game_id, 1, f"Ben{UNSEEN}  was\0 misread.")
    app = create_app(auction.judge)
    for path in ("", "/thread", "/turns/1", "/moderate", "/verify", "/feed.atom", "/export.json"):
        answer = Visitor(app).client.get(f"/games/{auction.game_id}{path}")
        assert not set(answer.text) & (set(UNSEEN) - set("[2J")), path
        if path == "/feed.atom":
            assert len(ElementTree.fromstring(answer.content)) > 3
    with auction.judge.store.read() as session:
        assert any("Ben [2J was misread." in str(text.values) for _, text in audit_lines(session, auction.game_id))
