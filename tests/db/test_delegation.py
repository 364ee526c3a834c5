"""Deciding in somebody's name while they are away: bounds, end, and one power for one vote."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError

from approvals.deciders import delegating, delegation
from approvals.deciders.access_errors import (
    AgentOwnerError,
    DelegationEndedError,
    NotLenderError,
    PowerUsedError,
)
from approvals.errors import NotEligibleError, SelfApprovalError
from approvals.models import AgenteAprovacao, Decision, Delegation, State
from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import lending
from tests.db.browsing import as_
from tests.db.deciding import insert_verdict, nothing_happened
from tests.db.races import at_once

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def giver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


@pytest.fixture
def delegate(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def two_votes(tenant: Tenant, **values: Any) -> AgenteAprovacao:
    return factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=(), **values)


@pytest.mark.django_db
def test_a_delegate_has_the_lent_role_beside_their_own(
    giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    assert lending.roles_of(delegate) == {Role.OPERADOR, Role.APROVADOR}


@pytest.mark.django_db
def test_a_delegate_decides_and_the_decision_says_in_whose_name(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = factories.approve(factories.a_proposal(tenant), delegate)
    with tenant_scope(tenant.pk):
        decision = Decision.objects.get(approval=proposal)
        row = AgenteAcao.objects.get(acao="aprovacao.concedida")
    assert (decision.subject, decision.on_behalf_of) == (delegate.subject, giver.subject)
    assert decision.on_behalf_of_name == giver.name
    assert row.aprovado_por == f"{delegate.signature} por delegação de {giver.signature}"
    assert proposal.estado == State.APROVADA


@pytest.mark.parametrize("choice", ["aprovar", "recusar", "devolver"])
def test_before_voting_a_delegate_reads_in_whose_name_it_is(
    committed: None, tenant: Tenant, giver: Principal, delegate: Principal, choice: str
) -> None:
    lending.lend(giver, delegate)
    page = f"/aprovacoes/{factories.a_proposal(tenant).ref}/?decidir={choice}"
    words = f"este é o voto de {giver.name}"
    assert words in as_(delegate).read(page)
    assert words not in as_(giver).read(page)


@pytest.mark.django_db
def test_a_role_of_one_s_own_is_used_before_a_lent_one(tenant: Tenant, giver: Principal) -> None:
    other = factories.a_principal(tenant, Role.APROVADOR)
    lending.lend(giver, other)
    proposal = factories.approve(factories.a_proposal(tenant), other)
    with tenant_scope(tenant.pk):
        assert Decision.objects.get(approval=proposal).on_behalf_of == ""


@pytest.mark.django_db
def test_before_it_starts_nothing_is_lent(giver: Principal, delegate: Principal) -> None:
    lending.lend(giver, delegate, starts=HOUR)
    assert lending.roles_of(delegate) == {Role.OPERADOR}


def test_after_its_end_nothing_is_lent_any_more(
    committed: None, admin: Connection, tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    proposal = factories.a_proposal(tenant)
    row = lending.lend(giver, delegate)
    lending.let_it_end(admin, row)
    assert lending.roles_of(delegate) == {Role.OPERADOR}
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, delegate)


@pytest.mark.django_db
@pytest.mark.parametrize("role", [None, Role.ADMIN])
def test_a_revoked_delegation_lends_nothing(
    tenant: Tenant, giver: Principal, delegate: Principal, role: Role | None
) -> None:
    """By who gave it, and by an admin."""
    row = lending.lend(giver, delegate)
    by = giver if role is None else factories.a_principal(tenant, role)
    lending.revoke(row, by)
    assert lending.roles_of(delegate) == {Role.OPERADOR}
    with tenant_scope(tenant.pk):
        assert Delegation.objects.get().revoked_by == by.signature
        assert AgenteAcao.objects.filter(acao="delegacao.revogada").count() == 1
    with pytest.raises(DelegationEndedError):
        lending.revoke(row, by)


@pytest.mark.django_db
def test_nobody_else_revokes_it(tenant: Tenant, giver: Principal, delegate: Principal) -> None:
    row = lending.lend(giver, delegate)
    for other in (delegate, factories.a_principal(tenant, Role.APROVADOR)):
        with pytest.raises(NotLenderError):
            lending.revoke(row, other)
    assert Role.APROVADOR in lending.roles_of(delegate)


@pytest.mark.django_db
def test_what_was_decided_under_it_stands_after_the_revocation(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    row = lending.lend(giver, delegate)
    proposal = factories.approve(factories.a_proposal(tenant), delegate)
    lending.revoke(row, giver)
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.APROVADA


@pytest.mark.django_db
def test_it_lends_nothing_its_giver_has_lost(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    lending.set_roles(tenant, giver, Role.OPERADOR)
    assert lending.roles_of(delegate) == {Role.OPERADOR}


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["giver", "delegate"])
def test_it_ends_when_one_of_the_two_is_deactivated(
    tenant: Tenant, giver: Principal, delegate: Principal, who: str
) -> None:
    lending.lend(giver, delegate)
    proposal = factories.a_proposal(tenant)
    lending.deactivate(giver if who == "giver" else delegate)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, delegate)
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_the_requester_decides_nothing_with_a_lent_role(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = factories.a_proposal(tenant, by=delegate)
    with pytest.raises(SelfApprovalError):
        factories.approve(proposal, delegate)
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_lent_power_does_not_decide_what_its_giver_asked_for(
    tenant: Tenant, delegate: Principal
) -> None:
    asking = factories.a_principal(tenant, Role.APROVADOR, Role.OPERADOR)
    lending.lend(asking, delegate)
    proposal = factories.a_proposal(tenant, by=asking)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, delegate)
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_lent_power_does_not_decide_what_its_giver_s_agent_asked_for(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = lending.agents_proposal(
        tenant, owner=giver, by=factories.a_principal(tenant, Role.OPERADOR)
    )
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, delegate)


@pytest.mark.django_db
def test_an_agent_s_owner_decides_nothing_with_a_lent_role(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = lending.agents_proposal(
        tenant, owner=delegate, by=factories.a_principal(tenant, Role.OPERADOR)
    )
    with pytest.raises(AgentOwnerError):
        factories.approve(proposal, delegate)


@pytest.mark.django_db
@pytest.mark.parametrize("first", ["giver", "delegate"])
def test_a_power_is_one_vote_of_a_quorum_whoever_of_the_two_uses_it(
    tenant: Tenant, giver: Principal, delegate: Principal, first: str
) -> None:
    lending.lend(giver, delegate)
    proposal = two_votes(tenant)
    one, other = (giver, delegate) if first == "giver" else (delegate, giver)
    factories.approve(proposal, one)
    with pytest.raises(PowerUsedError):
        factories.approve(proposal, other)
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.PENDENTE


@pytest.mark.django_db
def test_two_delegates_of_one_person_are_one_vote(tenant: Tenant, giver: Principal) -> None:
    one, other = (factories.a_principal(tenant, Role.OPERADOR) for _ in range(2))
    lending.lend(giver, one)
    lending.lend(giver, other)
    proposal = two_votes(tenant)
    factories.approve(proposal, one)
    with pytest.raises(PowerUsedError):
        factories.approve(proposal, other)


@pytest.mark.django_db
def test_a_delegate_and_another_approver_are_two_votes(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = two_votes(tenant)
    factories.approve(proposal, delegate)
    done = factories.approve(proposal, factories.a_principal(tenant, Role.APROVADOR))
    assert done.estado == State.APROVADA


def test_giver_and_delegate_at_the_same_instant_are_one_vote(
    committed: None, tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    for proposal in [two_votes(tenant) for _ in range(4)]:
        outcomes = at_once([
            partial(factories.approve, proposal, giver),
            partial(factories.approve, proposal, delegate),
        ])  # fmt: skip
        assert sum(isinstance(o, PowerUsedError) for o in outcomes) == 1, outcomes
        with tenant_scope(tenant.pk):
            assert Decision.objects.filter(approval=proposal).count() == 1


def test_the_database_itself_refuses_a_vote_nobody_lent(
    committed: None, tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    proposal = factories.a_proposal(tenant)
    with pytest.raises(DatabaseError, match="no delegation"):
        insert_verdict(
            proposal, subject=delegate.subject, verdict="aprovar", on_behalf_of=giver.subject
        )
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_delegation_of_one_company_lends_nothing_in_another(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    elsewhere = factories.a_tenant()
    with tenant_scope(elsewhere.pk):
        assert not Delegation.objects.exists()
        assert delegating.everybodys() == []
        assert delegation.effective_roles(delegate) == {Role.OPERADOR}
