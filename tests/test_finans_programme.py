"""Finans by programme: who is awaited, what stands, what is told to whom; and how its orders are read."""

from __future__ import annotations

import pytest

from judge.core.notation import read, write
from judge.core.orders import carried_over, standing_after
from rulesets.finans import ruleset
from rulesets.finans.orders import Buy, Sell
from rulesets.finans.policies import Bonds, Forget
from tests.finans_table import VOICE, A, B, C, orders, owned, play, position

REST = {B: {"missing": 3}, C: {"missing": 3}}


@pytest.mark.parametrize(
    ("square", "silent"),
    [(1, True), (10, True), (11, False), (17, False), (34, True), (35, False), (46, False), (24, True)],
)
def test_only_where_something_can_be_decided_an_answer_is_awaited(square: int, silent: bool) -> None:
    """Asynchronous form: 11, 17 and 35 to 46, or with a permit, as long as there is something to build on."""
    ask = ruleset.asks(position({A: {"square": square}}))[A]
    assert (ask.silent, ask.standing) == (silent, silent)
    permit = {A: {"square": square, "tips": ["permit"]}}
    assert not ruleset.asks(position(permit, lots=owned(A, "bookshop")))[A].silent
    assert ruleset.asks(position(permit, lots=owned(A, "bookshop", built=True)))[A].silent == silent


@pytest.mark.parametrize(
    ("square", "prompt"),
    [
        (12, "you throw from Bookshop (12), and need not order anything."),
        (11, "you stand on Branch of the Bank (11). Before you throw, you can buy."),
        (17, "you stand on Construction Co. (17). Before you throw, you can build."),
        (40, "you stand on Construction Co. (40). Before you throw, you can buy, build and call a board meeting."),
    ],
)
def test_the_question_says_what_the_square_allows(square: int, prompt: str) -> None:
    ask = ruleset.asks(position({A: {"square": square}}))[A]
    assert VOICE.say(ask.prompt) == f"Round 1: {prompt}"


def test_whoever_misses_the_turn_is_never_waited_for_and_may_change_what_stands() -> None:
    """A18: rents, dividends and draws go on, and so does what he says about them."""
    state = position({A: {"square": 35, "missing": 1}, **REST}, lots=owned(A, "bookshop"))
    ask = ruleset.asks(state)[A]
    assert (ask.forced, ask.standing, ask.silent, ask.optional) == (None, True, True, True)
    round_ = play(state, {A: "bonds 7\nsell Bookshop"})
    assert "Anna: “sell Bookshop” is skipped: This turn is missed." in round_.told
    guest = position({A: {"missing": 1}, B: {"square": 11}, C: {"missing": 1}}, lots=owned(A, "bookshop"))
    assert play(guest, {A: "waive rent"}, dice=[1]).gain(B) == 0
    assert play(guest, dice=[1]).gain(B) == -5_000


def test_a_programme_with_something_left_counts_as_an_answer() -> None:
    """A standing wish list is enough in the Bank, until everything on it is had."""
    state = position({A: {"square": 35, "cash": 300_000}, **REST})
    one = play(state, {A: "always buy Cobbler, Joiner\nbonds 7"}, dice=[4])
    assert one.state.players[A].programme
    assert ruleset.asks(one.state)[A].standing
    two = play(one.state, {A: "always buy Cobbler, Joiner\nbonds 7"}, dice=[1])
    assert not two.state.players[A].programme
    assert not ruleset.asks(two.state)[A].standing


def test_lines_of_this_round_come_before_those_that_stand() -> None:
    state = position({A: {"square": 35}, **REST})
    round_ = play(state, {A: "always buy Cobbler\nbuy Joiner"}, dice=[4])
    assert [key for key, lot in round_.state.properties.items() if lot.owner == A] == ["joiner"]


def test_why_a_standing_line_is_skipped_is_told_to_its_owner_alone() -> None:
    """Programmes stay sealed until the end, so nobody else may learn of them."""
    state = position({A: {"square": 35, "cash": 30_000}, **REST})
    hidden = play(state, {A: "always buy Technics 100"}, dice=[4])
    assert not any("skipped" in line for line in hidden.told)
    assert hidden.told_to(A) == [
        "Anna: “buy Technics 100” is skipped: There are only 30,000 Cr, and Technics 100 costs 100,000 Cr."
    ]
    public = play(state, {A: "buy Technics 100"}, dice=[4])
    assert public.told_to(A) == []
    assert any("skipped" in line for line in public.told)
    elsewhere = play(position({A: {"square": 2}, **REST}), {A: "always buy Technics 100"}, dice=[2])
    assert not any("skipped" in line for line in (*elsewhere.told, *elsewhere.told_to(A)))


