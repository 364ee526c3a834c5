"""What a reviewer fills in: which period to draw from, and what each row should not hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.kinds import FOUND_BY_PEOPLE, Kind
from audit.models import AgenteAcao
from audit.models.guard import TERM_LENGTH
from audit.review.errors import PeriodError, TermError
from audit.review.sampling import Found, is_period
from opspilot.presentation.forms import StrictForm, checked

_DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
_KINDS = [("", _("pode ficar")), *((kind.value, kind.label) for kind in FOUND_BY_PEOPLE)]


class DrawForm(StrictForm):
    de = forms.DateField(label=_("Primeiro dia"), widget=_DAY)
    ate = forms.DateField(
        label=_("Último dia"), widget=_DAY, help_text=_("Incluído. No máximo 100 dias.")
    )
    semente = forms.IntegerField(
        label=_("Semente"),
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_(
            "Vazia para sortear. A de uma revisão de dias já passados sorteia as mesmas linhas."
        ),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("de"), data.get("ate")
        if first and last and not is_period(first, last):
            self.add_error("ate", str(PeriodError.what))
        return data


class TermEndForm(StrictForm):
    termo = forms.UUIDField()


class MarksForm(StrictForm):
    """A choice and a word for each row of the sample."""

    def __init__(self, rows: Iterable[AgenteAcao], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ids = [row.id for row in rows]
        for id_ in self.ids:
            self.fields[f"tipo_{id_}"] = forms.ChoiceField(
                label=_("Isto não deveria estar aqui"), choices=_KINDS, required=False
            )
            self.fields[f"termo_{id_}"] = forms.CharField(
                label=_("Mascarar daqui em diante"),
                required=False,
                max_length=TERM_LENGTH,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def found(self) -> dict[int, Found]:
        """By row; raises the refusal of a field, or TermError for a word of a row that may stay."""
        data = checked(self)
        found = {
            id_: Found(Kind(data[f"tipo_{id_}"]), data[f"termo_{id_}"])
            for id_ in self.ids
            if data[f"tipo_{id_}"]
        }
        if any(data[f"termo_{id_}"] for id_ in self.ids if id_ not in found):
            raise TermError
        return found
