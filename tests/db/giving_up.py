"""One row of each kind that the worker gives up, as its lane leaves it; inside the open scope."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from approvals.models import Execution, ExecutionState, PackState, ProofPack
from audit.models import ReportState, SavedReport, SavedReportRun, Trace, TraceState
from grounding.intake import uploads
from grounding.models import Upload, UploadState
from opspilot.accounts.models import MailKind, MailState, OutgoingMail
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.notices.models import Kind, Notice, NoticeState
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import saving


def a_run(tenant: Tenant, **values: Any) -> Run:
    failed: dict[str, Any] = {
        "kind": RunKind.QUESTION,
        "state": RunState.FAILED,
        "question": "Como reiniciar?",
        "code": "interrompida",
        "attempts": 3,
        "finished_at": clock.now(),
    }
    return factories.a_run(tenant, by=factories.a_principal(tenant), **failed | values)


def an_upload(tenant: Tenant) -> Upload:
    upload = factories.an_upload(tenant, b"# Fila\n\nEspere.\n")
    with tenant_scope(tenant.pk):
        Upload.objects.filter(pk=upload.pk).update(
            state=UploadState.REJECTED,
            code=uploads.INTERRUPTED,
            attempts=3,
            finished_at=clock.now(),
        )
    return upload


def a_notice(tenant: Tenant, **values: Any) -> Notice:
    proposal = factories.a_proposal(tenant)
    failed: dict[str, Any] = {
        "kind": Kind.PENDENTE,
        "recipient": f"usuario:{factories.a_person(tenant, Role.APROVADOR).pk}",
        "urgency": "agora",
        "state": NoticeState.FALHOU,
        "outcome": "sem_conexao",
        "attempts": 8,
        "settled_at": clock.now(),
    }
    with tenant_scope(tenant.pk):
        return Notice.objects.create(tenant=tenant, approval=proposal, **failed | values)


def a_letter(user: User, **values: Any) -> OutgoingMail:
    failed: dict[str, Any] = {
        "kind": MailKind.PASSWORD_CHANGED,
        "state": MailState.FAILED,
        "attempts": 8,
        "settled_at": clock.now(),
    }
    return OutgoingMail.objects.create(user=user, **failed | values)


def a_trace(tenant: Tenant, **values: Any) -> Trace:
    failed: dict[str, Any] = {
        "entity_type": "cliente",
        "entity_ref": uuid.uuid4(),
        "asked_by": "usuario:1",
        "asked_by_name": "conformidade 1",
        "asked_role": Role.CONFORMIDADE.value,
        "reason": "Pedido do titular.",
        "until": clock.now(),
        "state": TraceState.FAILED,
        "code": "disco_cheio",
        "attempts": 6,
    }
    with tenant_scope(tenant.pk):
        return Trace.objects.create(tenant=tenant, **failed | values)


def a_pack(tenant: Tenant, **values: Any) -> ProofPack:
    failed: dict[str, Any] = {
        "quarter": "2026-T4",
        "wanted": 25,
        "seed": uuid.uuid4().hex[:16],
        "asked_by_name": "auditor 1",
        "state": PackState.FAILED,
        "code": "interrompido",
        "attempts": 6,
    }
    with tenant_scope(tenant.pk):
        return ProofPack.objects.create(tenant=tenant, **failed | values)


def a_report(person: Principal) -> SavedReport:
    report = saving.a_report(person)
    with tenant_scope(person.tenant_id):
        SavedReport.objects.filter(pk=report.pk).update(state=ReportState.PAUSED, next_at=None)
        SavedReportRun.objects.create(
            tenant_id=person.tenant_id, report=report, version=1, code="interrompido"
        )
    return report


def an_effect(
    state: ExecutionState = ExecutionState.BLOQUEADA, **values: Any
) -> factories.Approved:
    approved = factories.an_approved_execution()
    with tenant_scope(approved.tenant.pk):
        Execution.objects.filter(pk=approved.execution_id).update(state=state, **values)
    return approved


LONG_AGO = dt.timedelta(days=31)
