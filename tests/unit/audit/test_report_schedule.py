"""When a saved report runs next, on the days and hours of the installation's zone."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from audit.reports.schedule import next_run

SAO_PAULO = ZoneInfo("America/Sao_Paulo")


def at(text: str, zone: dt.tzinfo = SAO_PAULO) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("schedule", "after", "expected"),
    [
        ("diario", "2026-03-12T07:59", "2026-03-12T08:00"),
        ("diario", "2026-03-12T08:00", "2026-03-13T08:00"),
        ("semanal", "2026-03-12T12:00", "2026-03-16T08:00"),
        ("semanal", "2026-03-16T08:00", "2026-03-23T08:00"),
        ("mensal", "2026-12-01T09:00", "2027-01-01T08:00"),
        ("mensal", "2024-02-29T23:00", "2024-03-01T08:00"),
    ],
)
def test_the_next_run_is_the_first_moment_of_the_schedule_behind_now(
    schedule: str, after: str, expected: str
) -> None:
    assert next_run(schedule, hour=8, after=at(after), zone=SAO_PAULO) == at(expected)


def test_the_day_is_the_zone_s_and_not_utc_s() -> None:
    late = dt.datetime(2026, 3, 16, 1, 0, tzinfo=dt.UTC)  # Sunday evening in São Paulo
    assert next_run("semanal", hour=0, after=late, zone=SAO_PAULO) == at("2026-03-16T00:00")


def test_without_a_schedule_there_is_no_next_run() -> None:
    assert next_run("", hour=8, after=at("2026-03-12T07:59"), zone=SAO_PAULO) is None


def test_an_hour_that_the_clock_leaves_out_still_comes_once_that_day() -> None:
    """2018-11-04: midnight to one did not exist in São Paulo."""
    first = next_run("diario", hour=0, after=at("2018-11-03T12:00"), zone=SAO_PAULO)
    assert first is not None
    second = next_run("diario", hour=0, after=first, zone=SAO_PAULO)
    assert second is not None
    assert first.astimezone(SAO_PAULO).date() == dt.date(2018, 11, 4)
    assert second.astimezone(SAO_PAULO) == at("2018-11-05T00:00")
