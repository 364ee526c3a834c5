"""Numbers, money, sizes and times as people read them. Pure: language, zone and now come in."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, tzinfo
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache
from typing import TypeVar

from babel.core import Locale, get_global
from babel.dates import format_date, get_timezone_location
from babel.numbers import format_currency, format_decimal

_T = TypeVar("_T")

# Ordinary spaces on purpose: these strings also pass through filters that show unusual ones.
_UNUSUAL_SPACES = str.maketrans({"\u00a0": " ", "\u202f": " "})
_DATE_PATTERNS = {"pt": "dd/MM/y", "en": "d MMM y"}
_DAY_PATTERNS = {"pt": "dd/MM", "en": "d MMM"}
# The short relative form of CLDR has no hours-and-minutes; this is grammar, not a phrase.
_DIRECTIONS = {"pt": ("em {}", "há {}"), "en": ("in {}", "{} ago")}
_DAY_WORDS = {"pt": ("dia", "dias"), "en": ("day", "days")}
_CITY_TIME = {"pt": "Horário de {}", "en": "{} Time"}
_UTC_TIME = {"pt": "Horário UTC", "en": "UTC Time"}
_SMALLEST_REAIS = Decimal("0.0001")
_SIZE_UNITS = ("kB", "MB", "GB", "TB")
# As `signature` writes a person, and a standing permission.
_SUBJECT = re.compile(r" \((?:usuario:\d+|permissao:[0-9a-f-]{36})\)")


@lru_cache(maxsize=32)
def babel_locale(language: str) -> Locale:
    """A Django language code as a Babel locale; anything but English reads as pt-BR."""
    return Locale.parse("en" if _is_english(language) else "pt_BR")


def date_text(moment: datetime, *, language: str) -> str:
    return _formatted(moment, _for_language(_DATE_PATTERNS, language), language)


def moment_text(moment: datetime, *, language: str) -> str:
    return f"{date_text(moment, language=language)} {clock_text(moment)}"


def short_text(moment: datetime, *, now: datetime, language: str) -> str:
    """Hour and minute, with as much of the date as differs from now: "15:14", "01/12 09:00"."""
    clock = f"{moment:%H:%M}"
    if moment.date() == now.date():
        return clock
    if moment.year != now.year:
        return f"{date_text(moment, language=language)} {clock}"
    return f"{day_of_year_text(moment, language=language)} {clock}"


def day_of_year_text(moment: datetime, *, language: str) -> str:
    """A day of this year, without it: "30/11", "30 Nov"."""
    return _formatted(moment, _for_language(_DAY_PATTERNS, language), language)


def day_text(moment: datetime, *, language: str) -> str:
    """The heading of a day: "Segunda, 30 de novembro de 2026"."""
    if _is_english(language):
        return _formatted(moment, "EEEE, d MMMM y", language)
    weekday = _formatted(moment, "EEEE", language).removesuffix("-feira")
    rest = _formatted(moment, "d 'de' MMMM 'de' y", language)
    return f"{weekday.capitalize()}, {rest}"


def clock_text(moment: datetime) -> str:
    return f"{moment:%H:%M:%S}"


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Refuse a time without zone: shown to an auditor it would be a guess."""
    if moment.tzinfo is None:
        raise ValueError("a time on a page needs its zone")
    return moment.astimezone(zone)


def offset_text(moment: datetime) -> str:
    """UTC−3, UTC+5:30, UTC: with a real minus sign, as people write it."""
    minutes = int((moment.utcoffset() or timedelta()).total_seconds()) // 60
    if minutes == 0:
        return "UTC"
    hours, rest = divmod(abs(minutes), 60)
    sign = "−" if minutes < 0 else "+"
    return f"UTC{sign}{hours}" + (f":{rest:02d}" if rest else "")


def until_text(deadline: datetime, *, now: datetime, language: str) -> str:
    """How far away a time is, rounded down: "em 42 min", "há 3 min", "em 1 h 05"."""
    seconds = (deadline - now).total_seconds()
    ahead, behind = _for_language(_DIRECTIONS, language)
    pattern = ahead if seconds >= 0 else behind
    return pattern.format(_span(int(abs(seconds)), language))


def wait_text(seconds: int, *, language: str) -> str:
    """A length of time, below ten minutes to the second, then rounded down: "42 s", "1 min 40 s",
    "12 min", "3 h 05", "2 dias"."""
    if 60 <= seconds < 600 and seconds % 60:
        return f"{seconds // 60} min {seconds % 60} s"
    return _span(seconds, language)


