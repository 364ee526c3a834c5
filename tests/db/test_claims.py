"""A worker takes only what it knows the rules of, and finds it by an index."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals import models as approvals
from approvals.models import Execution
from grounding import models as knowledge
from grounding.intake import ingest
from grounding.models import Upload
from opspilot.harness import loop
from opspilot.harness import models as runs
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import executing

pytestmark = pytest.mark.django_db

Row = Upload | Run | Execution
NEWEST: dict[type[Row], int] = {
    Upload: knowledge.SCHEMA_VERSION,
    Run: runs.SCHEMA_VERSION,
    Execution: approvals.SCHEMA_VERSION,
}
Made = tuple[Row, Callable[[int], object]]


def an_upload() -> Made:
    upload = factories.an_upload(factories.a_tenant(), factories.RUNBOOK.encode())
    return upload, ingest._claim


def a_question() -> Made:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant)
    return factories.a_run(tenant, by=by, state=RunState.QUEUED), loop._claim


def an_execution() -> Made:
    return factories.an_approved_execution().execution(), lambda pk: executing.take(execution_id=pk)


KINDS = pytest.mark.parametrize("made", [an_upload, a_question, an_execution])


@KINDS
def test_a_row_of_newer_rules_is_not_taken(made: Callable[[], Made]) -> None:
    row, take = made()
    with tenant_scope(row.tenant_id):
        rows = type(row).objects.filter(pk=row.pk)
        rows.update(versao_esquema=NEWEST[type(row)] + 1)
        assert take(row.pk) is None
        assert rows.filter(claim_token=None, attempts=0).exists()
        rows.update(versao_esquema=1)
        assert take(row.pk) is not None


@KINDS
def test_the_claiming_write_itself_asks_for_the_rules(made: Callable[[], Made]) -> None:
    row, take = made()
    with tenant_scope(row.tenant_id), CaptureQueriesContext(connection) as queries:
        take(row.pk)
    (claiming,) = [q["sql"] for q in queries if q["sql"].startswith("UPDATE")]
    assert f'"versao_esquema" <= {NEWEST[type(row)]}' in claiming


@pytest.mark.parametrize(
    ("table", "states"),
    [
        ("upload", {"uploaded", "extracted"}),
        ("run", {"queued", "running"}),
        ("execution", {"retida", "em_envio", "desconhecida"}),
    ],
)
def test_open_work_has_an_index_of_its_own(table: str, states: set[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_get_expr(indpred, indrelid) FROM pg_index "
            "WHERE indrelid = %s::regclass AND indpred IS NOT NULL",
            [table],
        )
        predicates = [row[0] for row in cursor.fetchall()]
    assert states in [set(re.findall(r"'(\w+)'", predicate)) for predicate in predicates]
