"""How a sentence becomes a language: the only place where texts are translated and values get their look.

A `Voice` speaks one language to one reader.  It fills the gaps of a `Text` with values said in the same voice: money
and numbers as the language writes them, seats by the names that are theirs now, instants in the game's zone.
Values are put in after the translation and are never looked at again, so a name with braces or percent signs stays
what its owner typed.

Catalogues are the `.po` files as translators know them; they are read as they are, and nothing is compiled on disk.
A ruleset's own catalogue is asked before the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, negotiate_locale
from babel.dates import format_date, format_time, format_timedelta, get_timezone_location
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from babel.units import format_unit
from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from judge.core.report import Cell
from judge.core.ruleset import AnyRuleset
from judge.core.text import DOLLARS, Currency, Listing, Moment, Money, Player, Span, Text, Value
from judge.resources import locale_folder

LANGUAGES = ("en", "de")

# British English writes dates and lists as most forums read them, with a clock of 24 hours.
_LOCALES = {"en": Locale("en", "GB"), "de": Locale("de")}
_GAP = re.compile(r"\{(\w+)\}")
_MINUS = "\N{MINUS SIGN}"
_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))


class UnknownLanguageError(ValueError):
    """A language that the judge does not speak; `text` says it to people."""

    def __init__(self, language: str) -> None:
        known = ", ".join(LANGUAGES)
        self.text = Text.of("There is no language “{name}”; there are: {known}.", name=language, known=known)
        super().__init__(self.text.text.format(**self.text.values))


class UnknownZoneError(ValueError):
    """A time zone that is not in the IANA list; `text` says it to people."""

    def __init__(self, zone: str) -> None:
        self.text = Text.of("There is no time zone “{name}”; right would be, for example: Europe/Berlin.", name=zone)
        super().__init__(self.text.text.format(**self.text.values))


def time_zone(name: str) -> ZoneInfo:
    """The zone of an IANA name; raises `UnknownZoneError`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZoneError(name) from None


@dataclass(frozen=True)
class Voice:
    """Speaks `language` to a reader.

    zone        IANA name of the game's zone
    names       seats' keys and who sits there now; a key without a name is said itself
    catalogues  folders of catalogues to ask before the judge's: a ruleset's `folder / "locale"`
    own_zone    the reader's zone, if he has chosen one: instants are then told in both
    currency    how the game writes its money
    """

    language: str
    zone: str = "UTC"
    names: Mapping[str, str] = field(default_factory=dict)
    catalogues: tuple[Path, ...] = ()
    own_zone: str | None = None
    currency: Currency = DOLLARS

    @classmethod
    def of(
        cls,
        ruleset: AnyRuleset,
        language: str,
        zone: str = "UTC",
        names: Mapping[str, str] | None = None,
        own_zone: str | None = None,
    ) -> Self:
        """The voice of a game with these rules: with their catalogue and their money."""
        return cls(
            language,
            zone=zone,
            names=names or {},
            catalogues=(ruleset.folder / "locale",),
            own_zone=own_zone,
            currency=ruleset.currency,
        )

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise UnknownLanguageError(self.language)
        time_zone(self.zone)
        if self.own_zone is not None:
            time_zone(self.own_zone)

    def say(self, value: Value | Cell) -> str:
        """Any value as a reader of this language expects it; None, an empty cell, is a dash."""
        match value:
            case None:
                return "–"
            case str():
                return value
            case bool():
                raise TypeError("a truth value has no words; say what it means in a Text")
            case int():
                return self.number(value)
            case Text():
                return self._sentence(value)
            case Money(money=amount):
                return self.money(amount)
            case Player(player=seat):
                return self.names.get(seat, seat)
            case Moment(moment=instant):
                return self.moment(instant)
            case Span(seconds=seconds):
                return self.span(seconds)
            case Listing(items=items):
                return format_list([self.say(item) for item in items], locale=self._locale)

    def gettext(self, message: str) -> str:
        """The translation of a message, gaps still open."""
        return _translations(self.language, self.catalogues).gettext(message)

    def ngettext(self, one: str, many: str, count: int) -> str:
        """The translation of a message that depends on a number, gaps still open."""
        return _translations(self.language, self.catalogues).ngettext(one, many, count)

    def number(self, number: int) -> str:
        """1,300 or 1.300, with a real minus."""
        return format_decimal(number, locale=self._locale).replace("-", _MINUS)

    def money(self, amount: int) -> str:
        """$1,300 or 1.300 $, or as the game writes its own money."""
        written = self.currency.pattern(self.language).replace("{amount}", self.number(abs(amount)))
        return f"{_MINUS}{written}" if amount < 0 else written

    def span(self, seconds: int) -> str:
        """A length of time in its two largest units: "5 minutes", "1 day, 2 hours"."""
        rest = abs(seconds)
        parts: list[str] = []
        for unit, length in _UNITS:
            amount, rest = divmod(rest, length)
            if amount or (unit == "second" and not parts):
                parts.append(format_unit(amount, f"duration-{unit}", locale=self._locale))
        return format_list(parts[:2], style="unit", locale=self._locale)

    def moment(self, instant: datetime, now: datetime | None = None) -> str:
        """An instant with its zone: "Tuesday, 1 December 2026, 20:00 (Berlin)".

        With `now`, a day less than a week away is told by its name alone.
        """
        if self.own_zone is None or self.own_zone == self.zone:
            return self._local(instant, self.zone, now)
        offset = _offset(instant, time_zone(self.zone))
        return self._sentence(
            Text.of(
                "{own}; in {place} ({offset}) it is {there} then",
                own=self._local(instant, self.own_zone, now),
                place=self._place(self.zone),
                offset=offset,
                there=self._local(instant, self.zone, now, place=False),
            )
        )

    def distance(self, instant: datetime, now: datetime) -> str:
        """How far off an instant is, in one unit: "in 5 minutes", "2 days ago"."""
        return format_timedelta(
            timedelta(seconds=round((instant - now).total_seconds())),
            granularity="second",
            threshold=2,
            add_direction=True,
            locale=self._locale,
        )

    @property
    def _locale(self) -> Locale:
        return _LOCALES[self.language]

    def _sentence(self, text: Text) -> str:
        if text.plural is not None and text.count is not None:
            pattern = self.ngettext(text.text, text.plural, text.count)
        else:
            pattern = self.gettext(text.text)
        return _GAP.sub(lambda gap: self.say(text.values[gap[1]]) if gap[1] in text.values else gap[0], pattern)

    def _local(self, instant: datetime, zone: str, now: datetime | None, *, place: bool = True) -> str:
        local = instant.astimezone(time_zone(zone))
        near = now is not None and 0 <= (local.date() - now.astimezone(local.tzinfo).date()).days < 7
        day = format_date(local, "EEEE" if near else "full", locale=self._locale)
        time = format_time(local, "HH:mm", tzinfo=time_zone(zone), locale=self._locale)
        if place:
            return self._sentence(Text.of("{day}, {time} ({place})", day=day, time=time, place=self._place(zone)))
        return self._sentence(Text.of("{day}, {time}", day=day, time=time))

    def _place(self, zone: str) -> str:
        return get_timezone_location(zone, locale=self._locale, return_city=True)


