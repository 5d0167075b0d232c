"""Lines that were meant as orders and cannot be read are reported; chat is left alone."""

from __future__ import annotations

import time

import pytest

from judge.core.notation import read
from tests.market import bid, buying, plain, selling

NEAR_MISSES = {
    "X:3 zu": "Price per unit is missing.",
    "X:3": "Price per unit is missing.",
    "X 40": "Units is missing.",
    "3 X": "Price per unit is missing.",
    "X zu 40": "Units is missing.",
    "3x zu 40": "Grade is missing.",
    "3 zu 40": "Grade is missing.",
    "X 3 40": "“at” is missing.",
    "X: drei zu 40": "“drei” is not read as a number: write it in digits.",
    "X:3 zu vierzig": "“vierzig” is not read as a number: write it in digits.",
    "drei X zu 40": "“drei” is not read as a number: write it in digits.",
    "X:3 zu 40.5": "“40.5” is not a whole number here.",
    "X:3,5 zu 40": "“3,5” is not a whole number here.",
    "X:-3 zu 40": "“-3” has a sign: write the number alone.",
    "X-3 zu 40": "“-3” has a sign: write the number alone.",
    "X:+3 zu 40": "“+3” has a sign: write the number alone.",
    "-3 X zu 40": "“-3” has a sign: write the number alone.",
    "X:3 zu 1.000": "“1.000” can mean 1000 or 1: write it without point or comma.",
    "X: 3 bis 4 zu 40": "“3 bis 4” is a range: write one number.",
    "X:3-4 zu 40": "“3-4” is a range: write one number.",
    "X: ca. 3 zu 40": "“ca. 3” is not exact: write the number alone.",
    "X:3 zu ~40": "“~40” is not exact: write the number alone.",
    "X:3k zu 40": "“3k” is not a whole number here.",
    "X:½ zu 40": "“½” is not read as a number: write it in digits.",
    "X:? zu 40": "“?” is not read as a number: write it in digits.",
    "Y:3 zu 40": "“Y” is not known here; possible: X (X-Fine), F (Fine), S (Standard).",
    "3 Y zu 40": "“Y” is not known here; possible: X (X-Fine), F (Fine), S (Standard).",
    "A=3/140": "“A” is not known here; possible: X (X-Fine), F (Fine), S (Standard).",
    "Standart: 3 zu 20": (
        "“Standart” is not known here; the nearest is S (Standard); possible: X (X-Fine), F (Fine), S (Standard)."
    ),
    "3 Fein zu 30": "“Fein” is not known here; the nearest is F (Fine); possible: X (X-Fine), F (Fine), S (Standard).",
    "X: 3 Kisten zu 40": "“Kisten” cannot be read here.",
    "kaufe 3 X zu 40": "“kaufe” cannot be read here.",
    "X:3 um 40": None,
    "X:3 zu 40?": "After “X:3 zu 40” the rest cannot be read: “?”.",
    "X:3 zu 40 hoffentlich reicht das": "After “X:3 zu 40” the rest cannot be read: “hoffentlich reicht das”.",
    "X:3 zu 40 zu 41": None,
    "~~X:3 zu 40~~": None,
    "[s]X:3 zu 40": None,
    "Also gut: X:3 zu 40": None,
    "Ben hat geschrieben: 3 X zu 40": "An order stands on a line of its own, without words before it: “3 X zu 40”.",
    "3 X, F und S zu 40": None,
    "X:0 zu 40": "Units: 0 was read, at least 1 is needed.",
    "Order: X:3": "Price per unit is missing.",
    "Hallo, X:3": "Price per unit is missing.",
    "Hallo zusammen, X:3 zu 40 hoffentlich": "After “X:3 zu 40” the rest cannot be read: “hoffentlich”.",
    "Hi Ben, X:3 zu 40": "An order stands on a line of its own, without words before it: “X:3 zu 40”.",
    "ok, X:3 zu 40, F:2 zu 30": (
        "An order stands on a line of its own, without words before it: “X:3 zu 40, F:2 zu 30”."
    ),
    "X:3 zu 40, viele Grüße": "“viele Grüße” cannot be read here.",
    "Ich nehme 3 X": "Price per unit is missing.",
}

