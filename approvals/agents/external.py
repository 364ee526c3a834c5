"""The actions that the company's own agents carry out, as people read them.

A kind is registered in the trail's vocabulary, and a tenant's policy says which agents may ask for
it and with which fields. The worker never carries one out: an agent consumes the approval.
"""

from __future__ import annotations

from typing import Any

from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.models import AgenteAprovacao
from approvals.policy.stored import is_external
from audit.vocabulary import ACTIONS
from opspilot.presentation.formats import money_text

KINDS = frozenset(name for name, action in ACTIONS.items() if action.external)
_AGENT = "agente"  # how many an agent is named: the sentence does not say it twice
_SHORT = frozenset({"centavos", "inteiro", "data", "escolha"})  # what a line may say: no free text


def sentence(proposal: AgenteAprovacao) -> str:
    """The action in words, for a line of the queue and the head of its page."""
    name, action = proposal.solicitante_nome, words(proposal.acao).lower()
    if name.casefold().startswith(_AGENT):
        return _("Autorizar o %(name)s: %(action)s") % {
            "name": name[:1].lower() + name[1:],
            "action": action,
        }
    return _("Autorizar o agente %(name)s: %(action)s") % {"name": name, "action": action}


def summary(action: dict[str, Any]) -> str:
    """Sums, dates, numbers and choices of the action in one line; its free texts stay out of it."""
    fields = sorted(_fields(action).items())
    return " · ".join(_text(field) for _name, field in fields if _type(field) in _SHORT)


def words(kind: str) -> str:
    return str(ACTIONS[kind].words) if kind in ACTIONS else kind


def _fields(action: object) -> dict[str, Any]:
    fields = action.get("fields") if is_external(action) and isinstance(action, dict) else None
    return fields if isinstance(fields, dict) else {}


def _type(field: object) -> str:
    return str(field.get("type")) if isinstance(field, dict) else ""


def _text(field: object) -> str:
    value = field.get("value") if isinstance(field, dict) else field
    if _type(field) == "centavos" and isinstance(value, int):
        return money_text(value, language=get_language() or "pt-br")
    if _type(field) == "data" and (day := parse_date(str(value))):
        return f"{value} ({date_format(day, 'd/m/Y')})"
    return str(value)
