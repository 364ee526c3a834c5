"""The form that writes down what a model costs from a day on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from opspilot.presentation.forms import StrictForm


def _centavos(label: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        min_value=0,
        max_digits=12,
        decimal_places=6,
        localize=True,
    )


class PriceForm(StrictForm):
    modelo = forms.CharField(
        label=_("Modelo"), max_length=80, help_text=_("Como está na coluna “modelo” da trilha.")
    )
    desde = forms.DateField(
        label=_("Desde"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d", "%d/%m/%Y"],
    )
    entrada = _centavos(_("Centavos por mil tokens de entrada"))
    saida = _centavos(_("Centavos por mil tokens de saída"))
