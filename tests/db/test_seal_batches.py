"""Many closed hours in one transaction: sealed as if each were alone, and never more than it takes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.models import TrailSeal
from audit.seal import keys, sealing
from audit.seal.verify import verify_tenant
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import months, sealed


@pytest.fixture
def tenant(committed: None, settings: Any, admin: Connection) -> Iterator[Tenant]:
    """Five rows in each of four hours."""
    settings.OPSPILOT_SEAL_KEY = sealed.a_pem()
    tenant = factories.a_tenant()
    sealed.write(admin, tenant, 1, 2, 5, 9)
    yield tenant
    months.forget(admin, sealed.month())


def turn(tenant: Tenant) -> list[TrailSeal]:
    with tenant_scope(tenant.pk):
        return sealing.seal_closed(until=sealed.at(24), ring=keys.ring())


def test_each_hour_with_rows_has_a_seal_of_its_own(tenant: Tenant) -> None:
    seals = turn(tenant)
    assert [(seal.number, seal.rows) for seal in seals] == [(1, 5), (2, 5), (3, 5), (4, 5)]
    assert [seal.until_at for seal in seals] == [sealed.at(hour) for hour in (2, 3, 6, 10)]
    assert seals[2].from_at == sealed.at(3)
    assert verify_tenant(tenant.pk).is_good


def test_a_transaction_ends_with_the_hour_that_reaches_its_number_of_rows(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealing, "MOST_ROWS", 6)
    assert [len(turn(tenant)) for _turn in range(3)] == [2, 2, 0]
    assert [seal.number for seal in sealed.seals(tenant)] == [1, 2, 3, 4]
    assert verify_tenant(tenant.pk).is_good


def test_more_hours_cost_no_more_statements(tenant: Tenant) -> None:
    with CaptureQueriesContext(connection) as sent:
        turn(tenant)
    assert len(sent) <= 10
