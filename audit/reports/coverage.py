"""What an answer covers, so that a short one is never taken for a whole one."""

from __future__ import annotations

import datetime as dt

from django.db.models import Max

from audit import partitions
from audit.models import TrailExpiry
from audit.reports.parameters import Bound
from audit.reports.shapes import Coverage
from opspilot.tenancy import clock


def of(bound: Bound, *, rows: int, more: bool, behind: bool, using: str = "default") -> Coverage:
    """`behind`: this is not the first page, so its rows are not all."""
    begins, now = _first_instant(using), clock.now()
    since, until = bound.period.since, bound.period.until
    begins_later = begins is not None and (since is None or since < begins)
    return Coverage(
        since=begins if begins_later else since,
        until=until if until and until < now else now,
        to_now=until is None or until >= now,
        expired=_expired(using) if begins_later else None,
        rows=rows,
        complete=not more and not behind,
        more=more,
        begins_later=begins_later,
    )


def _first_instant(using: str) -> dt.datetime | None:
    """Where the trail's first month begins; months are of UTC."""
    months = partitions.existing(using=using)
    return dt.datetime.fromisoformat(f"{months[0]}-01T00:00:00+00:00") if months else None


def _expired(using: str) -> dt.date | None:
    """The newest month of this company that went by retention."""
    newest: dt.date | None = TrailExpiry.objects.using(using).aggregate(month=Max("month"))["month"]
    return newest
