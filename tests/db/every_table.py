"""At least one row of a company in each table that belongs to companies."""

from __future__ import annotations

from django.db import connection

from approvals import comments, policies
from approvals.deciders import access, access_reviews
from approvals.inbox import saved_views
from approvals.inbox.queue_url import Queue
from approvals.models import AgenteAprovacao, Escalation, StopScope
from approvals.stops import stopping
from approvals.tasks import preflights, task_outputs
from audit import entities
from audit.models import Trace
from opspilot.conectores import checks
from opspilot.harness.models import Run
from opspilot.notices import telling
from opspilot.notices.models import Destination
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import agents as at_the_door
from tests import factories
from tests.db import agents_asking, lending, merged_entities, months, reviewing, saving, sealed


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


def _rows_of_work(proposal: AgenteAprovacao) -> None:
    """What the worker writes around an effect; in the scope."""
    preflights.want(project=4, template=21)
    checks.make()
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


def fill(tenant: Tenant) -> None:
    """At least one row of the tenant in each tenant table."""
    factories.a_published_document(tenant)
    principal = factories.a_principal(tenant, Role.OPERADOR)
    run = factories.a_run(tenant, by=principal)
    proposal = factories.a_proposal(tenant, by=principal, run_id=run.ref)
    factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    _notices(tenant, proposal)
    agents_asking.fill(tenant)
    at_the_door.fill(tenant)
    reviewing.fill(tenant)
    with tenant_scope(tenant.pk):
        saved_views.save(principal=principal, name="Risco alto", queue=Queue(risco="alto"))
        comments.add(proposal=proposal, author=principal, text="Confere a janela?")
        _acts(tenant)
        _trail_rooms(tenant, principal, run)
        _rows_of_work(proposal)
    sealed.fill(tenant)