def money_text(centavos: Decimal | int, *, language: str) -> str:
    """Centavos as reais. Below one real a part of a centavo is shown, with four decimals:
    model calls cost less than a centavo and "R$ 0,00" would be untrue."""
    reais = Decimal(centavos) / 100
    if 0 < abs(reais) < _SMALLEST_REAIS:
        return f"< {_currency(_SMALLEST_REAIS, 4, language)}"
    has_part = abs(reais) < 1 and reais != reais.quantize(Decimal("0.01"))
    return _currency(reais, 4 if has_part else 2, language)


def size_text(size: int, *, language: str) -> str:
    """Bytes in decimal units, one decimal from megabytes up: "88 kB", "4,1 MB"."""
    if size < 1000:
        return f"{size} B"
    value = Decimal(size) / 1000
    unit = 0
    while value >= 1000 and unit < len(_SIZE_UNITS) - 1:
        value /= 1000
        unit += 1
    pattern = "#,##0" if unit == 0 else "#,##0.#"
    number = format_decimal(value, format=pattern, locale=babel_locale(language))
    return f"{number} {_SIZE_UNITS[unit]}"


def number_text(value: Decimal | int | float, *, language: str) -> str:
    """Thousands and decimals by language, at most two decimals: "18.412"."""
    return str(format_decimal(value, format="#,##0.##", locale=babel_locale(language)))


def bounded_text(value: int, *, bound: int, language: str) -> str:
    """A count that was stopped behind its bound: "1.000+" for any number over it."""
    more = "+" if value > bound else ""
    return number_text(min(value, bound), language=language) + more


def short_hash(value: str) -> str:
    """The first eight and the next eight digits: enough to compare by eye, never to decide by."""
    shown = " ".join(part for part in (value[:8], value[8:16]) if part)
    return f"{shown} …" if len(value) > 16 else shown


def key_label(shortcut: str) -> str:
    """An `aria-keyshortcuts` value as it is printed on keyboards."""
    return shortcut.replace("Control", "Ctrl").replace("Escape", "Esc")


def zone_text(moment: datetime, name: str, *, language: str) -> str:
    """A zone as people call it, then its name and its distance from UTC: "Horário de Brasília
    (America/Sao_Paulo, UTC−3)". One that has no such word is called by its city."""
    offset = offset_text(moment)
    if name == offset:
        return _for_language(_UTC_TIME, language)
    locale = babel_locale(language)
    words = locale.meta_zones.get(get_global("meta_zones").get(name, ""), {})
    called = words.get("long", {}).get("generic")
    if not called:
        city = get_timezone_location(name, locale=locale, return_city=True)
        called = _for_language(_CITY_TIME, language).format(city)
    return f"{called} ({name}, {offset})"


def without_ids(text: str) -> str:
    """People by their names alone: "aprovador 1 (usuario:2)" reads "aprovador 1"."""
    return _SUBJECT.sub("", text)


def _is_english(language: str) -> bool:
    return language.lower().startswith("en")


def _for_language(table: dict[str, _T], language: str) -> _T:
    return table["en" if _is_english(language) else "pt"]


def _formatted(moment: datetime, pattern: str, language: str) -> str:
    # Babel would move the moment to UTC; it is already in the zone of the page.
    return _day_formatted(moment.date(), pattern, language)


@lru_cache(maxsize=1024)
def _day_formatted(day: date, pattern: str, language: str) -> str:
    return str(format_date(day, pattern, locale=babel_locale(language)))


def _span(seconds: int, language: str) -> str:
    minutes, hours = seconds // 60, seconds // 3600
    if seconds < 60:
        return f"{seconds} s"
    if hours < 1:
        return f"{minutes} min"
    if hours < 24:
        return f"{hours} h {minutes % 60:02d}"
    one, many = _for_language(_DAY_WORDS, language)
    days = hours // 24
    return f"{days} {one if days == 1 else many}"


@lru_cache(maxsize=1024)
def _currency(reais: Decimal, decimals: int, language: str) -> str:
    exact = reais.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    text = format_currency(
        exact,
        "BRL",
        "¤ #,##0." + "0" * decimals,
        locale=babel_locale(language),
        currency_digits=False,
    )
    return str(text).translate(_UNUSUAL_SPACES)
