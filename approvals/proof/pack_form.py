"""What is asked of an audit pack: the same as of the command `audit_pack`."""

from __future__ import annotations

import datetime as dt

from django import forms
from django.core.validators import RegexValidator
from django.utils.timezone import localdate
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.proof.sampling import MOST
from audit.guard.typed import WordsField
from opspilot.presentation.forms import StrictForm

QUARTERS = 12  # back from the one that runs
SIZE = 25


class PackForm(StrictForm):
    trimestre = forms.ChoiceField(label=_("Trimestre"))
    quantidade = forms.IntegerField(
        label=_("Quantos efeitos"),
        min_value=1,
        max_value=MOST,
        initial=SIZE,
        help_text=_("De 1 a 200. Com menos efeitos no trimestre, vão todos."),
    )
    semente = WordsField(
        label=_("Semente do sorteio"),
        max_length=64,
        required=False,
        validators=[
            RegexValidator(
                r"^[0-9A-Za-z._-]+$", _("Use só letras sem acento, algarismos, ponto, - e _.")
            )
        ],
        help_text=_("De quem audita, para que ninguém daqui escolha. Vazia, uma é sorteada."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        names = quarters(localdate())
        self.fields["trimestre"].choices = [(name, words(name)) for name in names]  # type: ignore[attr-defined]


def quarters(today: dt.date) -> list[str]:
    """The names of the last ones, the one that runs first."""
    now = today.year * 4 + (today.month - 1) // 3
    return [f"{number // 4}-T{number % 4 + 1}" for number in range(now, now - QUARTERS, -1)]


def words(name: str) -> str:
    year, _dash, number = name.partition("-T")
    return gettext("%(number)sº trimestre de %(year)s") % {"number": number, "year": year}
