"""Which months the trail has, by the catalogue of the database and never by a table's name."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import connections

from audit.months.calendar import first_of, label, moved, start_of
from audit.months.errors import TrailClosedError

_MONTHS = "SELECT name, pending, from_at, until_at FROM trail_month ORDER BY from_at"
_OPEN = """
SELECT count(*) = 2 FROM (VALUES (clock_timestamp()), (clock_timestamp() + interval '10 minutes')) v (at)
 WHERE EXISTS (SELECT FROM trail_month m
                WHERE NOT m.pending AND m.from_at <= v.at AND v.at < m.until_at)
"""
_APART = "SELECT name, false, from_at, until_at FROM trail_month_apart ORDER BY from_at"


@dataclass(frozen=True, slots=True)
class Month:
    """One table of the trail. `pending` is a detach that somebody interrupted; bounds are None
    where the table has none that can be read."""

    name: str
    pending: bool
    from_at: dt.datetime | None
    until_at: dt.datetime | None

    @property
    def month(self) -> dt.date | None:
        """The UTC month that it covers exactly, or None."""
        if self.from_at is None or self.until_at is None:
            return None
        first = first_of(self.from_at)
        exact = (self.from_at, self.until_at) == (start_of(first), start_of(moved(first, 1)))
        return first if exact else None


def attached(*, using: str = "default") -> list[Month]:
    """The trail's tables, oldest first, with those whose detach is pending."""
    return _read(_MONTHS, using)


def apart(*, using: str = "default") -> list[Month]:
    """Tables built as a month and attached to nothing: left by a crash, a hand or an expiry."""
    return _read(_APART, using)


def months_of(*, using: str = "default") -> list[dt.date]:
    """The months attached now, oldest first."""
    found = [one.month for one in attached(using=using) if not one.pending]
    return [month for month in found if month is not None]


def existing(*, using: str = "default") -> list[str]:
    """The same, as YYYY-MM."""
    return [label(month) for month in months_of(using=using)]


def is_expired(month: dt.date, *, using: str = "maintenance") -> bool:
    """Whether the ledger of any company tells of the month; it may still be attached."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT trail_month_expired(%s)", [month])
        return bool(cursor.fetchone()[0])


def require_open() -> None:
    """For who is about to do what must be recorded afterwards: raises TrailClosedError unless the
    trail has a month for now and for as long as that may take."""
    with connections["default"].cursor() as cursor:
        cursor.execute(_OPEN)
        if not cursor.fetchone()[0]:
            raise TrailClosedError


def ahead(found: list[dt.date], today: dt.date) -> int:
    """How many months without a gap lie after this one; -1 when this one itself is missing."""
    count, month, there = -1, first_of(today), set(found)
    while month in there:
        count, month = count + 1, moved(month, 1)
    return count


def _read(sql: str, using: str) -> list[Month]:
    with connections[using].cursor() as cursor:
        cursor.execute(sql)
        return [Month(*row) for row in cursor.fetchall()]
