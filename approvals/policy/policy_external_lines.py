"""The fields of a kind that agents carry out, written one a line in the policy editor, and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from pydantic import TypeAdapter
from pydantic import ValidationError as Misfit

from approvals.policy.policy_document import ExternalField, FieldName
from approvals.policy.policy_lines import lines

_LINE = re.compile(
    r"(?P<name>[a-z][a-z0-9_]{0,62}) *(?P<star>\*?) *= *(?P<type>[a-z]+)(?: +(?P<most>\d{1,5}))? *"
    r"; *(?P<label>[^;|]*[^;| ]) *(?:; *(?P<choices>[^;]+))?",
    re.ASCII,
)
_NAME: TypeAdapter[str] = TypeAdapter(FieldName)


def fields(text: str) -> dict[str, dict[str, Any]]:
    """`name* = type; label; choice | choice`, one a line; `*` after the name: required, and a number
    after `texto`: its greatest length."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines(text):
        name, field = _field(line)
        if name in found:
            raise ValidationError(_("O campo “%(name)s” aparece duas vezes.") % {"name": name})
        found[name] = field
    return found


def _field(line: str) -> tuple[str, dict[str, Any]]:
    match = _LINE.fullmatch(line)
    if match is None:
        raise ValidationError(
            _("Escreva um por linha, assim: valor* = centavos; Valor do estorno.")
        )
    said = match.groupdict()
    field: dict[str, Any] = {
        "type": said["type"],
        "label": said["label"],
        "required": said["star"] == "*",
    }
    if said["most"]:
        field["max_length"] = int(said["most"])
    if said["choices"]:
        field["choices"] = [choice.strip() for choice in said["choices"].split("|")]
    _check(said["name"], field)
    return said["name"], field


def _check(name: str, field: dict[str, Any]) -> None:
    """The document's own rules, so that an error stands at its field."""
    try:
        _NAME.validate_python(name)
        ExternalField.model_validate(field)
    except Misfit as exc:
        words = _("O campo “%(name)s” não pode ser aceito: confira nome, tipo e limites.")
        raise ValidationError(words % {"name": name}) from exc


def written(rules: Mapping[str, ExternalField]) -> str:
    """The fields as they are written in the editor."""
    return "\n".join(_line(name, field) for name, field in rules.items())


def _line(name: str, field: ExternalField) -> str:
    star = "*" if field.required else ""
    most = f" {field.max_length}" if field.max_length else ""
    choices = f"; {' | '.join(field.choices)}" if field.choices else ""
    return f"{name}{star} = {field.type}{most}; {field.label}{choices}"


def comes_back(rules: Mapping[str, ExternalField]) -> bool:
    """Whether what is written is read as the same: a label or a choice may hold one of our signs."""
    try:
        read = {name: ExternalField(**field) for name, field in fields(written(rules)).items()}
    except ValidationError:
        return False
    return read == dict(rules)
