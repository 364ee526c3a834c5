"""What an agent says of an action of its own that already happened, and what it is answered."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from opspilot.api.contract import HASH, KIND, FieldFault, _In, _text

MOST_ROWS = 500  # of one call
OLDEST = dt.timedelta(days=30)
AHEAD = dt.timedelta(seconds=60)  # two clocks are never the same
MOST_TOKENS = 2_000_000_000
MOST_MS = 7 * 24 * 3_600_000
COST = r"^[0-9]{1,9}(\.[0-9]{1,6})?$"  # centavos


def _lately(value: dt.datetime) -> dt.datetime:
    now = dt.datetime.now(dt.UTC)
    if not now - OLDEST <= value <= now + AHEAD:
        raise ValueError("neither of the future nor older than thirty days")
    return value


Lately = Annotated[AwareDatetime, BeforeValidator(_text), AfterValidator(_lately)]
# A blank is not taken off a key: what is looked up, kept and said back must be what was sent.
Key = Annotated[str, StringConstraints(strip_whitespace=False, pattern=r"^[!-~]{1,200}$")]
_KEY: TypeAdapter[str] = TypeAdapter(Key)
Summary = Annotated[str, Field(max_length=500)]
Source = Annotated[
    dict[
        Annotated[str, Field(min_length=1, max_length=40)],
        Annotated[str, Field(max_length=200)] | int | None,
    ],
    Field(max_length=8),
]
Count = Annotated[int, Field(ge=0, le=MOST_TOKENS)]


class EntityIn(_In):
    """Sobre quem é: pelo id interno, ou pelo documento, que é resolvido e não fica gravado."""

    tipo: Annotated[str, Field(pattern=r"^[a-z_]{1,20}$")] = "cliente"
    id: UUID | None = None
    documento: Annotated[str, Field(min_length=11, max_length=32)] | None = None


class ActionIn(_In):
    """Uma ação que o agente já fez, ou deixou de fazer. Segredos e documentos em qualquer texto são
    mascarados e contados."""

    chave: Annotated[
        Key, Field(description="Da linha: a mesma com o mesmo conteúdo é gravada uma vez, sempre.")
    ]
    acao: Annotated[str, Field(pattern=KIND, examples=["repasse.humano"])]
    correlacao_id: UUID
    resultado: Literal["ok", "recusado", "erro", "desconhecido"]
    autorizacao: Annotated[
        Literal["regra", "previa", "humana"],
        Field(description="humana e previa pedem aprovacao e acao_hash, que são consumidas aqui."),
    ]
    aprovacao: UUID | None = None
    acao_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    entidade: EntityIn | None = None
    custo_exato: Annotated[
        Annotated[str, Field(pattern=COST)] | None,
        Field(description="Em centavos, decimal em texto; null ou ausente = desconhecido."),
    ] = None
    tokens_entrada: Count = 0
    tokens_saida: Count = 0
    modelo: Annotated[str, Field(max_length=120)] = ""
    agente_versao: Annotated[str, Field(max_length=60)] = ""
    instrucao_hash: Annotated[str, Field(pattern=HASH)] = ""
    informado_em: Annotated[
        Lately | None, Field(description="O relógio do agente, guardado à parte do nosso.")
    ] = None
    fontes: Annotated[list[Source], Field(max_length=20)] = []
    entrada_resumo: Summary | None = None
    saida_resumo: Summary | None = None
    erro: Summary | None = None
    duracao_ms: Annotated[int, Field(ge=0, le=MOST_MS)] | None = None
    reversivel: bool | None = None
    reversao_ref: Annotated[str, Field(max_length=200)] | None = None


class ActionOut(BaseModel):
    """A resposta de uma linha. `status` é o de um pedido só com ela."""

    chave: str | None
    status: int
    id: int | None = None
    codigo: str | None = None
    detalhe: str | None = None
    campos: list[FieldFault] = []


class ActionsOut(BaseModel):
    """A resposta de cada linha, na ordem em que vieram."""

    gravadas: int
    recusadas: int
    linhas: list[ActionOut]


def key_of(row: Any) -> str | None:
    """The row's key as `ActionIn` takes it, None for what it refuses."""
    try:
        return _KEY.validate_python(row["chave"])
    except (KeyError, TypeError, ValidationError):
        return None


_ROW = {"$ref": "#/components/schemas/ActionIn"}
_ROWS = {"type": "array", "items": _ROW, "minItems": 1, "maxItems": MOST_ROWS}
# Read row by row, each with an answer of its own, so the framework does not read it.
ACTIONS_BODY: dict[str, Any] = {
    "required": True,
    "content": {"application/json": {"schema": {"oneOf": [_ROW, _ROWS]}}},
}
