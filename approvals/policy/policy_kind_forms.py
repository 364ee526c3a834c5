"""The editor of one kind of action that agents carry out: every rule is a field."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError as Misfit

from approvals.agents import external
from approvals.policy import policy_external_lines, policy_lines, policy_rule_fields
from approvals.policy.policy_document import ExternalRule, PolicyDocument
from approvals.policy.policy_rule_fields import RISK_WORDS
from audit.vocabulary import ACTIONS
from opspilot.presentation import reais
from opspilot.presentation.forms import StrictForm

OFF, ON = "nao", "sim"
_SECTION = "acoes_externas"
_LISTS = {"agentes": policy_lines.agents, "campos": policy_external_lines.fields}
# Fields of the document, and those of the form in which they are written.
_WRITTEN = {"agents": "agentes", "fields": "campos", "ceiling_centavos": "teto"}


def _lines(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


class KindForm(StrictForm):
    """One kind, on or off. The other kinds and the rest of the document stay as they were."""

    base = forms.IntegerField(widget=forms.HiddenInput)
    permitida = forms.ChoiceField(
        label=gettext_lazy("Agentes podem pedir isto"),
        choices=[(OFF, gettext_lazy("não")), (ON, gettext_lazy("sim"))],
    )
    agentes = forms.CharField(
        label=gettext_lazy("Agentes que podem pedir"),
        help_text=gettext_lazy("Um nome curto por linha."),
        widget=_lines(3),
        required=False,
    )
    campos = forms.CharField(
        label=gettext_lazy("Campos"),
        help_text=gettext_lazy(
            "Um por linha: nome = tipo; rótulo. Com * depois do nome, é exigido. Tipos: texto 40 "
            "(o número é o tamanho), inteiro, centavos, data, e escolha, com as opções no fim: "
            "motivo* = escolha; Motivo; em dobro | outro."
        ),
        widget=_lines(6),
        required=False,
    )
    risco = forms.ChoiceField(label=gettext_lazy("Risco"), choices=list(RISK_WORDS.items()))
    teto = reais.ReaisField(
        label=gettext_lazy("Teto, em reais"),
        help_text=gettext_lazy("Vazio: sem teto. Só para uma ação com um campo de centavos."),
        required=False,
    )
    autorizacao = forms.ChoiceField(label=gettext_lazy("Quem autoriza"))
    motivo = forms.CharField(
        label=gettext_lazy("Motivo da mudança"),
        max_length=1000,
        widget=_lines(3),
        help_text=gettext_lazy(
            "Pelo menos 10 caracteres. O outro admin lê este motivo, e ele fica na versão."
        ),
        required=False,
    )

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        self.fields |= policy_rule_fields.made("", within=external.words(kind))
        field = self.fields["autorizacao"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = _authorities(kind)

    def own(self) -> list[BoundField]:
        names = ("permitida", "agentes", "campos", "risco", "teto", "autorizacao")
        return [self[name] for name in names]

    def general(self) -> list[BoundField]:
        return policy_rule_fields.general(self, "")

    def by_risk(self) -> list[list[BoundField]]:
        return policy_rule_fields.by_risk(self, "")

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("permitida") != ON:
            return self.cleaned_data
        for field, words in list(policy_rule_fields.faults(self.cleaned_data, "")):
            self.add_error(field, words)
        for name, read in _LISTS.items():
            self._read(name, read)
        if not self.errors:
            self._check()
        return self.cleaned_data

    def _read(self, name: str, read: Any) -> None:
        try:
            self.cleaned_data[name] = read(self.cleaned_data.get(name) or "")
        except forms.ValidationError as exc:
            self.add_error(name, exc)

    def _check(self) -> None:
        """The document's own rules, named by the field they are about."""
        try:
            ExternalRule.model_validate(self._rule({}))
        except Misfit as exc:
            for error in exc.errors():
                name = _WRITTEN.get(str(error["loc"][0]) if error["loc"] else "", "teto")
                self.add_error(name, _("Isto não pode ser aceito assim: confira os limites."))

    def _rule(self, before: Mapping[str, Any]) -> dict[str, Any]:
        data = self.cleaned_data
        return policy_rule_fields.read(data, "", dict(before)) | {
            "agents": data["agentes"],
            "fields": data["campos"],
            "risk": data["risco"],
            "autorizacao": data["autorizacao"],
            "ceiling_centavos": data["teto"],
        }

    def document(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """The document a valid form describes."""
        made = copy.deepcopy(dict(before))
        kinds: dict[str, Any] = made.pop(_SECTION, {})
        old = kinds.pop(self.kind, {})
        if self.cleaned_data["permitida"] == ON:
            kinds[self.kind] = _unless_same(old, self._rule(old))
        return made | {_SECTION: kinds} if kinds else made


def _unless_same(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The old one where both mean the same: a default that is written out changes nothing."""
    if old and ExternalRule.model_validate(old) == ExternalRule.model_validate(new):
        return old
    return new


def _authorities(kind: str) -> list[tuple[str, str]]:
    """What has an effect outside is never approved by a rule alone."""
    people = [("humana", _("uma pessoa"))]
    return people if ACTIONS[kind].effect else [*people, ("regra", _("a regra, sem esperar"))]


def fits(document: PolicyDocument, kind: str) -> bool:
    """Whether the editor can write all of it and read the same back."""
    rule = document.acoes_externas.get(kind)
    return rule is None or policy_external_lines.comes_back(rule.fields)


def initial(document: PolicyDocument, kind: str) -> dict[str, Any]:
    """A kind that is not allowed yet starts from the issues' rule."""
    rule = document.acoes_externas.get(kind)
    values = policy_rule_fields.initial(rule or document.issue_criada, "")
    if rule is None:
        return values | {"permitida": OFF, "risco": "medio", "autorizacao": "humana"}
    return values | {
        "permitida": ON,
        "agentes": "\n".join(rule.agents),
        "campos": policy_external_lines.written(rule.fields),
        "risco": rule.risk,
        "teto": reais.written(rule.ceiling_centavos),
        "autorizacao": rule.autorizacao,
    }


def typed() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(fields of one value, fields of several) that are kept over a lost session."""
    form = KindForm(kind=min(external.KINDS))
    several = tuple(
        name for name, field in form.fields.items() if isinstance(field, forms.MultipleChoiceField)
    )
    return tuple(form.fields.keys() - set(several)), several