CHAT = """Ich nehme mal 3 Bier, X hat 40 Kisten dabei
A: gute Idee!
B2B ist 3 mal so gut
Runde 2: los gehts
10:30 Uhr passt
Hi, hier mein Zug:
F wie Friedrich
3 Tage Zeit noch?
see post 40
S. 12 im Regelheft
X-Fine ist mir zu teuer
Ich glaube, X steigt auf 45.
X steht jetzt bei 42, F bei 30
Bin bis 20 Uhr weg.
Am 12.10. bin ich im Urlaub
Das war Runde 3 von 12
Ok
+1
100%
Anna hat 3, Ben hat 40
Wer hat die 3 gewürfelt?
B 52 war eine gute Band
F 16 fliegt tief
A 3 Blatt reicht
C 3 hat recht
X war 3 Monate lang billig
PS: 3 Tage Urlaub ab Montag
@Ben: 40 war zu viel
https://example.org/thread/3?post=40
Standard ist doch 20, oder?
Fine, 3 of you posted
Fine by me, see you at 8
A or B?
A/B-Test
Thanks for the 3 hints, Cem
I will be back in 2 days for 1 hour
Next deadline: Monday 20:00
I think 40 is too much for X this month
Only 2 players left to post
Round 5 was great fun
Dora needs 3 more minutes
That was 3 for 40, wasn't it
Good luck everybody!
Hallo zusammen!
Hi, X war 42
Moin, 3 Tage Zeit noch?
Hello everybody, A or B?
Hallo, passe ich mich an?
Hi there, pass auf, X ist teuer
Can we play 12 months?
1 zu 0 für Bayern!
S-Bahn 3 hat Verspätung
Kapitel 3: Der Markt
X, F, S
a
:-)
---
Lästige Signaturen kann man unter Benutzer-CP Optionen ändern
Also theoretisch insgesamt 27 Einheiten in einem Zug kaufen könnte?
Dürfen insgesamt maximal 9 Einheiten X-Fine, Fine oder Standard geordert werden.""".splitlines()


@pytest.mark.parametrize(("line", "said"), NEAR_MISSES.items(), ids=NEAR_MISSES)
def test_a_near_miss_is_reported_with_line_reason_and_right_form(line: str, said: str | None) -> None:
    """T231"""
    reading = read(f"Hallo,\n{line}\nbis dann", buying())
    assert reading.intent == "orders"
    assert not reading.is_valid
    problem = reading.problems[0]
    assert problem.line == 2
    assert problem.quote
    assert problem.quote in line
    assert problem.right is not None
    assert read(problem.right, buying()).is_valid
    assert reading.lines[1].verdict == "problem"
    if said is not None:
        assert [plain(found.text) for found in reading.problems] == [said]


@pytest.mark.parametrize("line", CHAT)
def test_chat_is_neither_an_order_nor_reported(line: str) -> None:
    """T231"""
    for ask in (buying(), selling(), buying("Eisen", "Stahl", "Titanium 2")):
        reading = read(line, ask)
        assert (reading.intent, reading.orders) == (None, ())
        assert [plain(problem.text) for problem in reading.problems] == []


def test_five_near_misses_are_five_problems() -> None:
    """T231"""
    lines = ["X:3 zu", "Y:3 zu 40", "hallo", "F:drei zu 30", "S:3 zu 20", "S:-3 zu 20", "X:3 zu 1.000"]
    reading = read("\n".join(lines), buying())
    assert [problem.line for problem in reading.problems] == [1, 2, 4, 6, 7]
    assert reading.orders == (bid("S", 3, 20),)
    assert not reading.is_valid


def test_each_bad_order_of_a_line_is_told() -> None:
    """T231"""
    reading = read("X:3 zu 40, F:drei zu 30; S:3", buying())
    assert [problem.quote for problem in reading.problems] == ["F:drei zu 30", "S:3"]
    assert reading.lines[0].orders == (bid("X", 3, 40),)


def test_the_right_form_keeps_what_was_understood() -> None:
    (problem,) = read("F: zwölf zu 31", buying(), language="de").problems
    assert problem.right == "F:3 zu 31"


@pytest.mark.parametrize(
    "text",
    [
        "X:3 zu 40, " * 3000 + "und",
        "x " * 50_000,
        "3 000 " * 16_000,
        "9" * 100_000,
        "1." * 50_000,
        "x\n" * 50_000,
        "X:3 zu 40 (" * 3000,
        "X 3 und " * 12_000,
        "".join(f"X:{number} zu\n" for number in range(10_000)),
        "".join(f"3 Tage {number} Uhr X\n" for number in range(6_000)),
        "[orders]" * 12_000,
        "".join(map(chr, range(32, 0xD800)))[::2],
    ],
    ids=range(12),
)
def test_long_garbage_is_read_in_linear_time(text: str) -> None:
    started = time.process_time()
    read(text, buying())
    assert time.process_time() - started < 10


def test_what_does_not_belong_on_a_line_is_told_with_the_orders_that_do() -> None:
    (problem,) = read("F:2 zu 31; X:4 zu 42, viele Grüße", buying(), language="de").problems
    assert (problem.quote, problem.right) == ("viele Grüße", "F:2 zu 31, X:4 zu 42")
