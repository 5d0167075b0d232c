"""Get Rich Quick: lots, the bell, and complete sets, case by case from the rulebook."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.dice import Dice
from judge.core.notation import read
from judge.core.orders import Order
from judge.core.ruleset import resolve_turn
from judge.language import Voice
from judge.render import plain
from rulesets.get_rich_quick import ruleset
from rulesets.get_rich_quick.cards import VALUES, commodities, deck
from rulesets.get_rich_quick.dealing import deal, ten_cards
from rulesets.get_rich_quick.events import LotReturned, Swapped, Unmatched
from rulesets.get_rich_quick.orders import Call, Collect, Hold, Offer, OfferWilds
from rulesets.get_rich_quick.sets import best_set
from rulesets.get_rich_quick.state import TableOptions
from rulesets.get_rich_quick.trading import Floor, Lot, collecting, most_held

EIGHT = [f"seat{number}" for number in range(1, 9)]


def hand(**counts: int) -> list[str]:
    names = {"taxman": "Taxman", "rich": "Get Rich Quick"}
    return [names.get(name, name) for name, count in counts.items() for _ in range(count)]


def test_the_dearest_commodities_are_in_play() -> None:
    """Rulebook, "Game Play": with five players Gold, Banking, Oil, Diamonds, Property."""
    assert commodities(5) == ("Gold", "Banking", "Oil", "Diamonds", "Property")
    assert [len(deck(players)) for players in range(3, 9)] == [29, 38, 47, 56, 65, 74]
    assert list(VALUES.values()) == [150, 140, 130, 120, 110, 100, 90, 80]


@pytest.mark.parametrize("players", range(3, 9))
def test_two_players_after_the_dealer_have_ten_cards(players: int) -> None:
    seats = EIGHT[:players]
    for dealer in seats:
        hands = deal(seats, dealer, Dice(dealer.encode()))
        assert Counter(card for cards in hands.values() for card in cards) == Counter(deck(players))
        assert [seat for seat in seats if len(hands[seat]) == 10] == sorted(ten_cards(seats, dealer))
    assert ten_cards(["A", "B", "C"], "B") == ["C", "A"]


@pytest.mark.parametrize(
    ("cards", "commodity", "doubled", "points"),
    [
        (hand(Gold=9), "Gold", False, 150),
        (hand(Oil=8, rich=1), "Oil", False, 130),
        (hand(Oil=8, rich=1, Gold=1), "Oil", False, 130),
        (hand(Sport=9, rich=1), "Sport", True, 160),
        (hand(Gold=9, rich=1), "Gold", True, 300),
        (hand(Gold=9, taxman=1), "Gold", False, 150),
    ],
)
def test_complete_hands(cards: list[str], commodity: str, doubled: bool, points: int) -> None:
    complete = best_set(cards)
    assert complete is not None
    assert (complete.commodity, complete.doubled, complete.points) == (commodity, doubled, points)


@pytest.mark.parametrize(
    "cards", [hand(Gold=8, taxman=1), hand(Gold=8, Oil=2), hand(Gold=7, rich=1, taxman=1), hand(Gold=7, rich=1, Oil=2)]
)
def test_hands_that_lack_a_card(cards: list[str]) -> None:
    """The Taxman completes nothing."""
    assert best_set(cards) is None


@pytest.mark.parametrize(
    ("cards", "lots"),
    [
        (hand(Oil=5, Gold=3, Banking=1, taxman=1), [hand(Gold=3, taxman=1), hand(Banking=1)]),
        (hand(Oil=4, Gold=2, Banking=2, Diamonds=2), [hand(Diamonds=2), hand(Banking=2), hand(Gold=2)]),
        (hand(Oil=3, Gold=1, Banking=1, Diamonds=1, Property=3), [hand(Property=3), hand(Diamonds=1), hand(Banking=1)]),
        (hand(Oil=8, taxman=1), [hand(taxman=1)]),
        (hand(Oil=8, rich=1), []),
        (hand(Oil=6, rich=1, taxman=1, Gold=1), [hand(Gold=1, taxman=1)]),
    ],
)
def test_collect_offers_the_rest(cards: list[str], lots: list[list[str]]) -> None:
    assert [list(lot) for lot in collecting(cards, "Oil")] == lots


def test_most_held_is_the_dearer_of_equal_ones() -> None:
    assert most_held(hand(Sport=4, Oil=4, Gold=1)) == "Oil"
    assert most_held(hand(Sport=5, Oil=4)) == "Sport"


@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=50, deadline=None)
def test_every_lot_meets_the_next_free_one_of_its_size(seed: int) -> None:
    """Reckoned a second time, lot by lot: whom each meets, and that nobody is left over who could have met."""
    chooser = random.Random(seed)
    seats = EIGHT[: chooser.randint(3, 8)]
    state = ruleset.setup(seats, TableOptions(), Dice(str(seed).encode()))
    lots = []
    for seat in seats:
        cards = chooser.sample(state.hands[seat], 9)
        sizes = [chooser.randint(1, 3) for _ in range(chooser.randint(0, 3))]
        for number, size in enumerate(sizes, 1):
            lots.append(Lot(seat, number, tuple(cards.pop() for _ in range(size))))
    chooser.shuffle(lots)
    floor = Floor(dict(state.hands), dict.fromkeys(seats, False))
    floor.ring(lots)
    partner: dict[int, int] = {}
    for at, lot in enumerate(lots):
        for later in range(at + 1, len(lots)):
            fits = len(lots[later].cards) == len(lot.cards) and lots[later].seat != lot.seat
            if fits and at not in partner and later not in partner:
                partner[at], partner[later] = later, at
    assert floor.swaps == [(lots[at], lots[other]) for at, other in partner.items() if at < other]
    assert floor.returned == [lot for at, lot in enumerate(lots) if at not in partner]
    expected = {seat: Counter(cards) for seat, cards in state.hands.items()}
    for one, other in floor.swaps:
        expected[one.seat] += Counter(other.cards)
        expected[one.seat] -= Counter(one.cards)
        expected[other.seat] += Counter(one.cards)
        expected[other.seat] -= Counter(other.cards)
    assert {seat: Counter(cards) for seat, cards in floor.hands.items()} == expected


def test_an_offer_without_a_partner_is_no_trade_and_everybody_concerned_is_told() -> None:
    """T138: Anna declares two, Ben three: nothing moves, each is told of his own cards, all of the numbers."""
    state = ruleset.setup(["Anna", "Ben", "Cem"], TableOptions(), Dice(b"alone"))
    pairs = {seat: most_held(state.hands[seat]) for seat in ("Anna", "Ben")}
    given_in: dict[str | None, list[Order]] = {
        "Anna": [Offer(count=2, commodity=pairs["Anna"])],
        "Ben": [Offer(count=3, commodity=pairs["Ben"])],
        "Cem": [],
    }
    after, events = resolve_turn(ruleset, state, given_in, Dice(b"bell"))
    assert after.hands == state.hands
    assert not [event for event in events if isinstance(event, Swapped)]
    alone = [event for event in events if isinstance(event, Unmatched)]
    assert [{(lot.seat, lot.cards) for lot in event.offers} for event in alone] == [{("Anna", 2), ("Ben", 3)}]
    told = {event.only: event.cards for event in events if isinstance(event, LotReturned)}
    assert told == {"Anna": (pairs["Anna"],) * 2, "Ben": (pairs["Ben"],) * 3}


def orders(text: str, players: int = 8) -> list[Order]:
    state = ruleset.setup(EIGHT[:players], TableOptions(), Dice(b"orders"))
    reading = read(text, ruleset.asks(state)["seat1"])
    assert [problem.text for problem in reading.problems] == []
    return list(reading.orders)


MINING = Offer(count=3, commodity="Mining", wilds="Taxman")


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("offer 2 Diamonds", Offer(count=2, commodity="Diamonds")),
        ("Offer: 2x dia", Offer(count=2, commodity="Diamonds")),
        ("2 Diamanten", Offer(count=2, commodity="Diamonds")),
        ("I offer 2 diamonds!", Offer(count=2, commodity="Diamonds")),
        ("Hallo, ich biete 2 Diamanten", Offer(count=2, commodity="Diamonds")),
        ("Hi all, offer 2 Diamonds", Offer(count=2, commodity="Diamonds")),
        ("Moin zusammen! Ich sammle Öl.", Collect(commodity="Oil")),
        ("Hallo, ich halte", Hold()),
        ("2xOil", Offer(count=2, commodity="Oil")),
        ("offer 2xOil", Offer(count=2, commodity="Oil")),
        ("biete 2xÖl + Steuermann", Offer(count=2, commodity="Oil", wilds="Taxman")),
        ("offer 3 Mining + Taxman", MINING),
        ("biete 3 Minen + Steuermann", MINING),
        ("ich biete 3 Minen und den Steuermann", MINING),
        ("tausche 3 Bergbau mit Steuer", MINING),
        ("offer 3 mining and the tax man", MINING),
        ("offer 1 GRQ", OfferWilds(wilds="Get Rich Quick")),
        ("offer Get Rich Quick + Taxman", OfferWilds(wilds="Taxman + Get Rich Quick")),
        ("biete Steuermann und Schnell reich", OfferWilds(wilds="Taxman + Get Rich Quick")),
        ("biete 1 Öl + Steuermann + GRQ", Offer(count=1, commodity="Oil", wilds="Taxman + Get Rich Quick")),
        ("offer 1 Oil+Tax+GRQ", Offer(count=1, commodity="Oil", wilds="Taxman + Get Rich Quick")),
        ("collect Oil", Collect(commodity="Oil")),
        ("Ich sammle Öl", Collect(commodity="Oil")),
        ("Ich sammle ab jetzt Öl!", Collect(commodity="Oil")),
        ("collect oil from now on", Collect(commodity="Oil")),
        ("biete Öl x2", Offer(count=2, commodity="Oil")),
        ("offer the Taxman with 3 mining", MINING),
        ("2 Öl dazu GRQ", Offer(count=2, commodity="Oil", wilds="Get Rich Quick")),
        ("sammle Erdoel", Collect(commodity="Oil")),
        ("hold", Hold()),
        ("Halte.", Hold()),
        ("rufe", Call()),
        ("call", Call()),
        ("Call Oil!", Call()),
    ],
)
def test_orders_as_people_write_them(line: str, order: Order) -> None:
    assert orders(line) == [order]


def test_several_lots_on_a_line() -> None:
    assert orders("offer 2 Oil, 3 Gold + Taxman; hold") == [
        Offer(count=2, commodity="Oil"),
        Offer(count=3, commodity="Gold", wilds="Taxman"),
        Hold(),
    ]


def test_what_is_not_read_is_told_in_the_language_of_the_game() -> None:
    """A number in words, cards that are not said, a name that is none: the answer names what the game knows."""
    state = ruleset.setup(EIGHT[:3], TableOptions(), Dice(b"told"))
    german = Voice.of(ruleset, "de")
    for line, said in (
        ("biete alle Banken", "„alle“ wird nicht als Zahl gelesen: Schreib sie in Ziffern."),
        ("biete 2 Banksn", "„Banksn“ ist hier nicht bekannt; am nächsten liegt Banken; möglich: Gold, Banken und Öl."),
    ):
        reading = read(line, ruleset.asks(state)["seat1"], language="de")
        assert [plain(german.say(problem.text)) for problem in reading.problems] == [said]


@pytest.mark.parametrize(
    "line", ["hold on, I am late", "Call me maybe", "TWO! TWO! TWO!", "Who has the Taxman?", "Ich halte das nicht aus"]
)
def test_shouting_is_chat(line: str) -> None:
    state = ruleset.setup(EIGHT, TableOptions(), Dice(b"chat"))
    reading = read(line, ruleset.asks(state)["seat1"])
    assert (reading.intent, reading.problems) == (None, ())


@pytest.mark.parametrize("line", ["offer 2 Gold Oil", "collect Gold Oil", "biete 2 Gold Öl"])
def test_gold_is_a_commodity_here_and_never_skipped_as_a_word_for_money(line: str) -> None:
    state = ruleset.setup(["seat1", "seat2", "seat3"], TableOptions(), Dice(b"gold"))
    reading = read(line, ruleset.asks(state)["seat1"])
    assert reading.orders == ()
    assert reading.problems
