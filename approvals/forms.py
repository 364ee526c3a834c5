"""The forms of the decision pages."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.forms import StrictForm


class DecisionForm(StrictForm):
    """The hash the page displayed travels with the decision (I2)."""

    acao_hash = forms.CharField(max_length=64, widget=forms.HiddenInput)


class RefusalForm(DecisionForm):
    motivo = forms.CharField(
        label=_("Motivo"),
        max_length=1000,
        help_text=_("Pelo menos 10 caracteres; quem pediu vai ler."),
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )
