"""The kinds of things a named query asks for, each a field or a few of a form.

Days are those of the installation's zone (`TIME_ZONE`), whoever reads, and the last one is whole.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from audit import days
from audit.entities import CUSTOMER, InvalidDocumentError, parse_document
from audit.vocabulary import ACTIONS, Action, Result
from opspilot.errors import InvalidInputError, Text
from opspilot.presentation import formats

Fields = dict[str, forms.Field]
Cleaned = Mapping[str, Any]

PRESETS = {
    "hoje": _("hoje"),
    "ontem": _("ontem"),
    "7d": _("7 dias"),
    "mes_passado": _("mês passado"),
    "intervalo": _("intervalo"),
    "tudo": _("desde o início"),
}
_FIRST_YEAR, _LAST_YEAR = 1970, 9000
END = "fim"
"""The field with the moment at which a period was asked for: nothing after it is in the answer, so
that an answer can be given again although its period goes on."""
_PERIOD, _ENTITY = _("Período"), _("Cliente, pedido ou contrato")
_RUN, _AGENT = _("Rodada"), _("Agente")


class ParametersError(InvalidInputError):
    """Some fields cannot be taken as they are. `faults` has each field's sentences."""

    code = "parametros_invalidos"
    title = _("A consulta não rodou")
    what = _("Um dos campos da consulta não pode ser lido.")
    next_step = _("Corrija o campo indicado e consulte de novo.")

    def __init__(self, faults: Mapping[str, Sequence[str]]) -> None:
        super().__init__(" ".join(text for texts in faults.values() for text in texts))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Period:
    """Moments of a report: `since` is in it, `until` is not. None: open."""

    since: dt.datetime | None = None
    until: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Parameter(ABC):
    """One thing a query asks for: fields of a form, and what they become in SQL."""

    name: str
    label: Text
    required: bool = False
    default: str = ""

    @abstractmethod
    def fields(self) -> Fields:
        """Of the form, by name; in the order they stand in."""

    def values(self, cleaned: Cleaned, now: dt.datetime) -> dict[str, Any]:
        """SQL parameters. Raises ParametersError for what no single field can tell."""
        return {self.name: cleaned[self.name] or None}

    def said(self, cleaned: Cleaned) -> str:
        """The choice in words; empty for none."""
        return str(cleaned[self.name] or "")

    def address(self, cleaned: Cleaned) -> dict[str, str]:
        return {self.name: str(cleaned[self.name])} if cleaned[self.name] else {}


class _EndField(forms.Field):
    """A moment as an address has it: ISO, with its offset."""

    def to_python(self, value: Any) -> dt.datetime | None:
        if not value:
            return None
        try:
            moment = dt.datetime.fromisoformat(value)
        except ValueError as exc:
            raise _not_an_end() from exc
        if moment.tzinfo is None or not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
            raise _not_an_end()
        return moment


@dataclass(frozen=True, slots=True)
class PeriodParameter(Parameter):
    name: str = "periodo"
    label: Text = _PERIOD
    default: str = "7d"
    presets: tuple[str, ...] = ("hoje", "ontem", "7d", "mes_passado", "intervalo")

    def fields(self) -> Fields:
        picked = [(preset, PRESETS[preset]) for preset in self.presets]
        date = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        read = ["%Y-%m-%d", "%d/%m/%Y"]
        return {
            "periodo": forms.ChoiceField(
                label=str(self.label), choices=picked, required=False, widget=forms.RadioSelect
            ),
            "de": forms.DateField(label=_("De"), required=False, widget=date, input_formats=read),
            "ate": forms.DateField(
                label=_("Até, com este dia"), required=False, widget=date, input_formats=read
            ),
            END: _EndField(required=False, widget=forms.HiddenInput),
        }

    def values(self, cleaned: Cleaned, now: dt.datetime) -> dict[str, Any]:
        period = self.period(cleaned, now)
        return {"since": period.since, "until": period.until}

    def period(self, cleaned: Cleaned, now: dt.datetime) -> Period:
        """As it was at the given end, and no further."""
        end: dt.datetime | None = cleaned[END]
        found = self._named(cleaned, end or now)
        if end is None or (found.until is not None and found.until <= end):
            return found
        return Period(found.since, end)

    def _named(self, cleaned: Cleaned, now: dt.datetime) -> Period:
        today = days.of(now)
        day = dt.timedelta(days=1)
        match cleaned["periodo"]:
            case "hoje":
                return Period(days.midnight(today), days.midnight(today + day))
            case "ontem":
                return Period(days.midnight(today - day), days.midnight(today))
            case "7d":
                return Period(days.midnight(today - 6 * day), days.midnight(today + day))
            case "mes_passado":
                first = today.replace(day=1)
                return Period(days.midnight((first - day).replace(day=1)), days.midnight(first))
            case "tudo":
                return Period()
        return _interval(cleaned)

    def said(self, cleaned: Cleaned) -> str:
        preset = cleaned["periodo"]
        words = "" if preset == "intervalo" else str(PRESETS[preset])
        return _said_of(words, cleaned[END]) if cleaned[END] else words

    def address(self, cleaned: Cleaned) -> dict[str, str]:
        preset = cleaned["periodo"]
        days = {name: cleaned[name].isoformat() for name in ("de", "ate") if cleaned[name]}
        end = {END: cleaned[END].isoformat()} if cleaned[END] else {}
        return {"periodo": preset, **(days if preset == "intervalo" else {}), **end}


