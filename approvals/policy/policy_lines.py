"""What is written one a line in the policy editor, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from pydantic import ValidationError as Misfit

from approvals.policy.policy_document import Template, Variable
from approvals.tasks import hosts

_VARIABLE = re.compile(r"([a-z][a-z0-9_]{0,62})\s*(\*?)\s*([=~<])\s*(.+)", re.ASCII)
_LENGTH = re.compile(r"\d{1,3}", re.ASCII)
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}", re.ASCII)


def lines(text: str) -> Iterator[str]:
    """Each line that says something, without the blanks around it."""
    return filter(None, map(str.strip, text.splitlines()))


def labels(text: str) -> list[str]:
    """One a line; a comma cannot be sent in a label, since the remote joins them with it."""
    found = list(lines(text))
    if any("," in label for label in found):
        raise ValidationError(_("Uma etiqueta não pode ter vírgula."))
    if any(len(label) > 255 for label in found):
        raise ValidationError(_("Uma etiqueta tem no máximo 255 caracteres."))
    return list(dict.fromkeys(found))


def people(text: str) -> dict[str, int]:
    """`name = id`, one a line."""
    found: dict[str, int] = {}
    for line in lines(text):
        name, sign, number = (part.strip() for part in line.rpartition("="))
        if not (sign and name and len(name) <= 120 and number.isascii() and number.isdecimal()):
            raise ValidationError(_("Escreva um por linha, assim: plantao-infra = 319."))
        if not int(number[:12]) > 0 or len(number) > 12:
            raise ValidationError(_("O id de “%(name)s” não é possível.") % {"name": name})
        found[name] = int(number)
    return found


def catalogue(text: str) -> list[str]:
    """Hosts, one a line: each the name of one host, and never a pattern."""
    found = [hosts.normalise(line) for line in lines(text)]
    odd = [host for host in found if not hosts.is_host(host)]
    if odd:
        raise ValidationError(_("“%(name)s” não é o nome de um host.") % {"name": odd[0][:80]})
    return list(dict.fromkeys(found))


def agents(text: str) -> list[str]:
    """Agents by their short name, one a line."""
    found = list(lines(text))
    if not all(_SLUG.fullmatch(name) for name in found):
        raise ValidationError(_("Um agente é escrito por seu nome curto, como monitor-de-filas."))
    return list(dict.fromkeys(found))


def variables(text: str) -> dict[str, dict[str, Any]]:
    """`name = value, value`, `name ~ pattern` or `name < length` for a plain text, one a line; `*`
    after the name: required."""
    found: dict[str, dict[str, Any]] = {}
    for line in lines(text):
        name, rule = _variable(line)
        if name in found:
            raise ValidationError(_("A variável “%(name)s” aparece duas vezes.") % {"name": name})
        found[name] = rule
    return found


def _variable(line: str) -> tuple[str, dict[str, Any]]:
    match = _VARIABLE.fullmatch(line)
    if match is None:
        raise ValidationError(_("Escreva uma por linha, assim: server_action* = status, restart."))
    name, star, sign, said = match.groups()
    rule: dict[str, Any] = {"required": star == "*"}
    if sign == "=":
        rule["values"] = [value.strip() for value in said.split(",")]
    elif sign == "<":
        rule["max_length"] = int(said) if _LENGTH.fullmatch(said.strip()) else said
    else:
        rule["pattern"] = said.strip()
    _check(name, rule)
    return name, rule


def _check(name: str, rule: dict[str, Any]) -> None:
    """The document's own rules, so that an error stands at its field."""
    try:
        Template.model_validate(_ANY | {"variables": {name: rule}})
    except Misfit as exc:
        words = _("A variável “%(name)s” não pode ser aceita: confira nome e valores.")
        raise ValidationError(words % {"name": name}) from exc


_ANY: dict[str, Any] = {
    "template_id": 1, "project_id": 1, "name": "t", "hosts": [], "risk": "baixo",
}  # fmt: skip


def written(rules: dict[str, Variable]) -> str:
    """The variables as they are written in the editor."""
    return "\n".join(_line(name, rule) for name, rule in rules.items())


def _line(name: str, rule: Variable) -> str:
    star = "*" if rule.required else ""
    if rule.values:
        return f"{name}{star} = {', '.join(rule.values)}"
    if rule.max_length is not None:
        return f"{name}{star} < {rule.max_length}"
    return f"{name}{star} ~ {rule.pattern}"
