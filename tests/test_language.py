"""Sentences, numbers, money, names and times in the reader's language."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from judge.core.text import DOLLARS, Currency, Listing, Moment, Money, Player, Span, Text
from judge.language import UnknownLanguageError, UnknownZoneError, Voice, negotiated, teach

ENGLISH = Voice("en", "Europe/Berlin")
GERMAN = Voice("de", "Europe/Berlin")
DEADLINE = datetime(2026, 12, 1, 19, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A ruleset's catalogue with a sentence, a plural and a text that the judge has as well."""
    file = tmp_path / "locale" / "de" / "LC_MESSAGES" / "messages.po"
    file.parent.mkdir(parents=True)
    file.write_text(
        """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "{who} sells {what}."
msgstr "{what}: verkauft von {who}."

msgid "{count} unit of {what}"
msgid_plural "{count} units of {what}"
msgstr[0] "{count} Einheit {what}"
msgstr[1] "{count} Einheiten {what}"

msgid "{label} is missing."
msgstr "{label} gibt es hier nicht."

#, fuzzy
msgid "Guessed."
msgstr "Geraten."
""",
        encoding="utf-8",
    )
    return tmp_path / "locale"


@pytest.mark.parametrize(
    ("value", "english", "german"),
    [
        (0, "0", "0"),
        (1300, "1,300", "1.300"),
        (-5, "−5", "−5"),
        (Money(1300), "$1,300", "1.300\N{NO-BREAK SPACE}$"),
        (Money(-20), "−$20", "−20\N{NO-BREAK SPACE}$"),
        (Span(300), "5 minutes", "5 Minuten"),
        (Span(0), "0 seconds", "0 Sekunden"),
        (Span(93600), "1 day, 2 hours", "1 Tag, 2 Stunden"),
        (Span(5400), "1 hour, 30 minutes", "1 Stunde, 30 Minuten"),
        (Listing(("A", "B", "C")), "A, B and C", "A, B und C"),
        (Listing(("A", Money(3))), "A and $3", "A und 3\N{NO-BREAK SPACE}$"),
        (Listing(()), "", ""),
        ("2026", "2026", "2026"),
        (None, "–", "–"),
        (
            Moment(DEADLINE),
            "Tuesday, 1 December 2026, 20:00 (Berlin)",
            "Dienstag, 1. Dezember 2026, 20:00 Uhr (Berlin)",
        ),
    ],
)
def test_values_look_as_the_language_writes_them(value: Any, english: str, german: str) -> None:
    """T308: number and date format follow the language, codes stay unchanged."""
    assert ENGLISH.say(value) == english
    assert GERMAN.say(value) == german


@pytest.mark.parametrize(
    ("currency", "amount", "english", "german"),
    [
        (Currency({"en": "{amount} Cr", "de": "{amount} Kr"}), 20_000, "20,000 Cr", "20.000 Kr"),
        (Currency({"en": "{amount} Cr", "de": "{amount} Kr"}), -1, "−1 Cr", "−1 Kr"),
        (Currency({"en": "£{amount}"}), -1300, "−£1,300", "−£1.300"),
        (DOLLARS, 0, "$0", "0\N{NO-BREAK SPACE}$"),
    ],
)
def test_money_is_written_as_its_game_writes_it(currency: Currency, amount: int, english: str, german: str) -> None:
    said = [Voice(language, currency=currency).say(Text.of("{x}", x=Money(amount))) for language in ("en", "de")]
    assert said == [english, german]


@pytest.mark.parametrize("pattern", ["Cr", "{amount} and {amount}", "{amount} of 9"])
def test_currency_must_leave_one_place_for_the_amount(pattern: str) -> None:
    with pytest.raises(ValueError, match="must hold"):
        Currency({"en": pattern})
    with pytest.raises(KeyError):
        Currency({"de": "{amount} Kr"})


def test_truth_values_are_never_said() -> None:
    with pytest.raises(TypeError, match="truth value"):
        ENGLISH.say(True)


def test_seat_is_called_by_the_name_that_is_its_now() -> None:
    assert Voice("en", names={"2": "Ben"}).say(Player("2")) == "Ben"
    assert ENGLISH.say(Player("2")) == "2"


def test_rulesets_catalogue_is_asked_before_the_judges(folder: Path) -> None:
    voice = Voice("de", names={"1": "Anna"}, catalogues=(folder,))
    assert voice.say(Text.of("{who} sells {what}.", who=Player("1"), what="X")) == "X: verkauft von Anna."
    assert voice.say(Text.of("{label} is missing.", label="X")) == "X gibt es hier nicht."
    assert GERMAN.say(Text.of("{label} is missing.", label="X")) == "X fehlt."
    assert voice.say(Text.of("{name} is on no list.", name="X")) == "X is on no list."
    assert voice.say(Text.of("Guessed.")) == "Guessed."


def test_number_picks_the_form(folder: Path) -> None:
    german = Voice("de", catalogues=(folder,))

    def units(count: int) -> Text:
        return Text.n("{count} unit of {what}", "{count} units of {what}", count, what="X")

    assert [german.say(units(n)) for n in (0, 1, 1300)] == ["0 Einheiten X", "1 Einheit X", "1.300 Einheiten X"]
    assert [ENGLISH.say(units(n)) for n in (0, 1, 1300)] == ["0 units of X", "1 unit of X", "1,300 units of X"]


def test_values_may_be_sentences_themselves(folder: Path) -> None:
    good = Text.of("{label} is missing.", label=Listing((Money(3), Player("1"))))
    voice = Voice("de", names={"1": "Anna"}, catalogues=(folder,))
    assert voice.say(Text.of("{who} sells {what}.", who="Ben", what=good)) == (
        "3\N{NO-BREAK SPACE}$ und Anna gibt es hier nicht.: verkauft von Ben."
    )


