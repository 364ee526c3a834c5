"""The forms of a document's life. On one page their fields have names of their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from audit.guard.typed import WordsField
from grounding.life import keeping
from grounding.life.linking import Template
from grounding.models import Document, DocumentKind
from grounding.reasons import MAX_REASON
from opspilot.presentation.forms import StrictForm

_NOBODY = _("ninguém")
_TEN = _("Pelo menos 10 caracteres; fica na trilha.")


def _reason() -> WordsField:
    return WordsField(
        label=_("Motivo"),
        max_length=MAX_REASON,
        help_text=_TEN,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class KeeperField(forms.ChoiceField):
    """A role, somebody of the company, or nobody; who is the owner now stays a choice."""

    def offer(self, now: str) -> None:
        known = keeping.owners()
        left = [(now, keeping.owner_words(now) or now)] if now and now not in dict(known) else []
        self.choices = [("", _NOBODY), *known, *left]


class DescribeForm(StrictForm):
    tipo = forms.ChoiceField(label=_("Tipo"), choices=DocumentKind.choices)
    dono = KeeperField(label=_("Dono"), required=False)
    revisar = forms.DateField(
        label=_("Revisar até"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Depois desta data, quem o cita vê “revisão vencida”."),
    )

    def __init__(self, document: Document, data: Any = None) -> None:
        initial = {"tipo": document.tipo, "dono": document.dono, "revisar": document.review_by}
        super().__init__(data, initial=initial)
        field = self.fields["dono"]
        assert isinstance(field, KeeperField)
        field.offer(document.dono)


class LinkForm(StrictForm):
    tarefa = forms.TypedChoiceField(label=_("Tarefa do Semaphore"), coerce=int)

    def __init__(self, templates: list[Template], data: Any = None) -> None:
        super().__init__(data)
        field = self.fields["tarefa"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(one.number, f"{one.name} ({one.number})") for one in templates]


class UnlinkForm(StrictForm):
    tarefa = forms.IntegerField(min_value=1)


class RetireForm(StrictForm):
    motivo = _reason()


class DeleteForm(StrictForm):
    motivo = _reason()
    visto = forms.CharField(max_length=64, widget=forms.HiddenInput)


class DefaultsForm(StrictForm):
    """What new documents of one collection start with."""

    colecao = forms.IntegerField(widget=forms.HiddenInput)
    tipo = forms.ChoiceField(label=_("Tipo"), choices=DocumentKind.choices)
    dono = KeeperField(label=_("Dono"), required=False)
    dias = forms.IntegerField(
        label=_("Dias até a revisão"),
        required=False,
        min_value=1,
        max_value=3_650,
        help_text=_("Contados da publicação. Vazio: sem data."),
    )
    existentes = forms.BooleanField(
        label=_("Dar também aos documentos que ainda não têm dono"), required=False
    )

    def __init__(self, data: Any = None, *, now: str = "", **values: Any) -> None:
        super().__init__(data, **values)
        field = self.fields["dono"]
        assert isinstance(field, KeeperField)
        field.offer(now)
