"""Saved reports for tests, and the worker's turn at them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

from audit.costs import prices
from audit.models import SavedReport, SavedReportRun
from audit.reports import catalogue, saved
from audit.reports.saved import Wish
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests.conftest import Connection

IRREVERSIBLE = "acoes-irreversiveis"


def save(person: Principal, *, slug: str = IRREVERSIBLE, **wished: Any) -> SavedReport:
    """Inside the open scope. The seven days up to now, every Monday at eight."""
    wish: dict[str, Any] = {"name": "Sem volta", "address": {"periodo": "7d"}}
    wish |= {"schedule": "semanal"} | wished
    return saved.save(person=person, query=catalogue.get(slug), wish=Wish(**wish))


def a_report(person: Principal, **wished: Any) -> SavedReport:
    with tenant_scope(person.tenant_id):
        return save(person, **wished)


def fill(person: Principal) -> None:
    """A report, an answer and a price, inside the open scope."""
    day, centavo = dt.date(2026, 1, 1), Decimal(1)
    prices.add(admin=person, model="modelo-a", since=day, centavos_in=centavo, centavos_out=centavo)
    report = save(person)
    SavedReportRun.objects.create(tenant_id=person.tenant_id, report=report, version=1)


def a_week_passes(admin: Connection, tenant: Tenant) -> None:
    """As if the clock had moved: what is kept of reports is a week older."""
    admin.execute(
        "UPDATE saved_report SET next_at = next_at - interval '7 days', "
        "created_at = created_at - interval '7 days' WHERE tenant_id = %s",
        [tenant.pk],
    )
    admin.execute(
        "UPDATE saved_report_run SET at = at - interval '7 days', since = since - interval '7 days', "
        "until = until - interval '7 days' WHERE tenant_id = %s",
        [tenant.pk],
    )


def due(tenant: Tenant) -> list[int]:
    return [row for owner, row in tasks.due("reports", 10_000) if owner == tenant.pk]


def work(tenant: Tenant) -> None:
    """The worker's turn, as its own list says."""
    for row in due(tenant):
        tasks._DO["reports"](tenant.pk, row)


def runs(tenant: Tenant) -> list[SavedReportRun]:
    with tenant_scope(tenant.pk):
        found = SavedReportRun.objects.select_related("before", "report").order_by("pk")
        return list(found)


def again(report: SavedReport) -> SavedReport:
    with tenant_scope(report.tenant_id):
        return SavedReport.objects.get(pk=report.pk)
