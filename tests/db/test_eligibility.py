"""A proposal nobody could decide says so when it is made, and goes on to whom the policy names."""

from __future__ import annotations

from typing import Any

import pytest

from approvals.deciders import eligibility, escalation
from approvals.models import AgenteAprovacao, Escalation, State
from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import lending
from tests.db.browsing import as_

TO_ADMIN = {"depois_de_percentual": 50, "para_papel": "admin"}


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


def approver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def two_votes(tenant: Tenant, **values: Any) -> AgenteAprovacao:
    return factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=(), **values)


def is_stuck(proposal: AgenteAprovacao) -> bool:
    """By both doors: of one proposal, and among all that wait."""
    with tenant_scope(proposal.tenant_id):
        alone = bool(eligibility.without_approver([proposal]))
        assert alone == (proposal.pk in eligibility.stuck())
    return alone


@pytest.mark.django_db
def test_one_vote_needs_one_other_person_with_the_role(tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    assert is_stuck(proposal)
    approver(tenant)
    assert not is_stuck(proposal)


@pytest.mark.django_db
def test_a_quorum_above_the_number_of_people_counts_as_nobody(tenant: Tenant) -> None:
    approver(tenant)
    proposal = two_votes(tenant)
    assert is_stuck(proposal)
    approver(tenant)
    assert not is_stuck(proposal)


@pytest.mark.django_db
def test_the_requester_is_no_approver_of_their_own_proposal(tenant: Tenant) -> None:
    both = factories.a_principal(tenant, Role.OPERADOR, Role.APROVADOR)
    assert is_stuck(factories.a_proposal(tenant, by=both))


@pytest.mark.django_db
def test_the_agent_s_owner_is_no_approver_of_what_it_proposed(tenant: Tenant) -> None:
    owner = approver(tenant)
    proposal = lending.agents_proposal(
        tenant, owner=owner, by=factories.a_principal(tenant, Role.OPERADOR)
    )
    assert is_stuck(proposal)
    approver(tenant)
    assert not is_stuck(proposal)


@pytest.mark.django_db
def test_a_deactivated_approver_is_nobody(tenant: Tenant) -> None:
    leaving = approver(tenant)
    proposal = factories.a_proposal(tenant)
    assert not is_stuck(proposal)
    lending.deactivate(leaving)
    assert is_stuck(proposal)


@pytest.mark.django_db
def test_a_delegate_adds_no_vote_to_a_power_that_has_one(tenant: Tenant) -> None:
    giver = approver(tenant)
    lending.lend(giver, factories.a_principal(tenant, Role.OPERADOR))
    assert is_stuck(two_votes(tenant))


@pytest.mark.django_db
def test_an_approver_of_another_company_is_nobody_here(tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    approver(factories.a_tenant())
    assert is_stuck(proposal)


@pytest.mark.django_db
def test_a_vote_that_was_given_still_counts_when_its_giver_has_left(tenant: Tenant) -> None:
    first, second = approver(tenant), approver(tenant)
    proposal = two_votes(tenant)
    factories.approve(proposal, first)
    lending.deactivate(first)
    assert not is_stuck(proposal)
    lending.deactivate(second)
    assert is_stuck(proposal)


@pytest.mark.django_db
def test_it_goes_at_once_to_the_role_the_policy_names(tenant: Tenant) -> None:
    factories.a_policy(tenant, escalonamento=TO_ADMIN)
    admin = factories.a_principal(tenant, Role.ADMIN)
    proposal = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        assert escalation.deciding_roles(proposal) == {"aprovador", "admin"}
        assert Escalation.objects.get().reason == "sem_elegivel"
        assert AgenteAcao.objects.filter(acao="aprovacao.escalonada").count() == 1
    assert not is_stuck(proposal)
    assert factories.approve(proposal, admin).estado == State.APROVADA


@pytest.mark.django_db
def test_with_an_eligible_approver_it_goes_nowhere(tenant: Tenant) -> None:
    factories.a_policy(tenant, escalonamento=TO_ADMIN)
    approver(tenant)
    factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        assert not Escalation.objects.exists()


@pytest.mark.django_db
def test_where_the_policy_names_nobody_it_waits(tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        assert not Escalation.objects.exists()
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.PENDENTE


@pytest.mark.django_db
def test_a_decided_proposal_is_never_said_to_lack_an_approver(tenant: Tenant) -> None:
    by = approver(tenant)
    proposal = factories.approve(factories.a_proposal(tenant), by)
    lending.deactivate(by)
    assert not is_stuck(proposal)


@pytest.mark.django_db
def test_the_check_of_a_list_asks_as_often_for_many_as_for_one(
    tenant: Tenant, django_assert_max_num_queries: Any
) -> None:
    proposals = [factories.a_proposal(tenant) for _ in range(4)]
    with tenant_scope(tenant.pk), django_assert_max_num_queries(3):
        assert len(eligibility.without_approver(proposals)) == 4


def test_the_page_says_so_and_what_happens_next(committed: None, tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    page = as_(factories.a_principal(tenant, Role.OPERADOR)).read(f"/aprovacoes/{proposal.ref}/")
    assert "Sem aprovador elegível." in page
    assert "Um admin pode dar o papel a mais alguém" in page
    approver(tenant)
    page = as_(factories.a_principal(tenant, Role.OPERADOR)).read(f"/aprovacoes/{proposal.ref}/")
    assert "Sem aprovador elegível." not in page


def test_the_list_marks_it(committed: None, tenant: Tenant) -> None:
    factories.a_proposal(tenant)
    page = as_(factories.a_principal(tenant, Role.OPERADOR)).read("/aprovacoes/?fila=todas")
    assert "sem aprovador elegível" in page


def test_an_admin_sees_all_of_them_among_the_accesses(committed: None, tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    browser = as_(factories.a_principal(tenant, Role.ADMIN))
    assert "1 proposta sem aprovador elegível" in browser.read("/")
    page = browser.read("/acessos/")
    assert "Propostas sem aprovador elegível" in page
    assert str(proposal.ref) in page
