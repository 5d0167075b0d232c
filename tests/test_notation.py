"""Posts become orders: spellings, several on a line, words, blocks, repeats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.core.notation import example, read, write
from judge.core.orders import Ask
from judge.core.shapes import shapes_of
from tests.market import Bid, Offer, bid, buying, plain, selling


def orders(text: str, ask: Ask | None = None) -> tuple[object, ...]:
    """The orders of a post that must read without any problem."""
    reading = read(text, ask or buying())
    assert reading.problems == (), [plain(problem.text) for problem in reading.problems]
    return reading.orders


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_order_is_read_and_repeated(language: str) -> None:
    """T200"""
    reading = read("X:3 zu 40", buying(), language=language)
    assert reading.intent == "orders"
    assert reading.orders == (bid("X", 3, 40),)
    assert [(line.number, line.text, line.verdict) for line in reading.lines] == [(1, "X:3 zu 40", "order")]
    assert write(reading.orders[0], buying(), language) == {"en": "X:3 at 40", "de": "X:3 zu 40"}[language]


@pytest.mark.parametrize(
    "text",
    [
        "X:3 zu 40",
        "X: 3 @ 40",
        "x 3 at $40",
        "3 X-Fine for 40",
        "3x X zu je 40",
        "3×X zu 40",
        "X=3/40",
        "X-Fine: 3 Stück zu 40",
        "X : 3 à 40",
        "x 3 @ 40",
        "3 X for 40",
        "X:3 at 40",
        "X:3 für 40 $",
        "3 units of X at 40 each",
        "X 3 zu 40,-",
        "X:3 zu 40.",
        "X:3 zu 40!",
        "X: 3 × zu 40 €/Stück",
        "3 x X zu 40 Dollar pro Stück",
        "X: 3 zu 40 Kronen",
        "X: 3 at 40 Cr.",
        "x-fine 3 ZU 40",
        "X Fine: 3 zu 40",
        "X3 zu 40",
        "X – 3 zu 40",
        "X - 3 zu 40",
        "X:03 zu 40",
        "X:3 zu 40 (das reicht hoffentlich)",
        "X:3 zu 40 :-)",
        "**X:3 zu 40**",
        "**X**: 3 zu `40`",
        "_X:3 zu 40_",
        "„X:3 zu 40“",
        "- X:3 zu 40",
        "* X:3 zu 40",
        "• X:3 zu 40",
        "1. X:3 zu 40",
        "2) 3 X zu 40",
        "# X:3 zu 40",
        "| X:3 zu 40 |",
        "Order: X:3 zu 40",
        "Mein Zug: X:3 zu 40",
        "Hier sind meine Befehle: X:3 zu 40",
        "Bitte 3 X zu 40",
        "Ich nehme 3 X zu 40",
    ],
)
def test_one_order_in_many_spellings(text: str) -> None:
    """T201"""
    assert orders(text) == (bid("X", 3, 40),)


@pytest.mark.parametrize(
    "text",
    [
        "Hallo, X:3 zu 40",
        "Hallo zusammen, X:3 zu 40",
        "Hi everybody! 3 X at 40",
        "Hello all - X:3 zu 40",
        "Moin X:3 zu 40",
        "Guten Abend allerseits: ich nehme 3 X zu 40",
        "Grüß Gott! Mein Zug: X:3 zu 40",
        "- Hey folks, please 3 X at 40",
    ],
)
def test_a_greeting_to_everybody_may_stand_before_an_order(text: str) -> None:
    """T201: people are polite; a name in a greeting is not left out, since the order might be somebody else's."""
    assert orders(text) == (bid("X", 3, 40),)


@pytest.mark.parametrize("text", ["Hallo, ich passe.", "Hi all, pass", "Servus! Passe"])
def test_a_greeting_may_stand_before_a_pass(text: str) -> None:
    assert read(text, buying()).intent == "pass"
    assert read(f"X:3 zu 40\n{text.split()[0]} zurückziehen", buying()).intent == "withdraw"


@pytest.mark.parametrize(
    ("text", "grade"), [("3xX zu 40", "X"), ("3xx zu 40", "X"), ("3xF zu 40", "F"), ("3xStandard zu 40", "S")]
)
def test_a_times_sign_may_hang_on_the_name(text: str, grade: str) -> None:
    """T201"""
    assert orders(text) == (bid(grade, 3, 40),)


def test_where_the_times_sign_might_be_the_name_it_is_asked_back_about() -> None:
    """T235"""
    for text in ("3xFine zu 40", "3XFine zu 40"):
        (problem,) = read(text, buying()).problems
        assert plain(problem.text) == f"“{text}” can be read in two ways: “X:3 at 40” or “F:3 at 40”."


