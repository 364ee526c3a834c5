"""Which months a page of the trail looks into, and in what order.

One ordered query over all months has a plan that flips with the statistics: it may sort what an
index already holds in order. So a page walks the months from where it starts, a few at a time, and
stops when it is full; inside, the planner may not sort.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

Moment = dt.datetime | None
Window = tuple[Moment, Moment]
"""From this moment on, up to that one, which is not part of it; None is without a bound."""

_WIDTHS = (1, 2, 4, 8, 16)  # months; what lies beyond is one window without a bound
_MONTHS_BEFORE, _MONTHS_AFTER = 2, 13
_OFF = "SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off"
_BACK = "SET LOCAL enable_sort TO DEFAULT; SET LOCAL enable_bitmapscan TO DEFAULT"


def backwards(
    start: dt.datetime, *, since: Moment = None, until: Moment = None
) -> Iterator[Window]:
    """The windows a page reads towards the past, the one of `start` first, between the bounds.

    The first one is open at its end: a row from a clock that ran ahead is not passed over.
    """
    upper, month = until, _month(start)
    for width in _WIDTHS:
        lower = _back(month, width - 1)
        if since is not None and lower <= since:
            break
        yield lower, upper
        upper, month = lower, _back(lower, 1)
    yield since, upper


def forwards(start: dt.datetime, *, since: Moment = None, until: Moment = None) -> Iterator[Window]:
    """The same towards the present."""
    lower, month = since, _month(start)
    for width in _WIDTHS:
        upper = _back(month, -width)
        if until is not None and upper >= until:
            break
        yield lower, upper
        lower = month = upper
    yield lower, until


def around(oldest: dt.datetime, newest: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    """Where the other rows of runs are looked for whose rows fell between these moments: a run is
    prepared shortly before it is decided, and may be undone long after."""
    return _back(_month(oldest), _MONTHS_BEFORE), _back(_month(newest), -_MONTHS_AFTER)


@contextmanager
def in_index_order() -> Iterator[None]:
    """Queries inside read an index in its own order, whatever the statistics say. Needs an open
    transaction; after a failure it is rolled back, and these settings with it."""
    with connection.cursor() as cursor:
        cursor.execute(_OFF)
        yield
        cursor.execute(_BACK)


def _month(at: dt.datetime) -> dt.datetime:
    """The first instant of its UTC month: the bound of a partition."""
    return at.astimezone(dt.UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def _back(month: dt.datetime, count: int) -> dt.datetime:
    """So many months before this one; after it, when `count` is negative."""
    number = min(max(month.year * 12 + month.month - 1 - count, 12), 9999 * 12 + 11)
    return month.replace(year=number // 12, month=number % 12 + 1)
