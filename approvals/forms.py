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


class ChangesForm(RefusalForm):
    """The same for asking for changes."""

    motivo = forms.CharField(
        label=_("O que precisa mudar"),
        max_length=1000,
        help_text=_("Pelo menos 10 caracteres; quem pediu vai ler."),
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
    )


class CommentForm(StrictForm):
    texto = forms.CharField(
        label=_("Comentar sem decidir"),
        max_length=2_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Quem pediu e quem decide leem."),
    )


class FilterForm(forms.Form):
    """What narrows a queue; each field offers the values that occur, and none at all."""

    risco = forms.ChoiceField(label=_("Risco"), required=False)
    alvo = forms.ChoiceField(label=_("Projeto"), required=False)
    por = forms.ChoiceField(label=_("Pedida por"), required=False)
    cobertura = forms.ChoiceField(label=_("Cobertura"), required=False)

    def __init__(self, chosen: dict[str, str], offered: dict[str, list[tuple[str, str]]]) -> None:
        super().__init__(initial=chosen, auto_id="filtro_%s")
        for name, pairs in offered.items():
            field = self.fields[name]
            if isinstance(field, forms.ChoiceField):
                field.choices = [("", _("qualquer")), *pairs]
