"""Rows of the trail for reports, and the named queries as tests ask them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from audit import trail
from audit.models import Entity
from audit.reports import catalogue, parameters
from audit.reports.parameters import Bound
from audit.reports.shapes import NamedQuery, Row
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests.conftest import Connection

LIBRARY = "/trilha/consultas/"
COST, IRREVERSIBLE = f"{LIBRARY}custo-por-agente-e-dia/", f"{LIBRARY}acoes-irreversiveis/"
HISTORY, READINGS = f"{LIBRARY}historico-da-entidade/", f"{LIBRARY}quem-leu-o-que/"


def main_of(page: str) -> str:
    return page.partition("<main")[2]


AT = (
    "INSERT INTO agente_acao (tenant_id, ocorrido_em, correlacao_id, agente, agente_versao, modelo, "
    "instrucao_hash, acao, resultado, autorizacao) VALUES (%s, %s, %s, 'agente-x', 'a@1', "
    "'nenhum', 'x', %s, 'ok', 'regra') RETURNING id"
)


def an_entity(tenant: Tenant) -> Entity:
    with tenant_scope(tenant.pk):
        return Entity.objects.create(
            tenant_id=tenant.pk, type="cliente", title="CPF ***", document_hash=uuid.uuid4().hex
        )


def a_row(tenant: Tenant, **values: Any) -> int:
    row: dict[str, Any] = {
        "correlacao_id": uuid.uuid4(),
        "acao": "issue.criada",
        "resultado": Result.OK,
        "autorizacao": Authorization.HUMANA,
        "custo_exato": Decimal(0),
    }
    with tenant_scope(tenant.pk):
        return trail.record(trail.Entry(**row | values))


def a_row_at(admin: Connection, tenant: Tenant, at: dt.datetime, *, action: str) -> int:
    """A row of a chosen instant: only the server's superuser may give one."""
    found = admin.execute(AT, (tenant.pk, at, uuid.uuid4(), action)).fetchone()
    assert found is not None
    return int(found[0])


def asked(slug: str, **raw: str) -> tuple[NamedQuery, Bound]:
    """The query with its parameters read, inside the open scope."""
    found = catalogue.get(slug)
    return found, parameters.bind(found, raw, now=clock.now())


def ids(query: NamedQuery, rows: Sequence[Row]) -> list[int]:
    place = query.names.index("id")
    return [row[place] for row in rows]


def values_of(query: NamedQuery, row: Row) -> dict[str, Any]:
    return dict(zip(query.names, row, strict=True))
