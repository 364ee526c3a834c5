from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.forms import StrictForm


class LookupForm(StrictForm):
    documento = forms.CharField(
        label=_("CPF ou CNPJ"),
        max_length=32,
        help_text=_("Com ou sem pontuação. O número não fica na trilha nem no endereço da página."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
