"""Reads the policy in force and evaluates one action. Writes nothing; decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError

from approvals.actions import IssueCommand
from approvals.authorization import Authorization, Outcome, Request, authorize
from approvals.errors import PolicyRefusedError
from approvals.models import AgenteAprovacao, PolicyVersion
from approvals.policy_document import PolicyDocument
from opspilot import telemetry
from opspilot.errors import OpsPilotError
from opspilot.tenancy.principal import Role


@dataclass(frozen=True, slots=True)
class Policy:
    number: int
    document: PolicyDocument


class NoPolicyError(PolicyRefusedError):
    code = "sem_politica"
    what = _("Sua empresa ainda não tem uma política em vigor.")


class UnreadablePolicyError(PolicyRefusedError):
    """A policy of rules this code does not know: nothing is allowed under it (I12)."""

    code = "politica_ilegivel"
    what = _("A política em vigor é de uma versão que este console ainda não conhece.")


def in_force() -> Policy:
    """The policy with the highest number in the scope's tenant; raise NoPolicyError without one."""
    row = PolicyVersion.objects.order_by("-number").first()
    if row is None:
        raise NoPolicyError
    try:
        return Policy(row.number, PolicyDocument.model_validate(row.document))
    except ValidationError as exc:
        raise UnreadablePolicyError from exc


def evaluate(
    *, policy: Policy, command: IssueCommand, roles: frozenset[Role], coverage: str | None
) -> Outcome:
    """Resolve names to ids and find risk and quorum, or raise the refusal that says why not."""
    with telemetry.span("authorization"):
        answer = authorize(request=Request(roles, command, coverage), document=policy.document)
    return _allowed(answer)


def _allowed(answer: Authorization) -> Outcome:
    if answer.outcome is None:
        raise next(check for check in answer.checks if not check.ok).refusal()
    return answer.outcome


def command_of(action: dict[str, Any]) -> IssueCommand:
    """The command a stored action was resolved from, for evaluating it again."""
    return IssueCommand(
        alias=action["alias"],
        title=action["title"],
        description=action["description"],
        labels=tuple(action["labels"]),
        assignees=tuple(item["name"] for item in action["assignees"]),
    )


def outcome_of(action: dict[str, Any], *, risk: str, quorum: int, approver_role: str) -> Outcome:
    """The outcome a stored proposal was made under."""
    return Outcome(
        project_id=action["target"]["project_id"],
        project_path=action["target"]["project_path"],
        labels=tuple(action["labels"]),
        assignees=tuple((item["name"], item["id"]) for item in action["assignees"]),
        risk=risk,  # type: ignore[arg-type]
        quorum=quorum,
        approver_role=approver_role,
    )


def moved(proposal: AgenteAprovacao) -> bool:
    """Whether the policy in force gives this action another outcome than the proposal's (I3).

    The requester's roles are not asked again: what they were allowed to ask for, they asked for.
    """
    action = proposal.proposta
    made_under = outcome_of(
        action,
        risk=proposal.risco,
        quorum=proposal.aprovacoes_exigidas,
        approver_role=proposal.papel_exigido,
    )
    try:
        policy = in_force()
        now = evaluate(
            policy=policy,
            command=command_of(action),
            roles=frozenset(Role(r) for r in policy.document.issue_criada.requester_roles),
            coverage=proposal.cobertura,
        )
    except (OpsPilotError, ValidationError):  # or a policy of rules this code does not know
        return True
    return now != made_under
