"""The form that keeps a question: its name, whom it is shared with, when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from audit.models import Schedule
from audit.reports import screen
from audit.reports.saved import Wish
from audit.reports.shapes import NamedQuery
from opspilot.presentation.forms import StrictForm
from opspilot.tenancy.principal import Role


class SaveForm(StrictForm):
    nome = WordsField(label=_("Nome"), max_length=80)
    papeis = forms.MultipleChoiceField(
        label=_("Mostrar também a"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Quem tem um destes papéis vê quantas linhas, o hash e se mudou."),
    )
    agenda = forms.ChoiceField(
        label=_("Quando rodar"), required=False, choices=Schedule.choices, widget=forms.RadioSelect
    )
    hora = forms.TypedChoiceField(
        label=_("A que hora"),
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        coerce=int,
        initial=8,
    )

    def __init__(
        self, query: NamedQuery, data: Any = None, *, initial: dict[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial={"agenda": Schedule.NONE.value, **(initial or {})})
        field = self.fields["papeis"]
        assert isinstance(field, forms.MultipleChoiceField)
        self.fields["hora"].help_text = _("%(zone)s. Só vale com uma agenda.") % {
            "zone": screen.zone()
        }
        field.choices = [(role.value, Role(role).label) for role in query.roles]


def wish(data: Mapping[str, Any], address: Mapping[str, str]) -> Wish:
    return Wish(
        name=data["nome"],
        address=address,
        shared_with=data["papeis"],
        schedule=data["agenda"],
        hour=data["hora"],
    )
