"""A tenant whose policy has tasks, and tasks proposed under it as the console does."""

from __future__ import annotations

import copy
import json
import uuid
from pathlib import Path
from typing import Any
from uuid import UUID

import approvals
from approvals import drafts, policies, proposals, rules
from approvals.models import AgenteAprovacao, Execution, PolicyVersion, TemplatePreflight
from approvals.tasks import preflight_lane, preflights, task_command
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.deciding import approver
from tests.db.task_runner import FakeRunner

FIXTURE = Path(approvals.__file__).parent / "fixtures" / "aurora.json"
TASKS: dict[str, Any] = json.loads(FIXTURE.read_text())["tarefa_executada"]
COMMAND: dict[str, Any] = {
    "template": "servico-acao",
    "limit": "srv-pag-02",
    "server_name": "liq-worker-3",
    "server_action": "restart",
}


def document(**changes: Any) -> dict[str, Any]:
    """The tests' policy with the seed's templates; `changes` are of the rule of tasks."""
    return copy.deepcopy(factories.POLICY) | {"tarefa_executada": copy.deepcopy(TASKS) | changes}


def templates(alias: str, **changes: Any) -> dict[str, Any]:
    """The templates with one of them changed."""
    found: dict[str, Any] = copy.deepcopy(TASKS["templates"])
    found[alias] |= changes
    return found


def a_policy(tenant: Tenant, **changes: Any) -> PolicyVersion:
    """The next version in force."""
    with tenant_scope(tenant.pk):
        return policies.install(document=document(**changes), by="admin 1")


def a_reading(tenant_id: UUID, template: int = 21, runner: FakeRunner | None = None) -> None:
    """The worker has just read the template."""
    with tenant_scope(tenant_id):
        preflights.want(project=4, template=template)
        row = TemplatePreflight.objects.get(template=template)
    preflight_lane.refresh(tenant_id=tenant_id, preflight_id=row.pk, reader=runner or FakeRunner())


def a_task(by: Principal, *, coverage: str | None = None, **fields: Any) -> AgenteAprovacao:
    """A proposal of this command, under the policy in force."""
    command = task_command.read(COMMAND | fields)
    with tenant_scope(by.tenant_id):
        rule = rules.in_force().document.tarefa_executada
    assert rule is not None
    a_reading(by.tenant_id, rule.templates[command.template].template_id)
    with tenant_scope(by.tenant_id):
        draft = drafts.prepare(
            principal=by, run_id=uuid.uuid4(), command=command, coverage=coverage
        )
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou.",
            entity=None,
            evidence=[],
        )


def an_approved_task(tenant: Tenant, by: Principal, **fields: Any) -> Execution:
    """Approved and due: the policy holds nothing back."""
    a_policy(tenant, hold_seconds={"baixo": 0, "medio": 0, "alto": 0})
    proposal = factories.approve(a_task(by, **fields), approver(tenant))
    with tenant_scope(tenant.pk):
        return Execution.objects.get(approval=proposal)
