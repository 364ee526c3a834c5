"""The text of a request has a term: after it, it is emptied wherever a run keeps it. The trail never
had it; a proposal keeps its own justification, as it was decided."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import connection
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now

from approvals.models import AgenteAprovacao
from opspilot.harness.models import Run, RunStep
from opspilot.harness.running.acts import OPEN
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

BATCH = 500  # runs of one company in one transaction


def forget_over() -> None:
    """Of every company, also of those that nobody uses any more."""
    if settings.OPSPILOT_QUESTION_DAYS <= 0:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id FROM trail_tenants()")
        tenants = [row[0] for row in cursor.fetchall()]
    for tenant_id in tenants:
        while True:
            with tenant_scope(tenant_id):
                if forget() < BATCH:
                    break


def forget() -> int:
    """In a company's scope; how many runs lost their text. Of what was never proposed, the command
    goes too; of what was, it is in the proposal."""
    since = clock.now() - dt.timedelta(days=settings.OPSPILOT_QUESTION_DAYS)
    old = Run.objects.filter(_has_text(), created_at__lt=since, text_gone_at=None)
    found = list(old.exclude(state__in=OPEN).order_by("pk").values_list("pk", flat=True)[:BATCH])
    proposed = AgenteAprovacao.objects.filter(correlacao_id=OuterRef("ref"))
    RunStep.objects.filter(run__in=found).exclude(arguments={}).update(arguments={})
    runs: QuerySet[Run, Run] = Run.objects.filter(pk__in=found)
    unproposed = runs.annotate(p=Subquery(proposed.values("pk")[:1])).filter(p=None)
    unproposed.update(command={})
    runs.update(question="", text_gone_at=Now())
    return len(found)


def _has_text() -> Q:
    return ~Q(question="")
