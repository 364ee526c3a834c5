"""Who issued an agent's token, had it lately or gave it away decides nothing it asks for."""

from __future__ import annotations

import uuid

import pytest
from django.db import DatabaseError

from approvals import decisions
from approvals.deciders import delegation, eligibility
from approvals.deciders.access_errors import AgentOwnerError
from approvals.errors import NotEligibleError
from approvals.models import AgenteAprovacao, State
from opspilot.api import tokens
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, an_agent, body, give
from tests.conftest import Connection
from tests.db import lending
from tests.db.browsing import as_
from tests.db.deciding import approver, insert_verdict, nothing_happened, refuse

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant(committed: None) -> Tenant:
    found = factories.a_tenant()
    factories.a_policy(found)
    return found


@pytest.fixture
def both(tenant: Tenant) -> Principal:
    """An admin who decides too."""
    return factories.a_principal(tenant, Role.ADMIN, Role.APROVADOR)


@pytest.fixture
def other(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN, Role.APROVADOR)


def at_the_door(tenant: Tenant, *, by: Principal, owner: Principal | None = None) -> AtTheDoor:
    """An agent whose token `by` issued."""
    agent = an_agent(tenant, owner=owner)
    with tenant_scope(tenant.pk):
        issued = tokens.issue(
            principal=by, agent=agent, ref=uuid.uuid4(), scopes=["aprovacoes:propor"], days=30
        )
    return AtTheDoor(tenant, agent, issued.token, issued.text)


def rotated(door: AtTheDoor, by: Principal) -> AtTheDoor:
    with tenant_scope(door.tenant.pk):
        issued = tokens.rotate(principal=by, token=door.token, ref=uuid.uuid4())
    return AtTheDoor(door.tenant, door.agent, issued.token, issued.text)


def propose(door: AtTheDoor) -> AgenteAprovacao:
    answer = door.post("aprovacoes", body())
    assert answer.status == 201
    with tenant_scope(door.tenant.pk):
        return AgenteAprovacao.objects.get(ref=answer.data["ref"])


def test_who_issued_the_token_decides_nothing_it_asked_for(tenant: Tenant, both: Principal) -> None:
    proposal = propose(at_the_door(tenant, by=both))
    assert proposal.agente_barrados == [both.subject]
    with pytest.raises(AgentOwnerError):
        factories.approve(proposal, both)
    with pytest.raises(AgentOwnerError):
        refuse(proposal, both)
    assert nothing_happened(proposal)


def test_somebody_who_had_no_part_in_the_agent_decides(tenant: Tenant, both: Principal) -> None:
    proposal = propose(at_the_door(tenant, by=both))
    assert factories.approve(proposal, approver(tenant)).estado == State.APROVADA


def test_who_issued_another_token_of_the_agent_decides(
    tenant: Tenant, both: Principal, other: Principal
) -> None:
    door = at_the_door(tenant, by=both)
    with tenant_scope(tenant.pk):
        tokens.issue(
            principal=other, agent=door.agent, ref=uuid.uuid4(), scopes=["aprovacoes:ler"], days=30
        )
    assert factories.approve(propose(door), other).estado == State.APROVADA


def test_who_rotated_the_token_and_who_issued_the_one_before_decide_nothing(
    tenant: Tenant, both: Principal, other: Principal
) -> None:
    proposal = propose(rotated(at_the_door(tenant, by=both), other))
    assert set(proposal.agente_barrados) == {both.subject, other.subject}
    for person in (both, other):
        with pytest.raises(AgentOwnerError):
            factories.approve(proposal, person)


def test_an_owner_who_gives_the_agent_away_first_decides_nothing(
    tenant: Tenant, both: Principal, other: Principal
) -> None:
    door = at_the_door(tenant, by=other, owner=both)
    give(door.agent, to=factories.a_principal(tenant, Role.OPERADOR), by=both)
    with pytest.raises(AgentOwnerError):
        factories.approve(propose(door), both)


