"""The few facts a notice may say: kind of action, risk, deadline. Never content, never a name."""

from __future__ import annotations

import datetime as dt

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from approvals.models import AgenteAprovacao, State
from opspilot.notices.models import Kind
from opspilot.presentation import formats, risks

_ACTIONS: dict[str, Promise] = {
    "issue.criada": gettext_lazy("criar uma issue"),
    "tarefa.executada": gettext_lazy("executar uma tarefa"),
    "issue.fechada": gettext_lazy("fechar uma issue"),
    "envio.repetido": gettext_lazy("enviar um pedido de novo"),
}
_DECIDED: dict[str, Promise] = {
    State.APROVADA: gettext_lazy("Seu pedido foi aprovado"),
    State.RECUSADA: gettext_lazy("Seu pedido foi recusado"),
    State.DEVOLVIDA: gettext_lazy("Pediram mudanças no seu pedido"),
    State.EXPIRADA: gettext_lazy("Seu pedido expirou sem decisão"),
}
_HEADLINES: dict[Kind, Promise] = {
    Kind.PENDENTE: gettext_lazy("Uma decisão espera por você"),
    Kind.ALERTA: gettext_lazy("O prazo de uma decisão está acabando"),
    Kind.ESCALADA: gettext_lazy("Uma decisão passou também ao seu papel"),
    Kind.RESULTADO: gettext_lazy("Um resultado precisa de uma pessoa"),
    Kind.RASCUNHO: gettext_lazy("Uma política espera por outro admin"),
    Kind.PERMISSAO: gettext_lazy("Uma permissão permanente espera por outro admin"),
    Kind.RELATORIO: gettext_lazy("Um relatório salvo tem resposta"),
    Kind.TESTE: gettext_lazy("Teste de avisos"),
}


def action(kind: str) -> str:
    """A kind of the company's own has no words here: its name was chosen to be read."""
    return str(_ACTIONS.get(kind, kind))


def risk(name: str) -> str:
    return risks.word(name)


def headline(kind: Kind, proposal: AgenteAprovacao | None, *, personal: bool = True) -> str:
    """What happened, in one sentence; not `personal` where a whole room reads it."""
    if kind == Kind.DECISAO and proposal is not None:
        if not personal:
            return _("Um pedido foi encerrado: %(state)s") % {
                "state": proposal.get_estado_display()
            }
        return str(_DECIDED[proposal.estado])
    if not personal and kind in {Kind.PENDENTE, Kind.ESCALADA}:
        return _("Uma decisão espera por um aprovador")
    return str(_HEADLINES[kind])


def deadline(at: dt.datetime, *, zone: dt.tzinfo) -> str:
    local = formats.in_zone(at, zone)
    moment = formats.moment_text(local, language=get_language() or "pt-br")
    return f"{moment.rpartition(':')[0]} ({formats.offset_text(local)})"
