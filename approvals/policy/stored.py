"""Reads a stored action back: the command it was resolved from and the outcome it was made under.

A task's action is `{kind: tarefa.executada, target: {project_id, template_id, fingerprint, …},
alias, hosts: [], variables: {}}`; an issue's and an agent's own are built in `drafts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from approvals.actions import (
    ISSUE_CLOSED,
    ISSUE_CREATED,
    SENT_AGAIN,
    ClosingCommand,
    Command,
    IssueCommand,
)
from approvals.agents.external_command import ExternalCommand
from approvals.policy.outcomes import ExternalOutcome, IssueOutcome, Outcome, TaskOutcome
from approvals.tasks.task_command import TASK_RUN, TaskCommand

Action = dict[str, Any]
AGENT = "agente"  # the executor of an external kind


class UnknownKindError(ValueError):
    """An action of a kind this code has no rules for."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """`named` reads only what the rules ask about; the words of an action decide nothing."""

    command: Callable[[Action], Command]
    named: Callable[[Action], Command]
    outcome: Callable[[Action, dict[str, Any]], Outcome]


def is_external(action: object) -> bool:
    """Whether one of the company's agents carries it out, and never our worker."""
    return isinstance(action, Mapping) and action.get("executor") == AGENT


def command_of(action: Action) -> Command:
    """For evaluating it again. Raises UnknownKindError; KeyError or TypeError for an altered one."""
    return _kind(action).command(action)


def named_in(action: Action) -> Command:
    """The same without the words of the action, which are long and are not checked again."""
    return _kind(action).named(action)


def outcome_of(action: Action, *, risk: str, quorum: int, approver_role: str) -> Outcome:
    """The outcome a stored proposal was made under; raises as `command_of` does."""
    asks = {"risk": risk, "quorum": quorum, "approver_role": approver_role}
    return _kind(action).outcome(action, asks)


def _kind(action: Action) -> _Kind:
    kind = action["kind"]
    found = _EXTERNAL if is_external(action) else _KINDS.get(kind)
    if found is None:
        raise UnknownKindError(kind)
    return found


def _issue(action: Action) -> IssueCommand:
    return IssueCommand(
        alias=action["alias"],
        title=action["title"],
        description=action["description"],
        labels=tuple(action["labels"]),
        assignees=tuple(item["name"] for item in action["assignees"]),
    )


def _issue_names(action: Action) -> IssueCommand:
    return IssueCommand.model_construct(
        alias=action["alias"],
        title="",
        description="",
        labels=tuple(action["labels"]),
        assignees=tuple(item["name"] for item in action["assignees"]),
    )


def _issue_outcome(action: Action, asks: dict[str, Any]) -> IssueOutcome:
    return IssueOutcome(
        project_id=action["target"]["project_id"],
        project_path=action["target"]["project_path"],
        labels=tuple(action["labels"]),
        assignees=tuple((item["name"], item["id"]) for item in action["assignees"]),
        **asks,
    )


def _task(action: Action) -> TaskCommand:
    return TaskCommand(
        template=action["alias"],
        template_id=action["target"]["template_id"],
        hosts=tuple(action["hosts"]),
        variables=_variables(action),
    )


def _task_outcome(action: Action, asks: dict[str, Any]) -> TaskOutcome:
    return TaskOutcome(
        project_id=action["target"]["project_id"],
        template_id=action["target"]["template_id"],
        # What the policy had on record; what the remote had is compared right before the effect.
        fingerprint=action["target"].get("policy_fingerprint", action["target"]["fingerprint"]),
        hosts=tuple(action["hosts"]),
        variables=_variables(action),
        **asks,
    )


def _variables(action: Action) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(action["variables"].items()))


def _external(action: Action) -> ExternalCommand:
    fields = ((name, field["value"]) for name, field in action["fields"].items())
    return ExternalCommand(action["kind"], tuple(sorted(fields)))


def _external_outcome(action: Action, asks: dict[str, Any]) -> ExternalOutcome:
    fields = action["fields"].items()
    return ExternalOutcome(
        fields=tuple(sorted((name, field["type"], field["value"]) for name, field in fields)),
        authorization=action["authorization"],
        **asks,
    )


def _closing(action: Action) -> IssueCommand:
    """Judged by its project: labels and people are no part of closing."""
    return ClosingCommand.model_construct(alias=action["alias"], title="", description="")


def _closing_outcome(action: Action, asks: dict[str, Any]) -> IssueOutcome:
    return _issue_outcome({"target": action["target"], "labels": [], "assignees": []}, asks)


def original(action: Action) -> Action:
    """The whole action that one about another proposal's effect rests on."""
    found: Action = action["original"]["action"]
    return found


_EXTERNAL = _Kind(_external, _external, _external_outcome)
_KINDS = {
    ISSUE_CREATED: _Kind(_issue, _issue_names, _issue_outcome),
    TASK_RUN: _Kind(_task, _task, _task_outcome),
    ISSUE_CLOSED: _Kind(_closing, _closing, _closing_outcome),
    SENT_AGAIN: _Kind(
        lambda action: _issue(original(action)),
        lambda action: _issue_names(original(action)),
        lambda action, asks: _issue_outcome(original(action), asks),
    ),
}
