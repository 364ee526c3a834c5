"""What is composed once: it is asked of its own company and moment each time, and finds its page
without sorting all that waits."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection

from approvals.inbox import composed, queue, queue_rows
from approvals.inbox.queue_url import Queue
from opspilot.tenancy import selectors
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles
from tests import factories
from tests.db import lending
from tests.db.test_long_queue import PROJECTS, fill

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def reader(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def shown(reader: Principal) -> list[int]:
    with tenant_scope(reader.tenant_id):
        return [row.pk for row in queue.page(principal=reader, queue=Queue()).rows]


def test_the_second_look_composes_nothing(
    tenant: Tenant, reader: Principal, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = factories.a_proposal(tenant)
    assert shown(reader) == [first.pk]
    monkeypatch.delattr(composed, "of")
    assert shown(reader) == [first.pk]


def test_what_came_since_and_what_was_decided_is_seen_at_once(
    tenant: Tenant, reader: Principal
) -> None:
    first = factories.a_proposal(tenant)
    assert shown(reader) == [first.pk]
    second = factories.a_proposal(tenant)
    factories.approve(first, reader)
    assert shown(reader) == [second.pk]


def test_somebody_of_two_companies_sees_those_of_the_one_they_are_in(tenant: Tenant) -> None:
    there, person = factories.a_tenant(), factories.a_person(tenant, Role.APROVADOR)
    with tenant_scope(there.pk):
        grant_roles(tenant=there, user=person, roles=[Role.APROVADOR])
    own = [[factories.a_proposal(company).pk] for company in (tenant, there)]
    for _look in range(2):
        assert [shown(acting(person, company)) for company in (tenant, there)] == own


def acting(person: User, company: Tenant) -> Principal:
    with tenant_scope(company.pk):
        found = selectors.principal(person)
    assert found is not None
    return found


def test_a_person_whose_roles_decide_nothing_has_an_empty_queue(tenant: Tenant) -> None:
    factories.a_proposal(tenant)
    assert shown(factories.a_principal(tenant)) == []


@pytest.mark.parametrize("lent", [False, True])
def test_a_page_of_a_long_queue_sorts_nothing(
    tenant: Tenant, reader: Principal, lent: bool
) -> None:
    """What the database takes for rare it reads whole and sorts: half a second at 100,000."""
    factories.a_policy(tenant, projects=PROJECTS)
    if lent:
        lending.lend(factories.a_principal(tenant, Role.APROVADOR), reader)
    fill(tenant, 2500, 1500)
    with tenant_scope(tenant.pk), connection.cursor() as cursor:
        cursor.execute("ANALYZE agente_aprovacao, approval_decision")
        reach = queue_rows.Reader(reader).reach
        asked = queue._slice(reader, reach, Queue(), 0, queue.LIMIT + 1)
        cursor.execute(f"EXPLAIN (FORMAT JSON) {asked.text}", asked.values)
        plan = cursor.fetchone()[0]
    found = nodes((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
    assert not [node for node in found if "Sort" in node["Node Type"]], plan


def nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node] + [found for part in node.get("Plans", []) for found in nodes(part)]
