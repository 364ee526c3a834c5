"""Which months may go, and of each that may not, why: by the retention and the holds of every company
with rows in it. The database judges again before a month is detached; this is the same word, earlier.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import connections

from audit.months import catalogue
from audit.months.calendar import first_of, moved, start_of

_STANDING = (
    "SELECT tenant_id, keep_until, held, rows, first_row, last_row, in_ledger "
    "FROM trail_month_standing(%s)"
)


class Verdict(StrEnum):
    GOES = "goes"
    EMPTY = "empty"
    RUNNING = "running"
    NO_RULE = "no rule"
    KEPT = "kept"
    HELD = "held"
    PENDING = "detached"


@dataclass(frozen=True, slots=True)
class Standing:
    """What one company's rows of a month ask for. Numbers are None while its rule keeps them."""

    tenant_id: UUID
    keep_until: dt.datetime | None
    held: bool
    rows: int | None
    first_row: int | None
    last_row: int | None
    in_ledger: bool | None


@dataclass(frozen=True, slots=True)
class Judged:
    """`until` is the day before which a company's rule keeps the month, where one does."""

    month: dt.date
    verdict: Verdict
    standings: tuple[Standing, ...] = ()
    until: dt.datetime | None = None

    @property
    def goes(self) -> bool:
        return self.verdict in {Verdict.GOES, Verdict.PENDING}


def judge(*, now: dt.datetime, using: str = "maintenance") -> list[Judged]:
    """Every month of the trail up to this one, oldest first, and what an expiry left detached."""
    there = [month for month in catalogue.months_of(using=using) if month <= first_of(now)]
    strays = {one.month for one in catalogue.apart(using=using)}
    left = [
        Judged(month, Verdict.PENDING)
        for month in sorted(month for month in strays if month is not None)
        if catalogue.is_expired(month, using=using)
    ]
    return left + [_judged(month, now, using) for month in there]


def verdict_of(standings: Sequence[Standing], now: dt.datetime) -> Verdict:
    """Of a month that is over and has rows: one company that keeps them keeps all of it."""
    if any(one.keep_until is None for one in standings):
        return Verdict.NO_RULE
    if any(one.keep_until is not None and one.keep_until > now for one in standings):
        return Verdict.KEPT
    return Verdict.HELD if any(one.held for one in standings) else Verdict.GOES


def _judged(month: dt.date, now: dt.datetime, using: str) -> Judged:
    if start_of(moved(month, 1)) > now:
        return Judged(month, Verdict.RUNNING)
    standings = _standings(month, using)
    if not standings:
        return Judged(month, Verdict.EMPTY)
    ends = [one.keep_until for one in standings if one.keep_until is not None]
    return Judged(month, verdict_of(standings, now), standings, max(ends, default=None))


def _standings(month: dt.date, using: str) -> tuple[Standing, ...]:
    with connections[using].cursor() as cursor:
        cursor.execute(_STANDING, [month])
        return tuple(Standing(*row) for row in cursor.fetchall())
