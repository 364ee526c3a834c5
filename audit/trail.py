"""The one writer of the trail. It writes in the caller's transaction: what happened and its row
stand or fall together."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import connection
from psycopg.types.json import Jsonb

from audit import rows
from audit.months.errors import trail_open
from audit.vocabulary import ACTIONS, Authorization, Result
from opspilot import request_id, telemetry
from opspilot.errors import OpsPilotError
from opspilot.tenancy.principal import AgentPrincipal, Principal
from opspilot.tenancy.scope import current_tenant_id

CONSOLE = "console"
CONSOLE_VERSION = "console@0.1.0"
NO_MODEL = "nenhum"


def rule_hash(rule: str) -> str:
    """The `instrucao_hash` of an act decided by code: SHA-256 of the rule's name and version."""
    return hashlib.sha256(rule.encode()).hexdigest()


CONSOLE_RULE = rule_hash(CONSOLE_VERSION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One row. Texts are masked and cut by `record`; times and hashes are the database's."""

    correlacao_id: uuid.UUID
    acao: str
    resultado: Result
    autorizacao: Authorization
    agente: str = CONSOLE
    agente_versao: str = CONSOLE_VERSION
    modelo: str = NO_MODEL
    modelo_pedido: str | None = None
    instrucao_hash: str = CONSOLE_RULE
    entidade_tipo: str | None = None
    entidade_id: str | None = None
    aprovado_por: str | None = None
    aprovacao_id: int | None = None
    politica_versao: int | None = None
    fontes: Sequence[dict[str, Any]] = field(default_factory=list)
    entrada_resumo: str | None = None
    saida_resumo: str | None = None
    tokens_entrada: int = 0
    tokens_saida: int = 0
    custo_exato: Decimal | None = Decimal(0)
    duracao_ms: int | None = None
    reversivel: bool = False
    reversao_ref: str | None = None
    erro: str | None = None
    informado_em: dt.datetime | None = None  # an external agent's own time of what it reports


def record(entry: Entry) -> int:
    """Write the row in the open transaction and return its id.

    Raises KeyError for an action that is not registered: the vocabulary is closed.
    """
    with trail_open(), connection.cursor() as cursor:
        cursor.execute(*statement(entry))
        return int(cursor.fetchone()[0])


def record_act(person: Principal, acao: str, **values: Any) -> int:
    """The row of what a person's role lets them do by themselves, and they did; `values` are further
    columns of its Entry. Without a `correlacao_id` it belongs to nothing else."""
    return record(
        Entry(
            acao=acao,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=person.signature,
            **{"correlacao_id": uuid.uuid4()} | values,
        )
    )


def record_many(entries: Iterable[Entry]) -> list[int]:
    """Write the rows in their order, `rows.MOST` in a statement, and return their ids in that order.

    All of them or none, in the open transaction. Raises as `record` does, before anything is written.
    """
    made = [_row(entry) for entry in entries]
    ids: list[int] = []
    with trail_open(), connection.cursor() as cursor:
        for start in range(0, len(made), rows.MOST):
            part = [rows.plain(values) for values, _masked in made[start : start + rows.MOST]]
            cursor.execute(rows.INSERT_MANY, [json.dumps(part, ensure_ascii=False)])
            ids += [int(id_) for (id_,) in cursor.fetchall()]
        counts = [masked for _values, masked in made]
        told = [(id_, *count) for id_, row in zip(ids, counts, strict=True) for count in row]
        if told:
            columns = [list(column) for column in zip(*told, strict=True)]
            cursor.execute(rows.COUNT_MANY, [current_tenant_id(), *columns])
    return ids


def statement(entry: Entry) -> tuple[str, dict[str, Any]]:
    """What `record` sends, for who sends it at once with what it tells of. Raises as it does."""
    values, masked = _row(entry)
    values["fontes"] = Jsonb(values["fontes"])
    if not masked:
        return rows.INSERT, values
    fields, kinds, counts = (list(part) for part in zip(*masked, strict=True))
    told = {"told_fields": fields, "told_kinds": kinds, "told_counts": counts}
    return rows.INSERT_COUNTED, values | told


def _row(entry: Entry) -> tuple[dict[str, Any], rows.Masked]:
    """The row's columns as they will stand, and what was masked in them."""
    ACTIONS[entry.acao]
    values = {name: getattr(entry, name) for name in Entry.__slots__}
    values |= {
        "tenant_id": current_tenant_id(),
        "fontes": list(entry.fontes),
        "custo_centavos": round(entry.custo_exato or 0),
        "uso_conhecido": entry.custo_exato is not None,
        "request_id": request_id.current() or None,
        "trace_id": telemetry.trace_id() or None,
    }
    return values, rows.guard(values)


def acting(principal: Principal | AgentPrincipal) -> str:
    """What stands as `agente`: an agent by its name; a person acts by the console."""
    return principal.slug if isinstance(principal, AgentPrincipal) else CONSOLE


def record_refusal(*, principal: Principal | AgentPrincipal, error: OpsPilotError) -> int:
    """The row of something an actor was not allowed to do; unknown and foreign ids look alike."""
    facts = error.facts
    return record(
        Entry(
            correlacao_id=facts.get("correlation_id") or uuid.uuid4(),
            acao=error.audit_action or "acao.recusada",
            resultado=Result.RECUSADO,
            autorizacao=Authorization.REGRA,
            agente=acting(principal),
            entidade_tipo=facts.get("entity_type"),
            entidade_id=facts.get("entity_id"),
            aprovacao_id=facts.get("approval_id"),
            entrada_resumo=principal.signature,
            saida_resumo=error.code,
        )
    )
