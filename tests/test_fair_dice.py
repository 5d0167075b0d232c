"""Dice, lots and shuffles are fair, repeatable, and unknown to everybody before the orders are in."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.dice import ClosedStreamError, Dice
from judge.core.seal import OrdersPlace, seal_set, throw_context
from tests.counts import times

SIGMAS = 5
"""A fair die fails a test with this bound once in millions of secrets; those here are fixed."""


def secret(number: int) -> bytes:
    return hashlib.sha256(f"secret {number}".encode()).digest()


def demand_even(found: Iterable[Hashable], outcomes: int) -> None:
    """Chi-square: the sum over all outcomes of (seen − expected)² / expected lies about `outcomes` − 1."""
    seen = Counter(found)
    assert len(seen) == outcomes
    expected = seen.total() / outcomes
    chi = sum((count - expected) ** 2 / expected for count in seen.values())
    freedom = outcomes - 1
    assert abs(chi - freedom) < SIGMAS * (2 * freedom) ** 0.5, (chi, freedom)


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 20, 100])
def test_a_die_is_even_within_one_turn(sides: int) -> None:
    dice = Dice(secret(sides))
    demand_even((dice.roll(sides) for _ in range(sides * times(300, 5000))), sides)


@pytest.mark.parametrize("sides", [2, 6, 20])
def test_the_first_throw_of_a_turn_is_even_over_turns(sides: int) -> None:
    """Each turn has its own secret, so that one throw a turn must be as fair as many."""
    demand_even((Dice(secret(turn)).roll(sides) for turn in range(sides * times(300, 5000))), sides)


def test_pairs_of_throws_are_even() -> None:
    dice = Dice(secret(1))
    demand_even(((dice.roll(6), dice.roll(6)) for _ in range(36 * times(100, 2000))), 36)


@pytest.mark.parametrize("hidden", [False, True], ids=["lots", "shuffle"])
def test_every_order_of_four_things_is_as_likely(hidden: bool) -> None:
    def order(turn: int) -> tuple[str, ...]:
        dice = Dice(secret(turn), secret(-turn))
        return tuple(dice.shuffled("abcd") if hidden else dice.lots("abcd"))

    found = [order(turn) for turn in range(1, 24 * times(100, 2000) + 1)]
    assert set(found) == set(permutations("abcd"))
    demand_even(found, 24)


def test_hidden_draws_are_even() -> None:
    dice = Dice(secret(1), secret(2))
    demand_even((dice.pick("abcde") for _ in range(5 * times(300, 5000))), 5)


@given(bound=st.integers(1, 2**53), number=st.integers(0, 100))
def test_a_throw_lies_within_its_bounds_and_is_the_same_when_asked_again(bound: int, number: int) -> None:
    """T320."""
    first, again = Dice(secret(number)), Dice(secret(number))
    assert 1 <= first.roll(bound) <= bound
    assert again.roll(bound) == first.thrown[0].threw  # type: ignore[union-attr]  # a roll


def test_bounds_that_divide_no_power_of_two_have_no_favourites() -> None:
    """Words past the last full multiple are thrown away: three quarters of 2⁶⁴ must not favour its first third."""
    bound = 3 << 62
    dice = Dice(secret(3))
    demand_even(((dice.roll(bound) - 1) * 3 // bound for _ in range(3 * times(300, 5000))), 3)


# Nothing known before the close predicts a roll


def rolls(*amounts: int, link: int = 5, order: Iterable[int] = (1, 2)) -> list[int]:
    """Forty rolls of a turn in which the seats bid these amounts; all else is the same."""
    by_seat = {
        seat: seal_set(
            secret(0),
            OrdersPlace(game="g", turn=3, version=1, seat=str(seat)),
            {"turn": [{"kind": "bid", "amount": amount}]},
        )
        for seat, amount in enumerate(amounts, 1)
    }
    contributions = [bytes.fromhex(by_seat[seat].commitment) for seat in order]
    dice = Dice(secret(9), secret(0), throw_context("g", 3, 1, link, contributions))
    return [dice.roll(6) for _ in range(40)]


def agree(one: list[int], other: list[int]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


def test_the_same_orders_throw_the_same() -> None:
    """T320: asked for twice, a turn throws the same."""
    assert rolls(4, 2) == rolls(4, 2)


def test_one_changed_line_of_one_seat_gives_unrelated_throws() -> None:
    """T322: the secret alone does not tell the throws; over many pairs a sixth of the dice agree, as by chance."""
    pairs = times(60, 600)
    agreed = [agree(rolls(4, 2), rolls(4, amount)) for amount in range(3, 3 + pairs)]
    throws = 40 * pairs
    assert abs(sum(agreed) - throws / 6) < SIGMAS * (throws * 5 / 36) ** 0.5
    assert max(agreed) < 30


def test_whose_seal_stands_where_matters() -> None:
    assert rolls(4, 2, order=(1, 2)) != rolls(4, 2, order=(2, 1))


@pytest.mark.parametrize(
    "other",
    [
        throw_context("h", 3, 1, 5, [bytes(32)] * 2),
        throw_context("g", 4, 1, 5, [bytes(32)] * 2),
        throw_context("g", 3, 2, 5, [bytes(32)] * 2),
        throw_context("g", 3, 1, 6, [bytes(32)] * 2),
        throw_context("g", 3, 1, 5, [bytes(32)] * 3),
        throw_context("g", 3, 1, 5, [bytes(32), secret(1)]),
    ],
)
def test_game_turn_version_link_and_seats_all_go_into_the_throws(other: bytes) -> None:
    here = throw_context("g", 3, 1, 5, [bytes(32)] * 2)
    one, two = Dice(secret(1), secret(2), here), Dice(secret(1), secret(2), other)
    assert [one.roll(100) for _ in range(10)] != [two.roll(100) for _ in range(10)]
    assert one.shuffled(range(50)) != two.shuffled(range(50))


def test_what_was_drawn_in_public_tells_nothing_about_the_deck() -> None:
    """Both streams have secrets of their own; whoever knows the public one cannot draw from the other."""
    context = throw_context("g", 3, 1, 5, [])
    decks = {tuple(Dice(secret(1), secret(hidden), context).shuffled(range(20))) for hidden in range(20)}
    assert len(decks) == 20
    public = Dice.public_only(secret(1), context)
    assert public.roll(6) == Dice(secret(1), secret(2), context).roll(6)
    with pytest.raises(ClosedStreamError):
        public.shuffled(range(20))
    with pytest.raises(ClosedStreamError):
        public.pick("ab")
