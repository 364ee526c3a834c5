"""Proposals about the effect of another one: to undo it, or to send an unknown one once more.

Each is a proposal like any other: a run of its own, the same confirmation, and other people decide.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from approvals import canonical, drafts, rules
from approvals.actions import ISSUE_CLOSED, ISSUE_CREATED, SENT_AGAIN
from approvals.drafts import Draft
from approvals.errors import NothingToReverseError, NothingToSendAgainError
from approvals.execution import attempts
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from approvals.policy import stored
from opspilot.tenancy.principal import Principal


def reversal(*, principal: Principal, run_id: UUID, proposal: AgenteAprovacao) -> Draft:
    """Close the issue that this proposal created. Raises NothingToReverseError, or whatever the
    policy refuses."""
    execution = Execution.objects.filter(approval=proposal).first()
    if not can_be_reversed(execution, proposal) or execution is None:
        raise NothingToReverseError(**proposal.facts)
    issue = {"iid": execution.remote["iid"], "url": execution.remote["url"]}
    action = _about(principal, proposal, kind=ISSUE_CLOSED) | {"issue": issue}
    return _draft(principal, run_id, proposal, action, coverage=None)


def resend(*, principal: Principal, run_id: UUID, proposal: AgenteAprovacao) -> Draft:
    """Send the request of this proposal once more. Raises NothingToSendAgainError, or whatever the
    policy refuses."""
    execution = Execution.objects.filter(approval=proposal).first()
    if not can_be_sent_again(execution, proposal) or execution is None:
        raise NothingToSendAgainError(**proposal.facts)
    action = _about(principal, proposal, kind=SENT_AGAIN)
    action["sends"] = attempts.count(execution, attempts.SENT)
    action["original"]["marker"] = execution.marker
    return _draft(principal, run_id, proposal, action, coverage=proposal.cobertura)


def can_be_reversed(execution: Execution | None, proposal: AgenteAprovacao) -> bool:
    return (
        execution is not None
        and proposal.acao == ISSUE_CREATED
        and execution.state == ExecutionState.CONCLUIDA
        and "iid" in execution.remote
    )


def can_be_sent_again(execution: Execution | None, proposal: AgenteAprovacao) -> bool:
    """Only once the system looks no more by itself: until then it may still find it."""
    return (
        execution is not None
        and proposal.acao == ISSUE_CREATED
        and execution.state == ExecutionState.DESCONHECIDA
        and execution.next_lookup_at is None
        and execution.lookups > 0
        and not execution.proof
    )


def _about(principal: Principal, proposal: AgenteAprovacao, *, kind: str) -> dict[str, Any]:
    """The whole action it is about travels inside: the approver reads it, and the hash covers it."""
    action = proposal.proposta
    original = {"ref": str(proposal.ref), "hash": proposal.acao_hash, "action": action}
    return {
        "schema": drafts.ACTION_SCHEMA,
        "kind": kind,
        "tenant": str(principal.tenant_id),
        "requester": principal.subject,
        "target": action["target"],
        "alias": action["alias"],
        "title": action["title"],
        "original": original,
    }


def _draft(
    principal: Principal,
    run_id: UUID,
    proposal: AgenteAprovacao,
    action: dict[str, Any],
    *,
    coverage: str | None,
) -> Draft:
    policy = rules.in_force()
    outcome = rules.evaluate(
        policy=policy,
        command=stored.command_of(action),
        roles=principal.roles,
        coverage=coverage,
    )
    hash_ = canonical.action_hash(action)
    marker = drafts.marker_of(tenant_id=principal.tenant_id, run_id=run_id, action_hash=hash_)
    return Draft(run_id, action, hash_, marker, outcome, policy, coverage, about=proposal)
