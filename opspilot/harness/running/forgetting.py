"""The text of a request has a term: after it, it is emptied wherever a run keeps it. The trail never
had it; a proposal keeps its own justification, as it was decided."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import connection
from django.db.models import Exists, F, Func, JSONField, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Now

from approvals.models import AgenteAprovacao
from grounding.lab import questions
from opspilot.harness.models import Run, RunStep
from opspilot.harness.running.acts import OPEN
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

BATCH = 500  # runs of one company in one transaction
_WORDS = "words"  # the planner's, about the request
_WITHOUT_WORDS = Func(
    F("answer"),
    Cast(Value(_WORDS), TextField()),
    template="(%(expressions)s)",
    arg_joiner=" - ",
    output_field=JSONField(),
)


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
    goes too; of what was, it is in the proposal. A run that did not help loses its place in the
    laboratory after the same term, unless an admin labelled it."""
    since = clock.now() - dt.timedelta(days=settings.OPSPILOT_QUESTION_DAYS)
    questions.forget(before=since)
    found = _locked(since)
    RunStep.objects.filter(run__in=found).exclude(arguments={}).update(arguments={})
    runs: QuerySet[Run, Run] = Run.objects.filter(pk__in=found)
    runs.exclude(_proposed()).update(command={})
    runs.filter(answer__has_key=_WORDS).update(answer=_WITHOUT_WORDS)
    runs.update(question="", text_gone_at=Now())
    return len(found)


def _locked(since: dt.datetime) -> list[int]:
    """The next old runs, held until the transaction ends: none is tried anew while its text goes."""
    has_text = ~Q(question="") | (~Q(command={}) & ~_proposed())
    old = Run.objects.filter(has_text, created_at__lt=since, text_gone_at=None)
    locked = old.exclude(state__in=OPEN).order_by("pk").select_for_update()
    return list(locked.values_list("pk", flat=True)[:BATCH])


def _proposed() -> Q:
    return Q(Exists(AgenteAprovacao.objects.filter(correlacao_id=OuterRef("ref"))))
