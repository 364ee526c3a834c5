"""The calendar in the policy editor: one zone, and windows and freezes one a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext as _
from pydantic import ValidationError as Misfit

from approvals.stops import calendar_lines
from approvals.stops.calendar import Calendar

NAMES = ("fuso", "janelas", "congelamentos")
_READERS: dict[str, Callable[[str], list[dict[str, Any]]]] = {
    "janelas": calendar_lines.windows,
    "congelamentos": calendar_lines.freezes,
}


def made() -> dict[str, forms.Field]:
    # Not demanded: a page that was open before this field existed says nothing of it.
    return {
        "fuso": forms.CharField(
            label=_("Fuso da empresa"),
            max_length=64,
            help_text=_("Como America/Sao_Paulo. Vale para janelas, congelamentos e horários."),
            required=False,
        ),
        "janelas": forms.CharField(
            label=_("Janelas de mudança"),
            help_text=_(
                "Uma por linha: seg-sex; 08:00-18:00. Depois, se não for para tudo, os tipos de "
                "ação e os riscos: ; tarefa.executada; alto. Vazio: a qualquer hora."
            ),
            widget=forms.Textarea(attrs={"rows": 4}),
            required=False,
        ),
        "congelamentos": forms.CharField(
            label=_("Congelamentos"),
            help_text=_(
                "Um por linha: 20/12/2026 18:00; 04/01/2027 08:00; Fim de ano. Depois, como nas "
                "janelas, tipos e riscos. Nada começa nesse período."
            ),
            widget=forms.Textarea(attrs={"rows": 4}),
            required=False,
        ),
    }


def clean(form: forms.Form) -> None:
    """Lines become rows; each fault stands at its field."""
    for name, reader in _READERS.items():
        try:
            form.cleaned_data[name] = reader(form.cleaned_data.get(name) or "")
        except forms.ValidationError as exc:
            form.add_error(name, exc)
    try:
        Calendar.model_validate({"fuso": _zone(form.cleaned_data)})
    except Misfit:
        form.add_error("fuso", _("Este fuso não existe; escreva um como America/Sao_Paulo."))


def read(data: dict[str, Any]) -> dict[str, Any]:
    """The section of the document; absent when nothing is written, as an older release reads it."""
    rows = {name: data[name] for name in _READERS if data[name]}
    return {"calendario": {"fuso": _zone(data), **rows}} if rows or data.get("fuso") else {}


def initial(calendar: Calendar | None) -> dict[str, str]:
    if calendar is None:
        return {"fuso": "", "janelas": "", "congelamentos": ""}
    return {
        "fuso": calendar.fuso,
        "janelas": calendar_lines.written_windows(calendar.janelas),
        "congelamentos": calendar_lines.written_freezes(calendar.congelamentos),
    }


def _zone(data: dict[str, Any]) -> str:
    """Empty is the console's own."""
    return str(data.get("fuso") or "").strip() or settings.TIME_ZONE
