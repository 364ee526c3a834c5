"""The one function that authorises: it sees identity, policy and action, and nothing else.

No text of a document, no word of a model and no confidence reaches it. Its answer is
one line a rule, each with a reason code; the same lines are what the policy tester shows.
Each kind of action has its own list of rules, in a module of its own.
"""

from __future__ import annotations

from typing import assert_never

from approvals.actions import IssueCommand
from approvals.agents.external_command import ExternalCommand
from approvals.policy import external_rules, issue_rules
from approvals.policy.outcomes import Authorization, Check, Outcome, Request
from approvals.policy.policy_document import PolicyDocument
from approvals.tasks import task_rules
from approvals.tasks.task_command import TaskCommand

__all__ = ["Authorization", "Check", "Outcome", "Request", "authorize"]


def authorize(*, request: Request, document: PolicyDocument) -> Authorization:
    """Ask every rule, also after one refused: whoever tests a policy sees all reasons at once."""
    checks = _checks(request, document)
    allowed = all(check.ok for check in checks)
    return Authorization(checks, _outcome(request, document) if allowed else None)


def _checks(request: Request, document: PolicyDocument) -> tuple[Check, ...]:
    match request.command:
        case IssueCommand() as command:
            return issue_rules.checks(request, command, document)
        case TaskCommand() as command:
            return task_rules.checks(request, command, document)
        case ExternalCommand() as command:
            return external_rules.checks(request, command, document)
        case never:
            assert_never(never)


def _outcome(request: Request, document: PolicyDocument) -> Outcome:
    match request.command:
        case IssueCommand() as command:
            return issue_rules.outcome(request, command, document)
        case TaskCommand() as command:
            return task_rules.outcome(request, command, document)
        case ExternalCommand() as command:
            return external_rules.outcome(request, command, document)
        case never:
            assert_never(never)
