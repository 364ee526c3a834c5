from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from opspilot.presentation import formats

NOW = datetime(2026, 11, 30, 17, 14, tzinfo=UTC)
SAO_PAULO = ZoneInfo("America/Sao_Paulo")


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (timedelta(minutes=42, seconds=59), "em 42 min"),
        (timedelta(minutes=-3), "há 3 min"),
        (timedelta(seconds=6), "em 6 s"),
        (timedelta(hours=1, minutes=5), "em 1 h 05"),
        (timedelta(days=1, hours=3), "em 1 dia"),
        (timedelta(days=-2), "há 2 dias"),
    ],
)
def test_a_distance_is_told_rounded_down_in_portuguese(distance: timedelta, expected: str) -> None:
    assert formats.until_text(NOW + distance, now=NOW, language="pt-br") == expected


def test_a_distance_is_told_in_english() -> None:
    later, earlier = NOW + timedelta(minutes=42), NOW - timedelta(days=2)
    assert formats.until_text(later, now=NOW, language="en") == "in 42 min"
    assert formats.until_text(earlier, now=NOW, language="en") == "2 days ago"


@pytest.mark.parametrize(
    ("centavos", "expected"),
    [
        (Decimal(123456), "R$ 1.234,56"),
        (Decimal(0), "R$ 0,00"),
        (Decimal("0.5"), "R$ 0,0050"),
        (Decimal("3.12"), "R$ 0,0312"),
        (Decimal("0.001"), "< R$ 0,0001"),
        (Decimal("150.4"), "R$ 1,50"),
        (Decimal(-250), "-R$ 2,50"),
    ],
)
def test_money_is_never_shown_smaller_than_it_is(centavos: Decimal, expected: str) -> None:
    assert formats.money_text(centavos, language="pt-br") == expected


def test_money_in_english_keeps_the_currency() -> None:
    assert formats.money_text(123456, language="en") == "R$ 1,234.56"


@pytest.mark.parametrize(
    ("size", "expected"),
    [(512, "512 B"), (88_000, "88 kB"), (4_100_000, "4,1 MB"), (21_400_000, "21,4 MB")],
)
def test_a_size_is_told_in_the_unit_people_use(size: int, expected: str) -> None:
    assert formats.size_text(size, language="pt-br") == expected


def test_a_moment_shows_its_seconds_in_its_own_zone() -> None:
    at = formats.in_zone(NOW, SAO_PAULO)
    assert formats.moment_text(at, language="pt-br") == "30/11/2026 14:14:00"
    assert formats.moment_text(at, language="en") == "30 Nov 2026 14:14:00"


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="zone"):
        formats.in_zone(NOW.replace(tzinfo=None), SAO_PAULO)


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (timedelta(hours=1), "15:14"),
        (timedelta(days=1), "01/12 14:14"),
        (timedelta(days=40), "09/01/2027 14:14"),
    ],
)
def test_a_short_time_says_as_much_of_the_date_as_differs(later: timedelta, expected: str) -> None:
    now = formats.in_zone(NOW, SAO_PAULO)
    assert formats.short_text(now + later, now=now, language="pt-br") == expected


def test_a_day_heading_has_no_capital_month() -> None:
    assert formats.day_text(NOW, language="pt-br") == "Segunda, 30 de novembro de 2026"


@pytest.mark.parametrize(
    ("zone", "expected"),
    [("America/Sao_Paulo", "UTC−3"), ("Asia/Kolkata", "UTC+5:30"), ("UTC", "UTC")],
)
def test_an_offset_is_written_with_a_real_minus_sign(zone: str, expected: str) -> None:
    assert formats.offset_text(NOW.astimezone(ZoneInfo(zone))) == expected


@pytest.mark.parametrize(
    ("zone", "language", "expected"),
    [
        ("America/Sao_Paulo", "pt-br", "Horário de Brasília (America/Sao_Paulo, UTC−3)"),
        ("America/Sao_Paulo", "en", "Brasilia Time (America/Sao_Paulo, UTC−3)"),
        ("Asia/Kolkata", "pt-br", "Horário de Calcutá (Asia/Kolkata, UTC+5:30)"),
        ("UTC", "pt-br", "Horário UTC"),
    ],
)
def test_a_zone_is_called_as_people_call_it(zone: str, language: str, expected: str) -> None:
    assert formats.zone_text(NOW.astimezone(ZoneInfo(zone)), zone, language=language) == expected


def test_a_hash_shows_its_first_eight_and_next_eight_digits() -> None:
    assert formats.short_hash("3f9a1c7e52d0b486" + "0" * 48) == "3f9a1c7e 52d0b486 …"
    assert formats.short_hash("3f9a") == "3f9a"


def test_a_key_is_printed_as_on_the_keyboard() -> None:
    assert formats.key_label("Control+Enter") == "Ctrl+Enter"
    assert formats.key_label("Escape") == "Esc"


def test_people_are_read_by_their_names_alone() -> None:
    text = "aprovador 1 (usuario:2), aprovador 2 (usuario:13) (plantão) decidiram."
    assert formats.without_ids(text) == "aprovador 1, aprovador 2 (plantão) decidiram."


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(42, "42 s"), (100, "1 min 40 s"), (120, "2 min"), (599, "9 min 59 s"), (700, "11 min")],
)
def test_a_wait_below_ten_minutes_is_said_to_the_second(seconds: int, said: str) -> None:
    assert formats.wait_text(seconds, language="pt-br") == said
