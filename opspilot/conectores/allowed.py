"""What the policy in force says there must be at a remote."""

from __future__ import annotations

from dataclasses import dataclass

from approvals import rules
from approvals.policy.policy_document import PolicyDocument
from approvals.rules import NoPolicyError, UnreadablePolicyError
from opspilot.connectors.gitlab_doctor import AllowedProject
from opspilot.connectors.semaphore_doctor import AllowedTemplate


@dataclass(frozen=True, slots=True)
class Allowed:
    """`basis` is why there is nothing of a policy in it, or ""."""

    projects: tuple[AllowedProject, ...] = ()
    templates: tuple[AllowedTemplate, ...] = ()
    basis: str = ""


def in_force() -> Allowed:
    """Inside the company's scope."""
    try:
        document = rules.in_force().document
    except NoPolicyError:
        return Allowed(basis="sem_politica")
    except UnreadablePolicyError:
        return Allowed(basis="politica_ilegivel")
    return Allowed(projects=_projects(document), templates=_templates(document))


def _projects(document: PolicyDocument) -> tuple[AllowedProject, ...]:
    return tuple(
        AllowedProject(
            id=project.project_id,
            path=project.path,
            labels=tuple(project.labels),
            assignee_ids=tuple(project.assignees.values()),
        )
        for project in document.projects.values()
    )


def _templates(document: PolicyDocument) -> tuple[AllowedTemplate, ...]:
    if document.tarefa_executada is None:
        return ()
    return tuple(
        AllowedTemplate(
            project_id=template.project_id,
            template_id=template.template_id,
            hosts=tuple(template.hosts),
            fingerprint=template.fingerprint,
        )
        for template in document.tarefa_executada.templates.values()
    )
