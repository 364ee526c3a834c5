"""The forms of the page of sources."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from grounding.models import OnRemoval, SourceKind
from grounding.sync.sources import LONGEST, SHORTEST
from opspilot.presentation.forms import StrictForm


class SourceForm(StrictForm):
    colecao = forms.SlugField(
        label=_("Coleção"),
        max_length=60,
        help_text=_("Letras minúsculas, números e hífen. Uma coleção nova é criada."),
    )
    forma = forms.ChoiceField(label=_("Forma"), choices=SourceKind.choices)
    caminho = forms.CharField(
        label=_("Caminho"),
        max_length=500,
        help_text=_("Dentro da pasta de fontes desta empresa, sem barra no início."),
    )
    ramo = forms.CharField(
        label=_("Ramo"),
        max_length=120,
        required=False,
        help_text=_("Só para Git; por exemplo, main."),
    )
    remocao = forms.ChoiceField(
        label=_("Quando um arquivo sai da fonte"), choices=OnRemoval.choices
    )
    minutos = forms.IntegerField(
        label=_("Ler a cada quantos minutos"), min_value=SHORTEST, max_value=LONGEST, initial=60
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("forma") == SourceKind.GIT and not data.get("ramo"):
            self.add_error("ramo", _("Diga o ramo do repositório."))
        return data


class PickForm(StrictForm):
    fonte = forms.UUIDField()