def _offset(instant: datetime, zone: tzinfo) -> str:
    """How a zone differs from UTC at an instant: UTC+1, UTC−3:30."""
    minutes = int((instant.astimezone(zone).utcoffset() or timedelta()).total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{_MINUS if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


@cache
def _translations(language: str, folders: tuple[Path, ...]) -> NullTranslations:
    """The catalogues of one language, each the fallback of the one before it, English keys at the end."""
    chain = NullTranslations()
    for folder in reversed((*folders, locale_folder())):
        file = folder / language / "LC_MESSAGES" / "messages.po"
        if file.is_file():
            with file.open("rb") as source:
                catalogue = read_po(source, locale=language)
            compiled = BytesIO()
            write_mo(compiled, catalogue)
            compiled.seek(0)
            translations = GNUTranslations(compiled)
            translations.add_fallback(chain)
            chain = translations
    return chain


def negotiated(accept_language: str, default: str = "en") -> str:
    """The language of ours that an Accept-Language header likes best."""
    liked: list[tuple[float, str]] = []
    for part in accept_language.split(","):
        tag, _, quality = part.strip().partition(";")
        weight = re.fullmatch(r"\s*q=([01](?:\.\d{0,3})?)\s*", quality) if quality else None
        if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*", tag.strip()) and (weight or not quality):
            liked.append((float(weight[1]) if weight else 1.0, tag.strip()))
    wanted = [tag for quality, tag in sorted(liked, key=lambda pair: -pair[0]) if quality > 0]
    return negotiate_locale(wanted, LANGUAGES, sep="-") or default


def teach(environment: Environment) -> None:
    """Lets templates speak: `{% trans %}` and `_()`, and the filters `say`, `number`, `money` and `moment`.

    One environment serves all languages: the `voice` is a variable of each rendering.  Macros that use any of this
    are imported `with context`.
    """
    environment.add_extension("jinja2.ext.i18n")
    environment.policies["ext.i18n.trimmed"] = True
    install = environment.install_gettext_callables  # type: ignore[attr-defined]  # the extension adds it
    install(_gettext, _ngettext, newstyle=True)
    environment.filters |= {"say": _say, "number": _number, "money": _money, "moment": _moment}


def _voice(context: Context) -> Voice:
    voice = context.get("voice")
    if not isinstance(voice, Voice):
        raise TypeError("a template that speaks needs the variable `voice`")
    return voice


@pass_context
def _gettext(context: Context, message: str) -> str:
    return _voice(context).gettext(message)


@pass_context
def _ngettext(context: Context, one: str, many: str, count: int) -> str:
    return _voice(context).ngettext(one, many, count)


@pass_context
def _say(context: Context, value: Value | Cell) -> str:
    return _voice(context).say(value)


@pass_context
def _number(context: Context, number: int) -> str:
    return _voice(context).number(number)


@pass_context
def _money(context: Context, amount: int) -> str:
    return _voice(context).money(amount)


@pass_context
def _moment(context: Context, instant: datetime, now: datetime | None = None) -> str:
    return _voice(context).moment(instant, now)
