"""A resolved task as it is frozen, and the body it becomes: the same words, and nothing else (I2)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings

from approvals.errors import NothingToReverseError
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from approvals.policy.outcomes import TaskOutcome
from approvals.policy.policy_document import PolicyDocument, Template
from approvals.tasks import preflights
from approvals.tasks.task_refusals import UndoMismatchError


def content(*, outcome: TaskOutcome, document: PolicyDocument) -> dict[str, Any]:
    """The action's own part, after a fresh reading of the template. Raises its refusals.

    `fingerprint` is of what the remote has now, `policy_fingerprint` of what the policy has on
    record: the first must hold until the task starts, the second until the policy moves (I3).
    """
    alias, template = template_of(document, outcome.template_id)
    found = preflights.passed(outcome=outcome, pinned=template.fingerprint)
    return {
        "target": {
            "system": "semaphore",
            "host": settings.OPSPILOT_SEMAPHORE_URL,
            "project_id": outcome.project_id,
            "template_id": outcome.template_id,
            "template_name": template.name,
            "fingerprint": found.fingerprint,
            "policy_fingerprint": template.fingerprint,
        },
        "alias": alias,
        "hosts": list(outcome.hosts),
        "variables": dict(outcome.variables),
        "deadline_minutes": template.deadline_minutes,
        **_undo(template, document),
    }


def undoing(action: dict[str, Any], original: AgenteAprovacao) -> dict[str, Any]:
    """The action as one that undoes what `original` did. Raises UndoMismatchError when it is not
    the declared one, on exactly the same hosts, and NothingToReverseError when it is undone."""
    if not Execution.objects.filter(approval=original, state=ExecutionState.CONCLUIDA).exists():
        raise NothingToReverseError(**original.facts)
    done = original.proposta
    if (action["alias"], action["hosts"]) != (done.get("undo"), done["hosts"]):
        raise UndoMismatchError(**original.facts)
    return action | {"undoes": {"ref": str(original.ref), "hash": original.acao_hash}}


def _undo(template: Template, document: PolicyDocument) -> dict[str, str]:
    """What whoever approves is told of the way back; nothing where there is none."""
    rule = document.tarefa_executada
    known = rule is not None and template.undo in rule.templates
    return {"undo": template.undo} if known else {}


def body(action: Mapping[str, Any], marker: str) -> dict[str, Any]:
    """The request's body. The hosts stand twice: each generation of the remote reads its own."""
    hosts = list(action["hosts"])
    return {
        "template_id": action["target"]["template_id"],
        "params": {"limit": hosts},
        "limit": ",".join(hosts),
        "environment": json.dumps(
            action["variables"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
        ),
        "message": marker,
    }


def summary(action: Mapping[str, Any]) -> str:
    """The task in one line: what and where."""
    return f"{action['alias']}: {', '.join(action['hosts'])}"


def template_of(document: PolicyDocument, template_id: int) -> tuple[str, Template]:
    """The policy's record of the template, by its number at the remote."""
    rule = document.tarefa_executada
    found = rule.templates.items() if rule else ()
    return next((alias, item) for alias, item in found if item.template_id == template_id)
