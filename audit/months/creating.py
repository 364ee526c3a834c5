"""Make the months that are missing and give back what a month lost, by the maintenance role."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import OperationalError, connections

from audit.months import catalogue
from audit.months.calendar import MENDED, first_of, label, months, moved, wanted

T = TypeVar("T")
LOCK_NOT_AVAILABLE = "55P03"
TRIES = 100
PAUSE = 0.1  # seconds between two tries of a lock that is waited for a few milliseconds


@dataclass(frozen=True, slots=True)
class Made:
    """What a run of `create` changed; both empty when there was nothing to do."""

    months: list[str]
    mended: list[str]


def create(*, using: str = "maintenance", today: dt.date | None = None) -> list[str]:
    """Create what is missing; returns the months that are new, as YYYY-MM."""
    return make(using=using, today=today).months


def make(*, using: str = "maintenance", today: dt.date | None = None) -> Made:
    """Create what is missing and mend what is there. A second run finds nothing to do."""
    mended = list(call("SELECT mend_trail_months()", using=using))
    found = planned(using=using, today=today or dt.datetime.now(dt.UTC).date())
    return Made([label(month) for month in found if _create(using, month)], mended)


def planned(*, using: str, today: dt.date) -> list[dt.date]:
    """The months that a run would make or attach again. None that the ledger says went."""
    missing = lacking(catalogue.months_of(using=using), today)
    strays = [one.month for one in catalogue.apart(using=using) if one.month]
    found = [*missing, *(month for month in strays if month not in missing)]
    return [month for month in found if not catalogue.is_expired(month, using=using)]


def lacking(found: list[dt.date], today: dt.date) -> list[dt.date]:
    """The months to make: the wanted ones, and gaps between months near this one."""
    now, there = first_of(today), set(found)
    near = {month for month in there if moved(now, -MENDED) <= month <= moved(now, MENDED)}
    near.update(wanted(today))
    return sorted(set(months(min(near), max(near))) - there)


def _create(using: str, month: dt.date) -> bool:
    return bool(call("SELECT create_trail_month(%s)", month, using=using))


def call(sql: str, *parameters: dt.date, using: str) -> Any:
    """The one value of a function that gives up at once when somebody holds what it needs: asked
    again until it gets it. Raises OperationalError after TRIES."""
    return patiently(lambda: _value(sql, parameters, using))


def patiently(attempt: Callable[[], T], *, pause: Callable[[float], None] = time.sleep) -> T:
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except OperationalError as exc:
            if getattr(exc.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            pause(PAUSE)
    return attempt()


def _value(sql: str, parameters: tuple[dt.date, ...], using: str) -> Any:
    with connections[using].cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchone()[0]
