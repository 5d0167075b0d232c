"""Personal links: shown once, claimed once, stored as hashes."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.service import access
from judge.service.refusal import Refusal
from tests.at_the_table import TestTable


def test_a_link_is_claimed_once(table: TestTable) -> None:
    table.open()
    who = table.do(access.claim_link, table.tokens["1"], "annas-browser")
    assert (who.seat, who.host) == ("1", False)
    with pytest.raises(Refusal, match="used already"):
        table.do(access.claim_link, table.tokens["1"], "bens-browser")


def test_a_browser_that_plays_one_seat_does_not_use_up_another_seats_link(table: TestTable) -> None:
    table.open()
    table.do(access.claim_link, table.tokens["1"], "browser")
    with pytest.raises(Refusal, match="already plays"):
        table.do(access.claim_link, table.tokens["2"], "browser")
    assert table.do(access.claim_link, table.tokens["2"], "another").seat == "2"


def test_a_host_may_play_in_the_same_browser(table: TestTable) -> None:
    table.open()
    assert table.opened is not None
    table.do(access.claim_link, table.opened.host_token, "browser")
    who = table.do(access.claim_link, table.tokens["1"], "browser")
    assert (who.seat, who.host) == ("1", True)


def test_tokens_are_not_in_the_database(table: TestTable, tmp_path: Path) -> None:
    table.open()
    table.do(access.claim_link, table.tokens["1"], "the-token-of-annas-browser")
    table.judge.store.close()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir() if "db" in path.name)
    assert table.tokens["2"].encode() not in content
    assert b"the-token-of-annas-browser" not in content


def test_a_token_that_nobody_made_is_unknown(table: TestTable) -> None:
    table.open()
    with pytest.raises(Refusal, match="not known"):
        table.do(access.claim_link, "guess", "browser")