@dataclass(frozen=True, slots=True)
class EntityParameter(Parameter):
    """By the internal id: a document number never stands in an address (I9)."""

    name: str = "entidade"
    label: Text = _ENTITY

    def fields(self) -> Fields:
        return {
            "tipo": forms.RegexField(
                r"^[a-z_]{1,20}$", required=False, widget=forms.HiddenInput, initial=CUSTOMER
            ),
            "entidade": forms.CharField(
                label=str(self.label),
                required=self.required,
                max_length=80,
                help_text=_("O identificador interno, como está no endereço do histórico."),
                error_messages={"required": _("Diga de quem ou de quê é a consulta.")},
            ),
        }

    def values(self, cleaned: Cleaned, now: dt.datetime) -> dict[str, Any]:
        ref = cleaned["entidade"]
        if _is_document(ref):
            said = _("Um número de documento não vai no endereço: use a busca por CPF ou CNPJ.")
            raise ParametersError({"entidade": [str(said)]})
        return {
            "entity_type": (cleaned["tipo"] or CUSTOMER) if ref else None,
            "entity_id": ref or None,
        }

    def said(self, cleaned: Cleaned) -> str:
        ref = cleaned["entidade"]
        return f"{cleaned['tipo'] or CUSTOMER} {ref}" if ref else ""

    def address(self, cleaned: Cleaned) -> dict[str, str]:
        ref = cleaned["entidade"]
        return {"tipo": cleaned["tipo"] or CUSTOMER, "entidade": ref} if ref else {}


@dataclass(frozen=True, slots=True)
class CorrelationParameter(Parameter):
    name: str = "correlacao"
    label: Text = _RUN

    def fields(self) -> Fields:
        wrong = _("Uma rodada tem um identificador como c0a8b6f2-0000-4000-8000-000000000000.")
        return {
            self.name: forms.UUIDField(
                label=str(self.label),
                required=self.required,
                help_text=_("O identificador inteiro, como está no endereço da rodada."),
                error_messages={"required": _("Diga qual rodada."), "invalid": wrong},
            )
        }


@dataclass(frozen=True, slots=True)
class AgentParameter(Parameter):
    name: str = "agente"
    label: Text = _AGENT

    def fields(self) -> Fields:
        return {self.name: forms.CharField(label=str(self.label), required=False, max_length=80)}


@dataclass(frozen=True, slots=True)
class ChoiceParameter(Parameter):
    """One of a few words; with a default there is no "any"."""

    choices: tuple[tuple[str, Text], ...] = field(default=())

    def fields(self) -> Fields:
        free = [] if self.default else [("", _("qualquer"))]
        widget = forms.RadioSelect if self.default else forms.Select
        choices = [*free, *self.choices]
        return {
            self.name: forms.ChoiceField(
                label=str(self.label), required=False, choices=choices, widget=widget
            )
        }

    def said(self, cleaned: Cleaned) -> str:
        return str(dict(self.choices).get(cleaned[self.name], ""))


@dataclass(frozen=True, slots=True)
class ActionParameter(ChoiceParameter):
    """In the order of their words, which the reader's language gives."""

    def fields(self) -> Fields:
        choices = sorted(self.choices, key=lambda pair: _plain(str(pair[1])))
        found = ChoiceParameter(self.name, self.label, choices=tuple(choices))
        return found.fields()


def action_parameter(*, among: Callable[[Action], bool] = lambda _action: True) -> ActionParameter:
    """`among`: the actions that the query's rows can have."""
    named = tuple((name, action.words) for name, action in ACTIONS.items() if among(action))
    return ActionParameter("acao", _("Ação"), choices=named)


def result_parameter() -> ChoiceParameter:
    named = tuple((value, Result(value).label) for value in Result.values)
    return ChoiceParameter("resultado", _("Resultado"), choices=named)


def _interval(cleaned: Cleaned) -> Period:
    first, last = cleaned["de"], cleaned["ate"]
    if first is None:
        raise ParametersError({"de": [str(_("Diga o primeiro dia do intervalo."))]})
    if last is not None and last < first:
        raise ParametersError({"ate": [str(_("O último dia vem antes do primeiro."))]})
    if (last or first).year > _LAST_YEAR:
        raise ParametersError({"ate": [str(_("Esta data está longe demais."))]})
    return Period(days.midnight(first), days.midnight(days.after(last)) if last else None)


def _plain(words: str) -> str:
    """Letters without their accents, so that "Ação" does not stand behind "Token"."""
    return unicodedata.normalize("NFKD", words.casefold()).encode("ascii", "ignore").decode()


def _not_an_end() -> forms.ValidationError:
    return forms.ValidationError(_("O fim não é um momento com fuso."))


def _said_of(words: str, end: dt.datetime) -> str:
    at = timezone.localtime(end, timezone.get_default_timezone())
    moment = formats.moment_text(at, language=get_language() or "pt-br")
    until = _("até %(moment)s") % {"moment": moment}
    return f"{words}, {until}" if words else until


def _is_document(text: str) -> bool:
    try:
        parse_document(text)
    except InvalidDocumentError:
        return False
    return True
