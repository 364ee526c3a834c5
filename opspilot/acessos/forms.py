"""The forms of the access review and of delegations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.deciders.access_reviews import MAX_REMARK
from opspilot.presentation.forms import StrictForm

_FORMAT = "%Y-%m-%dT%H:%M"
_FORMATS = [_FORMAT, "%Y-%m-%dT%H:%M:%S"]


def _moment(label: Any, *, required: bool = True, help_text: Any = "") -> forms.DateTimeField:
    """In the zone of the page, to the minute."""
    return forms.DateTimeField(
        label=label,
        required=required,
        help_text=help_text,
        input_formats=_FORMATS,
        widget=forms.DateTimeInput(format=_FORMAT, attrs={"type": "datetime-local"}),
    )


class MomentForm(forms.Form):
    """Which moment the list is about; empty = now."""

    em = _moment(_("Como era em"), required=False, help_text=_("No fuso desta página."))


class AttestForm(StrictForm):
    """The hash the page displayed travels with the attestation."""

    sha256 = forms.CharField(max_length=64, widget=forms.HiddenInput)
    observacao = forms.CharField(
        label=_("Observação"),
        required=False,
        max_length=MAX_REMARK,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("O que você conferiu, ou o que pediu que mudasse. Opcional."),
    )


class RolesForm(StrictForm):
    """The roles as they shall be; `antes` are those the page showed, `certo` says that what follows
    from it was read."""

    papeis = forms.MultipleChoiceField(
        label=_("Papéis"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Sem nenhum marcado, a pessoa não abre mais nada desta empresa."),
    )
    motivo = forms.CharField(
        label=_("Motivo"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres; fica na trilha."),
    )
    antes = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    certo = forms.CharField(max_length=3, required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: Any = None, *, offered: list[tuple[str, str]], initial: Any = None
    ) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["papeis"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = offered


class RevokeForm(StrictForm):
    delegacao = forms.UUIDField(widget=forms.HiddenInput)


class DelegationForm(StrictForm):
    """To whom, which of one's own roles, and for how long."""

    para = forms.ChoiceField(label=_("Quem decide por você"))
    papeis = forms.MultipleChoiceField(
        label=_("Com qual papel seu"), widget=forms.CheckboxSelectMultiple
    )
    de = _moment(_("De"), required=False, help_text=_("Vazio: a partir de agora."))
    ate = _moment(_("Até"), help_text=_("No máximo 30 dias depois do começo."))
    motivo = forms.CharField(
        label=_("Motivo"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres; fica na revisão de acessos."),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        people: list[tuple[str, str]],
        roles: list[tuple[str, str]],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        self._choices("para", [("", _("escolha uma pessoa")), *people])
        self._choices("papeis", roles)
        if len(roles) == 1:
            self.fields["papeis"].initial = [roles[0][0]]

    def _choices(self, name: str, pairs: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = pairs
