"""Stops in words: what is stopped, since when, by whom and why."""

from __future__ import annotations

from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.models import EmergencyStop, StopScope
from opspilot.presentation.formats import short_text

CONNECTOR_WORDS = {"gitlab": "GitLab", "semaphore": "Semaphore"}


def what(stop: EmergencyStop) -> str:
    """ "a empresa inteira", "o agente monitor" or "o conector GitLab"."""
    match stop.scope:
        case StopScope.AGENTE:
            return _("o agente %(name)s") % {"name": stop.subject}
        case StopScope.CONECTOR:
            name = CONNECTOR_WORDS.get(stop.subject, stop.subject)
            return _("o conector %(name)s") % {"name": name}
        case _:
            return _("a empresa inteira")


def sentence(stop: EmergencyStop) -> str:
    """ "parada de emergência desde 14:02 por aprovador 1: fila dobrada"."""
    return _("parada de emergência %(said)s") % {"said": _since(stop)}


def line(stop: EmergencyStop) -> str:
    """ "A empresa inteira desde 14:02 por aprovador 1: fila dobrada", for the strip of every page."""
    words = f"{what(stop)} {_since(stop)}"
    return f"{words[:1].upper()}{words[1:]}"


def _since(stop: EmergencyStop) -> str:
    language = get_language() or "pt-br"
    return _("desde %(since)s por %(who)s: %(reason)s") % {
        "since": short_text(localtime(stop.at), now=localtime(), language=language),
        "who": stop.pressed_name,
        "reason": stop.reason.rstrip(". "),
    }
