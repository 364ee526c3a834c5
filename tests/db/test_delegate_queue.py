"""*Para mim* holds what this person can still decide, and nothing that was voted on by the same
power, whoever of the two used it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection

from approvals.inbox import queue_rows, selectors
from approvals.inbox.queue_url import Queue
from approvals.models import AgenteAprovacao
from opspilot.bench import approvals_fill
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import an_agent
from tests.db import lending
from tests.db.browsing import as_
from tests.db.test_delegation import two_votes
from tests.db.test_long_queue import PROJECTS

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def giver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


@pytest.fixture
def delegate(tenant: Tenant, giver: Principal) -> Principal:
    delegate = factories.a_principal(tenant, Role.OPERADOR)
    lending.lend(giver, delegate)
    return delegate


def waits_for(person: Principal, proposal: AgenteAprovacao) -> bool:
    with tenant_scope(person.tenant_id):
        return queue_rows.Reader(person).rows(Queue()).filter(pk=proposal.pk).exists()


def test_what_the_lender_voted_on_does_not_wait_for_the_delegate(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    proposal = two_votes(tenant)
    assert waits_for(delegate, proposal)
    factories.approve(proposal, giver)
    assert not waits_for(delegate, proposal)


def test_what_the_delegate_voted_on_does_not_wait_for_the_lender(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    proposal = two_votes(tenant)
    factories.approve(proposal, delegate)
    assert not waits_for(giver, proposal)


def test_a_second_loan_still_brings_it(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    proposal = two_votes(tenant)
    lending.lend(factories.a_principal(tenant, Role.APROVADOR), delegate)
    factories.approve(proposal, giver)
    assert waits_for(delegate, proposal)


def test_a_role_of_one_s_own_still_brings_what_the_lender_voted_on(
    tenant: Tenant, giver: Principal
) -> None:
    proposal, other = two_votes(tenant), factories.a_principal(tenant, Role.APROVADOR)
    lending.lend(giver, other)
    factories.approve(proposal, giver)
    assert waits_for(other, proposal)


def test_the_delegate_s_page_and_number_leave_it_out(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    voted, left = two_votes(tenant), two_votes(tenant)
    factories.approve(voted, giver)
    page = as_(delegate).read("/aprovacoes/")
    assert str(left.ref) in page
    assert str(voted.ref) not in page
    with tenant_scope(tenant.pk):
        assert selectors.to_decide(principal=delegate) == 1


def test_who_took_the_agent_over_since_does_not_find_what_it_asked_for(tenant: Tenant) -> None:
    owner, heir = (factories.a_principal(tenant, Role.APROVADOR) for _ in range(2))
    proposal = lending.agents_proposal(
        tenant, owner=owner, by=factories.a_principal(tenant, Role.OPERADOR)
    )
    assert waits_for(heir, proposal)
    an_agent(tenant, owner=heir, slug="agente-1")
    assert not waits_for(heir, proposal)


def test_a_delegate_s_queue_reads_no_more_than_it_shows(tenant: Tenant, giver: Principal) -> None:
    """The votes of years stay unread: each row of the queue is asked by its own number."""
    delegate = factories.a_principal(tenant, Role.OPERADOR)
    factories.a_policy(tenant, projects=PROJECTS)
    lending.lend(giver, delegate)
    models = approvals_fill.models(tenant.pk)
    approvals_fill.fill(tenant_id=tenant.pk, models=models, waiting=2500, decided=1500)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE agente_aprovacao, approval_decision")
    with tenant_scope(tenant.pk):
        rows = queue_rows.Reader(delegate).ordered(Queue()).values("pk")[:50]
        sql, values = rows.query.sql_with_params()
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}", values)
            plan = json.loads(found) if isinstance(found := cursor.fetchone()[0], str) else found
    read = [node for node in nodes(plan[0]["Plan"]) if node.get("Relation Name")]
    assert read
    assert all("Seq Scan" not in node["Node Type"] for node in read), plan


def nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node] + [found for part in node.get("Plans", []) for found in nodes(part)]


def test_the_row_of_a_delegate_says_whose_vote_it_is(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    two_votes(tenant)
    assert f"voto de {giver.name}, por delegação" in as_(delegate).read("/aprovacoes/")
    assert "por delegação" not in as_(giver).read("/aprovacoes/")


def test_of_two_lenders_the_row_names_the_one_whose_vote_is_still_there(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    other = factories.a_principal(tenant, Role.APROVADOR)
    lending.lend(other, delegate)
    factories.approve(two_votes(tenant), giver)
    assert f"voto de {other.name}, por delegação" in as_(delegate).read("/aprovacoes/")
