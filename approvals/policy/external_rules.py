"""The rules of the kinds that agents carry out: each answers for itself, also after a refusal."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from approvals.agents.external_command import ExternalCommand, Value
from approvals.agents.external_refusals import (
    AboveCeilingError,
    AgentNotAllowedError,
    FieldMissingError,
    FieldValueError,
    KindNotAllowedError,
    OwnerRoleError,
    UnknownFieldError,
    UnreadableValueError,
)
from approvals.policy.outcomes import (
    Check,
    ExternalOutcome,
    Request,
    basis,
    may_ask,
    named,
    raised,
)
from approvals.policy.policy_document import (
    MAX_CENTAVOS,
    ExternalField,
    ExternalRule,
    PolicyDocument,
)


def checks(
    request: Request, command: ExternalCommand, document: PolicyDocument
) -> tuple[Check, ...]:
    rule = document.acoes_externas.get(command.kind)
    return (
        Check(_("Tipo de ação"), rule is not None, KindNotAllowedError),
        _agent(request, rule),
        Check(_("Papel de quem responde pelo agente"), may_ask(request, rule), OwnerRoleError),
        basis(request, rule),
        _readable(command),
        *(check(command, rule) for check in _OF_THE_FIELDS),
    )


def outcome(
    request: Request, command: ExternalCommand, document: PolicyDocument
) -> ExternalOutcome:
    """What an allowed command comes to."""
    rule = document.acoes_externas[command.kind]
    risk = raised(rule.risk, request.coverage)
    return ExternalOutcome(
        fields=tuple((name, rule.fields[name].type, value) for name, value in command.fields),
        authorization=rule.autorizacao,
        risk=risk,
        quorum=rule.quorum[risk],
        approver_role=rule.approver_of(risk),
    )


def _agent(request: Request, rule: ExternalRule | None) -> Check:
    allowed = rule is not None and request.agent in rule.agents
    return Check(_("Agente"), allowed, AgentNotAllowedError)


def _readable(command: ExternalCommand) -> Check:
    words = named(_("Campo que não pode ser lido: %(name)s."), list(command.unreadable))
    return Check(_("Campos legíveis"), not command.unreadable, UnreadableValueError, words)


def _missing(command: ExternalCommand, rule: ExternalRule | None) -> Check:
    given = dict(command.fields)
    fields = rule.fields.items() if rule else ()
    missing = sorted(name for name, field in fields if field.required and name not in given)
    words = named(_("Falta o campo: %(name)s."), missing)
    return Check(_("Campos exigidos"), not missing, FieldMissingError, words)


def _known(command: ExternalCommand, rule: ExternalRule | None) -> Check:
    unknown = sorted(dict(command.fields).keys() - (rule.fields.keys() if rule else set()))
    words = named(_("Campo que esta ação não tem: %(name)s."), unknown)
    return Check(_("Nomes dos campos"), not unknown, UnknownFieldError, words)


def _values(command: ExternalCommand, rule: ExternalRule | None) -> Check:
    rules = rule.fields if rule else {}
    odd = [name for name, value in command.fields if name in rules and not fits(rules[name], value)]
    words = named(_("O valor deste campo não pode ser aceito: %(name)s."), odd)
    return Check(_("Valores dos campos"), not odd, FieldValueError, words)


def _ceiling(command: ExternalCommand, rule: ExternalRule | None) -> Check:
    ceiling = rule.ceiling_centavos if rule else None
    sums = [value for name, value in command.fields if rule and name in rule.money]
    above = [value for value in sums if ceiling and isinstance(value, int) and value > ceiling]
    return Check(_("Teto"), not above, AboveCeilingError)


_OF_THE_FIELDS: tuple[Callable[[ExternalCommand, ExternalRule | None], Check], ...] = (
    _missing,
    _known,
    _values,
    _ceiling,
)


def fits(field: ExternalField, value: Value) -> bool:
    """Whether the value is of the field's type and within its limits."""
    if isinstance(value, int):
        return field.type == "inteiro" or (field.type == "centavos" and 0 < value <= MAX_CENTAVOS)
    match field.type:
        case "texto":
            return len(value) <= (field.max_length or 0)
        case "data":
            return _is_date(value)
        case "escolha":
            return value in field.choices
        case _:
            return False


def _is_date(text: str) -> bool:
    """Exactly `AAAA-MM-DD`: the short and the week forms would be other texts for the same day."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
