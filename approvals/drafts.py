"""A draft: the parsed, resolved command as the requester confirms it, not yet stored."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings

from approvals import actions, authority, canonical, rules
from approvals.actions import ISSUE_CLOSED, ISSUE_CREATED, SENT_AGAIN, Command, IssueCommand
from approvals.agents.external_command import ExternalCommand
from approvals.models import AgenteAprovacao
from approvals.policy import issue_rules, stored
from approvals.policy.outcomes import ExternalOutcome, IssueOutcome, Outcome, TaskOutcome
from approvals.stops import schedule
from approvals.tasks import task_drafts
from approvals.tasks.task_command import TASK_RUN, TaskCommand
from audit.guard import refusing
from opspilot.tenancy import clock
from opspilot.tenancy.principal import AgentPrincipal, Principal

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
    about: AgenteAprovacao | None = None  # whose effect it is about

    @property
    def is_task(self) -> bool:
        return bool(self.action["kind"] == TASK_RUN)

    @property
    def body(self) -> dict[str, Any]:
        return body(self.action, self.marker)


def prepare(
    *,
    principal: Principal | AgentPrincipal,
    run_id: UUID,
    command: Command,
    coverage: str | None,
    execute_from: dt.datetime | None = None,
    undoes: AgenteAprovacao | None = None,
) -> Draft:
    """Resolve the command by the policy in force. Pure of effects: nothing is stored or sent.

    A task needs a fresh reading of its template, else PreflightPendingError. A secret, a document or
    a card in it is ForbiddenContentError.

    An agent asks for no more than its owner could. `execute_from` is a moment before which it is
    not to be carried out; ScheduleError when it is over, or later than the policy lets it be done.
    `undoes` is the task whose effect this one takes back: UndoMismatchError when it would not.
    """
    policy = rules.in_force()
    roles, agent = authority.asking(principal)
    outcome = rules.evaluate(
        policy=policy, command=command, roles=roles, coverage=coverage, agent=agent
    )
    action = _action(principal, command, outcome, policy)
    refusing.refuse(words_of(action), correlation_id=run_id)
    if undoes is not None:
        action = task_drafts.undoing(action, undoes)
    if execute_from is not None:
        action[schedule.FIELD] = _scheduled(policy, action["kind"], execute_from)
    hash_ = canonical.action_hash(action)
    return Draft(
        run_id=run_id,
        action=action,
        hash=hash_,
        marker=marker_of(tenant_id=principal.tenant_id, run_id=run_id, action_hash=hash_),
        outcome=outcome,
        policy=policy,
        coverage=coverage,
        about=undoes,
    )


_FRAME = frozenset({"schema", "kind", "tenant", "requester", "target", "executor", "authorization"})


def words_of(action: dict[str, Any]) -> dict[str, Any]:
    """What was asked for, without what the console itself wrote around it."""
    return {name: value for name, value in action.items() if name not in _FRAME}


def _scheduled(policy: rules.Policy, kind: str, moment: dt.datetime) -> str:
    """As the action carries it."""
    now, zone = clock.now(), schedule.zone_of(policy.document.calendario)
    until = latest_start(policy, kind, now=now)
    return schedule.written(schedule.within(moment, now=now, until=until, zone=zone))


def latest_start(policy: rules.Policy, kind: str, *, now: dt.datetime) -> dt.datetime:
    """The proposal is made later than `now`, so its own last moment is no earlier than this."""
    rule = policy.document.rule_of(kind)
    minutes = rule.expires_minutes + rule.execute_within_minutes if rule else 0
    return now + dt.timedelta(minutes=minutes)


def marker_of(*, tenant_id: UUID, run_id: UUID, action_hash: str) -> str:
    return canonical.marker(
        key=settings.OPSPILOT_HMAC_KEY, tenant_id=tenant_id, run_id=run_id, action_hash=action_hash
    )


def marker_for(proposal: AgenteAprovacao) -> str:
    return marker_of(
        tenant_id=proposal.tenant_id,
        run_id=proposal.correlacao_id,
        action_hash=proposal.acao_hash,
    )


def body(action: dict[str, Any], marker: str) -> dict[str, Any]:
    """The request body: the stored action plus the marker line, and nothing else (I2)."""
    if action["kind"] == TASK_RUN:
        return task_drafts.body(action, marker)
    if action["kind"] == ISSUE_CLOSED:
        return {"state_event": "close"}  # a field that is not sent stays as it is
    if action["kind"] == SENT_AGAIN:
        return body(stored.original(action), action["original"]["marker"])
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
    command: Command,
    outcome: Outcome,
    policy: rules.Policy,
) -> dict[str, Any]:
    return {
        "schema": ACTION_SCHEMA,
        "kind": _kind(command),
        "tenant": str(principal.tenant_id),
        "requester": principal.subject,
        **_content(command, outcome, policy),
    }


def _kind(command: Command) -> str:
    match command:
        case IssueCommand():
            return ISSUE_CREATED
        case TaskCommand():
            return TASK_RUN
        case _:
            return command.kind


def _content(command: Command, outcome: Outcome, policy: rules.Policy) -> dict[str, Any]:
    match command, outcome:
        case IssueCommand(), IssueOutcome():
            return _issue(actions.unlinked(command, issue_rules.linkable(policy.document)), outcome)
        case TaskCommand(), TaskOutcome():
            return task_drafts.content(outcome=outcome, document=policy.document)
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
