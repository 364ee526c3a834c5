"""Months as dates: the first day of each, in UTC, whatever zone anybody reads them in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

AHEAD = 3
MENDED = 24
"""Months to either side of this one within which a missing month is made."""


def first_of(moment: dt.date) -> dt.date:
    """The month of a date, or of a moment by the clock in UTC."""
    if isinstance(moment, dt.datetime):
        moment = moment.astimezone(dt.UTC).date()
    return moment.replace(day=1)


def moved(month: dt.date, by: int) -> dt.date:
    """The month so many months later, or earlier."""
    count = month.year * 12 + month.month - 1 + by
    return dt.date(count // 12, count % 12 + 1, 1)


def start_of(month: dt.date) -> dt.datetime:
    """The first instant of the month; of the next month, the first instant that is not in it."""
    return dt.datetime(month.year, month.month, 1, tzinfo=dt.UTC)


def months(first: dt.date, last: dt.date) -> Iterator[dt.date]:
    """Every month from the first to the last, both included."""
    while first <= last:
        yield first
        first = moved(first, 1)


def wanted(today: dt.date) -> list[dt.date]:
    """This month and the next AHEAD."""
    first = first_of(today)
    return list(months(first, moved(first, AHEAD)))


def label(month: dt.date) -> str:
    return f"{month:%Y-%m}"
