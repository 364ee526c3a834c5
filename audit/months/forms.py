"""The forms of the page of retention. Their fields have names of their own: all stand on one page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from audit.models.months import MAX_MONTHS
from opspilot.presentation.forms import StrictForm

INCIDENTS = 60
"""Months for which the records of incidents are kept (LGPD; ANPD 15/2024)."""
ONE, ALL = "cliente", "todos"
_AT_LEAST = _("Pelo menos 10 caracteres; fica nesta página.")


def _reason(label: Any) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 2})
    return WordsField(label=label, max_length=1000, widget=area, help_text=_AT_LEAST)


def short_words() -> str:
    """What is said of a rule under INCIDENTS months."""
    return gettext("Abaixo de 60 meses: registros de incidentes ficam 5 anos (ANPD 15/2024).")


class RuleForm(StrictForm):
    meses = forms.IntegerField(
        label=_("Meses de retenção"),
        min_value=1,
        max_value=MAX_MONTHS,
        help_text=_("Contados do fim de cada mês."),
    )
    base = WordsField(
        label=_("Base escrita"),
        max_length=500,
        help_text=_("A política, a norma ou o parecer que fixa este prazo."),
    )
    motivo = _reason(_("Motivo"))
    curta = forms.BooleanField(
        label=_("Sei que menos de 60 meses não bastam para registros de incidentes"), required=False
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("meses", INCIDENTS) < INCIDENTS and not data.get("curta"):
            self.add_error("meses", short_words())
        return data


class ActivateForm(StrictForm):
    regra = forms.UUIDField(widget=forms.HiddenInput)


class EndRuleForm(StrictForm):
    """Of the rule that waits: its author takes it back, another admin refuses it."""

    regra = forms.UUIDField(widget=forms.HiddenInput)
    motivo_regra = _reason(_("Por que ela não deve valer"))


class HoldForm(StrictForm):
    """What is held is chosen: an empty document never means the whole company."""

    alcance = forms.ChoiceField(
        label=_("O que fica"),
        choices=[(ONE, _("Um cliente")), (ALL, _("Todos os registros da empresa"))],
        widget=forms.RadioSelect,
    )
    documento = forms.CharField(
        label=_("CPF ou CNPJ"),
        max_length=32,
        required=False,
        help_text=_("Só para um cliente. O número não fica gravado."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    motivo_guarda = _reason(_("Por que iniciar a guarda legal"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        scope, document = data.get("alcance"), data.get("documento")
        if scope == ONE and not document:
            self.add_error("documento", _("Escreva o CPF ou CNPJ do cliente."))
        if scope == ALL and document:
            self.add_error("documento", _("Deixe vazio, ou escolha um cliente."))
        return data


class LiftForm(StrictForm):
    guarda = forms.ChoiceField(label=_("Guarda legal"))
    motivo_fim = _reason(_("Por que encerrar"))
    ciente = forms.BooleanField(label=_("Sei que o que ela mantinha volta a seguir a retenção"))

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
