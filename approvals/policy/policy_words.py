"""What one policy changes against another, in sentences a person can agree or disagree with."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from approvals.policy import (
    policy_changes,
    policy_external_words,
    policy_issue_words,
    policy_task_words,
)
from approvals.policy.policy_changes import Change, changed, inside, listed
from approvals.policy.policy_document import ActionRule, PolicyDocument, Project
from approvals.stops import calendar_words

__all__ = ["Change", "changes"]


def changes(before: PolicyDocument, after: PolicyDocument) -> list[Change]:
    """Every difference, what loosens first: it is what the second admin must not miss."""
    found = [
        *_issues(before.issue_criada, after.issue_criada),
        *_projects(before, after),
        *policy_task_words.changes(before.tarefa_executada, after.tarefa_executada),
        *policy_external_words.changes(before.acoes_externas, after.acoes_externas),
        *calendar_words.changes(before.calendario, after.calendario),
    ]
    return sorted(found, key=lambda change: not change.loosens)


def _issues(before: ActionRule, after: ActionRule) -> Iterator[Change]:
    yield from policy_changes.of_rule(before, after)
    yield from policy_issue_words.changes(before, after)


def _projects(before: PolicyDocument, after: PolicyDocument) -> Iterator[Change]:
    for alias in sorted(before.projects.keys() | after.projects.keys()):
        old, new = before.projects.get(alias), after.projects.get(alias)
        name = _("Projeto %(alias)s") % {"alias": alias}
        if old is None and new is not None:
            yield Change("added", name, "", new.path, loosens=True)
        elif new is None and old is not None:
            yield Change("removed", name, old.path, "")
        elif old is not None and new is not None:
            yield from _project(name, old, new)


def _project(name: str, old: Project, new: Project) -> Iterator[Change]:
    if (old.project_id, old.path) != (new.project_id, new.path):
        yield changed(
            inside(name, _("destino")),
            f"{old.path} ({old.project_id})",
            f"{new.path} ({new.project_id})",
            loosens=True,
        )
    yield from policy_changes.of_risk(inside(name, _("risco")), old.risk, new.risk)
    yield from listed(inside(name, _("etiquetas")), old.labels, new.labels, adding_loosens=True)
    yield from listed(
        inside(name, _("responsáveis")),
        [f"{who} (id {id_})" for who, id_ in old.assignees.items()],
        [f"{who} (id {id_})" for who, id_ in new.assignees.items()],
        adding_loosens=True,
    )
