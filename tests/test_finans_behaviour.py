"""Finans and the behaviour cases of money, bids and ties: what its rules make of each."""

from __future__ import annotations

import pytest

from judge.core.dice import Dice, ScriptedDice
from judge.core.notation import read
from judge.core.order_json import dump_orders, parse_orders
from judge.core.ruleset import resolve_turn
from rulesets.finans import ruleset
from rulesets.finans.box import BOX, GROUPS, PAPERS, PROPERTIES, SHARES
from rulesets.finans.state import FinansState
from tests.finans_table import VOICE, A, B, C, orders, owned, play, position, refusals
from tests.games import played

REST = {B: {"missing": 3}, C: {"missing": 3}}


def test_there_are_as_many_shares_as_properties() -> None:
    """A1: 20 and 20, in six groups of three and the Financial Trust of two; 14 buildings and 6 industries."""
    assert (len(PROPERTIES), len(SHARES)) == (20, 20)
    for group in GROUPS:
        lots = [paper for paper in PAPERS[group] if paper in PROPERTIES]
        assert len(lots) == len(PAPERS[group]) - len(lots) == (2 if group == "trust" else 3)
    industries = [key for key, lot in PROPERTIES.items() if lot.group in ("chemistry", "industry")]
    assert sorted(PROPERTIES[key].square for key in industries) == [26, 27, 29, 30, 32, 33]
    assert len(PROPERTIES) - len(industries) == 14


