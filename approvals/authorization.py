"""The one function that authorises: it sees identity, policy and action, and nothing else.

No text of a document, no word of a model and no confidence reaches it. Its answer is
one line a rule, each with a reason code; the same lines are what the policy tester shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from approvals.actions import IssueCommand
from approvals.errors import (
    NoBasisError,
    PolicyRefusedError,
    RequesterRoleError,
    TooManyAssigneesError,
    UnknownAliasError,
    UnknownAssigneeError,
    UnknownLabelError,
)
from approvals.policy_document import RISKS, PolicyDocument, Project, Risk
from opspilot.tenancy.principal import Role


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the policy makes of an action. Two outcomes that are equal have not *moved* (I3)."""

    project_id: int
    project_path: str
    labels: tuple[str, ...]
    assignees: tuple[tuple[str, int], ...]
    risk: Risk
    quorum: int
    approver_role: str


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what, on which basis. `coverage` is the grounding's word for the answer the
    command rests on; None = nothing was consulted."""

    roles: frozenset[Role]
    command: IssueCommand
    coverage: str | None


@dataclass(frozen=True, slots=True)
class Check:
    """One rule's answer. `error` is what a refusal raises; its code is the reason code."""

    rule: str | Promise
    ok: bool
    error: type[PolicyRefusedError]
    detail: str = ""

    @property
    def code(self) -> str:
        return "ok" if self.ok else self.error.code

    def refusal(self) -> PolicyRefusedError:
        return self.error(self.detail or None)

    @property
    def sentence(self) -> str:
        """Why it refuses, in words."""
        return self.detail or str(self.error.what)


@dataclass(frozen=True, slots=True)
class Authorization:
    """Every rule's answer, in the order they are asked, and the outcome when all allow."""

    checks: tuple[Check, ...]
    outcome: Outcome | None

    @property
    def allowed(self) -> bool:
        return self.outcome is not None


def authorize(*, request: Request, document: PolicyDocument) -> Authorization:
    """Ask every rule, also after one refused: whoever tests a policy sees all reasons at once."""
    checks = tuple(rule(request, document) for rule in _RULES)
    allowed = all(check.ok for check in checks)
    return Authorization(checks, _outcome(request, document) if allowed else None)


def _requester(request: Request, document: PolicyDocument) -> Check:
    allowed = {str(role) for role in request.roles} & set(document.issue_criada.requester_roles)
    return Check(_("Papel de quem pede"), bool(allowed), RequesterRoleError)


def _basis(request: Request, document: PolicyDocument) -> Check:
    return Check(_("Base nos runbooks"), request.coverage != "nenhuma", NoBasisError)


def _alias(request: Request, document: PolicyDocument) -> Check:
    return Check(_("Projeto"), _project(request, document) is not None, UnknownAliasError)


def _count(request: Request, document: PolicyDocument) -> Check:
    limit = document.issue_criada.max_assignees
    words = _("Esta ação aceita no máximo %(count)s responsável(is).") % {"count": limit}
    within = len(request.command.assignees) <= limit
    return Check(_("Número de responsáveis"), within, TooManyAssigneesError, words)


def _labels(request: Request, document: PolicyDocument) -> Check:
    project = _project(request, document)
    unknown = sorted(set(request.command.labels) - set(project.labels if project else ()))
    words = _named(_("Etiqueta que a política deste projeto não tem: %(name)s."), unknown)
    return Check(_("Etiquetas"), not unknown, UnknownLabelError, words)


def _assignees(request: Request, document: PolicyDocument) -> Check:
    project = _project(request, document)
    unknown = sorted(set(request.command.assignees) - set(project.assignees if project else ()))
    words = _named(_("Responsável que a política deste projeto não tem: %(name)s."), unknown)
    return Check(_("Responsáveis"), not unknown, UnknownAssigneeError, words)


_RULES: tuple[Callable[[Request, PolicyDocument], Check], ...] = (
    _requester,
    _basis,
    _alias,
    _count,
    _labels,
    _assignees,
)


def _named(sentence: str | Promise, names: list[str]) -> str:
    return str(sentence) % {"name": names[0][:80]} if names else ""


def _project(request: Request, document: PolicyDocument) -> Project | None:
    return document.projects.get(request.command.alias)


def _outcome(request: Request, document: PolicyDocument) -> Outcome:
    rule, command = document.issue_criada, request.command
    project = document.projects[command.alias]
    risk = _risk(project, request.coverage)
    return Outcome(
        project_id=project.project_id,
        project_path=project.path,
        labels=command.labels,
        assignees=tuple((name, project.assignees[name]) for name in command.assignees),
        risk=risk,
        quorum=rule.quorum[risk],
        approver_role=rule.approver_of(risk),
    )


def _risk(project: Project, coverage: str | None) -> Risk:
    """Low coverage raises the project's risk by one step."""
    raised = RISKS.index(project.risk) + (coverage == "baixa")
    return RISKS[min(raised, len(RISKS) - 1)]