def test_a_new_standing_line_replaces_those_of_its_kind_and_forget_ends_them() -> None:
    state = position()
    kept = orders(state, A, "always buy Cobbler\nalways sell car\nbonds 7")
    assert standing_after(kept, orders(state, A, "buy Joiner")) == kept
    new = standing_after(kept, orders(state, A, "always buy Joiner"))
    assert [line.things for line in new if isinstance(line, Buy)] == [("joiner",)]
    later = standing_after(kept, orders(state, A, "always after sell Bookshop"))
    assert len([line for line in later if isinstance(line, Sell)]) == 2
    assert standing_after(kept, orders(state, A, "forget everything")) == []
    assert [type(line) for line in standing_after(kept, orders(state, A, "vergiss Käufe"))] == [Sell, Bonds]
    fresh = carried_over(kept, orders(state, A, "forget everything\nalways buy Joiner"))
    assert [type(line) for line in fresh] == [Forget, Buy]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("buy Bookshop keep 20000", "kaufe Buchhandlung behalte 20000"),
        ("buy Technics 100", "kaufe Technik 100"),
        ("always buy Business 75, Grocery Shop, car", "immer kaufe Handel 75, Lebensmittelladen, Auto"),
        ("build Bookshop keep 5000", "baue Buchhandlung behalte 5000"),
        ("redeem Saw Mill", "löse Sägewerk"),
        ("after mortgage Bookshop if cash under 20000", "danach beleihe Buchhandlung falls Kasse unter 20000"),
        ("always after sell car if cash over 5000", "immer danach verkaufe Auto falls Kasse über 5000"),
        ("loan 2", "Kredit 2"),
        ("after repay 1 if cash over 90000", "danach tilge 1 falls Kasse über 90000"),
        (
            "meeting Business Centre fee 80000 at most 140000",
            "Versammlung Geschäftszentrum Gebühr 80000 höchstens 140000",
        ),
        ("else meeting Crafts House fee 60000", "sonst Versammlung Handwerkshaus Gebühr 60000"),
        ("bonds 7, 6, 8 keep 1000", "Obligationen 7, 6, 8 behalte 1000"),
        ("offered buy Bookshop, Trust 75", "angeboten kaufe Buchhandlung, Finanz 75"),
        ("raid Bookshop", "übernimm Buchhandlung"),
        ("swap Crafts 50 for Service 50", "tausche Handwerk 50 gegen Dienste 50"),
        ("raise cash by shares, loans", "beschaffe Geld durch Aktien, Kredite"),
        ("jail pass keep", "Freikarte behalten"),
        ("win when possible", "gewinne sobald möglich"),
        ("always waive rent on Bookshop", "immer verzichte auf Miete für Buchhandlung"),
        ("claim rent", "fordere Miete"),
        ("forget everything", "vergiss alles"),
    ],
)
def test_every_kind_of_order_is_written_and_read_in_both_languages(english: str, german: str) -> None:
    ask = ruleset.asks(position())[A]
    for text in (english, german, english.upper(), german.lower()):
        reading = read(text, ask)
        assert reading.problems == ()
        (order,) = reading.orders
        assert (write(order, ask, "en"), write(order, ask, "de")) == (english, german)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Ich kaufe den Buchladen", "buy Bookshop"),
        ("kaufe Buchladen und Technik 100, behalte mindestens 20 000", "buy Bookshop, Technics 100 keep 20000"),
        ("share Technics 100", "buy Technics 100"),
        ("always: after: sell car", "always after sell car"),
        ("take a loan", "loan 1"),
        ("Hypothek auf Werft", "mortgage Shipyard"),
        ("board meeting of the Technics Enterprise with fee 90000", "meeting Technics Enterprise fee 90000"),
        (
            "I hereby call a board meeting of the Technics Enterprise, fee 90000",
            "meeting Technics Enterprise fee 90000",
        ),
        ("Hauptversammlung des Geschäftszentrums mit Gebühr 80000", "meeting Business Centre fee 80000"),
        ("buy a share of Technics Enterprise 100", "buy Technics 100"),
        ("kaufe die Buchhandlung und Aktie Technik 100", "buy Bookshop, Technics 100"),
        ("sell my car", "sell car"),
        ("pay back 1 loan", "repay 1"),
        ("tilge einen Kredit", "repay 1"),
        ("2 loans", "loan 2"),
        ("2 Kredite, wenn unter 5000", "loan 2 if cash under 5000"),
        ("keep my jail pass", "jail pass keep"),
        ("behalte die Freikarte", "jail pass keep"),
        ("in every turn: build on my Bookshop", "always build Bookshop"),
        ("in jedem Zug: kaufe Werft", "always buy Shipyard"),
        ("build an industry on Soap Factory", "build Soap Factory"),
        ("waive the rent for Bookshop", "waive rent on Bookshop"),
    ],
)
def test_names_and_words_are_read_leniently(text: str, canonical: str) -> None:
    ask = ruleset.asks(position())[A]
    reading = read(text, ask)
    assert [write(order, ask, "en") for order in reading.orders] == [canonical]
    assert reading.problems == ()


def test_talk_is_no_order_and_a_misspelt_name_is_told() -> None:
    ask = ruleset.asks(position())[A]
    for talk in ("I hope the Bank is kind to me today.", "Wer will meine Buchhandlung?", "Good luck to all of you!"):
        assert (read(talk, ask).orders, read(talk, ask).problems) == ((), ())
    assert len(read("buy Bokshop", ask).problems) == 1


def test_nobody_need_say_anything_for_a_mere_throw() -> None:
    """A missed deadline is a mere throw."""
    state = position({A: {"square": 35}, **REST}, lots=owned(B, "bookshop"))
    assert ruleset.default_orders(state, A) == ()
    assert play(state, dice=[4]).gain(A) == 0
