from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from opspilot.presentation.days import are_all_on, need_dates
from opspilot.presentation.shapes import Entry

DAY = dt.date(2026, 11, 30)
LATE = Entry(dt.datetime(2026, 12, 1, 2, 30, tzinfo=dt.UTC), "23:30 in São Paulo")
NOON = Entry(dt.datetime(2026, 11, 30, 15, 0, tzinfo=dt.UTC), "12:00 in São Paulo")


@pytest.mark.parametrize(("zone", "expected"), [("America/Sao_Paulo", True), ("UTC", False)])
def test_a_day_is_the_day_of_the_page_s_zone(zone: str, expected: bool) -> None:
    with timezone.override(ZoneInfo(zone)):
        assert are_all_on(DAY, [NOON, LATE]) is expected


def test_a_timeline_of_this_moment_needs_no_dates_and_an_old_one_does() -> None:
    now = Entry(timezone.now(), "now")
    yesterday = Entry(now.time - dt.timedelta(days=1), "yesterday")
    assert not need_dates([now])
    assert need_dates([yesterday, now])


def test_an_empty_timeline_needs_no_dates() -> None:
    assert not need_dates([])
