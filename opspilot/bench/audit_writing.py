"""What the trail's writer adds to the statement that it sends: one row, and many."""

from __future__ import annotations

import os
import statistics
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from decimal import Decimal
from functools import partial
from typing import Any

import psycopg

from audit import rows, trail
from audit.entities import CUSTOMER
from audit.trail import Entry
from audit.vocabulary import Authorization, Result
from opspilot.bench import audit_cast
from opspilot.bench.audit_superuser import Connection, superuser
from opspilot.tenancy.scope import tenant_scope

WARM, SINGLE = 30, 300  # rows written one by one, in each way
BATCH, BATCHES = 5_000, 5
_TENANT = "SELECT set_config('opspilot.tenant_id', %s, true)"
Way = Callable[[Any], Callable[[], None]]
_COPY = f"COPY agente_acao ({', '.join(rows.COLUMNS)}) FROM STDIN"


def entry(number: int) -> Entry:
    """As an effect is recorded: every text that a row may have, two sources, an exact cost."""
    return Entry(
        correlacao_id=uuid.uuid4(),
        acao="issue.criada",
        resultado=Result.OK,
        autorizacao=Authorization.HUMANA,
        agente="atendimento",
        agente_versao="atendimento@1.0.0",
        entidade_tipo=CUSTOMER,
        entidade_id=str(uuid.UUID(int=number)),
        aprovado_por="aprovador 1 (usuario:1)",
        politica_versao=1,
        fontes=[{"documento": "Fila parada", "versao": 3, "trecho": part} for part in range(2)],
        entrada_resumo=f"reiniciar o consumidor {number} e conferir a fila",
        saida_resumo=f"A fila voltou a andar; a hora foi registrada no pedido {number}.",
        custo_exato=Decimal("0.125"),
        duracao_ms=number % 2000,
        reversivel=True,
    )


def measure() -> dict[str, float]:
    """The two ways take turns. Of single rows the medians are compared; of the few batches the best,
    since whatever else the machine does only adds to them."""
    tenant_id = audit_cast.company()
    single = _singles(tenant_id)
    batch = _batches(tenant_id)
    return {
        "record_vs_raw_insert": single["record"] / single["raw"],
        "record_ms": single["record"] * 1000,
        "raw_insert_ms": single["raw"] * 1000,
        "batch_vs_copy": batch["batch"] / batch["copy"],
        "batch_rows_s": BATCH / batch["batch"],
        "copy_rows_s": BATCH / batch["copy"],
    }


def _singles(tenant_id: uuid.UUID) -> dict[str, float]:
    with closing(psycopg.connect(os.environ["DATABASE_URL"])) as bare:
        given = [entry(number) for number in range(WARM + SINGLE)]
        ways: dict[str, Way] = {
            "record": lambda one: partial(_record, tenant_id, one),
            "raw": lambda one: partial(_raw, bare, tenant_id, *_sent(tenant_id, one)),
        }
        took = _taken(ways, given, WARM)
        return {name: statistics.median(values) for name, values in took.items()}


def _batches(tenant_id: uuid.UUID) -> dict[str, float]:
    with superuser() as admin:
        parts = [[entry(number) for number in range(BATCH)] for _ in range(BATCHES + 1)]
        ways: dict[str, Way] = {
            "batch": lambda part: partial(_record_many, tenant_id, part),
            "copy": lambda part: partial(
                _copy, admin, [tuple(_sent(tenant_id, one)[1].values()) for one in part]
            ),
        }
        return {name: min(values) for name, values in _taken(ways, parts, 1).items()}


def _taken(ways: dict[str, Way], given: Sequence[Any], warm: int) -> dict[str, list[float]]:
    """Seconds of each way; what a way has ready before it begins is not counted."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    for one in given:
        for name, way in ways.items():
            run = way(one)
            started = time.perf_counter()
            run()
            took[name].append(time.perf_counter() - started)
    return {name: values[warm:] for name, values in took.items()}


def _sent(tenant_id: uuid.UUID, one: Entry) -> tuple[str, dict[str, Any]]:
    """The statement that `record` would send, with its values as they will stand."""
    with tenant_scope(tenant_id):
        sql, values = trail.statement(one)
    return sql, {name: values[name] for name in rows.COLUMNS}


def _record(tenant_id: uuid.UUID, one: Entry) -> None:
    with tenant_scope(tenant_id):
        trail.record(one)


def _raw(bare: Connection, tenant_id: uuid.UUID, sql: str, values: dict[str, Any]) -> None:
    bare.execute(_TENANT, [str(tenant_id)])
    bare.execute(sql.encode(), values).fetchone()
    bare.commit()


def _record_many(tenant_id: uuid.UUID, part: list[Entry]) -> None:
    with tenant_scope(tenant_id):
        trail.record_many(part)


def _copy(admin: Connection, lines: list[tuple[Any, ...]]) -> None:
    with admin.cursor() as cursor, cursor.copy(_COPY.encode()) as copy:
        for line in lines:
            copy.write_row(line)