def test_names_are_taken_apart_once_for_all_turns_that_ask_about_them() -> None:
    assert shapes_of(Bid, buying()) is shapes_of(Bid, buying())
    assert orders("3 Eisen zu 40", buying("Eisen")) == (bid("X", 3, 40),)
    assert orders("3 Eisen zu 40", buying("Gold", "Eisen")) == (bid("F", 3, 40),)


@pytest.mark.parametrize(
    "text",
    [
        "X:3\u00a0zu\u00a040",
        "\u202fX:3\u202fzu 40",
        "\u3000\u3000X:3\u3000zu\u300040",
        "\tX:3\tzu\t40",
        "\ufeffX:\u200b3 zu 4\u200d0",
        "X：３　zu　４０",
        "X:٣ zu ٤٠",
        "X:𝟑 zu 𝟒𝟎",
        "X\u00ad:3 zu 40\r",
    ],
)
def test_spaces_and_digits_of_every_kind_are_read(text: str) -> None:
    """T221"""
    assert orders(text) == (bid("X", 3, 40),)


@pytest.mark.parametrize(
    "text",
    [
        "X:3 zu 40, F:2 zu 30; S:1 zu 20",
        "X:3 zu 40 F:2 zu 30 S:1 zu 20",
        "X:3 zu 40 und 2 F zu 30 and S 1 at 20.",
        "X=3/40,F=2/30,S=1/20",
        "X:3 zu 40\nF:2 zu 30\n\nS:1 zu 20",
        "Hallo zusammen,\n\nX:3 zu 40 & F:2 zu 30\r\nS:1 zu 20\n\nViel Glück!",
        "| X:3 zu 40 | F:2 zu 30 | S:1 zu 20 |",
    ],
)
def test_several_orders_in_a_post(text: str) -> None:
    assert orders(text) == (bid("X", 3, 40), bid("F", 2, 30), bid("S", 1, 20))


@pytest.mark.parametrize("text", ["> X:3 zu 40", "  > X:3 zu 40", "＞ X:3 zu 40", "> X:3 zu", "\u200b> X:3 zu 40"])
def test_a_quoted_line_is_never_an_order(text: str) -> None:
    """T202"""
    reading = read(text, buying())
    assert (reading.intent, reading.orders, reading.problems) == (None, (), ())


@pytest.mark.parametrize("text", ["B :x 3", "B :x 3 zu 140"])
def test_the_x_of_a_smiley_is_no_name(text: str) -> None:
    """T213"""
    assert read(text, buying()).orders == ()
    assert all(order.units == 3 and order.good == "B" for order in read(text, selling()).orders)


@pytest.mark.parametrize("text", ["Stan:3 zu 20", "standard 3 zu 20", "ST: 3 zu 20"])
def test_the_clear_beginning_of_a_name_is_enough(text: str) -> None:
    """T235: one good."""
    assert orders(text) == (bid("S", 3, 20),)


def test_an_unclear_name_is_refused_with_all_it_could_mean() -> None:
    """T235: two goods."""
    (problem,) = read("Ti: 3 zu 40", buying("Titanium", "Titanium 2", "Tin")).problems
    assert plain(problem.text) == "“Ti” is not clear; it can mean X (Titanium), F (Titanium 2), S (Tin)."
    assert orders("Titan: 3 zu 40", buying("Titanium", "Tin", "Tinte")) == (bid("X", 3, 40),)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    """T235: no goods."""
    (problem,) = read("Eisem: 3 zu 40", buying("Eisen", "Stahl", "Titanium 2")).problems
    assert "the nearest is X (Eisen)" in plain(problem.text)
    assert problem.right == "X:3 at 40"


def test_a_value_wins_over_names_and_a_whole_name_over_an_abbreviation() -> None:
    ask = buying("Stahl", "X", "Titanium")
    assert orders("X:3 zu 40", ask) == (bid("X", 3, 40),)
    assert orders("S:3 zu 40, Stahl:2 zu 30", ask) == (bid("S", 3, 40), bid("X", 2, 30))
    ask = buying("Titanium", "Titanium 2", "Schwert+1")
    assert orders("2 Titanium zu 39; Titanium 2 3 zu 40", ask) == (bid("X", 2, 39), bid("F", 3, 40))
    assert orders("Titanium 2: 3 zu 40", ask) == (bid("F", 3, 40),)
    assert orders("Schwert+1: 3 zu 40", ask) == (bid("S", 3, 40),)


@pytest.mark.parametrize("typed", ["Öl", "öl", "Oel", "OEL", "Ol", "O\u0308l"])
def test_umlauts_may_be_typed_in_any_way(typed: str) -> None:
    """T235"""
    assert orders(f"{typed}: 3 zu 40", buying("Öl", "Erz", "Gold")) == (bid("X", 3, 40),)


