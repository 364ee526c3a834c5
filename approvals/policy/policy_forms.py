"""The typed policy editor: every rule is a field, none is free text."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.policy import policy_issue_fields, policy_rows, policy_rule_fields
from approvals.policy.policy_document import PolicyDocument
from approvals.policy.policy_rows import PROJECTS, TEMPLATES
from approvals.stops import calendar_fields
from opspilot.presentation.forms import StrictForm

TASK = "tarefa_"
OFF, ON = "nao", "sim"


class PolicyForm(StrictForm):
    """The rules of issues with their projects, and those of tasks with their templates.

    Whatever else the document has (kinds this editor does not show, fields of a later release)
    stays as it was in `before`, the document the editor was opened with.
    """

    base = forms.IntegerField(widget=forms.HiddenInput)
    max_responsaveis = forms.IntegerField(
        label=gettext_lazy("Máximo de responsáveis"), min_value=0, max_value=20
    )
    # Named in every post: a page that did not show the tasks takes none of them away.
    tarefas = forms.ChoiceField(
        label=gettext_lazy("Tarefas do Semaphore"),
        choices=[(OFF, gettext_lazy("não permitidas")), (ON, gettext_lazy("permitidas"))],
    )
    motivo = forms.CharField(
        label=gettext_lazy("Motivo da mudança"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "Pelo menos 10 caracteres. O outro admin lê este motivo, e ele fica na versão."
        ),
        required=False,
    )

    def __init__(self, *args: Any, projects: int, templates: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.projects, self.templates = projects, templates
        self.fields |= policy_rule_fields.made("")
        self.fields |= policy_issue_fields.made()
        self.fields |= policy_rule_fields.made(TASK, within=_("Tarefas"))
        self.fields |= PROJECTS.fields(projects)
        self.fields |= TEMPLATES.fields(templates)
        self.fields |= calendar_fields.made()

    def general(self) -> list[BoundField]:
        return policy_rule_fields.general(self, "", "max_responsaveis", *policy_issue_fields.NAMES)

    def by_risk(self) -> list[list[BoundField]]:
        return policy_rule_fields.by_risk(self, "")

    def by_project(self) -> list[tuple[str, list[BoundField]]]:
        return PROJECTS.groups(self, self.projects)

    def task_general(self) -> list[BoundField]:
        return policy_rule_fields.general(self, TASK)

    def task_by_risk(self) -> list[list[BoundField]]:
        return policy_rule_fields.by_risk(self, TASK)

    def by_template(self) -> list[tuple[str, list[BoundField]]]:
        return TEMPLATES.groups(self, self.templates)

    def calendar(self) -> list[BoundField]:
        return [self[name] for name in calendar_fields.NAMES]

    def clean(self) -> dict[str, Any]:
        super().clean()
        self._note("")
        PROJECTS.clean(self, self.projects)
        calendar_fields.clean(self)
        policy_issue_fields.clean(self)
        if self.cleaned_data.get("tarefas") == ON:
            self._note(TASK)
            TEMPLATES.clean(self, self.templates)
        return self.cleaned_data

    def _note(self, prefix: str) -> None:
        for field, words in list(policy_rule_fields.faults(self.cleaned_data, prefix)):
            self.add_error(field, words)

    def document(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The document a valid form describes."""
        data, made = self.cleaned_data, copy.deepcopy(dict(before))
        rule = policy_rule_fields.read(data, "", made["issue_criada"])
        rule = policy_issue_fields.read(data, rule)
        made["issue_criada"] = rule | {"max_assignees": data["max_responsaveis"]}
        made["projects"] = {
            alias: policy_rows.project(values, made["projects"].get(alias, {}))
            for alias, values in PROJECTS.standing(data, self.projects)
        }
        made.pop("calendario", None)
        made |= calendar_fields.read(data)
        tasks = made.pop("tarefa_executada", None) or {}
        if data["tarefas"] == ON:
            made["tarefa_executada"] = self._tasks(tasks)
        return made

    def _tasks(self, before: dict[str, Any]) -> dict[str, Any]:
        known = before.get("templates", {})
        rule = policy_rule_fields.read(self.cleaned_data, TASK, before)
        rule["templates"] = {
            alias: policy_rows.template(values, known.get(alias, {}))
            for alias, values in TEMPLATES.standing(self.cleaned_data, self.templates)
        }
        return rule


class DraftActForm(StrictForm):
    """The content the page displayed travels with the act, as it does in a decision."""

    sha256 = forms.CharField(max_length=64, widget=forms.HiddenInput)


def posted(data: Mapping[str, Any]) -> PolicyForm:
    """The editor as it was sent."""
    return PolicyForm(data, projects=PROJECTS.count(data), templates=TEMPLATES.count(data))


def opened(document: PolicyDocument, *, base: int, kept: Mapping[str, Any]) -> PolicyForm:
    """The editor of this policy. `kept` is the whole of what somebody had typed before they had to
    log in again: what they had cleared is not in it, and stays cleared."""
    values = kept or initial(document) | {"base": base}
    projects = PROJECTS.count(kept) or len(document.projects) + 1
    templates = TEMPLATES.count(kept) or len(_templates(document)) + 1
    return PolicyForm(projects=projects, templates=templates, initial=dict(values))


def typed() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(fields of one value, fields of several) that are kept over a lost session."""
    form = PolicyForm(projects=policy_rows.MAX_PROJECTS, templates=policy_rows.MAX_TEMPLATES)
    several = tuple(
        name for name, field in form.fields.items() if isinstance(field, forms.MultipleChoiceField)
    )
    return tuple(form.fields.keys() - set(several)), several


def fits(document: PolicyDocument) -> bool:
    """Whether the editor can show all of it, and one more."""
    fewer = len(document.projects) < policy_rows.MAX_PROJECTS
    return fewer and len(_templates(document)) < policy_rows.MAX_TEMPLATES


def initial(document: PolicyDocument) -> dict[str, Any]:
    """What the editor starts from. Tasks that are not allowed yet start from the issues' rule."""
    rule, tasks = document.issue_criada, document.tarefa_executada
    return (
        policy_rule_fields.initial(rule, "")
        | policy_rule_fields.initial(tasks or rule, TASK)
        | policy_issue_fields.initial(rule)
        | {"max_responsaveis": rule.max_assignees, "tarefas": OFF if tasks is None else ON}
        | calendar_fields.initial(document.calendario)
        | PROJECTS.initial(policy_rows.project_values(*item) for item in document.projects.items())
        | TEMPLATES.initial(
            policy_rows.template_values(*item) for item in _templates(document).items()
        )
    )


def _templates(document: PolicyDocument) -> Mapping[str, Any]:
    return document.tarefa_executada.templates if document.tarefa_executada else {}
