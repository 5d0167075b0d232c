"""Turns that were taken back: every version is verified, and so is what was to count again."""

from __future__ import annotations

from functools import cache

import pytest

from judge.service import moderation
from tests import forging
from tests.forging import Forgery, bid, check, exported, paint, place, play_market, rewound, told


@cache
def market_with_rewinds() -> bytes:
    """Turn 2 is taken back twice, once with three sets kept; then the game ends, is taken back, and ends again."""
    with forging.at_a_table() as table:
        table.open(options={"months": 1})
        play_market(table)
        play_market(table)
        rewound(table, 2)
        play_market(table)
        rewound(table, 1, "1")
        table.order("1", "X:1 at 60")
        table.look()
        play_market(table)
        return exported(table)


@cache
def auction_with_rewinds() -> bytes:
    """Standing orders change in turns that are taken back; Anna's place goes to somebody else in one of them."""
    with forging.at_a_table() as table:
        forging.auction(table, "open-lots", rounds=2)
        bid(table, "always 2", "bid 1")
        paint(table)
        bid(table, "always 1", "always 3")
        rewound(table, 3)
        bid(table, None, "bid 4")
        rewound(table, 3, "1")
        bid(table, "bid 1", None)
        paint(table)
        return exported(table)


@pytest.mark.parametrize("data", [market_with_rewinds, auction_with_rewinds])
def test_all_versions_hold_and_are_played(data: object) -> None:
    """T039: the undone results are verified as well as those that count."""
    assert callable(data)
    verdict = check(data())
    assert verdict.ok, told(verdict)
    results = [record for record in Forgery(data()).records if record["record"] == "resolved"]
    assert verdict.counts.turns == len(results)
    assert max(record["version"] for record in results) == 3


def test_a_game_that_was_over_goes_on_with_a_new_chain() -> None:
    chains = [record["chance"]["chain"] for record in Forgery(market_with_rewinds()).records if "chance" in record]
    assert set(chains) >= {1, 2}


def test_a_rewound_game_that_runs_holds() -> None:
    with forging.at_a_table() as table:
        table.open(options={"months": 2})
        for _turn in range(3):
            play_market(table)
        rewound(table, 2, "1", "2")
        data = exported(table)
    verdict = check(data)
    assert verdict.ok, told(verdict)
    assert Forgery(data).content["open"]["version"] == 2


def test_a_seat_that_changed_hands_in_an_undone_turn_keeps_nothing() -> None:
    with forging.at_a_table() as table:
        forging.auction(table, "open-lots", rounds=2)
        bid(table, "always 2", "bid 1")
        paint(table)
        bid(table, "bid 3", "bid 1")
        table.do(moderation.replace_player, table.game_id, "1", "Cem")
        rewound(table, 3, "2")
        bid(table, None, "bid 2")
        paint(table)
        data = exported(table)
    verdict = check(data)
    assert verdict.ok, told(verdict)
    assert Forgery(data).find("closed", 3, 2)["seats"]["1"]["how"] == "missed"


def test_kept_orders_cannot_be_exchanged() -> None:
    forged = Forgery(market_with_rewinds())
    kept = next(record for record in forged.records if record["record"] == "rewound" and record["kept"])
    seat, turn, version = kept["kept"][0], kept["turn"], kept["version"]
    line = forged.find("resolved", turn, version)["sets"][seat]["parts"]["turn"]["lines"][0]
    line["order"]["price"] += 1
    assert not check(forged.written()).ok
    forged = Forgery(market_with_rewinds())
    del forged.find("closed", turn, version)["seats"][seat]
    verdict = check(forged.written())
    assert "were to count again" in told(verdict)
    assert place(verdict) == (turn, seat, None)


def test_kept_orders_cannot_be_exchanged_by_the_judge_with_new_seals() -> None:
    """Even with a hidden secret that nobody knows yet, what counted before is public."""
    with forging.at_a_table() as table:
        table.open(options={"months": 2})
        play_market(table)
        rewound(table, 1, "1")
        table.order("1", "X:1 at 60")
        table.look()
        forged = Forgery(exported(table))
    opened = forged.find("resolved", 1, 2)["sets"]["2"]
    opened["parts"]["turn"]["lines"][0]["order"]["price"] += 1
    forged.seal_again(1, "2", version=2)
    verdict = check(forged.written())
    assert "were to count again unchanged, and they are others" in told(verdict)
    assert place(verdict) == (1, "2", None)


def test_an_undone_result_cannot_be_hushed_up() -> None:
    forged = Forgery(market_with_rewinds())
    forged.find("rewound")["undone"] = []
    assert "taken back are not named rightly" in told(check(forged.written()))
    forged = Forgery(market_with_rewinds())
    forged.find("rewound")["undone"][0]["opened"].pop()
    assert "whose orders everybody has seen" in told(check(forged.written()))


def test_a_rewind_cannot_be_left_out() -> None:
    forged = Forgery(auction_with_rewinds())
    forged.drop("rewound")
    assert not check(forged.written()).ok


def test_a_new_version_has_its_number() -> None:
    forged = Forgery(auction_with_rewinds())
    forged.find("rewound")["version"] = 3
    assert "must have the version 2 here" in told(check(forged.written()))


def test_a_turn_that_was_not_played_cannot_be_taken_back() -> None:
    forged = Forgery(auction_with_rewinds())
    forged.find("rewound")["turn"] = 7
    assert "taken back that has not been played" in told(check(forged.written()))


def test_a_chain_whose_secrets_are_open_cannot_be_used_on() -> None:
    forged = Forgery(market_with_rewinds())
    after_the_end = next(record for record in forged.records if record["record"] == "rewound" and record["anchors"])
    after_the_end["anchors"] = None
    assert "bound too early or too late" in told(check(forged.written()))
