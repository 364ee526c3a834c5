"""A row of the trail on its way in: its guarded fields, and the statements that write it."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

from audit.guard.kinds import Kind
from audit.masking import Told, mask, mask_json

COLUMNS = {
    "tenant_id": "uuid", "correlacao_id": "uuid", "acao": "text", "resultado": "text",
    "autorizacao": "text", "agente": "text", "agente_versao": "text", "modelo": "text",
    "modelo_pedido": "text", "instrucao_hash": "text", "entidade_tipo": "text",
    "entidade_id": "text", "aprovado_por": "text", "aprovacao_id": "bigint",
    "politica_versao": "integer", "fontes": "jsonb", "entrada_resumo": "text",
    "saida_resumo": "text", "tokens_entrada": "integer", "tokens_saida": "integer",
    "custo_exato": "numeric", "custo_centavos": "integer", "uso_conhecido": "boolean",
    "duracao_ms": "integer", "reversivel": "boolean", "reversao_ref": "text", "erro": "text",
    "request_id": "text", "trace_id": "text", "informado_em": "timestamptz",
}  # fmt: skip
# Every text that a caller may choose; of the others the database or the vocabulary has a list.
_GUARDED = (
    "entrada_resumo", "saida_resumo", "erro", "reversao_ref", "aprovado_por", "agente",
    "agente_versao", "modelo", "modelo_pedido", "instrucao_hash", "entidade_tipo", "entidade_id",
    "request_id", "trace_id",
)  # fmt: skip
Masked = list[tuple[str, Kind, int]]  # field, kind, how often
MOST = 2000  # rows of one statement

# All of these are put together from our own column names; no value stands in them.
_NAMES = ", ".join(COLUMNS)
_GIVEN = ", ".join(f"%({name})s" for name in COLUMNS)
INSERT = f"INSERT INTO agente_acao ({_NAMES}) VALUES ({_GIVEN}) RETURNING id"  # noqa: S608
INSERT_COUNTED = (
    f"WITH line AS ({INSERT}), counted AS ("  # noqa: S608
    "INSERT INTO masking_count (tenant_id, trail_row, field, kind, count) "
    "SELECT %(tenant_id)s, line.id, told.field, told.kind, told.count FROM line, "
    "unnest(%(told_fields)s::text[], %(told_kinds)s::text[], %(told_counts)s::smallint[]) "
    "AS told (field, kind, count)) SELECT id FROM line"
)
_SHAPE = ", ".join(f"{name} {type_}" for name, type_ in COLUMNS.items())
INSERT_MANY = (
    f"INSERT INTO agente_acao ({_NAMES}) SELECT {_NAMES} "  # noqa: S608
    f"FROM ROWS FROM (json_to_recordset(%s) AS ({_SHAPE})) "
    f"WITH ORDINALITY AS given ({_NAMES}, place) ORDER BY place RETURNING id"
)
COUNT_MANY = (
    "INSERT INTO masking_count (tenant_id, trail_row, field, kind, count) "
    "SELECT %s, told.* FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::smallint[]) AS told"
)


def guard(values: dict[str, Any]) -> Masked:
    """Mask the row's texts where they stand, and say what was masked."""
    masked: Masked = []
    told = Told()
    for name in _GUARDED:
        text = values[name]
        if text is not None:
            values[name] = mask(text, told)
            if told:
                masked += [(name, kind, count) for kind, count in told.items()]
                told.clear()
    if values["fontes"]:
        values["fontes"] = mask_json(values["fontes"], told)
        masked += [("fontes", kind, count) for kind, count in told.items()]
    return masked


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """The same row for JSON, without what is null: the database reads the rest as it stands."""
    return {
        name: str(value) if isinstance(value, _WRITTEN) else value
        for name, value in values.items()
        if value is not None
    }


_WRITTEN = (UUID, Decimal, dt.datetime)
