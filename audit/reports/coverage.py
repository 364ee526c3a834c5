"""What an answer covers, so that a short one is never taken for a whole one."""

from __future__ import annotations

import datetime as dt

from django.db import connections

from audit import partitions
from audit.months import ledger
from audit.reports.kinds import Period
from audit.reports.parameters import Bound
from audit.reports.shapes import SQL, Coverage
from opspilot.tenancy import clock, sql
from opspilot.tenancy.scope import current_tenant_id


def of(bound: Bound, *, rows: int, more: bool, behind: bool, using: str = "default") -> Coverage:
    """`behind`: this is not the first page, so its rows are not all."""
    begins, now = _first_instant(using), clock.now()
    period = _around_a_run(bound, using) if _reads_around_a_run(bound) else bound.period
    since, until = period.since, period.until
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


def _reads_around_a_run(bound: Bound) -> bool:
    """A query whose period is no field, but the run's own time and some before and after it."""
    return bound.values.get("janela") is not None and bound.values.get("alcance") != "rodada"


def _around_a_run(bound: Bound, using: str) -> Period:
    """Open for a run that the whole trail does not know."""
    with connections[using].cursor() as cursor:
        values = {"tenant_id": current_tenant_id(), **bound.values}
        cursor.execute(sql.named(SQL / "run_span.sql"), values)
        return Period(*cursor.fetchone())


def _first_instant(using: str) -> dt.datetime | None:
    """Where the trail's first month begins; months are of UTC."""
    months = partitions.existing(using=using)
    return dt.datetime.fromisoformat(f"{months[0]}-01T00:00:00+00:00") if months else None


def _expired(using: str) -> dt.date | None:
    """The newest month of this company that went by retention."""
    gone = ledger.gone(using=using)
    return gone[-1].month if gone else None
