"""Rows for tests, made through the product's own services. Each opens the scope it needs."""

from __future__ import annotations

import copy
import uuid
from dataclasses import dataclass
from typing import Any

from approvals import actions, decisions, drafts, policies, proposals
from approvals.models import AgenteAprovacao, Execution, PolicyVersion
from grounding.intake import ingest, uploads
from grounding.models import Upload, Version
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.tenancy import clock, selectors
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import create_tenant, create_user, grant_roles

PASSWORD = "senha-longa-de-teste-1"
CPF = "529.982.247-25"
CNPJ = "11.222.333/0001-81"
# English, so that nothing has to be translated: that is the slow part of publishing.
RUNBOOK = """# Payments queue is stuck

## Symptoms

The alert PaymentsQueueStuck fires when the payments queue holds more than 500 messages.

## How to resolve

1. Restart the consumer with `systemctl restart payments-consumer` on host pag-01.
2. Check on the panel that the payments queue falls below 50 messages within ten minutes.
"""
RUNBOOK_PT = """# Fila de pagamentos parada

## Sintomas

O alerta FilaPagamentosParada dispara quando a fila de pagamentos passa de 500 mensagens.

## Como resolver

1. Reinicie o consumidor com `systemctl restart pagamentos-consumer` no host pag-01.
2. Confirme no painel que a fila de pagamentos volta a menos de 50 mensagens em dez minutos.
"""
POLICY: dict[str, Any] = {
    "versao_esquema": 1,
    "projects": {
        "infra": {
            "project_id": 412,
            "path": "aurora/infra",
            "labels": ["incidente", "runbook"],
            "assignees": {"plantao-infra": 319},
            "risk": "baixo",
        },
        "nucleo": {
            "project_id": 414,
            "path": "aurora/nucleo",
            "labels": ["incidente"],
            "assignees": {},
            "risk": "alto",
        },
    },
    "issue_criada": {
        "requester_roles": ["operador", "admin"],
        "approver_role": "aprovador",
        "quorum": {"baixo": 1, "medio": 1, "alto": 2},
        "expires_minutes": 240,
        "execute_within_minutes": 120,
        "hold_seconds": {"baixo": 0, "medio": 0, "alto": 0},
        "max_assignees": 1,
    },
}


@dataclass(frozen=True, slots=True)
class Approved:
    """An approved proposal whose execution is due now, and the people behind it."""

    tenant: Tenant
    requester: Principal
    approver: Principal
    proposal: AgenteAprovacao
    execution_id: int

    def execution(self) -> Execution:
        """As the database has it now."""
        with tenant_scope(self.tenant.pk):
            return Execution.objects.get(pk=self.execution_id)


def a_tenant() -> Tenant:
    slug = f"t-{uuid.uuid4().hex[:20]}"
    return create_tenant(slug=slug, name=f"Empresa {slug[2:8]}")


def a_person(tenant: Tenant, *roles: Role) -> User:
    suffix = uuid.uuid4().hex[:10]
    name = f"{roles[0] if roles else 'pessoa'} {suffix[:4]}"
    user = create_user(username=f"p-{suffix}", display_name=name, password=PASSWORD)
    if roles:
        grant_roles(tenant=tenant, user=user, roles=roles)
    return user


def a_principal(tenant: Tenant, *roles: Role) -> Principal:
    user = a_person(tenant, *(roles or (Role.OPERADOR,)))
    with tenant_scope(tenant.pk):
        found = selectors.principal(user)
    assert found is not None
    return found


def a_policy(tenant: Tenant, **changes: Any) -> PolicyVersion:
    """The next version in force; `changes` replace `projects` or fields of the action's rule."""
    document = copy.deepcopy(POLICY)
    for name, value in changes.items():
        place = document if name in document else document["issue_criada"]
        place[name] = value
    with tenant_scope(tenant.pk):
        return policies.install(document=document, by="admin 1")


def projects_with(alias: str, **changes: Any) -> dict[str, Any]:
    """The policy's projects with one of them changed."""
    projects: dict[str, Any] = copy.deepcopy(POLICY["projects"])
    projects[alias] |= changes
    return projects


def a_run(tenant: Tenant, *, by: Principal, **values: Any) -> Run:
    with tenant_scope(tenant.pk):
        return Run.objects.create(
            **{
                "tenant_id": tenant.pk,
                "kind": RunKind.COMMAND,
                "state": RunState.COMMAND,
                "requester": by.subject,
                "requester_name": by.name,
                "question": "",
            }
            | values
        )


def a_command(**overrides: Any) -> dict[str, Any]:
    return {
        "alias": "infra",
        "title": "Reiniciar o consumidor de pagamentos",
        "description": "A fila parou. Reiniciar o consumidor no host pag-01.",
        "labels": ("incidente",),
        "assignees": ("plantao-infra",),
    } | overrides


def a_draft(by: Principal, *, run_id: uuid.UUID | None = None, **overrides: Any) -> drafts.Draft:
    """What `by` would confirm, under the policy in force."""
    coverage = overrides.pop("coverage", None)
    with tenant_scope(by.tenant_id):
        return drafts.prepare(
            principal=by,
            run_id=run_id or uuid.uuid4(),
            command=actions.parse(a_command(**overrides)),
            coverage=coverage,
        )


def a_proposal(tenant: Tenant, *, by: Principal | None = None, **overrides: Any) -> AgenteAprovacao:
    """A pending proposal; makes the first policy when the tenant has none yet."""
    with tenant_scope(tenant.pk):
        if not PolicyVersion.objects.exists():
            a_policy(tenant)
        requester = by or a_principal(tenant, Role.OPERADOR)
        draft = a_draft(requester, **overrides)
        return proposals.create(
            principal=requester,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
        )


def approve(proposal: AgenteAprovacao, by: Principal) -> AgenteAprovacao:
    """`by` approves the proposal as the database has it now."""
    with tenant_scope(by.tenant_id):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return decisions.approve(
            proposal=fresh, approver=by, seen_hash=fresh.acao_hash, authenticated_at=clock.now()
        )


def an_approved_execution(**overrides: Any) -> Approved:
    tenant = a_tenant()
    requester = a_principal(tenant, Role.OPERADOR)
    approver = a_principal(tenant, Role.APROVADOR)
    proposal = approve(a_proposal(tenant, by=requester, **overrides), approver)
    with tenant_scope(tenant.pk):
        execution = Execution.objects.get(approval=proposal)
    return Approved(tenant, requester, approver, proposal, execution.pk)


def an_upload(
    tenant: Tenant,
    content: bytes | None,
    *,
    name: str = "fila.md",
    collection: str = "plataforma",
    size: int | None = None,
) -> Upload:
    """A file at the door, not read yet."""
    by = a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        target = uploads.collection(principal=by, slug=collection)
        file = uploads.File(name, len(content or b"") if size is None else size, content)
        return uploads.accept(principal=by, collection=target, files=[file])[0]


def read_upload(upload: Upload) -> Upload:
    """Let the worker's half run; the row as it is then."""
    ingest.advance(tenant_id=upload.tenant_id, upload_id=upload.pk)
    with tenant_scope(upload.tenant_id):
        return Upload.objects.get(pk=upload.pk)


def a_published_document(
    tenant: Tenant, *, text: str = RUNBOOK, name: str = "fila.md", collection: str = "plataforma"
) -> Version:
    upload = read_upload(an_upload(tenant, text.encode(), name=name, collection=collection))
    with tenant_scope(tenant.pk):
        assert upload.version_id is not None, upload.code
        return Version.objects.select_related("document").get(pk=upload.version_id)
