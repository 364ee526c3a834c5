"""The forms of the registry: what is joined, parted or erased, and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from opspilot.presentation.forms import StrictForm


def _reason(label: Any) -> forms.CharField:
    return WordsField(
        label=label,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres, sem nomes nem documentos. Fica na trilha."),
    )


class MergeForm(StrictForm):
    outro = forms.CharField(
        label=_("O outro cadastro"),
        max_length=60,
        help_text=_("CPF, CNPJ ou identificador interno. O número não fica gravado."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    motivo = _reason(_("Por que são o mesmo"))
    confirmado = forms.BooleanField(required=False, widget=forms.HiddenInput)


class SplitForm(StrictForm):
    cadastro = forms.UUIDField(widget=forms.HiddenInput)
    motivo = _reason(_("Por que não são o mesmo"))


class EraseForm(StrictForm):
    motivo = _reason(_("Por que apagar"))
    ciente = forms.BooleanField(label=_("Sei que isto não tem volta"))
