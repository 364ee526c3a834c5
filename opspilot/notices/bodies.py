"""The bodies of webhooks: what happened, when, an id and a link. No content and nobody's name.

Standard Webhooks for programs; for people in Slack or Teams the same few facts as text.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.models import AgenteAprovacao, Execution, ExecutionState, State
from opspilot.notices import words
from opspilot.notices.letters import address
from opspilot.notices.models import Format, Kind, Notice, Urgency

_TYPES: dict[Kind, str] = {
    Kind.PENDENTE: "aprovacao.pendente",
    Kind.ALERTA: "aprovacao.vencendo",
    Kind.ESCALADA: "aprovacao.escalonada",
    Kind.TESTE: "aviso.teste",
}
_DECIDED: dict[str, str] = {
    State.APROVADA: "aprovacao.concedida",
    State.RECUSADA: "aprovacao.recusada",
    State.DEVOLVIDA: "aprovacao.devolvida",
    State.EXPIRADA: "aprovacao.expirada",
}


def body(*, notices: Sequence[Notice], format_: str, path: str) -> str:
    """The text that is signed and sent. `path` is where the link leads."""
    if format_ == Format.PADRAO:
        return _json(_thin(notices[0], path))
    with translation.override(settings.LANGUAGE_CODE):
        title, lines = _said(notices)
        return _json(
            _slack(title, lines, path) if format_ == Format.SLACK else _teams(title, lines, path)
        )


def page(notices: Sequence[Notice]) -> str:
    """The page of the console about it: the queue, for more than one."""
    first = notices[0]
    if first.approval is None:
        return reverse("notices:index")
    if first.urgency == Urgency.RESUMO:
        return reverse("approvals:inbox")
    return reverse("approvals:detail", args=[first.approval.ref])


def type_of(notice: Notice) -> str:
    kind = Kind(notice.kind)
    if kind == Kind.DECISAO and notice.approval is not None:
        return _DECIDED[notice.approval.estado]
    if kind == Kind.RESULTADO:
        other = Execution.objects.filter(
            approval_id=notice.approval_id, state=ExecutionState.DIVERGENTE
        )
        return "execucao.divergente" if other.exists() else "execucao.desconhecida"
    return _TYPES[kind]


def _thin(notice: Notice, path: str) -> dict[str, Any]:
    about = notice.approval.ref if notice.approval else notice.ref
    return {
        "type": type_of(notice),
        "timestamp": _moment(notice.created_at),
        "data": {"id": str(about), "url": address(path)},
    }


def _said(notices: Sequence[Notice]) -> tuple[str, list[str]]:
    first = notices[0]
    proposals = list({n.approval.pk: n.approval for n in notices if n.approval}.values())
    if first.urgency == Urgency.RESUMO:
        title = ngettext(
            "%(count)s decisão espera por um aprovador",
            "%(count)s decisões esperam por um aprovador",
            len(proposals),
        ) % {"count": len(proposals)}
        return title, [_until(min(proposals, key=lambda p: p.expira_em))]
    title = words.headline(Kind(first.kind), first.approval, personal=False)
    return title, _facts(Kind(first.kind), proposals[0]) if proposals else []


def _facts(kind: Kind, proposal: AgenteAprovacao) -> list[str]:
    lines = [
        _("Ação: %(action)s") % {"action": words.action(proposal.acao)},
        _("Risco: %(risk)s") % {"risk": words.risk(proposal.risco)},
    ]
    return lines if kind in {Kind.DECISAO, Kind.RESULTADO} else [*lines, _until(proposal)]


def _until(proposal: AgenteAprovacao) -> str:
    zone = timezone.get_default_timezone()
    return _("Prazo: %(until)s") % {"until": words.deadline(proposal.expira_em, zone=zone)}


def _slack(title: str, lines: Sequence[str], path: str) -> dict[str, Any]:
    return {"text": "\n".join([title, *lines, address(path)])}


def _teams(title: str, lines: Sequence[str], path: str) -> dict[str, Any]:
    """A card with text and one link: the workflows of Teams show no buttons that act."""
    texts = [
        {"type": "TextBlock", "text": title, "weight": "Bolder", "wrap": True},
        *({"type": "TextBlock", "text": line, "wrap": True} for line in lines),
    ]
    opening = {"type": "Action.OpenUrl", "title": _("Abrir no console"), "url": address(path)}
    card = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": texts,
        "actions": [opening],
    }
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "content": card}]}


def _moment(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
