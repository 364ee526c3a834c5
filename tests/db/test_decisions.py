"""Who may decide what, and for which content."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError

from approvals import canonical, decisions
from approvals.errors import (
    AlreadyDecidedError,
    ContentChangedError,
    NotEligibleError,
    PolicyMovedError,
    ReasonRequiredError,
    SelfApprovalError,
)
from approvals.models import AgenteAprovacao, Execution, State, Verdict
from audit.models import AgenteAcao
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.deciding import (
    REASON,
    approver,
    ask_for_changes,
    cancel,
    insert_verdict,
    nothing_happened,
    refuse,
)


@pytest.mark.django_db
def test_another_person_s_approval_approves_and_queues_one_execution() -> None:
    tenant = factories.a_tenant()
    by = approver(tenant)
    proposal = factories.approve(factories.a_proposal(tenant), by)
    assert (proposal.estado, proposal.decidida_por) == (State.APROVADA, by.signature)
    with tenant_scope(tenant.pk):
        assert Execution.objects.get(approval=proposal).state == "retida"
        row = AgenteAcao.objects.get(acao="aprovacao.concedida")
    assert (row.aprovado_por, row.autorizacao) == (by.signature, "humana")


@pytest.mark.django_db
def test_the_requester_cannot_approve_though_they_hold_every_role() -> None:
    tenant = factories.a_tenant()
    everything = factories.a_principal(tenant, *Role)
    proposal = factories.a_proposal(tenant, by=everything)
    with pytest.raises(SelfApprovalError):
        factories.approve(proposal, everything)
    with pytest.raises(SelfApprovalError):
        refuse(proposal, everything)
    assert nothing_happened(proposal)


@pytest.mark.django_db
@pytest.mark.parametrize("role", [r for r in Role if r != Role.APROVADOR])
def test_a_role_other_than_the_required_one_cannot_decide(role: Role) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with pytest.raises(NotEligibleError):
        factories.approve(proposal, approver(tenant, role))
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_hash_that_was_not_shown_decides_nothing() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with tenant_scope(tenant.pk), pytest.raises(ContentChangedError):
        decisions.approve(proposal=proposal, approver=approver(tenant), seen_hash="0" * 64)
    assert nothing_happened(proposal)


@pytest.mark.parametrize("seen", ["recorded", "altered"])
def test_a_content_altered_behind_our_back_decides_nothing(
    committed: None, admin: Connection, seen: str
) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    admin.execute(
        "UPDATE agente_aprovacao SET proposta = jsonb_set(proposta, '{title}', '\"Outro\"') "
        "WHERE id = %s",
        [proposal.pk],
    )
    by = approver(tenant)
    with tenant_scope(tenant.pk):
        altered = AgenteAprovacao.objects.get(pk=proposal.pk)
        shown = {
            "recorded": altered.acao_hash,
            "altered": canonical.action_hash(altered.proposta),
        }[seen]
        with pytest.raises(ContentChangedError):
            decisions.approve(proposal=altered, approver=by, seen_hash=shown)
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_second_decision_is_refused_and_names_the_first() -> None:
    tenant = factories.a_tenant()
    first = approver(tenant)
    proposal = factories.approve(factories.a_proposal(tenant), first)
    with pytest.raises(AlreadyDecidedError) as refusal:
        refuse(proposal, approver(tenant))
    assert first.signature in refusal.value.sentence


@pytest.mark.django_db
def test_one_approval_of_two_is_not_enough() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    proposal = factories.approve(proposal, approver(tenant))
    assert proposal.estado == State.PENDENTE
    with tenant_scope(tenant.pk):
        assert not Execution.objects.exists()


@pytest.mark.django_db
def test_two_people_s_approvals_make_a_quorum_of_two_and_both_are_named() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    people = [approver(tenant), approver(tenant)]
    for person in people:
        proposal = factories.approve(proposal, person)
    assert proposal.estado == State.APROVADA
    assert proposal.decidida_por == ", ".join(person.signature for person in people)


@pytest.mark.django_db
def test_the_same_person_votes_once() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", labels=(), assignees=())
    by = approver(tenant)
    factories.approve(proposal, by)
    with pytest.raises(AlreadyDecidedError) as refusal:
        factories.approve(proposal, by)
    assert "Você já votou" in refusal.value.sentence
    with tenant_scope(tenant.pk):
        assert AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.PENDENTE


@pytest.mark.django_db
def test_a_policy_that_moved_needs_a_new_proposal() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, projects=factories.projects_with("infra", risk="alto"))
    with pytest.raises(PolicyMovedError):
        factories.approve(proposal, approver(tenant))
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_new_policy_with_the_same_outcome_does_not_block() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    factories.a_policy(tenant, max_assignees=3)
    assert factories.approve(proposal, approver(tenant)).estado == State.APROVADA


@pytest.mark.django_db
def test_a_refusal_closes_the_proposal_with_its_reason() -> None:
    tenant = factories.a_tenant()
    proposal = refuse(factories.a_proposal(tenant), approver(tenant))
    assert (proposal.estado, proposal.motivo) == (State.RECUSADA, REASON)
    with tenant_scope(tenant.pk):
        assert not Execution.objects.exists()
        assert AgenteAcao.objects.get(acao="aprovacao.recusada").saida_resumo == REASON


@pytest.mark.django_db
def test_a_refusal_without_a_reason_is_not_taken() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with pytest.raises(ReasonRequiredError):
        refuse(proposal, approver(tenant), "  não     ")
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_asking_for_changes_closes_the_proposal_with_what_should_change() -> None:
    tenant = factories.a_tenant()
    proposal = ask_for_changes(factories.a_proposal(tenant), approver(tenant))
    assert (proposal.estado, proposal.motivo) == (State.DEVOLVIDA, REASON)
    with tenant_scope(tenant.pk):
        assert not Execution.objects.exists()
        assert AgenteAcao.objects.get(acao="aprovacao.devolvida").saida_resumo == REASON


@pytest.mark.django_db
def test_asking_for_changes_says_which() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with pytest.raises(ReasonRequiredError):
        ask_for_changes(proposal, approver(tenant), "mude")
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_the_requester_takes_the_request_back() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    assert cancel(factories.a_proposal(tenant, by=by), by).estado == State.CANCELADA


@pytest.mark.django_db
def test_nobody_else_takes_a_request_back() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    with pytest.raises(NotEligibleError):
        cancel(proposal, factories.a_principal(tenant, *Role))
    assert nothing_happened(proposal)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("subject", "verdict", "values", "message"),
    [
        ("requester", "aprovar", {}, "requester does not decide"),
        ("usuario:0", "cancelar", {}, "only the requester cancels"),
        ("usuario:0", "expirar", {}, "only the clock expires"),
        ("sistema", "aprovar", {}, "only the clock expires"),
        ("sistema", "expirar", {}, "expiry is the clock's"),
        ("usuario:0", "aprovar", {"seen_hash": "0" * 64}, "hash differs"),
    ],
)
def test_the_database_refuses_what_the_code_would_never_write(
    subject: str, verdict: str, values: dict[str, Any], message: str
) -> None:
    proposal = factories.a_proposal(factories.a_tenant())
    who = proposal.solicitante if subject == "requester" else subject
    with pytest.raises(DatabaseError, match=message):
        insert_verdict(proposal, subject=who, verdict=verdict, **values)
    assert nothing_happened(proposal)


@pytest.mark.django_db
def test_a_second_verdict_is_refused_by_the_database_too() -> None:
    tenant = factories.a_tenant()
    proposal = factories.approve(factories.a_proposal(tenant), approver(tenant))
    with pytest.raises(DatabaseError, match="not pending"):
        insert_verdict(proposal, subject="usuario:0", verdict=Verdict.RECUSAR)
