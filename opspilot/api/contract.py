"""What comes in and what goes out in version 1. Unknown fields are refused, never ignored (I7)."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
)

KIND = r"^[a-z_]{1,40}\.[a-z_]{1,39}$"
HASH = r"^([0-9a-f]{64})?$"
MAX_WAIT = 25  # seconds
PAGE = 50
MOST = 100
EARLIEST = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
AHEAD = dt.timedelta(days=1)  # an agent's clock may be wrong, its word is kept as such
_WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]")

Seconds = Annotated[int, Field(ge=0, le=MAX_WAIT)]
Limit = Annotated[int, Field(ge=1, le=MOST)]
Word = Annotated[str, Field(min_length=1, max_length=20, pattern=r"^[a-z_]+$")]
StateName = Literal["pendente", "aprovada", "recusada", "expirada", "cancelada", "devolvida"]


def _text(value: object) -> object:
    """A number is no time: whose clock would it count from?"""
    if not isinstance(value, str) or not _WRITTEN.match(value):
        raise ValueError("a time is written out, with its zone")
    return value


def _within_reach(value: dt.datetime) -> dt.datetime:
    """Neither before the agents were nor after now, by any clock and zone: a time at the edge of
    the calendar cannot be shown in another zone, and what was stored could never be read."""
    if not EARLIEST <= value <= dt.datetime.now(dt.UTC) + AHEAD:
        raise ValueError("not a time at which this can have happened")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_text), AfterValidator(_within_reach)]


def _in_the_calendar(value: dt.datetime) -> dt.datetime:
    """Which moment may be chosen is the policy's word; this one can be written in any zone."""
    if not EARLIEST <= value <= EARLIEST.replace(year=9000):
        raise ValueError("not a moment that can be chosen")
    return value


Start = Annotated[AwareDatetime, BeforeValidator(_text), AfterValidator(_in_the_calendar)]


class _In(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class ProposalIn(_In):
    """Uma ação completa, para uma pessoa decidir. `comando` tem os campos do tipo pedido."""

    acao: Annotated[str, Field(pattern=KIND, examples=["issue.criada"])]
    comando: Annotated[
        dict[str, Any],
        Field(
            max_length=50,
            description=(
                "issue.criada: alias, title, description, labels, assignees. tarefa.executada: "
                "template_id ou template, limit (um host ou a lista deles) e as variáveis que o "
                "template aceita. Outro tipo: os campos "
                "que a política da empresa registra para ele; dinheiro em centavos inteiros."
            ),
        ),
    ]
    justificativa: Annotated[
        str, Field(min_length=10, max_length=1000, description="Por que, para quem decide.")
    ]
    correlacao_id: Annotated[
        UUID | None,
        Field(
            description="A rodada. A mesma com o mesmo conteúdo devolve a primeira proposta; com "
            "outro conteúdo é conflito. Sem ela, uma nova é feita."
        ),
    ] = None
    modelo: Annotated[str, Field(max_length=120)] = ""
    instrucao_hash: Annotated[
        str, Field(pattern=HASH, description="SHA-256 da instrução do agente.")
    ] = ""
    anterior: Annotated[
        UUID | None, Field(description="A proposta própria, encerrada, que esta pede de novo.")
    ] = None
    recibo: Annotated[
        UUID | None,
        Field(
            description="O recibo de uma consulta própria das últimas 24 horas: os seus trechos viram "
            "a evidência, e a sua cobertura vale na política."
        ),
    ] = None
    executar_de: Annotated[
        Start | None,
        Field(
            description="Não executar antes deste momento, com o fuso escrito; futuro, e no máximo "
            "o que a política dá para decidir e executar."
        ),
    ] = None


class ConsumeIn(_In):
    """O agente diz o conteúdo que vai executar; só o aprovado é entregue."""

    acao_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class EffectIn(_In):
    """O que resultou, nas palavras do agente, uma vez."""

    resultado: Literal["ok", "recusado", "erro", "desconhecido"]
    referencia: Annotated[
        str, Field(max_length=200, description="Onde se acha, ou se desfaz, o que foi feito.")
    ] = ""
    detalhe: Annotated[str, Field(max_length=500)] = ""
    ocorrido_em: Moment | None = None


class PolicyTestIn(_In):
    """Uma ação, para saber o que a política faria dela. Nada é criado."""

    acao: Annotated[str, Field(pattern=KIND)]
    comando: Annotated[dict[str, Any], Field(max_length=50)]
    cobertura: Literal["alta", "media", "baixa", "nenhuma"] | None = None


class ExecutionOut(BaseModel):
    estado: str
    motivo: str
    endereco: str | None
    atualizada_em: dt.datetime


class EffectOut(BaseModel):
    """O que o agente disse que resultou."""

    resultado: str
    referencia: str
    detalhe: str
    informado_em: dt.datetime | None
    recebido_em: dt.datetime


class ConsumptionOut(BaseModel):
    """O único uso da aprovação: tomada pelo agente que pediu, ou retirada por quem aprovou."""

    tipo: str
    em: dt.datetime
    efeito: EffectOut | None


class ProposalLine(BaseModel):
    """Uma proposta em uma lista. `situacao` é a palavra mais adiantada: a do efeito, quando há."""

    ref: UUID
    endereco: str
    acao: str
    correlacao_id: UUID
    situacao: str
    estado: str
    risco: str
    criada_em: dt.datetime
    expira_em: dt.datetime
    executar_ate: dt.datetime
    decidida_em: dt.datetime | None
    motivo: str | None
    acao_hash: str
    politica_versao: int


class ProposalOut(ProposalLine):
    """Uma proposta inteira: `proposta` é a ação congelada, da qual `acao_hash` é o SHA-256."""

    proposta: dict[str, Any]
    aprovacoes_exigidas: int
    papel_exigido: str
    modelo: str
    instrucao_hash: str
    execucao: ExecutionOut | None
    consumo: ConsumptionOut | None


class ProposalPage(BaseModel):
    itens: list[ProposalLine]
    proximo: str | None


class TakenOut(BaseModel):
    """A ação congelada, entregue uma vez a quem a pediu: exatamente esta, até este momento."""

    ref: UUID
    proposta: dict[str, Any]
    acao_hash: str
    executar_ate: dt.datetime
    consumida_em: dt.datetime


class RuleOut(BaseModel):
    regra: str
    permite: bool
    codigo: str
    motivo: str


class OutcomeOut(BaseModel):
    risco: str
    aprovacoes: int
    papel: str


class PolicyAnswerOut(BaseModel):
    """A resposta de cada regra, também das que vêm depois da primeira recusa."""

    acao: str
    politica_versao: int
    permitida: bool
    codigos: list[str]
    regras: list[RuleOut]
    resultado: OutcomeOut | None
    espera_segundos: int | None
    expira_minutos: int | None
    executar_minutos: int | None


class FieldFault(BaseModel):
    campo: str
    motivo: str


class Problem(BaseModel):
    """RFC 9457. `codigo` é estável; `pedido` é o X-Request-ID, para quem atende."""

    type: str
    title: str
    status: int
    detail: str
    codigo: str
    pedido: str
    campos: list[FieldFault] = []
