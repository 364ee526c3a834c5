"""The names that exist for a requester: what the policy in force lets these roles ask for."""

from __future__ import annotations

from approvals import rules
from approvals.errors import PolicyRefusedError
from approvals.policy import policy_document
from approvals.policy.outcomes import Request, may_ask
from approvals.policy.policy_document import PolicyDocument
from approvals.tasks.task_command import TaskCommand
from approvals.tasks.task_rules import may_run
from opspilot.harness.planning.port import Template, Vocabulary
from opspilot.tenancy.principal import Role

NONE = Vocabulary()


def of(roles: frozenset[Role]) -> Vocabulary:
    """Inside the company's scope. Nothing without a policy that can be read."""
    try:
        document = rules.in_force().document
    except PolicyRefusedError:
        return NONE
    return within(document, roles)


def within(document: PolicyDocument, roles: frozenset[Role]) -> Vocabulary:
    asks = Request(roles, TaskCommand(), None)
    projects = document.projects if may_ask(asks, document.issue_criada) else {}
    rule = document.tarefa_executada
    templates = rule.templates if rule is not None and may_ask(asks, rule) else {}
    return Vocabulary(
        projects=tuple(sorted(projects)),
        labels=tuple(sorted({label for one in projects.values() for label in one.labels})),
        assignees=tuple(sorted({name for one in projects.values() for name in one.assignees})),
        templates=tuple(
            _template(alias, found)
            for alias, found in sorted(templates.items())
            if may_run(asks, found)
        ),
    )


def _template(alias: str, found: policy_document.Template) -> Template:
    return Template(
        alias=alias,
        number=found.template_id,
        hosts=tuple(found.hosts),
        variables={name: tuple(rule.values) for name, rule in found.variables.items()},
        required=frozenset(name for name, rule in found.variables.items() if rule.required),
        max_hosts=found.max_hosts,
    )
