"""What every query may name without anybody asking for it: the zone of days, and the vocabulary's
own lists. An action that is registered later is in every report without a new file."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from audit.vocabulary import ACTIONS, Action

_OF_THE_TRAIL = ("historico.", "exportacao.", "relatorio.", "guarda.", "acessos.exportados")
"""How actions begin that look into the trail or keep it, and touch nobody they are about."""
_OF_THE_COMPANY = (
    "acessos.", "agente.", "conhecimento.apagado", "conhecimento.liberado",
    "conhecimento.publicado", "conhecimento.recusado", "conhecimento.retido", "conhecimento.retirado",
    "delegacao.", "destino.", "documento.", "fonte.", "indice.", "recorte.",
    "mascara.", "papeis.", "parada.", "permissao.", "politica.", "preco.", "relatorio.", "retencao.",
    "segredo.", "token.", "trilha.",
)  # fmt: skip
"""How actions begin whose rows are about the company's own rules and people, never about a customer."""

_NOT_DONE = frozenset({
    "acao.recusada", "aprovacao.cancelada", "aprovacao.devolvida", "aprovacao.expirada",
    "aprovacao.recusada", "conhecimento.consultado", "conhecimento.recusado", "execucao.bloqueada",
    "execucao.retirada", "repasse.humano",
})  # fmt: skip
"""Beside effects, whose rows can say that something was refused, blocked, handed over or expired."""


def about_somebody(action: Action) -> bool:
    return not action.name.startswith(_OF_THE_COMPANY)


def in_the_world(action: Action) -> bool:
    return action.effect


def not_done(action: Action) -> bool:
    return action.effect or action.external or action.name in _NOT_DONE


def of_every_query() -> dict[str, Any]:
    return {
        "zone": timezone.get_default_timezone_name(),
        "effects": [name for name, action in ACTIONS.items() if action.effect],
        "of_the_trail": [name for name in ACTIONS if name.startswith(_OF_THE_TRAIL)],
        "useful": [name for name, action in ACTIONS.items() if action.useful],
    }
