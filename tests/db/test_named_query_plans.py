"""How the named queries are carried out: by the index each names, in the months it asks about."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from audit.models import AgenteAcao
from audit.reports import catalogue, running
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.querying import asked

pytestmark = pytest.mark.usefixtures("committed")

SLUGS = sorted(catalogue.NAMED)
# Six thousand rows over the four months that exist: 400 runs, 20 agents, 100 customers.
FILL = """
INSERT INTO agente_acao (tenant_id, ocorrido_em, correlacao_id, agente, agente_versao, modelo,
                         instrucao_hash, acao, resultado, autorizacao, entidade_tipo, entidade_id)
SELECT %(tenant)s::uuid, date_trunc('month', now()) + n * interval '25 minutes',
       md5(%(tenant)s::text || n %% 400)::uuid, 'agente-' || n %% 20, 'a@1', 'nenhum', 'x',
       CASE n %% 10 WHEN 0 THEN 'historico.lido' WHEN 1 THEN 'aprovacao.concedida'
                   ELSE 'tarefa.executada' END,
       'ok', 'regra', 'cliente', 'c-' || n %% 100
  FROM generate_series(1, 6000) n
"""


@pytest.fixture(scope="module")
def filled(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, admin: Connection
) -> Iterator[Tenant]:
    with django_db_blocker.unblock():
        tenant = factories.a_tenant()
        admin.execute(FILL, {"tenant": str(tenant.pk)})
        admin.execute("ANALYZE agente_acao")
        yield tenant
        with admin.transaction():
            admin.execute("SET LOCAL session_replication_role = 'replica'")
            admin.execute("DELETE FROM agente_acao WHERE tenant_id = %s", [str(tenant.pk)])


@pytest.fixture
def needed(filled: Tenant) -> dict[str, dict[str, str]]:
    with tenant_scope(filled.pk):
        run = str(AgenteAcao.objects.values_list("correlacao_id", flat=True)[0])
    return {
        "historico-da-entidade": {"entidade": "c-7"},
        "reconstrucao-da-rodada": {"correlacao": run},
        "alcance-do-incidente": {"correlacao": run},
    }


def plan(tenant: Tenant, slug: str, raw: dict[str, str]) -> list[dict[str, Any]]:
    with tenant_scope(tenant.pk), connection.cursor() as cursor:
        found, bound = asked(slug, **raw)
        text, values = running.statement(found, bound, limit=100)
        # A table of one month of a test is small enough to be read whole; a real one is not.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {text}", values)
        answer = cursor.fetchone()[0]
    return _nodes((json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"])


def _nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(one for child in node.get("Plans", ()) for one in _nodes(child))]


def parents_of(names: set[str]) -> set[str]:
    """The indexes of the trail that these indexes of months belong to."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid "
            "JOIN pg_class p ON p.oid = i.inhparent WHERE c.relname = ANY(%s)",
            [list(names)],
        )
        return {row[0] for row in cursor.fetchall()}


def a_day_in_the_middle() -> dict[str, str]:
    """One that lies in the same month whichever zone counts it."""
    day = dt.datetime.now(dt.UTC).date().replace(day=10).isoformat()
    return {"periodo": "intervalo", "de": day, "ate": day}


def indexes(nodes: list[dict[str, Any]]) -> set[str]:
    return {str(node["Index Name"]) for node in nodes if "Index Name" in node}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_query_reads_the_trail_by_the_index_it_names(
    slug: str, filled: Tenant, needed: dict[str, dict[str, str]]
) -> None:
    nodes = plan(filled, slug, needed.get(slug) or a_day_in_the_middle())
    assert catalogue.get(slug).index in parents_of(indexes(nodes))


def test_the_cost_of_one_agent_is_read_by_the_agents_index(filled: Tenant) -> None:
    asked_for = {**a_day_in_the_middle(), "agente": "agente-3"}
    nodes = plan(filled, "custo-por-agente-e-dia", asked_for)
    assert parents_of(indexes(nodes)) == {"agente_acao_agente"}


# Those with no period, and the one that looks for preparations, which may be of any month.
UNBOUNDED = {"reconstrucao-da-rodada", "alcance-do-incidente", "tempo-ate-decidir"}


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug not in UNBOUNDED])
def test_a_day_touches_only_its_month(
    slug: str, filled: Tenant, needed: dict[str, dict[str, str]]
) -> None:
    nodes = plan(filled, slug, {**needed.get(slug, {}), **a_day_in_the_middle()})
    tables = {str(node["Relation Name"]) for node in nodes if "Relation Name" in node}
    this = f"agente_acao_{dt.datetime.now(dt.UTC):%Y_%m}"
    assert {name for name in tables if name.startswith("agente_acao_")} == {this}
