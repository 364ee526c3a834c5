"""The forms around a standing permission."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.agents.standing import MAX_DAYS, MAX_USES, Terms
from approvals.models import Period
from opspilot.presentation.forms import StrictForm
from opspilot.presentation.reais import ReaisField

# The names the service uses for what it refuses, and the fields they were typed in.
FIELDS = {
    "agent": "acao",
    "kind": "acao",
    "ceiling_centavos": "teto",
    "max_uses": "usos",
    "period_uses": "usos_periodo",
    "days": "dias",
}


class ProposeForm(StrictForm):
    """Which agent may do what, up to how much, how often and until when."""

    acao = forms.ChoiceField(label=_("Agente e ação"))
    teto = ReaisField(
        label=_("Teto de cada uso, em reais"),
        required=False,
        help_text=_("Por exemplo 500 ou 500,00. Vazio quando a ação não tem valor."),
    )
    usos = forms.IntegerField(
        label=_("Usos ao todo"), min_value=1, max_value=MAX_USES, help_text=_("No máximo 10.000.")
    )
    periodo = forms.ChoiceField(label=_("Janela"), choices=Period.choices)
    usos_periodo = forms.IntegerField(
        label=_("Usos na janela"),
        min_value=1,
        max_value=MAX_USES,
        help_text=_("A janela termina sempre agora: não recomeça à meia-noite."),
    )
    dias = forms.IntegerField(
        label=_("Dias até terminar"), min_value=1, max_value=MAX_DAYS, help_text=_("No máximo 90.")
    )
    motivo = forms.CharField(
        label=_("Motivo"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Pelo menos 10 caracteres. O outro admin lê este motivo."),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        choices: list[tuple[str, str]],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["acao"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("escolha")), *choices]

    def terms(self) -> Terms:
        """What a valid form asks for."""
        data = self.cleaned_data
        agent, _sep, kind = data["acao"].partition(":")
        return Terms(
            agent=agent,
            kind=kind,
            ceiling_centavos=data["teto"],
            max_uses=data["usos"],
            period=Period(data["periodo"]),
            period_uses=data["usos_periodo"],
            days=data["dias"],
            reason=data["motivo"],
        )


class RevokeForm(StrictForm):
    motivo = forms.CharField(
        label=_("Por que encerrar"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres; fica nesta página."),
    )
