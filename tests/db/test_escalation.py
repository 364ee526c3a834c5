"""A decision that waits too long, or that nobody can make, is given to one more role."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection

from approvals import rules
from approvals.deciders import delegation, escalation
from approvals.errors import NotEligibleError
from approvals.models import AgenteAprovacao, Escalation, EscalationReason, State
from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import deciding, noticing

pytestmark = pytest.mark.usefixtures("committed")
RULE = {"depois_de_percentual": 50, "para_papel": "admin"}


def a_company() -> Tenant:
    """With somebody who can decide: else a proposal is given on when it is made."""
    tenant = factories.a_tenant()
    factories.a_person(tenant, Role.APROVADOR)
    factories.a_policy(tenant, escalonamento=RULE)
    return tenant


def escalations(proposal: AgenteAprovacao) -> list[Escalation]:
    with tenant_scope(proposal.tenant_id):
        return escalation.of(proposal=proposal)


def roles(proposal: AgenteAprovacao) -> frozenset[str]:
    with tenant_scope(proposal.tenant_id):
        return escalation.deciding_roles(proposal)


def test_after_its_share_of_the_time_another_role_may_decide_too(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.51)
    noticing.escalate(tenant)
    (row,) = escalations(proposal)
    assert (row.from_role, row.to_role, row.reason) == ("aprovador", "admin", "prazo")
    assert roles(proposal) == {"aprovador", "admin"}


def test_before_its_share_of_the_time_nothing_is_given_on(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.49)
    assert noticing.due("escalation", tenant) == []
    escalation.escalate_due(tenant_id=tenant.pk, approval_id=proposal.pk)
    assert escalations(proposal) == []


def test_the_role_it_was_given_to_decides_and_not_before(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    by = factories.a_principal(tenant, Role.ADMIN)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, by)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    assert factories.approve(proposal, by).estado == State.APROVADA


def test_the_role_it_was_made_for_stays_able_to_decide(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    approved = factories.approve(proposal, deciding.approver(tenant))
    assert approved.papel_exigido == "aprovador"
    assert approved.estado == State.APROVADA


def test_the_requester_does_not_decide_by_the_role_it_was_given_to(admin: Connection) -> None:
    tenant = a_company()
    requester = factories.a_principal(tenant, Role.OPERADOR, Role.ADMIN)
    proposal = factories.a_proposal(tenant, by=requester)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    with pytest.raises(Exception, match="propria_solicitacao"):
        factories.approve(proposal, requester)


def test_a_sweep_that_comes_twice_gives_it_on_once_and_says_so_once(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.together(tenant, noticing.escalate)
    assert len(escalations(proposal)) == 1
    assert noticing.due("escalation", tenant) == []
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="aprovacao.escalonada")
    assert (row.aprovacao_id, row.autorizacao) == (proposal.pk, "regra")
    assert row.saida_resumo == "aprovador → admin: prazo"


@pytest.mark.parametrize(
    "change",
    [{"escalonamento": None}, {"escalonamento": RULE | {"para_papel": "aprovador"}}],
    ids=["no rule", "the role it has already"],
)
def test_the_policy_in_force_says_whether_and_to_whom(
    admin: Connection, change: dict[str, Any]
) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.6)
    factories.a_policy(tenant, **change)
    assert noticing.due("escalation", tenant) == []
    escalation.escalate_due(tenant_id=tenant.pk, approval_id=proposal.pk)
    assert escalations(proposal) == []


def test_the_share_of_the_policy_in_force_counts(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.3)
    factories.a_policy(tenant, escalonamento=RULE | {"depois_de_percentual": 20})
    assert noticing.due("escalation", tenant) == [proposal.pk]


@pytest.mark.parametrize(
    "change",
    [{"escalonamento": None}, {"escalonamento": RULE | {"para_papel": "conformidade"}}],
    ids=["to nobody", "to another role"],
)
def test_a_policy_that_no_longer_names_the_role_takes_it_back(
    admin: Connection, change: dict[str, Any]
) -> None:
    tenant = a_company()
    proposal, by = factories.a_proposal(tenant), factories.a_principal(tenant, Role.ADMIN)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    factories.a_policy(tenant, **change)
    assert roles(proposal) == {"aprovador"}
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, by)
    with tenant_scope(tenant.pk):
        assert delegation.reach_of(by).given == ()


def test_a_policy_that_names_the_role_again_gives_it_back(admin: Connection) -> None:
    tenant = a_company()
    proposal, by = factories.a_proposal(tenant), factories.a_principal(tenant, Role.ADMIN)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    factories.a_policy(tenant, escalonamento=None)
    factories.a_policy(tenant, escalonamento=RULE)
    with tenant_scope(tenant.pk):
        assert delegation.reach_of(by).given == (("admin", proposal.pk),)
    assert factories.approve(proposal, by).estado == State.APROVADA


Act = Callable[[Tenant, AgenteAprovacao], object]


@pytest.mark.parametrize(
    "end",
    [
        lambda tenant, proposal: deciding.refuse(proposal, deciding.approver(tenant)),
        lambda tenant, proposal: factories.approve(proposal, deciding.approver(tenant)),
    ],
    ids=["refused", "approved"],
)
def test_what_is_decided_is_given_to_nobody(admin: Connection, end: Act) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    end(tenant, proposal)
    noticing.grow_old(admin, proposal, 0.6)
    assert noticing.due("escalation", tenant) == []
    escalation.escalate_due(tenant_id=tenant.pk, approval_id=proposal.pk)
    assert escalations(proposal) == []


def test_what_ran_out_of_time_is_given_to_nobody(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    deciding.set_deadline(admin, proposal, "-1 second")
    assert noticing.due("escalation", tenant) == []
    escalation.escalate_due(tenant_id=tenant.pk, approval_id=proposal.pk)
    assert escalations(proposal) == []


def test_an_escalation_is_never_changed_or_taken_back(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    for sql in ("DELETE FROM approval_escalation", "UPDATE approval_escalation SET to_role = 'x'"):
        with pytest.raises(DatabaseError), tenant_scope(tenant.pk), connection.cursor() as cursor:
            cursor.execute(sql)


def test_without_anybody_who_can_decide_it_is_given_on_at_once() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant, escalonamento=RULE)
    (row,) = escalations(factories.a_proposal(tenant))
    assert (row.to_role, row.reason) == ("admin", EscalationReason.SEM_ELEGIVEL)


def test_without_a_rule_it_waits_where_it_is() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk):
        assert escalation.route_on(proposal=proposal) is None
    assert roles(proposal) == {"aprovador"}


def test_a_policy_of_unknown_rules_gives_nothing_to_anybody(
    admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.6)

    def unreadable() -> rules.Policy:
        raise rules.UnreadablePolicyError

    monkeypatch.setattr(rules, "in_force", unreadable)
    noticing.escalate(tenant)
    assert escalations(proposal) == []


def test_the_queue_finds_what_a_role_was_given(admin: Connection) -> None:
    tenant = a_company()
    proposal = factories.a_proposal(tenant)
    noticing.grow_old(admin, proposal, 0.6)
    noticing.escalate(tenant)
    with tenant_scope(tenant.pk):
        assert list(escalation.given_to("admin")) == [proposal.pk]
        assert list(escalation.given_to("conformidade")) == []
