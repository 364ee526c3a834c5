from __future__ import annotations

import datetime as dt

from audit.partitions import wanted


def test_this_month_and_the_next_three_are_wanted() -> None:
    months = wanted(dt.date(2026, 11, 30))
    assert [f"{m:%Y-%m-%d}" for m in months] == [
        "2026-11-01",
        "2026-12-01",
        "2027-01-01",
        "2027-02-01",
    ]
