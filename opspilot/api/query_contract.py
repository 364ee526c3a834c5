"""What the named queries of the trail give by the API: their list, and one page of one answer."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

from pydantic import BaseModel, Field

ROWS = 100
MOST_ROWS = 500  # of one page

RowLimit = Annotated[int, Field(ge=1, le=MOST_ROWS)]
Cursor = Annotated[str, Field(max_length=2000)]
FIELDS: dict[str, Any] = {
    "in": "query",
    "name": "campos",
    "required": False,
    "style": "form",
    "explode": True,
    "description": "Cada campo da consulta como um parâmetro com o seu nome: `?periodo=7d&agente=…`.",
    "schema": {"type": "object", "additionalProperties": {"type": "string"}},
}


class FieldOut(BaseModel):
    """Um campo da consulta. `valores` diz quais palavras ele aceita, quando são poucas."""

    nome: str
    rotulo: str
    obrigatorio: bool
    padrao: str | None
    valores: list[str] | None


class ColumnOut(BaseModel):
    nome: str
    rotulo: str
    tipo: str


class QueryOut(BaseModel):
    slug: str
    versao: int
    pergunta: str
    sobre: str
    endereco: str
    campos: list[FieldOut]
    colunas: list[ColumnOut]


class QueriesOut(BaseModel):
    itens: list[QueryOut]


class CoverageOut(BaseModel):
    """Do que a resposta fala. `completa`: as linhas desta página são todas."""

    desde: dt.datetime | None
    ate: dt.datetime
    completa: bool
    comeca_depois: Annotated[
        bool, Field(description="A trilha começa depois do que foi pedido: antes, ninguém sabe.")
    ]


class AnswerOut(BaseModel):
    """Uma página da resposta. `parametros` tem o momento em que foi feita (`fim`, quando há período):
    com eles a mesma resposta sai de novo."""

    consulta: str
    versao: int
    parametros: dict[str, str]
    zona: str
    colunas: list[str]
    linhas: list[dict[str, Any]]
    cobertura: CoverageOut
    proximo: str | None
