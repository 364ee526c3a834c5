"""The fields of who asks, who decides and for how long: the same for every kind of action.

`prefix` tells the kinds apart: "" is the issue's, as it was before there were others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from approvals.policy.policy_document import RISKS, KindRule
from opspilot.presentation import risks
from opspilot.tenancy.principal import Role

MINUTES = 7 * 24 * 60
RISK_WORDS = risks.WORDS
REQUESTERS = (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
APPROVERS = (Role.APROVADOR, Role.CONFORMIDADE, Role.ADMIN)
_PLAIN = ("papeis", "papel_decide", "minutos_decidir", "minutos_executar")
_ESCALATION = ("escalar_percentual", "escalar_papel")
_BY_RISK = ("quorum", "espera", "papel")


def choices(roles: tuple[Role, ...]) -> list[tuple[str, Any]]:
    return [(str(role), role.label) for role in roles]


def made(prefix: str, *, within: str = "") -> dict[str, forms.Field]:
    """New fields by name. `within` names a kind of its own, which may be switched off: its fields
    are not required by themselves, and their labels tell them from the issue's."""
    fields = _general(required=not within)
    for risk in RISKS:
        fields |= _of_risk(risk, required=not within)
    for field in fields.values() if within else ():
        field.label = f"{within}: {field.label}"
    return {f"{prefix}{name}": field for name, field in fields.items()}


def _general(required: bool) -> dict[str, forms.Field]:
    return {
        "papeis": forms.MultipleChoiceField(
            label=_("Quem pode pedir"),
            choices=choices(REQUESTERS),
            widget=forms.CheckboxSelectMultiple,
            required=required,
        ),
        "papel_decide": forms.ChoiceField(
            label=_("Quem decide"), choices=choices(APPROVERS), required=required
        ),
        "minutos_decidir": forms.IntegerField(
            label=_("Minutos para decidir"),
            min_value=1,
            max_value=MINUTES,
            help_text=_("Depois disso a proposta expira sem decisão."),
            required=required,
        ),
        "minutos_executar": forms.IntegerField(
            label=_("Minutos para executar depois do prazo"),
            min_value=1,
            max_value=MINUTES,
            required=required,
        ),
        "exige_consulta": forms.BooleanField(
            label=_("Só com consulta aos runbooks"),
            help_text=_("Sem uma resposta com base, este tipo de ação não vira proposta."),
            required=False,
        ),
        "escalar_percentual": forms.IntegerField(
            label=_("Escalonar depois de quantos por cento do prazo"),
            min_value=10,
            max_value=90,
            help_text=_("Vazio: a decisão fica só com o papel que decide."),
            required=False,
        ),
        "escalar_papel": forms.ChoiceField(
            label=_("Papel que então também decide"),
            choices=[("", _("nenhum")), *choices(APPROVERS)],
            required=False,
        ),
    }


def _of_risk(risk: str, required: bool) -> dict[str, forms.Field]:
    said = {"risk": RISK_WORDS[risk]}
    return {
        f"quorum_{risk}": forms.IntegerField(
            label=_("Aprovações no risco %(risk)s") % said,
            min_value=1,
            max_value=5,
            required=required,
        ),
        f"espera_{risk}": forms.IntegerField(
            label=_("Segundos de espera no risco %(risk)s") % said,
            min_value=0,
            max_value=60,
            help_text=_("Tempo em que quem aprovou ainda pode retirar a execução."),
            required=required,
        ),
        f"papel_{risk}": forms.ChoiceField(
            label=_("Quem decide o risco %(risk)s") % said,
            choices=[("", _("o mesmo papel")), *choices(APPROVERS)],
            required=False,
        ),
    }


def general(form: forms.Form, prefix: str, *more: str) -> list[BoundField]:
    """Those that do not depend on the risk, with the kind's own fields before the escalation."""
    return [
        *(form[f"{prefix}{name}"] for name in _PLAIN),
        *(form[name] for name in more),
        form[f"{prefix}exige_consulta"],
        *(form[f"{prefix}{name}"] for name in _ESCALATION),
    ]


def by_risk(form: forms.Form, prefix: str) -> list[list[BoundField]]:
    return [[form[f"{prefix}{name}_{risk}"] for name in _BY_RISK] for risk in RISKS]


def faults(cleaned: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """(field, sentence) of what single fields cannot tell. A field with an error of its own is
    not in `cleaned`."""
    share, role = f"{prefix}escalar_percentual", f"{prefix}escalar_papel"
    if bool(cleaned.get(share)) != bool(cleaned.get(role)):
        yield role, _("Preencha os dois campos, ou deixe os dois vazios.")
    needed = [*_PLAIN, *(f"{name}_{risk}" for name in ("quorum", "espera") for risk in RISKS)]
    for name in needed:
        if cleaned.get(f"{prefix}{name}", 1) in (None, "", []):
            yield f"{prefix}{name}", _("Preencha este campo.")


def read(data: dict[str, Any], prefix: str, before: dict[str, Any]) -> dict[str, Any]:
    """The rule that valid fields describe. What they do not show of `before` stays as it was."""
    rule = {
        **before,
        "requester_roles": data[f"{prefix}papeis"],
        "approver_role": data[f"{prefix}papel_decide"],
        "quorum": {risk: data[f"{prefix}quorum_{risk}"] for risk in RISKS},
        "expires_minutes": data[f"{prefix}minutos_decidir"],
        "execute_within_minutes": data[f"{prefix}minutos_executar"],
        "hold_seconds": {risk: data[f"{prefix}espera_{risk}"] for risk in RISKS},
    }
    roles = {risk: data[f"{prefix}papel_{risk}"] for risk in RISKS if data[f"{prefix}papel_{risk}"]}
    _set(rule, "approver_roles", roles)
    share, role = data[f"{prefix}escalar_percentual"], data[f"{prefix}escalar_papel"]
    given_on = {"depois_de_percentual": share, "para_papel": role} if role else None
    _set(rule, "escalonamento", given_on)
    _set(rule, "must_consult", data[f"{prefix}exige_consulta"])
    return rule


def _set(rule: dict[str, Any], name: str, value: object) -> None:
    """Absent when it says nothing: an older release reads a policy without the field."""
    rule.pop(name, None)
    if value:
        rule[name] = value


def initial(rule: KindRule, prefix: str) -> dict[str, Any]:
    values: dict[str, Any] = {
        "papeis": list(rule.requester_roles),
        "papel_decide": rule.approver_role,
        "minutos_decidir": rule.expires_minutes,
        "minutos_executar": rule.execute_within_minutes,
        "exige_consulta": rule.must_consult,
    }
    if rule.escalonamento is not None:
        values["escalar_percentual"] = rule.escalonamento.depois_de_percentual
        values["escalar_papel"] = rule.escalonamento.para_papel
    for risk in RISKS:
        values |= {
            f"quorum_{risk}": rule.quorum[risk],
            f"espera_{risk}": rule.hold_seconds[risk],
            f"papel_{risk}": rule.approver_roles.get(risk, ""),
        }
    return {f"{prefix}{name}": value for name, value in values.items()}
