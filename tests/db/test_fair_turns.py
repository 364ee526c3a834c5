"""A company's flood of due executions does not stand before another company's only one."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.db.models.functions import Now

from approvals.execution import claims
from approvals.models import Execution, ExecutionState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import executing

pytestmark = pytest.mark.usefixtures("committed")


def due_executions(tenant: Tenant, count: int) -> list[int]:
    by = factories.a_principal(tenant, Role.OPERADOR)
    approver = factories.a_principal(tenant, Role.APROVADOR)
    for _ in range(count):
        factories.approve(factories.a_proposal(tenant, by=by), approver)
    with tenant_scope(tenant.pk):
        Execution.objects.update(not_before=Now() - dt.timedelta(seconds=1))
        return list(Execution.objects.order_by("pk").values_list("pk", flat=True))


def due(*tenants: Tenant) -> list[tuple[Tenant, int]]:
    """What the worker is told, in its order; the rows of other tests left out."""
    known = {tenant.pk: tenant for tenant in tenants}
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM due_work('execution', 100000)")
        return [(known[owner], row) for owner, row in cursor.fetchall() if owner in known]


def take(tenant: Tenant, row: int) -> None:
    """As a worker that has begun with it, and is not through yet."""
    with tenant_scope(tenant.pk):
        assert executing.take(execution_id=row)


def order(*tenants: Tenant) -> list[Tenant]:
    """Whose turn it was, one row at a time, until nothing is due."""
    turns: list[Tenant] = []
    while found := due(*tenants):
        take(*found[0])
        turns.append(found[0][0])
    return turns


def test_a_company_alone_is_served_in_the_order_of_its_rows() -> None:
    tenant = factories.a_tenant()
    rows = due_executions(tenant, 4)
    assert [row for _tenant, row in due(tenant)] == rows


def test_a_later_company_comes_after_one_row_of_the_flood_at_most() -> None:
    flood, quiet = factories.a_tenant(), factories.a_tenant()
    rows = due_executions(flood, 5)
    take(flood, rows[0])
    due_executions(quiet, 1)
    assert order(flood, quiet)[0] == quiet


def test_two_floods_take_turns() -> None:
    first, second = factories.a_tenant(), factories.a_tenant()
    due_executions(first, 4)
    due_executions(second, 4)
    assert order(first, second) == [first, second] * 4


def test_three_floods_take_turns() -> None:
    companies = [factories.a_tenant() for _ in range(3)]
    for tenant in companies:
        due_executions(tenant, 3)
    assert order(*companies) == companies * 3


def test_a_row_that_nobody_can_take_hides_no_other_row_of_its_company() -> None:
    """One with rules of a newer release: it stays due, and stays first."""
    flood, quiet = factories.a_tenant(), factories.a_tenant()
    due_executions(flood, 3)
    stuck, sound = due_executions(quiet, 2)
    with tenant_scope(quiet.pk):
        Execution.objects.filter(pk=stuck).update(versao_esquema=32000)
    take(flood, due(flood)[0][1])
    assert due(flood, quiet)[:2] == [(quiet, stuck), (quiet, sound)]


def test_what_was_put_off_does_not_count_as_served() -> None:
    """Its remote could not be asked: the company keeps its turn."""
    flood, quiet = factories.a_tenant(), factories.a_tenant()
    due_executions(flood, 3)
    (row,) = due_executions(quiet, 1)
    take(flood, due(flood)[0][1])
    with tenant_scope(quiet.pk):
        claim = executing.take(execution_id=row)
        assert claim
        claims.release(claim, state=ExecutionState.RETIDA)
    assert due(flood, quiet)[0] == (quiet, row)
