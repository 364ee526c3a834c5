"""The words of `consultar_grounding`, as the platform's agents know them: what is asked, what comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from grounding.retrieval.consult import Grounded, Query
from grounding.retrieval.coverage import Level
from grounding.retrieval.filters import NONE, Filters

MAX_TOP_K = 20
MAX_SCOPES = 50
MAX_QUERY = 4_000  # characters


@dataclass(frozen=True, slots=True)
class Contexto:
    """`escopos_permitidos` are slugs that the agent asks for; None = all that are granted to it.

    What is consulted is what is granted, too: asking for more opens nothing.
    """

    agente_id: str
    escopos_permitidos: tuple[str, ...] | None = None
    top_k: int = 8
    filtros: Filters = NONE


@dataclass(frozen=True, slots=True)
class Trecho:
    """`score` orders this one answer; it is no probability, and two answers do not compare."""

    texto: str
    score: float
    fonte: str
    metadados: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Resultado:
    """`recibo` is where this same answer can be looked at later; `nao_concedidos` counts what was
    asked for and is not granted, without saying whether there is such a collection.

    `query` and `grounded` are for the answerer in this process: no door gives them away.
    """

    chunks: tuple[Trecho, ...]
    cobertura: Level
    indices_consultados: tuple[str, ...]
    recibo: UUID
    probabilidade: float
    motivos: tuple[str, ...]
    calibracao: str
    nao_concedidos: int
    query: Query | None
    grounded: Grounded
