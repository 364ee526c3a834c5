"""Lending one's vote on the page, and what it shows of a vote in somebody's name."""

from __future__ import annotations

import pytest

from approvals.models import Delegation
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import deciding, lending
from tests.db.browsing import as_
from tests.db.lending import DAY

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def giver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


@pytest.fixture
def delegate(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def test_the_page_shows_the_vote_with_both_names(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = factories.a_proposal(tenant)
    factories.approve(proposal, delegate)
    page = as_(giver).read(f"/aprovacoes/{proposal.ref}/")
    assert f"{delegate.name} aprovou por delegação de {giver.name}." in page


def test_who_decided_is_named_with_whom_they_decided_for(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    proposal = deciding.refuse(factories.a_proposal(tenant), delegate)
    assert proposal.decidida_por == (f"{delegate.signature}, no lugar de {giver.signature}")
    page = as_(giver).read(f"/aprovacoes/{proposal.ref}/")
    assert f"Motivo de {delegate.name}, no lugar de {giver.name}:" in page


def test_a_quorum_names_each_voter_first_and_then_whom_they_stood_for(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    other = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    factories.approve(proposal, delegate)
    done = factories.approve(proposal, other)
    assert done.decidida_por == (
        f"{delegate.signature}, no lugar de {giver.signature}, {other.signature}"
    )


def test_what_waits_for_the_giver_waits_for_the_delegate_too(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    waiting = factories.a_proposal(tenant)
    browser = as_(delegate)
    assert str(waiting.ref) not in browser.read("/aprovacoes/")
    lending.lend(giver, delegate)
    assert str(waiting.ref) in browser.read("/aprovacoes/")


def given(tenant: Tenant, giver: Principal, delegate: Principal, **changes: object) -> str:
    browser = as_(giver)
    data = {
        "para": delegate.subject,
        "papeis": ["aprovador"],
        "de": "",
        "ate": "2030-01-01T10:00",
        "motivo": lending.REASON,
    } | changes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("opspilot.acessos.delegations.ensure_recent", lambda _request: None)
        return browser.send("/conta/delegacoes/delegar/", **data)


def test_a_refused_form_names_the_field_and_keeps_what_was_typed(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    page = given(tenant, giver, delegate)
    assert "Uma delegação vale no máximo 30 dias." in page
    assert lending.REASON in page
    with tenant_scope(tenant.pk):
        assert not Delegation.objects.exists()


def test_the_page_gives_and_revokes(tenant: Tenant, giver: Principal, delegate: Principal) -> None:
    until = f"{clock.now() + 2 * DAY:%Y-%m-%dT%H:%M}"
    page = given(tenant, giver, delegate, ate=until)
    assert "Delegação gravada." in page
    assert delegate.name in page
    with tenant_scope(tenant.pk):
        row = Delegation.objects.get()
    assert "revogada" in as_(giver).send("/conta/delegacoes/revogar/", delegacao=row.ref)
    assert lending.roles_of(delegate) == {Role.OPERADOR}


def test_giving_waits_for_a_fresh_proof_of_who_gives(giver: Principal, delegate: Principal) -> None:
    browser = as_(giver)  # a session that never proved anything
    answer = browser.client.post("/conta/delegacoes/delegar/", {"para": delegate.subject})
    assert answer["Location"].startswith("/conta/confirmar/")


def test_who_decides_nothing_reads_why_there_is_nothing_to_lend(delegate: Principal) -> None:
    page = as_(delegate).read("/conta/delegacoes/")
    assert "Nenhum papel seu decide propostas" in page
    assert 'name="para"' not in page


def test_a_foreign_delegation_is_not_found(giver: Principal, delegate: Principal) -> None:
    row = lending.lend(giver, delegate)
    stranger = as_(factories.a_principal(factories.a_tenant(), Role.ADMIN))
    answer = stranger.client.post("/acessos/revogar/", {"delegacao": row.ref})
    assert answer.status_code == 404
    assert Role.APROVADOR in lending.roles_of(delegate)
