"""Requests that are asked, and taken to their end by a planner that says what it is told to."""

from __future__ import annotations

import datetime as dt

from django.db.models.functions import Now

from audit.models import AgenteAcao
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunStep
from opspilot.harness.running import forgetting
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope
from tests.scripted import Said, Scripted, planning

REQUEST = "How do I restart the consumer of the payments queue?"
WISH = "Reinicie o liq-worker-3 em srv-pag-02, a fila de liquidação parou."


def ask(by: Principal, text: str = WISH) -> Run:
    with tenant_scope(by.tenant_id):
        return services.ask(principal=by, question=text)


def advance(run: Run) -> Run:
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    return read(run)


def ended(by: Principal, *said: Said, text: str = WISH) -> Run:
    return told(by, *said, text=text)[0]


def told(by: Principal, *said: Said, text: str = WISH) -> tuple[Run, Scripted]:
    run = ask(by, text)
    with planning(*said) as planner:
        return advance(run), planner


def read(run: Run) -> Run:
    with tenant_scope(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def steps_of(run: Run) -> list[RunStep]:
    with tenant_scope(run.tenant_id):
        return list(RunStep.objects.filter(run=run).order_by("number"))


def rows_of(run: Run) -> list[AgenteAcao]:
    with tenant_scope(run.tenant_id):
        return list(AgenteAcao.objects.filter(correlacao_id=run.ref).order_by("id"))


def let_the_lease_end(run: Run) -> None:
    with tenant_scope(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(lease_until=Now() - dt.timedelta(seconds=1))


def make_old(run: Run) -> None:
    with tenant_scope(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(created_at=clock.now() - dt.timedelta(days=91))


def forgotten(run: Run) -> Run:
    with tenant_scope(run.tenant_id):
        forgetting.forget()
    return read(run)