@pytest.mark.parametrize("text", ["pass", "Passe", "PASSEN!", "ich passe.", "I pass", "- pass", "**passe**"])
def test_a_pass_is_an_empty_set(text: str) -> None:
    reading = read(f"Diesmal nicht.\n{text}\n", buying())
    assert (reading.intent, reading.orders, reading.problems) == ("pass", (), ())
    assert reading.lines[1].verdict == "word"


@pytest.mark.parametrize("text", ["withdraw", "Zurückziehen", "zurueckziehen", "ich ziehe zurück.", "ziehe zurück"])
def test_withdrawing_takes_back_what_stands_before_it(text: str) -> None:
    reading = read(f"X:3 zu 40\nF:3 zu\n{text}", buying())
    assert (reading.intent, reading.orders) == ("withdraw", ())
    assert all(problem.warning for problem in reading.problems)
    assert read(f"X:3 zu 40\n{text}\nF:3 zu 30", buying()).orders == (bid("F", 3, 30),)


@pytest.mark.parametrize("text", ["passt!", "Das passt mir", "pass auf, X ist teuer", "passe ich mich an?"])
def test_words_around_a_pass_make_it_chat(text: str) -> None:
    assert read(text, buying()).intent is None


def test_the_order_of_the_text_decides_between_pass_and_orders() -> None:
    after = read("X:3 zu 40\npass", buying())
    assert (after.intent, after.orders) == ("pass", ())
    assert [(problem.line, problem.warning) for problem in after.problems] == [(2, True)]
    before = read("pass\nX:3 zu 40", buying())
    assert (before.intent, before.orders) == ("orders", (bid("X", 3, 40),))
    assert [(problem.line, problem.warning) for problem in before.problems] == [(2, True)]


def test_a_repeated_line_replaces_the_earlier_one_and_says_so() -> None:
    reading = read("X:3 zu 40\nF:3 zu 30\n\nX:4 zu 41", buying())
    assert reading.orders == (bid("X", 4, 41), bid("F", 3, 30))
    (warning,) = reading.problems
    assert (warning.warning, warning.line) == (True, 4)
    assert plain(warning.text) == "Line 4 replaces line 1, which is about the same thing."
    assert reading.is_valid


@pytest.mark.parametrize(
    "text",
    [
        "X:9 zu 9\n[orders]\nX:3 zu 40\n\nF:2 zu 30\n[/orders]\nS:9 zu 9",
        "Hier [Befehle]X:3 zu 40; F:2 zu 30[/BEFEHLE] X:9 zu 9",
        "[orders]X:3 zu 40[/orders]\nX:9 zu\n[orders]\nF:2 zu 30[/orders]",
        "[orders]\nX:3 zu 40\nF:2 zu 30",
    ],
)
def test_only_the_orders_block_counts(text: str) -> None:
    assert orders(text) == (bid("X", 3, 40), bid("F", 2, 30))


def test_every_line_of_an_orders_block_must_read() -> None:
    reading = read("Hallo\n[orders]\nX:3 zu 40\nbis dann\n> F:3 zu 30\n[/orders]", buying())
    assert [problem.line for problem in reading.problems] == [4, 5]
    assert [line.verdict for line in reading.lines] == ["chat", "chat", "order", "problem", "problem", "chat"]
    assert read("[orders]\npass\n[/orders]", buying()).intent == "pass"
    (problem,) = read("[orders]\n[/orders]", buying()).problems
    assert not problem.warning


def test_orders_of_another_turn_are_named_with_what_can_be_given_now() -> None:
    reading = read("A:3 zu 140", buying(), others=(Bid, Offer))
    assert reading.orders == ()
    assert [plain(problem.text) for problem in reading.problems] == ["Offer cannot be given now; possible: Bid."]
    assert reading.problems[0].right == "X:3 at 40"


def test_the_example_of_a_kind_reads_as_itself() -> None:
    assert example(Bid, buying(), "de") == "X:3 zu 40"
    assert example(Offer, selling(), "en") == "A:3 at 140"
    assert orders(example(Bid, buying(), "en")) == (bid("X", 3, 40),)


WORDS = [
    "3",
    "40",
    "1.000",
    "zu",
    "at",
    "und",
    "pass",
    "withdraw",
    "Fine",
    "drei",
    "ca.",
    "Stück",
    "[orders]",
    "[/orders]",
]
PIECES = st.sampled_from([*"XFSABCx@:=/,;->()³½€\n \u00a0\ud800", "e\u0301", *WORDS])


@given(st.lists(PIECES | st.text(max_size=4), max_size=60).map("".join) | st.lists(PIECES, max_size=40).map(" ".join))
def test_reading_never_fails_and_accounts_for_every_line(text: str) -> None:
    for ask in (buying(), selling(), buying("Öl", "Titanium 2", "½")):
        reading = read(text, ask, others=(Bid, Offer))
        assert [line.number for line in reading.lines] == list(range(1, len(reading.lines) + 1))
        for problem in reading.problems:
            plain(problem.text)