def test_the_rulebooks_numbers_are_those_of_the_box() -> None:
    """Rulebook: what is printed anywhere in it, examples included."""
    money, rule = BOX.money, BOX.board_meeting
    assert (money.start, money.car_price, money.car_resale, money.loan, money.loan_interest) == (
        75_000,
        50_000,
        25_000,
        50_000,
        5_000,
    )
    assert (money.bonus_per_pip, money.bond_price, money.win_cash, money.win_groups) == (5_000, 500, 1_000_000, 2)
    assert (money.loans_per_player, money.loans_total, money.redeem_percent) == (3, 6, 110)
    assert (rule.fee_step, rule.fee_min, rule.fee_max, rule.fee_to_bank) == (10_000, 20_000, 120_000, 30_000)
    assert (BOX.sweepstakes.big, BOX.sweepstakes.small) == ((100_000, 50_000, 25_000), (50_000, 25_000, 15_000))
    assert BOX.jail.missed_turns == {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
    assert (PROPERTIES["bookshop"].price, PROPERTIES["bookshop"].building) == (20_000, 20_000)
    assert [SHARES[f"business_{number}"].nominal for number in (1, 2, 3)] == [75_000, 50_000, 50_000]
    assert {SHARES[key].nominal for key in ("trust_1", "trust_2", "technics_2")} == {75_000}


def test_the_rules_name_every_field_of_an_order_and_of_the_public_position() -> None:
    """For whoever scripts the game: no field is left to be guessed."""
    rules = (ruleset.folder / "RULES.md").read_text(encoding="utf-8")
    scripts = rules[rules.index("## For scripts") :]
    state = position()
    public = ruleset.view(state, None).model_dump(mode="json")
    fields = {*public, *public["players"][A], *public["properties"]["bookshop"], *public["properties"]}
    fields |= {field for kind in ruleset.orders for field in kind.model_fields}
    fields |= {str(kind.model_fields["kind"].default) for kind in ruleset.orders}
    assert [field for field in sorted(fields) if f"`{field}`" not in scripts and f'"{field}"' not in scripts] == []


def test_of_two_purchases_that_cash_allows_singly_the_first_is_made() -> None:
    """T131: line by line, what the cash still covers; the rest is skipped with its numbers."""
    round_ = play(position({A: {"square": 35}, **REST}), {A: "buy Travel Bureau\nbuy Business 75"}, dice=[4])
    assert round_.state.properties["travel"].owner == A
    assert round_.state.shares["business_1"] is None
    why = "There are only 55,000 Cr, and Business 75 costs 75,000 Cr."
    assert f"Anna: “buy Business 75” is skipped: {why}" in round_.told
    both = play(position({A: {"square": 35}, **REST}), {A: "buy Travel Bureau, Business 75, Crafts 50"}, dice=[4])
    assert (both.state.properties["travel"].owner, both.state.shares["crafts_1"]) == (A, A)
    assert both.cash(A) == 5_000


def test_a_player_without_cash_is_awaited_where_something_can_be_decided() -> None:
    """T136: he may sell, mortgage or borrow first; elsewhere nobody waits for him."""
    poor = ruleset.asks(position({A: {"square": 35, "cash": 0}, B: {"square": 2, "cash": 0}}))
    assert (poor[A].silent, poor[B].silent) == (False, True)


def test_a_bankrupt_is_not_asked() -> None:
    """T007."""
    assert set(ruleset.asks(position({B: {"bankrupt": True, "cash": 0}}))) == {A, C}


def test_there_is_no_trade_between_players_and_who_tries_is_told() -> None:
    """T138, A19: no line of one player moves a paper or money to another."""
    state = position({A: {"square": 35}, **REST}, lots=owned(A, "bookshop"))
    assert refusals(state, A, "sell Bookshop to Ben") != []
    assert read("give Ben 5000", ruleset.asks(state)[A]).orders == ()


def test_turn_order_decides_who_has_the_last_paper_not_the_order_of_arrival() -> None:
    """T141: both want the Bookshop; Ben is first in turn order and has it, whoever posted first."""
    state = position({A: {"square": 35}, B: {"square": 35}, C: {"missing": 1}}, first=B)
    wishes = {seat: orders(state, seat, "buy Bookshop") for seat in (A, B)} | {C: []}
    for names in ((A, B, C), (C, B, A)):
        dice = ScriptedDice(b"", throws=[4, 4])
        after, _ = resolve_turn(ruleset, state, {seat: wishes[seat] for seat in names}, dice)
        assert after.properties["bookshop"].owner == B


def test_a_stored_game_is_played_again_alike() -> None:
    """T143: from its positions and orders as JSON."""
    for number, turn in enumerate(played(ruleset, 3, "stored", most=30), 1):
        stored = FinansState.model_validate_json(turn.before.model_dump_json())
        asks = ruleset.asks(stored)
        lines = {seat: parse_orders(dump_orders(turn.orders[seat]), asks[seat])[0] for seat in asks}
        after, events = resolve_turn(ruleset, stored, lines, Dice(f"stored/{number}".encode()))
        assert (after, events) == (turn.after, turn.events)


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ({"kind": "meeting", "group": "business", "fee": 85_000}, "fee", "divisible by 10,000"),
        ({"kind": "meeting", "group": "business", "fee": 10_000}, "fee", "at least 20,000"),
        ({"kind": "meeting", "group": "business", "fee": 130_000}, "fee", "at most 120,000"),
        ({"kind": "meeting", "group": "banking", "fee": 80_000}, "group", "banking"),
        ({"kind": "buy", "things": ["castle"]}, "things", "castle"),
        ({"kind": "buy", "things": ["bookshop", "bookshop"]}, "things", "named 2 times"),
        ({"kind": "buy", "things": []}, "things", ""),
        ({"kind": "sell", "things": ["crafts-50"] * 4}, "things", "named 4 times"),
        ({"kind": "loan", "count": 4}, "count", "at most 3"),
        ({"kind": "loan", "count": 0}, "count", "at least 1"),
        ({"kind": "bonds", "numbers": [13]}, "numbers", "1 to 12"),
        ({"kind": "swap", "give": "crafts-50", "get": "technics-100"}, "get", "same value"),
        ({"kind": "offer", "things": ["car"]}, "things", "car"),
        ({"kind": "raise", "means": ["theft"]}, "means", ""),
    ],
)
def test_illegal_orders_are_refused_with_field_and_reason(line: dict[str, object], field: str, reason: str) -> None:
    """T144: whatever no course of the round can make possible."""
    state = position({A: {"square": 35, "cash": 500_000}})
    ask = ruleset.asks(state)[A]
    lines, problems = parse_orders([line], ask)
    found = [*problems, *ruleset.check(state, A, lines)]
    assert {problem.field for problem in found} == {field}
    assert reason in VOICE.say(found[0].text).replace("\N{NO-BREAK SPACE}", " ")


def test_nobody_sells_for_the_million_in_another_players_turn() -> None:
    """A16: Ben's wish waits for his own turn, though Anna's comes first."""
    two = owned(B, "cobbler", "joiner", "tailor", "insurance", "brokerage", "bookshop")
    shares = {f"crafts_{number}": B for number in (1, 2, 3)} | {"trust_1": B, "trust_2": B}
    state = position(
        {A: {"square": 2}, B: {"square": 2, "cash": 990_000, "missing": 1}, C: {"missing": 1}}, two, shares
    )
    waits = play(state, {B: "win when possible"}, dice=[2])
    assert waits.state.ending is None
    assert waits.state.properties["bookshop"].owner == B
    wins = play(waits.state, {B: "win when possible"}, dice=[2])
    assert wins.state.ending is not None
    assert wins.state.ending.winners == [B]
