"""Giving and taking the reading of a collection, each with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from grounding.reasons import MAX_REASON
from opspilot.presentation.forms import StrictForm


class _AccessForm(StrictForm):
    """`quem` is one of those the page offers, whoever sends the form. Two stand on one page: `name`
    keeps the ids of their fields apart."""

    name = ""
    quem = forms.ChoiceField(label=_("Quem"))
    motivo = WordsField(
        label=_("Motivo"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Pelo menos 10 caracteres; fica na trilha."),
    )

    def __init__(
        self, data: Any = None, *, offered: list[tuple[str, str]], initial: Any = None
    ) -> None:
        super().__init__(data, initial=initial, auto_id=f"{self.name}_%s")
        field = self.fields["quem"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("escolha")), *offered]


class GrantForm(_AccessForm):
    name = "dar"


class RevokeForm(_AccessForm):
    name = "tirar"
