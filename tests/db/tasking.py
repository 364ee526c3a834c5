"""A tenant whose policy has tasks, and task proposals as the next releases will store them.

Nothing proposes a task yet; the row is made by hand, so that what reads such rows is tested.
"""

from __future__ import annotations

import copy
import datetime as dt
import json
import uuid
from pathlib import Path
from typing import Any

import approvals
from approvals import canonical, policies, rules
from approvals.models import SCHEMA_VERSION, AgenteAprovacao, PolicyVersion
from approvals.policy.outcomes import TaskOutcome
from approvals.tasks import task_command
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.scope import tenant_scope
from tests import factories

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


def a_task(by: Principal, *, coverage: str | None = None, **fields: Any) -> AgenteAprovacao:
    """A stored proposal of this command, under the policy in force."""
    with tenant_scope(by.tenant_id):
        policy = rules.in_force()
        outcome = rules.evaluate(
            policy=policy,
            command=task_command.read(COMMAND | fields),
            roles=by.roles,
            coverage=coverage,
        )
        assert isinstance(outcome, TaskOutcome)
        row = _row(by, _action(by, outcome, fields), outcome, policy.number, coverage)
        row.save(force_insert=True)
        row.refresh_from_db()
        return row


def _row(
    by: Principal,
    action: dict[str, Any],
    outcome: TaskOutcome,
    number: int,
    coverage: str | None,
) -> AgenteAprovacao:
    expires = clock.now() + dt.timedelta(hours=1)
    return AgenteAprovacao(
        tenant_id=by.tenant_id,
        correlacao_id=uuid.uuid4(),
        acao=task_command.TASK_RUN,
        proposta=action,
        risco=outcome.risk,
        expira_em=expires,
        solicitante=by.subject,
        solicitante_nome=by.name,
        justificativa="A fila parou.",
        acao_hash=canonical.action_hash(action),
        politica_versao=number,
        aprovacoes_exigidas=outcome.quorum,
        papel_exigido=outcome.approver_role,
        executar_ate=expires + dt.timedelta(hours=1),
        versao_esquema=SCHEMA_VERSION,
        cobertura=coverage,
    )


def _action(by: Principal, outcome: TaskOutcome, fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": 1,
        "kind": task_command.TASK_RUN,
        "tenant": str(by.tenant_id),
        "requester": by.subject,
        "target": {
            "system": "semaphore",
            "project_id": outcome.project_id,
            "template_id": outcome.template_id,
            "fingerprint": outcome.fingerprint,
        },
        "alias": (COMMAND | fields)["template"],
        "hosts": list(outcome.hosts),
        "variables": dict(outcome.variables),
    }
