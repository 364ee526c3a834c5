"""The remote's own survey of a template against the variables of a command: it enforces none of it
when it is asked by program, so we do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from approvals.tasks import task_values
from opspilot.connectors.tasks import SurveyField

Field = Mapping[str, Any]  # as `stored` gives it
_WHOLE_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)
_LISTED = ("enum", "select")


def stored(field: SurveyField) -> dict[str, Any]:
    """Without its default: that of a secret one would be a secret (I9)."""
    return {
        "name": field.name,
        "kind": field.kind,
        "required": field.required,
        "values": list(field.values),
    }


def faults(survey: Sequence[Field], variables: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(code, name) of each variable that the template as it is now would not take."""
    fields = {str(field["name"]): field for field in survey}
    for name, value in sorted(variables.items()):
        if task_values.is_foreign(name) or not task_values.is_plain(value):
            yield "valor_nao_permitido", name
        elif name not in fields:
            yield "variavel_fora_do_template", name
        elif code := _of_value(fields[name], value):
            yield code, name
    for name, field in sorted(fields.items()):
        if field["required"] and not variables.get(name):
            is_secret = field["kind"] == "secret"
            yield "variavel_secreta" if is_secret else "variavel_exigida_no_template", name


def _of_value(field: Field, value: str) -> str:
    match field["kind"]:
        case "secret":
            return "variavel_secreta"
        case "int":
            return "" if _WHOLE_NUMBER.fullmatch(value) else "valor_fora_do_template"
        case kind if kind in _LISTED:
            return "" if value in field["values"] else "valor_fora_do_template"
        case _:
            return ""
