"""At least one row of a company in each table that belongs to companies."""

from __future__ import annotations

from decimal import Decimal

from django.db import connection

from approvals import comments, policies
from approvals.deciders import access, access_reviews
from approvals.inbox import saved_views
from approvals.inbox.queue_url import Queue
from approvals.models import AgenteAprovacao, Escalation, ProofPack, StopScope
from approvals.stops import stopping
from approvals.tasks import preflights, task_outputs
from audit import entities
from audit.models import Trace
from grounding.models import (
    ChunkingPolicy,
    Fusion,
    FusionChoice,
    KnowledgeIndex,
    LabQuestion,
    LabState,
    RunbookLink,
    SyncSource,
    Version,
)
from opspilot.budgets import limits, spending
from opspilot.budgets.limits import Given
from opspilot.budgets.models import Scope
from opspilot.conectores import checks
from opspilot.harness.models import Run, RunStep
from opspilot.notices import telling
from opspilot.notices.models import Destination
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import agents as at_the_door
from tests import factories
from tests.db import (
    agents_asking,
    consults,
    lending,
    merged_entities,
    months,
    reviewing,
    saving,
    sealed,
)


def _notices(tenant: Tenant, proposal: AgenteAprovacao) -> None:
    with tenant_scope(tenant.pk):
        Escalation.objects.create(
            tenant=tenant, approval=proposal, from_role="aprovador", to_role="admin", reason="prazo"
        )
        Destination.objects.create(
            tenant=tenant, name="x", url="https://x.example/", created_by="x"
        )
    telling.spread_due(tenant_id=tenant.pk, approval_id=proposal.pk)


def _acts(tenant: Tenant) -> None:
    """Of who may decide and what holds: a delegation, an attestation, a stop, a draft; in the scope."""
    reason, admin = "um motivo bem escrito", factories.a_principal(tenant, Role.ADMIN)
    approver = factories.a_principal(tenant, Role.APROVADOR)
    lending.lend(approver, factories.a_principal(tenant, Role.OPERADOR))
    auditor = factories.a_principal(tenant, Role.AUDITOR)
    seen = access.now(owners={}).sha256
    access_reviews.attest(reviewer=auditor, owners={}, seen_sha256=seen)
    stop = stopping.press(
        person=approver, scope=StopScope.CONECTOR, subject="semaphore", reason=reason
    )
    stopping.lift(stop=stop, admin=admin, reason=reason)
    risky = {"projects": factories.projects_with("infra", risk="alto")}
    policies.draft(author=admin, document=factories.POLICY | risky, reason=reason)


def _spent(admin: Principal, run: Run) -> None:
    """A limit, and a reservation under it; in the scope."""
    limits.give(admin=admin, given=Given(Scope.COMPANY, "", Decimal(9), "o limite do mês"))
    spending.reserve(run_ref=run.ref, agent="console", amount=Decimal(1))


def _rows_of_work(proposal: AgenteAprovacao) -> None:
    """What the worker writes around an effect; in the scope."""
    preflights.want(project=4, template=21)
    checks.make()
    ProofPack.objects.create(tenant_id=proposal.tenant_id, quarter="2026-T4", wanted=1, seed="s")
    task_outputs.keep(proposal, status="running", text="", recap={}, ended=False)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO execution_attempt (tenant_id, execution_id, number, kind, "
            "claim_token, outcome, detail, body_sha256) SELECT tenant_id, id, 1, 'busca', "
            "gen_random_uuid(), '', '', '' FROM execution WHERE tenant_id = %s",
            [proposal.tenant_id],
        )


def _trail_rooms(tenant: Tenant, by: Principal, about: Run) -> None:
    """Entities, months, saved reports, a trace; in the scope."""
    merged_entities.fill(by, entities.parse_document(factories.CPF))
    months.fill_tables(tenant)
    saving.fill(factories.a_principal(tenant, Role.AUDITOR, Role.ADMIN))
    Trace.objects.create(
        tenant_id=tenant.pk, entity_type="cliente", entity_ref=about.ref, until=about.created_at
    )


def _around(version: Version) -> None:
    """A document's template, and the source of its collection; in the scope."""
    document, who = version.document, {"made_by": "x", "made_by_name": "x"}
    RunbookLink.objects.create(
        tenant_id=version.tenant_id, document=document, template=21, linked_by="x"
    )
    SyncSource.objects.create(
        tenant_id=version.tenant_id,
        collection_id=document.collection_id,
        kind="pasta",
        path=".",
        on_removal="propor",
        every_minutes=60,
        **who,
    )


def _index(version: Version) -> None:
    """How a collection is cut, how the legs are joined, the state of the company's index and a
    question of the laboratory; in the scope."""
    mine = {"tenant_id": version.tenant_id, "by": "x", "by_name": "x"}
    FusionChoice.objects.create(number=1, fusion=Fusion.Z_SCORES, figures={}, **mine)
    LabQuestion.objects.create(text="Como reinicio?", state=LabState.ASKED, **mine)
    ChunkingPolicy.objects.create(
        tenant_id=version.tenant_id,
        collection_id=version.document.collection_id,
        number=1,
        limit=900,
        overlap=False,
        created_by="x",
        created_by_name="x",
    )
    KnowledgeIndex.objects.create(tenant_id=version.tenant_id, space=version.space)


def fill(tenant: Tenant) -> None:
    """At least one row of the tenant in each tenant table."""
    version = factories.a_published_document(tenant)
    principal = factories.a_principal(tenant, Role.OPERADOR)
    run = factories.a_run(tenant, by=principal)
    proposal = factories.a_proposal(tenant, by=principal, run_id=run.ref)
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    _notices(tenant, proposal)
    agents_asking.fill(tenant)
    at_the_door.fill(tenant)
    reviewing.fill(tenant)
    consults.fill(tenant)
    with tenant_scope(tenant.pk):
        saved_views.save(principal=principal, name="Risco alto", queue=Queue(risco="alto"))
        comments.add(proposal=proposal, author=principal, text="Confere a janela?")
        _acts(tenant)
        RunStep.objects.create(
            tenant_id=tenant.pk, run=run, number=1, outcome="done", duration_ms=1, planner="x"
        )
        _spent(factories.a_principal(tenant, Role.ADMIN), run)
        _trail_rooms(tenant, principal, run)
        _rows_of_work(proposal)
        _around(version)
        _index(version)
    sealed.fill(tenant)
