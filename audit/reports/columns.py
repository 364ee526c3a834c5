"""The columns of the trail as reports show them, named once."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from audit.reports.shapes import Column, Kind
from opspilot.errors import Text


def hidden(name: str, label: Text, kind: Kind = "text") -> Column:
    """In every export, and not on the page: a screen has room for what answers."""
    return Column(name, label, kind, screen=False)


NUMBER = hidden("id", _("Número da linha"), "number")
WHEN = Column("ocorrido_em", _("Quando"), "moment")
RUN = Column("correlacao_id", _("Rodada"), "run")
AGENT = Column("agente", _("Agente"))
ACTION = Column("acao", _("Ação"), "action")
RESULT = Column("resultado", _("Resultado"), "result")
AUTHORIZATION = Column("autorizacao", _("Autorização"), "authorization")
DECIDED_BY = Column("aprovado_por", _("Decidido por"), "person")
ENTITY_TYPE = hidden("entidade_tipo", _("Tipo"))
ENTITY = Column("entidade_id", _("Sobre"), "entity")
WHO = Column("entrada_resumo", _("Quem"), "person")
REASON, ERROR = (
    Column(name, label, "reason")
    for name, label in (("saida_resumo", _("O que foi dito")), ("erro", _("Por quê")))
)
COST = Column("custo_centavos", _("Custo (R$)"), "money")

# A whole row of the trail, in the order of the files that give one.
TRAIL = (
    NUMBER,
    WHEN,
    RUN,
    AGENT,
    hidden("agente_versao", _("Versão do agente")),
    hidden("modelo", _("Modelo")),
    hidden("instrucao_hash", _("Instrução (SHA-256)")),
    ACTION,
    RESULT,
    AUTHORIZATION,
    DECIDED_BY,
    hidden("politica_versao", _("Política"), "integer"),
    hidden("aprovacao_id", _("Número da aprovação"), "number"),
    ENTITY_TYPE,
    ENTITY,
    hidden("fontes", _("Fontes"), "json"),
    hidden("entrada_resumo", _("Entrada")),
    hidden("saida_resumo", _("Saída")),
    hidden("tokens_entrada", _("Tokens de entrada"), "integer"),
    hidden("tokens_saida", _("Tokens de saída"), "integer"),
    COST,
    hidden("duracao_ms", _("Duração (ms)"), "integer"),
    hidden("reversivel", _("Reversível"), "boolean"),
    hidden("reversao_ref", _("Como reverter")),
    hidden("erro", _("Erro")),
    hidden("informado_em", _("Informado em"), "moment"),
)
BY_TIME = ("ocorrido_em", "id")


def trail(
    *,
    without: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    instead: tuple[Column, ...] = (),
) -> tuple[Column, ...]:
    """The whole row, with some columns off the page, others on it, and some shown in another way."""
    swapped = {column.name: column for column in instead}
    return tuple(
        swapped.get(column.name)
        or Column(
            column.name,
            column.label,
            column.kind,
            screen=(column.screen or column.name in also) and column.name not in without,
        )
        for column in TRAIL
    )
