"""The rules of `issue.criada`: each answers for itself, also after another one refused."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from approvals.actions import ClosingCommand, IssueCommand
from approvals.errors import (
    RequesterRoleError,
    TooManyAssigneesError,
    UnknownAliasError,
    UnknownAssigneeError,
    UnknownLabelError,
)
from approvals.policy.outcomes import Check, IssueOutcome, Request, basis, may_ask, named, raised
from approvals.policy.policy_document import KindRule, PolicyDocument, Project, Risk


def checks(request: Request, command: IssueCommand, document: PolicyDocument) -> tuple[Check, ...]:
    return (
        _requester(request, _rule(command, document)),
        basis(request, None if isinstance(command, ClosingCommand) else document.issue_criada),
        *(rule(command, document) for rule in _OF_THE_COMMAND),
    )


def outcome(request: Request, command: IssueCommand, document: PolicyDocument) -> IssueOutcome:
    """What an allowed command comes to."""
    rule, project = _rule(command, document), document.projects[command.alias]
    risk = raised(_risk(command, document, project), request.coverage)
    return IssueOutcome(
        project_id=project.project_id,
        project_path=project.path,
        labels=command.labels,
        assignees=tuple((name, project.assignees[name]) for name in command.assignees),
        risk=risk,
        quorum=rule.quorum[risk],
        approver_role=rule.approver_of(risk),
    )


def linkable(document: PolicyDocument) -> frozenset[str]:
    """The hosts a link in an issue may lead to: those of the policy, and the issue's own."""
    own = urlsplit(settings.OPSPILOT_GITLAB_URL).hostname
    return frozenset(document.issue_criada.link_hosts) | ({own} if own else frozenset())


def _rule(command: IssueCommand, document: PolicyDocument) -> KindRule:
    closes = isinstance(command, ClosingCommand)
    return document.issue_criada.undone_by() if closes else document.issue_criada


def _risk(command: IssueCommand, document: PolicyDocument, project: Project) -> Risk:
    own = document.issue_criada.reversao
    return own.risk if own is not None and isinstance(command, ClosingCommand) else project.risk


def _requester(request: Request, rule: KindRule) -> Check:
    return Check(_("Papel de quem pede"), may_ask(request, rule), RequesterRoleError)


def _alias(command: IssueCommand, document: PolicyDocument) -> Check:
    return Check(_("Projeto"), _project(command, document) is not None, UnknownAliasError)


def _count(command: IssueCommand, document: PolicyDocument) -> Check:
    limit = document.issue_criada.max_assignees
    words = _("Esta ação aceita no máximo %(count)s responsável(is).") % {"count": limit}
    return Check(
        _("Número de responsáveis"), len(command.assignees) <= limit, TooManyAssigneesError, words
    )


def _labels(command: IssueCommand, document: PolicyDocument) -> Check:
    project = _project(command, document)
    unknown = sorted(set(command.labels) - set(project.labels if project else ()))
    words = named(_("Etiqueta que a política deste projeto não tem: %(name)s."), unknown)
    return Check(_("Etiquetas"), not unknown, UnknownLabelError, words)


def _assignees(command: IssueCommand, document: PolicyDocument) -> Check:
    project = _project(command, document)
    unknown = sorted(set(command.assignees) - set(project.assignees if project else ()))
    words = named(_("Responsável que a política deste projeto não tem: %(name)s."), unknown)
    return Check(_("Responsáveis"), not unknown, UnknownAssigneeError, words)


def _project(command: IssueCommand, document: PolicyDocument) -> Project | None:
    return document.projects.get(command.alias)


_OF_THE_COMMAND: tuple[Callable[[IssueCommand, PolicyDocument], Check], ...] = (
    _alias,
    _count,
    _labels,
    _assignees,
)
