"""The registered actions of the trail: business effects, never function names (design §4)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Authorization(TextChoices):
    REGRA = "regra", _("regra automática")
    PREVIA = "previa", _("permissão prévia")
    HUMANA = "humana", _("aprovação humana")
    PENDENTE = "pendente", _("pendente")


class Result(TextChoices):
    OK = "ok", _("ok")
    RECUSADO = "recusado", _("recusado")
    ERRO = "erro", _("não concluído")
    DESCONHECIDO = "desconhecido", _("desconhecido")
    PENDENTE = "pendente", _("pendente")
    EXPIRADO = "expirado", _("expirado")


@dataclass(frozen=True, slots=True)
class Action:
    """One business action: LGPD art. 37 asks for purpose and legal basis of each operation."""

    name: str
    words: str | Promise
    effect: bool  # changes something outside this console
    reversible: bool  # by default; a row may say otherwise
    purpose: str | Promise
    legal_basis: str | Promise
    useful: bool  # counts as a useful result in cost reports


_SECURITY = _("segurança e prestação de contas")
_OPERATION = _("execução do serviço pedido")
_INTEREST = _("legítimo interesse (LGPD, art. 7º, IX)")
_DUTY = _("cumprimento de obrigação legal (LGPD, art. 7º, II)")


def _register(*actions: Action) -> dict[str, Action]:
    return {action.name: action for action in actions}


ACTIONS = _register(
    Action(
        "conhecimento.consultado",
        _("Runbooks consultados"),
        False,
        False,
        _OPERATION,
        _INTEREST,
        True,
    ),
    Action(
        "conhecimento.publicado",
        _("Documento publicado"),
        False,
        True,
        _OPERATION,
        _INTEREST,
        False,
    ),
    Action(
        "conhecimento.recusado", _("Arquivo recusado"), False, False, _OPERATION, _INTEREST, False
    ),
    Action("issue.criada", _("Issue criada"), True, True, _OPERATION, _INTEREST, True),
    Action("aprovacao.concedida", _("Aprovação concedida"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.recusada", _("Aprovação recusada"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.expirada", _("Aprovação expirada"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.cancelada", _("Pedido cancelado"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.devolvida", _("Mudanças pedidas"), False, False, _SECURITY, _DUTY, False),
    Action("aprovacao.comentada", _("Comentário"), False, False, _OPERATION, _INTEREST, False),
    Action("execucao.retirada", _("Execução retirada"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.bloqueada", _("Execução bloqueada"), False, False, _SECURITY, _DUTY, False),
    Action("execucao.adiada", _("Envio adiado"), False, False, _SECURITY, _DUTY, False),
    Action(
        "execucao.retomada",
        _("Execução retomada por uma pessoa"),
        False,
        False,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "execucao.procurada",
        _("Resultado procurado no destino"),
        False,
        False,
        _SECURITY,
        _DUTY,
        False,
    ),
    Action(
        "entidade.registrada", _("Entidade registrada"), False, False, _OPERATION, _INTEREST, False
    ),
    Action("historico.lido", _("Histórico lido"), False, False, _SECURITY, _DUTY, False),
    Action("politica.proposta", _("Política proposta"), False, True, _SECURITY, _DUTY, False),
    Action("politica.descartada", _("Rascunho descartado"), False, True, _SECURITY, _DUTY, False),
    Action("politica.ativada", _("Política ativada"), False, True, _SECURITY, _DUTY, False),
    Action("acao.recusada", _("Ação recusada"), False, False, _SECURITY, _DUTY, False),
    Action("repasse.humano", _("Repasse a uma pessoa"), False, False, _OPERATION, _INTEREST, False),
)
