"""Who may decide at the moment of the press, whatever the page that was open still says."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError

from approvals import decisions
from approvals.deciders.access_errors import AgentOwnerError, StepUpRequiredError
from approvals.errors import AlreadyDecidedError, NotEligibleError
from approvals.models import AgenteAprovacao, Decision, State
from audit.models import AgenteAcao
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering, lending
from tests.db.browsing import as_
from tests.db.deciding import approver, insert_verdict, nothing_happened, refuse

MINUTE = dt.timedelta(minutes=1)


def a_high_risk() -> AgenteAprovacao:
    return in_hand(factories.a_tenant(), alias="nucleo", labels=(), assignees=())


def in_hand(tenant: Tenant, **values: Any) -> AgenteAprovacao:
    """A proposal whose company can be read outside a scope."""
    proposal = factories.a_proposal(tenant, **values)
    proposal.tenant = tenant
    return proposal


def approve_after(proposal: AgenteAprovacao, by: Principal, age: dt.timedelta | None) -> None:
    with tenant_scope(by.tenant_id):
        decisions.approve(
            proposal=AgenteAprovacao.objects.get(pk=proposal.pk),
            approver=by,
            seen_hash=proposal.acao_hash,
            authenticated_at=None if age is None else clock.now() - age,
        )


def page_of(proposal: AgenteAprovacao) -> str:
    return f"/aprovacoes/{proposal.ref}/"


@pytest.mark.django_db
def test_the_owner_of_the_agent_that_proposed_decides_nothing() -> None:
    tenant = factories.a_tenant()
    owner = approver(tenant)
    proposal = lending.agents_proposal(tenant, owner=owner, by=factories.a_principal(tenant))
    with pytest.raises(AgentOwnerError) as refusal:
        factories.approve(proposal, owner)
    with pytest.raises(AgentOwnerError):
        refuse(proposal, owner)
    assert refusal.value.code == "dono_do_agente"
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_another_approver_decides_what_the_agent_proposed() -> None:
    tenant = factories.a_tenant()
    proposal = lending.agents_proposal(
        tenant, owner=approver(tenant), by=factories.a_principal(tenant)
    )
    assert factories.approve(proposal, approver(tenant)).estado == State.APROVADA


def test_the_database_itself_refuses_the_vote_of_the_agent_s_owner(committed: None) -> None:
    tenant = factories.a_tenant()
    owner = approver(tenant)
    proposal = lending.agents_proposal(tenant, owner=owner, by=factories.a_principal(tenant))
    with pytest.raises(DatabaseError, match="owner of the agent"):
        insert_verdict(proposal, subject=owner.subject, verdict="aprovar")
    assert nothing_happened(proposal)


def test_the_page_tells_the_agent_s_owner_why_there_are_no_buttons(committed: None) -> None:
    tenant = factories.a_tenant()
    owner = approver(tenant)
    proposal = lending.agents_proposal(tenant, owner=owner, by=factories.a_principal(tenant))
    page = as_(owner).read(page_of(proposal))
    assert "Você é dono do agente que pediu esta ação" in page
    assert "decidir=aprovar" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["role", "deactivated", "left"])
def test_a_role_that_is_gone_since_the_page_opened_decides_nothing(change: str) -> None:
    tenant = factories.a_tenant()
    by = approver(tenant)  # as the request that opened the page knew them
    proposal = factories.a_proposal(tenant)
    match change:
        case "role":
            lending.set_roles(tenant, by, Role.OPERADOR)
        case "deactivated":
            lending.deactivate(by)
        case _:
            lending.send_away(tenant, by)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, by)
    assert nothing_happened(proposal)


def test_a_role_given_since_the_page_opened_decides(committed: None) -> None:
    tenant = factories.a_tenant()
    by = approver(tenant, Role.OPERADOR)
    proposal = factories.a_proposal(tenant)
    lending.set_roles(tenant, by, Role.APROVADOR)
    assert factories.approve(proposal, by).estado == State.APROVADA


def test_a_press_after_the_role_was_revoked_is_refused_in_the_browser(committed: None) -> None:
    tenant = factories.a_tenant()
    by = approver(tenant)
    proposal = factories.a_proposal(tenant)
    browser = as_(by)
    assert "decidir=aprovar" in browser.read(page_of(proposal))
    lending.set_roles(tenant, by, Role.OPERADOR)
    answer = browser.client.post(f"{page_of(proposal)}aprovar/", {"acao_hash": proposal.acao_hash})
    assert answer.status_code == 403
    assert nothing_happened(proposal)
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.get(acao="acao.recusada").saida_resumo == "papel_nao_decide"


def test_a_press_after_the_person_was_deactivated_leads_to_the_login(committed: None) -> None:
    tenant = factories.a_tenant()
    by = approver(tenant)
    proposal = factories.a_proposal(tenant)
    browser = as_(by)
    browser.read(page_of(proposal))
    lending.deactivate(by)
    answer = browser.client.post(f"{page_of(proposal)}aprovar/", {"acao_hash": proposal.acao_hash})
    assert answer["Location"].startswith("/conta/entrar/")
    assert nothing_happened(proposal)


def test_two_tabs_and_a_double_press_leave_one_decision(committed: None) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    browser, path = as_(approver(tenant)), page_of(proposal)
    first, second = (browser.read(path) for _tab in range(2))
    assert "decidir=aprovar" in first
    assert "decidir=aprovar" in second
    data = {"acao_hash": proposal.acao_hash}
    assert browser.client.post(f"{path}aprovar/", data).status_code == 302
    assert browser.client.post(f"{path}aprovar/", data).status_code == 409
    refusal = data | {"motivo": "Falta a janela de manutenção."}
    assert browser.client.post(f"{path}recusar/", refusal).status_code == 409
    with tenant_scope(tenant.pk):
        assert Decision.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("age", [None, 5 * MINUTE, 60 * MINUTE, -2 * MINUTE])
def test_a_high_risk_is_not_approved_without_a_fresh_proof_of_who_approves(
    age: dt.timedelta | None,
) -> None:
    proposal = a_high_risk()
    with pytest.raises(StepUpRequiredError):
        approve_after(proposal, factories.a_principal(proposal.tenant, Role.APROVADOR), age)
    assert nothing_happened(proposal)


@pytest.mark.django_db
@pytest.mark.parametrize("age", [0 * MINUTE, 4 * MINUTE, -MINUTE / 2])
def test_a_high_risk_is_approved_with_a_proof_under_five_minutes_old(age: dt.timedelta) -> None:
    proposal = a_high_risk()
    approve_after(proposal, factories.a_principal(proposal.tenant, Role.APROVADOR), age)
    with tenant_scope(proposal.tenant_id):
        assert Decision.objects.count() == 1


@pytest.mark.django_db
def test_refusing_a_high_risk_and_approving_a_low_one_ask_for_no_proof() -> None:
    high, low = a_high_risk(), in_hand(factories.a_tenant())
    assert refuse(high, approver(high.tenant)).estado == State.RECUSADA
    approve_after(low, approver(low.tenant), None)
    with tenant_scope(low.tenant_id):
        assert AgenteAprovacao.objects.get(pk=low.pk).estado == State.APROVADA


@pytest.mark.django_db
def test_somebody_who_may_not_decide_is_told_so_before_any_proof_is_asked() -> None:
    proposal = a_high_risk()
    with pytest.raises(NotEligibleError):
        approve_after(proposal, approver(proposal.tenant, Role.OPERADOR), None)


def test_an_old_login_is_sent_to_confirm_and_comes_back_to_the_same_strip(committed: None) -> None:
    proposal = a_high_risk()
    person = factories.a_person(proposal.tenant, Role.APROVADOR)
    client = entering.logged_in(person)
    entering.grow_old(client)
    path = f"{page_of(proposal)}aprovar/?risco=alto"
    answer = client.post(path, {"acao_hash": proposal.acao_hash})
    back = f"{page_of(proposal)}?decidir=aprovar&risco=alto"
    assert answer["Location"].startswith("/conta/confirmar/?next=")
    assert nothing_happened(proposal)
    data = {"password": factories.PASSWORD, "next": back}
    assert client.post("/conta/confirmar/", data)["Location"] == back
    assert client.post(path, {"acao_hash": proposal.acao_hash}).status_code == 302
    with tenant_scope(proposal.tenant_id):
        assert Decision.objects.count() == 1


def test_waiting_for_a_proof_leaves_no_refusal_in_the_trail(committed: None) -> None:
    proposal = a_high_risk()
    browser = as_(approver(proposal.tenant))  # a session that never proved anything
    browser.client.post(f"{page_of(proposal)}aprovar/", {"acao_hash": proposal.acao_hash})
    with tenant_scope(proposal.tenant_id):
        assert not AgenteAcao.objects.filter(acao="acao.recusada").exists()


def test_the_strip_says_beforehand_that_a_proof_will_be_asked(committed: None) -> None:
    proposal = a_high_risk()
    client = entering.logged_in(factories.a_person(proposal.tenant, Role.APROVADOR))
    strip = f"{page_of(proposal)}?decidir=aprovar"
    words = "o console confirma quem você é"
    assert words not in client.get(strip).content.decode()
    entering.grow_old(client)
    assert words in client.get(strip).content.decode()


@pytest.mark.django_db
def test_a_second_vote_of_the_same_person_is_told_apart_from_a_closed_proposal() -> None:
    proposal = a_high_risk()
    by = approver(proposal.tenant)
    factories.approve(proposal, by)
    with pytest.raises(AlreadyDecidedError, match="Você já votou"):
        factories.approve(proposal, by)


@pytest.mark.django_db
def test_history_names_a_decider_as_they_were_called_when_they_decided() -> None:
    tenant = factories.a_tenant()
    by = approver(tenant)
    proposal = factories.approve(factories.a_proposal(tenant), by)
    User.objects.filter(pk=by.user_id).update(display_name="outro nome", is_active=False)
    with tenant_scope(tenant.pk):
        kept = AgenteAprovacao.objects.get(pk=proposal.pk)
        row = AgenteAcao.objects.get(acao="aprovacao.concedida")
    assert (kept.decidida_por, row.aprovado_por) == (by.signature, by.signature)
