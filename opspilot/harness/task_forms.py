"""An explicit task as people fill it in: every field is text, and the rules say what it means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.policy.policy_document import PolicyDocument, Template, Variable
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
        label=gettext_lazy("Host"),
        required=False,
        strip=False,
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

    def __init__(
        self, *args: Any, policy: PolicyDocument, fixed: bool = False, **kwargs: Any
    ) -> None:
        """`fixed`: template and target are another proposal's, and only shown."""
        super().__init__(*args, **kwargs)
        self._templates = policy.tarefa_executada.templates if policy.tarefa_executada else {}
        self.chosen = self._chosen()
        self._fixed = fixed
        self.names = sorted(task_services.variables_of(policy), key=_place)
        for name in self.names:
            self.fields[name] = self._variable(name)
        self.order_fields(["template_id", "limit", *self.names, "justificativa", "cliente"])
        template = self.fields["template_id"]
        if isinstance(template, forms.ChoiceField):
            template.choices = self._offered()
        self.fields["limit"].help_text = self._where()
        self.fields["limit"].widget.attrs |= {"readonly": True} if fixed else {}

    def command(self) -> TaskCommand:
        """What was typed, read by the one reader of commands."""
        names = ("template_id", "limit", *self.names)
        return task_command.read({name: self.cleaned_data.get(name, "") for name in names})

    @property
    def asks_template_first(self) -> bool:
        """Nothing was given yet: which variables there are depends on the template."""
        return not (self.is_bound or self.initial)

    def shown(self) -> list[BoundField]:
        """The variables of the chosen template alone, and whatever else holds something."""
        own = self.chosen.variables if self.chosen else {}
        return [
            self[name]
            for name in self.fields
            if name not in self.names or name in own or self._given(name)
        ]

    def point_out(self, sentences: Mapping[str, str]) -> None:
        """Say beside a field that what it holds can never pass."""
        self.is_valid()
        for name, sentence in sentences.items():
            self.add_error(name, sentence)

    def _given(self, name: str) -> str:
        return str(self.data.get(name) or self.initial.get(name) or "")

    def _chosen(self) -> Template | None:
        given = self._given("template_id")
        return next((t for t in self._templates.values() if str(t.template_id) == given), None)

    def _offered(self) -> list[tuple[str, str]]:
        if self._fixed:
            return [pair for pair in self._choices() if pair[0] == self._given("template_id")]
        return [("", _("Escolha o template")), *self._choices()]

    def _where(self) -> str:
        if self.chosen is None:
            return _("O nome de um host, ou vários separados por vírgula. Sem padrões.")
        words = _(
            "Até %(most)s de uma vez, separados por vírgula. Hosts deste template: %(hosts)s."
        )
        return words % {"most": self.chosen.max_hosts, "hosts": ", ".join(self.chosen.hosts)}

    def _choices(self) -> Iterator[tuple[str, str]]:
        """Nothing is chosen for the person; what was given stays, also when no policy knows it."""
        known = {str(item.template_id): item.name for item in self._templates.values()}
        for number, name in sorted(known.items(), key=lambda pair: pair[1]):
            yield number, f"{name} ({number})"
        given = self._given("template_id")
        if given and given not in known:
            yield given, _("%(given)s: fora da política") % {"given": given[:80]}

    def _variable(self, name: str) -> forms.Field:
        rule = self.chosen.variables.get(name) if self.chosen else None
        if rule is not None and rule.values:
            return self._listed(name, rule)
        return forms.CharField(
            label=name,
            required=False,
            strip=False,
            help_text=variable_words(rule) if rule else self._takers(name),
            widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        )

    def _listed(self, name: str, rule: Variable) -> forms.Field:
        """What was given stays, also when it is none of the values: the policy refuses it."""
        given = self._given(name)
        odd = [(given, given)] if given and given not in rule.values else []
        choices = [("", "—"), *((value, value) for value in rule.values), *odd]
        return OpenChoiceField(
            label=name, required=False, choices=choices, help_text=variable_words(rule)
        )

    def _takers(self, name: str) -> str:
        if self.chosen:
            return _("O template escolhido não tem esta variável.")
        takers = [item for item in self._templates.values() if name in item.variables]
        said = "; ".join(_taken(item, name) for item in takers)
        return said or _("Nenhum template da política aceita esta variável.")


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