def test_neither_does_who_gave_it_away_for_the_owner(
    tenant: Tenant, both: Principal, other: Principal
) -> None:
    door = at_the_door(tenant, by=other)
    give(door.agent, to=factories.a_principal(tenant, Role.OPERADOR), by=both)
    with pytest.raises(AgentOwnerError):
        factories.approve(propose(door), both)


@pytest.mark.parametrize(("days", "is_barred"), [(29, True), (31, False)])
def test_a_change_of_owner_bars_for_thirty_days(
    tenant: Tenant, both: Principal, admin: Connection, days: int, is_barred: bool
) -> None:
    door = at_the_door(tenant, by=factories.a_principal(tenant, Role.ADMIN), owner=both)
    give(door.agent, to=factories.a_principal(tenant, Role.OPERADOR))
    admin.execute("ALTER TABLE agent_owner_change DISABLE TRIGGER append_only")
    admin.execute(
        "UPDATE agent_owner_change SET at = now() - %s * interval '1 day' WHERE tenant_id = %s",
        [days, tenant.pk],
    )
    admin.execute("ALTER TABLE agent_owner_change ENABLE TRIGGER append_only")
    assert (both.subject in propose(door).agente_barrados) == is_barred


def test_a_change_of_something_else_bars_nobody(tenant: Tenant, both: Principal) -> None:
    owner = factories.a_principal(tenant, Role.OPERADOR)
    door = at_the_door(tenant, by=factories.a_principal(tenant, Role.ADMIN), owner=owner)
    give(door.agent, to=owner, by=both)
    assert both.subject not in propose(door).agente_barrados


def test_the_database_itself_refuses_their_vote_and_their_lent_power(
    tenant: Tenant, both: Principal
) -> None:
    proposal, delegate = propose(at_the_door(tenant, by=both)), approver(tenant)
    with pytest.raises(DatabaseError, match="stands behind"):
        insert_verdict(proposal, subject=both.subject, verdict="aprovar")
    lending.lend(both, delegate)
    with pytest.raises(DatabaseError, match="stands behind"):
        insert_verdict(
            proposal,
            subject=delegate.subject,
            verdict="aprovar",
            on_behalf_of=both.subject,
            on_behalf_of_name=both.name,
        )
    assert nothing_happened(proposal)


def test_a_power_they_lent_decides_nothing_and_brings_it_into_no_queue(
    tenant: Tenant, both: Principal
) -> None:
    proposal = propose(at_the_door(tenant, by=both))
    delegate = factories.a_principal(tenant, Role.OPERADOR)
    lending.lend(both, delegate)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, delegate)
    with tenant_scope(tenant.pk):
        wanted = delegation.waiting_for(delegate, delegation.reach_of(delegate))
        assert not AgenteAprovacao.objects.filter(wanted).exists()


def test_the_page_tells_them_why_and_their_queue_leaves_it_out(
    tenant: Tenant, both: Principal
) -> None:
    proposal = propose(at_the_door(tenant, by=both))
    browser = as_(both)
    page = browser.read(f"/aprovacoes/{proposal.ref}/")
    assert "emitiu o token" in page
    assert "decidir=aprovar" not in page
    assert str(proposal.ref) not in browser.read("/aprovacoes/")
    assert str(proposal.ref) in as_(approver(tenant)).read("/aprovacoes/")


def test_they_do_not_count_as_people_who_could_decide(tenant: Tenant, both: Principal) -> None:
    proposal = propose(at_the_door(tenant, by=both))
    with tenant_scope(tenant.pk):
        assert eligibility.without_approver([proposal]) == {proposal.pk}
        assert eligibility.stuck() == [proposal.pk]
    approver(tenant)
    with tenant_scope(tenant.pk):
        assert eligibility.stuck() == []


def test_nobody_changes_who_is_barred(tenant: Tenant, both: Principal) -> None:
    proposal = propose(at_the_door(tenant, by=both))
    with tenant_scope(tenant.pk), pytest.raises(DatabaseError):
        AgenteAprovacao.objects.filter(pk=proposal.pk).update(agente_barrados=[])
    with tenant_scope(tenant.pk):
        kept = AgenteAprovacao.objects.get(pk=proposal.pk)
        assert decisions.standing(principal=both, proposal=kept) == "owner"
