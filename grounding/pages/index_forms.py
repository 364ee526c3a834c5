"""How a collection is cut."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from grounding.models import Collection
from grounding.models.index import LONGEST_LIMIT, SHORTEST_LIMIT
from grounding.reading.chunking import Policy
from opspilot.presentation.forms import StrictForm


class CuttingForm(StrictForm):
    colecao = forms.CharField(max_length=20, widget=forms.HiddenInput)
    tamanho = forms.IntegerField(
        label=_("Caracteres por trecho, no máximo"),
        min_value=SHORTEST_LIMIT,
        max_value=LONGEST_LIMIT,
        help_text=_("De 400 a 4000. O padrão é 1400."),
    )
    repeticao = forms.BooleanField(
        label=_("Repetir uma frase entre trechos de texto corrido"), required=False
    )

    @classmethod
    def of(cls, collection: Collection, policy: Policy) -> CuttingForm:
        now = {"colecao": collection.pk, "tamanho": policy.limit, "repeticao": policy.overlap}
        return cls(initial=now, auto_id=f"id_{collection.slug}_%s")

    def policy(self) -> Policy:
        data: dict[str, Any] = self.cleaned_data
        return Policy(data["tamanho"], data["repeticao"])
