"""The form that gives a limit."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from opspilot.budgets.limits import Given
from opspilot.budgets.models import Scope
from opspilot.presentation.forms import StrictForm

CENTAVOS = 100  # in a real


class LimitForm(StrictForm):
    alvo = forms.ChoiceField(label=_("O que é limitado"), choices=Scope.choices)
    agente = forms.CharField(
        label=_("Agente"),
        max_length=80,
        required=False,
        help_text=_(
            "Só para o limite de um agente. As perguntas de pessoas são do agente “console”."
        ),
    )
    reais = forms.DecimalField(
        label=_("No máximo, em reais"),
        required=False,
        min_value=0,
        max_digits=14,
        decimal_places=4,
        localize=True,
        help_text=_(
            "Vazio: sem limite próprio. Da empresa, vazio quer dizer que nenhum modelo é consultado."
        ),
    )
    motivo = WordsField(
        label=_("Motivo"), min_length=10, max_length=300, widget=forms.Textarea(attrs={"rows": 2})
    )

    def given(self) -> Given:
        data: dict[str, Any] = self.cleaned_data
        centavos = None if data["reais"] is None else data["reais"] * CENTAVOS
        return Given(Scope(data["alvo"]), data["agente"], centavos, data["motivo"])
