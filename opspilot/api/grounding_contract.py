"""What an agent asks the grounding, and what it is answered: the platform's own words for both."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, Field

from grounding.contract import MAX_QUERY, MAX_SCOPES, MAX_TOP_K
from opspilot.api.contract import _In

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _written(value: object) -> object:
    """A number is no day, and neither is a moment."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        raise ValueError("a day is written out: 2026-11-30")
    return value


Day = Annotated[dt.date, BeforeValidator(_written)]
Scope = Annotated[str, Field(max_length=60)]


class PeriodIn(_In):
    """Os dois dias contam."""

    de: Day | None = None
    ate: Day | None = None


class FiltersIn(_In):
    """Aplicados antes de ordenar e de cortar."""

    data: Annotated[PeriodIn | None, Field(description="Da última publicação do documento.")] = None
    tipo: Annotated[
        Literal["runbook", "politica", "procedimento", "contato", "outro"] | None,
        Field(description="Do documento."),
    ] = None
    dono: Annotated[
        str | None,
        Field(min_length=1, max_length=80, description="De quem é: usuario:N ou um papel."),
    ] = None


class ContextIn(_In):
    """Quem consulta. O que é consultado é o pedido que também está concedido ao agente."""

    agente_id: Annotated[
        str, Field(min_length=1, max_length=60, description="O nome curto do agente do token.")
    ]
    escopos_permitidos: Annotated[
        list[Scope] | None,
        Field(
            max_length=MAX_SCOPES,
            description="Coleções pedidas, pelo nome curto; ausente ou null = todas as concedidas.",
        ),
    ] = None
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K, strict=True)] = 8
    filtros: FiltersIn | None = None


class GroundingIn(_In):
    """Uma pergunta, ou um trecho para o qual se procura base."""

    query: Annotated[str, Field(min_length=1, max_length=MAX_QUERY)]
    contexto: ContextIn


class ChunkOut(BaseModel):
    """Um trecho, palavra por palavra. `score` ordena esta resposta; não é probabilidade."""

    texto: str
    score: float
    fonte: str
    metadados: dict[str, Any]


class GroundingOut(BaseModel):
    """`nenhuma` não sustenta resposta nem proposta. `nao_concedidos` conta o que foi pedido e não está
    concedido, sem dizer se existe. `recibo` é o que uma pessoa abre em /conhecimento/consultas/."""

    chunks: list[ChunkOut]
    cobertura: Literal["alta", "media", "baixa", "nenhuma"]
    indices_consultados: list[str]
    recibo: UUID
    cobertura_probabilidade: float
    cobertura_motivos: list[str]
    calibracao: str
    nao_concedidos: int
