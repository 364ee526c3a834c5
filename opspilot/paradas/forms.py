"""The two forms of an emergency stop: press it, and lift it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.models import StopScope
from opspilot.presentation.forms import StrictForm

_SEPARATOR = ":"


def _reason(label: Any, hint: Any) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=1000, widget=forms.Textarea(attrs={"rows": 2}), help_text=hint
    )


class PressForm(StrictForm):
    """What stops, and why: one press, no second person."""

    alvo = forms.ChoiceField(label=_("O que parar"))
    motivo = _reason(_("Por que parar"), _("Pelo menos 10 caracteres. Todos leem este motivo."))

    def __init__(
        self,
        data: Any = None,
        *,
        choices: list[tuple[str, str]],
        initial: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(data, initial=initial)
        field = self.fields["alvo"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def target(self) -> tuple[StopScope, str]:
        """Scope and subject of a valid form."""
        scope, _sign, subject = self.cleaned_data["alvo"].partition(_SEPARATOR)
        return StopScope(scope), subject


class LiftForm(StrictForm):
    motivo = _reason(_("Por que levantar"), _("Pelo menos 10 caracteres; fica nesta página."))


def choice(scope: StopScope, subject: str = "") -> str:
    """A target as the select posts it."""
    return f"{scope.value}{_SEPARATOR}{subject}"
