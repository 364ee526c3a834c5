from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from opspilot.presentation.forms import StrictForm


class AskForm(StrictForm):
    motivo = WordsField(
        label=_("Para que o rastro vai servir"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres, sem nome nem documento. O motivo fica na trilha."),
    )
