"""The question and the command, as people fill them in."""

from __future__ import annotations

from typing import Any, TypeVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from approvals.actions import MAX_DESCRIPTION
from approvals.policy.policy_document import PolicyDocument
from audit.entities import InvalidDocumentError, parse_document
from opspilot.presentation.forms import StrictForm

_F = TypeVar("_F", bound=StrictForm)


class OpenChoiceField(forms.ChoiceField):
    """Offers choices and accepts any text: the policy refuses by name, with its own code."""

    def valid_value(self, value: object) -> bool:
        return True


class OpenMultipleChoiceField(forms.MultipleChoiceField):
    """The same for several."""

    def valid_value(self, value: object) -> bool:
        return True


class CommandForm(StrictForm):
    """Words only: aliases, labels and people are resolved by the policy, never by the form."""

    alias = OpenChoiceField(label=_("Projeto"))
    titulo = forms.CharField(label=_("Título"), max_length=255)
    descricao = forms.CharField(
        label=_("Descrição"),
        max_length=MAX_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_("Markdown. Comandos, menções e imagens são neutralizados antes de gravar."),
    )
    etiquetas = OpenMultipleChoiceField(
        label=_("Etiquetas"), required=False, widget=forms.CheckboxSelectMultiple
    )
    responsaveis = OpenMultipleChoiceField(
        label=_("Responsáveis"), required=False, widget=forms.CheckboxSelectMultiple
    )
    justificativa = forms.CharField(
        label=_("Por que isto precisa ser feito"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Quem aprova lê este motivo."),
    )
    cliente = forms.CharField(
        label=_("CPF ou CNPJ do cliente"),
        max_length=32,
        required=False,
        help_text=_(
            "Opcional. Liga esta ação ao histórico do cliente; o número não fica na trilha."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, policy: PolicyDocument, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        projects = policy.projects
        labels = sorted({label for project in projects.values() for label in project.labels})
        people = sorted({name for project in projects.values() for name in project.assignees})
        # Nothing is chosen for the person: an issue in the wrong project cannot be taken back.
        aliases = [(alias, f"{alias} ({projects[alias].path})") for alias in sorted(projects)]
        self._choices("alias", [("", _("Escolha o projeto")), *aliases])
        self._choices("etiquetas", [(label, label) for label in labels])
        self._choices("responsaveis", [(name, name) for name in people])

    def _choices(self, name: str, choices: list[tuple[str, str | Promise]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices


class ConfirmForm(StrictForm):
    acao_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)


def pointing_at_document(form: _F) -> _F:
    """The form as it is shown again: what is no CPF or CNPJ is said at its field. The refusal itself
    is the service's, with its own code."""
    text = form.cleaned_data.get("cliente", "") if form.is_bound and form.errors is not None else ""
    if text.strip():
        try:
            parse_document(text)
        except InvalidDocumentError as exc:
            form.add_error("cliente", exc.sentence)
    return form
