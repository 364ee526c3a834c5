"""The tester's forms: one action of each kind to ask a policy about. Nothing is created."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.actions import ISSUE_CREATED
from approvals.models import PolicyDraft
from approvals.policy.policy_document import PolicyDocument
from approvals.policy.policy_lines import lines
from approvals.policy.policy_rule_fields import choices
from approvals.policy.tester import COVERAGES, Asker
from approvals.tasks.task_command import TASK_RUN
from audit.vocabulary import ACTIONS
from opspilot.presentation.forms import StrictForm
from opspilot.tenancy.principal import Role

_COVERAGE_WORDS = {
    "alta": gettext_lazy("alta"),
    "media": gettext_lazy("média"),
    "baixa": gettext_lazy("baixa"),
    "nenhuma": gettext_lazy("nenhuma"),
}


def _lines(label: Any, hint: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 3})
    return forms.CharField(label=label, help_text=hint, widget=widget, required=False)


class _TestForm(StrictForm):
    """As whom, on which basis and by which policy: the same for every kind."""

    __test__ = False
    kind = ""

    papeis = forms.MultipleChoiceField(
        label=gettext_lazy("Papéis de quem pede"),
        choices=choices(tuple(Role)),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    agente = forms.CharField(
        label=gettext_lazy("Agente"),
        max_length=60,
        help_text=gettext_lazy(
            "Vazio: uma pessoa pede. Com um agente, os papéis são os de quem responde por ele."
        ),
        required=False,
    )
    cobertura = forms.ChoiceField(
        label=gettext_lazy("Cobertura"),
        choices=[
            ("", gettext_lazy("não consultada")),
            *((code, _COVERAGE_WORDS[code]) for code in COVERAGES),
        ],
        required=False,
    )
    politica = forms.ChoiceField(label=gettext_lazy("Política"), required=False)

    def __init__(self, *args: Any, drafts: list[PolicyDraft], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["politica"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", _("em vigor")), *((str(row.ref), _named(row)) for row in drafts)]
        self.order_fields([*self.action_fields(), "papeis", "agente", "cobertura", "politica"])

    def action_fields(self) -> list[str]:
        """The fields of this kind, first."""
        return list(self.fields.keys() - _TestForm.base_fields.keys())

    def asker(self) -> Asker:
        data = self.cleaned_data
        return Asker(
            roles=frozenset(Role(role) for role in data["papeis"]),
            agent=data["agente"].strip(),
            coverage=data["cobertura"] or None,
        )

    def draft(self) -> UUID | None:
        chosen = self.cleaned_data["politica"]
        return UUID(chosen) if chosen else None

    def action(self) -> dict[str, Any]:
        raise NotImplementedError


def _named(draft: PolicyDraft) -> str:
    words = _("rascunho de %(who)s: %(reason)s")
    return words % {"who": draft.author_name, "reason": draft.reason[:60]}


class IssueTestForm(_TestForm):
    kind = ISSUE_CREATED

    alias = forms.CharField(label=gettext_lazy("Projeto"), max_length=120)
    etiquetas = _lines(gettext_lazy("Etiquetas"), gettext_lazy("Uma por linha."))
    responsaveis = _lines(gettext_lazy("Responsáveis"), gettext_lazy("Um por linha."))

    def action_fields(self) -> list[str]:
        return ["alias", "etiquetas", "responsaveis"]

    def action(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "kind": self.kind,
            "alias": data["alias"],
            "labels": tuple(lines(data["etiquetas"])),
            "assignees": tuple(lines(data["responsaveis"])),
        }


class TaskTestForm(_TestForm):
    """Every field may be empty or wrong: what the policy says of that is what is asked."""

    kind = TASK_RUN

    template = forms.CharField(
        label=gettext_lazy("Template"),
        max_length=120,
        help_text=gettext_lazy("O nome curto ou o id."),
        required=False,
    )
    destino = _lines(gettext_lazy("Host"), gettext_lazy("Um por linha, se forem vários."))
    variaveis = _lines(
        gettext_lazy("Variáveis"),
        gettext_lazy("Uma por linha: nome = valor."),
    )

    def action_fields(self) -> list[str]:
        return ["template", "destino", "variaveis"]

    def clean_variaveis(self) -> dict[str, str]:
        return _pairs(self.cleaned_data["variaveis"])

    def action(self) -> dict[str, Any]:
        data = self.cleaned_data
        name = data["template"].strip()
        by = "template_id" if name.isascii() and name.isdecimal() else "template"
        targets = list(lines(data["destino"]))
        return {
            **data["variaveis"],
            "kind": self.kind,
            by: name,
            "limit": targets[0] if len(targets) == 1 else targets,
        }


class ExternalTestForm(_TestForm):
    """An action that an agent carries out itself."""

    tipo = forms.ChoiceField(label=gettext_lazy("Tipo de ação"))
    campos = _lines(
        gettext_lazy("Campos"),
        gettext_lazy("Um por linha: nome = valor."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["tipo"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(name, a.words) for name, a in ACTIONS.items() if a.external]

    def action_fields(self) -> list[str]:
        return ["tipo", "campos"]

    def clean_campos(self) -> dict[str, str]:
        return _pairs(self.cleaned_data["campos"])

    def action(self) -> dict[str, Any]:
        fields = {name: _number(text) for name, text in self.cleaned_data["campos"].items()}
        return {**fields, "kind": self.cleaned_data["tipo"]}


FORMS: dict[str, type[_TestForm]] = {
    "issue": IssueTestForm,
    "tarefa": TaskTestForm,
    "agente": ExternalTestForm,
}


def offered(document: PolicyDocument | None) -> list[str]:
    """Which kinds the page offers. Issues and tasks always: a refusal is an answer too."""
    external = document is not None and bool(document.acoes_externas)
    return [name for name in FORMS if name != "agente" or external]


def _pairs(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines(text):
        name, sign, value = (part.strip() for part in line.partition("="))
        if not sign or not name:
            raise ValidationError(_("Escreva um por linha, assim: server_action = restart."))
        if name in found or name == "kind":
            raise ValidationError(_("“%(name)s” não pode aparecer aqui.") % {"name": name[:80]})
        found[name] = value
    return found


def _number(text: str) -> str | int:
    """A whole number as one: what is asked for in cents is not text."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 18 else text
