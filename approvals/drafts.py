"""A draft: the parsed, resolved command as the requester confirms it, not yet stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings

from approvals import canonical, rules
from approvals.actions import ISSUE_CREATED, IssueCommand
from approvals.agents.external_command import ExternalCommand
from approvals.policy import stored
from approvals.policy.outcomes import ExternalOutcome, IssueOutcome, Outcome
from opspilot.tenancy.principal import AgentPrincipal, Principal, Role

ACTION_SCHEMA = 1  # of the action's own form; part of its hash, so a plain issue keeps its number


@dataclass(frozen=True, slots=True)
class Draft:
    """The canonical action, its hash, and the body that will be sent, marker included."""

    run_id: UUID
    action: dict[str, Any]
    hash: str
    marker: str
    outcome: Outcome
    policy: rules.Policy
    coverage: str | None

    @property
    def body(self) -> dict[str, Any]:
        return body(self.action, self.marker)


def prepare(
    *,
    principal: Principal | AgentPrincipal,
    run_id: UUID,
    command: IssueCommand | ExternalCommand,
    coverage: str | None,
) -> Draft:
    """Resolve the command by the policy in force. Pure of effects: nothing is stored or sent.

    An agent asks for no more than its owner could.
    """
    policy = rules.in_force()
    roles, agent = _asking(principal)
    outcome = rules.evaluate(
        policy=policy, command=command, roles=roles, coverage=coverage, agent=agent
    )
    action = _action(principal, command, outcome)
    hash_ = canonical.action_hash(action)
    return Draft(
        run_id=run_id,
        action=action,
        hash=hash_,
        marker=marker_of(tenant_id=principal.tenant_id, run_id=run_id, action_hash=hash_),
        outcome=outcome,
        policy=policy,
        coverage=coverage,
    )


def _asking(principal: Principal | AgentPrincipal) -> tuple[frozenset[Role], str]:
    """The roles that ask, and the agent's slug."""
    if isinstance(principal, AgentPrincipal):
        return principal.owner_roles, principal.slug
    return principal.roles, ""


def marker_of(*, tenant_id: UUID, run_id: UUID, action_hash: str) -> str:
    return canonical.marker(
        key=settings.OPSPILOT_HMAC_KEY, tenant_id=tenant_id, run_id=run_id, action_hash=action_hash
    )


def body(action: dict[str, Any], marker: str) -> dict[str, Any]:
    """The request body: the stored action plus the marker line, and nothing else (I2)."""
    sent: dict[str, Any] = {
        "title": action["title"],
        "description": f"{action['description']}\n\n{marker}",
        "confidential": action["confidential"],
    }
    if action["labels"]:
        sent["labels"] = ",".join(action["labels"])
    if action["assignees"]:
        sent["assignee_ids"] = [item["id"] for item in action["assignees"]]
    return sent


def _action(
    principal: Principal | AgentPrincipal,
    command: IssueCommand | ExternalCommand,
    outcome: Outcome,
) -> dict[str, Any]:
    return {
        "schema": ACTION_SCHEMA,
        "kind": ISSUE_CREATED if isinstance(command, IssueCommand) else command.kind,
        "tenant": str(principal.tenant_id),
        "requester": principal.subject,
        **_content(command, outcome),
    }


def _content(command: IssueCommand | ExternalCommand, outcome: Outcome) -> dict[str, Any]:
    match command, outcome:
        case IssueCommand(), IssueOutcome():
            return _issue(command, outcome)
        case ExternalCommand(), ExternalOutcome():
            return _external(outcome)
        case _:
            raise TypeError("this outcome is not of this command")


def _issue(command: IssueCommand, outcome: IssueOutcome) -> dict[str, Any]:
    return {
        "target": {
            "system": "gitlab",
            "host": settings.OPSPILOT_GITLAB_URL,
            "project_id": outcome.project_id,
            "project_path": outcome.project_path,
        },
        "alias": command.alias,
        "title": command.title,
        "description": command.description,
        "labels": list(outcome.labels),
        "assignees": [{"name": name, "id": id_} for name, id_ in outcome.assignees],
        "confidential": False,
    }


def _external(outcome: ExternalOutcome) -> dict[str, Any]:
    """Types travel with the values: the action reads the same when the policy has moved on."""
    return {
        "executor": stored.AGENT,
        "authorization": outcome.authorization,
        "fields": {name: {"type": type_, "value": value} for name, type_, value in outcome.fields},
    }