@given(st.text())
def test_what_people_type_stays_as_it_is(name: str) -> None:
    """Braces, percent signs and gaps in a name are nothing but letters."""
    for typed in (name, "{who}", "{0}", "{who.__class__}", "100 %(num)s", "{{", "\\g<0>"):
        voice = Voice("de", names={"1": typed})
        assert voice.say(Text.of("{label} is missing.", label=Player("1"))) == f"{typed} fehlt."


def test_unknown_language_or_zone_says_what_is_possible() -> None:
    with pytest.raises(UnknownLanguageError, match=r"“fr”.*en, de"):
        Voice("fr")
    for zone in ("Mars/Phobos", "", "../etc/passwd", "Europe"):
        with pytest.raises(UnknownZoneError, match="Europe/Berlin"):
            Voice("en", zone)
    with pytest.raises(UnknownZoneError):
        Voice("en", own_zone="Nowhere")


@pytest.mark.parametrize(
    ("left", "english", "german"),
    [
        (
            timedelta(hours=5),
            "Tuesday, 20:00 (Berlin), in 5 hours",
            "Dienstag, 20:00 Uhr (Berlin), in 5 Stunden",
        ),
        (
            timedelta(minutes=5),
            "Tuesday, 20:00 (Berlin), in 5 minutes",
            "Dienstag, 20:00 Uhr (Berlin), in 5 Minuten",
        ),
        (timedelta(days=3), "Tuesday, 20:00 (Berlin), in 3 days", "Dienstag, 20:00 Uhr (Berlin), in 3 Tagen"),
        (
            timedelta(days=8),
            "Tuesday, 1 December 2026, 20:00 (Berlin), in 8 days",
            "Dienstag, 1. Dezember 2026, 20:00 Uhr (Berlin), in 8 Tagen",
        ),
    ],
)
def test_deadline_is_told_with_its_zone_and_how_long_it_is(left: timedelta, english: str, german: str) -> None:
    """T058: five minutes are "5 minutes", never "1 day" or "0 days"."""
    now = DEADLINE - left
    for voice, expected in ((ENGLISH, english), (GERMAN, german)):
        assert f"{voice.moment(DEADLINE, now)}, {voice.distance(DEADLINE, now)}" == expected


def test_same_weekday_next_week_is_told_with_its_date() -> None:
    week_before = DEADLINE - timedelta(days=6, hours=20, minutes=1)
    assert "December" in ENGLISH.moment(DEADLINE, week_before)
    assert "December" not in ENGLISH.moment(DEADLINE, DEADLINE - timedelta(days=6, hours=20))


def test_deadline_that_has_passed_is_told_as_past() -> None:
    assert ENGLISH.distance(DEADLINE, DEADLINE + timedelta(minutes=3)) == "3 minutes ago"


def test_reader_elsewhere_sees_his_time_and_the_games_with_its_offset() -> None:
    """T061: a viewer in Tokyo sees his own time plus the game's zone plus its offset."""
    tokyo = Voice("en", "Europe/Berlin", own_zone="Asia/Tokyo")
    assert tokyo.moment(DEADLINE, DEADLINE - timedelta(days=1)) == (
        "Wednesday, 04:00 (Tokyo); in Berlin (UTC+1) it is Tuesday, 20:00 then"
    )
    newfoundland = Voice("de", "America/St_Johns", own_zone="Europe/Vienna")
    assert "(Wien)" in newfoundland.moment(DEADLINE)
    assert "(UTC−3:30)" in newfoundland.moment(DEADLINE)
    assert Voice("en", "Europe/Berlin", own_zone="Europe/Berlin").moment(DEADLINE) == ENGLISH.moment(DEADLINE)


def test_summer_time_is_minded() -> None:
    assert "20:00" in ENGLISH.moment(datetime(2026, 3, 29, 18, 0, tzinfo=UTC))
    assert "20:00" in ENGLISH.moment(datetime(2026, 3, 28, 19, 0, tzinfo=UTC))


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr-FR, en;q=0.3, de;q=0.7", "de"),
        ("en-US", "en"),
        ("de;q=0, en", "en"),
        ("fr", "en"),
        ("", "en"),
        ("*", "en"),
        (";;;q=,de;q=x", "en"),
    ],
)
def test_browser_gets_the_language_that_it_likes_best(header: str, language: str) -> None:
    assert negotiated(header) == language


def test_nothing_liked_gives_the_default() -> None:
    assert negotiated("fr", default="de") == "de"


def test_one_environment_of_templates_speaks_every_language() -> None:
    environment = Environment(autoescape=True)
    teach(environment)
    template = environment.from_string(
        "{% trans %}The numbers as a table{% endtrans %}"
        " {{ 1300|number }} {{ 20|money }} {{ when|moment }} {{ who|say }}"
    )
    spoken = [template.render(voice=voice, when=DEADLINE, who=Player("<b>")) for voice in (ENGLISH, GERMAN)]
    assert spoken[0] == "The numbers as a table 1,300 $20 Tuesday, 1 December 2026, 20:00 (Berlin) &lt;b&gt;"
    assert spoken[1].startswith("Die Zahlen als Tabelle 1.300 20")


def test_template_without_a_voice_says_so() -> None:
    environment = Environment(autoescape=True)
    teach(environment)
    with pytest.raises(TypeError, match="voice"):
        environment.from_string("{% trans %}The numbers as a table{% endtrans %}").render()
