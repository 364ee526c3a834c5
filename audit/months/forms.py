"""The forms of the page of retention. Their fields have names of their own: all stand on one page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.models.months import MAX_MONTHS
from opspilot.presentation.forms import StrictForm

_AT_LEAST = _("Pelo menos 10 caracteres; fica nesta página.")


def _reason(label: Any) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 2})
    return forms.CharField(label=label, max_length=1000, widget=area, help_text=_AT_LEAST)


class RuleForm(StrictForm):
    meses = forms.IntegerField(
        label=_("Meses de guarda"),
        min_value=1,
        max_value=MAX_MONTHS,
        help_text=_("Contados do fim de cada mês. Incidentes (LGPD) pedem 60."),
    )
    base = forms.CharField(
        label=_("Base escrita"),
        max_length=500,
        help_text=_("A política, a norma ou o parecer que fixa este prazo."),
    )
    motivo = _reason(_("Motivo"))


class ActivateForm(StrictForm):
    regra = forms.UUIDField(widget=forms.HiddenInput)


class HoldForm(StrictForm):
    documento = forms.CharField(
        label=_("CPF ou CNPJ"),
        max_length=32,
        required=False,
        help_text=_("Vazio: todos os registros da empresa. O número não fica guardado."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    motivo_guarda = _reason(_("Por que guardar"))


class LiftForm(StrictForm):
    guarda = forms.ChoiceField(label=_("Guarda"))
    motivo_fim = _reason(_("Por que encerrar"))

    def __init__(
        self,
        data: Any = None,
        *,
        choices: list[tuple[str, str]],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["guarda"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
