"""What is to be tried again, and why."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.forms import StrictForm


class MarkedField(forms.MultipleChoiceField):
    """Any names: what is not stopped any more is counted, not called a fault of the form."""

    def valid_value(self, value: object) -> bool:
        return isinstance(value, str) and len(value) <= 60


class AgainForm(StrictForm):
    marcado = MarkedField(required=False, widget=forms.MultipleHiddenInput)
    motivo = forms.CharField(
        label=_("Por que tentar de novo"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres; fica na trilha. Diga o que mudou desde que parou."),
    )
