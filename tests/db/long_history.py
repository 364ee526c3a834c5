"""One entity with a long history, for tests of what a page of it reads: filled by the superuser, past
the triggers, over months that are past; taken away again afterwards."""

from __future__ import annotations

import datetime as dt
import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.story import queries
from audit.story.queries import Place
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection

MONTHS, PAGE = 12, 51
FILL = """
INSERT INTO agente_acao (tenant_id, ocorrido_em, correlacao_id, agente, agente_versao, modelo,
  instrucao_hash, acao, entidade_tipo, entidade_id, resultado, autorizacao)
SELECT %(tenant)s, %(first)s + (%(last)s - %(first)s) * (n::float / %(rows)s), gen_random_uuid(),
  'a', 'a', 'nenhum', 'x', 'issue.criada', 'cliente',
  CASE WHEN n %% 1000 < %(share)s THEN %(entity)s ELSE gen_random_uuid()::text END, 'ok', 'humana'
FROM generate_series(1, %(rows)s) n
"""


@dataclass(frozen=True, slots=True)
class Long:
    """An entity with a share of the trail's rows; `middle` is a place half way back."""

    tenant: Tenant
    entity: str
    middle: Place
    admin: Connection


@dataclass(frozen=True, slots=True)
class Touched:
    """What the statements of one page did: tables that were scanned, sorts, shared buffers."""

    tables: set[str]
    sorts: int
    buffers: int


@contextmanager
def a_long_history(admin: Connection, *, rows: int, share: int) -> Iterator[Long]:
    """So many rows, of which `share` in a thousand are the entity's."""
    tenant, entity, months = factories.a_tenant(), str(uuid.uuid4()), past_months()
    made = [month for month in months if is_new(admin, month)]
    values = {
        "tenant": tenant.pk,
        "entity": entity,
        "rows": rows,
        "share": share,
        "first": moment(months[-1]),
        "last": moment(months[0]) + dt.timedelta(days=20),
    }
    with admin.transaction():
        admin.execute("SET LOCAL session_replication_role = 'replica'")
        admin.execute(FILL, values)
    admin.execute("ANALYZE agente_acao")
    try:
        yield Long(tenant, entity, Place(moment(months[MONTHS // 2]), 0), admin)
    finally:
        for month in made:
            admin.execute(f"DROP TABLE agente_acao_{month:%Y_%m}")


def past_months() -> list[dt.date]:
    """The MONTHS before this one, newest first."""
    number = dt.datetime.now(dt.UTC).year * 12 + dt.datetime.now(dt.UTC).month - 1
    return [dt.date(n // 12, n % 12 + 1, 1) for n in range(number - 1, number - 1 - MONTHS, -1)]


def moment(day: dt.date) -> dt.datetime:
    return dt.datetime(day.year, day.month, day.day, tzinfo=dt.UTC)


def is_new(admin: Connection, month: dt.date) -> bool:
    row = admin.execute("SELECT create_trail_month(%s)", [month]).fetchone()
    return bool(row and row[0])


def touched(long: Long, before: Place | None = None) -> Touched:
    """Of the statements that a page sends, as the application sends them."""
    with tenant_scope(long.tenant.pk), CaptureQueriesContext(connection) as sent:
        lines = queries.entity_history(
            entity_type="cliente", entity_id=long.entity, before=before, limit=PAGE
        )
    assert len(lines) == PAGE
    statements = [query["sql"] for query in sent if "entidade_id = " in query["sql"]]
    with tenant_scope(long.tenant.pk), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
        plans = [explained(cursor, text) for text in statements]
    nodes = [node for plan in plans for node in walked(plan)]
    scanned = [node for node in nodes if "Relation Name" in node and node["Actual Loops"]]
    return Touched(
        tables={node["Relation Name"] for node in scanned if node["Actual Rows"]},
        sorts=sum(node["Node Type"] == "Sort" for node in nodes),
        buffers=sum(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] for plan in plans),
    )


def explained(cursor: Any, statement: str) -> dict[str, Any]:
    cursor.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + statement.replace("%", "%%"), [])
    found = cursor.fetchone()[0]
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]["Plan"]
    return plan


def walked(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from walked(child)


def timed(long: Long, before: Place | None = None) -> float:
    """Seconds of a page's rows alone."""
    with tenant_scope(long.tenant.pk):
        begun = time.perf_counter()
        queries.entity_history(
            entity_type="cliente", entity_id=long.entity, before=before, limit=PAGE
        )
        return time.perf_counter() - begun
