"""The forms of the laboratory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from grounding.models import Fusion
from opspilot.presentation.forms import StrictForm
from opspilot.tenancy.principal import Role


class LabAskForm(StrictForm):
    pergunta = forms.CharField(
        label=_("Pergunta"),
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Fica no histórico da bancada, onde os admins a leem; na trilha, não."),
    )


class MissingForm(StrictForm):
    """Sent by GET: neither is a secret, and the answer has an address."""

    documento = forms.CharField(
        label=_("Nome do documento, ou parte dele"), max_length=255, required=False
    )
    papel = forms.ChoiceField(
        label=_("Como quem"),
        choices=[("", _("você")), *((role.value, role.label) for role in Role)],
        required=False,
    )


class LabelForm(StrictForm):
    """The documents that may be marked are those the page has shown."""

    documentos = forms.TypedMultipleChoiceField(
        label=_("Documentos que respondem"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    nenhum = forms.BooleanField(label=_("Nenhum documento publicado responde"), required=False)

    def __init__(self, *args: Any, documents: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["documentos"].choices = list(documents)  # type: ignore[attr-defined]


class FusionForm(StrictForm):
    fusao = forms.ChoiceField(choices=Fusion.choices, widget=forms.HiddenInput)
    motivo = WordsField(
        label=_("Motivo"),
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Preciso quando as medidas não sustentam a mudança: ao menos 10 letras."),
    )
