"""Lanes that look at the same moment do not wait for each other, and many events cost few questions."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from approvals.execution import claims
from opspilot.notices import telling
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import noticing
from tests.db.races import at_once
from tests.factories import Approved

pytestmark = pytest.mark.usefixtures("committed")


def is_due(approved: Approved) -> bool:
    with tenant_scope(approved.tenant.pk):
        return claims.due(execution_id=approved.execution_id) is not None


def test_what_another_lane_is_claiming_is_passed_by_and_not_waited_for() -> None:
    approved = factories.an_approved_execution()
    with tenant_scope(approved.tenant.pk):
        assert claims.due(execution_id=approved.execution_id) is not None
        assert at_once([lambda: is_due(approved)]) == [False]
    assert is_due(approved)


def decided(tenant: Tenant, count: int) -> list[int]:
    """Asked for by people of their own, and each of them hears of it."""
    approver = factories.a_principal(tenant, Role.APROVADOR)
    found = []
    for _ in range(count):
        asker = noticing.a_reachable(tenant, Role.OPERADOR)
        proposal = factories.a_proposal(tenant, by=noticing.principal(tenant, asker))
        factories.approve(proposal, approver)
        found.append(proposal.pk)
    return found


def test_what_is_told_together_reaches_each_of_them_once() -> None:
    tenant = factories.a_tenant()
    rows = decided(tenant, 3)
    for _ in range(2):
        telling.spread_all(tenant_id=tenant.pk, approval_ids=rows)
    told = [row.approval_id for row in noticing.notices(tenant) if row.kind == "decisao"]
    assert sorted(pk for pk in told if pk) == rows


def test_two_workers_that_tell_the_same_tell_it_once() -> None:
    tenant = factories.a_tenant()
    rows = decided(tenant, 3)

    def spread(numbers: list[int]) -> None:
        telling.spread_all(tenant_id=tenant.pk, approval_ids=numbers)

    assert at_once([lambda: spread(rows), lambda: spread(rows[::-1])]) == [None, None]
    assert len([row for row in noticing.notices(tenant) if row.kind == "decisao"]) == 3


def test_many_by_one_person_ask_as_little_as_one() -> None:
    tenant = factories.a_tenant()
    asker = noticing.principal(tenant, noticing.a_reachable(tenant, Role.OPERADOR))
    approver = factories.a_principal(tenant, Role.APROVADOR)
    made = [factories.a_proposal(tenant, by=asker) for _ in range(4)]
    for proposal in made:
        factories.approve(proposal, approver)
    rows = [proposal.pk for proposal in made]
    assert _statements(tenant, rows[:1]) == _statements(tenant, rows[1:])


def _statements(tenant: Tenant, rows: list[int]) -> int:
    with CaptureQueriesContext(connection) as queries:
        telling.spread_all(tenant_id=tenant.pk, approval_ids=rows)
    return len(queries)
