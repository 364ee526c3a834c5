"""An explicit task as people fill it in: every field is text, and the rules say what it means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.policy.policy_document import PolicyDocument, Template
from approvals.policy.policy_task_words import variable_words
from approvals.tasks import task_command
from approvals.tasks.task_command import TaskCommand
from opspilot.harness import task_services
from opspilot.harness.forms import OpenChoiceField
from opspilot.presentation.forms import StrictForm

KEPT = (*task_command.FIELDS, "justificativa")


class TaskForm(StrictForm):
    """Blank fields are asked for by name, and what is there is kept as it was typed: the form
    trims nothing, because what it trimmed would not be what was shown."""

    template_id = OpenChoiceField(label=gettext_lazy("Template"), required=False)
    limit = forms.CharField(
        label=gettext_lazy("Destino"),
        required=False,
        strip=False,
        help_text=gettext_lazy("O nome de um host, ou vários separados por vírgula. Sem padrões."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    justificativa = forms.CharField(
        label=gettext_lazy("Por que isto precisa ser feito"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Quem aprova lê este motivo."),
    )
    cliente = forms.CharField(
        label=gettext_lazy("CPF ou CNPJ do cliente"),
        max_length=32,
        required=False,
        help_text=gettext_lazy(
            "Opcional. Liga esta ação ao histórico do cliente; o número não fica na trilha."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, policy: PolicyDocument, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._templates = policy.tarefa_executada.templates if policy.tarefa_executada else {}
        self.names = sorted(task_services.variables_of(policy), key=_place)
        for name in self.names:
            self.fields[name] = self._variable(name)
        self.order_fields(["template_id", "limit", *self.names, "justificativa", "cliente"])
        template = self.fields["template_id"]
        if isinstance(template, forms.ChoiceField):
            template.choices = [("", _("Escolha o template")), *self._choices()]

    def command(self) -> TaskCommand:
        """What was typed, read by the one reader of commands."""
        names = ("template_id", "limit", *self.names)
        return task_command.read({name: self.cleaned_data[name] for name in names})

    def _choices(self) -> Iterator[tuple[str, str]]:
        """Nothing is chosen for the person; what was given stays, also when no policy knows it."""
        known = {str(item.template_id): item.name for item in self._templates.values()}
        for number, name in sorted(known.items(), key=lambda pair: pair[1]):
            yield number, f"{name} ({number})"
        given = str(self.data.get("template_id") or self.initial.get("template_id") or "")
        if given and given not in known:
            yield given, _("%(given)s: fora da política") % {"given": given[:80]}

    def _variable(self, name: str) -> forms.CharField:
        takers = [item for item in self._templates.values() if name in item.variables]
        said = "; ".join(_taken(item, name) for item in takers)
        return forms.CharField(
            label=name,
            required=False,
            strip=False,
            help_text=said or _("Nenhum template da política aceita esta variável."),
            widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        )


def initial_of(command: TaskCommand, policy: PolicyDocument, why: str) -> dict[str, Any]:
    """The form as if the command had been typed into it."""
    rule = policy.tarefa_executada
    by_alias = rule.templates.get(command.template) if rule else None
    number = by_alias.template_id if by_alias else command.template_id
    return {
        **dict(command.variables),
        "template_id": str(number or command.template or ""),
        "limit": ", ".join(command.hosts),
        "justificativa": why,
    }


def _place(name: str) -> tuple[int, str]:
    """Those of the deterministic path first, as they are always written."""
    known = task_command.FIELDS
    return (known.index(name) if name in known else len(known), name)


def _taken(template: Template, name: str) -> str:
    return f"{template.name} ({variable_words(template.variables[name])})"
