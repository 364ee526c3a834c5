"""The form of a destination."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.notices.models import Format
from opspilot.presentation.forms import StrictForm


class DestinationForm(StrictForm):
    nome = forms.CharField(
        label=_("Nome"), max_length=80, help_text=_("Como a sua empresa chama este lugar.")
    )
    endereco = forms.CharField(
        label=_("Endereço"),
        max_length=500,
        help_text=_("Começa com https:// e está na lista de saída do console."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    formato = forms.ChoiceField(
        label=_("Formato"), choices=Format.choices, widget=forms.RadioSelect, initial=Format.PADRAO
    )
